//! Tables: which ones hold data, and what their cells are.

use super::context::{Context, Place};
use super::{Role, first_child_of_name, focus, has_author_name};
use crate::document::{Document, Name, NodeId, name};

/// What the nearest table element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum TableKind {
    /// There is none.
    #[default]
    None,
    /// Rows and cells of data.
    Table,
    /// `grid` or `treegrid`: the cells can be operated.
    Grid,
    /// Not a table to a reader: laid out as one, or given another role.
    Presentational,
}

/// The kind of a table element that has this role.
pub(super) fn kind(role: Option<Role>) -> TableKind {
    match role {
        Some(Role::Table) => TableKind::Table,
        Some(Role::Grid | Role::TreeGrid) => TableKind::Grid,
        _ => TableKind::Presentational,
    }
}

/// The role of a `table` without a `role`.
pub(super) fn table(context: &Context<'_, '_>) -> Option<Role> {
    let is_data = context.above.are(Place::Editable)
        || context.has(name::ARIA_LABEL)
        || context.has(name::ARIA_LABELLEDBY)
        || holds_data(context.document, context.node);
    is_data.then_some(Role::Table)
}

/// HTML-AAM 1.0, `tbody`. That rows are in the body of their table goes without saying; Chromium
/// does not expose it either, unless it has a name or can have the focus.
pub(super) fn body(context: &Context<'_, '_>) -> Option<Role> {
    let says_more = has_author_name(context) || focus::is_focusable(context.document, context.node);
    if says_more { row_group(context) } else { None }
}

/// HTML-AAM 1.0, `thead`, `tfoot`.
pub(super) fn row_group(context: &Context<'_, '_>) -> Option<Role> {
    in_table(context, Role::RowGroup)
}

/// HTML-AAM 1.0, `tr`.
pub(super) fn row(context: &Context<'_, '_>) -> Option<Role> {
    in_table(context, Role::Row)
}

/// HTML-AAM 1.0, `caption`.
pub(super) fn caption(context: &Context<'_, '_>) -> Option<Role> {
    in_table(context, Role::Caption)
}

/// HTML-AAM 1.0, `td`.
pub(super) fn cell(context: &Context<'_, '_>) -> Option<Role> {
    in_table(context, if context.above.table == TableKind::Grid { Role::GridCell } else { Role::Cell })
}

/// HTML-AAM 1.0, `th`: `scope` says what it heads, else its neighbours do.
pub(super) fn header(context: &Context<'_, '_>) -> Option<Role> {
    let role = match context.attribute(name::SCOPE).map(str::to_ascii_lowercase).as_deref() {
        Some("row" | "rowgroup") => Role::RowHeader,
        Some("col" | "colgroup") => Role::ColumnHeader,
        _ => header_by_neighbours(context.document, context.node),
    };
    in_table(context, role)
}

fn in_table(context: &Context<'_, '_>, role: Role) -> Option<Role> {
    match context.above.table {
        TableKind::Table | TableKind::Grid => Some(role),
        TableKind::Presentational => None,
        TableKind::None => Some(Role::Generic),
    }
}

/// A header cell next to data heads its row; alone or among headers it heads its column. An
/// empty cell in the corner of the table is no data. This is Chromium's reading of the HTML
/// Standard's "internal algorithm for scanning and assigning header cells".
fn header_by_neighbours(document: &Document, cell: NodeId) -> Role {
    let is_cell = |&node: &NodeId| document.is_html(node, name::TD) || document.is_html(node, name::TH);
    let is_data = |node: NodeId| document.is_html(node, name::TD) && document.first_child(node).is_some();
    let before = std::iter::successors(document.previous_sibling(cell), |&node| document.previous_sibling(node));
    let after = std::iter::successors(document.next_sibling(cell), |&node| document.next_sibling(node));
    let (previous, next) = (before.clone().find(is_cell), after.clone().find(is_cell));
    let is_header = |node: Option<NodeId>| node.is_some_and(|node| document.is_html(node, name::TH));
    if is_header(previous) && is_header(next) {
        return Role::ColumnHeader;
    }
    if previous.is_some_and(is_data) || next.is_some_and(is_data) {
        return Role::RowHeader;
    }
    let Some(row) = document.parent(cell) else { return Role::ColumnHeader };
    // The outermost two cells on each side, since the corner is often empty.
    let first = document.children(row).take(EDGE).filter(is_cell).take(2);
    let last = std::iter::successors(document.last_child(row), |&node| document.previous_sibling(node));
    let mut edges = first.chain(last.take(EDGE).filter(is_cell).take(2));
    if edges.any(is_data) { Role::RowHeader } else { Role::ColumnHeader }
}

