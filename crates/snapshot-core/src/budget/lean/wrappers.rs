//! Boxes without a meaning of their own around a single other box.

use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::representations::Containers;
use crate::semantics::Role;

/// Takes off wrappers: boxes without a meaning of their own around a single other box. Only
/// where the result is read back as the same tree; what does not write tags does not write these.
pub(crate) fn merge_wrappers(draft: &mut Draft<'_>, containers: Containers) {
    if containers != Containers::Tags {
        return;
    }
    let nodes: Vec<NodeId> = draft.document().composed_descendants(NodeId::DOCUMENT).collect();
    for node in nodes {
        if is_wrapper(draft, node) {
            draft.document_mut().unwrap(node);
        }
    }
}

fn is_wrapper(draft: &Draft<'_>, node: NodeId) -> bool {
    const AROUND: &[Name] = &[
        name::DIV,
        name::BODY,
        name::MAIN,
        name::SECTION,
        name::ARTICLE,
        name::ASIDE,
        name::HEADER,
        name::FOOTER,
        name::NAV,
        name::FORM,
        name::TD,
        name::TH,
        name::FIELDSET,
        name::FIGURE,
    ];
    const INSIDE: &[Name] = &[
        name::DIV,
        name::SECTION,
        name::ARTICLE,
        name::ASIDE,
        name::HEADER,
        name::FOOTER,
        name::NAV,
        name::MAIN,
        name::UL,
        name::OL,
        name::DL,
        name::P,
        name::TABLE,
        name::FIGURE,
        name::BLOCKQUOTE,
    ];
    let document = draft.document();
    document.is_html(node, name::DIV)
        && !draft.is_target(node)
        && matches!(draft.role(node), None | Some(Role::Generic))
        && draft.name(node).is_empty()
        && document.attributes(node).len() == 0
        && document.shadow_root(node).is_none()
        && document
            .parent(node)
            .and_then(|parent| document.html_name(parent))
            .is_some_and(|parent| AROUND.contains(&parent))
        && only_child(document, node)
            .and_then(|child| document.html_name(child))
            .is_some_and(|child| INSIDE.contains(&child))
}

/// The element in the node, when nothing but blanks stands beside it.
fn only_child(document: &Document, node: NodeId) -> Option<NodeId> {
    let mut only = None;
    for child in document.children(node) {
        match document.kind(child) {
            NodeKind::Element if only.is_none() => only = Some(child),
            NodeKind::Text if document.text(child).trim().is_empty() => {}
            _ => return None,
        }
    }
    only
}
