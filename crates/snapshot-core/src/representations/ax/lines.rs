//! One line a node: `- role "name" [state] [ref=e3]: text`.

use super::states;
use super::tree::{AxTree, Item};
use super::write::{DEEPEST, Style, indent, push, push_runs};
use super::yaml;
use crate::writer::Writer;

/// The style.
pub(super) const STYLE: Style = Style { steps: 1, sign: "/", item: write_item };

/// YAML readers take no longer keys than 1,024 characters.
const LONGEST_KEY: usize = 1000;

/// Where a name is cut that would make too long a key; it then follows whole, as `/name`.
const CUT_NAME: usize = 200;

/// Writes an item's line and properties.
fn write_item(tree: &AxTree, item: &Item, depth: usize, writer: &mut Writer) -> bool {
    indent(writer, depth);
    writer.push_str("- ");
    writer.open(item.node);
    let start = writer.text().len();
    let too_deep = depth >= DEEPEST;
    let leaf = tree.is_leaf(item) || too_deep;
    let cut = write_key(item, leaf, writer);
    if let Some(number) = item.reference {
        writer.reference(number);
    }
    for &node in &item.absorbed {
        writer.record(node, start);
    }
    let only_value = item.url.is_none() && item.placeholder.is_none() && !cut;
    let has_lines = item.children.iter().any(|child| tree.takes_line(child));
    let inline = only_value && ((item.value.is_some() && !has_lines) || tree.has_only_text(item));
    let depth = depth.min(DEEPEST - 1);
    if too_deep {
        writer.push('\n');
        write_properties(item, depth, writer);
        return true;
    }
    if leaf || inline {
        if inline {
            writer.push_str(": ");
        }
        if let Some(value) = &item.value {
            push(writer, yaml::push_value, value);
        }
        push_runs(tree, item, writer);
        writer.push('\n');
    } else {
        writer.push_str(":\n");
        if cut {
            write_property(depth + 1, "/name", &item.name, writer);
        }
        write_properties(item, depth, writer);
        return true;
    }
    writer.close();
    false
}

fn write_properties(item: &Item, depth: usize, writer: &mut Writer) {
    for (key, value) in [("/url", &item.url), ("/placeholder", &item.placeholder), ("text", &item.value)] {
        if let Some(value) = value {
            write_property(depth + 1, key, value, writer);
        }
    }
}

/// Writes role, name, states and id. Gives whether the name had to be cut: only of a key, since
/// a line that stands alone may be of any length.
fn write_key(item: &Item, leaf: bool, writer: &mut Writer) -> bool {
    let mut key = key(item, &item.name);
    let mut quoted = String::new();
    yaml::push_key(&mut quoted, &key);
    let too_long = !leaf && quoted.len() > LONGEST_KEY && quoted.chars().count() > LONGEST_KEY;
    if too_long {
        let mut name: String = item.name.chars().take(CUT_NAME).collect();
        name.push('…');
        key = self::key(item, &name);
        quoted.clear();
        yaml::push_key(&mut quoted, &key);
    }
    writer.push_str(&quoted);
    too_long
}

fn key(item: &Item, name: &str) -> String {
    let mut key = item.role.as_str().to_owned();
    if !name.is_empty() {
        key.push(' ');
        yaml::push_quoted(&mut key, name);
    }
    for mark in states::marks(&item.states) {
        key.push_str(" [");
        key.push_str(&mark);
        key.push(']');
    }
    if let Some(number) = item.reference {
        key.push_str(" [ref=e");
        key.push_str(&number.to_string());
        key.push(']');
    }
    key
}

fn write_property(depth: usize, key: &str, value: &str, writer: &mut Writer) {
    indent(writer, depth);
    writer.push_str("- ");
    writer.push_str(key);
    writer.push_str(": ");
    push(writer, yaml::push_value, value);
    writer.push('\n');
}
