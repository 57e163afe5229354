//! Reads a draft into an outline, walking its flat tree once.

mod blocks;
mod pieces;
mod tables;

use rustc_hash::FxHashSet;

use super::controls;
use super::flow::{Flow, Holds};
use super::footnotes::Footnotes;
use super::links::ShortUrls;
use super::lists;
use super::marks::{Format, Link};
use super::math;
use super::outline::{BlockId, BlockKind, Outline};
use super::run::{Run, is_collapsible};
use super::runs::RunId;
use crate::document::{Document, Namespace, NodeId, name};
use crate::draft::Draft;
use crate::flat_tree::FlatTree;
use crate::representations::{ReferencePolicy, UrlPolicy, View};

/// The outline of what the draft holds.
pub(super) fn read<'read>(view: &'read View<'_>, tree: &'read FlatTree, records_texts: bool) -> Outline<'read> {
    let mut flow = Flow::new(view.draft, tree);
    // With ids the links of footnotes stay links, to be followed both ways.
    let footnotes = match view.references {
        ReferencePolicy::None => Footnotes::find(view.draft.document(), tree, &flow.links),
        _ => Footnotes::default(),
    };
    for position in footnotes.nodes().filter_map(|node| tree.position(node)) {
        flow.set_note(position);
    }
    let short = match view.options.urls {
        UrlPolicy::Short => ShortUrls::of(view.draft.page()),
        _ => ShortUrls::default(),
    };
    let mut reader = Reader {
        view,
        document: view.draft.document(),
        tree,
        footnotes,
        doubles: doubles(view.draft, &flow.links),
        flow,
        short,
        outline: Outline::with_room_for(tree.len()),
        containers: vec![Outline::ROOT],
        frames: Vec::new(),
        run: Run::with_room_for(tree.len()),
        has_run: false,
        records_texts,
        own_paragraph: false,
        open_elements: 0,
        flat: None,
        around: Vec::new(),
        code: 0,
        tables: Vec::new(),
        row_mark: None,
        box_of_item: None,
    };
    let mut position = 0;
    while position < tree.len() {
        while let Some(frame) = reader.frames.pop_if(|frame| frame.end <= position) {
            reader.leave(frame.exit);
        }
        position = reader.node(position);
    }
    while let Some(frame) = reader.frames.pop() {
        reader.leave(frame.exit);
    }
    reader.end_run();
    for number in std::mem::take(&mut reader.run.unwritten) {
        reader.outline.addresses.remove(&number);
    }
    reader.outline.set_runs(reader.run.into_runs());
    reader.outline
}

/// Links without a name beside one with a name that leads to the same place: they say nothing.
fn doubles(draft: &Draft<'_>, links: &[(NodeId, &str)]) -> FxHashSet<NodeId> {
    let mut doubles = FxHashSet::default();
    for pair in links.windows(2) {
        if let [(first, first_address), (second, second_address)] = *pair
            && first_address == second_address
        {
            match (draft.name(first).is_empty(), draft.name(second).is_empty()) {
                (true, false) => _ = doubles.insert(first),
                (false, true) => _ = doubles.insert(second),
                _ => {}
            }
        }
    }
    doubles
}

struct Reader<'read> {
    view: &'read View<'read>,
    document: &'read Document,
    tree: &'read FlatTree,
    flow: Flow<'read>,
    footnotes: Footnotes,
    doubles: FxHashSet<NodeId>,
    short: ShortUrls,
    outline: Outline<'read>,
    /// The blocks around, outermost first.
    containers: Vec<BlockId>,
    /// What is to be done when the walk leaves an element.
    frames: Vec<Frame>,
    /// The inline content being collected.
    run: Run<'read>,
    /// Whether any is.
    has_run: bool,
    /// Whether anybody asks which text node wrote what.
    records_texts: bool,
    /// Whether the run is the content of a paragraph element.
    own_paragraph: bool,
    /// Elements begun in the run and not yet ended.
    open_elements: u32,
    /// The block that takes all content as one run: a heading, a cell, a row of a layout.
    flat: Option<Flat>,
    /// Formatting and links whose element holds blocks: each run within takes them up anew.
    around: Vec<Around<'read>>,
    /// How many code elements are around.
    code: u32,
    /// The tables around.
    tables: Vec<OpenTable>,
    /// The mark of the row begun last, until a cell begins.
    row_mark: Option<(NodeId, u32, controls::Mark)>,
    /// The checkbox that the item begun last has as its box.
    box_of_item: Option<NodeId>,
}

