//! How each element takes part in the flow of text, and what its subtree holds.

use super::kinds::Kinds;
use super::lines::{self, Extent};
use super::tables::TablePart;
use crate::document::{Document, Marks, NodeId, name};
use crate::draft::Draft;
use crate::flat_tree::FlatTree;
use crate::semantics::Role;
use crate::semantics::style::{Display, is_block_by_name};

/// What stands somewhere below a node, and what all ask about the node itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Holds(u16);

impl Holds {
    /// An element on lines of its own.
    pub(super) const BLOCK: Self = Self(1);
    pub(super) const TABLE: Self = Self(1 << 1);
    /// A heading, list, quote, code block or the like: more than running text.
    pub(super) const STRUCTURE: Self = Self(1 << 2);
    /// Something to click or type into.
    pub(super) const TARGET: Self = Self(1 << 3);
    pub(super) const HEADING: Self = Self(1 << 4);
    /// A picture.
    pub(super) const IMAGE: Self = Self(1 << 5);
    /// The node itself is an element on lines of its own.
    pub(super) const IS_BLOCK: Self = Self(1 << 6);
    /// The node itself is an element that is never shown, nor anything in it.
    pub(super) const IS_SKIPPED: Self = Self(1 << 7);
    /// The node itself is a row of a layout that is written as one line.
    pub(super) const IS_ROW: Self = Self(1 << 8);
    /// The node itself is a heading.
    pub(super) const IS_HEADING: Self = Self(1 << 9);
    /// The node itself is an element that is no part of a table, no control and no piece, so that
    /// the reader has nothing special to do for it.
    pub(super) const IS_PLAIN: Self = Self(1 << 10);
    /// The node itself is a footnote, or stands for one, or leads back from it.
    pub(super) const IS_NOTE: Self = Self(1 << 11);

    #[inline]
    pub(super) fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What is known of a page before it is read, from one pass over its nodes.
#[derive(Debug)]
pub(super) struct Flow<'draft> {
    nodes: Vec<Seen>,
    /// The links of HTML that lead somewhere, in order, and the addresses as written.
    pub(super) links: Vec<(NodeId, &'draft str)>,
}

/// What has been seen of one node and of what is in it.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    holds: Holds,
    content: Extent,
}

impl<'draft> Flow<'draft> {
    /// Looks at all nodes, the last first, so that what is in an element is known before it.
    pub(super) fn new(draft: &'draft Draft<'_>, tree: &FlatTree) -> Self {
        let document = draft.document();
        let mut nodes = vec![Seen::default(); tree.len()];
        let mut links = Vec::new();
        for position in (1..tree.len()).rev() {
            let node = tree.node(position);
            let Some(parent) = tree.parent_position(position) else { continue };
            if document.is_text(node) {
                nodes[parent].content.add(1, lines::length_of_short(document.text(node)), false);
                continue;
            }
            if !document.is_element(node) {
                // A note on what was left out stands among the others.
                nodes[parent].content.add(u8::from(draft.noted_elision(node).is_some()), 1, false);
                continue;
            }
            let kinds = Kinds::of(document, node);
            let address = if kinds.meets(Kinds::ANCHOR) { document.attribute(node, name::HREF) } else { None };
            if let Some(address) = address {
                links.push((node, address));
            }
            if kinds.meets(Kinds::SKIPPED) {
                nodes[position].holds = nodes[position].holds.or(Holds::IS_SKIPPED);
                continue;
            }
            let below = nodes[position];
            let role = draft.role(node);
            let is_target = draft.is_target(node);
            let is_heading = is_heading(document, node, kinds, role);
            let mut holds = if kinds.meets(Kinds::ATOMIC) { Holds::default() } else { below.holds };
            let mut own = Holds::default();
            if is_heading {
                own = own.or(Holds::IS_HEADING);
            }
            if is_block(draft, node, kinds, is_heading, holds) {
                own = own.or(Holds::IS_BLOCK);
                holds = holds.or(Holds::BLOCK);
            }
            // Links that lead somewhere are written as links.
            let is_control = is_target && address.is_none();
            if !is_control && is_plain(document, node, kinds, role) {
                own = own.or(Holds::IS_PLAIN);
            }
            if lines::is_row(draft, tree, position, kinds, own, below.content) {
                own = own.or(Holds::IS_ROW);
            }
            holds = holds.or(holds_itself(kinds, is_heading, is_target));
            nodes[position].holds = below.holds.or(own);
            let around = &mut nodes[parent];
            around.holds = around.holds.or(holds);
            around.content.add_element(kinds, own, below.content);
        }
        links.reverse();
        Self { nodes, links }
    }

