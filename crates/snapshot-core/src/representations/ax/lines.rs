//! One line a node: `- role "name" [state] [ref=e3]: text`.

use super::states;
use super::tree::{AxTree, Item};
use super::write::{DEEPEST, Style, indent, push, push_runs};
use super::yaml;
use crate::semantics::States;
use crate::writer::Writer;

/// The style.
pub(super) const STYLE: Style = Style { steps: 1, sign: "/", item: write_item };

/// YAML readers take no longer keys than 1,024 characters.
const LONGEST_KEY: usize = 1000;

/// Where a name is cut that would make too long a key; it then follows whole, as `/name`.
const CUT_NAME: usize = 200;

/// Writes an item's line and properties.
fn write_item(tree: &AxTree<'_>, item: &Item<'_>, depth: usize, writer: &mut Writer) -> bool {
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
    let has_lines = tree.children(item).iter().any(|child| tree.takes_line(child));
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

fn write_properties(item: &Item<'_>, depth: usize, writer: &mut Writer) {
    let properties =
        [("/url", item.url.as_deref()), ("/placeholder", item.placeholder.as_deref()), ("text", item.value.as_deref())];
    for (key, value) in properties {
        if let Some(value) = value {
            write_property(depth + 1, key, value, writer);
        }
    }
}

/// Writes role, name, states and id. Gives whether the name had to be cut: only of a key, since
/// a line that stands alone may be of any length.
fn write_key(item: &Item<'_>, leaf: bool, writer: &mut Writer) -> bool {
    let start = writer.text().len();
    writer.append(|out| push_key(out, item, &item.name));
    let length = writer.text().len() - start;
    let too_long = !leaf && length > LONGEST_KEY && writer.text()[start..].chars().count() > LONGEST_KEY;
    if too_long {
        let mut name: String = item.name.chars().take(CUT_NAME).collect();
        name.push('…');
        writer.append(|out| {
            out.truncate(start);
            push_key(out, item, &name);
        });
    }
    too_long
}

fn push_key(out: &mut String, item: &Item<'_>, name: &str) {
    // Nothing else in a key can keep it from being plain.
    if yaml::holds_separator(name) {
        let mut key = String::new();
        push_plain_key(&mut key, item, name);
        yaml::push_key(out, &key);
    } else {
        push_plain_key(out, item, name);
    }
}

fn push_plain_key(out: &mut String, item: &Item<'_>, name: &str) {
    out.push_str(item.role.as_str());
    if !name.is_empty() {
        out.push(' ');
        yaml::push_quoted(out, name);
    }
    if item.states != States::default() {
        for mark in states::marks(&item.states) {
            out.push_str(" [");
            out.push_str(&mark);
            out.push(']');
        }
    }
    if let Some(number) = item.reference {
        out.push_str(" [ref=e");
        out.push_str(itoa::Buffer::new().format(number));
        out.push(']');
    }
}

fn write_property(depth: usize, key: &str, value: &str, writer: &mut Writer) {
    indent(writer, depth);
    writer.push_str("- ");
    writer.push_str(key);
    writer.push_str(": ");
    push(writer, yaml::push_value, value);
    writer.push('\n');
}
