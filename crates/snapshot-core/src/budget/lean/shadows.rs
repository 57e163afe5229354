//! Shadow trees, written as what they show.

use super::tags::can_be_paragraph;
use crate::document::{NodeId, name};
use crate::draft::Draft;
use crate::flat_tree::FlatTree;

/// Puts what a shadow tree shows in the place of the host's own children, and what a slot shows in
/// the place of the slot: templates, slots and what stands in neither cost more than the content,
/// and a reader of HTML would have to put them together.
pub(super) fn flatten_shadow_trees(draft: &mut Draft<'_>) {
    let document = draft.document();
    let tree = FlatTree::new(document);
    let is_joint = |node: NodeId| document.shadow_root(node).is_some() || document.is_html(node, name::SLOT);
    let joints: Vec<NodeId> = tree.nodes().iter().copied().filter(|&node| is_joint(node)).collect();
    if joints.is_empty() {
        return;
    }
    let mut shown: Vec<(NodeId, NodeId)> = Vec::new();
    for (position, &node) in tree.nodes().iter().enumerate() {
        if let Some(parent) =
            tree.parent_position(position).map(|parent| tree.node(parent)).filter(|&node| is_joint(node))
        {
            shown.push((parent, node));
        }
    }
    let elements: Vec<NodeId> = tree.nodes().iter().copied().filter(|&node| document.is_element(node)).collect();
    for &joint in &joints {
        while let Some(child) = draft.document().first_child(joint) {
            draft.document_mut().detach(child);
        }
    }
    for (joint, node) in shown {
        draft.document_mut().append(joint, node);
    }
    for joint in joints {
        if draft.document().is_html(joint, name::SLOT) {
            draft.document_mut().unwrap(joint);
        } else {
            draft.document_mut().detach_shadow_root(joint);
        }
    }
    // What a page has made up is no more than a box to those who do not have its scripts.
    for node in elements {
        let document = draft.document();
        if document.html_name(node).is_some()
            && document.local_name(node).contains('-')
            && !draft.is_target(node)
            && can_be_paragraph(document, node)
        {
            draft.document_mut().rename(node, name::DIV);
        }
    }
}
