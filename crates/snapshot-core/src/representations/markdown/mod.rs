//! CommonMark with GitHub's extensions, which renders back to the page's content.
//!
//! The page is read into an outline of blocks and runs of inline content, in which white space
//! has collapsed as in CSS; writing it puts a backslash exactly where page text would otherwise
//! be read as markup. With ids, links lead to them (`[Add](e3)`) and controls stand in place
//! (`[e9 textbox "Email": ana@example.org]`).

mod blocks;
mod code;
mod controls;
mod emphasis;
mod escaping;
mod flow;
mod footnotes;
mod inline;
mod kinds;
mod lines;
mod links;
mod lists;
mod marks;
mod math;
mod outline;
mod reader;
mod run;
mod runs;
mod tables;
#[cfg(test)]
mod tests;

use super::{ReferencePolicy, Representation, UrlPolicy, View};
use crate::flat_tree::FlatTree;
use crate::writer::Writer;

pub use links::ShortUrls;

/// The representation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Markdown;

impl Representation for Markdown {
    fn write(&self, view: &View<'_>, writer: &mut Writer) {
        let references = view.references != ReferencePolicy::None || view.options.urls == UrlPolicy::Reference;
        let tree = FlatTree::new(view.draft.document());
        let outline = reader::read(view, &tree, writer.records_texts());
        blocks::write(&outline, references, writer);
    }
}
