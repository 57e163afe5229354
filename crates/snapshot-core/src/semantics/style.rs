//! The few computed style properties that decide what is shown, and how text runs together.

use std::collections::BTreeMap;

use crate::document::{Document, Name, Namespace, NodeId, name};

/// How an element takes part in layout, as far as text is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Display {
    /// Not rendered, nor anything below it.
    None,
    /// Not a box itself; its children are.
    Contents,
    /// Runs along with the text.
    #[default]
    Inline,
    /// Runs along with the text as one piece.
    InlineBlock,
    /// Stands on lines of its own.
    Block,
    /// A table cell.
    TableCell,
}

impl Display {
    /// Whether text before and after the element is kept apart from it.
    pub fn is_block(self) -> bool {
        matches!(self, Self::Block | Self::TableCell)
    }
}

/// Computed values of one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Style {
    /// `display`.
    pub display: Display,
    /// `visibility` is `hidden` or `collapse` (inherited).
    pub invisible: bool,
    /// `cursor: pointer` (inherited).
    pub cursor_pointer: bool,
    /// `pointer-events: none` (inherited).
    pub pointer_events_none: bool,
}

/// Computed styles of a document.
#[derive(Clone, Debug, Default)]
pub struct Styles {
    styles: Vec<Style>,
}

impl Styles {
    /// Runs the cascade: the browser's own sheet, the page's sheets, `style` attributes.
    pub fn compute(document: &Document, _style_sheets: &BTreeMap<String, String>) -> Self {
        let mut styles = vec![Style::default(); document.len()];
        for node in document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)) {
            let parent = document.composed_parent(node).map_or(Style::default(), |parent| styles[parent.index()]);
            let mut style = Style { display: default_display(document, node), ..parent };
            if document.has_attribute(node, name::HIDDEN) {
                style.display = Display::None;
            }
            for (property, value) in inline_declarations(document.attribute(node, name::STYLE).unwrap_or("")) {
                match (property.as_str(), value.as_str()) {
                    ("display", "none") => style.display = Display::None,
                    ("display", "inline") => style.display = Display::Inline,
                    ("display", "contents") => style.display = Display::Contents,
                    ("display", "inline-block" | "inline-flex" | "inline-grid") => style.display = Display::InlineBlock,
                    ("display", _) => style.display = Display::Block,
                    ("visibility", value) => style.invisible = value != "visible",
                    ("cursor", value) => style.cursor_pointer = value == "pointer",
                    ("pointer-events", value) => style.pointer_events_none = value == "none",
                    _ => {}
                }
            }
            styles[node.index()] = style;
        }
        Self { styles }
    }

    /// The style of an element; of other nodes the initial values.
    pub fn of(&self, id: NodeId) -> Style {
        self.styles.get(id.index()).copied().unwrap_or_default()
    }
}

fn inline_declarations(style: &str) -> impl Iterator<Item = (String, String)> + '_ {
    style.split(';').filter_map(|declaration| {
        let (property, value) = declaration.split_once(':')?;
        let value = value.trim().to_ascii_lowercase();
        let value = value.strip_suffix("!important").unwrap_or(&value).trim().to_owned();
        Some((property.trim().to_ascii_lowercase(), value))
    })
}

/// HTML Standard, 15.3 "Flow content" and kin: what the browser's own style sheet says.
fn default_display(document: &Document, id: NodeId) -> Display {
    const NONE: &[Name] = &[
        name::AREA,
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
    const BLOCK: &[Name] = &[
        name::HTML,
        name::BODY,
        name::ADDRESS,
        name::ARTICLE,
        name::ASIDE,
        name::BLOCKQUOTE,
        name::CENTER,
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
        name::CAPTION,
        name::TBODY,
        name::THEAD,
        name::TFOOT,
        name::TR,
        name::UL,
        name::XMP,
    ];
    const INLINE_BLOCK: &[Name] =
        &[name::BUTTON, name::INPUT, name::SELECT, name::TEXTAREA, name::METER, name::PROGRESS];
    let Some(name) = document.html_name(id) else {
        return if document.namespace(id) == Some(Namespace::Svg) { Display::InlineBlock } else { Display::Inline };
    };
    if NONE.contains(&name) {
        Display::None
    } else if BLOCK.contains(&name) {
        Display::Block
    } else if INLINE_BLOCK.contains(&name) {
        Display::InlineBlock
    } else if name == name::TD || name == name::TH {
        Display::TableCell
    } else if name == name::SLOT {
        Display::Contents
    } else {
        Display::Inline
    }
}
