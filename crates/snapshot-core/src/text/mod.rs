//! What stages and representations know about text itself: characters, addresses, marks,
//! sentences and which of them matter.

pub(crate) mod address;
pub(crate) mod invisible;
pub(crate) mod marks;
pub mod ranking;
pub mod sentences;
mod significance;

pub use significance::is_significant;
