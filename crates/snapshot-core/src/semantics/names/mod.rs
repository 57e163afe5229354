//! Accessible names and descriptions (Accessible Name and Description Computation 1.2).
//!
//! [`compute`] has the steps for the element that is named, [`walk`] those for what is inside
//! it; [`native`] the text alternatives that HTML gives each element, [`embedded`] what a
//! control inside a label adds to it, and [`text`] the joining of the pieces.

mod compute;
mod embedded;
mod native;
mod text;
mod walk;

use super::ids::Ids;
use super::labels::Labels;
use super::roles::{Role, Roles};
use super::states::StateTable;
use super::style::Styles;
use super::visibility::{Visibilities, Visibility};
use crate::document::{Document, NodeId, name};
use crate::flat_tree::FlatTree;

use walk::Walk;

/// Names and descriptions of one document, in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Names {
    buffer: String,
    names: Vec<Range>,
    descriptions: Vec<Range>,
}

/// A stretch of the buffer.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    start: u32,
    end: u32,
}

/// What the computation reads.
#[derive(Clone, Copy)]
pub(super) struct Sources<'page> {
    pub(super) document: &'page Document,
    pub(super) flat_tree: &'page FlatTree,
    pub(super) ids: &'page Ids<'page>,
    pub(super) labels: &'page Labels,
    pub(super) styles: &'page Styles,
    pub(super) visibility: &'page Visibilities,
    pub(super) roles: &'page Roles,
    pub(super) states: &'page StateTable,
}

impl Sources<'_> {
    fn role(&self, node: NodeId) -> Option<Role> {
        self.roles.own.get(node.index()).copied().flatten()
    }

    /// Whether nobody sees or hears the node itself; what is below an invisible element may be
    /// visible again.
    fn is_hidden(&self, node: NodeId) -> bool {
        self.visibility.of(node) != Visibility::Visible || self.is_aria_hidden(node)
    }

    /// Whether nobody sees or hears anything of the subtree.
    fn is_subtree_hidden(&self, node: NodeId) -> bool {
        matches!(self.visibility.of(node), Visibility::NotRendered(_)) || self.is_aria_hidden(node)
    }

    fn is_aria_hidden(&self, node: NodeId) -> bool {
        self.roles.aria_hidden.get(node.index()).copied().unwrap_or_default()
    }
}

impl Names {
    pub(super) fn compute(sources: &Sources<'_>) -> Self {
        let document = sources.document;
        let mut names = Self {
            buffer: String::new(),
            names: vec![Range::default(); document.len()],
            descriptions: vec![Range::default(); document.len()],
        };
        let mut walk = Walk::new(sources);
        let in_grid = in_grid(sources);
        for (position, &node) in sources.flat_tree.nodes().iter().enumerate() {
            if !document.is_element(node) {
                continue;
            }
            let role = sources.role(node);
            // The walk over a generic element without attributes would find nothing.
            if role.is_none_or(|role| role == Role::Generic) && document.attributes(node).len() == 0 {
                continue;
            }
            let in_grid = || in_grid.get(position).copied().unwrap_or_default();
            let from_content =
                role.is_some_and(|role| role.takes_name_from_content() || role == Role::Row && in_grid());
            let mut name = Range::default();
            if role.is_some() {
                compute::name(&mut walk, node, from_content);
                name = walk.text.range();
                names.names[node.index()] = name;
            }
            if document.may_have_any(node, compute::DESCRIBING) {
                compute::description(&mut walk, node, name);
                names.descriptions[node.index()] = walk.text.range();
            }
        }
        names.buffer = walk.text.buffer;
        names.buffer.shrink_to_fit();
        names
    }

    pub(super) fn name(&self, id: NodeId) -> &str {
        self.text(self.names.get(id.index()))
    }

    pub(super) fn description(&self, id: NodeId) -> &str {
        self.text(self.descriptions.get(id.index()))
    }

    fn text(&self, range: Option<&Range>) -> &str {
        range.and_then(|range| range.of(&self.buffer)).unwrap_or("")
    }
}

/// Whether each position of the flat tree is a grid or in one; nothing when there is none.
fn in_grid(sources: &Sources<'_>) -> Vec<bool> {
    let is_grid = |role: Option<Role>| matches!(role, Some(Role::Grid | Role::TreeGrid));
    if !sources.roles.own.iter().any(|&role| is_grid(role)) {
        return Vec::new();
    }
    let mut in_grid: Vec<bool> = Vec::with_capacity(sources.flat_tree.len());
    for (position, &node) in sources.flat_tree.nodes().iter().enumerate() {
        let above = sources.flat_tree.parent_position(position).is_some_and(|parent| in_grid[parent]);
        in_grid.push(above || is_grid(sources.role(node)));
    }
    in_grid
}

impl Range {
    fn of(self, buffer: &str) -> Option<&str> {
        buffer.get(self.start as usize..self.end as usize)
    }
}

/// The value of an attribute if it says anything.
fn filled(document: &Document, node: NodeId, attribute: crate::document::Name) -> Option<&str> {
    document.attribute(node, attribute).filter(|value| !text::is_blank(value))
}

/// `aria-label`, the same for every element.
fn aria_label(document: &Document, node: NodeId) -> Option<&str> {
    filled(document, node, name::ARIA_LABEL)
}

#[cfg(test)]
mod tests;
