//! What is above an element, as far as its role depends on it.

use super::tables::{self, TableKind};
use super::{Role, focus};
use crate::document::{Document, Name, Namespace, NodeId, name};
use crate::semantics::ids::Ids;

/// An element whose role is asked for.
#[derive(Clone, Copy)]
pub(super) struct Context<'page, 'document> {
    pub(super) document: &'document Document,
    pub(super) ids: &'page Ids<'document>,
    pub(super) node: NodeId,
    pub(super) above: Surroundings,
}

impl<'document> Context<'_, 'document> {
    pub(super) fn attribute(&self, attribute: Name) -> Option<&'document str> {
        self.document.attribute(self.node, attribute)
    }

    pub(super) fn has(&self, attribute: Name) -> bool {
        self.document.has_attribute(self.node, attribute)
    }
}

/// The kind of list around an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ListKind {
    /// No list.
    #[default]
    None,
    /// Something with the role `list`.
    List,
    /// A list element that has another role or none: its items are no list items.
    Other,
}

/// What an element inherits from those above it in the flat tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Surroundings {
    /// Inside `aria-hidden`.
    pub(super) aria_hidden: bool,
    /// Inside a role whose children are only its picture.
    pub(super) in_picture: bool,
    /// Inside sectioning content or `main`: a header or footer there is not the page's.
    pub(super) in_section: bool,
    /// Inside sectioning content: an aside there must be named to be a landmark.
    pub(super) in_sectioning_content: bool,
    /// The nearest list.
    pub(super) list: ListKind,
    /// The nearest table element.
    pub(super) table: TableKind,
    /// Inside `role=listbox` or a native one.
    pub(super) in_list_box: bool,
    /// Inside `role=tree`.
    pub(super) in_tree: bool,
    /// Inside `select`, whose content is options.
    pub(super) in_select: bool,
    /// Inside editable content.
    pub(super) editable: bool,
    /// Inside SVG definitions, which show nothing by themselves.
    pub(super) in_svg_definitions: bool,
}

impl Surroundings {
    /// What the children of the context's element inherit, given its role.
    pub(super) fn below(mut self, context: &Context<'_, '_>, role: Option<Role>) -> Self {
        let document = context.document;
        let element = document.html_name(context.node);
        self.aria_hidden |= is_aria_hidden(context);
        if document.frame(context.node).is_some() {
            // A page begins anew in its frame; only that nobody reads it is inherited.
            return Self { aria_hidden: self.aria_hidden, ..Self::default() };
        }
        self.editable = focus::is_editable(document, context.node).unwrap_or(self.editable);
        match element {
            Some(name::ARTICLE | name::ASIDE | name::NAV | name::SECTION) => self.enter_sectioning_content(),
            Some(name::MAIN) => self.in_section = true,
            Some(name::UL | name::OL | name::MENU | name::DIR) => self.list = ListKind::Other,
            Some(name::TABLE) => self.table = tables::kind(role),
            Some(name::SELECT) => self.in_select = true,
            Some(_) => {}
            None => {
                self.in_svg_definitions |= document.namespace(context.node) == Some(Namespace::Svg)
                    && document.name(context.node).is_some_and(|name| SVG_DEFINITIONS.contains(&name));
            }
        }
        match role {
            None | Some(Role::Generic) => {}
            Some(Role::Article | Role::Complementary | Role::Navigation | Role::Region) => {
                self.enter_sectioning_content();
            }
            Some(Role::Main) => self.in_section = true,
            Some(Role::List) => self.list = ListKind::List,
            Some(Role::ListBox) => self.in_list_box = true,
            Some(Role::Tree) => self.in_tree = true,
            Some(role) => self.in_picture |= role.is_picture(),
        }
        self
    }

    fn enter_sectioning_content(&mut self) {
        self.in_sectioning_content = true;
        self.in_section = true;
    }
}

/// SVG 2, 5.5 "never-rendered elements" and what else only other elements show.
const SVG_DEFINITIONS: &[Name] = &[
    name::DEFS,
    name::SYMBOL,
    name::PATTERN,
    name::MARKER,
    name::MASK,
    name::CLIP_PATH,
    name::LINEAR_GRADIENT,
    name::RADIAL_GRADIENT,
    name::FILTER,
    name::METADATA,
];

/// Browsers do not let a page hide all of itself, so `html` and `body` are not heard.
fn is_aria_hidden(context: &Context<'_, '_>) -> bool {
    context.attribute(name::ARIA_HIDDEN).is_some_and(|value| value.eq_ignore_ascii_case("true"))
        && !matches!(context.document.html_name(context.node), Some(name::HTML | name::BODY))
}
