//! What stages and representations know about text itself: characters, addresses, marks.

pub(crate) mod address;
pub(crate) mod invisible;
pub(crate) mod marks;
