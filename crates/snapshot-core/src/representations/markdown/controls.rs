//! Controls in place: as marks with their id, or as what a reader sees of them.

use super::escaping;
use super::flow::{self, Holds};
use crate::document::{NodeId, name};
use crate::flat_tree::FlatTree;
use crate::representations::View;
use crate::representations::states::state_words;
use crate::semantics::{Role, Tristate};

/// A control's mark: `[e9 textbox "Email" required: ana@example.org]`.
pub(super) struct Mark {
    pub(super) text: String,
    /// Whether it says all there is; otherwise the element's content follows.
    pub(super) whole: bool,
}

/// The mark of the target at the position.
pub(super) fn mark(view: &View<'_>, tree: &FlatTree, position: usize, number: u32, holds: Holds) -> Option<Mark> {
    let draft = view.draft;
    let document = draft.document();
    let node = tree.node(position);
    let role = draft.role(node);
    let word = match role {
        Some(Role::Generic) | None => "clickable",
        Some(role) => role.as_str(),
    };
    let is_native = matches!(
        document.html_name(node),
        Some(name::INPUT | name::SELECT | name::TEXTAREA | name::BUTTON | name::METER | name::PROGRESS)
    );
    let whole = is_native || !holds.any(Holds::BLOCK.or(Holds::TARGET).or(Holds::IMAGE).or(Holds::STRUCTURE));
    let mut text = format!("[e{number} {word}");
    let own = draft.name(node);
    let content = if own.is_empty() && whole { words(view, tree, position) } else { String::new() };
    let name = if own.is_empty() { content.as_str() } else { own };
    if !name.is_empty() && whole {
        text.push_str(" \"");
        text.push_str(&quoted(name));
        text.push('"');
    }
    for state in state_words(&draft.states(node)) {
        text.push(' ');
        text.push_str(state);
    }
    if whole && let Some(value) = draft.value(node).filter(|value| !value.is_empty()) {
        text.push_str(": ");
        text.push_str(&escaping::label(&value.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    text.push(']');
    Some(Mark { text, whole })
}

/// What a person reads off a control.
pub(super) fn readable(view: &View<'_>, node: NodeId) -> Option<String> {
    let draft = view.draft;
    let document = draft.document();
    if document.is_html(node, name::INPUT) {
        let kind = document.attribute(node, name::TYPE).unwrap_or("").to_ascii_lowercase();
        let checked = draft.states(node).checked == Tristate::True;
        match kind.as_str() {
            "checkbox" => return Some(if checked { "[x]" } else { "[ ]" }.to_owned()),
            "radio" => return Some(if checked { "(x)" } else { "( )" }.to_owned()),
            "submit" | "button" | "reset" | "image" => return Some(draft.name(node).to_owned()),
            "hidden" => return None,
            _ => {}
        }
    }
    draft.value(node).map(str::to_owned)
}

fn quoted(name: &str) -> String {
    escaping::label(&name.split_whitespace().collect::<Vec<_>>().join(" ")).replace('"', "\\\"")
}

/// The words of a subtree on one line.
fn words(view: &View<'_>, tree: &FlatTree, position: usize) -> String {
    let document = view.draft.document();
    let mut text = String::new();
    let mut at = position + 1;
    while at < tree.end(position) {
        let node = tree.node(at);
        if document.is_element(node) && flow::is_skipped(document, node) {
            at = tree.end(at);
            continue;
        }
        text.push_str(document.text(node));
        at += 1;
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
