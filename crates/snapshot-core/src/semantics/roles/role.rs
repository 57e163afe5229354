//! The role names, and what each role says about an element, its name and its children.

/// What is true of every element of a role: a set.
#[derive(Clone, Copy)]
struct Traits(u16);

impl Traits {
    const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

const NONE: Traits = Traits(0);
/// WAI-ARIA 1.2, 5.3.2 "widget roles", and the links of DPUB-ARIA: a person operates it.
const WIDGET: Traits = Traits(1);
/// WAI-ARIA 1.2, 5.2.8.2 "name from: contents". Rows, which browsers name only inside grids, are
/// not among them; terms are, as in Chromium.
const FROM_CONTENT: Traits = Traits(1 << 1);
/// WAI-ARIA 1.3, "name from: prohibited".
const NAMELESS: Traits = Traits(1 << 2);
/// Neither of the two, and yet its content is part of a name around it (accname 1.2, 2F, leaves
/// the roles to "name from"; these are the ones that Chromium adds).
const ADDS: Traits = Traits(1 << 3);
/// Stands apart from the words around it in a name, however it is laid out (Chromium).
const APART: Traits = Traits(1 << 4);
/// WAI-ARIA 1.2, 5.2.9 "children presentational: true", where the content makes up the name.
const DRAWN: Traits = Traits(1 << 5);
/// The same, where the content does not make up the name either.
const PICTURE: Traits = Traits(1 << 6);
/// WAI-ARIA 1.2, 5.3.1 `range` and what inherits `aria-valuenow`: it holds a number.
const RANGE: Traits = Traits(1 << 7);
/// It is read, not operated: put in the tab order so that keys can scroll it or focus can be
/// moved to it (WAI-ARIA 1.2, 5.3.3 to 5.3.6: structures, landmarks, live regions, windows).
const READ: Traits = Traits(1 << 8);

macro_rules! roles {
    ($($variant:ident = $text:literal $(, $first:ident $(| $more:ident)*)?;)*) => {
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

            fn traits(self) -> Traits {
                match self { $(Self::$variant => const { NONE$(.with($first)$(.with($more))*)? },)* }
            }
        }
    };
}

