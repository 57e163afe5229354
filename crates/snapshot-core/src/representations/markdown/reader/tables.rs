//! Tables that show data, tables that lay a page out, and blocks within cells.

use super::{Exit, Flat, Frame, Reader};
use crate::document::{Document, NodeId, name};
use crate::representations::markdown::code;
use crate::representations::markdown::flow::{self, Holds};
use crate::representations::markdown::outline::BlockKind;
use crate::representations::markdown::tables::{Align, Cell};

impl Reader<'_> {
    /// Whether the table shows data. Tables that only lay a page out become blocks.
    pub(super) fn is_data_table(&self, position: usize, node: NodeId) -> bool {
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

    pub(super) fn in_data_table(&self) -> bool {
        self.tables.last().is_some_and(|table| table.is_data)
    }

    pub(super) fn row(&mut self, node: NodeId, end: usize) {
        self.end_run();
        let Some(open) = self.tables.last_mut() else { return };
        let table = *open.block.get_or_insert_with(|| self.outline.add(open.group, BlockKind::Table, None));
        let row = self.outline.add(table, BlockKind::Row, Some(node));
        self.containers.push(row);
        self.frames.push(Frame { end, exit: Exit::Container(self.own_paragraph) });
    }

    pub(super) fn is_row_open(&self) -> bool {
        matches!(self.outline.block(self.container_as_is()).kind, BlockKind::Row)
    }

    pub(super) fn cell(&mut self, node: NodeId, end: usize) {
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
    pub(super) fn block_in_flat(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        let heading = self.flat != Some(Flat::Cell);
        if self.document.is_html(node, name::HR) {
            return end;
        }
        if matches!(self.document.html_name(node), Some(name::PRE | name::XMP | name::LISTING)) {
            self.code_in_flat(position, node, heading);
            return end;
        }
        // Cells of a table within a cell stay on one line, as its rows do.
        let on_line = heading || matches!(self.document.html_name(node), Some(name::TD | name::TH));
        let run = self.run();
        if on_line {
            run.space();
        } else {
            run.boundary();
        }
        self.frames.push(Frame { end, exit: Exit::Boundary(on_line) });
        self.inline(position, node);
        if !heading && self.document.is_html(node, name::LI) {
            let run = self.run();
            run.raw("-".to_owned());
            run.space();
        }
        position + 1
    }

    pub(super) fn code_in_flat(&mut self, position: usize, node: NodeId, heading: bool) {
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
