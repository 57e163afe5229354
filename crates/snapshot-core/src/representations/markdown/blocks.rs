//! Writes the blocks of an outline: paragraphs, headings, lists, quotes, code, tables, rules.

use std::borrow::Cow;

use super::code;
use super::escaping;
use super::inline::{self, Place, Sink};
use super::links;
use super::lists;
use super::outline::{BlockId, BlockKind, Code, Outline};
use super::tables;
use crate::document::NodeId;
use crate::writer::Writer;

/// Writes the whole outline.
pub(super) fn write(outline: &Outline<'_>, references: bool, writer: &mut Writer) {
    let mut blocks = BlockWriter {
        outline,
        references,
        has_records: writer.has_records(),
        writer,
        prefix: String::new(),
        waiting: Vec::new(),
        levels: vec![Level { last: Last::Nothing, tight: false, prefix: 0 }],
        other_marker: vec![false; outline.len()],
    };
    let mut steps = vec![Step::Enter(Outline::ROOT)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Enter(block) => blocks.enter(block, &mut steps),
            Step::Leave(block) => blocks.leave(block),
        }
    }
    if !writer.text().is_empty() {
        writer.push('\n');
    }
    if !outline.addresses.is_empty() || !outline.shortened.is_empty() {
        writer.push('\n');
    }
    for (number, address) in &outline.addresses {
        writer.push_str(&format!("[e{number}]: {address}\n"));
    }
    for (short, address) in &outline.shortened {
        writer.push_str(&format!("[{}]: {}\n", escaping::label(short), links::escape(address)));
    }
}

/// As many as the longest marker of an item is long.
const SPACES: &str = "            ";

enum Step {
    Enter(BlockId),
    Leave(BlockId),
}

struct BlockWriter<'outline, 'writer> {
    outline: &'outline Outline<'outline>,
    references: bool,
    /// Whether anybody asks what has been written for which element.
    has_records: bool,
    writer: &'writer mut Writer,
    /// What each line begins with.
    prefix: String,
    /// Elements and containers that have begun but written nothing yet: their marker comes with
    /// their content.
    waiting: Vec<Waiting>,
    /// The containers around, outermost first; those that wait are the last of them.
    levels: Vec<Level>,
    /// Lists that follow another of their kind and need another marker to stay apart.
    other_marker: Vec<bool>,
}

/// What is written right before the next content, if any comes.
enum Waiting {
    /// An element begins, and the id that is written with it.
    Open(NodeId, Option<u32>),
    /// A container's marker, what its other lines begin with, and what it is to its neighbours.
    Container { marker: Cow<'static, str>, indent: Cow<'static, str>, last: Last },
}

struct Level {
    /// What was written last in it.
    last: Last,
    /// Whether its blocks stand without blank lines where they can.
    tight: bool,
    /// How long the prefix is outside of it.
    prefix: usize,
}

/// What was written last, as far as the next block has to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Last {
    Nothing,
    Paragraph,
    Heading,
    Code,
    Rule,
    Table,
    Quote,
    /// An item of this list; whether such an item can follow a paragraph without a blank line.
    Item(BlockId, bool),
    Term,
    Definition,
    Note,
}

impl Last {
    /// Whether `next` must stand off by a blank line even where lines are close.
    pub(super) fn needs_blank_line(self, next: Self) -> bool {
        match (self, next) {
            (Self::Nothing, _) | (Self::Term | Self::Definition, Self::Definition) => false,
            (Self::Paragraph, Self::Paragraph | Self::Rule | Self::Table | Self::Item(_, false)) => true,
            (Self::Item(before, _), Self::Item(next, _)) => before != next,
            // What follows them would be read as the rest of their last paragraph.
            (Self::Quote, Self::Quote | Self::Paragraph | Self::Table | Self::Item(_, false)) => true,
            (Self::Item(..), Self::Paragraph | Self::Table | Self::Rule) => true,
            (Self::Table | Self::Term | Self::Definition | Self::Note, _) => true,
            (_, Self::Term | Self::Definition | Self::Note) => true,
            _ => false,
        }
    }
}

