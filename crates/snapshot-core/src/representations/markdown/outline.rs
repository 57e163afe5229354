//! A page as blocks of Markdown, before it is written.

use std::collections::BTreeMap;

use super::lists::{Item, List};
use super::runs::{Content, RunId, Runs};
use super::tables::Cell;
use crate::document::NodeId;

/// The blocks of a page: an arena, the root first.
#[derive(Debug)]
pub(super) struct Outline<'page> {
    blocks: Vec<Block>,
    runs: Runs<'page>,
    /// The addresses, ready for Markdown, that ids stand for.
    pub(super) addresses: BTreeMap<u32, String>,
    /// The addresses that short forms stand for.
    pub(super) shortened: BTreeMap<String, String>,
}

/// A block's place in its outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockId(u32);

impl BlockId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
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
    Code {
        language: String,
        text: String,
    },
    Rule,
    Table,
    Row,
    Cell(Cell),
    Term,
    Definition,
    /// A footnote with its label.
    Note(String),
}

impl<'page> Outline<'page> {
    /// The block that holds all others.
    pub(super) const ROOT: BlockId = BlockId(0);

    pub(super) fn new() -> Self {
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
        Self { blocks: vec![root], runs: Runs::default(), addresses: BTreeMap::new(), shortened: BTreeMap::new() }
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
        let id = BlockId(u32::try_from(self.blocks.len()).unwrap_or(u32::MAX));
        self.blocks.push(Block { kind, node, reference: None, run: None, parent, first: None, last: None, next: None });
        match self.block(parent).last {
            Some(last) => self.block_mut(last).next = Some(id),
            None => self.block_mut(parent).first = Some(id),
        }
        self.block_mut(parent).last = Some(id);
        id
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
