//! Tables that show data, tables that lay a page out, and blocks within cells.

use super::{Exit, Flat, Frame, OpenTable, Reader};
use crate::document::{Document, Name, NodeId, name};
use crate::representations::markdown::code;
use crate::representations::markdown::controls;
use crate::representations::markdown::flow::{self, Holds};
use crate::representations::markdown::outline::BlockKind;
use crate::representations::markdown::tables::{Align, Cell, TablePart};
use crate::semantics::Role;

/// What has been seen of a table's rows.
#[derive(Debug, Default)]
struct Shape {
    rows: usize,
    widest: usize,
    /// It has a caption or heads.
    headed: bool,
    /// A cell holds a table.
    nested: bool,
    /// A cell holds more than running text.
    structured: bool,
    /// Something stands in a row that is no cell.
    loose: bool,
    /// A cell holds something to act on or a picture, or has an attribute that only lays out.
    laid_out: bool,
}

impl Reader<'_> {
    /// The kind of part by element, or by role.
    fn kind_of_part(&self, node: NodeId) -> Option<TablePart> {
        match self.document.html_name(node)? {
            name::TABLE => Some(TablePart::Table),
            name::THEAD | name::TBODY | name::TFOOT => Some(TablePart::Section),
            name::TR => Some(TablePart::Row),
            name::TD | name::TH => Some(TablePart::Cell),
            // They are read by their value, whatever they are in a table.
            name::INPUT | name::SELECT | name::TEXTAREA | name::METER | name::PROGRESS | name::IMG => None,
            _ => TablePart::of_role(self.view.draft.role(node)),
        }
    }

    /// The part that the block at the position plays where it stands, if it plays any.
    pub(super) fn table_part(&self, position: usize, node: NodeId) -> Option<TablePart> {
        let part = self.kind_of_part(node)?;
        let native = self.document.is_html(node, name::TABLE);
        match part {
            TablePart::Table => (native || self.is_data_table(position, node)).then_some(part),
            TablePart::Section | TablePart::Row => self.in_data_table().then_some(part),
            TablePart::Cell => self.is_row_open().then_some(part),
        }
    }

    /// Takes the part in; returns the position to go on with.
    pub(super) fn in_table(&mut self, part: TablePart, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        match part {
            TablePart::Table => {
                let is_data = self.is_data_table(position, node);
                self.begin_group(node, end, false);
                self.tables.push(OpenTable { is_data, group: self.container_as_is(), block: None });
                self.frames.push(Frame { end, exit: Exit::Table });
            }
            TablePart::Section => {}
            TablePart::Row => {
                self.row(node, end);
                self.row_mark = self.mark(position, node);
            }
            TablePart::Cell => {
                self.cell(node, end);
                // Where rows and cells can be acted on, their marks stand in the cell.
                let own = self.mark(position, node);
                let whole = own.as_ref().is_some_and(|(_, _, mark)| mark.whole);
                for (target, number, mark) in self.row_mark.take().into_iter().chain(own) {
                    let run = self.run();
                    run.open(target, Some(number));
                    run.raw(&mark.text);
                    run.close();
                    run.space();
                }
                if whole {
                    return end;
                }
            }
        }
        position + 1
    }

    /// The mark of a target that is part of a table.
    fn mark(&self, position: usize, node: NodeId) -> Option<(NodeId, u32, controls::Mark)> {
        let number = self.control_reference(node)?;
        let mut holds = self.flow.holds(position);
        if self.kind_of_part(node) == Some(TablePart::Row) {
            // Its cells say what it holds.
            holds = holds.or(Holds::BLOCK);
        }
        Some((node, number, controls::mark(self.view, self.tree, position, number, holds)?))
    }

    /// Whether the table shows data. Tables that only lay a page out become blocks, and rows of
    /// theirs lines.
    fn is_data_table(&self, position: usize, node: NodeId) -> bool {
        let document = self.document;
        let role = document.attribute(node, name::ROLE).map(str::trim);
        if matches!(role, Some("presentation" | "none")) {
            return false;
        }
        let shape = self.shape(position);
        let Shape { rows, widest, headed, nested, structured, loose, laid_out } = shape;
        if rows == 0 {
            return false;
        }
        if !document.is_html(node, name::TABLE) {
            // Without heads its rows are lines, which is shorter.
            return headed && widest > 1 && !nested && !structured && !loose;
        }
        if matches!(role, Some("table" | "grid" | "treegrid")) {
            return true;
        }
        if headed {
            return !nested || widest > 1;
        }
        let plain = !laid_out && !lays_out(document, node) && !self.in_layout_table();
        !nested && !structured && (widest > 1 && rows > 1 || (widest > 1 || rows > 1) && plain)
    }

    fn shape(&self, position: usize) -> Shape {
        let document = self.document;
        let native = document.is_html(self.tree.node(position), name::TABLE);
        let mut shape = Shape::default();
        let mut pending: Vec<usize> = self.tree.child_positions(position).collect();
        while let Some(at) = pending.pop() {
            let child = self.tree.node(at);
            if document.is_html(child, name::CAPTION) {
                shape.headed = true;
                continue;
            }
            match self.kind_of_part(child) {
                Some(TablePart::Section) => {
                    shape.headed |= document.is_html(child, name::THEAD);
                    pending.extend(self.tree.child_positions(at));
                }
                Some(TablePart::Row) => {
                    shape.rows += 1;
                    let mut cells = 0;
                    for cell in self.tree.child_positions(at) {
                        let node = self.tree.node(cell);
                        if self.kind_of_part(node) == Some(TablePart::Cell) {
                            cells += 1;
                            let holds = self.flow.holds(cell);
                            shape.headed |= document.is_html(node, name::TH)
                                || self.view.draft.role(node) == Some(Role::ColumnHeader);
                            shape.nested |= holds.any(Holds::TABLE);
                            shape.structured |= holds.any(Holds::STRUCTURE);
                            shape.laid_out |= holds.any(Holds::TARGET.or(Holds::IMAGE)) || lays_out(document, node);
                        } else {
                            shape.loose |= document.is_element(node) || !document.text(node).trim().is_empty();
                        }
                    }
                    shape.widest = shape.widest.max(cells);
                }
                // Rows made of roles may lie in wrappers.
                None if !native && document.is_element(child) => pending.extend(self.tree.child_positions(at)),
                _ => {}
            }
        }
        shape
    }

    /// Whether a table around only lays out: then those in it do no more, unless they say so.
    fn in_layout_table(&self) -> bool {
        self.tables.iter().any(|table| !table.is_data)
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
            header: document.is_html(node, name::TH) || self.view.draft.role(node) == Some(Role::ColumnHeader),
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
            run.raw("-");
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

/// Whether an attribute of a table or cell says how it is laid out and nothing else (HTML Standard,
/// "techniques for distinguishing layout tables from non-layout tables").
fn lays_out(document: &Document, node: NodeId) -> bool {
    const LAYOUT: &[Name] = &[name::WIDTH, name::HEIGHT, name::BACKGROUND, name::BGCOLOR, name::VALIGN];
    let zero = |attribute| document.attribute(node, attribute).is_some_and(|value| value.trim() == "0");
    LAYOUT.iter().any(|&attribute| document.has_attribute(node, attribute))
        || [name::BORDER, name::CELLPADDING, name::CELLSPACING].into_iter().any(zero)
        || (document.is_html(node, name::TABLE) && document.has_attribute(node, name::ALIGN))
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
