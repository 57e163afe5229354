//! Turns a web page's DOM into the smallest text a language model can act on, and keeps the way
//! back to each element.

mod batch;
mod budget;
pub mod capture;
pub mod coverage;
pub mod diff;
pub mod document;
pub mod draft;
mod envelope;
mod error;
pub mod flat_tree;
pub mod locate;
mod page;
pub mod parse;
mod pipeline;
mod recipe;
mod references;
pub mod representations;
pub mod selector;
pub mod semantics;
pub mod source_map;
pub mod stages;
pub mod text;
pub mod tokens;
pub mod writer;

pub use envelope::{Envelope, TokenCount};
pub use error::{Diagnostic, Error, Level};
pub use page::{Page, PageOptions};
pub use pipeline::{Pipeline, Snapshot};
pub use recipe::{PRESETS, Preset, Recipe, RecipeBudget, Step};
pub use references::References;

/// The README's example is compiled with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
