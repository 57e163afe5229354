//! States, properties and values of controls (WAI-ARIA 1.2, HTML-AAM).

use std::collections::BTreeMap;

use super::roles::Role;
use crate::document::{Document, NodeId, name};
use crate::flat_tree::FlatTree;

/// False, true or in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tristate {
    /// Not so.
    #[default]
    False,
    /// So.
    True,
    /// Partly so.
    Mixed,
}

/// The states that are written out; the default is "none of them".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct States {
    /// Ticked; only of checkboxes, radios, switches and their kin.
    pub checked: Tristate,
    /// Cannot be operated now.
    pub disabled: bool,
    /// Open or not, where that can be said.
    pub expanded: Option<bool>,
    /// Has the focus.
    pub active: bool,
    /// Its value is not accepted.
    pub invalid: bool,
    /// The level of a heading or of an item in a tree; 0 where there is none.
    pub level: u32,
    /// A toggle button that is in.
    pub pressed: Tristate,
    /// Must be filled in.
    pub required: bool,
    /// Chosen among its siblings.
    pub selected: bool,
    /// Can be read but not changed.
    pub readonly: bool,
}

/// States and values of one document; most elements have none.
#[derive(Clone, Debug, Default)]
pub struct StateTable {
    states: BTreeMap<NodeId, States>,
    values: BTreeMap<NodeId, String>,
    secrets: std::collections::BTreeSet<NodeId>,
}

impl StateTable {
    pub(super) fn compute(document: &Document, flat_tree: &FlatTree, roles: &[Option<Role>]) -> Self {
        let mut table = Self::default();
        for &node in flat_tree.nodes().iter().filter(|&&node| document.is_element(node)) {
            let states = states(document, node, roles[node.index()]);
            if states != States::default() {
                table.states.insert(node, states);
            }
            if is_secret(document, node) {
                table.secrets.insert(node);
            } else if let Some(value) = value(document, node) {
                table.values.insert(node, value);
            }
        }
        table
    }

    pub(super) fn states(&self, id: NodeId) -> States {
        self.states.get(&id).copied().unwrap_or_default()
    }

    pub(super) fn value(&self, id: NodeId) -> Option<&str> {
        self.values.get(&id).map(String::as_str)
    }

    pub(super) fn is_secret(&self, id: NodeId) -> bool {
        self.secrets.contains(&id)
    }
}

fn states(document: &Document, node: NodeId, role: Option<Role>) -> States {
    let is_true =
        |attribute| document.attribute(node, attribute).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let tristate = |attribute| match document.attribute(node, attribute) {
        Some(value) if value.eq_ignore_ascii_case("true") => Tristate::True,
        Some(value) if value.eq_ignore_ascii_case("mixed") => Tristate::Mixed,
        _ => Tristate::False,
    };
    let native_checked = document.is_html(node, name::INPUT) && document.has_attribute(node, name::CHECKED);
    let level = match document.html_name(node) {
        Some(name::H1) => 1,
        Some(name::H2) => 2,
        Some(name::H3) => 3,
        Some(name::H4) => 4,
        Some(name::H5) => 5,
        Some(name::H6) => 6,
        _ if role == Some(Role::Heading) => 2,
        _ => 0,
    };
    let aria_level = document.attribute(node, name::ARIA_LEVEL).and_then(|level| level.trim().parse().ok());
    let expanded = match document.attribute(node, name::ARIA_EXPANDED) {
        Some(value) if value.eq_ignore_ascii_case("true") => Some(true),
        Some(value) if value.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    };
    States {
        checked: if native_checked { Tristate::True } else { tristate(name::ARIA_CHECKED) },
        disabled: document.has_attribute(node, name::DISABLED) || is_true(name::ARIA_DISABLED),
        expanded,
        active: false,
        invalid: is_true(name::ARIA_INVALID),
        level: aria_level.unwrap_or(level),
        pressed: tristate(name::ARIA_PRESSED),
        required: document.has_attribute(node, name::REQUIRED) || is_true(name::ARIA_REQUIRED),
        selected: is_true(name::ARIA_SELECTED) || document.has_attribute(node, name::SELECTED),
        readonly: document.has_attribute(node, name::READONLY),
    }
}

fn is_secret(document: &Document, node: NodeId) -> bool {
    if !document.is_html(node, name::INPUT) && !document.is_html(node, name::TEXTAREA) {
        return false;
    }
    let password = document.attribute(node, name::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("password"));
    let autocomplete = document.attribute(node, name::AUTOCOMPLETE).unwrap_or("").to_ascii_lowercase();
    password
        || autocomplete.split_ascii_whitespace().any(|token| {
            matches!(token, "current-password" | "new-password" | "one-time-code") || token.starts_with("cc-")
        })
}

fn value(document: &Document, node: NodeId) -> Option<String> {
    match document.html_name(node)? {
        name::INPUT => {
            let kind = document.attribute(node, name::TYPE).unwrap_or("text").to_ascii_lowercase();
            match kind.as_str() {
                "checkbox" | "radio" | "hidden" | "submit" | "button" | "reset" | "image" | "file" => None,
                _ => document.attribute(node, name::VALUE).map(str::to_owned),
            }
        }
        name::TEXTAREA => Some(document.text_content(node)),
        name::SELECT => {
            let options: Vec<_> =
                document.descendants(node).filter(|&option| document.is_html(option, name::OPTION)).collect();
            let chosen =
                options.iter().find(|&&option| document.has_attribute(option, name::SELECTED)).or(options.first());
            chosen.map(|&option| document.text_content(option).split_whitespace().collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
    .filter(|value| !value.is_empty())
}
