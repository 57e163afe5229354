//! What the arena stores: plain records that point at each other by number.

use super::marks::Marks;
use super::names::Name;

/// A node's place in its [`Document`](super::Document). Given at parse, it never moves and is
/// never given to another node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The document node, which every document has.
    pub const DOCUMENT: Self = Self(0);

    /// The node's number, from 0 and without gaps: an index for tables beside the document.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for NodeId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "n{}", self.0)
    }
}

/// A [`NodeId`] or nothing, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    pub(crate) const NONE: Self = Self(u32::MAX);

    #[inline]
    pub(crate) fn get(self) -> Option<NodeId> {
        (self != Self::NONE).then_some(NodeId(self.0))
    }
}

impl From<Option<NodeId>> for Link {
    fn from(id: Option<NodeId>) -> Self {
        id.map_or(Self::NONE, |id| Self(id.0))
    }
}

impl From<NodeId> for Link {
    fn from(id: NodeId) -> Self {
        Self(id.0)
    }
}

impl std::fmt::Debug for Link {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.get() {
            Some(id) => id.fmt(formatter),
            None => formatter.write_str("-"),
        }
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NodeKind {
    /// The root of a page or of a frame's page.
    Document,
    /// `<!DOCTYPE …>`; its name is the node's text.
    Doctype,
    /// An element.
    Element,
    /// A run of characters.
    Text,
    /// `<!-- … -->`.
    Comment,
    /// `<? … >`, kept as data.
    ProcessingInstruction,
    /// The root of a shadow tree.
    ShadowRoot,
    /// The inert content of a `<template>`.
    TemplateContents,
}

impl NodeKind {
    /// Whether the node is the root of a tree of its own: it has no parent, only a host.
    #[inline]
    pub fn is_root(self) -> bool {
        matches!(self, Self::Document | Self::ShadowRoot | Self::TemplateContents)
    }

    /// Whether the node has characters of its own.
    #[inline]
    pub(crate) fn has_text(self) -> bool {
        matches!(self, Self::Doctype | Self::Text | Self::Comment | Self::ProcessingInstruction)
    }
}

/// All there is of a node: its place in the tree, and where its characters or attributes lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Link,
    /// The sibling before; for a first child the last one, so that it is at hand without a link of
    /// the parent's own.
    pub(crate) previous: Link,
    pub(crate) next: Link,
    pub(crate) first: Link,
    /// Where an element's attributes begin in the table of all, or a text's characters in the
    /// buffer. For a root, the host's id.
    pub(crate) start: u32,
    /// The number of the attributes, or of the characters' bytes.
    pub(crate) length: u32,
    /// For an element the [`Marks`] of its attributes' names, so that most questions for one that
    /// is not there need no look at those that are; marks of removed ones may stay. For a text the
    /// room that its characters have, see [`TextRecord`].
    pub(crate) extra: u32,
    /// The number of an element's name; see [`Node::short_name`].
    pub(crate) name: u16,
    pub(crate) namespace: Namespace,
    pub(crate) kind: NodeKind,
}

impl Node {
    /// Stands for the names whose numbers are too large; the document keeps those elsewhere.
    pub(crate) const LONG_NAME: u16 = u16::MAX;

    /// Stands for the host of a root that has none.
    pub(crate) const NO_HOST: u32 = u32::MAX;

    /// A node without name that is not in a tree.
    #[inline]
    pub(crate) fn unlinked(kind: NodeKind, start: u32, length: u32, extra: u32) -> Self {
        Self {
            parent: Link::NONE,
            previous: Link::NONE,
            next: Link::NONE,
            first: Link::NONE,
            start,
            length,
            extra,
            name: 0,
            namespace: Namespace::Html,
            kind,
        }
    }

    /// The name as far as it fits.
    pub(crate) fn short_name(name: Name) -> u16 {
        u16::try_from(name.number()).unwrap_or(Self::LONG_NAME)
    }

    /// What an element's attributes are named, and whether trees hang on it.
    #[inline]
    pub(crate) fn marks(&self) -> Marks {
        Marks::from_bits(self.extra)
    }

    /// Where a text's characters are.
    #[inline]
    pub(crate) fn text(&self) -> TextRecord {
        TextRecord { range: TextRange { start: self.start, length: self.length }, capacity: self.extra }
    }

    pub(crate) fn set_text(&mut self, text: TextRecord) {
        self.start = text.range.start;
        self.length = text.range.length;
        self.extra = text.capacity;
    }
}

/// The namespace of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Namespace {
    /// `http://www.w3.org/1999/xhtml`
    Html,
    /// `http://www.w3.org/2000/svg`
    Svg,
    /// `http://www.w3.org/1998/Math/MathML`
    MathMl,
}

/// The namespace of an attribute (almost always [`None`](Self::None)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum AttributeNamespace {
    /// No namespace.
    None,
    /// `xlink:href` and its kin in SVG and MathML.
    XLink,
    /// `xml:lang`, `xml:space`.
    Xml,
    /// `xmlns`, `xmlns:xlink`.
    Xmlns,
}

/// Whether scripts of the page can reach a shadow root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ShadowMode {
    /// Reachable as `element.shadowRoot`.
    Open,
    /// Not reachable by the page's scripts.
    Closed,
}

/// A stretch of the document's text buffer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextRange {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

/// A text-like node's characters, and the room kept behind them so that appending stays linear
/// even when a parser adds to two text nodes in turn (foster parenting does).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextRecord {
    pub(crate) range: TextRange,
    pub(crate) capacity: u32,
}

/// The trees that hang on an element without being its children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attached {
    pub(crate) shadow_root: Link,
    pub(crate) shadow_mode: ShadowMode,
    pub(crate) template_contents: Link,
    pub(crate) frame: Link,
}

impl Attached {
    pub(crate) const EMPTY: Self = Self {
        shadow_root: Link::NONE,
        shadow_mode: ShadowMode::Open,
        template_contents: Link::NONE,
        frame: Link::NONE,
    };
}

/// One attribute as stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeRecord {
    /// The number of the name, with the namespace in the bits above.
    name: u32,
    pub(crate) value: TextRange,
}

impl AttributeRecord {
    /// The bits of the name's number. A document cannot hold the text of as many names.
    const NAME_BITS: u32 = 30;

    #[inline]
    pub(crate) fn new(name: Name, namespace: AttributeNamespace, value: TextRange) -> Self {
        Self { name: name.number() | (namespace as u32) << Self::NAME_BITS, value }
    }

    #[inline]
    pub(crate) fn name(&self) -> Name {
        Name::numbered(self.name & ((1 << Self::NAME_BITS) - 1))
    }

    #[inline]
    pub(crate) fn namespace(&self) -> AttributeNamespace {
        match self.name >> Self::NAME_BITS {
            0 => AttributeNamespace::None,
            1 => AttributeNamespace::XLink,
            2 => AttributeNamespace::Xml,
            _ => AttributeNamespace::Xmlns,
        }
    }
}

/// One attribute of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute<'document> {
    /// The qualified name, `xlink:href` for example.
    pub name: Name,
    /// The namespace.
    pub namespace: AttributeNamespace,
    /// The value, character references resolved.
    pub value: &'document str,
}
