//! Text in columns.

/// Which way a column is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Lays rows out in columns, two blanks apart. Cells must hold no line ends.
pub(crate) fn columns(aligns: &[Align], rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..aligns.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, &width), &align) in row.iter().zip(&widths).zip(aligns) {
            if !line.is_empty() {
                line.push_str("  ");
            }
            line.push_str(&match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            });
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
