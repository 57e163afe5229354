//! Controls in place: as marks with their id, or as what a reader sees of them.

use super::escaping;
use super::flow::{self, Holds};
use crate::document::{Name, NodeId, name};
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
    if !name.is_empty() && (whole || !says_itself(view, tree, position)) {
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
        text.push_str(&escaping::label(&one_line(value)));
    } else if whole && !own.is_empty() {
        // A button that is called otherwise than it says.
        let said = words(view, tree, position);
        if !squeezed(own).contains(&squeezed(&said)) {
            text.push_str(": ");
            text.push_str(&escaping::label(&said));
        }
    }
    if document.is_html(node, name::SELECT) {
        options(view, node, &mut text);
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

/// How many of a choice's options are written.
const OPTION_LIMIT: usize = 12;

/// What can be chosen instead: ` (or Newest | Price, low to high | … 3 more)`.
fn options(view: &View<'_>, select: NodeId, text: &mut String) {
    let draft = view.draft;
    let document = draft.document();
    let limit = if view.options.whole_texts { usize::MAX } else { OPTION_LIMIT };
    let mut others = 0;
    for option in document.descendants(select).filter(|&node| document.is_html(node, name::OPTION)) {
        let label =
            document.attribute(option, name::LABEL).map_or_else(|| document.text_content(option), str::to_owned);
        let label = one_line(&label);
        if draft.states(option).selected || label.is_empty() {
            continue;
        }
        others += 1;
        if others <= limit {
            text.push_str(if others == 1 { " (or " } else { " | " });
            text.push_str(&escaping::label(&label));
        }
    }
    if others > limit {
        text.push_str(" | … ");
        text.push_str(&(others - limit).to_string());
        text.push_str(" more");
    }
    if others > 0 {
        text.push(')');
    }
}

/// The name of a link that its words do not say: of an arrow, of "more". Without any words the
/// link shows its name.
pub(super) fn unsaid_name(view: &View<'_>, tree: &FlatTree, position: usize) -> Option<String> {
    let name = view.draft.name(tree.node(position));
    let is_unsaid = !name.is_empty() && !says_itself(view, tree, position) && !words(view, tree, position).is_empty();
    is_unsaid.then(|| one_line(name))
}

/// Longer names are the text of what they name.
const LONGEST_NAME: usize = 160;

/// Whether the element's name can be read in what is in it. Only a name that the page's makers
/// gave it can differ from that.
fn says_itself(view: &View<'_>, tree: &FlatTree, position: usize) -> bool {
    const NAMING: &[Name] = &[name::ARIA_LABEL, name::ARIA_LABELLEDBY, name::TITLE];
    let (draft, node) = (view.draft, tree.node(position));
    let name = draft.name(node);
    let page = draft.page().document();
    if name.len() > LONGEST_NAME
        || node.index() >= page.len()
        || !NAMING.iter().any(|&attribute| page.has_attribute(node, attribute))
    {
        return true;
    }
    squeezed(&words(view, tree, position)).contains(&squeezed(name))
}

/// The text's letters and digits.
fn squeezed(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}

fn quoted(name: &str) -> String {
    escaping::label(&one_line(name)).replace('"', "\\\"")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
        if let Some(alt) = document.attribute(node, name::ALT).filter(|_| document.is_html(node, name::IMG)) {
            text.push_str(alt);
        }
        at += 1;
    }
    one_line(&text)
}
