//! The browsing agent: a browser, a model and the loop between them.
//!
//! Everything the agent knows about pages comes from `snapshot-core`; this crate adds only what
//! the core must not know: see ([`perceive`]), ask ([`context`], [`model`]), act ([`action`]),
//! wait, again ([`run`]).

mod act;
pub mod action;
mod addresses;
pub mod browser;
mod capture;
mod changes;
pub mod config;
pub mod context;
pub mod demo;
mod error;
mod keys;
pub mod mcp;
pub mod model;
pub mod origins;
pub mod perceive;
pub mod routing;
pub mod run;
mod screenshot;
pub mod secrets;
pub mod session;
mod stable;
pub mod trace;

pub use capture::{capture, page_html};
pub use error::Error;