impl BlockWriter<'_, '_> {
    fn enter(&mut self, id: BlockId, steps: &mut Vec<Step>) {
        let outline = self.outline;
        let block = outline.block(id);
        steps.push(Step::Leave(id));
        if let Some(node) = block.node.filter(|_| self.has_records) {
            self.waiting.push(Waiting::Open(node, block.reference));
        }
        match &block.kind {
            BlockKind::Group | BlockKind::Row | BlockKind::Cell(_) => {}
            BlockKind::List(list) => {
                if let Some(Level { last: Last::Item(before, _), .. }) = self.levels.last()
                    && outline.list(*before).is_some_and(|before| before.ordered == list.ordered)
                {
                    self.other_marker[id.index()] = !self.other_marker[before.index()];
                }
            }
            BlockKind::Quote => self.container("> ".into(), "> ".into(), Last::Quote, false),
            BlockKind::Item(item) => {
                let list = outline.parent(id);
                let marker = lists::marker(outline.list(list), item, self.other_marker[list.index()]);
                let indent = SPACES.get(..marker.len()).unwrap_or(SPACES).into();
                let tight = outline.list(list).is_some_and(|list| list.tight);
                self.container(marker, indent, lists::last(outline, list), tight);
            }
            BlockKind::Definition => self.container(": ".into(), "  ".into(), Last::Definition, true),
            BlockKind::Note(number) => {
                let marker = format!("[^{}]: ", outline.label(*number));
                self.container(marker.into(), "    ".into(), Last::Note, false);
            }
            BlockKind::Paragraph { .. } => {
                let first =
                    self.levels.last().is_some_and(|level| level.last == Last::Nothing) && self.levels.len() > 1;
                self.begin(Last::Paragraph);
                self.run(id, if first { Place::Item } else { Place::Paragraph });
            }
            BlockKind::Term => {
                // Neighbouring terms are lines of one paragraph to a reader.
                let is_term = |block: BlockId| matches!(outline.block(block).kind, BlockKind::Term);
                let crowded = self.levels.last().is_some_and(|level| level.last == Last::Term)
                    || outline.next(id).is_some_and(is_term);
                self.begin(Last::Term);
                self.run(id, if crowded { Place::Terms } else { Place::Paragraph });
            }
            BlockKind::Heading(level) => {
                self.begin(Last::Heading);
                self.writer.push_str(&"######"[..usize::from((*level).clamp(1, 6))]);
                self.writer.push(' ');
                self.run(id, Place::Heading);
            }
            BlockKind::Rule => {
                self.begin(Last::Rule);
                // Behind a bullet of the same character it would be one with it.
                // At the very top it would begin a block of metadata.
                let text = self.writer.text();
                let rule = if text.is_empty() || text.ends_with("- ") { "***" } else { "---" };
                self.writer.push_str(rule);
            }
            BlockKind::Code(number) => {
                self.begin(Last::Code);
                if let Some(Code { language, text }) = outline.code(*number) {
                    self.code(language, text);
                }
            }
            BlockKind::Table => {
                let rows = tables::rows(outline, id);
                if !rows.is_empty() {
                    self.begin(Last::Table);
                    let references = self.references;
                    tables::write(outline, &rows, references, self);
                }
                return;
            }
        }
        let first = steps.len();
        steps.extend(outline.children(id).map(Step::Enter));
        steps[first..].reverse();
    }

    fn leave(&mut self, id: BlockId) {
        let block = self.outline.block(id);
        match &block.kind {
            BlockKind::Item(item) => self.leave_container(item.keep_empty),
            BlockKind::Quote | BlockKind::Definition | BlockKind::Note(_) => self.leave_container(false),
            _ => {}
        }
        if self.has_records
            && block.node.is_some()
            && self.waiting.pop_if(|waiting| matches!(waiting, Waiting::Open(..))).is_none()
        {
            self.writer.close();
        }
    }

