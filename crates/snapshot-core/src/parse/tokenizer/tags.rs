//! Tags: the states from tag name to self-closing start tag (13.2.5.8, 13.2.5.32 to .40).

use std::ops::Range;

use super::attributes::Attributes;
use super::{Content, Sink, Tokenizer, is_white_space};

/// A start tag.
#[derive(Clone, Copy)]
pub(crate) struct StartTag<'tag, N> {
    pub(crate) name: N,
    pub(crate) attributes: Attributes<'tag, N>,
    pub(crate) self_closing: bool,
}

impl<N: Copy + Eq> StartTag<'_, N> {
    /// A tag with no attributes.
    pub(crate) fn bare(name: N) -> Self {
        Self { name, attributes: Attributes::NONE, self_closing: false }
    }
}

/// A name as it stands in the source.
pub(super) struct WrittenName {
    pub(super) range: Range<usize>,
    /// Whether nothing in it has to be lowered or replaced.
    pub(super) plain: bool,
}

impl<S: Sink> Tokenizer<'_, S> {
    /// Reads a start tag from its name on, and how to go on from the sink's answer.
    pub(super) fn start_tag(&mut self, at: usize) {
        let written = self.tag_name(at);
        self.at = written.range.end;
        self.attributes.clear();
        // A tag that does not end is no tag.
        let Some(self_closing) = self.rest_of_start_tag() else { return };
        self.tags_with_too_many_attributes += usize::from(self.has_too_many_attributes());
        let name = self.name(&written);
        let attributes = self.attributes.read_from(self.text);
        self.content = self.sink.start_tag(StartTag { name, attributes, self_closing });
        if self.content != Content::Data {
            self.last_start_tag = self.text.get(written.range).unwrap_or_default();
        }
    }

    /// Reads an end tag from its name on. What it has of attributes means nothing.
    pub(super) fn end_tag(&mut self, at: usize) {
        let written = self.tag_name(at);
        self.at = written.range.end;
        if self.rest_of_end_tag().is_some() {
            let name = self.name(&written);
            self.sink.end_tag(name);
        }
    }

    #[inline]
    fn rest_of_start_tag(&mut self) -> Option<bool> {
        loop {
            if let Some(self_closing) = self.end_of_tag()? {
                return Some(self_closing);
            }
            self.attribute()?;
        }
    }

    fn rest_of_end_tag(&mut self) -> Option<()> {
        while self.end_of_tag()?.is_none() {
            self.skip_attribute()?;
        }
        Some(())
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
    pub(super) fn name(&mut self, name: &WrittenName) -> S::Name {
        let written = self.text.get(name.range.clone()).unwrap_or_default();
        if name.plain {
            self.names.name(&mut self.sink, written)
        } else {
            self.names.name_as_written(&mut self.sink, written)
        }
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
