//! The only functions that change a document.

use std::ops::Range;

use super::buffer::{RepeatedValues, TextBuffer};
use super::marks::{Marks, Usage};
use super::names::NameTable;
use super::node::{Attached, AttributeRecord, Link, Node, TextRange, TextRecord};
use super::{AttributeNamespace, Document, Name, Namespace, NodeId, NodeKind, QuirksMode, ShadowMode};
use rustc_hash::FxHashMap;

impl Document {
    /// A document with nothing but its document node.
    pub fn new() -> Self {
        let mut document = Self {
            nodes: Vec::new(),
            attributes: Vec::new(),
            attached: FxHashMap::default(),
            long_names: FxHashMap::default(),
            buffer: TextBuffer::default(),
            names: NameTable::default(),
            usage: Usage::NONE,
            quirks_mode: QuirksMode::No,
            overflowed: false,
        };
        document.create_root(NodeKind::Document, Node::NO_HOST);
        document
    }

    /// Makes room for a page of this many bytes, so that parsing seldom moves what it has.
    pub fn reserve_for_input(&mut self, bytes: usize) {
        // More than most real pages need; what is not used costs nothing until it is given back.
        self.nodes.reserve(bytes / 24);
        self.attributes.reserve(bytes / 40);
        self.buffer.reserve(bytes);
    }

