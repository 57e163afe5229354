//! Which labels belong to which control (HTML Standard, 4.10.4 "the `label` element").

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::ids::Ids;
use super::values::input_kind;
use crate::document::{Document, NodeId, name};
use crate::flat_tree::FlatTree;

/// The labels of one document, looked up from either side.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// The control of each label that has one.
    controls: BTreeMap<NodeId, NodeId>,
    /// The labels of each control, in document order.
    of: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Labels {
    /// Finds the control of each label: the one that `for` names in the label's own tree, else
    /// the first inside it.
    pub(super) fn find(document: &Document, flat_tree: &FlatTree, ids: &Ids<'_>) -> Self {
        let mut labels = Self::default();
        if !document.usage().has_element(name::LABEL) {
            return labels;
        }
        let mut pairs = Vec::new();
        // Backwards, so that the next control of the label's own tree is known at each label.
        let mut next: FxHashMap<NodeId, usize> = FxHashMap::default();
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
            pairs.extend(control.map(|control| (node, control)));
        }
        for (label, control) in pairs.into_iter().rev() {
            labels.controls.insert(label, control);
            labels.of.entry(control).or_default().push(label);
        }
        labels
    }

    /// The control that the label belongs to.
    pub(super) fn control(&self, label: NodeId) -> Option<NodeId> {
        self.controls.get(&label).copied()
    }

    /// The labels of a control, in document order.
    pub(super) fn of(&self, control: NodeId) -> &[NodeId] {
        self.of.get(&control).map_or(&[], Vec::as_slice)
    }

    /// Each label with its control.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.controls.iter().map(|(&label, &control)| (label, control))
    }
}

/// HTML Standard, "labelable element".
fn is_labelable(document: &Document, node: NodeId) -> bool {
    match document.html_name(node) {
        Some(name::INPUT) => input_kind(document, node) != "hidden",
        Some(name::BUTTON | name::METER | name::OUTPUT | name::PROGRESS | name::SELECT | name::TEXTAREA) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse_html};

    /// The `id` of the control of each label, by the label's `id`.
    fn check(html: &str, expected: &str) {
        let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
        let flat_tree = FlatTree::for_accessibility(&document);
        let labels = Labels::find(&document, &flat_tree, &Ids::collect(&document, &flat_tree.composed(&document)));
        let id = |node: NodeId| document.attribute(node, name::ID).unwrap_or("?").to_owned();
        let mut pairs: Vec<String> =
            labels.pairs().map(|(label, control)| format!("{}-{}", id(label), id(control))).collect();
        pairs.sort();
        assert_eq!(pairs.join(" "), expected, "{html}");
        for (label, control) in labels.pairs() {
            assert!(labels.of(control).contains(&label) && labels.control(label) == Some(control));
        }
    }

    #[test]
    fn a_label_belongs_to_what_it_names_or_to_the_first_control_in_it() {
        check("<label id=l for=a></label><input id=a>", "l-a");
        check("<label id=l><input id=a><input id=b></label>", "l-a");
        check("<label id=l for=b><input id=a></label><input id=b>", "l-b");
        check("<label id=l for=x><input id=a></label><p id=x></p>", "");
        check("<label id=l><input id=a type=hidden><select id=b></select></label>", "l-b");
        check("<label id=l></label><input id=a>", "");
        check("<label id=k for=a></label><label id=l for=a></label><input id=a>", "k-a l-a");
    }

    #[test]
    fn labels_keep_to_their_own_tree() {
        check(
            "<input id=a><div><template shadowrootmode=open><label id=l for=a></label><input id=b>\
             <label id=m><slot></slot><input id=c></label></template><input id=d></div>",
            "m-c",
        );
    }
}