struct OpenTable {
    /// Whether it is written as a table.
    is_data: bool,
    /// What holds its caption and its rows.
    group: BlockId,
    /// Its rows' block, once there is one.
    block: Option<BlockId>,
}

struct Frame {
    end: usize,
    exit: Exit,
}

enum Exit {
    /// A container ends; how `own_paragraph` was outside.
    Container(bool),
    Table,
    /// The list's looseness can now be told.
    List(BlockId),
    Flat(BlockId),
    /// A block within a flat block.
    Boundary(bool),
    Element,
    Format(Format),
    Link,
    Around,
    Code,
    Text(&'static str),
    Space,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flat {
    Heading,
    Cell,
    Term,
    Line,
}

enum Around<'read> {
    Format(Format),
    /// `group` is the block that has the link's id.
    Link {
        link: Link<'read>,
        used: bool,
        in_heading: bool,
        group: Option<BlockId>,
    },
}

impl<'read> Reader<'read> {
    /// Takes in what stands at the position; returns the position to go on with.
    fn node(&mut self, position: usize) -> usize {
        let node = self.tree.node(position);
        if self.document.is_text(node) {
            self.text(node);
        } else if self.document.is_element(node) {
            if self.flow.holds(position).any(Holds::IS_SKIPPED) {
                return self.tree.end(position);
            }
            return self.element(position, node);
        } else if let Some(note) = self.view.draft.elision_note(node) {
            // In a paragraph of its own, unless it stands in a cell or heading.
            if self.flat.is_none() {
                self.end_run();
            }
            let run = self.run();
            run.space();
            run.raw(&format!("[{note}]"));
            run.space();
            if self.flat.is_none() {
                self.end_run();
            }
        }
        position + 1
    }

    fn text(&mut self, node: NodeId) {
        let text = self.document.text(node);
        if !self.has_run && text.chars().all(is_collapsible) {
            return;
        }
        let (in_code, records_texts) = (self.code > 0, self.records_texts);
        let run = self.run();
        if in_code {
            run.code(&pieces::collapse(text));
        } else {
            if records_texts {
                run.source(node);
            }
            run.text(text);
        }
    }

    fn element(&mut self, position: usize, node: NodeId) -> usize {
        let holds = self.flow.holds(position);
        if !holds.any(Holds::IS_PLAIN)
            && let Some(next) = self.special(position, node)
        {
            return next;
        }
        if holds.any(Holds::IS_BLOCK) {
            if self.flat.is_some() { self.block_in_flat(position, node) } else { self.block(position, node) }
        } else {
            self.inline(position, node);
            position + 1
        }
    }

    /// Takes in an element that is more than a block or formatting; none when it is no such.
    fn special(&mut self, position: usize, node: NodeId) -> Option<usize> {
        if self.box_of_item == Some(node) || math::is_drawing(self.document, self.tree, node) {
            return Some(self.tree.end(position));
        }
        if self.flow.holds(position).any(Holds::IS_NOTE)
            && let Some(next) = self.footnote(position, node)
        {
            return Some(next);
        }
        match self.document.namespace(node) {
            Some(Namespace::MathMl) => return Some(self.math(position, node)),
            Some(Namespace::Svg) => return Some(self.svg(position, node)),
            _ => {}
        }
        if self.flat.is_none()
            && let Some(part) = self.table_part(position, node)
        {
            return Some(self.in_table(part, position, node));
        }
        self.piece(position, node)
    }

    /// Takes in a footnote, or a link to or from one.
    fn footnote(&mut self, position: usize, node: NodeId) -> Option<usize> {
        let end = self.tree.end(position);
        if self.footnotes.backlinks.contains(&node) {
            return Some(end);
        }
        if let Some(label) = self.footnotes.references.get(&node) {
            let mark = format!("[^{label}]");
            let run = self.run();
            run.open(node, None);
            run.raw(&mark);
            run.close();
            return Some(end);
        }
        let label = self.footnotes.notes.get(&node).filter(|_| self.flat.is_none())?.clone();
        self.note(node, label, end);
        Some(position + 1)
    }

    /// The run that inline content goes into; a new one takes up what is around it.
    #[inline]
    fn run(&mut self) -> &mut Run<'read> {
        if !self.has_run {
            self.begin_run();
        }
        &mut self.run
    }

