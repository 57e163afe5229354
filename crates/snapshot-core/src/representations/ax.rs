//! The accessibility tree as YAML: one sequence item per node.

use super::{Representation, View};
use crate::document::NodeId;
use crate::flat_tree::FlatTree;
use crate::semantics::Role;
use crate::writer::Writer;

/// The representation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ax;

impl Representation for Ax {
    fn write(&self, view: &View<'_>, writer: &mut Writer) {
        let document = view.draft.document();
        let tree = FlatTree::for_accessibility(document);
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (position, &node) in tree.nodes().iter().enumerate() {
            while open.last().is_some_and(|&(end, _)| end <= position) {
                open.pop();
                writer.close();
            }
            let depth = open.last().map_or(0, |&(_, depth)| depth);
            if document.is_text(node) {
                let text = document.text(node).split_whitespace().collect::<Vec<_>>().join(" ");
                if !text.is_empty() {
                    writer.mark(node);
                    writer.push_str(&format!("{}- text: {text:?}\n", "  ".repeat(depth)));
                }
            } else if let Some(note) = view.draft.elision_note(node) {
                writer.push_str(&format!("{}- /note: {note}\n", "  ".repeat(depth)));
            } else if let Some(role) = view.draft.role(node).filter(|&role| role != Role::Generic) {
                writer.open(node);
                line(view, writer, node, role, depth);
                open.push((tree.end(position), depth + 1));
            }
        }
    }
}

fn line(view: &View<'_>, writer: &mut Writer, node: NodeId, role: Role, depth: usize) {
    writer.push_str(&"  ".repeat(depth));
    writer.push_str("- ");
    writer.push_str(role.as_str());
    let name = view.draft.name(node);
    if !name.is_empty() {
        writer.push_str(&format!(" {name:?}"));
    }
    if let Some(number) = view.reference(node) {
        writer.push_str(&format!(" [ref=e{number}]"));
        writer.reference(number);
    }
    writer.push_str(":\n");
}
