//! The order in which an element's name is looked for (accname 1.2, section 4.3.2, from the
//! element that is named; [`walk`](super::walk) does the same for those inside it).

use super::native::{self, Alternative};
use super::text::Joined;
use super::walk::{Purpose, Task, Walk};
use super::{Sources, aria_label, filled};
use crate::document::{NodeId, name};
use crate::semantics::roles::Role;

/// The element's name.
pub(super) fn name(walk: &mut Walk<'_>, node: NodeId, from_content: bool) -> Joined {
    let Sources { document, ids, .. } = walk.sources;
    walk.begin(node);
    let by_reference = referenced(walk, ids.labelled_by(node));
    if !by_reference.is_empty() {
        return by_reference;
    }
    if let Some(label) = aria_label(document, node) {
        return folded(walk, label);
    }
    for &alternative in native::alternatives(document, node) {
        let text = match alternative {
            Alternative::Labels => labels(walk, node),
            Alternative::Child(_) => match native::child_of(document, node, alternative) {
                Some(child) => {
                    let task = walk.task(child, Purpose::Content);
                    walk.gather(std::iter::once(task))
                }
                None => continue,
            },
            _ => match native::text_of(document, node, alternative) {
                Some(text) if matches!(alternative, Alternative::Whole(_)) => return folded(walk, &text),
                Some(text) => folded(walk, &text),
                None => continue,
            },
        };
        if !text.is_empty() {
            return text;
        }
    }
    if from_content {
        let task = walk.task(node, Purpose::Content);
        let text = walk.gather(std::iter::once(task));
        if !text.is_empty() {
            return text;
        }
    }
    let may_have_title = !walk.sources.role(node).is_some_and(Role::prohibits_name);
    match filled(document, node, name::TITLE) {
        Some(title) if may_have_title => folded(walk, title),
        _ => Joined::default(),
    }
}

/// The element's description, given its name: what it refers to, what its author says, or a
/// title that is not its name (accname 1.2, section 4.3.1, "description").
pub(super) fn description(walk: &mut Walk<'_>, node: NodeId, name: &Joined) -> Joined {
    let Sources { document, ids, .. } = walk.sources;
    walk.begin(node);
    if let Some(list) = document.attribute(node, name::ARIA_DESCRIBEDBY) {
        let text = referenced(walk, ids.references(node, list));
        if !text.is_empty() {
            return text;
        }
    }
    let written = [name::ARIA_DESCRIPTION, name::TITLE].into_iter().find_map(|place| filled(document, node, place));
    let text = written.map_or_else(Joined::default, |text| folded(walk, text));
    if text.as_str() == name.as_str() { Joined::default() } else { text }
}

/// The text of elements that an attribute lists, those that are hidden included.
fn referenced(walk: &mut Walk<'_>, elements: impl Iterator<Item = NodeId>) -> Joined {
    let tasks: Vec<Task> = elements.map(|element| walk.task(element, Purpose::AriaReference)).collect();
    walk.gather(tasks.into_iter())
}

/// The text of the control's labels; one inside another is read with it.
fn labels(walk: &mut Walk<'_>, control: NodeId) -> Joined {
    let mut tasks: Vec<Task> = Vec::new();
    for &label in walk.sources.labels.of(control) {
        let task = walk.task(label, Purpose::Reference);
        if tasks.last().is_none_or(|last| !last.contains(&task)) {
            tasks.push(task);
        }
    }
    walk.gather(tasks.into_iter())
}

/// The text with its white space folded.
fn folded(walk: &mut Walk<'_>, text: &str) -> Joined {
    let mut joined = Joined::default();
    if walk.budget.spend(text.len()) {
        joined.push(text);
    }
    joined
}