    /// Gives back the room that is not used.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.attributes.shrink_to_fit();
        self.buffer.shrink_to_fit();
    }

    /// Lets copies of the document share its text with it. What is added to either from now on is
    /// its own.
    pub(crate) fn share_text(&mut self) {
        self.buffer.share();
    }

    /// Numbers a name of this document.
    pub fn intern(&mut self, text: &str) -> Name {
        self.names.intern(text)
    }

    /// Makes an element that is not yet in the tree.
    pub fn create_element(&mut self, name: Name, namespace: Namespace) -> NodeId {
        self.create_element_of_loose_attributes(name, namespace, 0)
    }

    /// Stores an attribute of an element that is still to be made. Its value may be one that was
    /// stored before.
    #[inline]
    pub(crate) fn push_loose_attribute(
        &mut self,
        name: Name,
        namespace: AttributeNamespace,
        value: &str,
        repeated: &mut RepeatedValues,
    ) {
        let value = if self.has_room_for(value.len()) {
            self.buffer.push_repeated(value, repeated)
        } else {
            TextRange::default()
        };
        self.attributes.push(AttributeRecord::new(name, namespace, value));
    }

    /// Stores the attributes of an element once more, for one that is still to be made, and returns
    /// how many they are. Their values are shared.
    pub(crate) fn push_loose_attributes_of(&mut self, id: NodeId) -> usize {
        let range = self.attribute_range(id);
        self.attributes.extend_from_within(range.clone());
        range.len()
    }

    /// Makes an element that is not yet in the tree and has as many of the attributes stored last.
    #[inline]
    pub(crate) fn create_element_of_loose_attributes(
        &mut self,
        name: Name,
        namespace: Namespace,
        attributes: usize,
    ) -> NodeId {
        let start = self.attributes.len().saturating_sub(attributes);
        let own = self.attributes.get(start..).unwrap_or_default();
        let marks = own.iter().fold(Marks::NONE, |marks, attribute| marks.with(Marks::of(attribute.name())));
        self.usage.note(name, marks);
        let node = Node::unlinked(NodeKind::Element, index(start), index(attributes), marks.bits());
        let id = self.push(Node { namespace, name: Node::short_name(name), ..node });
        self.note_long_name(id, name);
        id
    }

    /// Makes a text node that is not yet in the tree.
    pub fn create_text(&mut self, text: &str) -> NodeId {
        self.create_text_like(NodeKind::Text, text)
    }

    /// Makes a comment that is not yet in the tree.
    pub fn create_comment(&mut self, text: &str) -> NodeId {
        self.create_text_like(NodeKind::Comment, text)
    }

    /// Makes a processing instruction that is not yet in the tree; `text` is its target and data.
    pub fn create_processing_instruction(&mut self, text: &str) -> NodeId {
        self.create_text_like(NodeKind::ProcessingInstruction, text)
    }

    /// Makes a doctype that is not yet in the tree. `text` is the name, followed by the public
    /// and the system identifier in quotes where there are any.
    pub fn create_doctype(&mut self, text: &str) -> NodeId {
        self.create_text_like(NodeKind::Doctype, text)
    }

    /// Gives the element an empty shadow root, or returns the one it has.
    pub fn attach_shadow_root(&mut self, host: NodeId, mode: ShadowMode) -> Option<NodeId> {
        if let Some(root) = self.shadow_root(host) {
            return Some(root);
        }
        let root = self.create_root(NodeKind::ShadowRoot, host.0);
        let attached = self.attached_mut(host)?;
        attached.shadow_root = root.into();
        attached.shadow_mode = mode;
        Some(root)
    }

    /// Takes the element's shadow tree off it, with all that is still in there: its own children
    /// are what it shows then.
    pub fn detach_shadow_root(&mut self, host: NodeId) {
        if self.shadow_root(host).is_some()
            && let Some(attached) = self.attached_mut(host)
        {
            attached.shadow_root = Link::NONE;
        }
    }

    /// Gives a `<template>` its contents' root, or returns the one it has.
    pub fn attach_template_contents(&mut self, template: NodeId) -> Option<NodeId> {
        if let Some(root) = self.template_contents(template) {
            return Some(root);
        }
        let root = self.create_root(NodeKind::TemplateContents, template.0);
        self.attached_mut(template)?.template_contents = root.into();
        Some(root)
    }

    /// Takes a template's contents off it and makes them the shadow tree of `host`. Nothing happens
    /// when `host` has a shadow tree already.
    pub fn turn_template_into_shadow_root(
        &mut self,
        template: NodeId,
        host: NodeId,
        mode: ShadowMode,
    ) -> Option<NodeId> {
        if self.shadow_root(host).is_some() || !self.is_element(host) {
            return None;
        }
        let contents = self.attach_template_contents(template)?;
        self.attached_mut(template)?.template_contents = Link::NONE;
        let attached = self.attached_mut(host)?;
        attached.shadow_root = contents.into();
        attached.shadow_mode = mode;
        let node = &mut self.nodes[contents.index()];
        node.kind = NodeKind::ShadowRoot;
        node.start = host.0;
        Some(contents)
    }

    /// Gives a frame element an empty document, or returns the one it has.
    pub fn attach_frame(&mut self, host: NodeId) -> Option<NodeId> {
        if let Some(root) = self.frame(host) {
            return Some(root);
        }
        let root = self.create_root(NodeKind::Document, host.0);
        self.attached_mut(host)?.frame = root.into();
        Some(root)
    }

    /// Takes the document inside a frame element away.
    pub fn remove_frame(&mut self, host: NodeId) {
        if self.frame(host).is_some()
            && let Some(attached) = self.attached_mut(host)
        {
            attached.frame = Link::NONE;
        }
    }

    /// Makes `child` the last child of `parent`, taking it from where it was. Nothing happens
    /// when `child` is a root, or `parent` itself or above it.
    pub fn append(&mut self, parent: NodeId, child: NodeId) {
        if !self.may_contain(parent, child) {
            return;
        }
        self.detach(child);
        self.append_new(parent, child);
    }

    /// Makes a node that was just made, and is in no tree and no root, the last child of `parent`.
    #[inline]
    pub(crate) fn append_new(&mut self, parent: NodeId, node: NodeId) {
        let last = match self.nodes[parent.index()].first.get() {
            Some(first) => {
                let last = std::mem::replace(&mut self.nodes[first.index()].previous, node.into());
                if let Some(last) = last.get() {
                    self.nodes[last.index()].next = node.into();
                }
                last
            }
            None => {
                self.nodes[parent.index()].first = node.into();
                node.into()
            }
        };
        let node = &mut self.nodes[node.index()];
        node.parent = parent.into();
        node.previous = last;
    }

    /// Puts `node` right before `sibling`, taking it from where it was. Nothing happens when
    /// `sibling` has no parent or the tree would loop.
    pub fn insert_before(&mut self, sibling: NodeId, node: NodeId) {
        let Some(parent) = self.parent(sibling) else { return };
        if sibling == node || !self.may_contain(parent, node) {
            return;
        }
        self.detach(node);
        let previous = std::mem::replace(&mut self.nodes[sibling.index()].previous, node.into());
        match previous.get() {
            Some(previous) if self.nodes[parent.index()].first != sibling.into() => {
                self.nodes[previous.index()].next = node.into();
            }
            _ => self.nodes[parent.index()].first = node.into(),
        }
        let node = &mut self.nodes[node.index()];
        node.parent = parent.into();
        node.previous = previous;
        node.next = sibling.into();
    }

    /// Takes the node and its subtree out of the tree. Its id stays its own.
    pub fn detach(&mut self, id: NodeId) {
        let Node { parent, previous, next, .. } = self.nodes[id.index()];
        let Some(parent) = parent.get() else { return };
        match previous.get() {
            Some(previous) if self.nodes[parent.index()].first != id.into() => {
                self.nodes[previous.index()].next = next;
            }
            _ => self.nodes[parent.index()].first = next,
        }
        // Behind the last one comes the first, as far as `previous` is concerned.
        if let Some(behind) = next.get().or(self.nodes[parent.index()].first.get()) {
            self.nodes[behind.index()].previous = previous;
        }
        let node = &mut self.nodes[id.index()];
        node.parent = Link::NONE;
        node.previous = Link::NONE;
        node.next = Link::NONE;
    }

    /// Puts the node's children in its place and takes the node out of the tree.
    pub fn unwrap(&mut self, id: NodeId) {
        if self.parent(id).is_none() {
            return;
        }
        while let Some(child) = self.first_child(id) {
            self.insert_before(id, child);
        }
        self.detach(id);
    }

    /// Moves all children of `from` behind those of `to`. Nothing happens when `to` is `from` or
    /// below it.
    pub fn reparent_children(&mut self, from: NodeId, to: NodeId) {
        let mut above = Some(to);
        while let Some(node) = above {
            if node == from {
                return;
            }
            above = self.composed_parent(node);
        }
        let first = std::mem::replace(&mut self.nodes[from.index()].first, Link::NONE);
        let Some(first_child) = first.get() else { return };
        let mut next = first;
        while let Some(child) = next.get() {
            self.nodes[child.index()].parent = to.into();
            next = self.nodes[child.index()].next;
        }
        let Some(first_before) = self.nodes[to.index()].first.get() else {
            self.nodes[to.index()].first = first;
            return;
        };
        let last = self.nodes[first_child.index()].previous;
        let last_before = std::mem::replace(&mut self.nodes[first_before.index()].previous, last);
        self.nodes[first_child.index()].previous = last_before;
        if let Some(last_before) = last_before.get() {
            self.nodes[last_before.index()].next = first;
        }
    }

    /// Replaces the characters of a text-like node.
    pub fn set_text(&mut self, id: NodeId, text: &str) {
        let range = self.store(text);
        if self.kind(id).has_text() {
            self.nodes[id.index()].set_text(TextRecord { range, capacity: range.length });
        }
    }

    /// Keeps a part of the characters of a text-like node, which stay where they are.
    pub fn keep_text(&mut self, id: NodeId, part: Range<usize>) {
        if self.kind(id).has_text() {
            let node = &mut self.nodes[id.index()];
            let kept = node.length as usize;
            let (start, end) = (part.start.min(kept), part.end.min(kept));
            let range = TextRange { start: node.start + index(start), length: index(end.saturating_sub(start)) };
            node.set_text(TextRecord { range, capacity: range.length });
        }
    }

    /// Adds characters to a text-like node; linear in all that is ever added.
    pub fn append_text(&mut self, id: NodeId, more: &str) {
        if !self.kind(id).has_text() {
            return;
        }
        let record = self.nodes[id.index()].text();
        if self.buffer.len().saturating_add(more.len() * 2 + record.range.length as usize * 2) > MAX_BUFFER {
            self.overflowed = true;
            return;
        }
        let grown = self.buffer.append(record, more);
        self.nodes[id.index()].set_text(grown);
    }

    /// Adds characters at the end of the children: to the last one if it is a text, else as a new
    /// text.
    pub fn append_characters(&mut self, parent: NodeId, text: &str) {
        match self.last_child(parent) {
            Some(last) if self.is_text(last) => self.append_text(last, text),
            _ => {
                let id = self.create_text(text);
                self.append_new(parent, id);
            }
        }
    }

    /// Adds characters right before `sibling`: to the text that is there, else as a new text.
    pub(crate) fn insert_characters_before(&mut self, sibling: NodeId, text: &str) {
        match self.previous_sibling(sibling).filter(|&previous| self.is_text(previous)) {
            Some(previous) => self.append_text(previous, text),
            None => {
                let id = self.create_text(text);
                self.insert_before(sibling, id);
            }
        }
    }

    /// Sets an attribute, in place when the element has it.
    pub fn set_attribute(&mut self, id: NodeId, name: Name, value: &str) {
        let value = self.store(value);
        let range = self.attribute_range(id);
        if let Some(record) = self.attributes[range].iter_mut().find(|attribute| attribute.name() == name) {
            record.value = value;
            return;
        }
        self.push_attribute_record(id, AttributeRecord::new(name, AttributeNamespace::None, value));
    }

    /// Adds an attribute that the caller knows to be new to the element, at the end.
    pub fn push_attribute(&mut self, id: NodeId, name: Name, namespace: AttributeNamespace, value: &str) {
        let value = self.store(value);
        self.push_attribute_record(id, AttributeRecord::new(name, namespace, value));
    }

    /// Removes an attribute if the element has it.
    pub fn remove_attribute(&mut self, id: NodeId, name: Name) {
        self.retain_attributes(id, |attribute, _| attribute != name);
    }

    /// Keeps the attributes for which the closure, given name and value, says true.
    pub fn retain_attributes(&mut self, id: NodeId, mut keep: impl FnMut(Name, &str) -> bool) {
        if !self.is_element(id) {
            return;
        }
        let range = self.attribute_range(id);
        let mut kept = range.start;
        for at in range.clone() {
            let record = self.attributes[at];
            if keep(record.name(), self.slice(record.value)) {
                self.attributes[kept] = record;
                kept += 1;
            }
        }
        self.nodes[id.index()].length = index(kept - range.start);
    }

    /// Turns an element into one of another name, children and attributes kept.
    pub fn rename(&mut self, id: NodeId, name: Name) {
        if self.is_element(id) {
            self.usage.note(name, Marks::NONE);
            self.nodes[id.index()].name = Node::short_name(name);
            self.note_long_name(id, name);
        }
    }

    #[inline]
    fn note_long_name(&mut self, id: NodeId, name: Name) {
        if self.nodes[id.index()].name == Node::LONG_NAME {
            self.long_names.insert(id, name);
        }
    }

    /// Sets the quirks mode of the outermost page.
    pub fn set_quirks_mode(&mut self, mode: QuirksMode) {
        self.quirks_mode = mode;
    }

    fn create_root(&mut self, kind: NodeKind, host: u32) -> NodeId {
        self.push(Node::unlinked(kind, host, 0, 0))
    }

    #[inline]
    fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId(index(self.nodes.len()));
        self.nodes.push(node);
        id
    }

    fn create_text_like(&mut self, kind: NodeKind, text: &str) -> NodeId {
        let range = self.store(text);
        self.push(Node::unlinked(kind, range.start, range.length, range.length))
    }

    #[inline]
    fn store(&mut self, text: &str) -> TextRange {
        if self.has_room_for(text.len()) { self.buffer.push(text) } else { TextRange::default() }
    }

    /// Whether so many bytes of text can be addressed; notes it when not.
    #[inline]
    fn has_room_for(&mut self, bytes: usize) -> bool {
        let has_room = self.buffer.len().saturating_add(bytes) <= MAX_BUFFER;
        self.overflowed |= !has_room;
        has_room
    }

    fn push_attribute_record(&mut self, id: NodeId, record: AttributeRecord) {
        if !self.is_element(id) {
            return;
        }
        let range = self.attribute_range(id);
        if range.end != self.attributes.len() {
            // Others were added since: the element's attributes move to the end.
            self.nodes[id.index()].start = index(self.attributes.len());
            self.attributes.extend_from_within(range);
        }
        self.attributes.push(record);
        let node = &mut self.nodes[id.index()];
        node.length += 1;
        let marks = node.marks().with(Marks::of(record.name()));
        node.extra = marks.bits();
        if let Some(name) = self.name(id) {
            self.usage.note(name, marks);
        }
    }

    /// Whether the tree stays a tree with `child` somewhere below `parent`. A child without
    /// children of its own, which is what a parser nearly always appends, is checked at once.
    fn may_contain(&self, parent: NodeId, child: NodeId) -> bool {
        if self.kind(child).is_root() || parent == child {
            return false;
        }
        let leaf = self.first_child(child).is_none() && self.attached(child).is_none();
        if leaf {
            return true;
        }
        let mut above = Some(parent);
        while let Some(node) = above {
            if node == child {
                return false;
            }
            above = self.composed_parent(node);
        }
        true
    }

    fn attached_mut(&mut self, id: NodeId) -> Option<&mut Attached> {
        if !self.is_element(id) {
            return None;
        }
        let node = &mut self.nodes[id.index()];
        node.extra = node.marks().with(Marks::ATTACHED).bits();
        Some(self.attached.entry(id).or_insert(Attached::EMPTY))
    }
}

