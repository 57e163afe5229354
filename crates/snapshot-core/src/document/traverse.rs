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
    has_composed_trees: bool,
    stack: Vec<NodeId>,
}

impl Iterator for ComposedDescendants<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = self.stack.pop()?;
        // A root has no sibling; an entry stands for the node and all that follow it.
        self.stack.extend(self.document.next_sibling(id));
        self.stack.extend(self.document.first_child(id));
        if self.has_composed_trees && self.document.kind(id) == NodeKind::Element {
            self.stack.extend(self.document.frame(id));
            self.stack.extend(self.document.shadow_root(id));
        }
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
        let mut stack = Vec::new();
        stack.extend(self.first_child(id));
        stack.extend(self.frame(id));
        stack.extend(self.shadow_root(id));
        ComposedDescendants { document: self, has_composed_trees: self.has_composed_trees(), stack }
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

    /// The node after `id` and its subtree in document order, below `top`.
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
