//! The page as an arena of nodes.
//!
//! - Ids never move: editing detaches, unwraps or changes nodes, it never renumbers them.
//! - A document is plain data, `Send + Sync`; cloning it copies a few arrays and shares the text
//!   of a page that has been read, dropping it frees them. Nothing here recurses over the tree.
//! - A shadow root, a template's contents and a frame's document are trees of their own that
//!   hang on an element; [`Document::host`] leads back.

mod buffer;
mod edit;
mod invariants;
mod marks;
mod names;
mod node;
mod node_map;
mod sets_by_name;
mod traverse;

use std::ops::Range;

pub(crate) use buffer::RepeatedValues;
pub(crate) use marks::Marks;
use marks::Usage;
pub use names::{Name, name};
pub use node::{Attribute, AttributeNamespace, Namespace, NodeId, NodeKind, ShadowMode};
pub(crate) use node_map::NodeMap;
pub(crate) use sets_by_name::sets_by_name;
pub use traverse::{Ancestors, Children, ComposedDescendants, Descendants};

use buffer::TextBuffer;
use names::NameTable;
use node::{Attached, AttributeRecord, Node, TextRange};
use rustc_hash::FxHashMap;

/// Whether a document asks for the layout rules of old browsers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum QuirksMode {
    /// Standards mode.
    #[default]
    No,
    /// Almost standards mode.
    Limited,
    /// Quirks mode: class names and ids match without regard to ASCII case.
    Full,
}

/// A page: its nodes, their text and attributes.
///
/// ```
/// use snapshot_core::document::{Document, Namespace, NodeId, name};
///
/// let mut document = Document::new();
/// let paragraph = document.create_element(name::P, Namespace::Html);
/// let text = document.create_text("Parcels leave at noon.");
/// document.append(NodeId::DOCUMENT, paragraph);
/// document.append(paragraph, text);
/// assert_eq!(document.text_content(NodeId::DOCUMENT), "Parcels leave at noon.");
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    nodes: Vec<Node>,
    attributes: Vec<AttributeRecord>,
    /// What hangs on the few elements that are marked for it.
    attached: FxHashMap<NodeId, Attached>,
    /// The names of elements whose numbers are too large for a node.
    long_names: FxHashMap<NodeId, Name>,
    buffer: TextBuffer,
    names: NameTable,
    usage: Usage,
    quirks_mode: QuirksMode,
    overflowed: bool,
}

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

