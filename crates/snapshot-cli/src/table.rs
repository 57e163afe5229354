//! Text in columns.

/// Which way a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// How wide a column may get; a longer cell sticks out, so that one does not blow up every row.
const WIDEST: usize = 120;

/// Lays rows out in columns, two blanks apart. Cells must hold no line ends.
pub(crate) fn columns(aligns: &[Align], rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..aligns.len()).map(|column| width(column).unwrap_or(0).min(WIDEST)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, ((cell, &width), &align)) in row.iter().zip(&widths).zip(aligns).enumerate() {
            if column > 0 {
                line.push_str("  ");
            }
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            let (before, after) = if align == Align::Left { ("", padding.as_str()) } else { (padding.as_str(), "") };
            line.extend([before, cell.as_str(), after]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_right_and_words_left() {
        let rows = [vec!["name".to_owned(), "count".to_owned()], vec!["é".to_owned(), "7".to_owned()]];
        assert_eq!(columns(&[Align::Left, Align::Right], &rows), "name  count\né         7\n");
    }
}
