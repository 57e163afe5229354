//! Reads a draft into an outline, walking its flat tree once.

use super::controls;
use super::flow::{self, Holds};
use super::footnotes::Footnotes;
use super::links::{self, ShortUrls};
use super::lists::{self, Item, List};
use super::outline::{BlockId, BlockKind, Outline};
use super::run::{Format, Link, Run, is_collapsible};
use super::tables::{Align, Cell};
use super::{code, escaping, inline, math};
use crate::document::{Document, Namespace, NodeId, name};
use crate::flat_tree::FlatTree;
use crate::representations::{ReferencePolicy, UrlPolicy, View};

/// The outline of what the draft holds.
pub(super) fn read(view: &View<'_>) -> Outline {
    let tree = FlatTree::new(view.draft.document());
    let holds = flow::holds(view.draft, &tree);
    let short = match view.options.urls {
        UrlPolicy::Short => ShortUrls::of(view.draft.page()),
        _ => ShortUrls::default(),
    };
    let mut reader = Reader {
        view,
        document: view.draft.document(),
        tree: &tree,
        holds,
        footnotes: Footnotes::find(view.draft.document(), &tree),
        short,
        outline: Outline::new(),
        containers: vec![Outline::ROOT],
        frames: Vec::new(),
        run: None,
        own_paragraph: false,
        open_elements: 0,
        flat: None,
        around: Vec::new(),
        code: 0,
        tables: Vec::new(),
        line_row: false,
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
    reader.outline
}

struct Reader<'read> {
    view: &'read View<'read>,
    document: &'read Document,
    tree: &'read FlatTree,
    holds: Vec<Holds>,
    footnotes: Footnotes,
    short: ShortUrls,
    outline: Outline,
    /// The blocks around, outermost first.
    containers: Vec<BlockId>,
    /// What is to be done when the walk leaves an element.
    frames: Vec<Frame>,
    /// The inline content being collected.
    run: Option<Run>,
    /// Whether that is the content of a paragraph element.
    own_paragraph: bool,
    /// Elements begun in the run and not yet ended.
    open_elements: u32,
    /// The block that takes all content as one run: a heading, a cell.
    flat: Option<Flat>,
    /// Formatting and links whose element holds blocks: each run within takes them up anew.
    around: Vec<Around>,
    /// How many code elements are around.
    code: u32,
    /// The tables around.
    tables: Vec<OpenTable>,
    /// Whether the row of a layout table that is being read is one line of text.
    line_row: bool,
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
    /// A row of a layout table ends; how `line_row` was outside.
    LineRow(bool),
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
}

enum Around {
    Format(Format),
    Link { link: Link, used: bool, in_heading: bool },
}

