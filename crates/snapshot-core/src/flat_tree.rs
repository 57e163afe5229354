//! The tree a person sees: shadow roots and slots resolved, frames in place.
//!
//! Semantics and representations read pages through it; stages edit the [`Document`] itself.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::document::{Document, NodeId, NodeKind, name};

/// The flat tree (CSS Scoping, "flat tree") of a document as an array in document order.
///
/// A host's children are those of its shadow root, a slot's children are the nodes assigned to
/// it (its own children when there are none), a frame's children are those of its document.
/// Template contents are not part of it. Positions run from 0; the subtree of position `i` is
/// `i..end(i)`.
#[derive(Clone, Debug)]
pub struct FlatTree {
    nodes: Vec<NodeId>,
    ends: Vec<u32>,
    parents: Vec<u32>,
    positions: Vec<u32>,
    /// Whether nothing stands elsewhere than in the document.
    is_plain: bool,
}

const NOWHERE: u32 = u32::MAX;

impl FlatTree {
    /// Lays out the whole document.
    pub fn new(document: &Document) -> Self {
        Self::build(document, &Owned::default())
    }

    /// Lays out the document as the accessibility tree has it: elements named in `aria-owns`
    /// stand last below their owner (WAI-ARIA 1.2, `aria-owns`).
    pub fn for_accessibility(document: &Document) -> Self {
        let owned = Owned::find(document);
        Self::build(document, &owned)
    }

    fn build(document: &Document, owned: &Owned) -> Self {
        if owned.is_empty() && !document.has_composed_trees() {
            return Self::plain(document);
        }
        let slots = Slots::assign(document);
        let mut tree = Self {
            nodes: Vec::with_capacity(document.len()),
            ends: Vec::new(),
            parents: Vec::with_capacity(document.len()),
            positions: vec![NOWHERE; document.len()],
            is_plain: false,
        };
        let mut children = Vec::new();
        let mut stack = vec![(NodeId::DOCUMENT, NOWHERE)];
        while let Some((node, parent)) = stack.pop() {
            if tree.positions[node.index()] != NOWHERE {
                continue;
            }
            let position = index(tree.nodes.len());
            tree.positions[node.index()] = position;
            tree.nodes.push(node);
            tree.parents.push(parent);
            children.clear();
            slots.flat_children(document, node, &mut children);
            if !owned.is_empty() {
                children.retain(|child| !owned.owner.contains_key(child));
                children.extend(owned.of(node));
            }
            stack.extend(children.iter().rev().map(|&child| (child, position)));
        }
        tree.close();
        tree
    }

