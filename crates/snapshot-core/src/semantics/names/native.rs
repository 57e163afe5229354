//! The text alternatives that HTML and SVG give an element (HTML-AAM 1.0, section 5 "accessible
//! name and description computation"; SVG-AAM 1.0, 8.1).

use std::borrow::Cow;

use super::{filled, text};
use crate::document::{Document, Name, NodeId, name};

/// A place where an element may have its text alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Alternative {
    /// The labels that belong to it.
    Labels,
    /// An attribute; an empty one says nothing.
    Attribute(Name),
    /// An attribute that names the element even when it is empty, and then names it nothing.
    Whole(Name),
    /// A child element of this name, by its content.
    Child(Name),
    /// A `title` that spells the element out. It names the element itself, but in a text around
    /// it the short form stays.
    Expansion,
    /// The `title` child of an SVG element.
    SvgTitle,
    /// What browsers write on a button that says nothing.
    Default(&'static str),
}

use Alternative::{Attribute, Child, Default, Expansion, Labels, SvgTitle, Whole};

const TEXT_FIELD: &[Alternative] =
    &[Labels, Attribute(name::TITLE), Attribute(name::PLACEHOLDER), Attribute(name::ARIA_PLACEHOLDER)];

/// Those of `input`, by the keyword of `type`; any other is a text field.
const INPUT: &[(&str, &[Alternative])] = &[
    ("button", &[Labels, Attribute(name::VALUE)]),
    ("checkbox", &[Labels]),
    ("color", &[Labels]),
    ("file", &[Labels, Attribute(name::TITLE), Default("Choose File")]),
    ("image", &[Labels, Attribute(name::ALT), Attribute(name::VALUE), Attribute(name::TITLE), Default("Submit")]),
    ("radio", &[Labels]),
    ("range", &[Labels]),
    ("reset", &[Labels, Whole(name::VALUE), Default("Reset")]),
    ("submit", &[Labels, Whole(name::VALUE), Default("Submit")]),
];

/// How many children are looked at for one that names their parent; it is among the first. Many
/// elements can refer to the same parent.
const MAX_CHILDREN: usize = 256;

/// The places to look for the element's text alternative (HTML-AAM 1.0, 5.1 to 5.12), best first.
/// `title`, which comes after an element's content, is everyone's last and not listed, except
/// where something is worse.
pub(super) fn alternatives(document: &Document, node: NodeId) -> &'static [Alternative] {
    let Some(element) = document.html_name(node) else {
        return if document.namespace(node).is_some() { &[SvgTitle] } else { &[] };
    };
    if element == name::INPUT {
        let kind = document.attribute(node, name::TYPE).unwrap_or("text");
        return INPUT.iter().find(|(keyword, _)| kind.eq_ignore_ascii_case(keyword)).map_or(TEXT_FIELD, |row| row.1);
    }
    match element {
        name::ABBR => &[Expansion],
        name::AREA | name::IMG => &[Attribute(name::ALT)],
        name::BUTTON | name::METER | name::OUTPUT | name::PROGRESS | name::SELECT => &[Labels],
        name::FIELDSET => &[Child(name::LEGEND)],
        name::OPTGROUP | name::OPTION => &[Attribute(name::LABEL)],
        name::TABLE => &[Child(name::CAPTION), Attribute(name::TITLE), Attribute(name::SUMMARY)],
        name::TEXTAREA => TEXT_FIELD,
        _ => &[],
    }
}

/// What an alternative other than labels and child elements says.
pub(super) fn text_of(document: &Document, node: NodeId, alternative: Alternative) -> Option<Cow<'_, str>> {
    match alternative {
        Attribute(attribute) => filled(document, node, attribute).map(Cow::Borrowed),
        Expansion => filled(document, node, name::TITLE).map(Cow::Borrowed),
        Whole(attribute) => document.attribute(node, attribute).map(Cow::Borrowed),
        Default(text) => Some(Cow::Borrowed(text)),
        SvgTitle => svg_title(document, node),
        Labels | Child(_) => None,
    }
}

/// The first `title` child, or the title that links of SVG 1.1 carry in an attribute.
fn svg_title(document: &Document, node: NodeId) -> Option<Cow<'_, str>> {
    let title = document.children(node).take(MAX_CHILDREN).find(|&child| document.is_svg(child, name::TITLE));
    let texts = title.map(|title| document.descendants(title).take(MAX_CHILDREN).map(|text| document.text(text)));
    let text: String = texts.into_iter().flatten().collect();
    if text::is_blank(&text) { filled(document, node, name::XLINK_TITLE).map(Cow::Borrowed) } else { Some(text.into()) }
}

/// The child element that names its parent: the first of its name.
pub(super) fn child_of(document: &Document, node: NodeId, alternative: Alternative) -> Option<NodeId> {
    let Child(wanted) = alternative else { return None };
    document.children(node).take(MAX_CHILDREN).find(|&child| document.is_html(child, wanted))
}
