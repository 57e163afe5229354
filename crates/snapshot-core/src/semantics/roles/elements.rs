//! The roles that elements have by themselves (HTML-AAM 1.0, section 4; SVG-AAM 1.0).

use std::sync::LazyLock;

use super::context::{Context, ListKind, Place};
use super::{Role, focus, has_author_name, tables};
use crate::document::{Name, Namespace, name};

/// Where an element's native role comes from.
#[derive(Clone, Copy)]
enum Native {
    /// Always this role.
    Is(Role),
    /// Not in the accessibility tree.
    Nothing,
    /// It depends on attributes or surroundings.
    Depends(fn(&Context<'_, '_>) -> Option<Role>),
}

use Native::{Depends, Is, Nothing};

/// The native role of the context's element.
pub(super) fn role(context: &Context<'_, '_>) -> Option<Role> {
    match context.document.namespace(context.node) {
        Some(Namespace::Html) => {
            let element = context.document.html_name(context.node)?;
            let role = match HTML_INDEX.get(element.index()).copied().flatten() {
                Some(Is(role)) => Some(role),
                Some(Nothing) => None,
                Some(Depends(decide)) => decide(context),
                None => Some(Role::Generic),
            };
            // HTML-AAM 1.0, 4.2, `popover`.
            if role == Some(Role::Generic) && context.has(name::POPOVER) { Some(Role::Group) } else { role }
        }
        Some(Namespace::Svg) => svg(context),
        Some(Namespace::MathMl) => {
            let is_root = context.document.name(context.node) == Some(name::MATH);
            Some(if is_root { Role::Math } else { Role::Generic })
        }
        None => None,
    }
}

/// HTML-AAM 1.0, 4.1, element by element; what is not listed is generic. Elements that HTML-AAM
/// maps to nothing but that contain what is shown (`label`, `dl`, `video`) are generic here.
const HTML: &[(Name, Native)] = &[
    (name::A, Depends(link)),
    (name::ADDRESS, Is(Role::Group)),
    (name::AREA, Depends(link)),
    (name::ARTICLE, Is(Role::Article)),
    (name::ASIDE, Depends(aside)),
    (name::BASE, Nothing),
    (name::BLOCKQUOTE, Is(Role::Blockquote)),
    (name::BR, Nothing),
    (name::BUTTON, Is(Role::Button)),
    (name::CAPTION, Depends(tables::caption)),
    (name::CODE, Is(Role::Code)),
    (name::COL, Nothing),
    (name::COLGROUP, Nothing),
    (name::DATALIST, Is(Role::ListBox)),
    (name::DD, Is(Role::Definition)),
    (name::DEL, Is(Role::Deletion)),
    (name::DETAILS, Is(Role::Group)),
    (name::DFN, Is(Role::Term)),
    (name::DIALOG, Is(Role::Dialog)),
    (name::DIR, Is(Role::List)),
    (name::DT, Is(Role::Term)),
    (name::EM, Is(Role::Emphasis)),
    (name::FIELDSET, Is(Role::Group)),
    (name::FIGCAPTION, Is(Role::Caption)),
    (name::FIGURE, Is(Role::Figure)),
    (name::FOOTER, Depends(|context| page_landmark(context, Role::ContentInfo))),
    (name::FORM, Is(Role::Form)),
    (name::FRAME, Is(Role::Iframe)),
    (name::H1, Is(Role::Heading)),
    (name::H2, Is(Role::Heading)),
    (name::H3, Is(Role::Heading)),
    (name::H4, Is(Role::Heading)),
    (name::H5, Is(Role::Heading)),
    (name::H6, Is(Role::Heading)),
    (name::HEAD, Nothing),
    (name::HEADER, Depends(|context| page_landmark(context, Role::Banner))),
    (name::HGROUP, Is(Role::Group)),
    (name::HR, Is(Role::Separator)),
    (name::IFRAME, Is(Role::Iframe)),
    (name::IMG, Depends(image)),
    (name::INPUT, Depends(input)),
    (name::INS, Is(Role::Insertion)),
    (name::LI, Depends(list_item)),
    (name::LINK, Nothing),
    (name::MAIN, Is(Role::Main)),
    (name::MAP, Is(Role::Generic)),
    (name::MARK, Is(Role::Mark)),
    (name::MENU, Is(Role::List)),
    (name::META, Nothing),
    (name::METER, Is(Role::Meter)),
    (name::NAV, Is(Role::Navigation)),
    (name::NOEMBED, Nothing),
    (name::NOFRAMES, Nothing),
    (name::OL, Is(Role::List)),
    (name::OPTGROUP, Is(Role::Group)),
    (name::OPTION, Is(Role::Option)),
    (name::OUTPUT, Is(Role::Status)),
    (name::P, Depends(paragraph)),
    (name::PARAM, Nothing),
    (name::PROGRESS, Is(Role::ProgressBar)),
    (name::RP, Nothing),
    (name::S, Is(Role::Deletion)),
    (name::SCRIPT, Nothing),
    (name::SEARCH, Is(Role::Search)),
    (name::SECTION, Depends(section)),
    (name::SELECT, Depends(select)),
    (name::SLOT, Nothing),
    (name::SOURCE, Nothing),
    (name::STRONG, Is(Role::Strong)),
    (name::STYLE, Nothing),
    (name::SUB, Is(Role::Subscript)),
    (name::SUMMARY, Depends(summary)),
    (name::SUP, Is(Role::Superscript)),
    (name::TABLE, Depends(tables::table)),
    (name::TBODY, Depends(tables::body)),
    (name::TD, Depends(tables::cell)),
    (name::TEMPLATE, Nothing),
    (name::TEXTAREA, Is(Role::TextBox)),
    (name::TFOOT, Depends(tables::row_group)),
    (name::TH, Depends(tables::header)),
    (name::THEAD, Depends(tables::row_group)),
    (name::TIME, Is(Role::Time)),
    (name::TITLE, Nothing),
    (name::TR, Depends(tables::row)),
    (name::TRACK, Nothing),
    (name::UL, Is(Role::List)),
    (name::WBR, Nothing),
];

