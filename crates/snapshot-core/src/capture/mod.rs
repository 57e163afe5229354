//! A page as a browser had it: the tree with open and closed shadow roots and frames, computed
//! styles, boxes, the state of forms, event listeners, the browser's own ids.
//!
//! A [`Capture`] is a flat list of nodes, so that reading it never recurses, however deep the
//! page. It is plain data with `serde`; the library itself reads no JSON. Its JSON form is a
//! contract (version 1): fields are added, never renamed.

mod build;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub(crate) use build::build;

use crate::document::NodeId;

/// What [`Capture::format`] says.
pub const FORMAT: &str = "snapshot-capture";

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// A page as a browser had it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    /// [`FORMAT`], by which a file of this kind is known.
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The page's address.
    pub url: String,
    /// Width and height of the window's content, in CSS pixels.
    #[serde(default)]
    pub viewport: [f64; 2],
    /// How far the page is scrolled, in CSS pixels.
    #[serde(default)]
    pub scroll: [f64; 2],
    /// The place in `nodes` of the element that has the focus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<usize>,
    /// All nodes; each comes after its parent and after its earlier siblings.
    pub nodes: Vec<CapturedNode>,
}

/// What a captured node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CapturedKind {
    /// An element.
    #[default]
    Element,
    /// Text.
    Text,
    /// The document; with a parent the document in that frame.
    Document,
    /// The open shadow root of its parent.
    OpenShadowRoot,
    /// The closed shadow root of its parent.
    ClosedShadowRoot,
    /// The document type.
    Doctype,
}

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CapturedNode {
    /// What it is.
    pub kind: CapturedKind,
    /// The place of its parent in the list; none for the page's own document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// An element's name, in lower case for HTML; a document's address.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `svg` or `math` for elements of these languages.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// The characters of a text node, the name of a document type.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// An element's attributes as they are written, name and value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<(String, String)>,
    /// The browser's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend_node_id: Option<u64>,
    /// Computed values of [`STYLE_PROPERTIES`], where they are not the values that stand there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub style: BTreeMap<String, String>,
    /// Text that style sheets put before and behind the content.
    #[serde(default, skip_serializing_if = "GeneratedText::is_empty")]
    pub generated: GeneratedText,
    /// Left, top, width and height in CSS pixels from the top left of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f64; 4]>,
    /// What a field holds now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Whether a checkbox or radio button is ticked now, an option chosen now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// The kinds of events that the element itself listens to: `click`, `pointerdown`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listeners: Vec<String>,
    /// The place of the element that lies over it, so that a click would not reach it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<usize>,
}

/// What `::before` and `::after` say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GeneratedText {
    /// Before the content.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// Behind the content.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub after: String,
}

impl GeneratedText {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// The computed properties that a capture holds, with the values that are left out because most
/// elements have them.
pub const STYLE_PROPERTIES: &[(&str, &str)] = &[
    ("display", "inline"),
    ("visibility", "visible"),
    ("cursor", "auto"),
    ("pointer-events", "auto"),
    ("content-visibility", "visible"),
    ("white-space-collapse", "collapse"),
    ("opacity", "1"),
    ("position", "static"),
    ("overflow", "visible"),
    ("clip", "auto"),
    ("clip-path", "none"),
];

/// Events that say that a person can do something with the element.
pub const ACTION_EVENTS: &[&str] =
    &["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick"];

/// What a browser knows of the nodes beyond the tree itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct CapturedFacts {
    /// The browser's own ids.
    pub(crate) backend_node_ids: BTreeMap<NodeId, u64>,
    /// Computed styles, as in [`CapturedNode::style`].
    pub(crate) styles: BTreeMap<NodeId, BTreeMap<String, String>>,
    pub(crate) generated: BTreeMap<NodeId, GeneratedText>,
    pub(crate) bounds: BTreeMap<NodeId, [f64; 4]>,
    /// The elements that listen to one of [`ACTION_EVENTS`].
    pub(crate) listening: BTreeSet<NodeId>,
    /// What lies over an element.
    pub(crate) covers: BTreeMap<NodeId, NodeId>,
    pub(crate) active: Option<NodeId>,
}

#[cfg(test)]
mod tests;
