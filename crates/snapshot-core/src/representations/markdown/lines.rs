//! What stands on one line: rows of a layout whose cells are a few words each.
//!
//! A flex container, a grid of several columns or a row of table cells puts its children beside
//! each other. When each of them is one line, so is the whole; a paragraph for each would tear
//! apart what belongs together.

use super::flow::Holds;
use super::kinds::Kinds;
use crate::document::{NodeId, name};
use crate::draft::Draft;
use crate::flat_tree::FlatTree;
use crate::semantics::Role;
use crate::semantics::style::Display;

/// Longer texts beside each other are columns, not cells.
const SHORT: u8 = 60;

/// How many characters the text has besides white space, counted until it is too long for a cell.
pub(super) fn length_of_short(text: &str) -> u8 {
    // Enough of most texts to tell, and quickly counted when it is ASCII.
    const BEGINNING: usize = 128;
    let beginning = text.as_bytes().get(..BEGINNING).unwrap_or(text.as_bytes());
    if beginning.is_ascii() {
        let is_shown = |&byte: &u8| u8::from(!matches!(byte, 0x09..=0x0d | b' '));
        let length: u8 = beginning.iter().map(is_shown).sum();
        if length > SHORT || beginning.len() == text.len() {
            return length.min(SHORT + 1);
        }
    }
    let characters = text.chars().filter(|character| !character.is_whitespace());
    characters.take(usize::from(SHORT) + 1).fold(0, |length, _| length + 1)
}

/// What has been seen of an element's children.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extent {
    /// Lines of those that stand on lines of their own, up to a few.
    blocks: u8,
    /// Whether anything runs along between them.
    inline: bool,
    /// How many show something, up to a few; the most lines of one; how many are long.
    shown: u8,
    tallest: u8,
    long: u8,
    /// Whether a paragraph, list or the like is in there.
    structured: bool,
    /// Whether a child of several lines is more than a few words.
    unruly: bool,
    /// Characters in all, up to a few hundred.
    length: u8,
}

impl Extent {
    /// Takes up a child of so many lines and characters.
    #[inline]
    pub(super) fn add(&mut self, height: u8, length: u8, is_block: bool) {
        if height == 0 || length == 0 {
            return;
        }
        if is_block {
            self.blocks = self.blocks.saturating_add(height);
        } else {
            self.inline = true;
            self.blocks = self.blocks.saturating_add(height - 1);
        }
        self.shown = self.shown.saturating_add(1);
        self.tallest = self.tallest.max(height);
        self.long = self.long.saturating_add(u8::from(length > SHORT));
        self.length = self.length.saturating_add(length);
    }

    /// Takes up an element that is `own` and holds `content`.
    #[inline]
    pub(super) fn add_element(&mut self, kinds: Kinds, own: Holds, content: Self) {
        let is_structure = is_structure(kinds, own);
        let height = if kinds.meets(ONE_LINE) || own.any(Holds::IS_ROW) {
            1
        } else if is_structure || kinds.meets(Kinds::BREAK) {
            2
        } else {
            content.blocks.saturating_add(u8::from(content.inline)).min(2)
        };
        let length = if height == 1 { content.length.max(1) } else { content.length };
        let structured = content.structured || is_structure;
        self.structured |= structured;
        self.unruly |= height > 1 && (structured || length > SHORT);
        self.add(height, length, own.any(Holds::IS_BLOCK));
    }
}

/// Elements that are one line whatever is inside.
const ONE_LINE: Kinds = Kinds::ATOMIC.with(Kinds::IMAGE);

/// Whether the element is something of its own: a paragraph, a heading, a list, a table.
fn is_structure(kinds: Kinds, own: Holds) -> bool {
    kinds.meets(Kinds::STRUCTURE) || own.any(Holds::IS_HEADING)
}

/// Whether the element at the position, which is `own` and holds `content`, is a row that is
/// written as one line.
#[inline]
pub(super) fn is_row(
    draft: &Draft<'_>,
    tree: &FlatTree,
    position: usize,
    kinds: Kinds,
    own: Holds,
    content: Extent,
) -> bool {
    let may_be = content.shown > 1 && content.long < 2;
    may_be
        && !kinds.meets(ONE_LINE.with(Kinds::BREAK))
        && !is_structure(kinds, own)
        && stands_beside_each_other(draft, tree, tree.node(position), content)
}

/// Whether the element's children stand beside each other, each on one line. The cells of a row of
/// a table may be a few words line by line.
fn stands_beside_each_other(draft: &Draft<'_>, tree: &FlatTree, node: NodeId, content: Extent) -> bool {
    let document = draft.document();
    if draft.role(node) == Some(Role::Row) && !content.unruly {
        return true;
    }
    if content.tallest > 1 {
        return false;
    }
    if document.is_html(node, name::TR) || draft.page().semantics().style(node).lays_in_row {
        return true;
    }
    let mut children = tree.children(node).filter(|&child| document.is_element(child)).peekable();
    children.peek().is_some()
        && children.all(|child| draft.page().semantics().style(child).display == Display::TableCell)
}
