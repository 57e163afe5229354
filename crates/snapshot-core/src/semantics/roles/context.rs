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

/// Something that an element can be inside of.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// `aria-hidden`.
    AriaHidden,
    /// A role whose children are only its picture.
    Picture,
    /// Sectioning content or `main`: a header or footer there is not the page's.
    Section,
    /// Sectioning content: an aside there must be named to be a landmark.
    SectioningContent,
    /// `role=listbox` or a native one.
    ListBox,
    /// `role=tree`.
    Tree,
    /// `select`, whose content is options.
    Select,
    /// Editable content.
    Editable,
    /// SVG definitions, which show nothing by themselves.
    SvgDefinitions,
}

/// What an element inherits from those above it in the flat tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Surroundings {
    /// A bit for each [`Place`].
    places: u16,
    /// The nearest list.
    pub(super) list: ListKind,
    /// The nearest table element.
    pub(super) table: TableKind,
}

impl Surroundings {
    #[inline]
    pub(super) fn are(self, place: Place) -> bool {
        self.places & 1 << place as u16 != 0
    }

    fn enter(&mut self, place: Place) {
        self.places |= 1 << place as u16;
    }

    fn leave(&mut self, place: Place) {
        self.places &= !(1 << place as u16);
    }

    /// What the children of the context's element inherit, given its role.
    pub(super) fn below(mut self, context: &Context<'_, '_>, role: Option<Role>) -> Self {
        let document = context.document;
        let element = document.html_name(context.node);
        if is_aria_hidden(context) {
            self.enter(Place::AriaHidden);
        }
        if document.frame(context.node).is_some() {
            // A page begins anew in its frame; only that nobody reads it is inherited.
            let mut inside = Self::default();
            if self.are(Place::AriaHidden) {
                inside.enter(Place::AriaHidden);
            }
            return inside;
        }
        match focus::is_editable(document, context.node) {
            Some(true) => self.enter(Place::Editable),
            Some(false) => self.leave(Place::Editable),
            None => {}
        }
        match element {
            Some(name::ARTICLE | name::ASIDE | name::NAV | name::SECTION) => self.enter_sectioning_content(),
            Some(name::MAIN) => self.enter(Place::Section),
            Some(name::UL | name::OL | name::MENU | name::DIR) => self.list = ListKind::Other,
            Some(name::TABLE) => self.table = tables::kind(role),
            Some(name::SELECT) => self.enter(Place::Select),
            Some(_) => {}
            None => {
                let is_svg = document.namespace(context.node) == Some(Namespace::Svg);
                if is_svg && document.name(context.node).is_some_and(|name| SVG_DEFINITIONS.contains(&name)) {
                    self.enter(Place::SvgDefinitions);
                }
            }
        }
        match role {
            None | Some(Role::Generic) => {}
            Some(Role::Article | Role::Complementary | Role::Navigation | Role::Region) => {
                self.enter_sectioning_content();
            }
            Some(Role::Main) => self.enter(Place::Section),
            Some(Role::List) => self.list = ListKind::List,
            Some(Role::ListBox) => self.enter(Place::ListBox),
            Some(Role::Tree) => self.enter(Place::Tree),
            Some(role) if role.is_picture() => self.enter(Place::Picture),
            Some(_) => {}
        }
        self
    }

    fn enter_sectioning_content(&mut self) {
        self.enter(Place::SectioningContent);
        self.enter(Place::Section);
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
