//! Takes away what says least: wrappers, attributes, sentences. After the D2Snap algorithm.
//!
//! Before: `<main><div class="a"><div><p>We bake bread. It is warm. We bake rolls.</p></div></div></main>`
//!
//! After: `<main><p>We bake bread. </p></main>` with `quality: 0.3`
//!
//! Three ratios from 0 (untouched) to 1 say how much of each kind goes:
//! - `elements`: the share of levels of containers that are merged into the level above.
//! - `attributes`: attributes rated lower than this go. The ratings are data.
//! - `text`: the share of the sentences of each block of text that go, those that share least
//!   with the others first (TextRank).
//!
//! `quality` q is all three in one number: each ratio is at least 1 − q.
//!
//! Whatever a larger ratio keeps, a smaller one keeps too: wrappers, attributes and sentences go
//! in an order that does not depend on the ratio. So less quality never gives more text. Nor does
//! the order depend on the rest of the page: it is local to the path from the root for
//! containers, to the element for attributes, to the block for sentences.
//!
//! This is the published algorithm with these differences. Levels are merged by the share of
//! levels on the path, not by a depth of the whole page; a wrapper gives way to a higher rated
//! child only when it holds nothing else, so no element ever takes in its neighbours. Only known
//! containers, elements that the page has made up, and inline elements without a meaning are
//! merged; whatever has a role, a name or can be operated stays. The text is not turned into
//! Markdown here: each representation writes formatting its own way. Sentences are ranked over
//! the whole block, inline elements included; those with a negation, a warning, a price or a
//! date go last, and no control goes with its sentence. Text in controls, headings, captions,
//! labels and preformatted text stays. Attributes without which an element would not be what it
//! is (the kind of an input, the role of a control, its only label, spans of cells) stay.

mod attributes;
mod classes;
mod containers;
mod text;

use serde::{Deserialize, Deserializer, Serialize};

use super::Stage;
use crate::draft::Draft;
use crate::error::Error;

/// The stage with its ratios, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Downsample {
    /// The share of levels of containers to merge.
    #[serde(deserialize_with = "ratio")]
    pub elements: f64,
    /// Attributes rated lower than this go.
    #[serde(deserialize_with = "ratio")]
    pub attributes: f64,
    /// The share of sentences to drop.
    #[serde(deserialize_with = "ratio")]
    pub text: f64,
    /// All three in one number: 1 leaves the page as it is, 0 takes all that may go.
    #[serde(deserialize_with = "ratio")]
    pub quality: f64,
}

impl Default for Downsample {
    fn default() -> Self {
        Self { elements: 0.0, attributes: 0.0, text: 0.0, quality: 1.0 }
    }
}

impl Stage for Downsample {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let least = 1.0 - self.quality;
        let (elements, attributes, text) = (self.elements.max(least), self.attributes.max(least), self.text.max(least));
        // Blocks of text are those of the page, so they come before the containers go.
        if text > 0.0 {
            text::shorten(draft, text);
        }
        if elements > 0.0 {
            containers::merge(draft, elements);
        }
        if attributes > 0.0 {
            attributes::threshold(draft, attributes);
        }
        Ok(())
    }
}

fn ratio<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let ratio = f64::deserialize(deserializer)?;
    if (0.0..=1.0).contains(&ratio) {
        Ok(ratio)
    } else {
        Err(serde::de::Error::custom(format!("a ratio is a number from 0 to 1, not {ratio}")))
    }
}

#[cfg(test)]
mod tests;
