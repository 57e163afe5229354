//! What stages and representations know about text itself: characters, addresses, marks, words.

pub(crate) mod address;
pub(crate) mod invisible;
pub(crate) mod marks;
pub(crate) mod pieces;
pub(crate) mod relevance;
pub(crate) mod words;
