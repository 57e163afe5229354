//! A page as blocks of Markdown, before it is written.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use super::lists::{Item, List};
use super::runs::{Content, RunId, Runs};
use super::tables::Cell;
use crate::document::NodeId;

/// The blocks of a page: an arena, the root first.
#[derive(Debug)]
pub(super) struct Outline<'page> {
    blocks: Vec<Block>,
    runs: Runs<'page>,
    codes: Vec<Code>,
    labels: Vec<String>,
    /// The addresses, ready for Markdown, that ids stand for.
    pub(super) addresses: BTreeMap<u32, String>,
    /// The addresses that short forms stand for.
    pub(super) shortened: BTreeMap<String, String>,
}

/// A block's place in its outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockId(NonZeroU32);

impl BlockId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A code block.
#[derive(Debug)]
pub(super) struct Code {
    /// The language that the page names; empty when it names none.
    pub(super) language: String,
    pub(super) text: String,
}

/// A block.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// The element that it stands for.
    pub(super) node: Option<NodeId>,
    /// The id that is written with it.
    pub(super) reference: Option<u32>,
    /// Its inline content, for those that have it.
    run: Option<RunId>,
    parent: BlockId,
    first: Option<BlockId>,
    last: Option<BlockId>,
    next: Option<BlockId>,
}

/// What a block is.
#[derive(Debug)]
pub(super) enum BlockKind {
    /// Blocks that belong together without a mark of their own.
    Group,
    /// Words; of a paragraph element (`own`) or just words between blocks.
    Paragraph {
        own: bool,
    },
    Heading(u8),
    Quote,
    List(List),
    Item(Item),
    /// Its number among those of the page, see [`Outline::code`].
    Code(u32),
    Rule,
    Table,
    Row,
    Cell(Cell),
    Term,
    Definition,
    /// A footnote; the number of its label, see [`Outline::label`].
    Note(u32),
}

impl<'page> Outline<'page> {
    /// The block that holds all others.
    pub(super) const ROOT: BlockId = BlockId(NonZeroU32::MIN);

    /// An outline of a page of about so many nodes, the root alone.
    pub(super) fn with_room_for(nodes: usize) -> Self {
        /// What is not used of the room costs nothing.
        const NODES_A_BLOCK: usize = 4;
        let root = Block {
            kind: BlockKind::Group,
            node: None,
            reference: None,
            run: None,
            parent: Self::ROOT,
            first: None,
            last: None,
            next: None,
        };
        let mut blocks = Vec::with_capacity(nodes / NODES_A_BLOCK + 1);
        blocks.push(root);
        Self {
            blocks,
            runs: Runs::default(),
            codes: Vec::new(),
            labels: Vec::new(),
            addresses: BTreeMap::new(),
            shortened: BTreeMap::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    pub(super) fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    pub(super) fn block_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.index()]
    }

    /// Adds a block as the last child of `parent`.
    pub(super) fn add(&mut self, parent: BlockId, kind: BlockKind, node: Option<NodeId>) -> BlockId {
        let number = u32::try_from(self.blocks.len() + 1).unwrap_or(u32::MAX);
        let id = BlockId(NonZeroU32::MIN.saturating_add(number - 1));
        self.blocks.push(Block { kind, node, reference: None, run: None, parent, first: None, last: None, next: None });
        match self.block(parent).last {
            Some(last) => self.block_mut(last).next = Some(id),
            None => self.block_mut(parent).first = Some(id),
        }
        self.block_mut(parent).last = Some(id);
        id
    }

    /// Adds a code block as the last child of `parent`.
    pub(super) fn add_code(&mut self, parent: BlockId, code: Code, node: NodeId) {
        let number = u32::try_from(self.codes.len()).unwrap_or(u32::MAX);
        self.codes.push(code);
        self.add(parent, BlockKind::Code(number), Some(node));
    }

    /// The code block of this number.
    pub(super) fn code(&self, number: u32) -> Option<&Code> {
        self.codes.get(number as usize)
    }

    /// Adds a footnote with this label as the last child of `parent`.
    pub(super) fn add_note(&mut self, parent: BlockId, label: String, node: NodeId) -> BlockId {
        let number = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        self.labels.push(label);
        self.add(parent, BlockKind::Note(number), Some(node))
    }

    /// The label of a footnote.
    pub(super) fn label(&self, number: u32) -> &str {
        self.labels.get(number as usize).map_or("", String::as_str)
    }

    /// The block's inline content, for those that have it.
    pub(super) fn run(&self, id: BlockId) -> Option<Content<'_>> {
        self.block(id).run.and_then(|run| self.runs.content(run))
    }

    /// Gives the block inline content.
    pub(super) fn set_run(&mut self, id: BlockId, run: RunId) {
        self.block_mut(id).run = Some(run);
    }

    /// Takes the runs that blocks have been given.
    pub(super) fn set_runs(&mut self, runs: Runs<'page>) {
        self.runs = runs;
    }

    /// How many links there are, those of several runs counted in each.
    #[cfg(test)]
    pub(super) fn link_count(&self) -> usize {
        self.runs.links.len()
    }

    /// The block's children in order.
    pub(super) fn children(&self, id: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        std::iter::successors(self.block(id).first, |&child| self.block(child).next)
    }

    /// The last child.
    pub(super) fn last_child(&self, id: BlockId) -> Option<BlockId> {
        self.block(id).last
    }

    /// The block around, such as the list that an item belongs to.
    pub(super) fn parent(&self, id: BlockId) -> BlockId {
        self.block(id).parent
    }

    /// The block that follows in the same parent.
    pub(super) fn next(&self, id: BlockId) -> Option<BlockId> {
        self.block(id).next
    }

    /// The block's list, if it is one.
    pub(super) fn list(&self, id: BlockId) -> Option<&List> {
        match &self.block(id).kind {
            BlockKind::List(list) => Some(list),
            _ => None,
        }
    }

    pub(super) fn list_mut(&mut self, id: BlockId) -> Option<&mut List> {
        match &mut self.block_mut(id).kind {
            BlockKind::List(list) => Some(list),
            _ => None,
        }
    }
}
