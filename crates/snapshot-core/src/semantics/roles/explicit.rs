//! The `role` attribute: the first token that is a role, unless something speaks against it.

use super::context::{Context, ListKind, Place};
use super::{Role, focus, has_author_name};
use crate::document::{Name, name};

/// The role that the author gives the element: `Some(None)` when it is to be presentational,
/// nothing when its native role holds.
pub(super) fn role(context: &Context<'_, '_>) -> Option<Option<Role>> {
    let tokens = context.attribute(name::ROLE)?;
    for token in tokens.split_ascii_whitespace() {
        let token = token.to_ascii_lowercase();
        if token == "none" || token == "presentation" {
            return (!resists_presentation(context)).then_some(None);
        }
        if let Some(role) = Role::from_attribute_token(&token)
            && is_permitted(context, role)
        {
            return Some(Some(role));
        }
    }
    None
}

/// WAI-ARIA 1.2, 9.2 "presentational roles conflict resolution": what can have the focus, or has
/// a property that every role supports, keeps its native role.
fn resists_presentation(context: &Context<'_, '_>) -> bool {
    focus::is_focusable(context.document, context.node)
        || GLOBAL_PROPERTIES
            .iter()
            .any(|&property| context.attribute(property).is_some_and(|value| !value.trim().is_empty()))
}

/// WAI-ARIA 1.2, 6.6 "global states and properties", without `aria-hidden`, which section 9.2
/// excepts, and without those that are deprecated as global.
const GLOBAL_PROPERTIES: &[Name] = &[
    name::ARIA_ATOMIC,
    name::ARIA_BUSY,
    name::ARIA_CONTROLS,
    name::ARIA_CURRENT,
    name::ARIA_DESCRIBEDBY,
    name::ARIA_DETAILS,
    name::ARIA_DROPEFFECT,
    name::ARIA_FLOWTO,
    name::ARIA_GRABBED,
    name::ARIA_KEYSHORTCUTS,
    name::ARIA_LABEL,
    name::ARIA_LABELLEDBY,
    name::ARIA_LIVE,
    name::ARIA_OWNS,
    name::ARIA_RELEVANT,
    name::ARIA_ROLEDESCRIPTION,
];

/// WAI-ARIA 1.3, 9.1 "handling author errors": landmarks need a name, items their container.
/// Of the roles that need a container, these are the ones that Chromium holds to it; a tab or
/// menu item that has gone astray is better shown as what it looks like.
fn is_permitted(context: &Context<'_, '_>, role: Role) -> bool {
    match role {
        Role::Form | Role::Region => has_author_name(context),
        Role::ListItem => context.above.list == ListKind::List,
        Role::Option => context.above.are(Place::ListBox) || context.above.are(Place::Select),
        Role::TreeItem => context.above.are(Place::Tree),
        _ => true,
    }
}
