//! Elements by their id, as references between elements see them: within one tree each.

use rustc_hash::FxHashMap;

use crate::document::{Document, Marks, NodeId, name};

/// The first element of each id in each tree (document, shadow tree, frame).
#[derive(Debug)]
pub(super) struct Ids<'document> {
    document: &'document Document,
    roots: Vec<NodeId>,
    elements: FxHashMap<(NodeId, &'document str), NodeId>,
}

/// The attributes that refer to elements by their ids: without any, no id is looked up.
const REFERRING: Marks =
    Marks::of_all(&[name::ARIA_DESCRIBEDBY, name::ARIA_LABELEDBY, name::ARIA_LABELLEDBY, name::FOR, name::LIST]);

impl<'document> Ids<'document> {
    /// Finds the ids among the nodes below the document, which are in composed order.
    pub(super) fn collect(document: &'document Document, nodes: &[NodeId]) -> Self {
        let mut ids = Self { document, roots: Vec::new(), elements: FxHashMap::default() };
        let has_trees = document.has_composed_trees();
        if has_trees {
            ids.roots = vec![NodeId::DOCUMENT; document.len()];
        } else if !document.usage().may_have_attribute(REFERRING) {
            return ids;
        }
        for &node in nodes {
            let mut root = NodeId::DOCUMENT;
            if has_trees {
                root = document.parent(node).map_or(node, |parent| ids.roots[parent.index()]);
                ids.roots[node.index()] = root;
            }
            if let Some(id) = document.attribute(node, name::ID).filter(|id| !id.is_empty()) {
                ids.elements.entry((root, id)).or_insert(node);
            }
        }
        ids
    }

    /// The root of the tree that the node is in.
    pub(super) fn root(&self, node: NodeId) -> NodeId {
        self.roots.get(node.index()).copied().unwrap_or(NodeId::DOCUMENT)
    }

    /// The element of this id in the tree of `node`.
    pub(super) fn find(&self, node: NodeId, id: &str) -> Option<NodeId> {
        self.elements.get(&(self.root(node), id)).copied()
    }

    /// The elements that an attribute of `node` lists, those that do not exist left out.
    pub(super) fn references(&self, node: NodeId, list: &'document str) -> impl Iterator<Item = NodeId> {
        list.split_ascii_whitespace().filter_map(move |id| self.find(node, id))
    }

    /// The elements that `aria-labelledby` lists (or its other spelling, which browsers read).
    pub(super) fn labelled_by(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let list = self
            .document
            .attribute(node, name::ARIA_LABELLEDBY)
            .or_else(|| self.document.attribute(node, name::ARIA_LABELEDBY));
        self.references(node, list.unwrap_or(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse_html};

    #[test]
    fn an_id_is_looked_up_in_its_own_tree_and_its_first_bearer_wins() {
        let html = "<p id=a aria-labelledby=' b\tnone a'>1</p><p id=a>2</p><b id=b></b>\
            <div><template shadowrootmode=open><i id=b aria-labelledby='a b'></i></template></div>";
        let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
        let nodes: Vec<NodeId> = document.composed_descendants(NodeId::DOCUMENT).collect();
        let ids = Ids::collect(&document, &nodes);
        let bearers = |tag: &str| -> Vec<String> {
            let node = document
                .composed_descendants(NodeId::DOCUMENT)
                .find(|&node| document.local_name(node) == tag)
                .expect("is there");
            ids.labelled_by(node).map(|node| document.local_name(node).to_owned()).collect()
        };
        assert_eq!(bearers("p"), ["b", "p"]);
        assert_eq!(bearers("i"), ["i"]);
    }
}
