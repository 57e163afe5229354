//! Joining the pieces of a name: white space folded, blocks kept apart, size bounded.

use super::Range;
use crate::document::Document;
use crate::flat_tree::FlatTree;

/// Texts under construction, one behind the other in one buffer. Runs of white space become one
/// space and none is left at the ends; no-break spaces are not white space (HTML Standard, "ASCII
/// whitespace").
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub(super) buffer: String,
    /// Where the text at hand begins.
    start: usize,
    space: bool,
}

impl Joined {
    /// Begins a text behind those that are done.
    pub(super) fn begin(&mut self) {
        self.start = self.buffer.len();
        self.space = false;
    }

    /// Takes the text back.
    pub(super) fn discard(&mut self) {
        self.buffer.truncate(self.start);
    }

    /// Adds characters.
    pub(super) fn push(&mut self, piece: &str) {
        let mut rest = piece;
        loop {
            let trimmed = rest.trim_ascii_start();
            self.space |= trimmed.len() < rest.len();
            if trimmed.is_empty() {
                return;
            }
            if self.space && !self.is_empty() {
                self.buffer.push(' ');
            }
            self.space = false;
            let (folded, behind) = trimmed.split_at(folded_length(trimmed.as_bytes()));
            self.buffer.push_str(folded);
            rest = behind;
        }
    }

    /// Keeps what comes next apart from what came before.
    pub(super) fn separate(&mut self) {
        self.space = true;
    }

    /// Where in the buffer the text is; nothing past 4 GiB, which no budget allows.
    pub(super) fn range(&self) -> Range {
        match (u32::try_from(self.start), u32::try_from(self.buffer.len())) {
            (Ok(start), Ok(end)) => Range { start, end },
            _ => Range::default(),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.buffer[self.start..]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn len(&self) -> usize {
        self.buffer.len() - self.start
    }
}

/// How far the text, which begins with a word, has its white space folded already: words with one
/// blank between them.
fn folded_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        if byte > b' ' {
            at += 1;
        } else if byte.is_ascii_whitespace() {
            let is_single = byte == b' ' && text.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace());
            if !is_single {
                break;
            }
            at += 2;
        } else {
            at += 1;
        }
    }
    at
}

pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

fn is_space(character: char) -> bool {
    character.is_ascii_whitespace()
}

/// How much work all names of a page may cost together: elements can share their words (items
/// inside items, one label for many), so the sum is not bounded by the page's size by itself.
/// No page that was not made to exceed this comes near it. Once it is spent, each further name
/// is cut to its first words, and the whole stays linear.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
    name: usize,
}

/// How many times each node and each byte of text may be read for names.
const SHARE: usize = 32;

/// What every name may cost, in nodes and bytes, no matter what others cost.
const MINIMUM: usize = 512;

impl Budget {
    pub(super) fn of(document: &Document, flat_tree: &FlatTree) -> Self {
        let text: usize = flat_tree.nodes().iter().map(|&node| document.text(node).len()).sum();
        Self { left: (flat_tree.len() + text).saturating_mul(SHARE), name: 0 }
    }

    /// Begins a name.
    pub(super) fn begin(&mut self) {
        self.name = MINIMUM;
    }

    /// Takes the cost of reading something; false when it cannot be afforded any more.
    pub(super) fn spend(&mut self, cost: usize) -> bool {
        if self.left >= cost {
            self.left -= cost;
            return true;
        }
        self.left = 0;
        let affordable = self.name >= cost;
        self.name = self.name.saturating_sub(cost);
        affordable
    }
}
