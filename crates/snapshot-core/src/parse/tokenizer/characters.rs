//! Text between markup: the data, PLAINTEXT and CDATA section states (13.2.5.1, .5, .69 to .71).

use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::Token;
use memchr::{memchr, memchr2, memchr3, memmem};

use super::references::reference;
use super::{Content, MAX_TOKEN_BYTES, Sink, Tokenizer};

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
            let text = self.span(start..end);
            self.emit(Token::CharacterTokens(text));
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
        if !range.is_empty() {
            let text = self.decoded(range, place);
            self.emit(Token::CharacterTokens(text));
        }
    }

    /// Emits text; NUL characters become tokens of their own.
    fn emit_text_with_nuls(&mut self, range: Range<usize>, place: Place) {
        let mut at = range.start;
        while let Some(offset) = memchr(0, self.bytes.get(at..range.end).unwrap_or_default()) {
            self.emit_text(at..at + offset, place);
            self.emit(Token::NullCharacterToken);
            at += offset + 1;
        }
        self.emit_text(at..range.end, place);
    }

    /// A stretch of the source with character references resolved and NUL characters replaced.
    pub(super) fn decoded(&mut self, range: Range<usize>, place: Place) -> StrTendril {
        let mut copied = range.start;
        let mut at = range.start;
        self.scratch.clear();
        while let Some(special) = self.next_special(at..range.end, place) {
            at = special + 1;
            if self.byte(special) == Some(0) {
                self.scratch.push_str(self.text.get(copied..special).unwrap_or_default());
                self.scratch.push(char::REPLACEMENT_CHARACTER);
                copied = at;
                continue;
            }
            let behind = self.text.get(at..range.end).unwrap_or_default();
            if let Some(found) = reference(behind, place == Place::Attribute) {
                self.scratch.push_str(self.text.get(copied..special).unwrap_or_default());
                self.scratch.push(found.first);
                self.scratch.extend(found.second);
                at += found.length;
                copied = at;
            }
        }
        if copied == range.start {
            return self.span(range);
        }
        self.scratch.push_str(self.text.get(copied..range.end).unwrap_or_default());
        StrTendril::from_slice(&self.scratch[..self.scratch.floor_char_boundary(MAX_TOKEN_BYTES)])
    }

    fn next_special(&self, range: Range<usize>, place: Place) -> Option<usize> {
        let bytes = self.bytes.get(range.clone()).unwrap_or_default();
        let offset = if place == Place::Literal { memchr(0, bytes) } else { memchr2(b'&', 0, bytes) };
        offset.map(|offset| range.start + offset)
    }
}
