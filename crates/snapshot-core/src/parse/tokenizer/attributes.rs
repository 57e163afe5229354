//! Attributes of a tag, their limits and duplicates.

use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::{memchr, memchr3};
use rustc_hash::FxHashSet;

use super::characters::Place;
use super::tags::{CLASSES, NameEnd, WrittenName};
use super::{Sink, Tokenizer};

/// With more attributes than this, a set tells which names there are.
const FEW: usize = 16;

/// The attributes of a start tag as far as it is read.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) kept: Vec<Attribute>,
    /// The names of those kept, when they are not few.
    names: FxHashSet<LocalName>,
    /// All that were read.
    read: usize,
    pub(super) had_duplicates: bool,
    pub(super) past_limit: bool,
    pub(super) too_long: usize,
}

impl Attributes {
    /// None yet, to be kept in a list that is empty.
    pub(super) fn new(kept: Vec<Attribute>) -> Self {
        Self { kept, ..Self::default() }
    }

    /// Whether there is no attribute of this name yet.
    fn is_new(&mut self, name: &LocalName) -> bool {
        if self.kept.len() < FEW {
            return self.kept.iter().all(|attribute| attribute.name.local != *name);
        }
        if self.names.is_empty() {
            self.names.extend(self.kept.iter().map(|attribute| attribute.name.local.clone()));
        }
        self.names.insert(name.clone())
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
    pub(super) fn attribute(&mut self, attributes: &mut Attributes) -> Option<()> {
        let start = self.at;
        let (name, value) = self.written_attribute()?;
        attributes.read += 1;
        if attributes.read > self.attribute_limit {
            attributes.past_limit = true;
            return Some(());
        }
        if self.at - start > self.attribute_bytes {
            attributes.too_long += 1;
            return Some(());
        }
        let local = self.atom(&name);
        if !attributes.is_new(&local) {
            attributes.had_duplicates = true;
            return Some(());
        }
        let value = match value {
            None => StrTendril::new(),
            Some(value) if value.plain => self.span(value.range),
            Some(value) => self.decoded(value.range, Place::Attribute),
        };
        attributes.kept.push(Attribute { name: QualName::new(None, ns!(), local), value });
        Some(())
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
