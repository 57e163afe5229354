//! The accessibility tree as YAML: one sequence item per node.
//!
//! ```yaml
//! - heading "Ristorante Faro" [level=1]
//! - list:
//!   - listitem:
//!     - text: Margherita
//!     - link "Add" [ref=e3]:
//!       - /url: add?p=margherita
//! - textbox "Email" [required] [ref=e9]: ana@example.org
//! ```
//!
//! What is left out, because it says nothing that is not said elsewhere:
//! - elements without a meaning of their own; their text joins that of what is around them;
//! - bold, code and the like, which become part of the text, and groups of rows;
//! - inside links, buttons and headings what the name already says, and label text that has
//!   become a control's name;
//! - the name of a row, cell, list item or heading when the lines below it say the same;
//! - structure and headings around nothing.
//!
//! What style sheets write around an element's content (`::before`, `::after`) is text like any
//! other where it has words in it; bullets, bars, icons and numbers of lines are not.
//!
//! A native list of many options is written in one line, `/options: [Albania, Andorra, …]`;
//! those with a state, such as the chosen one, keep a line of their own.

mod absorb;
mod build;
mod collapse;
mod lines;
mod nested;
mod states;
mod tree;
mod write;
mod yaml;

use super::{AxStyle, Representation, View};
use crate::writer::Writer;

/// The representation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ax;

impl Representation for Ax {
    fn write(&self, view: &View<'_>, writer: &mut Writer) {
        let tree = build::build(view);
        let style = match view.options.ax_style {
            AxStyle::Lines => &lines::STYLE,
            AxStyle::Nested => &nested::STYLE,
        };
        write::write(style, &tree, writer);
        if writer.text().is_empty() {
            // No text at all is no YAML document to some readers.
            writer.push_str("[]\n");
        }
    }
}
