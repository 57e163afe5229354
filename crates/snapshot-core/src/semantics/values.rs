//! What controls hold now (HTML Standard, "value sanitization"; WAI-ARIA 1.2, `aria-valuenow`).

use super::roles::Role;
use super::states::Choices;
use crate::document::{Document, Name, NodeId, name};
use crate::flat_tree::FlatTree;

/// The kind of an `input`, `text` for those that browsers do not know.
pub(super) fn input_kind(document: &Document, node: NodeId) -> &'static str {
    const KINDS: &[&str] = &[
        "hidden",
        "search",
        "tel",
        "url",
        "email",
        "password",
        "date",
        "month",
        "week",
        "time",
        "datetime-local",
        "number",
        "range",
        "color",
        "checkbox",
        "radio",
        "file",
        "submit",
        "image",
        "reset",
        "button",
    ];
    let written = document.attribute(node, name::TYPE).unwrap_or("");
    KINDS.iter().find(|kind| written.eq_ignore_ascii_case(kind)).copied().unwrap_or("text")
}

/// The value of a control, as a person sees it; nothing where it is empty.
pub(super) fn value(
    document: &Document,
    flat_tree: &FlatTree,
    node: NodeId,
    role: Option<Role>,
    choices: &Choices,
) -> Option<String> {
    let native = match document.html_name(node) {
        Some(name::INPUT) => input_value(document, node),
        // The first line break of a text area is not part of it, which parsing has seen to.
        Some(name::TEXTAREA) => Some(document.text_content(node)),
        Some(name::SELECT) => {
            let chosen: Vec<String> = choices.of(node).map(|option| option_label(document, option)).collect();
            Some(chosen.join(", "))
        }
        Some(name::PROGRESS | name::METER) => {
            document.attribute(node, name::VALUE).and_then(number).map(|value| value.to_string())
        }
        _ => None,
    };
    native
        .or_else(|| ranged_value(document, node, role?))
        .or_else(|| edited_text(document, flat_tree, node))
        .filter(|value| !value.is_empty())
}

fn input_value(document: &Document, node: NodeId) -> Option<String> {
    let value = document.attribute(node, name::VALUE).unwrap_or("");
    match input_kind(document, node) {
        "checkbox" | "radio" | "hidden" | "submit" | "button" | "reset" | "image" | "file" => None,
        "number" => number(value).map(|_| value.trim().to_owned()),
        "range" => Some(range_value(document, node, value)),
        "color" => Some(if is_color(value) { value.to_ascii_lowercase() } else { "#000000".to_owned() }),
        _ => Some(value.replace(['\n', '\r'], "")),
    }
}

/// A range always holds a number between its ends: the middle when nothing is given.
fn range_value(document: &Document, node: NodeId, value: &str) -> String {
    let bound = |attribute: Name| document.attribute(node, attribute).and_then(number);
    let min = bound(name::MIN).unwrap_or(0.0);
    let max = bound(name::MAX).unwrap_or(100.0);
    let value = number(value).unwrap_or(if max < min { min } else { min + (max - min) / 2.0 });
    value.min(max).max(min).to_string()
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

fn is_color(value: &str) -> bool {
    value
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn ranged_value(document: &Document, node: NodeId, role: Role) -> Option<String> {
    role.is_range()
        .then(|| {
            [name::ARIA_VALUETEXT, name::ARIA_VALUENOW]
                .iter()
                .filter_map(|&attribute| document.attribute(node, attribute))
                .map(fold)
                .find(|value| !value.is_empty())
        })
        .flatten()
}

/// The text of content that a person edits in place.
fn edited_text(document: &Document, flat_tree: &FlatTree, node: NodeId) -> Option<String> {
    if !is_editing_host(document, node) || flat_tree.ancestors(node).any(|above| is_editing_host(document, above)) {
        return None;
    }
    Some(fold(&document.text_content(node)))
}

/// Whether the element can be edited in place (HTML Standard, `contenteditable`).
pub(super) fn is_editing_host(document: &Document, node: NodeId) -> bool {
    document.attribute(node, name::CONTENTEDITABLE).is_some_and(|value| {
        let value = value.trim();
        value.is_empty() || value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("plaintext-only")
    })
}

fn option_label(document: &Document, option: NodeId) -> String {
    let label = document.attribute(option, name::LABEL).map(fold).unwrap_or_default();
    if label.is_empty() { fold(&document.text_content(option)) } else { label }
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