impl<'read> Reader<'read> {
    /// Takes in what stands at the position; returns the position to go on with.
    fn node(&mut self, position: usize) -> usize {
        let node = self.tree.node(position);
        if self.document.is_text(node) {
            self.text(node);
        } else if self.document.is_element(node) {
            if flow::is_skipped(self.document, node) {
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
            run.raw(format!("[{note}]"));
            run.space();
            if self.flat.is_none() {
                self.end_run();
            }
        }
        position + 1
    }

    fn text(&mut self, node: NodeId) {
        let text = self.document.text(node);
        if self.run.is_none() && text.chars().all(is_collapsible) {
            return;
        }
        let in_code = self.code > 0;
        let run = self.run();
        if in_code {
            run.code(&collapse(text));
        } else {
            run.sources.push((run.text.len(), node));
            run.text(text);
        }
    }

    fn element(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        if self.box_of_item == Some(node) || self.footnotes.backlinks.contains(&node) {
            return end;
        }
        if let Some(label) = self.footnotes.references.get(&node) {
            let mark = format!("[^{label}]");
            let run = self.run();
            run.open(node, None);
            run.raw(mark);
            run.close();
            return end;
        }
        if self.flat.is_none()
            && let Some(label) = self.footnotes.notes.get(&node).cloned()
        {
            self.note(node, label, end);
            return position + 1;
        }
        match self.document.namespace(node) {
            Some(Namespace::MathMl) => return self.math(position, node),
            Some(Namespace::Svg) => return self.svg(position, node),
            _ => {}
        }
        if let Some(skipped) = self.piece(position, node) {
            return skipped;
        }
        if flow::is_block(self.view.draft, node, self.holds[position]) {
            if self.flat.is_some() { self.block_in_flat(position, node) } else { self.block(position, node) }
        } else {
            self.inline(position, node);
            position + 1
        }
    }

    // ---- pieces: elements that are one thing, whatever is inside ----

    fn piece(&mut self, position: usize, node: NodeId) -> Option<usize> {
        let end = self.tree.end(position);
        if let Some(number) = self.control_reference(node)
            && let Some(mark) = controls::mark(self.view, self.tree, position, number, self.holds[position])
        {
            let run = self.run();
            run.space();
            run.open(node, Some(number));
            run.raw(mark.text);
            run.close();
            run.space();
            if mark.whole {
                return Some(end);
            }
        }
        match self.document.html_name(node)? {
            name::BR => self.line_break(),
            name::WBR => {}
            name::IMG => self.image(node),
            name::INPUT | name::SELECT | name::TEXTAREA | name::METER | name::PROGRESS => {
                if let Some(text) = controls::readable(self.view, node) {
                    let run = self.run();
                    run.space();
                    run.open(node, None);
                    run.text(&text);
                    run.close();
                    run.space();
                }
            }
            name::IFRAME | name::FRAME if self.document.frame(node).is_none() => self.embedded(node),
            name::VIDEO | name::AUDIO => self.embedded(node),
            name::CODE | name::SAMP | name::TT
                if self.code == 0 && !self.holds[position].any(Holds::TARGET.or(Holds::IMAGE)) =>
            {
                let text = self.words(position);
                let run = self.run();
                run.open(node, None);
                run.code(&text);
                run.close();
            }
            _ => return None,
        }
        Some(end)
    }

    /// The id of a control that is written as a mark: of a target that is no link.
    fn control_reference(&self, node: NodeId) -> Option<u32> {
        let number = self.view.reference(node)?;
        let is_link = self.document.has_attribute(node, name::HREF) && self.is_link(node);
        (self.view.draft.is_target(node) && !is_link).then_some(number)
    }

    fn is_link(&self, node: NodeId) -> bool {
        matches!(self.document.html_name(node), Some(name::A | name::AREA)) || self.document.is_svg(node, name::A)
    }

    fn line_break(&mut self) {
        let Some(run) = &mut self.run else { return };
        // Two breaks in a row are how people part paragraphs by hand.
        if run.waiting_breaks() > 0 && self.flat.is_none() && self.open_elements == 0 && !run.is_inside() {
            self.end_run();
            return;
        }
        if self.code > 0 {
            run.code(" ");
        } else {
            run.line_break();
        }
    }

    fn image(&mut self, node: NodeId) {
        let alt = self.document.attribute(node, name::ALT);
        let title = self.document.attribute(node, name::TITLE).unwrap_or("");
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        // A name that is only the title stays the title.
        let label = alt.unwrap_or_else(|| Some(self.view.draft.name(node)).filter(|name| *name != title).unwrap_or(""));
        let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
        let captured = self.view.draft.page().document();
        let source = if node.index() < captured.len() { captured } else { self.document };
        let address = links::image_address(source, node)
            .and_then(|address| links::destination(self.view, &self.short, node, address));
        // An empty description says that the picture means nothing.
        if label.is_empty() && title.is_empty() && (alt.is_some() || address.is_none()) {
            return;
        }
        let title = if title == label { String::new() } else { title };
        let reference = self.block_reference(node);
        let run = self.run();
        run.open(node, reference);
        match address {
            Some(destination) => {
                let link = Link { destination, title, ..Link::default() };
                run.raw(format!("![{}{}", escaping::label(&label), inline::link_tail(&link)));
            }
            None => run.text(&label),
        }
        run.close();
    }

    /// Something that is played or shown from elsewhere: a link to it, if it says what it is.
    fn embedded(&mut self, node: NodeId) {
        let name = self.view.draft.name(node);
        let name = if name.is_empty() { self.document.attribute(node, name::TITLE).unwrap_or("") } else { name };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let source = self
            .document
            .attribute(node, name::SRC)
            .and_then(|address| links::destination(self.view, &self.short, node, address));
        let Some(destination) = source.filter(|_| !name.is_empty()) else { return };
        let run = self.run();
        let nested = run.is_in_link();
        run.open(node, None);
        if !nested {
            run.start_link(Link { destination, ..Link::default() });
        }
        run.text(&name);
        if !nested {
            run.end_link();
        }
        run.close();
    }

    fn math(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        if let Some(formula) = math::read(self.document, self.tree, position) {
            let run = self.run();
            run.open(node, None);
            match formula {
                math::Formula::Tex(markdown) => run.raw(markdown),
                math::Formula::Text(text) => run.text(&text),
            }
            run.close();
        }
        end
    }

    /// SVG says its name; its own text and links follow.
    fn svg(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        match self.document.name(node) {
            Some(name::SVG) => {
                let name = self.view.draft.name(node).to_owned();
                self.inline_element(node, end);
                if !name.is_empty() {
                    self.run().text(&name);
                }
            }
            Some(name::TEXT) => {
                self.run().space();
                self.inline_element(node, end);
                self.frames.push(Frame { end, exit: Exit::Space });
            }
            Some(name::A) => self.inline(position, node),
            _ => {}
        }
        position + 1
    }

    // ---- inline elements ----

    fn inline_element(&mut self, node: NodeId, end: usize) {
        self.run().open(node, None);
        self.open_elements += 1;
        self.frames.push(Frame { end, exit: Exit::Element });
    }

    fn inline(&mut self, position: usize, node: NodeId) {
        let end = self.tree.end(position);
        if self.is_link(node)
            && let Some(link) = self.link(node)
            && !self.run().is_in_link()
        {
            let reference = self.link_reference(node);
            let run = self.run();
            run.open(node, reference);
            run.start_link(link);
            self.open_elements += 1;
            self.frames.push(Frame { end, exit: Exit::Element });
            self.frames.push(Frame { end, exit: Exit::Link });
            return;
        }
        self.inline_element(node, end);
        let Some(element) = self.document.html_name(node) else { return };
        if let Some(format) = format(self.document, node) {
            let run = self.run();
            if !run.has(format) {
                run.start(format);
                self.frames.push(Frame { end, exit: Exit::Format(format) });
            }
            return;
        }
        match element {
            name::CODE | name::SAMP | name::TT => {
                self.code += 1;
                self.frames.push(Frame { end, exit: Exit::Code });
            }
            name::Q => {
                self.run().text("\"");
                self.frames.push(Frame { end, exit: Exit::Text("\"") });
            }
            name::RT => {
                self.run().text("(");
                self.frames.push(Frame { end, exit: Exit::Text(")") });
            }
            name::BUTTON => {
                self.run().space();
                self.frames.push(Frame { end, exit: Exit::Space });
            }
            _ => {}
        }
    }

    /// The link that an element makes; none when its address must not be written.
    fn link(&mut self, node: NodeId) -> Option<Link> {
        let href =
            self.document.attribute(node, name::HREF).or_else(|| self.document.attribute(node, name::XLINK_HREF));
        let href = href?;
        let name = self.view.draft.name(node).to_owned();
        let title = self.document.attribute(node, name::TITLE).unwrap_or("");
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let dispensable = href.trim_start().starts_with('#');
        let destination = match self.link_reference(node) {
            Some(number) => {
                if self.view.options.url_table
                    && let Some(address) = links::destination(self.view, &self.short, node, href)
                {
                    self.outline.addresses.insert(number, address);
                }
                format!("e{number}")
            }
            None => links::destination(self.view, &self.short, node, href)?,
        };
        Some(Link { destination, title, name, dispensable })
    }

    /// The id that stands in place of the link's address.
    fn link_reference(&self, node: NodeId) -> Option<u32> {
        if self.view.options.urls == UrlPolicy::Reference {
            return self.view.draft.reference(node);
        }
        self.view.reference(node)
    }

    // ---- blocks ----

    fn block(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        let Some(element) = self.document.html_name(node) else { return position + 1 };
        if flow::is_heading(self.view.draft, node) {
            let level = self.heading_level(node);
            self.begin_flat(BlockKind::Heading(level), Flat::Heading, node, end);
            return position + 1;
        }
        match element {
            name::P => self.begin_group(node, end, true),
            name::BLOCKQUOTE => self.begin_container(BlockKind::Quote, node, end),
            name::OL | name::UL | name::MENU | name::DIR => self.list(position, node),
            name::LI => self.item(position, node),
            name::PRE | name::XMP | name::LISTING | name::PLAINTEXT => return self.code_block(position, node),
            name::HR => {
                self.end_run();
                let container = self.container();
                self.outline.add(container, BlockKind::Rule, Some(node));
            }
            name::TABLE => {
                let is_data = self.is_data_table(position, node);
                self.begin_group(node, end, false);
                self.tables.push(OpenTable { is_data, group: self.container_as_is(), block: None });
                self.frames.push(Frame { end, exit: Exit::Table });
            }
            name::TR if self.in_data_table() => self.row(node, end),
            name::THEAD | name::TBODY | name::TFOOT if self.in_data_table() => {}
            name::TR => {
                self.begin_group(node, end, false);
                self.frames.push(Frame { end, exit: Exit::LineRow(self.line_row) });
                self.line_row = !self.tree.child_positions(position).any(|cell| self.holds[cell].any(Holds::BLOCK));
            }
            name::TD | name::TH if self.is_row_open() => self.cell(node, end),
            name::TD | name::TH if self.line_row => {
                if let Some(run) = &mut self.run {
                    run.space();
                }
                self.inline_element(node, end);
                self.frames.push(Frame { end, exit: Exit::Space });
            }
            name::DT => self.begin_flat(BlockKind::Term, Flat::Term, node, end),
            name::DD if self.follows_term() => self.begin_container(BlockKind::Definition, node, end),
            _ => self.generic_block(position, node),
        }
        position + 1
    }

    /// A block that Markdown has nothing for; if it formats or links, all within does.
    fn generic_block(&mut self, position: usize, node: NodeId) {
        let end = self.tree.end(position);
        let in_list = self.outline.list(self.container_as_is()).is_some();
        if !in_list {
            self.begin_group(node, end, self.own_paragraph);
        }
        if self.is_link(node)
            && let Some(link) = self.link(node)
            && !self.around.iter().any(|around| matches!(around, Around::Link { .. }))
        {
            if let Some(reference) = self.link_reference(node)
                && !in_list
            {
                let group = self.container_as_is();
                self.outline.block_mut(group).reference = Some(reference);
            }
            let in_heading = self.holds[position].any(Holds::HEADING);
            self.around.push(Around::Link { link, used: false, in_heading });
            self.frames.push(Frame { end, exit: Exit::Around });
        } else if let Some(format) = format(self.document, node) {
            self.around.push(Around::Format(format));
            self.frames.push(Frame { end, exit: Exit::Around });
        }
    }

    fn heading_level(&self, node: NodeId) -> u8 {
        let native = match self.document.html_name(node) {
            Some(name::H1) => 1,
            Some(name::H3) => 3,
            Some(name::H4) => 4,
            Some(name::H5) => 5,
            Some(name::H6) => 6,
            _ => 2,
        };
        match self.view.draft.states(node).level {
            0 => native,
            level => u8::try_from(level.min(6)).unwrap_or(6),
        }
    }

    /// Whether what stands before is a term or a definition; another definition needs that.
    fn follows_term(&mut self) -> bool {
        self.end_run();
        let before = self.outline.last_child(self.container_as_is()).map(|before| &self.outline.block(before).kind);
        matches!(before, Some(BlockKind::Term | BlockKind::Definition))
    }

    /// The container that new blocks go into. Below a list that is an item: what stands directly
    /// in a list belongs to the item before it.
    fn container(&mut self) -> BlockId {
        let container = self.container_as_is();
        if self.outline.list(container).is_none() {
            return container;
        }
        match self.outline.last_child(container) {
            Some(item) => item,
            None => self.outline.add(container, BlockKind::Item(Item { number: 1, keep_empty: false }), None),
        }
    }

    fn container_as_is(&self) -> BlockId {
        self.containers.last().copied().unwrap_or(Outline::ROOT)
    }

    fn begin_container(&mut self, kind: BlockKind, node: NodeId, end: usize) {
        self.end_run();
        let container = self.container();
        let block = self.outline.add(container, kind, Some(node));
        self.containers.push(block);
        self.frames.push(Frame { end, exit: Exit::Container(self.own_paragraph) });
        self.own_paragraph = false;
    }

    fn begin_group(&mut self, node: NodeId, end: usize, own_paragraph: bool) {
        self.begin_container(BlockKind::Group, node, end);
        self.own_paragraph = own_paragraph;
    }

    fn begin_flat(&mut self, kind: BlockKind, flat: Flat, node: NodeId, end: usize) {
        self.end_run();
        let container = self.container();
        let reference = self.block_reference(node);
        let block = self.outline.add(container, kind, Some(node));
        self.outline.block_mut(block).reference = reference;
        self.flat = Some(flat);
        self.frames.push(Frame { end, exit: Exit::Flat(block) });
        self.run();
        self.block_mark(reference);
    }

    /// A footnote: no part of the list that it is written in.
    fn note(&mut self, node: NodeId, label: String, end: usize) {
        self.end_run();
        let outside = self.containers.iter().rev().copied().find(|&block| self.outline.list(block).is_none());
        let block = self.outline.add(outside.unwrap_or(Outline::ROOT), BlockKind::Note(label), Some(node));
        self.containers.push(block);
        self.frames.push(Frame { end, exit: Exit::Container(self.own_paragraph) });
        self.own_paragraph = false;
    }

    fn list(&mut self, position: usize, node: NodeId) {
        let document = self.document;
        let items = if document.has_attribute(node, name::REVERSED) {
            self.tree.children(node).filter(|&child| document.is_html(child, name::LI)).count()
        } else {
            0
        };
        let list = List::read(document, node, items);
        self.begin_container(BlockKind::List(list), node, self.tree.end(position));
        let block = self.container_as_is();
        self.frames.push(Frame { end: self.tree.end(position), exit: Exit::List(block) });
    }

    fn item(&mut self, position: usize, node: NodeId) {
        self.end_run();
        let end = self.tree.end(position);
        let mut list = self.container_as_is();
        if self.outline.list(list).is_none() {
            // An item without a list: it makes one, which its neighbours join.
            let before = self
                .outline
                .last_child(list)
                .filter(|&last| self.outline.list(last).is_some() && self.outline.block(last).node.is_none());
            list = before.unwrap_or_else(|| {
                let kind = List { interrupts: true, tight: true, ..List::default() };
                self.outline.add(list, BlockKind::List(kind), None)
            });
        }
        let document = self.document;
        let number = self.outline.list_mut(list).map_or(1, |list| list.number(document, node));
        let captured = self.view.draft.page().document();
        let keep_empty = node.index() < captured.len() && captured.element_children(node).next().is_none();
        let block = self.outline.add(list, BlockKind::Item(Item { number, keep_empty }), Some(node));
        self.containers.push(block);
        self.frames.push(Frame { end, exit: Exit::Container(self.own_paragraph) });
        self.own_paragraph = false;
        if let Some(input) = self.leading_checkbox(position)
            && self.control_reference(input).is_none()
        {
            self.box_of_item = Some(input);
            let checked = self.view.draft.states(input).checked == crate::semantics::Tristate::True;
            self.own_paragraph = self.document.parent(input).is_some_and(|parent| document.is_html(parent, name::P));
            let run = self.run();
            run.open(input, None);
            run.raw(if checked { "[x]" } else { "[ ]" }.to_owned());
            run.close();
            run.space();
        }
    }

    /// The checkbox that an item begins with, if it does.
    fn leading_checkbox(&self, item: usize) -> Option<NodeId> {
        const NEAR: usize = 12;
        for position in (item + 1..self.tree.end(item)).take(NEAR) {
            let node = self.tree.node(position);
            if self.document.is_text(node) {
                if !self.document.text(node).chars().all(is_collapsible) {
                    return None;
                }
            } else if self.document.is_html(node, name::INPUT) {
                let kind = self.document.attribute(node, name::TYPE).unwrap_or("");
                return kind.eq_ignore_ascii_case("checkbox").then_some(node);
            } else if !matches!(self.document.html_name(node), Some(name::LABEL | name::P | name::SPAN | name::DIV)) {
                return None;
            }
        }
        None
    }

    fn code_block(&mut self, position: usize, node: NodeId) -> usize {
        self.end_run();
        let is_block = |at: usize| {
            let inner = self.tree.node(at);
            self.document.is_element(inner) && flow::is_block(self.view.draft, inner, self.holds[at])
        };
        let is_skipped = |node: NodeId| self.document.is_element(node) && flow::is_skipped(self.document, node);
        let text = code::text(self.document, self.tree, position, &is_block, &is_skipped);
        let language = code::language(self.document, self.tree, position);
        let container = self.container();
        self.outline.add(container, BlockKind::Code { language, text }, Some(node));
        self.tree.end(position)
    }

    // ---- tables ----

    /// Whether the table shows data. Tables that only lay a page out become blocks.
    fn is_data_table(&self, position: usize, node: NodeId) -> bool {
        let document = self.document;
        let role = document.attribute(node, name::ROLE).map(str::trim);
        if matches!(role, Some("presentation" | "none")) {
            return false;
        }
        let (mut rows, mut widest, mut headed, mut nested, mut structured) = (0, 0, false, false, false);
        let mut pending: Vec<usize> = self.tree.child_positions(position).collect();
        while let Some(at) = pending.pop() {
            let child = self.tree.node(at);
            match document.html_name(child) {
                Some(name::THEAD) => {
                    headed = true;
                    pending.extend(self.tree.child_positions(at));
                }
                Some(name::TBODY | name::TFOOT) => pending.extend(self.tree.child_positions(at)),
                Some(name::CAPTION) => headed = true,
                Some(name::TR) => {
                    rows += 1;
                    let mut cells = 0;
                    for cell in self.tree.child_positions(at) {
                        let is_header = document.is_html(self.tree.node(cell), name::TH);
                        if is_header || document.is_html(self.tree.node(cell), name::TD) {
                            cells += 1;
                            headed |= is_header;
                            nested |= self.holds[cell].any(Holds::TABLE);
                            structured |= self.holds[cell].any(Holds::STRUCTURE);
                        }
                    }
                    widest = widest.max(cells);
                }
                _ => {}
            }
        }
        if rows == 0 {
            return false;
        }
        if matches!(role, Some("table" | "grid" | "treegrid")) {
            return true;
        }
        if headed {
            return !nested || widest > 1;
        }
        !nested && !structured && widest > 1 && rows > 1
    }

    fn in_data_table(&self) -> bool {
        self.tables.last().is_some_and(|table| table.is_data)
    }

    fn row(&mut self, node: NodeId, end: usize) {
        self.end_run();
        let Some(open) = self.tables.last_mut() else { return };
        let table = *open.block.get_or_insert_with(|| self.outline.add(open.group, BlockKind::Table, None));
        let row = self.outline.add(table, BlockKind::Row, Some(node));
        self.containers.push(row);
        self.frames.push(Frame { end, exit: Exit::Container(self.own_paragraph) });
    }

    fn is_row_open(&self) -> bool {
        matches!(self.outline.block(self.container_as_is()).kind, BlockKind::Row)
    }

    fn cell(&mut self, node: NodeId, end: usize) {
        let document = self.document;
        let number = |attribute, most: u16| {
            let value = document.attribute(node, attribute).and_then(|value| value.trim().parse::<u32>().ok());
            value.map_or(1, |value| u16::try_from(value).unwrap_or(most).min(most))
        };
        let rows = number(name::ROWSPAN, u16::MAX);
        let cell = Cell {
            columns: number(name::COLSPAN, 1000).max(1),
            // None means all that follow.
            rows: if rows == 0 { u16::MAX } else { rows },
            header: document.is_html(node, name::TH),
            align: align(document, node),
        };
        self.begin_flat(BlockKind::Cell(cell), Flat::Cell, node, end);
    }

    /// A block inside a heading or cell: its content is kept apart, nothing more.
    fn block_in_flat(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        let heading = self.flat != Some(Flat::Cell);
        if self.document.is_html(node, name::HR) {
            return end;
        }
        if matches!(self.document.html_name(node), Some(name::PRE | name::XMP | name::LISTING)) {
            self.code_in_flat(position, node, heading);
            return end;
        }
        let run = self.run();
        if heading {
            run.space();
        } else {
            run.boundary();
        }
        self.frames.push(Frame { end, exit: Exit::Boundary(heading) });
        self.inline(position, node);
        if !heading && self.document.is_html(node, name::LI) {
            let run = self.run();
            run.raw("-".to_owned());
            run.space();
        }
        position + 1
    }

    fn code_in_flat(&mut self, position: usize, node: NodeId, heading: bool) {
        let is_block = |_: usize| false;
        let is_skipped = |node: NodeId| self.document.is_element(node) && flow::is_skipped(self.document, node);
        let text = code::text(self.document, self.tree, position, &is_block, &is_skipped);
        let run = self.run();
        run.open(node, None);
        for line in text.lines() {
            if heading {
                run.space();
            } else {
                run.boundary();
            }
            run.code(&line.replace('\t', "    "));
        }
        run.close();
        if !heading {
            run.boundary();
        }
    }

    // ---- runs ----

    /// The run that inline content goes into; a new one takes up what is around it.
    fn run(&mut self) -> &mut Run {
        if self.run.is_none() {
            let mut run = Run::default();
            let in_heading = self.flat == Some(Flat::Heading);
            for around in &self.around {
                match around {
                    Around::Format(format) if !run.has(*format) => run.start(*format),
                    Around::Link { link, used: false, in_heading: wanted } if !wanted || in_heading => {
                        run.start_link(link.clone());
                    }
                    _ => {}
                }
            }
            self.open_elements = 0;
            self.run = Some(run);
            if self.flat.is_none() {
                let container = self.container_as_is();
                let node = self.outline.block(container).node;
                let reference = node.and_then(|node| self.block_reference(node));
                self.block_mark(reference);
            }
        }
        self.run.get_or_insert_default()
    }

    /// The id of a block, when every element is to carry one.
    fn block_reference(&self, node: NodeId) -> Option<u32> {
        if self.view.references == ReferencePolicy::All { self.view.reference(node) } else { None }
    }

    fn block_mark(&mut self, reference: Option<u32>) {
        if let (Some(number), Some(run)) = (reference, &mut self.run) {
            run.raw(format!("[e{number}]"));
            run.space();
        }
    }

    /// Ends the run: what it holds becomes a paragraph.
    fn end_run(&mut self) {
        if let Some(run) = self.finish_run() {
            let container = self.container();
            let block = self.outline.add(container, BlockKind::Paragraph { own: self.own_paragraph }, None);
            self.outline.block_mut(block).run = Some(run);
        }
    }

    fn finish_run(&mut self) -> Option<Run> {
        let mut run = self.run.take()?;
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
        (!run.is_blank()).then_some(run)
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
            Exit::LineRow(line_row) => {
                self.end_run();
                self.line_row = line_row;
            }
            Exit::Flat(block) => {
                let run = self.finish_run();
                let block = self.outline.block_mut(block);
                if run.is_none() && !matches!(block.kind, BlockKind::Cell(_)) {
                    // A heading or term of nothing leaves no trace.
                    block.kind = BlockKind::Group;
                }
                block.run = run;
                self.flat = None;
            }
            Exit::Around => {
                self.end_run();
                if let Some(Around::Link { link, used: false, .. }) = self.around.pop()
                    && !(link.name.is_empty() && link.dispensable)
                {
                    let run = self.run();
                    run.start_link(link);
                    run.end_link();
                    self.end_run();
                }
            }
            Exit::Code => self.code = self.code.saturating_sub(1),
            exit => {
                let Some(run) = &mut self.run else { return };
                match exit {
                    Exit::Element => {
                        run.close();
                        self.open_elements = self.open_elements.saturating_sub(1);
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

    /// The words of a subtree on one line, white space collapsed.
    fn words(&self, position: usize) -> String {
        let mut text = String::new();
        for at in position + 1..self.tree.end(position) {
            let node = self.tree.node(at);
            if self.document.is_text(node) {
                text.push_str(self.document.text(node));
            } else if self.document.is_html(node, name::BR) {
                text.push(' ');
            }
        }
        collapse(&text)
    }
}

/// Runs of white space become one space.
fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for character in text.chars() {
        if !is_collapsible(character) {
            collapsed.push(character);
        } else if !collapsed.ends_with(' ') {
            collapsed.push(' ');
        }
    }
    collapsed
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

fn align(document: &Document, cell: NodeId) -> Align {
    let style = document.attribute(cell, name::STYLE).unwrap_or("").to_ascii_lowercase();
    let styled = style.split(';').find_map(|declaration| {
        let (property, value) = declaration.split_once(':')?;
        (property.trim() == "text-align").then(|| value.trim().to_owned())
    });
    let value =
        styled.unwrap_or_else(|| document.attribute(cell, name::ALIGN).unwrap_or("").trim().to_ascii_lowercase());
    match value.as_str() {
        "left" => Align::Left,
        "center" => Align::Center,
        "right" => Align::Right,
        _ => Align::None,
    }
}
