//! The stages: each takes something away from a draft, or makes it shorter, or says it better.
//!
//! A stage is one file with its options, its code and its tests, and one row in [`STAGES`]. The
//! command line, recipes, documentation and tests read the table.

mod by_name;
mod clean;
mod downsample;
mod extract;
pub(crate) mod fold_repeats;
mod main_content;
mod prune_hidden;
mod prune_noise;
mod prune_redundant;
mod rectify;
mod sanitise;
mod scope;

use yaml_serde::Value;

use crate::draft::Draft;
use crate::error::Error;

pub use clean::Clean;
pub(crate) use clean::fold_white_space;
pub use downsample::Downsample;
pub use extract::Extract;
pub use fold_repeats::FoldRepeats;
pub use main_content::MainContent;
pub use prune_hidden::PruneHidden;
pub use prune_noise::PruneNoise;
pub use prune_redundant::PruneRedundant;
pub use rectify::Rectify;
pub use sanitise::Sanitise;
pub use scope::Scope;

/// One step from the page as captured to what is written.
pub trait Stage: Send + Sync {
    /// Edits the draft. Broken or odd pages are no error; `Err` means that the stage's options
    /// cannot be met.
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error>;
}

/// A row of the stage table.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct StageKind {
    /// The name in recipes and on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Its options.
    pub options: &'static [StageOption],
    build: fn(Value) -> Result<Box<dyn Stage>, yaml_serde::Error>,
}

/// One option of a stage.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StageOption {
    /// The key in recipes.
    pub name: &'static str,
    /// The value when it is not given, as YAML.
    pub default: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
}

impl StageKind {
    /// Makes a stage from its options, a YAML mapping or nothing.
    ///
    /// # Errors
    /// [`Error::InvalidRecipe`] when an option is unknown or its value is of the wrong kind.
    pub fn build(&self, options: Value) -> Result<Box<dyn Stage>, Error> {
        let options = if options.is_null() { Value::Mapping(Default::default()) } else { options };
        (self.build)(options).map_err(|error| {
            let known: Vec<_> = self.options.iter().map(|option| option.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Error::InvalidRecipe { reason: format!("stage `{}`: {error} (its options: {known})", self.name) }
        })
    }
}

/// All stages, in the order in which a full recipe runs them.
pub const STAGES: &[StageKind] = &[
    StageKind {
        name: "scope",
        summary: "keep the parts that a CSS selector matches",
        options: &[
            StageOption {
                name: "selector",
                default: "null",
                summary: "what to keep: a CSS selector, or a list of them",
            },
            StageOption { name: "context", default: "false", summary: "keep the elements around a match" },
            StageOption { name: "strict", default: "false", summary: "make it an error when nothing matches" },
        ],
        build: build::<Scope>,
    },
    StageKind {
        name: "prune-hidden",
        summary: "drop what the page does not show",
        options: &[],
        build: build::<PruneHidden>,
    },
    StageKind {
        name: "main-content",
        summary: "keep the page's main content: the article, without what stands around and between",
        options: &[],
        build: build::<MainContent>,
    },
    StageKind {
        name: "prune-noise",
        summary: "drop what no reader needs: scripts, styles, comments, metadata, drawing instructions, data URLs",
        options: &[],
        build: build::<PruneNoise>,
    },
    StageKind {
        name: "prune-redundant",
        summary: "keep one of several links that go to the same place under the same name",
        options: &[],
        build: build::<PruneRedundant>,
    },
    StageKind {
        name: "sanitise",
        summary: "remove secrets, invisible characters, script addresses and text that poses as our marks",
        options: &[StageOption {
            name: "editable",
            default: "false",
            summary: "also empty text areas and editable elements",
        }],
        build: build::<Sanitise>,
    },
    StageKind {
        name: "rectify",
        summary: "give controls that are made of other elements the role that they play",
        options: &[StageOption {
            name: "patterns",
            default: "false",
            summary: "also take patterns alone for evidence: cells that count days",
        }],
        build: build::<Rectify>,
    },
    StageKind {
        name: "clean",
        summary: "shorten text without changing its sense: white space that a browser would not show",
        options: &[],
        build: build::<Clean>,
    },
    StageKind {
        name: "extract",
        summary: "keep the elements most relevant to a task, with what holds them together",
        options: &[
            StageOption {
                name: "task",
                default: "''",
                summary: "what the snapshot is wanted for, in words; the pipeline's task when empty",
            },
            StageOption { name: "keep", default: "20", summary: "how many elements to keep" },
        ],
        build: build::<Extract>,
    },
    StageKind {
        name: "fold-repeats",
        summary: "show a few of many alike siblings, a count and the ids of the rest",
        options: &[
            StageOption { name: "keep", default: "3", summary: "how many of each run are shown at least" },
            StageOption { name: "min", default: "8", summary: "the shortest run that is folded" },
        ],
        build: build::<FoldRepeats>,
    },
    StageKind {
        name: "downsample",
        summary: "take away what says least: wrappers, attributes, sentences (D2Snap)",
        options: &[
            StageOption { name: "elements", default: "0", summary: "share of levels of containers to merge, 0 to 1" },
            StageOption { name: "attributes", default: "0", summary: "drop attributes rated lower than this, 0 to 1" },
            StageOption { name: "text", default: "0", summary: "share of the sentences of each block to drop, 0 to 1" },
            StageOption {
                name: "quality",
                default: "1",
                summary: "all three in one number: each ratio is at least 1 less this, so 1 changes nothing",
            },
        ],
        build: build::<Downsample>,
    },
];

/// The stages that leave out what the page shows, only to save tokens.
pub(crate) const ELIDING: &[&str] = &["extract", "fold-repeats"];

/// The stage of this name.
///
/// # Errors
/// [`Error::UnknownName`] with the names that exist.
pub fn find(name: &str) -> Result<&'static StageKind, Error> {
    STAGES.iter().find(|kind| kind.name == name).ok_or_else(|| Error::UnknownName {
        kind: "stage",
        name: name.to_owned(),
        known: STAGES.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
    })
}

fn build<S: Stage + serde::de::DeserializeOwned + 'static>(
    options: Value,
) -> Result<Box<dyn Stage>, yaml_serde::Error> {
    Ok(Box::new(yaml_serde::from_value::<S>(options)?))
}
