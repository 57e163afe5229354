//! The same tree as nested mappings.
//!
//! ```yaml
//! - role: link
//!   name: Add
//!   ref: e3
//!   url: add?p=margherita
//!   children:
//!     - text: for two
//! ```

use super::states;
use super::tree::{AxTree, Child, Item};
use super::yaml;
use crate::representations::View;
use crate::writer::Writer;

/// Writes the tree.
pub(super) fn write(_view: &View<'_>, tree: &AxTree, writer: &mut Writer) {
    let Some(root) = tree.items.first() else { return };
    let mut stack = vec![root.children.iter()];
    while let Some(children) = stack.last_mut() {
        let Some(child) = children.next() else {
            stack.pop();
            if !stack.is_empty() {
                writer.close();
            }
            continue;
        };
        let depth = 2 * (stack.len() - 1);
        match child {
            Child::Run(run) if run.text.is_empty() => tree.write_run(run, writer),
            Child::Run(run) => {
                tree.mark_source(run.text.start, writer);
                indent(writer, depth);
                writer.push_str("- text: ");
                tree.write_run(run, writer);
                writer.push('\n');
            }
            Child::Options(options) => {
                indent(writer, depth);
                writer.push_str("- options: [");
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
            Child::Note(note) => {
                indent(writer, depth);
                writer.push_str("- note: ");
                writer.push_str(note);
                writer.push('\n');
            }
            Child::Item(index) => {
                let Some(item) = tree.items.get(*index) else { continue };
                if write_item(tree, item, depth, writer) {
                    stack.push(item.children.iter());
                }
            }
        }
    }
}

/// Writes an item but for its children. Gives whether they are still to be written, and the
/// item to be closed after them.
fn write_item(tree: &AxTree, item: &Item, depth: usize, writer: &mut Writer) -> bool {
    indent(writer, depth);
    writer.push_str("- ");
    writer.open(item.node);
    let start = writer.text().len();
    writer.push_str("role: ");
    writer.push_str(item.role.as_str());
    writer.push('\n');
    if !item.name.is_empty() {
        write_field(depth, "name", &item.name, writer);
    }
    for &node in &item.absorbed {
        writer.record(node, start);
    }
    if let Some(number) = item.reference {
        write_field(depth, "ref", &format!("e{number}"), writer);
        writer.reference(number);
    }
    let states: Vec<_> = states::marks(&item.states).collect();
    if !states.is_empty() {
        indent(writer, depth + 1);
        writer.push_str("states: [");
        writer.push_str(&states.join(", "));
        writer.push_str("]\n");
    }
    for (key, value) in [("url", &item.url), ("placeholder", &item.placeholder), ("value", &item.value)] {
        if let Some(value) = value {
            write_field(depth, key, value, writer);
        }
    }
    if tree.has_only_text(item) {
        indent(writer, depth + 1);
        writer.push_str("text: ");
        for child in &item.children {
            if let Child::Run(run) = child {
                tree.write_run(run, writer);
            }
        }
        writer.push('\n');
    } else if item.children.iter().any(|child| tree.takes_line(child)) {
        indent(writer, depth + 1);
        writer.push_str("children:\n");
        return true;
    } else {
        for child in &item.children {
            if let Child::Run(run) = child {
                tree.write_run(run, writer);
            }
        }
    }
    writer.close();
    false
}

fn write_field(depth: usize, key: &str, value: &str, writer: &mut Writer) {
    indent(writer, depth + 1);
    writer.push_str(key);
    writer.push_str(": ");
    push(writer, yaml::push_value, value);
    writer.push('\n');
}

fn push(writer: &mut Writer, quote: fn(&mut String, &str), text: &str) {
    let mut quoted = String::new();
    quote(&mut quoted, text);
    writer.push_str(&quoted);
}

fn indent(writer: &mut Writer, depth: usize) {
    for _ in 0..depth {
        writer.push_str("  ");
    }
}
