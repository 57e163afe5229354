//! A snapshot with everything that is known about it, as one JSON object.

use serde::{Deserialize, Serialize};

use crate::pipeline::Snapshot;
use crate::source_map::{DiagnosticEntry, Elided, LedgerRow, SourceMap, Statistics};
use crate::tokens::Encoding;

/// What `snapshot convert --json` prints for each input.
///
/// The JSON form is a contract (version 1, see [`source_map::VERSION`](crate::source_map::VERSION)):
/// fields are added, never renamed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Envelope {
    /// The input's name as it was given.
    pub input: String,
    /// The representation's name.
    pub representation: String,
    /// The text.
    pub text: String,
    /// What the text costs.
    pub tokens: TokenCount,
    /// What the page consists of.
    pub stats: Statistics,
    /// The way back to each element.
    pub map: SourceMap,
    /// What was left out and can be asked for.
    pub elided: Vec<Elided>,
    /// What each stage cost and saved.
    pub ledger: Vec<LedgerRow>,
    /// What the caller may want to know.
    pub diagnostics: Vec<DiagnosticEntry>,
}

/// A number of tokens and what they were counted with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TokenCount {
    /// How many.
    pub count: usize,
    /// The encoding's name.
    pub encoding: String,
}

impl Envelope {
    /// Wraps a snapshot of `input` and counts its tokens in `encoding`.
    pub fn new(input: impl Into<String>, snapshot: Snapshot, encoding: &Encoding) -> Self {
        Self {
            input: input.into(),
            representation: snapshot.representation.to_owned(),
            tokens: TokenCount { count: encoding.counter.count(&snapshot.text), encoding: encoding.name.to_owned() },
            text: snapshot.text,
            stats: snapshot.statistics,
            map: snapshot.map,
            elided: snapshot.elided,
            ledger: snapshot.ledger,
            diagnostics: snapshot.diagnostics,
        }
    }
}
