//! What changed between two snapshots of a page.
//!
//! Elements are told apart by their ids, which the later page has taken over from the earlier one
//! ([`Page::continuing`](crate::Page::continuing)). A [`Delta`] says what became of them, and how
//! the later text is put together from pieces of the earlier one.
//!
//! ```
//! use snapshot_core::{Page, PageOptions, Pipeline, Recipe, diff};
//!
//! let options = PageOptions::default();
//! let before = Page::read(b"<ul><li><button>Tea</button><li><button>Milk</button></ul>", &options)?;
//! let after = Page::read(b"<ul><li><button>Milk</button><li><button>Rolls</button></ul>", &options)?;
//! let after = after.continuing(&before);
//! let pipeline = Pipeline::new(&Recipe::preset("navigate")?, "ax")?;
//! let (before, after) = (pipeline.run(&before)?, pipeline.run(&after)?);
//! let delta = diff::between(&before, &after);
//! assert_eq!(diff::apply(&before.text, &delta)?, after.text);
//! # Ok::<(), snapshot_core::Error>(())
//! ```

mod changes;
mod copies;
mod fingerprint;
mod matching;

use serde::{Deserialize, Serialize};

pub use changes::{ElementChange, Kind};
pub use matching::Matching;

use crate::error::Error;
use crate::pipeline::Snapshot;

/// The version of the JSON form of a [`Delta`]: fields are added, never renamed.
pub const VERSION: u32 = 1;

/// The way from one snapshot to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Delta {
    /// [`VERSION`].
    pub version: u32,
    /// The representation of both snapshots.
    pub representation: String,
    /// The text that the edits start from.
    pub base: Base,
    /// The later text as a whole, when the edits would not be clearly smaller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// What the later text consists of, in order; empty when it is given as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
    /// What became of the elements that carry an id; empty when the text is given as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ElementChange>,
}

/// The text that a delta starts from, so that no other is taken for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Base {
    /// Its bytes.
    pub bytes: usize,
    /// Its FNV-1a hash of 64 bits in hexadecimal digits.
    pub hash: String,
}

impl Base {
    fn of(text: &str) -> Self {
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self { bytes: text.len(), hash: format!("{hash:016x}") }
    }
}

/// A part of the later text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Edit {
    /// Bytes of the earlier text: start and end. Pieces that stand in another order have moved.
    Keep([usize; 2]),
    /// New text.
    Insert(String),
}

/// What an edit costs beyond the text in it.
const COST_OF_EDIT: usize = 12;

/// What an element's change costs beyond the text in it.
const COST_OF_CHANGE: usize = 40;

/// Tells what changed from one snapshot to the next. The text is given as a whole when the delta
/// would be larger than four fifths of it.
pub fn between(before: &Snapshot, after: &Snapshot) -> Delta {
    let mut delta = Delta {
        version: VERSION,
        representation: after.representation.to_owned(),
        base: Base::of(&before.text),
        whole: None,
        edits: copies::edits(&before.text, &after.text),
        changes: changes::changes(before, after),
    };
    let cost_of_edits: usize = delta
        .edits
        .iter()
        .map(|edit| match edit {
            Edit::Keep(_) => COST_OF_EDIT,
            Edit::Insert(text) => COST_OF_EDIT + text.len(),
        })
        .sum();
    let cost_of_changes: usize =
        delta.changes.iter().map(|change| COST_OF_CHANGE + change.name.len() + change.reference.len()).sum();
    if (cost_of_edits + cost_of_changes) * 5 > after.text.len() * 4 {
        delta.whole = Some(after.text.clone());
        delta.edits.clear();
        delta.changes.clear();
    }
    delta
}

/// Makes the later text from the earlier one.
///
/// # Errors
/// [`Error::InvalidDelta`] when the delta was made from another text, or is damaged.
pub fn apply(before: &str, delta: &Delta) -> Result<String, Error> {
    let invalid = |reason: &str| Error::InvalidDelta { reason: reason.to_owned() };
    if delta.version != VERSION {
        return Err(invalid("it is of a version that this program does not know"));
    }
    if let Some(whole) = &delta.whole {
        return Ok(whole.clone());
    }
    if delta.base != Base::of(before) {
        return Err(invalid("it was made from another text than the one given"));
    }
    let mut after = String::new();
    for edit in &delta.edits {
        match edit {
            Edit::Insert(text) => after.push_str(text),
            Edit::Keep([start, end]) => {
                let kept =
                    before.get(*start..*end).ok_or_else(|| invalid("it names bytes that are not in the text"))?;
                after.push_str(kept);
            }
        }
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Page, PageOptions, Pipeline, Recipe};

    fn snapshots(before: &str, after: &str) -> (Snapshot, Snapshot) {
        let read = |html: &str| Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let recipe = Recipe::preset("navigate").expect("is there");
        let run = |page: &Page| Pipeline::new(&recipe, "ax").and_then(|pipeline| pipeline.run(page)).expect("converts");
        let before = read(before);
        let after = read(after).continuing(&before);
        (run(&before), run(&after))
    }

    #[test]
    fn applying_a_delta_gives_the_later_text() {
        let rows = |numbers: &[u32]| {
            let rows: String = numbers
                .iter()
                .map(|number| format!("<li><button>Order {number}</button> from shelf {number}</li>"))
                .collect();
            format!("<h1>Orders</h1><ul>{rows}</ul>")
        };
        let many: Vec<u32> = (100..160).collect();
        let mut changed = many.clone();
        changed.remove(7);
        changed.swap(20, 40);
        changed.push(7);
        let (before, after) = snapshots(&rows(&many), &rows(&changed));
        let delta = between(&before, &after);
        assert_eq!(apply(&before.text, &delta).as_ref(), Ok(&after.text));
        assert_eq!(delta.whole, None);
        let kinds = |kind: Kind| {
            delta.changes.iter().filter(|change| change.kind == kind && change.name.starts_with("Order")).count()
        };
        assert_eq!((kinds(Kind::Removed), kinds(Kind::Added), kinds(Kind::Moved)), (1, 1, 2), "{:?}", delta.changes);
    }

    #[test]
    fn a_delta_that_is_not_clearly_smaller_is_the_whole_text() {
        let (before, after) = snapshots("<p>One thing</p>", "<h1>Quite</h1><button>another</button>");
        let delta = between(&before, &after);
        assert_eq!(delta.whole.as_ref(), Some(&after.text));
        assert_eq!(apply("whatever", &delta), Ok(after.text));
    }

    #[test]
    fn a_delta_from_another_text_is_refused() {
        let html = |last: &str| format!("{}<p>{last}</p>", "<p>The same words again and again.</p>".repeat(20));
        let (before, after) = snapshots(&html("a"), &html("b"));
        let delta = between(&before, &after);
        assert!(apply(&after.text, &delta).is_err());
        let broken = Delta { edits: vec![Edit::Keep([0, usize::MAX])], whole: None, ..delta };
        assert!(apply(&before.text, &broken).is_err());
    }
}
