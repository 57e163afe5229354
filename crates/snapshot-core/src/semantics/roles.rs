//! Roles: what each element is to someone who cannot see the page (WAI-ARIA 1.2, HTML-AAM).

use super::visibility::Visibilities;
use crate::document::{Document, Name, NodeId, name};
use crate::flat_tree::FlatTree;

macro_rules! roles {
    ($($variant:ident = $text:literal,)*) => {
        /// A role of WAI-ARIA, HTML-AAM or (for `iframe`) of browsers' own accessibility trees.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "each variant says its own name")]
        #[non_exhaustive]
        pub enum Role { $($variant,)* }

        impl Role {
            /// Every role, in alphabetical order.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The role's token: `menuitem`.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The role of a token in lower case.
            pub fn from_token(token: &str) -> Option<Self> {
                match token { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

roles! {
    Alert = "alert",
    AlertDialog = "alertdialog",
    Application = "application",
    Article = "article",
    Banner = "banner",
    Blockquote = "blockquote",
    Button = "button",
    Caption = "caption",
    Cell = "cell",
    Checkbox = "checkbox",
    Code = "code",
    ColumnHeader = "columnheader",
    ComboBox = "combobox",
    Comment = "comment",
    Complementary = "complementary",
    ContentInfo = "contentinfo",
    Definition = "definition",
    Deletion = "deletion",
    Dialog = "dialog",
    Directory = "directory",
    Document = "document",
    Emphasis = "emphasis",
    Feed = "feed",
    Figure = "figure",
    Form = "form",
    Generic = "generic",
    Grid = "grid",
    GridCell = "gridcell",
    Group = "group",
    Heading = "heading",
    Iframe = "iframe",
    Img = "img",
    Insertion = "insertion",
    Link = "link",
    List = "list",
    ListBox = "listbox",
    ListItem = "listitem",
    Log = "log",
    Main = "main",
    Mark = "mark",
    Marquee = "marquee",
    Math = "math",
    Menu = "menu",
    MenuBar = "menubar",
    MenuItem = "menuitem",
    MenuItemCheckbox = "menuitemcheckbox",
    MenuItemRadio = "menuitemradio",
    Meter = "meter",
    Navigation = "navigation",
    Note = "note",
    Option = "option",
    Paragraph = "paragraph",
    ProgressBar = "progressbar",
    Radio = "radio",
    RadioGroup = "radiogroup",
    Region = "region",
    Row = "row",
    RowGroup = "rowgroup",
    RowHeader = "rowheader",
    Scrollbar = "scrollbar",
    Search = "search",
    SearchBox = "searchbox",
    Separator = "separator",
    Slider = "slider",
    SpinButton = "spinbutton",
    Status = "status",
    Strong = "strong",
    Subscript = "subscript",
    Suggestion = "suggestion",
    Superscript = "superscript",
    Switch = "switch",
    Tab = "tab",
    Table = "table",
    TabList = "tablist",
    TabPanel = "tabpanel",
    Term = "term",
    TextBox = "textbox",
    Time = "time",
    Timer = "timer",
    Toolbar = "toolbar",
    Tooltip = "tooltip",
    Tree = "tree",
    TreeGrid = "treegrid",
    TreeItem = "treeitem",
}

impl Role {
    /// Whether the role is that of something a person operates.
    pub fn is_interactive(self) -> bool {
        matches!(
            self,
            Self::Button
                | Self::Checkbox
                | Self::ComboBox
                | Self::Link
                | Self::ListBox
                | Self::MenuItem
                | Self::MenuItemCheckbox
                | Self::MenuItemRadio
                | Self::Option
                | Self::Radio
                | Self::Scrollbar
                | Self::SearchBox
                | Self::Slider
                | Self::SpinButton
                | Self::Switch
                | Self::Tab
                | Self::TextBox
                | Self::TreeItem
        )
    }
}

/// The role of each node.
pub(super) fn compute(document: &Document, flat_tree: &FlatTree, _visibility: &Visibilities) -> Vec<Option<Role>> {
    let mut roles = vec![None; document.len()];
    for &node in flat_tree.nodes().iter().filter(|&&node| document.is_element(node)) {
        roles[node.index()] = explicit(document, node).unwrap_or_else(|| native(document, node));
    }
    roles
}

/// The first role of the `role` attribute that exists; `Some(None)` for `none`.
fn explicit(document: &Document, node: NodeId) -> Option<Option<Role>> {
    document.attribute(node, name::ROLE)?.split_ascii_whitespace().find_map(|token| {
        let token = token.to_ascii_lowercase();
        match token.as_str() {
            "none" | "presentation" => Some(None),
            "image" => Some(Some(Role::Img)),
            token => Role::from_token(token).map(Some),
        }
    })
}

fn native(document: &Document, node: NodeId) -> Option<Role> {
    let Some(element) = document.html_name(node) else {
        return document.is_svg(node, name::SVG).then_some(Role::Img);
    };
    let has = |attribute: Name| document.has_attribute(node, attribute);
    Some(match element {
        name::A | name::AREA if has(name::HREF) => Role::Link,
        name::ARTICLE => Role::Article,
        name::ASIDE => Role::Complementary,
        name::BLOCKQUOTE => Role::Blockquote,
        name::BUTTON | name::SUMMARY => Role::Button,
        name::CAPTION => Role::Caption,
        name::CODE => Role::Code,
        name::DD => Role::Definition,
        name::DEL | name::S => Role::Deletion,
        name::DETAILS | name::FIELDSET | name::OPTGROUP => Role::Group,
        name::DFN | name::DT => Role::Term,
        name::DIALOG => Role::Dialog,
        name::EM => Role::Emphasis,
        name::FIGURE => Role::Figure,
        name::FOOTER => Role::ContentInfo,
        name::FORM => Role::Form,
        name::H1 | name::H2 | name::H3 | name::H4 | name::H5 | name::H6 => Role::Heading,
        name::HEADER => Role::Banner,
        name::HR => Role::Separator,
        name::IFRAME => Role::Iframe,
        name::IMG if document.attribute(node, name::ALT) == Some("") => return None,
        name::IMG => Role::Img,
        name::INPUT => return input(document.attribute(node, name::TYPE).unwrap_or("text"), has(name::LIST)),
        name::INS => Role::Insertion,
        name::LI => Role::ListItem,
        name::MAIN => Role::Main,
        name::MARK => Role::Mark,
        name::MATH => Role::Math,
        name::METER => Role::Meter,
        name::NAV => Role::Navigation,
        name::OL | name::UL | name::MENU => Role::List,
        name::OPTION => Role::Option,
        name::OUTPUT => Role::Status,
        name::P => Role::Paragraph,
        name::PROGRESS => Role::ProgressBar,
        name::SEARCH => Role::Search,
        name::SELECT if has(name::MULTIPLE) => Role::ListBox,
        name::SELECT => Role::ComboBox,
        name::STRONG => Role::Strong,
        name::SUB => Role::Subscript,
        name::SUP => Role::Superscript,
        name::TABLE => Role::Table,
        name::TBODY | name::THEAD | name::TFOOT => Role::RowGroup,
        name::TD => Role::Cell,
        name::TEXTAREA => Role::TextBox,
        name::TH if document.attribute(node, name::SCOPE) == Some("row") => Role::RowHeader,
        name::TH => Role::ColumnHeader,
        name::TIME => Role::Time,
        name::TR => Role::Row,
        _ => Role::Generic,
    })
}

fn input(kind: &str, has_list: bool) -> Option<Role> {
    Some(match kind.to_ascii_lowercase().as_str() {
        "hidden" => return None,
        "button" | "submit" | "reset" | "image" | "file" => Role::Button,
        "checkbox" => Role::Checkbox,
        "radio" => Role::Radio,
        "range" => Role::Slider,
        "number" => Role::SpinButton,
        _ if has_list => Role::ComboBox,
        "search" => Role::SearchBox,
        _ => Role::TextBox,
    })
}
