//! Turns a web page's DOM into the smallest text a language model can act on.

pub mod document;
mod error;
pub mod parse;

pub use error::{Diagnostic, Error, Level};