/// How many nodes from each end of a row the outermost cells are looked for.
const EDGE: usize = 64;

/// A table of this many rows is data, whatever it looks like.
const MANY_ROWS: usize = 20;

/// Whether a table holds data rather than laying out the page: Chromium's reading of what marks
/// a table as one in the HTML Standard, 4.9.1 ("techniques for distinguishing"). Borders and
/// colours count as far as attributes set them; those of style sheets are not known here.
fn holds_data(document: &Document, table: NodeId) -> bool {
    let has_child = |name| first_child_of_name(document, table, name).is_some();
    if attribute(document, table, name::SUMMARY).is_some()
        || has_child(name::CAPTION)
        || has_child(name::THEAD)
        || has_child(name::TFOOT)
        || has_child(name::COLGROUP)
        || has_child(name::COL)
    {
        return true;
    }
    let mut look = Look::default();
    let colour = attribute(document, table, name::BGCOLOR);
    let bodies = document.element_children(table).filter(|&child| document.is_html(child, name::TBODY));
    for row in bodies.flat_map(|body| document.element_children(body)).filter(|&row| document.is_html(row, name::TR)) {
        look.rows += 1;
        if look.row_colours.len() < STRIPES {
            look.row_colours.push(attribute(document, row, name::BGCOLOR));
        }
        for cell in document.element_children(row) {
            look.cells += 1;
            let own = attribute(document, cell, name::BGCOLOR);
            let differs = own.is_some_and(|own| colour.is_none_or(|colour| !own.eq_ignore_ascii_case(colour)));
            look.coloured_cells += usize::from(differs);
            look.is_marked |= document.is_html(cell, name::TH)
                || [name::HEADERS, name::SCOPE, name::ABBR, name::AXIS]
                    .into_iter()
                    .any(|mark| attribute(document, cell, mark).is_some());
        }
        if look.rows >= MANY_ROWS || look.is_marked && look.cells > 1 {
            return true;
        }
    }
    let has_border = document.attribute(table, name::BORDER).is_some_and(|width| width.trim() != "0");
    let has_gaps = document.attribute(table, name::CELLSPACING).is_none_or(|width| width.trim() != "0");
    look.cells > 1 && (has_border || has_gaps && look.has_coloured_cells() || look.is_striped())
}

/// How many rows are looked at for stripes.
const STRIPES: usize = 5;

/// What has been seen of a table.
#[derive(Default)]
struct Look<'page> {
    rows: usize,
    cells: usize,
    coloured_cells: usize,
    /// Whether a cell says that it is a header, or what its headers are.
    is_marked: bool,
    row_colours: Vec<Option<&'page str>>,
}

impl Look<'_> {
    fn has_coloured_cells(&self) -> bool {
        self.coloured_cells > 0 && self.coloured_cells >= self.cells / 2
    }

    /// Whether the first rows have two colours in turn.
    fn is_striped(&self) -> bool {
        let [first, second, ..] = self.row_colours.as_slice() else { return false };
        self.row_colours.len() > 2
            && first != second
            && self.row_colours.chunks(2).all(|pair| pair.first() == Some(first))
            && self.row_colours.chunks_exact(2).all(|pair| pair.last() == Some(second))
    }
}

fn attribute(document: &Document, node: NodeId, attribute: Name) -> Option<&str> {
    document.attribute(node, attribute).filter(|value| !value.is_empty())
}
