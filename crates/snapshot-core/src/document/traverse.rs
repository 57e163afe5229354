//! Walks over the tree. None of them recurses or allocates per node.

use super::{Document, NodeId, NodeKind};

/// A node's children in order.
#[derive(Clone, Debug)]
pub struct Children<'document> {
    document: &'document Document,
    next: Option<NodeId>,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        self.next = self.document.next_sibling(id);
        Some(id)
    }
}

/// A node's parent, the parent's parent and so on, within one tree.
#[derive(Clone, Debug)]
pub struct Ancestors<'document> {
    document: &'document Document,
    next: Option<NodeId>,
}

impl Iterator for Ancestors<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        self.next = self.document.parent(id);
        Some(id)
    }
}

/// The nodes below a node, in document order, within one tree (no shadow roots, no frames).
#[derive(Clone, Debug)]
pub struct Descendants<'document> {
    document: &'document Document,
    top: NodeId,
    next: Option<NodeId>,
}

impl Descendants<'_> {
    /// Goes on behind the subtree of `id`, which must be the node returned last.
    pub fn skip_children(&mut self, id: NodeId) {
        self.next = self.document.following(id, self.top);
    }
}

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        self.next = self.document.first_child(id).or_else(|| self.document.following(id, self.top));
        Some(id)
    }
}

/// The nodes below a node in the order of the source, through shadow roots and frames: an
/// element, then its shadow tree, then its frame's page, then its children. Template contents
/// are inert and left out.
#[derive(Clone, Debug)]
pub struct ComposedDescendants<'document> {
    document: &'document Document,
    top: NodeId,
    next: Option<NodeId>,
    has_composed_trees: bool,
}

impl ComposedDescendants<'_> {
    /// Goes on behind all that is below `id`, which must be the node returned last.
    pub fn skip_below(&mut self, id: NodeId) {
        self.next = self.document.composed_behind(id, self.top);
    }
}

impl Iterator for ComposedDescendants<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        self.next = if self.has_composed_trees {
            self.document.composed_following(id, self.top)
        } else {
            self.document.first_child(id).or_else(|| self.document.following(id, self.top))
        };
        Some(id)
    }
}

