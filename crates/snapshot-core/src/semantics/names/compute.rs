//! The order in which an element's name is looked for (accname 1.2, section 4.3.2, from the
//! element that is named; [`walk`](super::walk) does the same for those inside it).
//!
//! Each function leaves what it finds as the text at hand of the walk.

use super::native::{self, Alternative};
use super::walk::{Purpose, Task, Walk};
use super::{Range, Sources, aria_label, filled};
use crate::document::{Marks, NodeId, name};
use crate::semantics::roles::Role;

/// The attributes that name an element by others.
const LABELLING: Marks = Marks::of_all(&[name::ARIA_LABELLEDBY, name::ARIA_LABELEDBY]);

/// The attributes without one of which an element has no description.
pub(super) const DESCRIBING: Marks = Marks::of_all(&[name::ARIA_DESCRIBEDBY, name::ARIA_DESCRIPTION, name::TITLE]);

/// The element's name.
pub(super) fn name(walk: &mut Walk<'_>, node: NodeId, from_content: bool) {
    let Sources { document, ids, .. } = walk.sources;
    walk.begin(node);
    if document.may_have_any(node, LABELLING) {
        referenced(walk, ids.labelled_by(node));
        if !walk.text.is_empty() {
            return;
        }
    }
    if let Some(label) = aria_label(document, node) {
        return fold(walk, label);
    }
    for &alternative in native::alternatives(document, node) {
        match alternative {
            Alternative::Labels => labels(walk, node),
            Alternative::Child(_) => match native::child_of(document, node, alternative) {
                Some(child) => {
                    let task = walk.task(child, Purpose::Content);
                    walk.gather(std::iter::once(task));
                }
                None => continue,
            },
            _ => match native::text_of(document, node, alternative) {
                Some(text) if matches!(alternative, Alternative::Whole(_)) => return fold(walk, &text),
                Some(text) => fold(walk, &text),
                None => continue,
            },
        }
        if !walk.text.is_empty() {
            return;
        }
    }
    if from_content {
        walk.gather_content();
        if !walk.text.is_empty() {
            return;
        }
    }
    let may_have_title = !walk.sources.role(node).is_some_and(Role::prohibits_name);
    if let Some(title) = filled(document, node, name::TITLE).filter(|_| may_have_title) {
        fold(walk, title);
    }
}

/// The element's description, given its name: what it refers to, what its author says, or a
/// title that is not its name (accname 1.2, section 4.3.1, "description").
pub(super) fn description(walk: &mut Walk<'_>, node: NodeId, name: Range) {
    let Sources { document, ids, .. } = walk.sources;
    walk.begin(node);
    if let Some(list) = document.attribute(node, name::ARIA_DESCRIBEDBY) {
        referenced(walk, ids.references(node, list));
        if !walk.text.is_empty() {
            return;
        }
    }
    let written = [name::ARIA_DESCRIPTION, name::TITLE].into_iter().find_map(|place| filled(document, node, place));
    if let Some(written) = written {
        fold(walk, written);
    }
    if name.of(&walk.text.buffer) == Some(walk.text.as_str()) {
        walk.text.discard();
    }
}

/// The text of elements that an attribute lists, those that are hidden included.
fn referenced(walk: &mut Walk<'_>, elements: impl Iterator<Item = NodeId>) {
    let tasks: Vec<Task> = elements.map(|element| walk.task(element, Purpose::AriaReference)).collect();
    walk.gather(tasks.into_iter());
}

/// The text of the control's labels; one inside another is read with it.
fn labels(walk: &mut Walk<'_>, control: NodeId) {
    let mut tasks: Vec<Task> = Vec::new();
    for &label in walk.sources.labels.of(control) {
        let task = walk.task(label, Purpose::Reference);
        if tasks.last().is_none_or(|last| !last.contains(&task)) {
            tasks.push(task);
        }
    }
    walk.gather(tasks.into_iter());
}

/// The text with its white space folded.
fn fold(walk: &mut Walk<'_>, text: &str) {
    walk.text.begin();
    if walk.budget.spend(text.len()) {
        walk.text.push(text);
    }
}
