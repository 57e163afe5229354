//! The browsing agent: a browser, a model and the loop between them.
//!
//! Everything the agent knows about pages comes from `snapshot-core`; this crate adds only what
//! the core must not know.

pub mod browser;
mod capture;
mod error;

pub use capture::capture;
pub use error::Error;
