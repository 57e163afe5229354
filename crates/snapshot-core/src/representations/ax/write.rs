//! The walk over the tree, which all styles of writing it share.

use super::tree::{AxTree, Child, Item};
use super::yaml;
use crate::writer::Writer;

/// Readers of YAML refuse nesting from some depth on, often 100 collections, of which a level has
/// two. What is deeper stands beside what holds it.
pub(super) const DEEPEST: usize = 45;

/// In what the styles differ.
pub(super) struct Style {
    /// How many steps of two spaces a level is indented by.
    pub(super) steps: usize,
    /// What stands before the keys that are no role.
    pub(super) sign: &'static str,
    /// Writes an item but for its children, given the item's level. Gives whether they are still
    /// to be written, and the item to be closed after them.
    pub(super) item: fn(&AxTree<'_>, &Item<'_>, usize, &mut Writer) -> bool,
}

/// Writes the tree.
pub(super) fn write(style: &Style, tree: &AxTree<'_>, writer: &mut Writer) {
    let Some(root) = tree.items.first() else { return };
    let mut stack = vec![tree.children(root).iter()];
    while let Some(children) = stack.last_mut() {
        let Some(child) = children.next() else {
            stack.pop();
            if !stack.is_empty() {
                writer.close();
            }
            continue;
        };
        let level = (stack.len() - 1).min(DEEPEST);
        let mut begin = |sign: &str, key: &str| {
            indent(writer, style.steps * level);
            writer.push_str("- ");
            writer.push_str(sign);
            writer.push_str(key);
        };
        match child {
            Child::Run(run) if run.text.is_empty() => tree.write_run(run, writer),
            Child::Run(run) => {
                tree.mark_source(run.text.start, writer);
                indent(writer, style.steps * level);
                writer.push_str("- text: ");
                tree.write_run(run, writer);
                writer.push('\n');
            }
            Child::Options(options) => {
                begin(style.sign, "options: [");
                write_options(tree, options, writer);
            }
            // A key that no text of a page can take.
            Child::Note(note) => {
                begin(style.sign, "note: ");
                writer.push_str(note);
                writer.push('\n');
            }
            Child::Item(index) => {
                let Some(item) = tree.items.get(*index) else { continue };
                if (style.item)(tree, item, level, writer) {
                    stack.push(tree.children(item).iter());
                }
            }
        }
    }
}

fn write_options(tree: &AxTree<'_>, options: &[usize], writer: &mut Writer) {
    for (at, option) in options.iter().filter_map(|&option| tree.items.get(option)).enumerate() {
        if at > 0 {
            writer.push_str(", ");
        }
        writer.open(option.node);
        push(writer, yaml::push_flow_entry, &option.name);
        writer.close();
    }
    writer.push_str("]\n");
}

/// Writes a text with its quotes.
pub(super) fn push(writer: &mut Writer, quote: fn(&mut String, &str), text: &str) {
    writer.append(|out| quote(out, text));
}

/// Writes the runs below an item one after the other.
pub(super) fn push_runs(tree: &AxTree<'_>, item: &Item<'_>, writer: &mut Writer) {
    for child in tree.children(item) {
        if let Child::Run(run) = child {
            tree.write_run(run, writer);
        }
    }
}

/// Indents by steps of two spaces.
pub(super) fn indent(writer: &mut Writer, steps: usize) {
    const SPACES: &str = "                                ";
    let mut left = 2 * steps;
    while left > 0 {
        let now = left.min(SPACES.len());
        writer.push_str(&SPACES[..now]);
        left -= now;
    }
}
