//! Which labels belong to which control (HTML Standard, 4.10.4 "the `label` element").

use rustc_hash::FxHashMap;

use super::Sources;
use crate::document::{Document, NodeId, name};

/// The labels of each control, in document order.
#[derive(Debug, Default)]
pub(super) struct Labels {
    of: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Labels {
    pub(super) fn collect(sources: &Sources<'_>) -> Self {
        let Sources { document, flat_tree, ids, .. } = *sources;
        // Backwards, so that the next control of the label's own tree is known at each label.
        let mut next: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (position, &node) in flat_tree.nodes().iter().enumerate().rev() {
            if is_labelable(document, node) {
                next.insert(ids.root(node), position);
            }
            if !document.is_html(node, name::LABEL) {
                continue;
            }
            let control = match document.attribute(node, name::FOR) {
                Some(id) => ids.find(node, id).filter(|&control| is_labelable(document, control)),
                None => next
                    .get(&ids.root(node))
                    .filter(|&&control| control < flat_tree.end(position))
                    .map(|&control| flat_tree.node(control)),
            };
            pairs.extend(control.map(|control| (control, node)));
        }
        let mut labels = Self::default();
        for (control, label) in pairs.into_iter().rev() {
            labels.of.entry(control).or_default().push(label);
        }
        labels
    }

    pub(super) fn of(&self, control: NodeId) -> &[NodeId] {
        self.of.get(&control).map_or(&[], Vec::as_slice)
    }
}

/// HTML Standard, "labelable element".
fn is_labelable(document: &Document, node: NodeId) -> bool {
    match document.html_name(node) {
        Some(name::INPUT) => {
            !document.attribute(node, name::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
        }
        Some(name::BUTTON | name::METER | name::OUTPUT | name::PROGRESS | name::SELECT | name::TEXTAREA) => true,
        _ => false,
    }
}