/// The text buffer is addressed with 32 bits; one value is kept for "none".
const MAX_BUFFER: usize = u32::MAX as usize - 1;

/// A table's length as a 32-bit index. Tables are bounded by the text buffer and the node limit
/// long before this saturates.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::name;

    fn list(document: &mut Document, items: usize) -> (NodeId, Vec<NodeId>) {
        let parent = document.create_element(name::UL, Namespace::Html);
        document.append(NodeId::DOCUMENT, parent);
        let items = (0..items)
            .map(|_| {
                let item = document.create_element(name::LI, Namespace::Html);
                document.append(parent, item);
                item
            })
            .collect();
        (parent, items)
    }

    #[test]
    fn unwrapping_puts_the_children_in_the_place_of_their_parent() {
        let mut document = Document::new();
        let (list, items) = list(&mut document, 3);
        document.unwrap(items[1]);
        let inner = document.create_element(name::B, Namespace::Html);
        document.append(items[0], inner);
        document.unwrap(items[0]);
        assert_eq!(document.children(list).collect::<Vec<_>>(), [inner, items[2]]);
        assert_eq!(document.parent(items[0]), None);
        document.assert_invariants();
    }

    #[test]
    fn a_node_is_never_put_below_itself() {
        let mut document = Document::new();
        let (list, items) = list(&mut document, 1);
        document.append(items[0], list);
        document.append(list, list);
        document.insert_before(items[0], list);
        assert_eq!(document.parent(list), Some(NodeId::DOCUMENT));
        document.assert_invariants();
    }

    #[test]
    fn two_texts_that_grow_in_turn_cost_no_more_than_a_few_times_their_length() {
        let mut document = Document::new();
        let first = document.create_text("");
        let second = document.create_text("");
        for _ in 0..10_000 {
            document.append_text(first, "ä");
            document.append_text(second, "b");
        }
        assert_eq!(document.text(first), "ä".repeat(10_000));
        assert_eq!(document.text(second), "b".repeat(10_000));
        assert!(document.buffer.len() < 12 * 30_000, "{}", document.buffer.len());
    }

    #[test]
    fn attributes_are_kept_in_order_and_replaced_in_place() {
        let mut document = Document::new();
        let (_, items) = list(&mut document, 2);
        document.set_attribute(items[0], name::ID, "a");
        document.set_attribute(items[1], name::ID, "b");
        document.set_attribute(items[0], name::CLASS, "c");
        document.set_attribute(items[0], name::ID, "d");
        let seen: Vec<_> = document.attributes(items[0]).map(|attribute| attribute.value).collect();
        assert_eq!(seen, ["d", "c"]);
        document.remove_attribute(items[0], name::ID);
        assert_eq!(document.attribute(items[0], name::ID), None);
        assert_eq!(document.attribute(items[1], name::ID), Some("b"));
    }
}
