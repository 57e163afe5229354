//! The representations: each writes a draft as text.
//!
//! A representation is one file (or folder) and one row in [`REPRESENTATIONS`]. The command
//! line, documentation and tests read the table.

mod ax;
mod html;
mod list;
mod markdown;
mod states;

use crate::document::NodeId;
use crate::draft::Draft;
use crate::error::Error;
use crate::writer::Writer;

pub use ax::Ax;
pub use html::Html;
pub use list::List;
pub use markdown::{Markdown, ShortUrls};

/// A way to write a page.
pub trait Representation: Send + Sync {
    /// Writes the draft. Every element that is written is opened and closed in the writer.
    fn write(&self, view: &View<'_>, writer: &mut Writer);
}

/// What a representation sees: the draft and how it is asked to write.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct View<'draft> {
    /// The page as edited.
    pub draft: &'draft Draft<'draft>,
    /// How to write it.
    pub options: &'draft WriteOptions,
    /// Which elements carry their id.
    pub references: ReferencePolicy,
}

impl View<'_> {
    /// The id to write with the element, if it is to carry one.
    pub fn reference(&self, node: NodeId) -> Option<u32> {
        let wanted = match self.references {
            ReferencePolicy::None => false,
            ReferencePolicy::Targets => self.draft.is_target(node),
            ReferencePolicy::All => true,
        };
        if wanted { self.draft.reference(node) } else { None }
    }
}

/// Which elements carry their id in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReferencePolicy {
    /// None.
    None,
    /// What can be clicked or typed into; in the list headings and text blocks too.
    Targets,
    /// Every element that is written.
    All,
}

/// How a representation writes elements that only hold others: what a budget may save there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Containers {
    /// Not at all.
    Unwritten,
    /// A line with the role around the lines of what is in it.
    Roles,
    /// A start and an end tag.
    Tags,
    /// A mark in front of the text.
    Marks,
}

/// How to write a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    /// Which elements carry their id; the representation's own default when not given.
    pub references: Option<ReferencePolicy>,
    /// How `ax` lays out its nodes.
    pub ax_style: AxStyle,
    /// How addresses are written.
    pub urls: UrlPolicy,
    /// In Markdown: tell at the end what addresses ids and short forms stand for.
    pub url_table: bool,
    /// In the list: write long texts and choices whole.
    pub whole_texts: bool,
    /// In the list: leave out what cannot be acted on.
    pub targets_only: bool,
    /// In the list: set lines in by two spaces for each line around them; landmarks and the like
    /// that hold lines have one too.
    pub indent: bool,
    /// Leave out what reads the same without it: in HTML, tags that a parser puts back by itself
    /// and quotes around single words; in the accessibility tree, a line of its own for each
    /// option. Snapshots that would not fit a budget otherwise are written like this.
    pub terse: bool,
}

/// How the accessibility tree is laid out as YAML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AxStyle {
    /// A line a node: `- link "Add" [ref=e3]`.
    #[default]
    Lines,
    /// Nested mappings: `role: link`, `name: Add`, `ref: e3`.
    Nested,
}

/// How the addresses of links and images are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum UrlPolicy {
    /// As they are, absolute where the page's address is known.
    #[default]
    Full,
    /// Relative to the page's address, where that is shorter.
    Relative,
    /// Queries and fragments past 25 characters cut to a beginning and a hash; [`ShortUrls`]
    /// tells what they stand for.
    Short,
    /// The link's id in place of its address.
    Reference,
}

/// A row of the representation table.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct RepresentationKind {
    /// The name on the command line and in recipes.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The ending of files that hold it.
    pub extension: &'static str,
    /// The preset that suits it.
    pub preset: &'static str,
    /// Which elements carry their id when nobody says.
    pub references: ReferencePolicy,
    /// How elements are written that only hold others.
    pub containers: Containers,
    /// The representation.
    pub representation: &'static dyn Representation,
}

impl std::fmt::Debug for RepresentationKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

/// All representations.
pub const REPRESENTATIONS: &[RepresentationKind] = &[
    RepresentationKind {
        name: "ax",
        summary: "the accessibility tree as YAML: roles, names, states, values",
        extension: "yaml",
        preset: "navigate",
        references: ReferencePolicy::Targets,
        containers: Containers::Roles,
        representation: &Ax,
    },
    RepresentationKind {
        name: "html",
        summary: "well-formed HTML that parses back to the same tree",
        extension: "html",
        preset: "navigate",
        references: ReferencePolicy::None,
        containers: Containers::Tags,
        representation: &Html,
    },
    RepresentationKind {
        name: "list",
        summary: "one line per heading, text block or target",
        extension: "txt",
        preset: "navigate",
        references: ReferencePolicy::Targets,
        containers: Containers::Unwritten,
        representation: &List,
    },
    RepresentationKind {
        name: "markdown",
        summary: "CommonMark with GitHub's tables, for reading",
        extension: "md",
        preset: "read",
        references: ReferencePolicy::None,
        containers: Containers::Marks,
        representation: &Markdown,
    },
];

/// The representation of this name.
///
/// # Errors
/// [`Error::UnknownName`] with the names that exist.
pub fn find(name: &str) -> Result<&'static RepresentationKind, Error> {
    REPRESENTATIONS.iter().find(|kind| kind.name == name).ok_or_else(|| Error::UnknownName {
        kind: "representation",
        name: name.to_owned(),
        known: REPRESENTATIONS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
    })
}