static HTML_INDEX: LazyLock<Vec<Option<Native>>> = LazyLock::new(|| {
    let length = HTML.iter().map(|(name, _)| name.index() + 1).max().unwrap_or(0);
    let mut index = vec![None; length];
    for &(name, native) in HTML {
        index[name.index()] = Some(native);
    }
    index
});

/// HTML-AAM 1.0, `input`, by the keyword of `type`: the role alone and the role with `list`.
/// Dates, times and colours have no role of their own and are text boxes here.
const INPUT: &[(&str, Option<Role>, Option<Role>)] = &[
    ("button", Some(Role::Button), Some(Role::Button)),
    ("checkbox", Some(Role::Checkbox), Some(Role::Checkbox)),
    ("color", Some(Role::TextBox), Some(Role::TextBox)),
    ("date", Some(Role::TextBox), Some(Role::TextBox)),
    ("datetime-local", Some(Role::TextBox), Some(Role::TextBox)),
    ("email", Some(Role::TextBox), Some(Role::ComboBox)),
    ("file", Some(Role::Button), Some(Role::Button)),
    ("hidden", None, None),
    ("image", Some(Role::Button), Some(Role::Button)),
    ("month", Some(Role::TextBox), Some(Role::TextBox)),
    ("number", Some(Role::SpinButton), Some(Role::SpinButton)),
    ("password", Some(Role::TextBox), Some(Role::TextBox)),
    ("radio", Some(Role::Radio), Some(Role::Radio)),
    ("range", Some(Role::Slider), Some(Role::Slider)),
    ("reset", Some(Role::Button), Some(Role::Button)),
    ("search", Some(Role::SearchBox), Some(Role::ComboBox)),
    ("submit", Some(Role::Button), Some(Role::Button)),
    ("tel", Some(Role::TextBox), Some(Role::ComboBox)),
    ("text", Some(Role::TextBox), Some(Role::ComboBox)),
    ("time", Some(Role::TextBox), Some(Role::TextBox)),
    ("url", Some(Role::TextBox), Some(Role::ComboBox)),
    ("week", Some(Role::TextBox), Some(Role::TextBox)),
];

fn input(context: &Context<'_, '_>) -> Option<Role> {
    let kind = context.attribute(name::TYPE).unwrap_or("text");
    let row = INPUT.iter().find(|(keyword, ..)| kind.eq_ignore_ascii_case(keyword));
    // A type that is no keyword means `text`.
    let (alone, with_list) = row.map_or((Some(Role::TextBox), Some(Role::ComboBox)), |&(_, alone, list)| (alone, list));
    if has_suggestions(context) { with_list } else { alone }
}

