//! The few computed style properties that decide what is shown, and how text runs together.
//!
//! A real cascade over the browser's own sheet, the page's sheets and `style` attributes
//! (CSS Cascade 5), reduced to the properties that a reader of text can notice. Media queries
//! are answered for a screen of [`VIEWPORT_WIDTH`] by [`VIEWPORT_HEIGHT`] pixels.

mod captured;
mod cascade;
mod compute;
mod computed;
mod declaration;
mod media;
mod plain;
mod property;
mod rule_index;
mod scopes;
mod sheet;
mod user_agent;
mod variables;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

pub use scopes::ExternalSheets;
pub(crate) use user_agent::is_block_by_name;

use computed::Computed;
use property::Property;

use crate::capture::CapturedFacts;
use crate::document::{Document, NodeId};

/// The width of the screen that media queries are answered for, in pixels.
pub const VIEWPORT_WIDTH: f32 = 1280.0;

/// The height of the screen that media queries are answered for, in pixels.
pub const VIEWPORT_HEIGHT: f32 = 900.0;

/// How an element takes part in layout, as far as text is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Display {
    /// Not rendered, nor anything below it.
    None,
    /// Not a box itself; its children are.
    Contents,
    /// Runs along with the text.
    #[default]
    Inline,
    /// Runs along with the text as one piece.
    InlineBlock,
    /// Stands on lines of its own.
    Block,
    /// A table cell.
    TableCell,
}

impl Display {
    /// Whether text before and after the element is kept apart from it.
    pub fn is_block(self) -> bool {
        matches!(self, Self::Block | Self::TableCell)
    }
}

/// What becomes of white space in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum WhiteSpace {
    /// Runs of white space are one space.
    #[default]
    Collapse,
    /// All of it stays: `pre`, `pre-wrap`, `break-spaces`.
    Preserve,
    /// Line breaks stay, the rest is folded: `pre-line`.
    PreserveBreaks,
}

/// How an element that is rendered is kept from sight. Such elements are often meant for
/// readers who do not see the page, so they count as shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Concealment {
    /// `opacity: 0`.
    Transparent,
    /// `clip` or `clip-path` leaves no area.
    Clipped,
    /// A box of at most one pixel that cuts off what does not fit.
    TinyBox,
    /// Moved far to the left, to the top, or out of its line.
    OffScreen,
    /// `font-size: 0`, `scale(0)`.
    ZeroSize,
}

/// Computed values of one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Style {
    /// `display`, after a flex container or a float has made a block of it.
    pub display: Display,
    /// `visibility` is `hidden` or `collapse` (inherited).
    pub invisible: bool,
    /// `cursor: pointer` (inherited).
    pub cursor_pointer: bool,
    /// `pointer-events: none` (inherited).
    pub pointer_events_none: bool,
    /// `content-visibility: hidden`: what is in the element is not shown.
    pub content_hidden: bool,
    /// `white-space` (inherited).
    pub white_space: WhiteSpace,
    /// Its children stand beside each other: a flex container whose direction is a row, a grid of
    /// several columns.
    pub lays_in_row: bool,
    /// How the element itself is kept from sight, if it is; elements in it are so with it.
    pub concealment: Option<Concealment>,
}

/// The text that a style sheet puts before or behind an element's content.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct PseudoContent {
    /// The strings of `content`; counters, attributes and images without alternative text are
    /// left out.
    pub text: String,
    /// Its `display`.
    pub display: Display,
}

/// What gave a property the value that hides the element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The `style` attribute.
    Attribute,
    /// A presentational attribute of SVG.
    Hint,
    /// The rule with this selector.
    Rule(String),
}

/// Computed styles of a document.
#[derive(Clone, Debug, Default)]
pub struct Styles {
    computed: Vec<Computed>,
    before: BTreeMap<NodeId, PseudoContent>,
    after: BTreeMap<NodeId, PseudoContent>,
    origins: FxHashMap<(NodeId, Property), Origin>,
    is_complete: bool,
    lacks_sheets: bool,
}

impl Styles {
    /// Runs the cascade: the browser's own sheet, the page's sheets, `style` attributes.
    pub fn compute(document: &Document, external: &ExternalSheets<'_>) -> Self {
        let nodes: Vec<NodeId> = document.composed_descendants(NodeId::DOCUMENT).collect();
        Self::compute_in(document, &nodes, external)
    }

    /// The same, given the nodes below the document in composed order.
    pub(crate) fn compute_in(document: &Document, nodes: &[NodeId], external: &ExternalSheets<'_>) -> Self {
        compute::compute(document, nodes, external)
    }

    /// Takes over what a browser had computed.
    pub(crate) fn captured(document: &Document, facts: &CapturedFacts) -> Self {
        captured::styles(document, facts)
    }

    /// The style of an element; of other nodes the initial values.
    #[inline]
    pub fn of(&self, id: NodeId) -> Style {
        self.computed.get(id.index()).map_or_else(Style::default, Computed::style)
    }

    /// What stands before the element's content.
    pub fn before(&self, id: NodeId) -> Option<&PseudoContent> {
        self.before.get(&id)
    }

    /// What stands behind the element's content.
    pub fn after(&self, id: NodeId) -> Option<&PseudoContent> {
        self.after.get(&id)
    }

    /// Whether all rules of the page were matched. Rules that would take unreasonably long to
    /// match are left out.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether the page links a style sheet that is not at hand, so that more may be hidden than
    /// the rules say.
    pub fn lacks_sheets(&self) -> bool {
        self.lacks_sheets
    }

    pub(super) fn origin(&self, id: NodeId, property: HidingProperty) -> Option<&Origin> {
        self.origins.get(&(id, property.property()))
    }
}

/// A property that hides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HidingProperty {
    Display,
    Visibility,
}

impl HidingProperty {
    fn property(self) -> Property {
        match self {
            Self::Display => Property::Display,
            Self::Visibility => Property::Visibility,
        }
    }
}

#[cfg(test)]
mod tests;
