//! Whether an element can have the focus (HTML Standard, "focusable area").

use crate::document::{Document, NodeId, name};

/// Whether a person or a script can put the focus on the element.
pub(in crate::semantics) fn is_focusable(document: &Document, node: NodeId) -> bool {
    let has = |attribute| document.has_attribute(node, attribute);
    if document.attribute(node, name::TABINDEX).is_some_and(is_integer) {
        return true;
    }
    let Some(element) = document.html_name(node) else {
        return document.is_svg(node, name::A) && (has(name::HREF) || has(name::XLINK_HREF));
    };
    match element {
        name::A | name::AREA => has(name::HREF),
        name::BUTTON | name::SELECT | name::TEXTAREA => !has(name::DISABLED),
        name::INPUT => {
            let hidden = document.attribute(node, name::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
            !hidden && !has(name::DISABLED)
        }
        name::IFRAME => true,
        name::AUDIO | name::VIDEO => has(name::CONTROLS),
        name::SUMMARY => is_summary_of_details(document, node),
        _ => is_editable(document, node) == Some(true),
    }
}

/// Whether the element opens and closes its parent: the first summary of a `details`. The look
/// back ends at the summary before, so that many of them cost no more than one.
pub(super) fn is_summary_of_details(document: &Document, node: NodeId) -> bool {
    let in_details = document.parent(node).is_some_and(|parent| document.is_html(parent, name::DETAILS));
    let mut before = std::iter::successors(document.previous_sibling(node), |&node| document.previous_sibling(node));
    in_details && !before.any(|sibling| document.is_html(sibling, name::SUMMARY))
}

/// What the element itself says about being editable; nothing when it inherits.
pub(super) fn is_editable(document: &Document, node: NodeId) -> Option<bool> {
    let value = document.attribute(node, name::CONTENTEDITABLE)?;
    if value.is_empty() || value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("plaintext-only") {
        Some(true)
    } else if value.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

/// HTML Standard, "rules for parsing integers": white space, a sign, digits, then anything.
fn is_integer(value: &str) -> bool {
    let value = value.trim_start_matches(|character: char| character.is_ascii_whitespace());
    value.strip_prefix(['-', '+']).unwrap_or(value).starts_with(|character: char| character.is_ascii_digit())
}
