//! Elements that stand in a line as one thing, whatever is in them.

use crate::document::{Document, Name, NodeId, name};

/// Replaced elements and form controls (HTML Standard, "replaced elements", "form controls").
const REPLACED: &[Name] = &[
    name::IMG,
    name::INPUT,
    name::BUTTON,
    name::SELECT,
    name::TEXTAREA,
    name::IFRAME,
    name::VIDEO,
    name::AUDIO,
    name::CANVAS,
    name::OBJECT,
    name::EMBED,
    name::METER,
    name::PROGRESS,
];

/// Whether the element shows something although no text need stand in it.
pub(crate) fn is_replaced(document: &Document, node: NodeId) -> bool {
    document.html_name(node).is_some_and(|name| REPLACED.contains(&name)) || document.is_svg(node, name::SVG)
}