    fn begin_run(&mut self) {
        self.has_run = true;
        let in_heading = self.flat == Some(Flat::Heading);
        for around in &self.around {
            match around {
                Around::Format(format) if !self.run.has(*format) => self.run.start(*format),
                Around::Link { link, used: false, in_heading: wanted, .. } if !wanted || in_heading => {
                    self.run.start_link(link.clone());
                }
                _ => {}
            }
        }
        self.open_elements = 0;
        if self.flat.is_none() {
            let container = self.container_as_is();
            let node = self.outline.block(container).node;
            let reference = node.and_then(|node| self.block_reference(node));
            self.block_mark(reference);
        }
    }

    /// The id of a block, when every element is to carry one.
    fn block_reference(&self, node: NodeId) -> Option<u32> {
        if self.view.references == ReferencePolicy::All { self.view.reference(node) } else { None }
    }

    fn block_mark(&mut self, reference: Option<u32>) {
        if let Some(number) = reference.filter(|_| self.has_run) {
            self.run.raw(&format!("[e{number}]"));
            self.run.space();
        }
    }

    /// Ends the run: what it holds becomes a paragraph.
    #[inline]
    fn end_run(&mut self) {
        if let Some(run) = self.finish_run() {
            let container = self.container();
            let block = self.outline.add(container, BlockKind::Paragraph { own: self.own_paragraph }, None);
            self.outline.set_run(block, run);
        }
    }

    /// Ends the run; none when there is none, or it shows nothing.
    #[inline]
    fn finish_run(&mut self) -> Option<RunId> {
        if self.has_run { self.close_run() } else { None }
    }

    fn close_run(&mut self) -> Option<RunId> {
        self.has_run = false;
        let run = &mut self.run;
        // Elements whose end has not come yet: what follows of them is another run.
        for _ in 0..std::mem::take(&mut self.open_elements) {
            run.close();
        }
        for around in self.around.iter_mut().rev() {
            match around {
                Around::Format(format) => run.end(*format),
                Around::Link { used, .. } if run.is_in_link() => {
                    *used |= run.shows_something_in_link();
                    run.end_link_if_shown();
                }
                Around::Link { .. } => {}
            }
        }
        if run.is_blank() {
            run.clear();
            return None;
        }
        Some(run.finish())
    }

    fn leave(&mut self, exit: Exit) {
        match exit {
            Exit::Container(own_paragraph) => {
                self.end_run();
                self.containers.pop();
                self.own_paragraph = own_paragraph;
            }
            Exit::List(block) => {
                self.end_run();
                let tight = lists::is_tight(&self.outline, block);
                if let Some(list) = self.outline.list_mut(block) {
                    list.tight = tight;
                }
            }
            Exit::Table => {
                self.end_run();
                self.tables.pop();
            }
            Exit::Flat(block) => {
                let run = self.finish_run();
                let kind = &mut self.outline.block_mut(block).kind;
                match run {
                    Some(run) => self.outline.set_run(block, run),
                    // A heading or term of nothing leaves no trace.
                    None if !matches!(kind, BlockKind::Cell(_)) => *kind = BlockKind::Group,
                    None => {}
                }
                self.flat = None;
            }
            Exit::Around => {
                self.end_run();
                if let Some(Around::Link { link, used: false, group, .. }) = self.around.pop() {
                    if link.name.is_empty() && link.dispensable {
                        // Nor is its id written.
                        let reference = group.and_then(|group| self.outline.block_mut(group).reference.take());
                        self.run.unwritten.extend(reference);
                        return;
                    }
                    let run = self.run();
                    run.start_link(link);
                    run.end_link();
                    self.end_run();
                }
            }
            Exit::Code => self.code = self.code.saturating_sub(1),
            exit => {
                if !self.has_run {
                    return;
                }
                let run = &mut self.run;
                match exit {
                    Exit::Element if self.open_elements > 0 => {
                        run.close();
                        self.open_elements -= 1;
                    }
                    Exit::Boundary(true) | Exit::Space => run.space(),
                    Exit::Boundary(false) => run.boundary(),
                    Exit::Format(format) => run.end(format),
                    Exit::Link => run.end_link(),
                    Exit::Text(text) => run.text(text),
                    _ => {}
                }
            }
        }
    }
}

fn format(document: &Document, node: NodeId) -> Option<Format> {
    Some(match document.html_name(node)? {
        name::EM | name::I => Format::Emphasis,
        name::STRONG | name::B => Format::Strong,
        name::DEL | name::S | name::STRIKE => Format::Strikethrough,
        name::SUB => Format::Subscript,
        name::SUP => Format::Superscript,
        name::INS => Format::Insertion,
        name::MARK => Format::Highlight,
        name::KBD => Format::Keyboard,
        _ => return None,
    })
}