roles! {
    Alert = "alert", READ;
    AlertDialog = "alertdialog", READ;
    Application = "application";
    Article = "article", READ;
    Banner = "banner", READ;
    Blockquote = "blockquote", READ;
    Button = "button", WIDGET | FROM_CONTENT | APART | DRAWN;
    Caption = "caption", NAMELESS;
    Cell = "cell", FROM_CONTENT;
    Checkbox = "checkbox", WIDGET | FROM_CONTENT | APART | DRAWN;
    Code = "code", NAMELESS | READ;
    ColumnHeader = "columnheader", FROM_CONTENT;
    ComboBox = "combobox", WIDGET | APART;
    Comment = "comment";
    Complementary = "complementary", READ;
    ContentInfo = "contentinfo", READ;
    Definition = "definition", NAMELESS;
    Deletion = "deletion", NAMELESS;
    Dialog = "dialog", READ;
    Directory = "directory";
    DocAbstract = "doc-abstract";
    DocAcknowledgments = "doc-acknowledgments";
    DocAfterword = "doc-afterword";
    DocAppendix = "doc-appendix";
    DocBacklink = "doc-backlink", WIDGET | FROM_CONTENT;
    DocBiblioentry = "doc-biblioentry";
    DocBibliography = "doc-bibliography";
    DocBiblioref = "doc-biblioref", WIDGET | FROM_CONTENT;
    DocChapter = "doc-chapter";
    DocColophon = "doc-colophon";
    DocConclusion = "doc-conclusion";
    DocCover = "doc-cover";
    DocCredit = "doc-credit";
    DocCredits = "doc-credits";
    DocDedication = "doc-dedication";
    DocEndnote = "doc-endnote";
    DocEndnotes = "doc-endnotes";
    DocEpigraph = "doc-epigraph";
    DocEpilogue = "doc-epilogue";
    DocErrata = "doc-errata";
    DocExample = "doc-example";
    DocFootnote = "doc-footnote";
    DocForeword = "doc-foreword";
    DocGlossary = "doc-glossary";
    DocGlossref = "doc-glossref", WIDGET | FROM_CONTENT;
    DocIndex = "doc-index";
    DocIntroduction = "doc-introduction";
    DocNoteref = "doc-noteref", WIDGET | FROM_CONTENT;
    DocNotice = "doc-notice";
    DocPagebreak = "doc-pagebreak", PICTURE;
    DocPagefooter = "doc-pagefooter", NAMELESS;
    DocPageheader = "doc-pageheader", NAMELESS;
    DocPagelist = "doc-pagelist";
    DocPart = "doc-part";
    DocPreface = "doc-preface";
    DocPrologue = "doc-prologue";
    DocPullquote = "doc-pullquote";
    DocQna = "doc-qna";
    DocSubtitle = "doc-subtitle", ADDS;
    DocTip = "doc-tip";
    DocToc = "doc-toc";
    Document = "document", READ;
    Emphasis = "emphasis", NAMELESS;
    Feed = "feed", READ;
    Figure = "figure", READ;
    Form = "form", READ;
    Generic = "generic", NAMELESS;
    GraphicsDocument = "graphics-document";
    GraphicsObject = "graphics-object", ADDS;
    GraphicsSymbol = "graphics-symbol", PICTURE;
    Grid = "grid";
    GridCell = "gridcell", FROM_CONTENT;
    Group = "group", READ;
    Heading = "heading", FROM_CONTENT | READ;
    Iframe = "iframe", READ;
    Img = "img", PICTURE | READ;
    Insertion = "insertion", NAMELESS;
    Link = "link", WIDGET | FROM_CONTENT;
    List = "list", ADDS | READ;
    ListBox = "listbox", WIDGET | APART;
    ListItem = "listitem", ADDS;
    Log = "log", READ;
    Main = "main", READ;
    Mark = "mark", NAMELESS;
    Marquee = "marquee";
    Math = "math", READ;
    Menu = "menu";
    MenuBar = "menubar";
    MenuItem = "menuitem", WIDGET | FROM_CONTENT | APART;
    MenuItemCheckbox = "menuitemcheckbox", WIDGET | FROM_CONTENT | APART | DRAWN;
    MenuItemRadio = "menuitemradio", WIDGET | FROM_CONTENT | APART | DRAWN;
    Meter = "meter", PICTURE | RANGE;
    Navigation = "navigation", READ;
    Note = "note", READ;
    Option = "option", WIDGET | FROM_CONTENT | DRAWN;
    Paragraph = "paragraph", NAMELESS | READ;
    ProgressBar = "progressbar", PICTURE | RANGE;
    Radio = "radio", WIDGET | FROM_CONTENT | APART | DRAWN;
    RadioGroup = "radiogroup";
    Region = "region", READ;
    Row = "row";
    RowGroup = "rowgroup";
    RowHeader = "rowheader", FROM_CONTENT;
    Scrollbar = "scrollbar", WIDGET | PICTURE | RANGE;
    Search = "search", READ;
    SearchBox = "searchbox", WIDGET | APART;
    Separator = "separator", PICTURE | RANGE;
    Slider = "slider", WIDGET | PICTURE | RANGE;
    SpinButton = "spinbutton", WIDGET | RANGE;
    Status = "status", READ;
    Strong = "strong", NAMELESS;
    Subscript = "subscript", NAMELESS;
    Suggestion = "suggestion", NAMELESS;
    Superscript = "superscript", NAMELESS;
    Switch = "switch", WIDGET | FROM_CONTENT | APART | DRAWN;
    Tab = "tab", WIDGET | FROM_CONTENT | APART | DRAWN;
    Table = "table", READ;
    TabList = "tablist";
    TabPanel = "tabpanel", READ;
    Term = "term", FROM_CONTENT | NAMELESS;
    TextBox = "textbox", WIDGET | APART;
    Time = "time", NAMELESS;
    Timer = "timer";
    Toolbar = "toolbar";
    Tooltip = "tooltip", FROM_CONTENT | READ;
    Tree = "tree", APART;
    TreeGrid = "treegrid", APART;
    TreeItem = "treeitem", WIDGET | FROM_CONTENT;
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
        self.traits().has(WIDGET)
    }

    /// Whether an element of this role is named by its content when its author gives no name.
    pub fn takes_name_from_content(self) -> bool {
        self.traits().has(FROM_CONTENT)
    }

    /// Whether authors may not name an element of this role. A `title` of such an element
    /// describes it; an `aria-label` is nevertheless read out by browsers.
    pub fn prohibits_name(self) -> bool {
        self.traits().has(NAMELESS)
    }

    /// Whether what is inside an element of this role is only its picture.
    pub fn has_presentational_children(self) -> bool {
        self.traits().has(DRAWN.with(PICTURE))
    }

    /// Whether an element of this role holds a number between two others.
    pub fn is_range(self) -> bool {
        self.traits().has(RANGE)
    }

    /// Whether an element of this role is there to be read, even if it can have the focus.
    pub(in crate::semantics) fn is_only_read(self) -> bool {
        self.traits().has(READ)
    }

    /// Whether the content of an element of this role is part of the name of something around
    /// it. Structure that stands for itself (a menu or a group in a label) is not.
    pub(in crate::semantics) fn adds_content_to_names(self) -> bool {
        self.traits().has(FROM_CONTENT.with(NAMELESS).with(ADDS))
    }

    /// Whether an element of this role stands apart from the words around it in a name, however
    /// it is laid out.
    pub(in crate::semantics) fn stands_apart_in_names(self) -> bool {
        self.traits().has(APART)
    }

    /// Whether the role has presentational children whose content does not make up its name
    /// either.
    pub(super) fn is_picture(self) -> bool {
        self.traits().has(PICTURE)
    }
}
