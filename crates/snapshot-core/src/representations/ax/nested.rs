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
use super::tree::{AxTree, Item};
use super::write::{DEEPEST, Style, indent, push, push_runs};
use super::yaml;
use crate::writer::Writer;

/// The style.
pub(super) const STYLE: Style = Style { steps: 2, sign: "", item: write_item };

fn write_item(tree: &AxTree<'_>, item: &Item<'_>, level: usize, writer: &mut Writer) -> bool {
    let inside = 2 * level + 1;
    indent(writer, 2 * level);
    writer.push_str("- ");
    writer.open(item.node);
    let start = writer.text().len();
    writer.push_str("role: ");
    writer.push_str(item.role.as_str());
    writer.push('\n');
    if !item.name.is_empty() {
        write_field(inside, "name", &item.name, writer);
    }
    for &node in &item.absorbed {
        writer.record(node, start);
    }
    if let Some(number) = item.reference {
        write_field(inside, "ref", &format!("e{number}"), writer);
        writer.reference(number);
    }
    let states: Vec<_> = states::marks(&item.states).collect();
    if !states.is_empty() {
        indent(writer, inside);
        writer.push_str("states: [");
        writer.push_str(&states.join(", "));
        writer.push_str("]\n");
    }
    for (key, value) in
        [("url", item.url.as_deref()), ("placeholder", item.placeholder.as_deref()), ("value", item.value.as_deref())]
    {
        if let Some(value) = value {
            write_field(inside, key, value, writer);
        }
    }
    let has_lines = tree.children(item).iter().any(|child| tree.takes_line(child));
    if tree.has_only_text(item) {
        indent(writer, inside);
        writer.push_str("text: ");
        push_runs(tree, item, writer);
        writer.push('\n');
    } else if has_lines {
        if level < DEEPEST {
            indent(writer, inside);
            writer.push_str("children:\n");
        }
        return true;
    } else {
        push_runs(tree, item, writer);
    }
    writer.close();
    false
}

fn write_field(steps: usize, key: &str, value: &str, writer: &mut Writer) {
    indent(writer, steps);
    writer.push_str(key);
    writer.push_str(": ");
    push(writer, yaml::push_value, value);
    writer.push('\n');
}
