//! Lists: markers, numbers, and whether their items stand close.

use std::borrow::Cow;

use super::blocks::Last;
use super::outline::{BlockId, BlockKind, Outline};
use crate::document::{Document, NodeId, name};

/// A list.
#[derive(Debug, Clone, Default)]
pub(super) struct List {
    /// Its items are numbered.
    pub(super) ordered: bool,
    /// The number of the next item.
    pub(super) next: i64,
    /// The numbers count down.
    pub(super) reversed: bool,
    /// Its first item's number is 1, or it has bullets: it can follow a paragraph directly.
    pub(super) interrupts: bool,
    /// Items follow each other without blank lines.
    pub(super) tight: bool,
}

/// A list's item.
#[derive(Debug, Clone, Default)]
pub(super) struct Item {
    /// Its number in an ordered list.
    pub(super) number: i64,
    /// Whether it is written even when it holds nothing.
    pub(super) keep_empty: bool,
}

impl List {
    /// The list that an `ol`, `ul` or `menu` makes, with `items` items.
    pub(super) fn read(document: &Document, node: NodeId, items: usize) -> Self {
        if !document.is_html(node, name::OL) {
            return Self { interrupts: true, tight: true, ..Self::default() };
        }
        let reversed = document.has_attribute(node, name::REVERSED);
        let first = if reversed { i64::try_from(items).unwrap_or(1) } else { 1 };
        let start = document.attribute(node, name::START).and_then(integer).unwrap_or(first);
        Self { ordered: true, next: start, reversed, interrupts: start == 1, tight: true }
    }

    /// The number of the next item, which may say it itself.
    pub(super) fn number(&mut self, document: &Document, item: NodeId) -> i64 {
        let number = document.attribute(item, name::VALUE).and_then(integer).unwrap_or(self.next);
        self.next = if self.reversed { number.saturating_sub(1) } else { number.saturating_add(1) };
        number
    }
}

/// HTML Standard, "rules for parsing integers".
fn integer(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let length = text.len() - digits.len() + digits.bytes().take_while(u8::is_ascii_digit).count();
    text.get(..length)?.parse().ok()
}

/// What an item's first line begins with. Markdown numbers have no sign and nine digits at most.
pub(super) fn marker(list: Option<&List>, item: &Item, other: bool) -> Cow<'static, str> {
    match list {
        Some(list) if list.ordered => {
            format!("{}{} ", item.number.clamp(0, 999_999_999), if other { ')' } else { '.' }).into()
        }
        _ => if other { "* " } else { "- " }.into(),
    }
}

/// What an item of the list is to its neighbours.
pub(super) fn last(outline: &Outline<'_>, list: BlockId) -> Last {
    Last::Item(list, outline.list(list).is_some_and(|list| list.interrupts))
}

/// Whether no item of the list holds a paragraph of its own right or two blocks that only a
/// blank line keeps apart: then it can be written without blank lines.
pub(super) fn is_tight(outline: &Outline<'_>, list: BlockId) -> bool {
    let mut steps: Vec<BlockId> = Vec::new();
    for item in outline.children(list) {
        let mut last = Last::Nothing;
        steps.clear();
        steps.extend(outline.children(item));
        steps.reverse();
        while let Some(id) = steps.pop() {
            let next = match &outline.block(id).kind {
                BlockKind::Group => {
                    let first = steps.len();
                    steps.extend(outline.children(id));
                    steps[first..].reverse();
                    continue;
                }
                BlockKind::Paragraph { own: true } => return false,
                BlockKind::Paragraph { own: false } => Last::Paragraph,
                BlockKind::Heading(_) => Last::Heading,
                BlockKind::Code(_) => Last::Code,
                BlockKind::Rule => Last::Rule,
                BlockKind::Table => Last::Table,
                BlockKind::Quote => Last::Quote,
                BlockKind::List(_) => self::last(outline, id),
                BlockKind::Term => Last::Term,
                BlockKind::Definition => Last::Definition,
                BlockKind::Note(_) => Last::Note,
                BlockKind::Item(_) | BlockKind::Row | BlockKind::Cell(_) => continue,
            };
            if last.needs_blank_line(next) {
                return false;
            }
            last = next;
        }
    }
    true
}
