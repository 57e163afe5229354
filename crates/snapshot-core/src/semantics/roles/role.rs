//! The role names, and what each role says about an element's name and children.

macro_rules! roles {
    ($($variant:ident = $text:literal,)*) => {
        /// A role of WAI-ARIA, DPUB-ARIA, Graphics-ARIA or (for `iframe`) of browsers' own
        /// accessibility trees.
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
    DocAbstract = "doc-abstract",
    DocAcknowledgments = "doc-acknowledgments",
    DocAfterword = "doc-afterword",
    DocAppendix = "doc-appendix",
    DocBacklink = "doc-backlink",
    DocBiblioentry = "doc-biblioentry",
    DocBibliography = "doc-bibliography",
    DocBiblioref = "doc-biblioref",
    DocChapter = "doc-chapter",
    DocColophon = "doc-colophon",
    DocConclusion = "doc-conclusion",
    DocCover = "doc-cover",
    DocCredit = "doc-credit",
    DocCredits = "doc-credits",
    DocDedication = "doc-dedication",
    DocEndnote = "doc-endnote",
    DocEndnotes = "doc-endnotes",
    DocEpigraph = "doc-epigraph",
    DocEpilogue = "doc-epilogue",
    DocErrata = "doc-errata",
    DocExample = "doc-example",
    DocFootnote = "doc-footnote",
    DocForeword = "doc-foreword",
    DocGlossary = "doc-glossary",
    DocGlossref = "doc-glossref",
    DocIndex = "doc-index",
    DocIntroduction = "doc-introduction",
    DocNoteref = "doc-noteref",
    DocNotice = "doc-notice",
    DocPagebreak = "doc-pagebreak",
    DocPagefooter = "doc-pagefooter",
    DocPageheader = "doc-pageheader",
    DocPagelist = "doc-pagelist",
    DocPart = "doc-part",
    DocPreface = "doc-preface",
    DocPrologue = "doc-prologue",
    DocPullquote = "doc-pullquote",
    DocQna = "doc-qna",
    DocSubtitle = "doc-subtitle",
    DocTip = "doc-tip",
    DocToc = "doc-toc",
    Document = "document",
    Emphasis = "emphasis",
    Feed = "feed",
    Figure = "figure",
    Form = "form",
    Generic = "generic",
    GraphicsDocument = "graphics-document",
    GraphicsObject = "graphics-object",
    GraphicsSymbol = "graphics-symbol",
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
    /// The role that a token of the `role` attribute stands for, synonyms and deprecated roles
    /// included (WAI-ARIA 1.2, 5.4 and the `image` synonym of 1.3); the token is in lower case.
    pub fn from_attribute_token(token: &str) -> Option<Self> {
        match token {
            "image" => Some(Self::Img),
            // Deprecated in WAI-ARIA 1.2; browsers expose a list.
            "directory" => Some(Self::List),
            // Not a role of WAI-ARIA but a browser's own, so no page can ask for it.
            "iframe" => None,
            token => Self::from_token(token),
        }
    }

    /// Whether the role is that of something a person operates.
    pub fn is_interactive(self) -> bool {
        matches!(
            self,
            Self::Button
                | Self::Checkbox
                | Self::ComboBox
                | Self::DocBacklink
                | Self::DocBiblioref
                | Self::DocGlossref
                | Self::DocNoteref
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

    /// Whether an element of this role is named by its content when its author gives no name
    /// (WAI-ARIA 1.2, 5.2.8.2, "name from: contents"). Rows, which browsers name only inside
    /// grids, are not among them; terms are, as in Chromium.
    pub fn takes_name_from_content(self) -> bool {
        matches!(
            self,
            Self::Button
                | Self::Cell
                | Self::Checkbox
                | Self::ColumnHeader
                | Self::DocBacklink
                | Self::DocBiblioref
                | Self::DocGlossref
                | Self::DocNoteref
                | Self::GridCell
                | Self::Heading
                | Self::Link
                | Self::MenuItem
                | Self::MenuItemCheckbox
                | Self::MenuItemRadio
                | Self::Option
                | Self::Radio
                | Self::RowHeader
                | Self::Switch
                | Self::Tab
                | Self::Term
                | Self::Tooltip
                | Self::TreeItem
        )
    }

    /// Whether authors may not name an element of this role (WAI-ARIA 1.3, "name from:
    /// prohibited"). A `title` of such an element describes it; an `aria-label` is nevertheless
    /// read out by browsers.
    pub fn prohibits_name(self) -> bool {
        matches!(
            self,
            Self::Caption
                | Self::Code
                | Self::Definition
                | Self::Deletion
                | Self::DocPagefooter
                | Self::DocPageheader
                | Self::Emphasis
                | Self::Generic
                | Self::Insertion
                | Self::Mark
                | Self::Paragraph
                | Self::Strong
                | Self::Subscript
                | Self::Suggestion
                | Self::Superscript
                | Self::Term
                | Self::Time
        )
    }

    /// Whether the content of an element of this role is part of the name of something around
    /// it. Structure that stands for itself (a menu or a group in a label) is not; accname 1.2,
    /// 2F, leaves the roles to WAI-ARIA's "name from", and these are the ones that Chromium adds.
    pub(in crate::semantics) fn adds_content_to_names(self) -> bool {
        self.takes_name_from_content()
            || self.prohibits_name()
            || matches!(self, Self::DocSubtitle | Self::GraphicsObject | Self::List | Self::ListItem)
    }

    /// Whether an element of this role stands apart from the words around it in a name, however
    /// it is laid out.
    pub(in crate::semantics) fn stands_apart_in_names(self) -> bool {
        matches!(
            self,
            Self::Button
                | Self::Checkbox
                | Self::ComboBox
                | Self::ListBox
                | Self::MenuItem
                | Self::MenuItemCheckbox
                | Self::MenuItemRadio
                | Self::Radio
                | Self::SearchBox
                | Self::Switch
                | Self::Tab
                | Self::TextBox
                | Self::Tree
                | Self::TreeGrid
        )
    }

    /// Whether what is inside an element of this role is only its picture (WAI-ARIA 1.2,
    /// 5.2.9, "children presentational: true").
    pub fn has_presentational_children(self) -> bool {
        self.is_picture()
            || matches!(
                self,
                Self::Button
                    | Self::Checkbox
                    | Self::MenuItemCheckbox
                    | Self::MenuItemRadio
                    | Self::Option
                    | Self::Radio
                    | Self::Switch
                    | Self::Tab
            )
    }

    /// Roles with presentational children whose content does not make up their name either.
    pub(super) fn is_picture(self) -> bool {
        matches!(
            self,
            Self::DocPagebreak
                | Self::GraphicsSymbol
                | Self::Img
                | Self::Meter
                | Self::ProgressBar
                | Self::Scrollbar
                | Self::Separator
                | Self::Slider
        )
    }
}