impl Document {
    /// The node's children in order.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children { document: self, next: self.first_child(id) }
    }

    /// The node's children that are elements.
    pub fn element_children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        self.children(id).filter(|&child| self.is_element(child))
    }

    /// The nodes above the node within its tree, nearest first.
    pub fn ancestors(&self, id: NodeId) -> Ancestors<'_> {
        Ancestors { document: self, next: self.parent(id) }
    }

    /// The nodes below the node within its tree, in document order.
    pub fn descendants(&self, id: NodeId) -> Descendants<'_> {
        Descendants { document: self, top: id, next: self.first_child(id) }
    }

    /// The nodes below the node through shadow roots and frames, in the order of the source.
    pub fn composed_descendants(&self, id: NodeId) -> ComposedDescendants<'_> {
        let has_composed_trees = self.has_composed_trees();
        let next = if has_composed_trees { self.composed_following(id, id) } else { self.first_child(id) };
        ComposedDescendants { document: self, top: id, next, has_composed_trees }
    }

    /// The node's parent, or the host of the tree whose root it is.
    #[inline]
    pub fn composed_parent(&self, id: NodeId) -> Option<NodeId> {
        self.parent(id).or_else(|| self.host(id))
    }

    /// The root of the tree that the node is in: a document, a shadow root, a template's
    /// contents, or the top of what was taken out of the tree.
    pub fn root(&self, id: NodeId) -> NodeId {
        self.ancestors(id).last().unwrap_or(id)
    }

    /// Whether the node can be reached from the document, through shadow roots and frames too.
    pub fn is_connected(&self, id: NodeId) -> bool {
        let mut node = id;
        while let Some(above) = self.composed_parent(node) {
            node = above;
        }
        node == NodeId::DOCUMENT
    }

    /// Whether a node may lie more than `limit` levels below `root`, below which all nodes are from
    /// `first` on. A look at the nodes in the order of their ids; where parents are younger than
    /// their children or trees hang on elements, it does not look further.
    pub(crate) fn may_be_deeper(&self, root: NodeId, first: usize, limit: usize) -> bool {
        if self.has_attached_trees() {
            return true;
        }
        let new = self.nodes.get(first..).unwrap_or_default();
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        let mut levels = vec![0_u32; new.len()];
        for (place, node) in new.iter().enumerate() {
            let above = match node.parent.get() {
                None => 0,
                Some(parent) if parent == root => 0,
                Some(parent) => match parent.index().checked_sub(first) {
                    Some(parent) if parent < place => levels[parent],
                    _ => return true,
                },
            };
            if above >= limit {
                return true;
            }
            levels[place] = above + 1;
        }
        false
    }

    /// The node after `id` in the order of [`ComposedDescendants`] of the document: for walks that
    /// edit the document.
    #[inline]
    pub(crate) fn composed_next(&self, id: NodeId) -> Option<NodeId> {
        if self.has_attached_trees() {
            return self.composed_following(id, NodeId::DOCUMENT);
        }
        self.first_child(id).or_else(|| self.following(id, NodeId::DOCUMENT))
    }

    /// The node after `id` in the order of [`ComposedDescendants`], below `top`.
    fn composed_following(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        let attached = if self.has_attached_trees() { self.shadow_root(id).or_else(|| self.frame(id)) } else { None };
        let below = attached.or_else(|| self.first_child(id));
        below.or_else(|| self.composed_behind(id, top))
    }

    /// The node after `id` and all below it in the order of [`ComposedDescendants`], below `top`.
    fn composed_behind(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        let mut node = id;
        while node != top {
            if let Some(next) = self.next_sibling(node) {
                return Some(next);
            }
            if let Some(parent) = self.parent(node) {
                node = parent;
                continue;
            }
            // The end of a tree that hangs on an element: what is left of the element comes next.
            let host = self.host(node)?;
            let frame = if self.kind(node) == NodeKind::ShadowRoot { self.frame(host) } else { None };
            let rest = frame.or_else(|| self.first_child(host));
            if rest.is_some() {
                return rest;
            }
            node = host;
        }
        None
    }

    /// The node after `id` and its subtree in document order, below `top`.
    #[inline]
    fn following(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        let mut node = id;
        while node != top {
            if let Some(next) = self.next_sibling(node) {
                return Some(next);
            }
            node = self.parent(node)?;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, NodeId};
    use crate::parse::{ParseOptions, parse_html};

    fn elements(document: &Document, nodes: impl Iterator<Item = NodeId>) -> String {
        let names = nodes.filter(|&node| document.is_element(node)).map(|node| document.local_name(node));
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn trees_that_hang_on_an_element_come_before_its_children() {
        let html = "<body><div><template shadowrootmode=open><b></b><i></i></template><u></u></div>\
            <p><iframe srcdoc='<q></q><s></s>'></iframe></p><em><template><del></del></template></em>";
        let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
        let all = document.composed_descendants(NodeId::DOCUMENT);
        let all = elements(&document, all);
        assert_eq!(all, "html head body div b i u p iframe html head body q s em template");
        let host = document.descendants(NodeId::DOCUMENT).find(|&node| document.shadow_root(node).is_some());
        let host = host.expect("is there");
        assert_eq!(elements(&document, document.composed_descendants(host)), "b i u");
        let mut nodes = document.composed_descendants(NodeId::DOCUMENT);
        nodes.find(|&node| node == host);
        nodes.skip_below(host);
        assert_eq!(elements(&document, nodes), "p iframe html head body q s em template");
        let root = document.shadow_root(host).expect("is there");
        assert_eq!(elements(&document, document.composed_descendants(root)), "b i");
    }

    #[test]
    fn a_tree_without_others_is_walked_the_same_way() {
        let document = parse_html("<p>a<b>c<i></i></b>d<p>e", &ParseOptions::default()).expect("parses").document;
        for top in [NodeId::DOCUMENT, document.first_child(NodeId::DOCUMENT).expect("is there")] {
            assert!(document.composed_descendants(top).eq(document.descendants(top)));
        }
    }
}
