//! Attributes of a tag, their limits and duplicates.

use std::hash::Hash;
use std::ops::Range;

use memchr::{memchr, memchr3};
use rustc_hash::FxHashSet;

use super::characters::{Place, decode};
use super::tags::{CLASSES, NameEnd, WrittenName};
use super::{Sink, Tokenizer};

/// With more attributes than this, a set tells which names there are.
const FEW: usize = 16;

/// The attributes of a start tag.
#[derive(Clone, Copy)]
pub(crate) struct Attributes<'tag, N> {
    kept: &'tag [Attribute<N>],
    source: &'tag str,
    decoded: &'tag str,
}

impl<'tag, N: Copy + Eq> Attributes<'tag, N> {
    /// Of a tag that has none.
    pub(crate) const NONE: Self = Self { kept: &[], source: "", decoded: "" };

    /// Names and values in the order of the source; no name comes twice.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = (N, &'tag str)> {
        self.kept.iter().map(move |attribute| {
            let text = if attribute.is_decoded { self.decoded } else { self.source };
            (attribute.name, text.get(attribute.value.clone()).unwrap_or_default())
        })
    }

    /// The value of an attribute.
    pub(crate) fn get(self, name: N) -> Option<&'tag str> {
        self.iter().find(|&(found, _)| found == name).map(|(_, value)| value)
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.kept.len()
    }
}

/// One attribute: a stretch of the source or of what values were decoded to.
struct Attribute<N> {
    name: N,
    is_decoded: bool,
    value: Range<usize>,
}

/// The attributes of the start tag that is being read, kept from tag to tag for their memory.
pub(super) struct AttributeList<N> {
    kept: Vec<Attribute<N>>,
    decoded: String,
    /// The names of those kept, when they are not few.
    names: FxHashSet<N>,
    /// All that were read.
    read: usize,
}

impl<N: Copy + Eq + Hash> AttributeList<N> {
    pub(super) fn new() -> Self {
        Self { kept: Vec::new(), decoded: String::new(), names: FxHashSet::default(), read: 0 }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.decoded.clear();
        if !self.names.is_empty() {
            self.names.clear();
        }
        self.read = 0;
    }

    #[inline]
    pub(super) fn read_from<'tag>(&'tag self, source: &'tag str) -> Attributes<'tag, N> {
        Attributes { kept: &self.kept, source, decoded: &self.decoded }
    }

    /// Whether there is no attribute of this name yet.
    #[inline]
    fn is_new(&mut self, name: N) -> bool {
        if self.kept.len() < FEW {
            return self.kept.iter().all(|attribute| attribute.name != name);
        }
        if self.names.is_empty() {
            self.names.extend(self.kept.iter().map(|attribute| attribute.name));
        }
        self.names.insert(name)
    }

    #[inline]
    fn push(&mut self, name: N, source: &str, value: Option<WrittenValue>) {
        let (mut value, plain) = value.map_or((0..0, true), |value| (value.range, value.plain));
        let mut is_decoded = false;
        if !plain {
            let start = self.decoded.len();
            is_decoded = decode(source.get(value.clone()).unwrap_or_default(), Place::Attribute, &mut self.decoded);
            if is_decoded {
                value = start..self.decoded.len();
            }
        }
        self.kept.push(Attribute { name, is_decoded, value });
    }
}

/// Where an attribute's value is and how it is to be read.
struct WrittenValue {
    range: Range<usize>,
    /// Whether nothing in it has to be resolved or replaced.
    plain: bool,
}

impl<S: Sink> Tokenizer<'_, S> {
    /// Reads the attribute that begins here; nothing when the source ends in it.
    #[inline]
    pub(super) fn attribute(&mut self) -> Option<()> {
        let start = self.at;
        let (name, value) = self.written_attribute()?;
        self.attributes.read += 1;
        if self.attributes.read > self.limits.attributes {
            return Some(());
        }
        if self.at - start > self.limits.attribute_bytes {
            self.attributes_too_long += 1;
            return Some(());
        }
        let name = self.name(&name);
        if self.attributes.is_new(name) {
            self.attributes.push(name, self.text, value);
        }
        Some(())
    }

    /// Whether the tag has attributes past the limit.
    pub(super) fn has_too_many_attributes(&self) -> bool {
        self.attributes.read > self.limits.attributes
    }

    /// Reads over the attribute that begins here; nothing when the source ends in it.
    pub(super) fn skip_attribute(&mut self) -> Option<()> {
        self.written_attribute().map(|_| ())
    }

    /// Finds the parts of the attribute that begins here, and goes behind it.
    #[inline]
    fn written_attribute(&mut self) -> Option<(WrittenName, Option<WrittenValue>)> {
        // The first character belongs to the name even when it is `=`.
        let name = self.written_name(self.at, self.at + 1, NameEnd::ATTRIBUTE);
        self.at = name.range.end;
        let equals = self.behind_white_space(self.at);
        if self.byte(equals) != Some(b'=') {
            return Some((name, None));
        }
        self.at = self.behind_white_space(equals + 1);
        let value = match self.byte(self.at)? {
            quote @ (b'"' | b'\'') => self.quoted_value(self.at + 1, quote)?,
            // Also where the tag ends instead: the value is empty.
            _ => self.bare_value(self.at),
        };
        Some((name, Some(value)))
    }

    #[inline]
    fn quoted_value(&mut self, start: usize, quote: u8) -> Option<WrittenValue> {
        let rest = self.rest(start);
        let first = memchr3(quote, b'&', 0, rest);
        let plain = first.is_some_and(|first| rest.get(first) == Some(&quote));
        let length = match first {
            Some(first) if !plain => memchr(quote, rest.get(first..).unwrap_or_default()).map(|offset| first + offset),
            first => first,
        };
        let Some(length) = length else {
            self.at = self.bytes.len();
            return None;
        };
        self.at = start + length + 1;
        Some(WrittenValue { range: start..start + length, plain })
    }

    fn bare_value(&mut self, start: usize) -> WrittenValue {
        let mut seen = 0;
        let mut end = start;
        for &byte in self.rest(start) {
            let class = CLASSES[usize::from(byte)];
            if class & NameEnd::VALUE != 0 {
                break;
            }
            seen |= class;
            end += 1;
        }
        self.at = end;
        WrittenValue { range: start..end, plain: seen & NameEnd::DECODED == 0 }
    }
}
