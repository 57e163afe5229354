//! Blocks: paragraphs, headings, lists, quotes, code, definitions, footnotes.

use super::{Around, Exit, Flat, Frame, Reader, format};
use crate::document::{NodeId, name};
use crate::representations::markdown::code;
use crate::representations::markdown::flow::{self, Holds};
use crate::representations::markdown::lists::{Item, List};
use crate::representations::markdown::outline::{BlockId, BlockKind, Code, Outline};
use crate::representations::markdown::run::is_collapsible;
use crate::semantics::Tristate;

impl Reader<'_> {
    pub(super) fn block(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        let Some(element) = self.document.html_name(node) else { return position + 1 };
        if self.flow.holds(position).any(Holds::IS_HEADING) {
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
            name::DT => self.begin_flat(BlockKind::Term, Flat::Term, node, end),
            name::DD if self.follows_term() => self.begin_container(BlockKind::Definition, node, end),
            _ if self.flow.holds(position).any(Holds::IS_ROW) => self.line(position, node),
            _ => self.generic_block(position, node),
        }
        position + 1
    }

    /// A row of a layout: its cells on one line.
    pub(super) fn line(&mut self, position: usize, node: NodeId) {
        let end = self.tree.end(position);
        self.begin_flat(BlockKind::Paragraph { own: self.own_paragraph }, Flat::Line, node, end);
        if self.is_link(node)
            && let Some(link) = self.link(position, node)
            && !self.run().is_in_link()
        {
            self.run().start_link(link);
            self.frames.push(Frame { end, exit: Exit::Link });
        } else if let Some(format) = format(self.document, node)
            && !self.run().has(format)
        {
            self.run().start(format);
            self.frames.push(Frame { end, exit: Exit::Format(format) });
        }
    }

    /// A block that Markdown has nothing for; if it formats or links, all within does.
    pub(super) fn generic_block(&mut self, position: usize, node: NodeId) {
        let end = self.tree.end(position);
        let in_list = self.outline.list(self.container_as_is()).is_some();
        if !in_list {
            self.begin_group(node, end, self.own_paragraph);
        }
        if self.is_link(node)
            && let Some(link) = self.link(position, node)
            && !self.around.iter().any(|around| matches!(around, Around::Link { .. }))
        {
            let group = (!in_list).then(|| self.container_as_is());
            if let Some(group) = group
                && let Some(reference) = self.link_reference(node)
            {
                self.outline.block_mut(group).reference = Some(reference);
            }
            let in_heading = self.flow.holds(position).any(Holds::HEADING);
            self.around.push(Around::Link { link, used: false, in_heading, group });
            self.frames.push(Frame { end, exit: Exit::Around });
        } else if let Some(format) = format(self.document, node) {
            self.around.push(Around::Format(format));
            self.frames.push(Frame { end, exit: Exit::Around });
        }
    }

    pub(super) fn heading_level(&self, node: NodeId) -> u8 {
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
    pub(super) fn follows_term(&mut self) -> bool {
        self.end_run();
        let before = self.outline.last_child(self.container_as_is()).map(|before| &self.outline.block(before).kind);
        matches!(before, Some(BlockKind::Term | BlockKind::Definition))
    }

    /// The container that new blocks go into. Below a list that is an item: what stands directly
    /// in a list belongs to the item before it.
    pub(super) fn container(&mut self) -> BlockId {
        let container = self.container_as_is();
        if self.outline.list(container).is_none() {
            return container;
        }
        match self.outline.last_child(container) {
            Some(item) => item,
            None => self.outline.add(container, BlockKind::Item(Item { number: 1, keep_empty: false }), None),
        }
    }

    pub(super) fn container_as_is(&self) -> BlockId {
        self.containers.last().copied().unwrap_or(Outline::ROOT)
    }

    pub(super) fn begin_container(&mut self, kind: BlockKind, node: NodeId, end: usize) {
        self.end_run();
        let container = self.container();
        let block = self.outline.add(container, kind, Some(node));
        self.containers.push(block);
        self.frames.push(Frame { end, exit: Exit::Container(self.own_paragraph) });
        self.own_paragraph = false;
    }

    pub(super) fn begin_group(&mut self, node: NodeId, end: usize, own_paragraph: bool) {
        self.begin_container(BlockKind::Group, node, end);
        self.own_paragraph = own_paragraph;
    }

    pub(super) fn begin_flat(&mut self, kind: BlockKind, flat: Flat, node: NodeId, end: usize) {
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
    pub(super) fn note(&mut self, node: NodeId, label: String, end: usize) {
        self.end_run();
        let around = self.container_as_is();
        let document = self.document;
        if let Some(list) = self.outline.list_mut(around) {
            // It has its place among the numbers.
            list.number(document, node);
        }
        let outside = self.containers.iter().rev().copied().find(|&block| self.outline.list(block).is_none());
        let block = self.outline.add_note(outside.unwrap_or(Outline::ROOT), label, node);
        self.containers.push(block);
        self.frames.push(Frame { end, exit: Exit::Container(self.own_paragraph) });
        self.own_paragraph = false;
    }

    pub(super) fn list(&mut self, position: usize, node: NodeId) {
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

    pub(super) fn item(&mut self, position: usize, node: NodeId) {
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
        list = self.behind_notes(list);
        let document = self.document;
        let number = self.outline.list_mut(list).map_or(1, |list| list.number(document, node));
        let captured = self.view.draft.page().document();
        // One with classes is drawn by a style sheet: a line between others.
        let keep_empty = node.index() < captured.len()
            && captured.element_children(node).next().is_none()
            && captured.attributes(node).len() == 0;
        let block = self.outline.add(list, BlockKind::Item(Item { number, keep_empty }), Some(node));
        self.containers.push(block);
        self.frames.push(Frame { end, exit: Exit::Container(self.own_paragraph) });
        self.own_paragraph = false;
        if let Some(input) = self.leading_checkbox(position)
            && self.control_reference(input).is_none()
        {
            self.box_of_item = Some(input);
            let checked = self.view.draft.states(input).checked == Tristate::True;
            self.own_paragraph = self.document.parent(input).is_some_and(|parent| document.is_html(parent, name::P));
            let run = self.run();
            run.open(input, None);
            run.raw(if checked { "[x]" } else { "[ ]" });
            run.close();
            run.space();
        }
    }

    /// The list to go on with: behind footnotes that were among its items it is another.
    fn behind_notes(&mut self, list: BlockId) -> BlockId {
        let around = self.outline.parent(list);
        if self.outline.last_child(around) == Some(list) || self.containers.last() != Some(&list) {
            return list;
        }
        let Some(before) = self.outline.list(list).cloned() else { return list };
        let end = self.outline.block(list).node.and_then(|node| self.tree.position(node)).map(|at| self.tree.end(at));
        let rest = List { interrupts: !before.ordered || before.next == 1, tight: true, ..before };
        let rest = self.outline.add(around, BlockKind::List(rest), None);
        if let Some(end) = end {
            self.frames.push(Frame { end, exit: Exit::List(rest) });
        }
        self.containers.pop();
        self.containers.push(rest);
        rest
    }

    /// The checkbox that an item begins with, if it does.
    pub(super) fn leading_checkbox(&self, item: usize) -> Option<NodeId> {
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

    pub(super) fn code_block(&mut self, position: usize, node: NodeId) -> usize {
        self.end_run();
        let is_block = |at: usize| self.flow.holds(at).any(Holds::IS_BLOCK);
        let is_skipped = |node: NodeId| self.document.is_element(node) && flow::is_skipped(self.document, node);
        let text = code::text(self.document, self.tree, position, &is_block, &is_skipped);
        let language = code::language(self.document, self.tree, position);
        let container = self.container();
        self.outline.add_code(container, Code { language, text }, node);
        self.tree.end(position)
    }
}
