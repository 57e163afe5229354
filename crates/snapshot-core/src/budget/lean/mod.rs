//! The first steps of the ladder, which cost little that a reader would miss: shorter addresses,
//! no attributes that only browsers read, no endless names, nothing said twice, and nothing
//! around what stands well by itself.

mod addresses;
mod attributes;
mod roles;
mod said;
mod shadows;
mod tags;
mod wrappers;

use crate::document::{NodeId, name};
use crate::draft::Draft;
use crate::representations::Containers;
use crate::semantics::Role;
use crate::text::pieces::piece_ends;

pub(super) use wrappers::merge_wrappers;

/// Longer attribute values and names are cut.
const LONGEST_NAME: usize = 160;

/// Longer values of controls are cut.
const LONGEST_VALUE: usize = 400;

/// How much of its content's text the name of a target repeats when that stands below it.
const LONGEST_REPETITION: usize = 28;

/// Takes the first of the steps, after which the page still has its own form.
pub(crate) fn make_light(draft: &mut Draft<'_>) {
    let nodes = elements(draft);
    let named = attributes::named_ids(draft.document(), &nodes);
    for &node in &nodes {
        addresses::shorten_addresses(draft, node);
        attributes::drop_attributes(draft.document_mut(), node, &named);
        if let Some(cut) = draft.value(node).and_then(|value| shortened(value, LONGEST_VALUE)) {
            draft.set_value(node, Some(cut));
        }
        if let Some(cut) = shortened(draft.name(node), LONGEST_NAME) {
            draft.set_name(node, cut);
        }
    }
    merge_wrappers(draft);
}

/// Takes all of the steps. Which of what only holds other elements can stand for nothing depends
/// on how `containers` are written.
pub(crate) fn make_lean(draft: &mut Draft<'_>, containers: Containers) {
    make_light(draft);
    let nodes = elements(draft);
    for &node in &nodes {
        if draft.is_target(node) && !draft.name(node).is_empty() {
            for attribute in [name::PLACEHOLDER, name::ARIA_PLACEHOLDER] {
                draft.document_mut().remove_attribute(node, attribute);
            }
        }
    }
    shorten_repetitions(draft, &nodes);
    if containers == Containers::Tags {
        shadows::flatten_shadow_trees(draft);
    }
    said::drop_repetitions(draft, containers);
    match containers {
        Containers::Roles => roles::merge_roles(draft),
        Containers::Tags => tags::merge_tags(draft),
        Containers::Unwritten | Containers::Marks => {}
    }
    merge_wrappers(draft);
}

fn elements(draft: &Draft<'_>) -> Vec<NodeId> {
    let document = draft.document();
    document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)).collect()
}

/// Cuts names that repeat what stands below.
fn shorten_repetitions(draft: &mut Draft<'_>, nodes: &[NodeId]) {
    let document = draft.document();
    let mut holds_lines = vec![false; document.len()];
    for &node in nodes.iter().rev() {
        let Some(parent) = document.composed_parent(node) else { continue };
        holds_lines[parent.index()] |=
            holds_lines[node.index()] || draft.page().references().line_number(node).is_some();
    }
    for &node in nodes {
        let repeats = holds_lines[node.index()]
            && draft.is_target(node)
            && matches!(
                draft.role(node),
                Some(Role::Row | Role::ListItem | Role::TreeItem | Role::Article | Role::Generic | Role::GridCell)
                    | None
            );
        if let Some(cut) = shortened(draft.name(node), LONGEST_REPETITION).filter(|_| repeats) {
            draft.set_name(node, cut);
        }
    }
}

/// The beginning of the text with a mark behind it, if the text is longer than `longest` bytes.
pub(crate) fn shortened(text: &str, longest: usize) -> Option<String> {
    if text.len() <= longest {
        return None;
    }
    let end = piece_ends(text, longest).first().copied().unwrap_or_default();
    (end < text.len()).then(|| format!("{}…", text[..end].trim_end()))
}