    /// Lays out a document in which nothing stands elsewhere than in its source, as most do.
    fn plain(document: &Document) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(document.len()),
            ends: vec![0; document.len()],
            parents: Vec::with_capacity(document.len()),
            positions: vec![NOWHERE; document.len()],
            is_plain: true,
        };
        let (mut node, mut parent) = (NodeId::DOCUMENT, NOWHERE);
        loop {
            let mut position = index(tree.nodes.len());
            tree.positions[node.index()] = position;
            tree.nodes.push(node);
            tree.parents.push(parent);
            if let Some(child) = document.first_child(node) {
                (node, parent) = (child, position);
                continue;
            }
            // Up to the nearest subtree that another one follows.
            let behind = index(tree.nodes.len());
            loop {
                tree.ends[position as usize] = behind;
                if let Some(next) = document.next_sibling(node) {
                    node = next;
                    break;
                }
                if parent == NOWHERE {
                    tree.ends.truncate(tree.nodes.len());
                    return tree;
                }
                position = parent;
                node = tree.nodes[position as usize];
                parent = tree.parents[position as usize];
            }
        }
    }

    /// Finds the ends of all subtrees from the parents.
    fn close(&mut self) {
        self.ends = (1..=index(self.nodes.len())).collect();
        for position in (1..self.nodes.len()).rev() {
            let parent = self.parents[position] as usize;
            self.ends[parent] = self.ends[parent].max(self.ends[position]);
        }
    }

    /// The number of nodes in the tree.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: the document node is in it.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in document order; the first is the document.
    #[inline]
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The nodes below the document in the order of
    /// [`composed_descendants`](Document::composed_descendants), without a walk where the two
    /// trees are the same.
    pub(crate) fn composed(&self, document: &Document) -> Cow<'_, [NodeId]> {
        if self.is_plain {
            Cow::Borrowed(&self.nodes[1..])
        } else {
            Cow::Owned(document.composed_descendants(NodeId::DOCUMENT).collect())
        }
    }

    /// The node at a position.
    #[inline]
    pub fn node(&self, position: usize) -> NodeId {
        self.nodes[position]
    }

    /// The position behind the subtree that begins at `position`.
    #[inline]
    pub fn end(&self, position: usize) -> usize {
        self.ends[position] as usize
    }

    /// Where the node stands; `None` when it is not shown in the flat tree (an unassigned child
    /// of a shadow host, template contents, a node taken out).
    #[inline]
    pub fn position(&self, id: NodeId) -> Option<usize> {
        self.positions.get(id.index()).filter(|&&position| position != NOWHERE).map(|&position| position as usize)
    }

    /// The node above in the flat tree.
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.parent_position(self.position(id)?).map(|position| self.nodes[position])
    }

    /// The position of the node above.
    #[inline]
    pub fn parent_position(&self, position: usize) -> Option<usize> {
        let parent = *self.parents.get(position)?;
        (parent != NOWHERE).then_some(parent as usize)
    }

    /// The positions of the children of the node at `position`, in order.
    pub fn child_positions(&self, position: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        let end = self.end(position);
        let first = position + 1;
        std::iter::successors((first < end).then_some(first), move |&child| {
            let next = self.end(child);
            (next < end).then_some(next)
        })
    }

    /// The children of the node, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        self.position(id).into_iter().flat_map(|position| self.child_positions(position)).map(|child| self.nodes[child])
    }

    /// The nodes above the node in the flat tree, nearest first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |&node| self.parent(node))
    }

    /// The nodes below the node, in order.
    pub fn descendants(&self, id: NodeId) -> &[NodeId] {
        self.position(id).map_or(&[], |position| &self.nodes[position + 1..self.end(position)])
    }
}

/// Which nodes stand in which slot (DOM Standard, "find slotables").
#[derive(Debug, Default)]
pub(crate) struct Slots {
    assigned: FxHashMap<NodeId, Vec<NodeId>>,
    slots: FxHashMap<NodeId, NodeId>,
}

impl Slots {
    /// The slot that shows the child of a host, if one does.
    pub(crate) fn slot_of(&self, child: NodeId) -> Option<NodeId> {
        self.slots.get(&child).copied()
    }

    pub(crate) fn assign(document: &Document) -> Self {
        let mut slots = Self::default();
        if !document.has_composed_trees() {
            return slots;
        }
        for host in document.composed_descendants(NodeId::DOCUMENT) {
            let Some(root) = document.shadow_root(host) else { continue };
            let mut by_name: FxHashMap<&str, NodeId> = FxHashMap::default();
            for node in document.descendants(root).filter(|&node| document.is_html(node, name::SLOT)) {
                by_name.entry(document.attribute(node, name::NAME).unwrap_or("")).or_insert(node);
            }
            for child in document.children(host) {
                let wanted = match document.kind(child) {
                    NodeKind::Element => document.attribute(child, name::SLOT).unwrap_or(""),
                    NodeKind::Text => "",
                    _ => continue,
                };
                if let Some(&slot) = by_name.get(wanted) {
                    slots.assigned.entry(slot).or_default().push(child);
                    slots.slots.insert(child, slot);
                }
            }
        }
        slots
    }

    fn flat_children(&self, document: &Document, node: NodeId, children: &mut Vec<NodeId>) {
        if document.kind(node) == NodeKind::Element {
            if let Some(root) = document.shadow_root(node) {
                return children.extend(document.children(root));
            }
            if let Some(frame) = document.frame(node) {
                return children.extend(document.children(frame));
            }
            if let Some(assigned) = self.assigned.get(&node) {
                return children.extend(assigned);
            }
        }
        children.extend(document.children(node));
    }
}

