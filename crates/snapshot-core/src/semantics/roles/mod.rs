//! Roles: what each element is to someone who cannot see the page (WAI-ARIA 1.2, HTML-AAM).
//!
//! An element's `role` attribute decides ([`explicit`]), else the table of native roles does
//! ([`elements`]). Where the specifications leave a choice, it is Chromium's.

mod context;
mod elements;
mod explicit;
mod focus;
mod role;
mod tables;

pub use role::Role;

use context::{Context, Place, Surroundings};

use super::ids::Ids;
use crate::document::{Document, NodeId, name};
use crate::flat_tree::FlatTree;

/// The roles of one document.
#[derive(Clone, Debug, Default)]
pub(super) struct Roles {
    /// The role of each node in the accessibility tree: nothing for what is not exposed there.
    pub(super) exposed: Vec<Option<Role>>,
    /// The role that each element has in itself. Inside a picture, or under `aria-hidden`, it is
    /// not exposed but still decides how the element adds to names.
    pub(super) own: Vec<Option<Role>>,
    /// Whether each node is, or is inside, an element with `aria-hidden`.
    pub(super) aria_hidden: Vec<bool>,
}

impl Roles {
    /// Gives each element of the flat tree its role. One pass from the top: an element's role
    /// depends on its own attributes and on what is above it.
    pub(super) fn compute(document: &Document, flat_tree: &FlatTree, ids: &Ids<'_>) -> Self {
        let nothing = || vec![None; document.len()];
        let mut roles = Self { exposed: nothing(), own: nothing(), aria_hidden: vec![false; document.len()] };
        let mut surroundings: Vec<Surroundings> = Vec::with_capacity(flat_tree.len());
        for (position, &node) in flat_tree.nodes().iter().enumerate() {
            let above = flat_tree.parent_position(position).map_or(Surroundings::default(), |at| surroundings[at]);
            if !document.is_element(node) {
                roles.aria_hidden[node.index()] = above.are(Place::AriaHidden);
                surroundings.push(above);
                continue;
            }
            let context = Context { document, ids, node, above };
            let role = explicit::role(&context).unwrap_or_else(|| elements::role(&context));
            let inside = above.below(&context, role);
            roles.own[node.index()] = role;
            roles.aria_hidden[node.index()] = inside.are(Place::AriaHidden);
            let shown =
                !inside.are(Place::AriaHidden) && (!above.are(Place::Picture) || focus::is_focusable(document, node));
            roles.exposed[node.index()] = role.filter(|_| shown);
            surroundings.push(inside);
        }
        roles
    }
}

/// Whether the author names the element: by `aria-labelledby`, `aria-label` or `title`. Some
/// elements are landmarks only with a name.
fn has_author_name(context: &Context<'_, '_>) -> bool {
    let is_filled = |attribute| context.attribute(attribute).is_some_and(|value| !value.trim().is_empty());
    is_filled(name::ARIA_LABEL) || is_filled(name::TITLE) || context.ids.labelled_by(context.node).next().is_some()
}

/// The first element child of this name.
fn first_child_of_name(document: &Document, parent: NodeId, name: crate::document::Name) -> Option<NodeId> {
    document.element_children(parent).find(|&child| document.is_html(child, name))
}

#[cfg(test)]
mod tests;