/// HTML Standard, "suggestions source element".
fn has_suggestions(context: &Context<'_, '_>) -> bool {
    let list = context.attribute(name::LIST).and_then(|id| context.ids.find(context.node, id));
    list.is_some_and(|list| context.document.is_html(list, name::DATALIST))
}

/// A paragraph with nothing in it is a gap between others, as in Chromium.
fn paragraph(context: &Context<'_, '_>) -> Option<Role> {
    let document = context.document;
    let shows_something = document.children(context.node).any(|child| match document.html_name(child) {
        Some(name::SCRIPT | name::STYLE | name::TEMPLATE) => false,
        Some(_) => true,
        None => document.is_element(child) || document.is_text(child) && !document.text(child).trim_ascii().is_empty(),
    });
    shows_something.then_some(Role::Paragraph)
}

fn link(context: &Context<'_, '_>) -> Option<Role> {
    Some(if context.has(name::HREF) { Role::Link } else { Role::Generic })
}

fn aside(context: &Context<'_, '_>) -> Option<Role> {
    let is_landmark = !context.above.are(Place::SectioningContent) || has_author_name(context);
    Some(if is_landmark { Role::Complementary } else { Role::Generic })
}

fn page_landmark(context: &Context<'_, '_>, landmark: Role) -> Option<Role> {
    Some(if context.above.are(Place::Section) { Role::Generic } else { landmark })
}

fn section(context: &Context<'_, '_>) -> Option<Role> {
    Some(if has_author_name(context) { Role::Region } else { Role::Generic })
}

/// An image with an empty `alt` is decoration, unless something else says otherwise.
fn image(context: &Context<'_, '_>) -> Option<Role> {
    let is_decoration = context.attribute(name::ALT) == Some("")
        && !has_author_name(context)
        && !focus::is_focusable(context.document, context.node);
    (!is_decoration).then_some(Role::Img)
}

fn list_item(context: &Context<'_, '_>) -> Option<Role> {
    match context.above.list {
        ListKind::List => Some(Role::ListItem),
        ListKind::Other => None,
        ListKind::None => Some(Role::Generic),
    }
}

fn select(context: &Context<'_, '_>) -> Option<Role> {
    let shows_many = context.attribute(name::SIZE).and_then(|size| size.trim().parse::<u32>().ok());
    let is_list = context.has(name::MULTIPLE) || shows_many.is_some_and(|rows| rows > 1);
    Some(if is_list { Role::ListBox } else { Role::ComboBox })
}

/// The summary of a `details` opens and closes it; any other is mere content.
fn summary(context: &Context<'_, '_>) -> Option<Role> {
    let operates = focus::is_summary_of_details(context.document, context.node);
    Some(if operates { Role::Button } else { Role::Generic })
}

/// SVG-AAM 1.0, 5 and Graphics-AAM 1.0: drawings are images, links are links, and shapes are
/// exposed only when their author says what they show. (`svg` is a `graphics-document` there;
/// browsers and readers call it an image.)
fn svg(context: &Context<'_, '_>) -> Option<Role> {
    if context.above.are(Place::SvgDefinitions) {
        return None;
    }
    let element = context.document.name(context.node)?;
    match element {
        name::SVG => Some(Role::Img),
        name::A if context.has(name::HREF) || context.has(name::XLINK_HREF) => Some(Role::Link),
        name::A | name::TEXT | name::TSPAN | name::TEXT_PATH | name::FOREIGN_OBJECT | name::SWITCH => {
            Some(Role::Generic)
        }
        name::G if is_svg_named(context) => Some(Role::Group),
        name::G | name::SYMBOL => Some(Role::Generic),
        name::IMAGE => is_svg_named(context).then_some(Role::Img),
        name::PATH
        | name::RECT
        | name::CIRCLE
        | name::ELLIPSE
        | name::LINE
        | name::POLYLINE
        | name::POLYGON
        | name::USE => is_svg_named(context).then_some(Role::GraphicsSymbol),
        _ => None,
    }
}

fn is_svg_named(context: &Context<'_, '_>) -> bool {
    let document = context.document;
    has_author_name(context)
        || document.element_children(context.node).any(|child| {
            document.is_svg(child, name::TITLE)
                && document.children(child).any(|text| !document.text(text).trim().is_empty())
        })
}
