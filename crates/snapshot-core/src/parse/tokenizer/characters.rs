//! Text between markup: the data, PLAINTEXT and CDATA section states (13.2.5.1, .5, .69 to .71).

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::references::reference;
use super::{Content, Sink, Tokenizer};

/// Where text stands, which decides what `&` means in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Where `&` is only a character.
    Literal,
    /// In content with character references.
    Text,
    /// In an attribute's value.
    Attribute,
}

/// What a `<` opens, decided by the next one or two characters.
enum Markup {
    StartTag,
    EndTag,
    /// `<!`
    Declaration,
    /// `<?`, a comment that begins with the question mark.
    Question,
    /// `</` and what cannot begin a name.
    BogusEndTag,
}

impl<S: Sink> Tokenizer<'_, S> {
    /// Reads text up to the next markup, and that markup.
    pub(super) fn data(&mut self) {
        let start = self.at;
        let mut from = start;
        let mut has_references = false;
        let mut has_nuls = false;
        let (end, markup) = loop {
            // Markup often follows markup.
            let next = match self.byte(from) {
                Some(b'<') => Some(0),
                _ => memchr3(b'<', b'&', 0, self.rest(from)),
            };
            let Some(offset) = next else { break (self.bytes.len(), None) };
            let place = from + offset;
            from = place + 1;
            match self.byte(place) {
                Some(b'<') => {
                    if let Some(markup) = self.markup(from) {
                        break (place, Some(markup));
                    }
                }
                Some(b'&') => has_references = true,
                _ => has_nuls = true,
            }
        };
        if has_nuls {
            self.emit_text_with_nuls(start..end, Place::Text);
        } else if has_references {
            self.emit_text(start..end, Place::Text);
        } else if start < end {
            self.sink.characters(self.text.get(start..end).unwrap_or_default());
        }
        match markup {
            None => self.at = self.bytes.len(),
            Some(Markup::StartTag) => self.start_tag(end + 1),
            Some(Markup::EndTag) => self.end_tag(end + 2),
            Some(Markup::Declaration) => self.declaration(end + 2),
            Some(Markup::Question) => self.bogus_comment(end + 1),
            Some(Markup::BogusEndTag) => self.bogus_end_tag(end + 2),
        }
    }

    /// What the `<` before `at` opens; nothing when it is a character of the text.
    fn markup(&self, at: usize) -> Option<Markup> {
        match self.byte(at)? {
            b'a'..=b'z' | b'A'..=b'Z' => Some(Markup::StartTag),
            b'!' => Some(Markup::Declaration),
            b'?' => Some(Markup::Question),
            b'/' => match self.byte(at + 1)? {
                b'a'..=b'z' | b'A'..=b'Z' => Some(Markup::EndTag),
                _ => Some(Markup::BogusEndTag),
            },
            _ => None,
        }
    }

    pub(super) fn plaintext(&mut self) {
        self.emit_text(self.at..self.bytes.len(), Place::Literal);
        self.at = self.bytes.len();
    }

    /// Reads on to the end of a CDATA section. What NUL characters are in it, the tree builder
    /// decides.
    pub(super) fn cdata_section(&mut self) {
        let end = memmem::find(self.rest(self.at), b"]]>").map(|offset| self.at + offset);
        self.emit_text_with_nuls(self.at..end.unwrap_or(self.bytes.len()), Place::Literal);
        self.at = end.map_or(self.bytes.len(), |end| end + 3);
        self.content = Content::Data;
    }

    /// Emits text; NUL characters become replacement characters.
    pub(super) fn emit_text(&mut self, range: Range<usize>, place: Place) {
        let written = self.text.get(range).unwrap_or_default();
        if !written.is_empty() {
            self.scratch.clear();
            let is_decoded = decode(written, place, &mut self.scratch);
            self.sink.characters(if is_decoded { &self.scratch } else { written });
        }
    }

    /// Emits text; NUL characters become tokens of their own.
    fn emit_text_with_nuls(&mut self, range: Range<usize>, place: Place) {
        let mut at = range.start;
        while let Some(offset) = memchr(0, self.bytes.get(at..range.end).unwrap_or_default()) {
            self.emit_text(at..at + offset, place);
            self.sink.nul();
            at += offset + 1;
        }
        self.emit_text(at..range.end, place);
    }
}

/// Adds a stretch of the source to `into`, with character references resolved and NUL characters
/// replaced; or adds nothing and says no, when it is to be read as it stands.
pub(super) fn decode(written: &str, place: Place, into: &mut String) -> bool {
    let bytes = written.as_bytes();
    let (mut copied, mut at) = (0, 0);
    while let Some(special) = next_special(bytes, at, place) {
        at = special + 1;
        if bytes.get(special) == Some(&0) {
            into.push_str(written.get(copied..special).unwrap_or_default());
            into.push(char::REPLACEMENT_CHARACTER);
            copied = at;
        } else if let Some(found) = reference(written.get(at..).unwrap_or_default(), place == Place::Attribute) {
            into.push_str(written.get(copied..special).unwrap_or_default());
            into.push(found.first);
            into.extend(found.second);
            at += found.length;
            copied = at;
        }
    }
    if copied > 0 {
        into.push_str(written.get(copied..).unwrap_or_default());
    }
    copied > 0
}

fn next_special(bytes: &[u8], from: usize, place: Place) -> Option<usize> {
    let rest = bytes.get(from..).unwrap_or_default();
    let offset = if place == Place::Literal { memchr(0, rest) } else { memchr2(b'&', 0, rest) };
    offset.map(|offset| from + offset)
}
