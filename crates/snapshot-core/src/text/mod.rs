//! What stages and representations know about text itself: characters, addresses, marks, words,
//! sentences and which of them matter.

pub(crate) mod address;
pub(crate) mod bytes;
pub(crate) mod invisible;
pub(crate) mod marks;
pub(crate) mod pieces;
pub mod ranking;
pub(crate) mod relevance;
pub mod sentences;
mod significance;
pub(crate) mod spacing;
pub(crate) mod words;

pub use significance::is_significant;
