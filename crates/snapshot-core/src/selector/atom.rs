//! Names, classes and ids as selectors hold them.

use std::fmt;
use std::hash::Hasher;

use cssparser::{ToCss, serialize_identifier};
use precomputed_hash::PrecomputedHash;
use rustc_hash::FxHasher;

use crate::document::Name;

/// An identifier in a selector: a local name, a class, an id or a namespace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Atom {
    text: Box<str>,
    hash: u32,
    known: Option<Name>,
}

impl Atom {
    /// The identifier.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Its number, if it is a name that every document knows.
    pub(crate) fn known(&self) -> Option<Name> {
        self.known
    }

    /// The hash that [`fold_hash`] gives for the same text.
    pub(crate) fn hash(&self) -> u32 {
        self.hash
    }
}

/// A hash that does not tell cases apart: documents in quirks mode match classes and ids without
/// regard to case, and one hash for both modes keeps indexes and filters simple.
///
/// It takes eight bytes at once and sets in each the bit in which the two cases differ, so that it
/// does not tell some other characters apart either.
pub(crate) fn fold_hash(text: &str) -> u32 {
    const CASE: u64 = u64::from_ne_bytes([b' '; 8]);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut hasher = FxHasher::default();
    for word in words {
        hasher.write_u64(u64::from_le_bytes(*word) | CASE);
    }
    hasher.write_u64(u64::from_le_bytes(last) | CASE);
    let hash = hasher.finish();
    #[allow(clippy::cast_possible_truncation, reason = "both halves of the hash are folded into one")]
    let folded = (hash ^ (hash >> 32)) as u32;
    folded
}

impl From<&str> for Atom {
    fn from(text: &str) -> Self {
        Self { text: text.into(), hash: fold_hash(text), known: Name::known(text) }
    }
}

impl AsRef<str> for Atom {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl PrecomputedHash for Atom {
    fn precomputed_hash(&self) -> u32 {
        self.hash
    }
}

impl ToCss for Atom {
    fn to_css<W: fmt::Write>(&self, destination: &mut W) -> fmt::Result {
        serialize_identifier(&self.text, destination)
    }
}

/// The value in an attribute selector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AttributeValue(Box<str>);

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for AttributeValue {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for AttributeValue {
    fn to_css<W: fmt::Write>(&self, destination: &mut W) -> fmt::Result {
        cssparser::serialize_string(&self.0, destination)
    }
}