impl Document {
    /// The number of nodes ever made, those taken out of the tree included; every
    /// [`NodeId::index`] is below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: a document has at least its document node.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// What the node is.
    #[inline]
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.nodes[id.index()].kind
    }

    /// Whether the node is an element, of any namespace.
    #[inline]
    pub fn is_element(&self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Element
    }

    /// Whether the node is a text node.
    #[inline]
    pub fn is_text(&self, id: NodeId) -> bool {
        self.kind(id) == NodeKind::Text
    }

    /// Whether the node is a text of nothing but white space.
    pub fn is_blank_text(&self, id: NodeId) -> bool {
        self.is_text(id) && self.text(id).trim().is_empty()
    }

    /// Whether the node is the HTML element of this name.
    #[inline]
    pub fn is_html(&self, id: NodeId, name: Name) -> bool {
        self.html_name(id) == Some(name)
    }

    /// Whether the node is the SVG element of this name.
    #[inline]
    pub fn is_svg(&self, id: NodeId, name: Name) -> bool {
        self.namespace(id) == Some(Namespace::Svg) && self.name(id) == Some(name)
    }

    /// The element's name; `None` for other nodes.
    #[inline]
    pub fn name(&self, id: NodeId) -> Option<Name> {
        let node = &self.nodes[id.index()];
        match node.name {
            _ if node.kind != NodeKind::Element => None,
            Node::LONG_NAME => self.long_names.get(&id).copied(),
            name => Some(Name::numbered(u32::from(name))),
        }
    }

    /// The name of an HTML element; `None` for SVG, MathML and nodes that are no element.
    #[inline]
    pub fn html_name(&self, id: NodeId) -> Option<Name> {
        if self.nodes[id.index()].namespace == Namespace::Html { self.name(id) } else { None }
    }

    /// The element's namespace; `None` for other nodes.
    #[inline]
    pub fn namespace(&self, id: NodeId) -> Option<Namespace> {
        let node = &self.nodes[id.index()];
        (node.kind == NodeKind::Element).then_some(node.namespace)
    }

    /// The element's name as written (`div`, `foreignObject`); empty for other nodes.
    pub fn local_name(&self, id: NodeId) -> &str {
        self.name(id).map_or("", |name| self.names.text(name))
    }

    /// The spelling of a name of this document.
    pub fn name_text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The name spelt like this, if this document has it.
    pub fn find_name(&self, text: &str) -> Option<Name> {
        self.names.find(text)
    }

    /// The value of an attribute, if the element has it.
    #[inline]
    pub fn attribute(&self, id: NodeId, name: Name) -> Option<&str> {
        self.attribute_record(id, name).map(|attribute| self.slice(attribute.value))
    }

    /// Whether the element has the attribute, with whatever value.
    #[inline]
    pub fn has_attribute(&self, id: NodeId, name: Name) -> bool {
        self.attribute_record(id, name).is_some()
    }

    /// The element's attributes in source order; nothing for other nodes.
    #[inline]
    pub fn attributes(&self, id: NodeId) -> impl ExactSizeIterator<Item = Attribute<'_>> + Clone {
        self.attribute_records(id).iter().map(|record| Attribute {
            name: record.name(),
            namespace: record.namespace(),
            value: self.slice(record.value),
        })
    }

    /// Whether two elements have the same attributes, in whatever order.
    pub(crate) fn has_same_attributes(&self, one: NodeId, other: NodeId) -> bool {
        let pairs = |id| self.attributes(id).map(|attribute| (attribute.name, attribute.value));
        let sorted = |id| {
            let mut pairs: Vec<_> = pairs(id).collect();
            pairs.sort_unstable();
            pairs
        };
        let count = pairs(one).len();
        count == pairs(other).len() && (pairs(one).eq(pairs(other)) || count > 1 && sorted(one) == sorted(other))
    }

    /// The characters of a text node, a comment, a processing instruction, or the name of a
    /// doctype; empty for other nodes.
    #[inline]
    pub fn text(&self, id: NodeId) -> &str {
        let node = &self.nodes[id.index()];
        if node.kind.has_text() { self.slice(node.text().range) } else { "" }
    }

    /// The concatenated text of the node's descendants (light tree only), or its own text.
    pub fn text_content(&self, id: NodeId) -> String {
        if self.is_text(id) {
            return self.text(id).to_owned();
        }
        self.descendants(id).filter(|&node| self.is_text(node)).map(|node| self.text(node)).collect()
    }

    /// The node's parent; `None` for roots and for nodes taken out of the tree.
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].parent.get()
    }

    /// The parent if it is an element.
    #[inline]
    pub fn parent_element(&self, id: NodeId) -> Option<NodeId> {
        self.parent(id).filter(|&parent| self.is_element(parent))
    }

    /// The first child.
    #[inline]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].first.get()
    }

    /// The last child.
    #[inline]
    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        let first = self.nodes[id.index()].first.get()?;
        self.nodes[first.index()].previous.get()
    }

    /// The sibling after the node.
    #[inline]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].next.get()
    }

    /// The sibling before the node.
    #[inline]
    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        let previous = self.nodes[id.index()].previous.get()?;
        // What has nothing behind it is the last one, not one before.
        self.nodes[previous.index()].next.get().map(|_| previous)
    }

    /// The element that a shadow root, a template's contents or a frame's document hangs on.
    #[inline]
    pub fn host(&self, root: NodeId) -> Option<NodeId> {
        let node = &self.nodes[root.index()];
        (node.kind.is_root() && node.start != Node::NO_HOST).then_some(NodeId(node.start))
    }

    /// The element's shadow root.
    #[inline]
    pub fn shadow_root(&self, id: NodeId) -> Option<NodeId> {
        self.attached(id).and_then(|attached| attached.shadow_root.get())
    }

    /// The mode of the element's shadow root, if it has one.
    pub fn shadow_mode(&self, id: NodeId) -> Option<ShadowMode> {
        self.attached(id).filter(|attached| attached.shadow_root.get().is_some()).map(|attached| attached.shadow_mode)
    }

    /// The root of a `<template>`'s contents.
    #[inline]
    pub fn template_contents(&self, id: NodeId) -> Option<NodeId> {
        self.attached(id).and_then(|attached| attached.template_contents.get())
    }

    /// The document inside a frame element.
    #[inline]
    pub fn frame(&self, id: NodeId) -> Option<NodeId> {
        self.attached(id).and_then(|attached| attached.frame.get())
    }

    /// The document's quirks mode (of the outermost page).
    pub fn quirks_mode(&self) -> QuirksMode {
        self.quirks_mode
    }

    /// Whether text was dropped because the document would have passed 4 GiB.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The number of bytes held, for memory figures.
    pub fn retained_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.attached.capacity() * size_of::<(NodeId, Attached)>()
            + self.long_names.capacity() * size_of::<(NodeId, Name)>()
            + self.attributes.capacity() * size_of::<AttributeRecord>()
            + self.buffer.capacity()
    }

    /// Whether an element has, or had, an attribute of this name; cheaper than a look at each.
    pub(crate) fn uses_attribute(&self, name: Name) -> bool {
        self.attributes.iter().any(|attribute| attribute.name() == name)
    }

    /// Whether a tree hangs, or hung, on some element.
    pub(crate) fn has_attached_trees(&self) -> bool {
        !self.attached.is_empty()
    }

    /// Whether a shadow tree or a frame's page hangs on some element, or may: whether the composed
    /// tree has more in it than the tree of the document.
    pub(crate) fn has_composed_trees(&self) -> bool {
        self.attached.values().any(|attached| attached.shadow_root.get().is_some() || attached.frame.get().is_some())
    }

    /// The number of attributes ever stored.
    pub(crate) fn attribute_count(&self) -> usize {
        self.attributes.len()
    }

    /// The number of bytes of text ever stored, attribute values included.
    pub(crate) fn text_bytes(&self) -> usize {
        self.buffer.len()
    }

    #[inline]
    fn attached(&self, id: NodeId) -> Option<&Attached> {
        let node = &self.nodes[id.index()];
        let is_marked = node.kind == NodeKind::Element && node.marks().meets(Marks::ATTACHED);
        if is_marked { self.attached.get(&id) } else { None }
    }

    /// Where the element's attributes are in the table of all; nowhere for other nodes.
    #[inline]
    fn attribute_range(&self, id: NodeId) -> Range<usize> {
        let node = &self.nodes[id.index()];
        let start = node.start as usize;
        if node.kind == NodeKind::Element { start..start + node.length as usize } else { 0..0 }
    }

    #[inline]
    fn attribute_records(&self, id: NodeId) -> &[AttributeRecord] {
        self.attributes.get(self.attribute_range(id)).unwrap_or_default()
    }

    #[inline]
    fn attribute_record(&self, id: NodeId, name: Name) -> Option<&AttributeRecord> {
        if !self.may_have_any(id, Marks::of(name)) {
            return None;
        }
        self.attribute_records(id).iter().find(|attribute| attribute.name() == name)
    }

    #[inline]
    fn slice(&self, range: TextRange) -> &str {
        self.buffer.get(range).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_can_be_shared_between_threads() {
        fn assert_shared<T: Send + Sync + Clone>() {}
        assert_shared::<Document>();
    }
}
