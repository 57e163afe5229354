//! The tree that is written: the page's accessibility tree after collapsing.

use std::borrow::Cow;
use std::ops::Range;

use crate::document::NodeId;
use crate::semantics::{Role, States};
use crate::writer::Writer;

use super::yaml;

/// The nodes to write. The first item is the page itself, of which only the children are
/// written.
#[derive(Debug, Default)]
pub(super) struct AxTree<'page> {
    pub(super) items: Vec<Item<'page>>,
    /// What stands below the items, those of one item beside each other.
    pub(super) children: Vec<Child>,
    /// The text of all runs, one after the other.
    pub(super) text: String,
    /// The phrase elements of all runs, by their place in `text`.
    pub(super) marks: Vec<Mark>,
    /// Where the text of each text node of the page begins in `text`.
    pub(super) sources: Vec<(usize, NodeId)>,
}

/// One node.
#[derive(Debug)]
pub(super) struct Item<'page> {
    pub(super) node: NodeId,
    pub(super) role: Role,
    /// The name to write; empty when there is none or it is said below.
    pub(super) name: Cow<'page, str>,
    pub(super) states: States,
    pub(super) reference: Option<u32>,
    pub(super) url: Option<Cow<'page, str>>,
    pub(super) placeholder: Option<Box<str>>,
    pub(super) value: Option<Box<str>>,
    /// Its place in [`AxTree::children`].
    pub(super) children: Range<usize>,
    /// Elements that the item's own line stands for too.
    pub(super) absorbed: Vec<NodeId>,
}

/// What stands below an item.
#[derive(Debug)]
pub(super) enum Child {
    Item(usize),
    Run(Run),
    /// Options of a long native list, written in one line.
    Options(Vec<usize>),
    /// A note on what was left out here.
    Note(String),
}

/// A run of text with the phrase elements in it. It may hold no text, only where phrase
/// elements begin and end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: Range<usize>,
    pub(super) marks: Range<usize>,
}

/// Where a phrase element begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: usize,
    /// The element that begins; nothing where one ends.
    pub(super) opens: Option<NodeId>,
}

impl AxTree<'_> {
    /// What stands below an item.
    pub(super) fn children(&self, item: &Item<'_>) -> &[Child] {
        self.children.get(item.children.clone()).unwrap_or(&[])
    }

    /// The text of a run.
    pub(super) fn run_text(&self, run: &Run) -> &str {
        self.text.get(run.text.clone()).unwrap_or("")
    }

    /// The marks of a run.
    pub(super) fn run_marks(&self, run: &Run) -> &[Mark] {
        self.marks.get(run.marks.clone()).unwrap_or(&[])
    }

    /// Writes a run as a YAML value, with its phrase elements in place.
    pub(super) fn write_run(&self, run: &Run, writer: &mut Writer) {
        let text = self.run_text(run);
        let quoted = !text.is_empty() && !yaml::is_plain(text);
        if quoted {
            writer.push('"');
        }
        let mut at = run.text.start;
        for mark in self.run_marks(run) {
            self.write_part(at..mark.at, quoted, writer);
            at = mark.at;
            match mark.opens {
                Some(node) => writer.open(node),
                None => writer.close(),
            }
        }
        self.write_part(at..run.text.end, quoted, writer);
        if quoted {
            writer.push('"');
        }
    }

    /// Says whose text is written next.
    pub(super) fn mark_source(&self, at: usize, writer: &mut Writer) {
        if !writer.records_texts() {
            return;
        }
        let behind = self.sources.partition_point(|&(start, _)| start <= at);
        if let Some(&(_, node)) = behind.checked_sub(1).and_then(|source| self.sources.get(source)) {
            writer.mark(node);
        }
    }

    fn write_part(&self, part: Range<usize>, quoted: bool, writer: &mut Writer) {
        if !writer.records_texts() {
            return self.write_slice(part, quoted, writer);
        }
        let mut start = part.start;
        self.mark_source(start, writer);
        let inside = self.sources.partition_point(|&(at, _)| at <= part.start);
        for &(at, node) in self.sources.get(inside..).unwrap_or_default() {
            if at >= part.end {
                break;
            }
            self.write_slice(start..at, quoted, writer);
            writer.mark(node);
            start = at;
        }
        self.write_slice(start..part.end, quoted, writer);
    }

    fn write_slice(&self, part: Range<usize>, quoted: bool, writer: &mut Writer) {
        let part = self.text.get(part).unwrap_or("");
        if quoted {
            writer.append(|out| yaml::push_escaped(out, part));
        } else {
            writer.push_str(part);
        }
    }

    /// Whether the child takes a line: everything but a run without text.
    pub(super) fn takes_line(&self, child: &Child) -> bool {
        match child {
            Child::Run(run) => !run.text.is_empty(),
            Child::Item(_) | Child::Options(_) | Child::Note(_) => true,
        }
    }

    /// The only text below the item, if there is nothing else below it.
    pub(super) fn has_only_text(&self, item: &Item<'_>) -> bool {
        item.value.is_none()
            && item.url.is_none()
            && item.placeholder.is_none()
            && self.children(item).iter().all(|child| matches!(child, Child::Run(_)))
            && self.children(item).iter().filter(|child| self.takes_line(child)).count() == 1
    }

    /// Whether the item's line stands alone.
    pub(super) fn is_leaf(&self, item: &Item<'_>) -> bool {
        item.value.is_none()
            && item.url.is_none()
            && item.placeholder.is_none()
            && !self.children(item).iter().any(|child| self.takes_line(child))
    }
}
