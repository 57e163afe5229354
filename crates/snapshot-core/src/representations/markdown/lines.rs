//! What stands on one line: rows of a layout whose cells are a few words each.
//!
//! A flex container, a grid of several columns or a row of table cells puts its children beside
//! each other. When each of them is one line, so is the whole; a paragraph for each would tear
//! apart what belongs together.

use super::flow::{self, Holds};
use crate::document::name;
use crate::draft::Draft;
use crate::flat_tree::FlatTree;
use crate::semantics::Role;
use crate::semantics::style::Display;

/// Longer texts beside each other are columns, not cells.
const SHORT: u32 = 60;

/// For each position, whether its element is a row that is written as one line.
pub(super) fn rows(draft: &Draft<'_>, tree: &FlatTree, holds: &[Holds]) -> Vec<bool> {
    let document = draft.document();
    let mut rows = vec![false; tree.len()];
    let mut contents = vec![Content::default(); tree.len()];
    for position in (1..tree.len()).rev() {
        let node = tree.node(position);
        let Some(parent) = tree.parent_position(position) else { continue };
        if document.is_text(node) {
            contents[parent].add(1, length_of_short(document.text(node)), false);
            continue;
        }
        if !document.is_element(node) || holds[position].any(Holds::IS_SKIPPED) {
            // A note on what was left out stands among the others.
            contents[parent].add(u8::from(draft.elision_note(node).is_some()), 1, false);
            continue;
        }
        let content = contents[position];
        let is_block = holds[position].any(Holds::IS_BLOCK);
        let is_structure = flow::is_structure(draft, node);
        let height = if flow::is_atomic(document, node) || document.is_html(node, name::IMG) {
            1
        } else if is_structure || document.is_html(node, name::BR) {
            2
        } else if content.shown > 1 && content.long < 2 && is_row(draft, tree, position, content) {
            rows[position] = true;
            1
        } else {
            content.blocks.saturating_add(u8::from(content.inline)).min(2)
        };
        let length = if height == 1 { content.length.max(1) } else { content.length };
        let structured = content.structured || is_structure;
        contents[parent].structured |= structured;
        contents[parent].unruly |= height > 1 && (structured || length > SHORT);
        contents[parent].add(height, length, is_block);
    }
    rows
}

/// How many characters the text has besides white space, counted until it is too long for a cell.
fn length_of_short(text: &str) -> u32 {
    // Enough of most texts to tell, and quickly counted when it is ASCII.
    const BEGINNING: usize = 128;
    let beginning = text.as_bytes().get(..BEGINNING).unwrap_or(text.as_bytes());
    if beginning.is_ascii() {
        let is_shown = |&byte: &u8| u32::from(!matches!(byte, 0x09..=0x0d | b' '));
        let length: u32 = beginning.iter().map(is_shown).sum();
        if length > SHORT || beginning.len() == text.len() {
            return length.min(SHORT + 1);
        }
    }
    let characters = text.chars().filter(|character| !character.is_whitespace());
    characters.take(SHORT as usize + 1).fold(0, |length, _| length + 1)
}

/// What has been seen of an element's children.
#[derive(Debug, Clone, Copy, Default)]
struct Content {
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
    /// Characters in all.
    length: u32,
}

impl Content {
    fn add(&mut self, height: u8, length: u32, is_block: bool) {
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
}

/// Whether the element's children stand beside each other, each on one line. The cells of a row of
/// a table may be a few words line by line.
fn is_row(draft: &Draft<'_>, tree: &FlatTree, position: usize, content: Content) -> bool {
    let document = draft.document();
    let node = tree.node(position);
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
