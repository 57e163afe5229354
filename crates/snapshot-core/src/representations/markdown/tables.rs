//! Tables as rows of pipes, spans resolved.

use super::inline::{self, Place, Sink};
use super::outline::{BlockId, BlockKind, Outline};
use crate::semantics::Role;

/// What an element is to the tables around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TablePart {
    Table,
    Section,
    Row,
    Cell,
}

impl TablePart {
    /// The part that an element of this role is, if its name says nothing else.
    #[inline]
    pub(super) fn of_role(role: Option<Role>) -> Option<Self> {
        match role? {
            Role::Table | Role::Grid | Role::TreeGrid => Some(Self::Table),
            Role::RowGroup => Some(Self::Section),
            Role::Row => Some(Self::Row),
            Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader => Some(Self::Cell),
            _ => None,
        }
    }
}

/// A cell's place in its table, and how it is aligned.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    /// Columns it covers.
    pub(super) columns: u16,
    /// Rows it covers.
    pub(super) rows: u16,
    /// It heads a row or column.
    pub(super) header: bool,
    /// How its text is set.
    pub(super) align: Align,
}

/// How a column's text is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Align {
    #[default]
    None,
    Left,
    Center,
    Right,
}

/// Whether any cell of the row shows something.
fn shows(outline: &Outline, row: BlockId) -> bool {
    outline.children(row).any(|cell| outline.run(cell).is_some())
}

/// The rows of a table that show something. Empty ones only keep rows apart for the eye.
pub(super) fn rows(outline: &Outline, table: BlockId) -> Vec<BlockId> {
    outline.children(table).filter(|&row| shows(outline, row)).collect()
}

/// Writes a table: its rows as the grid has them (HTML Standard, "forming a table"), a cell that
/// covers several places in the first of them and the others empty.
pub(super) fn write(outline: &Outline, rows: &[BlockId], references: bool, sink: &mut impl Sink) {
    let grid = grid(outline, rows);
    let width = grid.iter().flatten().map(|&(column, _)| column + 1).max().unwrap_or(1);
    let header = rows.first().is_some_and(|&row| is_header(outline, row));
    let mut aligns = vec![Align::None; width];
    for &(column, cell) in grid.iter().flatten() {
        if let BlockKind::Cell(place) = &outline.block(cell).kind
            && aligns[column] == Align::None
        {
            aligns[column] = place.align;
        }
    }
    if !header {
        for _ in 0..width {
            sink.push_str("| ");
        }
        sink.push_str("|");
        sink.line();
        delimiter_row(&aligns, sink);
    }
    for (number, (row, cells)) in rows.iter().zip(&grid).enumerate() {
        if number > 0 || !header {
            sink.line();
        }
        let node = outline.block(*row).node;
        if let Some(node) = node {
            sink.open(node, outline.block(*row).reference);
        }
        let mut next = 0;
        for &(column, cell) in cells {
            for _ in next..column {
                sink.push_str("| ");
            }
            sink.push_str("|");
            self::cell(outline, cell, references, sink);
            next = column + 1;
        }
        // A reader fills up short rows, but not the one that says how many columns there are.
        if number == 0 && header {
            for _ in next..width {
                sink.push_str("| ");
            }
        }
        sink.push_str("|");
        if node.is_some() {
            sink.close();
        }
        if number == 0 && header {
            sink.line();
            delimiter_row(&aligns, sink);
        }
    }
}

fn cell(outline: &Outline, cell: BlockId, references: bool, sink: &mut impl Sink) {
    let block = outline.block(cell);
    sink.push_str(" ");
    if let Some(node) = block.node {
        sink.open(node, block.reference);
    }
    let written = outline.run(cell);
    if let Some(run) = written {
        inline::write(run, Place::Cell, references, sink);
    }
    if block.node.is_some() {
        sink.close();
    }
    if written.is_some() {
        sink.push_str(" ");
    }
}

fn delimiter_row(aligns: &[Align], sink: &mut impl Sink) {
    for align in aligns {
        sink.push_str(match align {
            Align::None => "|---",
            Align::Left => "|:---",
            Align::Center => "|:---:",
            Align::Right => "|---:",
        });
    }
    sink.push_str("|");
}

/// Whether every cell of the row is a heading.
fn is_header(outline: &Outline, row: BlockId) -> bool {
    let mut cells = outline.children(row).peekable();
    cells.peek().is_some()
        && cells.all(|cell| matches!(&outline.block(cell).kind, BlockKind::Cell(cell) if cell.header))
}

/// For each row, the columns in which a cell begins, and the cell.
type Grid = Vec<Vec<(usize, BlockId)>>;

/// Lays out the cells. Columns in which no cell ever begins are left out.
fn grid(outline: &Outline, rows: &[BlockId]) -> Grid {
    let cells: usize = rows.iter().map(|&row| outline.children(row).count()).sum();
    // What spans may add in all, so that a few bytes cannot ask for millions of empty cells.
    let mut spare = 16 * cells + 1024;
    // For each column, the row from which on it is free again.
    let mut free_from: Vec<usize> = Vec::new();
    let mut grid: Grid = Vec::with_capacity(rows.len());
    for (number, &row) in rows.iter().enumerate() {
        let mut places = Vec::new();
        let mut column = 0;
        for cell in outline.children(row) {
            let BlockKind::Cell(place) = &outline.block(cell).kind else { continue };
            while spare > 0 && free_from.get(column).is_some_and(|&free| free > number) {
                column += 1;
                spare -= 1;
            }
            places.push((column, cell));
            let columns = usize::from(place.columns.max(1)).min(spare + 1);
            spare -= columns - 1;
            if free_from.len() < column + columns {
                free_from.resize(column + columns, 0);
            }
            for free in &mut free_from[column..column + columns] {
                *free = (*free).max(number + usize::from(place.rows));
            }
            column += columns;
        }
        grid.push(places);
    }
    let mut begun = vec![false; free_from.len()];
    for &(column, _) in grid.iter().flatten() {
        begun[column] = true;
    }
    let mut kept = 0;
    let kept: Vec<usize> = begun
        .iter()
        .map(|&begun| {
            kept += usize::from(begun);
            kept - usize::from(begun)
        })
        .collect();
    for (column, _) in grid.iter_mut().flatten() {
        *column = kept[*column];
    }
    grid
}
