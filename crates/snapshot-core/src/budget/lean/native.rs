//! HTML's own elements for what pages say with roles.

use super::tags::can_be_paragraph;
use crate::document::{Document, Name, NodeId, name};
use crate::draft::Draft;
use crate::semantics::Role;

/// Gives boxes and spans that are called something else the element of that name, which says the
/// same in fewer tokens (ARIA in HTML, "document conformance requirements").
///
/// Before: `<div role=navigation><span role=heading aria-level=2>Ads</span></div>`
///
/// After: `<nav><h2>Ads</h2></nav>`
pub(super) fn use_native_elements(draft: &mut Draft<'_>, nodes: &[NodeId]) {
    let mut in_button = vec![false; draft.document().len()];
    let mut holds_target = vec![false; draft.document().len()];
    for &node in nodes.iter().rev() {
        if let Some(parent) = draft.document().composed_parent(node) {
            holds_target[parent.index()] |= holds_target[node.index()] || draft.is_target(node);
        }
    }
    for &node in nodes {
        let document = draft.document();
        let Some(parent) = document.composed_parent(node) else { continue };
        in_button[node.index()] = in_button[parent.index()] || holds_no_button(document, parent);
        let can_be_button = !holds_target[node.index()] && !in_button[node.index()];
        if let Some(native) = native(draft, node).filter(|&native| native != name::BUTTON || can_be_button) {
            let document = draft.document_mut();
            document.remove_attribute(node, name::ROLE);
            document.remove_attribute(node, name::ARIA_LEVEL);
            document.rename(node, native);
        }
    }
}

/// Whether the parser would close the element before a button in it, or the button would be read
/// as a part of it.
fn holds_no_button(document: &Document, node: NodeId) -> bool {
    matches!(document.html_name(node), Some(name::A | name::BUTTON | name::LABEL | name::SUMMARY | name::SELECT))
}

/// The element that says the same as the role.
fn native(draft: &Draft<'_>, node: NodeId) -> Option<Name> {
    const HEADINGS: [Name; 6] = [name::H1, name::H2, name::H3, name::H4, name::H5, name::H6];
    let document = draft.document();
    let tag = document.html_name(node).filter(|tag| matches!(*tag, name::DIV | name::SPAN))?;
    let written = document.attribute(node, name::ROLE)?;
    let role = draft.role(node).filter(|role| written.eq_ignore_ascii_case(role.as_str()))?;
    // What stands in a line cannot become a block there.
    let stands_free = tag == name::DIV || can_be_paragraph(document, node);
    match role {
        Role::Button => Some(name::BUTTON),
        Role::Navigation if stands_free => Some(name::NAV),
        Role::Complementary if stands_free => Some(name::ASIDE),
        Role::Heading if stands_free && !draft.is_target(node) => {
            let level = usize::try_from(draft.states(node).level).ok()?;
            HEADINGS.get(level.checked_sub(1)?).copied()
        }
        _ => None,
    }
}
