//! What a control adds to the name of something else that contains it (accname 1.2, 2C).

use super::text::Budget;
use super::{Sources, filled};
use crate::document::{NodeId, name};
use crate::semantics::roles::Role;

/// What an element adds to a name around it in place of its own name.
pub(super) enum Embedded<'page> {
    /// It is no such control, or has no value.
    No,
    /// Its value.
    Value(&'page str),
    /// The options that are chosen in it.
    Options(Vec<NodeId>),
    /// Its own content, without its name.
    OwnContent,
}

/// What the control adds. A secret adds nothing: values come from the state table, which holds
/// no secrets.
pub(super) fn embedded<'page>(sources: &Sources<'page>, node: NodeId, budget: &mut Budget) -> Embedded<'page> {
    let document = sources.document;
    let value = || sources.states.value(node).unwrap_or("");
    let can_look_inside = |budget: &mut Budget| budget.spend(sources.flat_tree.descendants(node).len());
    let is_native = matches!(document.html_name(node), Some(name::INPUT | name::TEXTAREA | name::SELECT));
    match sources.role(node) {
        // An empty field says what it is for, as in Chromium; of a secret not even that it is full.
        Some(Role::TextBox | Role::SearchBox) if is_native && value().is_empty() => Embedded::No,
        Some(Role::TextBox | Role::SearchBox) if is_native => Embedded::Value(value()),
        Some(Role::TextBox | Role::SearchBox) => Embedded::OwnContent,
        Some(Role::ComboBox | Role::ListBox) if is_native => Embedded::Value(value()),
        Some(Role::ComboBox) if can_look_inside(budget) => combo_box(sources, node),
        Some(Role::ListBox) if can_look_inside(budget) => Embedded::Options(chosen(sources, node)),
        Some(Role::Slider | Role::SpinButton | Role::ProgressBar | Role::Meter | Role::Scrollbar) => {
            let texts = [
                filled(document, node, name::ARIA_VALUETEXT),
                sources.states.value(node),
                filled(document, node, name::ARIA_VALUENOW),
            ];
            texts.into_iter().flatten().next().map_or(Embedded::No, Embedded::Value)
        }
        _ => Embedded::No,
    }
}

/// A combo box built of other elements shows the text field in it, else what is chosen in it,
/// else its own text.
fn combo_box<'page>(sources: &Sources<'page>, node: NodeId) -> Embedded<'page> {
    let field = sources.flat_tree.descendants(node).iter().copied().find(|&inner| {
        matches!(sources.document.html_name(inner), Some(name::INPUT | name::TEXTAREA))
            && matches!(sources.role(inner), Some(Role::TextBox | Role::SearchBox | Role::ComboBox))
    });
    if let Some(field) = field {
        return Embedded::Value(sources.states.value(field).unwrap_or(""));
    }
    let chosen = chosen(sources, node);
    if chosen.is_empty() { Embedded::OwnContent } else { Embedded::Options(chosen) }
}

fn chosen(sources: &Sources<'_>, node: NodeId) -> Vec<NodeId> {
    let is_true = |inner: NodeId, attribute| {
        sources.document.attribute(inner, attribute).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    };
    let options = sources.flat_tree.descendants(node).iter().copied().filter(|&inner| {
        sources.role(inner) == Some(Role::Option)
            && (is_true(inner, name::ARIA_SELECTED) || is_true(inner, name::ARIA_CHECKED))
    });
    options.collect()
}
