//! Which tags a parser puts back by itself (HTML Standard, "optional tags").
//!
//! Only where it does so in every context in which the element can stand; the standard allows a
//! little more.

use crate::document::{Document, Name, NodeId, NodeKind, name};

/// Elements before which an open paragraph ends. `table` is none of them in quirks mode.
const AFTER_PARAGRAPH: &[Name] = &[
    name::ADDRESS,
    name::ARTICLE,
    name::ASIDE,
    name::BLOCKQUOTE,
    name::DETAILS,
    name::DIV,
    name::DL,
    name::FIELDSET,
    name::FIGURE,
    name::FOOTER,
    name::FORM,
    name::H1,
    name::H2,
    name::H3,
    name::H4,
    name::H5,
    name::H6,
    name::HEADER,
    name::HR,
    name::MAIN,
    name::NAV,
    name::OL,
    name::P,
    name::PRE,
    name::SECTION,
    name::UL,
];

/// Elements whose end tag ends an open paragraph.
const AROUND_PARAGRAPH: &[Name] = &[
    name::ARTICLE,
    name::ASIDE,
    name::BLOCKQUOTE,
    name::BODY,
    name::DD,
    name::DIV,
    name::FIELDSET,
    name::FIGURE,
    name::FOOTER,
    name::FORM,
    name::HEADER,
    name::LI,
    name::MAIN,
    name::NAV,
    name::SECTION,
    name::TD,
    name::TH,
];

/// Elements that go into the head when they come before the body.
const HEAD_CONTENT: &[Name] = &[
    name::BASE,
    name::BASEFONT,
    name::BGSOUND,
    name::LINK,
    name::META,
    name::NOFRAMES,
    name::NOSCRIPT,
    name::SCRIPT,
    name::STYLE,
    name::TEMPLATE,
    name::TITLE,
    name::FRAMESET,
];

/// Whether the element ends where it does without an end tag.
pub(super) fn omits_end_tag(document: &Document, node: NodeId) -> bool {
    let Some(element) = document.html_name(node) else { return false };
    let next = document.next_sibling(node);
    let before =
        |names: &[Name]| next.and_then(|next| document.html_name(next)).is_some_and(|next| names.contains(&next));
    let last_in = |names: &[Name]| {
        next.is_none()
            && document
                .parent(node)
                .and_then(|parent| document.html_name(parent))
                .is_some_and(|parent| names.contains(&parent))
    };
    match element {
        name::LI => before(&[name::LI]) || last_in(&[name::UL, name::OL]),
        name::DT => before(&[name::DT, name::DD]),
        name::DD => before(&[name::DT, name::DD]) || last_in(&[name::DL]),
        name::P => before(AFTER_PARAGRAPH) || last_in(AROUND_PARAGRAPH),
        name::OPTION => before(&[name::OPTION]) || last_in(&[name::SELECT]),
        name::TD | name::TH => before(&[name::TD, name::TH]) || last_in(&[name::TR]),
        name::TR => before(&[name::TR]) || last_in(&[name::TBODY, name::THEAD, name::TFOOT]),
        name::THEAD => before(&[name::TBODY, name::TFOOT]),
        name::TBODY => before(&[name::TBODY, name::TFOOT]) || last_in(&[name::TABLE]),
        name::TFOOT => last_in(&[name::TABLE]),
        name::BODY => last_in(&[name::HTML]),
        name::HTML => next.is_none(),
        name::HEAD => document.first_child(node).is_none() && before(&[name::BODY]),
        _ => false,
    }
}

/// Whether the element begins where it does without a start tag.
pub(super) fn omits_start_tag(document: &Document, node: NodeId) -> bool {
    if document.attributes(node).len() > 0 || document.shadow_root(node).is_some() {
        return false;
    }
    let first = document.first_child(node);
    match document.html_name(node) {
        Some(name::HTML) => first.is_some_and(|first| document.is_html(first, name::HEAD)),
        Some(name::HEAD) => first.is_none() && omits_end_tag(document, node),
        Some(name::BODY) => first.is_some_and(|first| match document.kind(first) {
            NodeKind::Text => document.text(first).starts_with(|character: char| !character.is_whitespace()),
            NodeKind::Element => document.html_name(first).is_none_or(|first| !HEAD_CONTENT.contains(&first)),
            _ => false,
        }),
        Some(name::TBODY) => {
            first.is_some_and(|first| document.is_html(first, name::TR)) && document.previous_sibling(node).is_none()
        }
        _ => false,
    }
}
