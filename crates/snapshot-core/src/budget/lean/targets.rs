//! Targets around a target that are one thing with it.

use super::said::lone_target;
use crate::document::{Name, NodeId, name};
use crate::draft::Draft;
use crate::semantics::{Role, States, Tristate};
use crate::text::spacing::without_blanks;

/// Lets an entry that holds one target of the same name, and nothing else, stand for nothing: who
/// acts on the target inside acts on the entry.
///
/// Before: `<div role=treeitem><a href=/sent>Sent</a></div>`
///
/// After: `<a href=/sent>Sent</a>`
pub(super) fn merge_entries(draft: &mut Draft<'_>) {
    let nodes: Vec<NodeId> = draft.document().composed_descendants(NodeId::DOCUMENT).collect();
    for node in nodes {
        if is_entry(draft, node)
            && let Some(inside) = lone_target(draft, node)
            && same_words(draft.name(node), draft.name(inside))
        {
            draft.merge_into(node, inside, "the target in it is the same thing");
        }
    }
}

/// Whether the element is a target only as a part of a list, a tree or a menu, without a state.
fn is_entry(draft: &Draft<'_>, node: NodeId) -> bool {
    /// The parser would move what stands in these.
    const PLACED: &[Name] = &[name::TR, name::TD, name::TH, name::CAPTION, name::OPTION, name::SUMMARY];
    let document = draft.document();
    draft.is_target(node)
        && matches!(
            draft.role(node),
            None | Some(
                Role::Generic
                    | Role::Group
                    | Role::Article
                    | Role::ListItem
                    | Role::TreeItem
                    | Role::MenuItem
                    | Role::Row
                    | Role::Cell
                    | Role::GridCell
            )
        )
        && !document.html_name(node).is_some_and(|tag| PLACED.contains(&tag))
        && document.parent(node).is_some()
        && document.shadow_root(node).is_none()
        && !is_in_state(&draft.states(node))
}

fn is_in_state(states: &States) -> bool {
    states.checked != Tristate::False
        || states.pressed != Tristate::False
        || states.selected
        || states.disabled
        || states.expanded.is_some()
}

/// Whether two texts have the same words, white space aside.
pub(super) fn same_words(first: &str, second: &str) -> bool {
    !first.is_empty() && without_blanks(first).eq(without_blanks(second))
}
