//! What the browser's own style sheet says (HTML Standard, section 15 "Rendering"; MathML Core,
//! "User Agent Stylesheet"), as a table by element.

use std::sync::LazyLock;

use super::computed::{Computed, Flag};
use super::declaration::{DisplayValue, Inside, Position};
use super::{Display, WhiteSpace};
use crate::document::{Document, Name, Namespace, NodeId, name};

/// Elements that browsers do not show at all (section 15.3.1). `area` is left out: its image
/// shows it.
const NONE: &[Name] = &[
    name::BASE,
    name::BASEFONT,
    name::DATALIST,
    name::HEAD,
    name::LINK,
    name::META,
    name::NOEMBED,
    name::NOFRAMES,
    name::PARAM,
    name::RP,
    name::SCRIPT,
    name::STYLE,
    name::TEMPLATE,
    name::TITLE,
];

/// Elements that stand on lines of their own (sections 15.3.2 to 15.3.8).
const BLOCK: &[Name] = &[
    name::HTML,
    name::BODY,
    name::ADDRESS,
    name::ARTICLE,
    name::ASIDE,
    name::BLOCKQUOTE,
    name::CAPTION,
    name::CENTER,
    name::COL,
    name::COLGROUP,
    name::DD,
    name::DETAILS,
    name::DIALOG,
    name::DIR,
    name::DIV,
    name::DL,
    name::DT,
    name::FIELDSET,
    name::FIGCAPTION,
    name::FIGURE,
    name::FOOTER,
    name::FORM,
    name::FRAMESET,
    name::H1,
    name::H2,
    name::H3,
    name::H4,
    name::H5,
    name::H6,
    name::HEADER,
    name::HGROUP,
    name::HR,
    name::LEGEND,
    name::LI,
    name::LISTING,
    name::MAIN,
    name::MENU,
    name::NAV,
    name::OL,
    name::OPTGROUP,
    name::OPTION,
    name::P,
    name::PLAINTEXT,
    name::PRE,
    name::SEARCH,
    name::SECTION,
    name::SUMMARY,
    name::TABLE,
    name::TBODY,
    name::TFOOT,
    name::THEAD,
    name::TR,
    name::UL,
    name::XMP,
];

/// Controls and other pieces that run along with the text (sections 15.5.2 to 15.5.19).
const INLINE_BLOCK: &[Name] =
    &[name::BUTTON, name::INPUT, name::MARQUEE, name::METER, name::PROGRESS, name::SELECT, name::TEXTAREA];

/// The style that the element has before the page says anything; `parent` is that of the element
/// around it in the flat tree.
pub(super) fn style(document: &Document, node: NodeId, parent: &Computed) -> Computed {
    let mut style = parent.inherited();
    let Some(name) = document.html_name(node) else {
        style.display = DisplayValue { display: foreign_display(document, node), inside: Inside::Flow };
        if document.name(node) == Some(name::MPHANTOM) {
            style.set(Flag::Invisible, true);
        }
        return style;
    };
    style.display.display = html_display(name);
    match name {
        name::PRE | name::LISTING | name::PLAINTEXT | name::XMP | name::TEXTAREA => {
            style.white_space = WhiteSpace::Preserve;
        }
        // Legacy: the attribute is honoured, what it says is not (section 15.3.10).
        name::TABLE => style.set(Flag::FarIndent, false),
        name::A | name::AREA if document.has_attribute(node, name::HREF) => style.set(Flag::Pointer, true),
        name::BUTTON | name::INPUT | name::SELECT | name::LABEL => {
            style.set(Flag::Pointer, false);
            style.set(Flag::FarIndent, false);
        }
        name::DIALOG => {
            style.position = Position::OutOfFlow;
            if !document.has_attribute(node, name::OPEN) {
                style.display.display = Display::None;
            }
        }
        _ => {}
    }
    if name == name::TEXTAREA {
        style.set(Flag::Pointer, false);
    }
    if document.has_attribute(node, name::POPOVER)
        && !(name == name::DIALOG && document.has_attribute(node, name::OPEN))
    {
        style.position = Position::OutOfFlow;
        style.display.display = Display::None;
    }
    match document.attribute(node, name::HIDDEN) {
        Some(value) if value.eq_ignore_ascii_case("until-found") => style.set(Flag::ContentHidden, true),
        Some(_) if name != name::EMBED => style.display.display = Display::None,
        _ => {}
    }
    style
}

/// What no rule of the page can change (`!important` in the browser's sheet).
pub(super) fn is_never_shown(document: &Document, node: NodeId) -> bool {
    match document.html_name(node) {
        Some(name::INPUT) => {
            document.attribute(node, name::TYPE).is_some_and(|value| value.trim().eq_ignore_ascii_case("hidden"))
        }
        Some(name::AUDIO) => !document.has_attribute(node, name::CONTROLS),
        _ => false,
    }
}

/// Whether browsers put the element on lines of its own before the page says anything.
pub(crate) fn is_block_by_name(document: &Document, node: NodeId) -> bool {
    document.html_name(node).is_some_and(|element| html_display(element).is_block())
}

fn html_display(name: Name) -> Display {
    HTML_DISPLAY.get(name.index()).copied().unwrap_or(Display::Inline)
}

/// The display of each name that every document knows.
static HTML_DISPLAY: LazyLock<Vec<Display>> = LazyLock::new(|| {
    let groups: [(&[Name], Display); 5] = [
        (NONE, Display::None),
        (BLOCK, Display::Block),
        (INLINE_BLOCK, Display::InlineBlock),
        (&[name::TD, name::TH], Display::TableCell),
        (&[name::SLOT], Display::Contents),
    ];
    let named = || groups.iter().flat_map(|&(names, display)| names.iter().map(move |&name| (name, display)));
    let length = named().map(|(name, _)| name.index() + 1).max().unwrap_or(0);
    let mut table = vec![Display::Inline; length];
    for (name, display) in named() {
        table[name.index()] = display;
    }
    table
});

fn foreign_display(document: &Document, node: NodeId) -> Display {
    // Editors leave elements of their own in drawings; they have no box.
    if document.namespace(node) == Some(Namespace::Svg) && document.local_name(node).contains(':') {
        return Display::None;
    }
    match (document.namespace(node), document.name(node)) {
        (Some(Namespace::Svg), Some(name::STYLE | name::SCRIPT | name::TITLE | name::DESC | name::METADATA)) => {
            Display::None
        }
        (Some(Namespace::Svg), Some(name::SVG)) => Display::Inline,
        (Some(Namespace::Svg), Some(name::FOREIGN_OBJECT | name::TEXT)) => Display::Block,
        // Neither has a box, whatever `display` says.
        (Some(Namespace::Svg), Some(name::STOP | name::VIEW | name::ANIMATE | name::ANIMATE_TRANSFORM | name::SET)) => {
            Display::None
        }
        (Some(Namespace::MathMl), Some(name::ANNOTATION | name::ANNOTATION_XML)) => Display::None,
        _ => Display::Inline,
    }
}
