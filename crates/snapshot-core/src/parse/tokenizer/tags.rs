//! Tags: the states from tag name to self-closing start tag (13.2.5.8, 13.2.5.32 to .40).

use std::ops::Range;

use html5ever::LocalName;
use html5ever::tokenizer::{Tag, TagKind};

use super::attributes::Attributes;
use super::{Sink, Tokenizer, is_white_space};

/// A name as it stands in the source.
pub(super) struct WrittenName {
    pub(super) range: Range<usize>,
    /// Whether nothing in it has to be lowered or replaced.
    pub(super) plain: bool,
}

impl<S: Sink> Tokenizer<'_, S> {
    /// Reads a start tag from its name on.
    pub(super) fn start_tag(&mut self, at: usize) {
        let name = self.tag_name(at);
        self.at = name.range.end;
        let mut attributes = Attributes::new(self.sink.spare_attributes());
        // A tag that does not end is no tag.
        let Some(self_closing) = self.rest_of_start_tag(&mut attributes) else { return };
        self.tags_with_too_many_attributes += usize::from(attributes.past_limit);
        self.attributes_too_long += attributes.too_long;
        let tag = Tag {
            kind: TagKind::StartTag,
            name: self.atom(&name),
            self_closing,
            attrs: attributes.kept,
            had_duplicate_attributes: attributes.had_duplicates,
        };
        self.emit_tag(tag, name.range);
    }

    /// Reads an end tag from its name on. What it has of attributes means nothing.
    pub(super) fn end_tag(&mut self, at: usize) {
        let name = self.tag_name(at);
        self.at = name.range.end;
        let Some(self_closing) = self.rest_of_end_tag() else { return };
        let tag = Tag {
            kind: TagKind::EndTag,
            name: self.atom(&name),
            self_closing,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        self.emit_tag(tag, name.range);
    }

    fn rest_of_start_tag(&mut self, attributes: &mut Attributes) -> Option<bool> {
        loop {
            if let Some(self_closing) = self.end_of_tag()? {
                return Some(self_closing);
            }
            self.attribute(attributes)?;
        }
    }

    fn rest_of_end_tag(&mut self) -> Option<bool> {
        loop {
            if let Some(self_closing) = self.end_of_tag()? {
                return Some(self_closing);
            }
            self.skip_attribute()?;
        }
    }

    /// Goes on to the next attribute, or behind the end of the tag and says whether the tag closes
    /// itself. Nothing when the source ends before, which is then read to its end.
    #[inline]
    fn end_of_tag(&mut self) -> Option<Option<bool>> {
        loop {
            match self.byte(self.at) {
                None => return None,
                Some(b'>') => {
                    self.at += 1;
                    return Some(Some(false));
                }
                Some(b'/') => {
                    self.at += 1;
                    if self.byte(self.at) == Some(b'>') {
                        self.at += 1;
                        return Some(Some(true));
                    }
                }
                Some(byte) if is_white_space(byte) => self.at += 1,
                Some(_) => return Some(None),
            }
        }
    }

    fn tag_name(&self, at: usize) -> WrittenName {
        self.written_name(at, at, NameEnd::TAG)
    }

    /// Reads a name that begins at `start` and does not end before `from`.
    #[inline]
    pub(super) fn written_name(&self, start: usize, from: usize, ends: u8) -> WrittenName {
        let mut seen = 0;
        let mut end = start;
        for &byte in self.rest(start) {
            let class = CLASSES[usize::from(byte)];
            if class & ends != 0 && end >= from {
                break;
            }
            seen |= class;
            end += 1;
        }
        WrittenName { range: start..end, plain: seen & NameEnd::REWRITTEN == 0 }
    }

    #[inline]
    pub(super) fn atom(&mut self, name: &WrittenName) -> LocalName {
        let written = self.text.get(name.range.clone()).unwrap_or_default();
        if name.plain { self.names.atom(written) } else { self.names.atom_as_written(written) }
    }
}

/// What a byte does to a name; flags of [`CLASSES`].
pub(super) struct NameEnd;

impl NameEnd {
    /// Ends the name of a tag.
    pub(super) const TAG: u8 = 1;
    /// Ends the name of an attribute.
    pub(super) const ATTRIBUTE: u8 = 2;
    /// Ends an attribute's value without quotes.
    pub(super) const VALUE: u8 = 4;
    /// Stands for something else in a name.
    const REWRITTEN: u8 = 8;
    /// Needs a closer look in a value.
    pub(super) const DECODED: u8 = 16;
}

pub(super) static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut letter = b'A';
    while letter <= b'Z' {
        classes[letter as usize] = NameEnd::REWRITTEN;
        letter += 1;
    }
    classes[0] = NameEnd::REWRITTEN | NameEnd::DECODED;
    classes[b'&' as usize] = NameEnd::DECODED;
    classes[b'\t' as usize] = NameEnd::TAG | NameEnd::ATTRIBUTE | NameEnd::VALUE;
    classes[b'\n' as usize] = NameEnd::TAG | NameEnd::ATTRIBUTE | NameEnd::VALUE;
    classes[0x0c] = NameEnd::TAG | NameEnd::ATTRIBUTE | NameEnd::VALUE;
    classes[b' ' as usize] = NameEnd::TAG | NameEnd::ATTRIBUTE | NameEnd::VALUE;
    classes[b'>' as usize] = NameEnd::TAG | NameEnd::ATTRIBUTE | NameEnd::VALUE;
    classes[b'/' as usize] = NameEnd::TAG | NameEnd::ATTRIBUTE;
    classes[b'=' as usize] = NameEnd::ATTRIBUTE;
    classes
};
