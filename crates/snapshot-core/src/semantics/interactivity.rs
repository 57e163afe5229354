//! What a person can operate, and the evidence for it.

use super::roles::Role;
use super::style::Styles;
use super::visibility::Visibilities;
use crate::document::{Document, name};
use crate::flat_tree::FlatTree;

/// Why an element may be acted on: a set of reasons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evidence(u16);

impl Evidence {
    /// A native control: link with address, button, input, select, textarea, summary.
    pub const NATIVE: Self = Self(1);
    /// A widget role.
    pub const ROLE: Self = Self(1 << 1);
    /// Editable content.
    pub const EDITABLE: Self = Self(1 << 2);
    /// In the tab order by `tabindex`.
    pub const TABINDEX: Self = Self(1 << 3);
    /// An inline handler such as `onclick`.
    pub const HANDLER: Self = Self(1 << 4);
    /// A captured event listener.
    pub const LISTENER: Self = Self(1 << 5);
    /// `cursor: pointer` that is not inherited.
    pub const CURSOR: Self = Self(1 << 6);
    /// The label of a control that is itself not shown.
    pub const LABEL: Self = Self(1 << 7);

    const NAMES: &[(Self, &str)] = &[
        (Self::NATIVE, "native"),
        (Self::ROLE, "role"),
        (Self::EDITABLE, "editable"),
        (Self::TABINDEX, "tabindex"),
        (Self::HANDLER, "handler"),
        (Self::LISTENER, "listener"),
        (Self::CURSOR, "cursor"),
        (Self::LABEL, "label"),
    ];

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` is in the set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The reasons' words, strongest first.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(flag, _)| self.contains(*flag)).map(|(_, word)| *word)
    }
}

pub(super) fn compute(
    document: &Document,
    flat_tree: &FlatTree,
    _styles: &Styles,
    _visibility: &Visibilities,
    roles: &[Option<Role>],
) -> Vec<Evidence> {
    let mut evidence = vec![Evidence::default(); document.len()];
    for &node in flat_tree.nodes().iter().filter(|&&node| document.is_element(node)) {
        let mut found = Evidence::default();
        let native = match document.html_name(node) {
            Some(name::A | name::AREA) => document.has_attribute(node, name::HREF),
            Some(name::BUTTON | name::SELECT | name::TEXTAREA | name::SUMMARY) => true,
            Some(name::INPUT) => document.attribute(node, name::TYPE) != Some("hidden"),
            _ => false,
        };
        if native {
            found = found.with(Evidence::NATIVE);
        }
        if document.has_attribute(node, name::ROLE)
            && roles[node.index()].is_some_and(|role| role.is_interactive() && role != Role::Option)
        {
            found = found.with(Evidence::ROLE);
        }
        if document.has_attribute(node, name::ONCLICK) {
            found = found.with(Evidence::HANDLER);
        }
        if document.attribute(node, name::TABINDEX).is_some_and(|index| !index.trim_start().starts_with('-')) {
            found = found.with(Evidence::TABINDEX);
        }
        if document.attribute(node, name::CONTENTEDITABLE).is_some_and(|value| value != "false") {
            found = found.with(Evidence::EDITABLE);
        }
        evidence[node.index()] = found;
    }
    evidence
}