    /// What the subtree at the position holds, and what its element is.
    #[inline]
    pub(super) fn holds(&self, position: usize) -> Holds {
        self.nodes[position].holds
    }

    /// Says that the node at the position has to do with footnotes.
    pub(super) fn set_note(&mut self, position: usize) {
        let holds = &mut self.nodes[position].holds;
        *holds = Holds(holds.0 & !Holds::IS_PLAIN.0).or(Holds::IS_NOTE);
    }
}

/// Whether the element is a heading.
#[inline]
fn is_heading(document: &Document, node: NodeId, kinds: Kinds, role: Option<Role>) -> bool {
    role == Some(Role::Heading) || (kinds.meets(Kinds::HEADING) && !document.has_attribute(node, name::ROLE))
}

/// Whether the element is no part of a table and nothing but what its content and style make of it,
/// unless it is a control.
#[inline]
fn is_plain(document: &Document, node: NodeId, kinds: Kinds, role: Option<Role>) -> bool {
    /// The drawn copy of a formula has it, see `math::is_drawing`.
    const HIDDEN: Marks = Marks::of(name::ARIA_HIDDEN);
    kinds.meets(Kinds::HTML)
        && !kinds.meets(Kinds::PIECE.with(Kinds::TABLE_PART))
        && !document.may_have_any(node, HIDDEN)
        && TablePart::of_role(role).is_none()
}

/// Whether the element, whose subtree holds `holds`, stands on lines of its own.
#[inline]
fn is_block(draft: &Draft<'_>, node: NodeId, kinds: Kinds, is_heading: bool, holds: Holds) -> bool {
    if kinds.meets(Kinds::BLOCK) {
        return true;
    }
    if !kinds.meets(Kinds::HTML) || kinds.meets(Kinds::ATOMIC.with(Kinds::IN_LINE)) {
        return false;
    }
    if is_heading {
        return true;
    }
    match draft.page().semantics().style(node).display {
        Display::Contents => false,
        // Hidden by style and yet written, because no stage took it out: by its name.
        Display::None => is_block_by_name(draft.document(), node),
        display if display.is_block() => true,
        _ => holds.any(Holds::BLOCK),
    }
}

/// What the element is to those around it, but for whether it is a block.
#[inline]
fn holds_itself(kinds: Kinds, is_heading: bool, is_target: bool) -> Holds {
    let mut holds = Holds::default();
    if kinds.meets(Kinds::TABLE) {
        holds = holds.or(Holds::TABLE);
    }
    if kinds.meets(Kinds::IMAGE) {
        holds = holds.or(Holds::IMAGE);
    }
    if is_heading {
        holds = holds.or(Holds::HEADING);
    }
    if is_heading || kinds.meets(Kinds::TABLE.with(Kinds::HOLDS_MORE)) {
        holds = holds.or(Holds::STRUCTURE);
    }
    if is_target {
        holds = holds.or(Holds::TARGET);
    }
    holds
}

/// Elements that are never shown, nor anything in them.
pub(super) fn is_skipped(document: &Document, node: NodeId) -> bool {
    Kinds::of(document, node).meets(Kinds::SKIPPED)
}