/// What `aria-owns` moves: each element to its first owner, never below itself.
#[derive(Debug, Default)]
struct Owned {
    owner: FxHashMap<NodeId, NodeId>,
    owned: FxHashMap<NodeId, Vec<NodeId>>,
}

/// More than a page has; what hostile pages put beyond it stays where it is.
const MAX_OWNED: usize = 10_000;

/// The longest way up that is followed to see whether an element would end up below itself.
const MAX_LEVELS: usize = 2_000;

impl Owned {
    fn find(document: &Document) -> Self {
        if !document.uses_attribute(name::ARIA_OWNS) {
            return Self::default();
        }
        let owners: Vec<NodeId> = document
            .composed_descendants(NodeId::DOCUMENT)
            .filter(|&node| document.has_attribute(node, name::ARIA_OWNS))
            .collect();
        let mut owned = Self::default();
        if owners.is_empty() {
            return owned;
        }
        let mut ids: FxHashMap<(NodeId, &str), NodeId> = FxHashMap::default();
        let mut roots: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        let mut root_of = |node: NodeId| {
            let parent = document.parent(node);
            let root = parent.map_or(node, |parent| *roots.get(&parent).unwrap_or(&parent));
            roots.insert(node, root);
            root
        };
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let root = root_of(node);
            if let Some(id) = document.attribute(node, name::ID) {
                ids.entry((root, id)).or_insert(node);
            }
        }
        for owner in owners {
            let root = document.root(owner);
            for id in document.attribute(owner, name::ARIA_OWNS).unwrap_or("").split_ascii_whitespace() {
                let Some(&element) = ids.get(&(root, id)) else { continue };
                if owned.owner.len() < MAX_OWNED
                    && !owned.owner.contains_key(&element)
                    && !owned.is_below(document, owner, element)
                {
                    owned.owner.insert(element, owner);
                    owned.owned.entry(owner).or_default().push(element);
                }
            }
        }
        owned
    }

    /// Whether `node` is `above` or stands below it, with what has been moved so far.
    fn is_below(&self, document: &Document, node: NodeId, above: NodeId) -> bool {
        let mut next = Some(node);
        for _ in 0..MAX_LEVELS {
            let Some(node) = next else { return false };
            if node == above {
                return true;
            }
            next = self.owner.get(&node).copied().or_else(|| document.composed_parent(node));
        }
        true
    }

    fn is_empty(&self) -> bool {
        self.owner.is_empty()
    }

    fn of(&self, owner: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.owned.get(&owner).into_iter().flatten().copied()
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NOWHERE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse_html};

    fn outline(html: &str, accessibility: bool) -> String {
        let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
        let tree = if accessibility { FlatTree::for_accessibility(&document) } else { FlatTree::new(&document) };
        let names = tree.nodes().iter().map(|&node| match document.kind(node) {
            NodeKind::Text => document.text(node).trim().to_owned(),
            _ => document.local_name(node).to_owned(),
        });
        names.filter(|name| !matches!(name.as_str(), "" | "html" | "head" | "body")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn slots_show_what_is_assigned_and_their_own_content_when_nothing_is() {
        let html = "<div><template shadowrootmode=open><h2><slot name=t>none</slot></h2><slot>empty</slot>\
            <slot name=t>second</slot></template><b slot=t>Title</b>text<i slot=gone>lost</i></div>";
        assert_eq!(outline(html, false), "div h2 slot b Title slot text slot second");
    }

    #[test]
    fn owned_elements_stand_below_their_owner_and_never_below_themselves() {
        let html = "<ul id=a aria-owns='b c a'></ul><p id=b aria-owns=a>B</p><p id=c>C</p>";
        assert_eq!(outline(html, true), "ul p B p C");
        assert_eq!(outline(html, false), "ul p B p C");
        assert_eq!(outline("<i id=x>x</i><b aria-owns=x>b</b><u aria-owns=x>u</u>", true), "b b i x u u");
    }

    #[test]
    fn a_frame_shows_its_page_in_place() {
        assert_eq!(outline("<p>a</p><iframe srcdoc='<p>in</p>'></iframe>z", false), "p a iframe p in z");
    }
}