    fn run(&mut self, id: BlockId, place: Place) {
        if let Some(run) = self.outline.run(id) {
            let references = self.references;
            inline::write(run, place, references, self);
        }
    }

    fn container(&mut self, marker: Cow<'static, str>, indent: Cow<'static, str>, last: Last, tight: bool) {
        self.waiting.push(Waiting::Container { marker, indent, last });
        self.levels.push(Level { last: Last::Nothing, tight, prefix: self.prefix.len() });
    }

    /// A container that has written nothing goes without a trace, unless it is to be kept.
    fn leave_container(&mut self, keep_empty: bool) {
        if keep_empty && let Some(Waiting::Container { marker, .. }) = self.waiting.last_mut() {
            *marker = marker.trim_end().to_owned().into();
            self.begin(Last::Nothing);
        }
        let level = self.levels.pop();
        let is_container = |waiting: &mut Waiting| matches!(waiting, Waiting::Container { .. });
        if self.waiting.pop_if(is_container).is_none()
            && let Some(level) = level
        {
            self.prefix.truncate(level.prefix);
        }
    }

    /// Sets the next block off from what stands before it, and writes the markers that wait.
    fn begin(&mut self, next: Last) {
        let mut waiting = std::mem::take(&mut self.waiting);
        let lasts = || {
            waiting.iter().filter_map(|waiting| match waiting {
                Waiting::Container { last, .. } => Some(*last),
                Waiting::Open(..) => None,
            })
        };
        let first = lasts().next().unwrap_or(next);
        let mut level = self.levels.len() - 1 - lasts().count();
        let Level { last, tight, .. } = self.levels[level];
        let blank = match (last, first) {
            (Last::Nothing, _) => None,
            (Last::Item(before, _), Last::Item(next, _)) if before == next => {
                Some(self.outline.list(next).is_some_and(|list| !list.tight))
            }
            (Last::Term | Last::Definition, Last::Definition) | (Last::Term, Last::Term) => Some(false),
            _ => Some(!tight || last.needs_blank_line(first)),
        };
        if let Some(blank) = blank {
            if blank {
                self.writer.push('\n');
                self.writer.push_str(self.prefix.trim_end());
            }
            self.line();
        }
        for waiting in waiting.drain(..) {
            match waiting {
                Waiting::Open(node, reference) => self.open(node, reference),
                Waiting::Container { marker, indent, last } => {
                    self.levels[level].last = last;
                    level += 1;
                    self.levels[level].prefix = self.prefix.len();
                    self.writer.push_str(&marker);
                    self.prefix.push_str(&indent);
                }
            }
        }
        self.levels[level].last = next;
        self.waiting = waiting;
    }

    fn code(&mut self, language: &str, text: &str) {
        let fence = code::fence(text);
        self.writer.push_str(&fence);
        self.writer.push_str(language);
        for line in text.split_terminator('\n') {
            self.writer.push('\n');
            if line.is_empty() {
                self.writer.push_str(self.prefix.trim_end());
            } else {
                self.writer.push_str(&self.prefix);
                self.writer.push_str(line);
            }
        }
        self.line();
        self.writer.push_str(&fence);
    }
}

impl Sink for BlockWriter<'_, '_> {
    fn has_records(&self) -> bool {
        self.has_records
    }

    fn push_str(&mut self, text: &str) {
        self.writer.push_str(text);
    }

    fn line(&mut self) {
        self.writer.push('\n');
        self.writer.push_str(&self.prefix);
    }

    fn open(&mut self, node: NodeId, reference: Option<u32>) {
        self.writer.open(node);
        if let Some(number) = reference {
            self.writer.reference(number);
        }
    }

    fn close(&mut self) {
        self.writer.close();
    }

    fn mark(&mut self, text: NodeId) {
        self.writer.mark(text);
    }
}
