//! The doctype: the states from DOCTYPE to bogus DOCTYPE (13.2.5.53 to .68).

use std::ops::Range;

use super::characters::{Place, decode};
use super::{Sink, Tokenizer, is_white_space};

/// A doctype as far as it was written.
#[derive(Debug, Default)]
pub(crate) struct Doctype {
    pub(crate) name: Option<String>,
    pub(crate) public_id: Option<String>,
    pub(crate) system_id: Option<String>,
    /// It is broken in a way that puts the page into quirks mode.
    pub(crate) force_quirks: bool,
}

/// How reading a doctype ended.
enum Ending {
    /// At its `>` or at the end of the source, in due form.
    Proper,
    /// Where it must not end: the page is in quirks mode.
    Quirks,
    /// In the middle of something else, which is left out up to the next `>`.
    Bogus,
    /// The same, and the page is in quirks mode.
    BogusQuirks,
}

impl<S: Sink> Tokenizer<'_, S> {
    /// Reads a doctype from behind the word on.
    pub(super) fn doctype(&mut self, at: usize) {
        self.at = at;
        let mut doctype = Doctype::default();
        let ending = self.parts_of_doctype(&mut doctype);
        doctype.force_quirks = matches!(ending, Ending::Quirks | Ending::BogusQuirks);
        if matches!(ending, Ending::Bogus | Ending::BogusQuirks) {
            self.at = self.find(b'>', self.at).unwrap_or(self.bytes.len());
        }
        if self.byte(self.at) == Some(b'>') {
            self.at += 1;
        }
        self.sink.doctype(&doctype);
    }

    fn parts_of_doctype(&mut self, doctype: &mut Doctype) -> Ending {
        self.at = self.behind_white_space(self.at);
        if matches!(self.byte(self.at), None | Some(b'>')) {
            return Ending::Quirks;
        }
        doctype.name = Some(self.doctype_name());
        self.at = self.behind_white_space(self.at);
        match self.byte(self.at) {
            None => return Ending::Quirks,
            Some(b'>') => return Ending::Proper,
            Some(_) => {}
        }
        let is_public = self.starts_with_ignoring_case(self.at, "public");
        if !is_public && !self.starts_with_ignoring_case(self.at, "system") {
            return Ending::BogusQuirks;
        }
        self.at = self.behind_white_space(self.at + "public".len());
        if is_public {
            match self.byte(self.at) {
                None | Some(b'>') => return Ending::Quirks,
                Some(quote @ (b'"' | b'\'')) => {
                    let (identifier, closed) = self.doctype_identifier(quote);
                    doctype.public_id = Some(identifier);
                    if !closed {
                        return Ending::Quirks;
                    }
                }
                Some(_) => return Ending::BogusQuirks,
            }
            self.at = self.behind_white_space(self.at);
        }
        match self.byte(self.at) {
            None => return Ending::Quirks,
            Some(b'>') => return if is_public { Ending::Proper } else { Ending::Quirks },
            Some(quote @ (b'"' | b'\'')) => {
                let (identifier, closed) = self.doctype_identifier(quote);
                doctype.system_id = Some(identifier);
                if !closed {
                    return Ending::Quirks;
                }
            }
            Some(_) => return Ending::BogusQuirks,
        }
        self.at = self.behind_white_space(self.at);
        match self.byte(self.at) {
            None => Ending::Quirks,
            Some(b'>') => Ending::Proper,
            Some(_) => Ending::Bogus,
        }
    }

    fn doctype_name(&mut self) -> String {
        let start = self.at;
        let length = self.rest(start).iter().take_while(|&&byte| !is_white_space(byte) && byte != b'>').count();
        self.at = start + length;
        let mut name = self.literal(start..self.at);
        name.make_ascii_lowercase();
        name
    }

    /// Reads an identifier from its opening quote on, and says whether it has a closing one. A `>`
    /// ends the whole doctype.
    fn doctype_identifier(&mut self, quote: u8) -> (String, bool) {
        let start = self.at + 1;
        let length = self.rest(start).iter().take_while(|&&byte| byte != quote && byte != b'>').count();
        let end = start + length;
        let closed = self.byte(end) == Some(quote);
        self.at = end + usize::from(closed);
        (self.literal(start..end), closed)
    }

    fn literal(&self, range: Range<usize>) -> String {
        let written = self.text.get(range).unwrap_or_default();
        let mut text = String::new();
        if decode(written, Place::Literal, &mut text) { text } else { written.to_owned() }
    }
}
