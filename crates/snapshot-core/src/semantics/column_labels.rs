//! Labels in table cells that repeat the header of their column.
//!
//! Tables that are to fit narrow screens hold each column's header once more in every cell
//! (`<td><span>Price</span> 5</td>`); style sheets show either the one or the other. Where the
//! sheets are not at hand the headers are taken to be shown, as they are on a wide screen: the
//! labels say nothing that the headers do not say, and run into the values.

use rustc_hash::FxHashSet;

use crate::document::{Document, NodeId, name};

/// So many columns and rows must hold their headers' labels, for one may happen to.
const FEWEST: usize = 2;

/// Longer headers are not compared.
const LONGEST_HEADER: usize = 256;

/// The elements that are such labels.
pub(super) fn find(document: &Document) -> FxHashSet<NodeId> {
    let mut labels = FxHashSet::default();
    if !document.usage().has_element(name::THEAD) {
        return labels;
    }
    for table in document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_html(node, name::TABLE)) {
        let found = of_table(document, table).unwrap_or_default();
        labels.extend(found);
    }
    labels
}

/// The labels of one table: all cells of a column have theirs or none counts.
fn of_table(document: &Document, table: NodeId) -> Option<Vec<NodeId>> {
    let is = |wanted| move |&node: &NodeId| document.is_html(node, wanted);
    let head = document.element_children(table).find(is(name::THEAD))?;
    let header_row = document.element_children(head).filter(is(name::TR)).last()?;
    let headers: Vec<String> = cells(document, header_row)?.map(|cell| words(document, cell)).collect();
    let rows: Vec<NodeId> = document
        .element_children(table)
        .filter(is(name::TBODY))
        .flat_map(|body| document.element_children(body))
        .filter(is(name::TR))
        .collect();
    if rows.len() < FEWEST || headers.len() < FEWEST {
        return None;
    }
    let mut columns: Vec<Vec<NodeId>> = vec![Vec::new(); headers.len()];
    for &row in &rows {
        for ((header, column), cell) in headers.iter().zip(&mut columns).zip(cells(document, row)?) {
            column.extend(label(document, cell, header));
        }
    }
    columns.retain(|column| column.len() == rows.len());
    (columns.len() >= FEWEST).then(|| columns.concat())
}

/// The cells of a row; nothing when one covers several columns or rows.
fn cells(document: &Document, row: NodeId) -> Option<impl Iterator<Item = NodeId> + '_> {
    let spans = |cell| {
        let spans = [name::COLSPAN, name::ROWSPAN];
        spans.iter().any(|&span| document.attribute(cell, span).is_some_and(|count| count.trim() != "1"))
    };
    let cells = document
        .element_children(row)
        .filter(|&cell| document.is_html(cell, name::TD) || document.is_html(cell, name::TH));
    (!cells.clone().any(spans)).then_some(cells)
}

/// The first thing in the cell, if it is plain text in an element and says what the header says.
fn label(document: &Document, cell: NodeId, header: &str) -> Option<NodeId> {
    let is_blank = |node: NodeId| !document.is_element(node) && document.text(node).trim().is_empty();
    let first = document.children(cell).find(|&child| !is_blank(child))?;
    let is_plain = matches!(document.html_name(first), Some(name::SPAN | name::DIV | name::B | name::STRONG))
        && document.children(first).all(|child| document.is_text(child));
    (is_plain && !header.is_empty() && words(document, first) == header).then_some(first)
}

/// The text of an element without blanks and a colon at its end, to be compared; of long texts
/// nothing.
fn words(document: &Document, node: NodeId) -> String {
    let mut text = String::new();
    for piece in document.descendants(node).filter(|&piece| document.is_text(piece)) {
        text.extend(document.text(piece).chars().filter(|character| !character.is_whitespace()));
        if text.len() > LONGEST_HEADER {
            return String::new();
        }
    }
    text.trim_end_matches(':').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse_html};

    fn check(head: &str, body: &str, expected: usize) {
        let html = format!("<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>");
        let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
        assert_eq!(find(&document).len(), expected, "{html}");
    }

    #[test]
    fn labels_that_repeat_their_headers_are_found_when_whole_columns_have_them() {
        let head = "<th>Item</th><th>Price</th><th></th>";
        let row = "<tr><td><span>Item:</span> Pear<td> <b>Price</b>5<td><a>Buy</a></tr>";
        check(head, &row.repeat(2), 4);
        check(head, row, 0);
        check(head, &format!("{row}{row}<tr><td>Item<td><b>Price</b>6<td></tr>"), 0);
        check(head, "<tr><td><a>Item</a><td><b>Price</b></tr>".repeat(3).as_str(), 0);
        check(head, &row.replace("Price", "Cost").repeat(2), 0);
        check(head, &row.replace("<td> ", "<td colspan=2> ").repeat(2), 0);
        check("<td>Item<td>Price", &row.repeat(3), 6);
    }
}
