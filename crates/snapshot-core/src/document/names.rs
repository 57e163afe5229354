//! Interned element and attribute names: a name is compared as an integer.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// An interned element or attribute name.
///
/// Names in [`name`] have the same number in every document; other names are numbered by the
/// document that holds them, so a `Name` is only meaningful together with its document.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(u32);

impl Name {
    /// A name that no document has.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// The number of names that every document knows.
    pub(crate) const KNOWN_COUNT: usize = KNOWN.len();

    /// The name's number; names of [`name`] come first.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    /// The name of this number.
    #[inline]
    pub(super) fn numbered(number: u32) -> Self {
        Self(number)
    }

    /// Whether every document knows the name.
    #[inline]
    pub(crate) fn is_known(self) -> bool {
        self.index() < Self::KNOWN_COUNT
    }

    /// The name known to every document under this spelling, if there is one.
    pub fn known(text: &str) -> Option<Self> {
        KNOWN_INDEX.get(text).copied()
    }

    /// The spelling, for a name that every document knows.
    pub(crate) fn known_text(self) -> Option<&'static str> {
        KNOWN.get(self.index()).copied()
    }
}

/// The names that one document uses beyond the known ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    texts: Vec<Box<str>>,
    index: FxHashMap<Box<str>, Name>,
}

impl NameTable {
    pub(crate) fn intern(&mut self, text: &str) -> Name {
        if let Some(name) = self.find(text) {
            return name;
        }
        let name = Name(u32::try_from(KNOWN.len() + self.texts.len()).unwrap_or(u32::MAX));
        self.texts.push(text.into());
        self.index.insert(text.into(), name);
        name
    }

    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        Name::known(text).or_else(|| self.index.get(text).copied())
    }

    pub(crate) fn text(&self, name: Name) -> &str {
        match name.known_text() {
            Some(text) => text,
            None => self.texts.get(name.index() - KNOWN.len()).map_or("", |text| text),
        }
    }
}

static KNOWN_INDEX: LazyLock<FxHashMap<&'static str, Name>> =
    LazyLock::new(|| (0u32..).zip(KNOWN).map(|(number, text)| (*text, Name(number))).collect());

macro_rules! known_names {
    ($($constant:ident = $text:literal,)*) => {
        /// Names that every document knows: the elements and attributes of HTML, ARIA, and those
        /// of SVG and MathML that mean something to a reader.
        #[allow(missing_docs, reason = "each constant says its own name")]
        pub mod name {
            use super::Name;

            #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "only numbers the constants")]
            #[repr(u32)]
            enum Number { $($constant,)* }

            $(pub const $constant: Name = Name(Number::$constant as u32);)*
        }

        static KNOWN: &[&str] = &[$($text,)*];
    };
}

known_names! {
    A = "a",
    ABBR = "abbr",
    ACRONYM = "acronym",
    ADDRESS = "address",
    ANNOTATION_XML = "annotation-xml",
    ANNOTATION = "annotation",
    APPLET = "applet",
    AREA = "area",
    ARTICLE = "article",
    ASIDE = "aside",
    AUDIO = "audio",
    B = "b",
    BASE = "base",
    BASEFONT = "basefont",
    BDI = "bdi",
    BDO = "bdo",
    BGSOUND = "bgsound",
    BIG = "big",
    BLOCKQUOTE = "blockquote",
    BODY = "body",
    BR = "br",
    BUTTON = "button",
    CANVAS = "canvas",
    CAPTION = "caption",
    CENTER = "center",
    CITE = "cite",
    CODE = "code",
    COL = "col",
    COLGROUP = "colgroup",
    DATA = "data",
    DATALIST = "datalist",
    DD = "dd",
    DEL = "del",
    DETAILS = "details",
    DFN = "dfn",
    DIALOG = "dialog",
    DIR = "dir",
    DIV = "div",
    DL = "dl",
    DT = "dt",
    EM = "em",
    EMBED = "embed",
    FENCEDFRAME = "fencedframe",
    FIELDSET = "fieldset",
    FIGCAPTION = "figcaption",
    FIGURE = "figure",
    FONT = "font",
    FOOTER = "footer",
    FORM = "form",
    FRAME = "frame",
    FRAMESET = "frameset",
    H1 = "h1",
    H2 = "h2",
    H3 = "h3",
    H4 = "h4",
    H5 = "h5",
    H6 = "h6",
    HEAD = "head",
    HEADER = "header",
    HGROUP = "hgroup",
    HR = "hr",
    HTML = "html",
    I = "i",
    IFRAME = "iframe",
    IMAGE = "image",
    IMG = "img",
    INPUT = "input",
    INS = "ins",
    KBD = "kbd",
    KEYGEN = "keygen",
    LABEL = "label",
    LEGEND = "legend",
    LI = "li",
    LINK = "link",
    LISTING = "listing",
    MAIN = "main",
    MAP = "map",
    MARK = "mark",
    MARQUEE = "marquee",
    MATH = "math",
    MENU = "menu",
    MENUITEM = "menuitem",
    META = "meta",
    METER = "meter",
    NAV = "nav",
    NOBR = "nobr",
    NOEMBED = "noembed",
    NOFRAMES = "noframes",
    NOSCRIPT = "noscript",
    OBJECT = "object",
    OL = "ol",
    OPTGROUP = "optgroup",
    OPTION = "option",
    OUTPUT = "output",
    P = "p",
    PARAM = "param",
    PICTURE = "picture",
    PLAINTEXT = "plaintext",
    PRE = "pre",
    PROGRESS = "progress",
    Q = "q",
    RB = "rb",
    RBC = "rbc",
    RP = "rp",
    RT = "rt",
    RTC = "rtc",
    RUBY = "ruby",
    S = "s",
    SAMP = "samp",
    SCRIPT = "script",
    SEARCH = "search",
    SECTION = "section",
    SELECT = "select",
    SELECTEDCONTENT = "selectedcontent",
    SELECTLIST = "selectlist",
    SLOT = "slot",
    SMALL = "small",
    SOURCE = "source",
    SPACER = "spacer",
    SPAN = "span",
    STRIKE = "strike",
    STRONG = "strong",
    STYLE = "style",
    SUB = "sub",
    SUMMARY = "summary",
    SUP = "sup",
    SVG = "svg",
    TABLE = "table",
    TBODY = "tbody",
    TD = "td",
    TEMPLATE = "template",
    TEXTAREA = "textarea",
    TFOOT = "tfoot",
    TH = "th",
    THEAD = "thead",
    TIME = "time",
    TITLE = "title",
    TR = "tr",
    TRACK = "track",
    TT = "tt",
    U = "u",
    UL = "ul",
    VAR = "var",
    VIDEO = "video",
    WBR = "wbr",
    XMP = "xmp",
    G = "g",
    PATH = "path",
    RECT = "rect",
    CIRCLE = "circle",
    ELLIPSE = "ellipse",
    LINE = "line",
    POLYLINE = "polyline",
    POLYGON = "polygon",
    TEXT = "text",
    TSPAN = "tspan",
    TEXT_PATH = "textPath",
    USE = "use",
    SYMBOL = "symbol",
    DEFS = "defs",
    DESC = "desc",
    FOREIGN_OBJECT = "foreignObject",
    METADATA = "metadata",
    CLIP_PATH = "clipPath",
    MASK = "mask",
    LINEAR_GRADIENT = "linearGradient",
    RADIAL_GRADIENT = "radialGradient",
    STOP = "stop",
    PATTERN = "pattern",
    MARKER = "marker",
    FILTER = "filter",
    SWITCH = "switch",
    VIEW = "view",
    ANIMATE = "animate",
    ANIMATE_TRANSFORM = "animateTransform",
    SET = "set",
    MI = "mi",
    MN = "mn",
    MO = "mo",
    MS = "ms",
    MTEXT = "mtext",
    MROW = "mrow",
    MFRAC = "mfrac",
    MSQRT = "msqrt",
    MROOT = "mroot",
    MSTYLE = "mstyle",
    MERROR = "merror",
    MPADDED = "mpadded",
    MPHANTOM = "mphantom",
    MSUB = "msub",
    MSUP = "msup",
    MSUBSUP = "msubsup",
    MUNDER = "munder",
    MOVER = "mover",
    MUNDEROVER = "munderover",
    MMULTISCRIPTS = "mmultiscripts",
    MTABLE = "mtable",
    MTR = "mtr",
    MTD = "mtd",
    MGLYPH = "mglyph",
    MALIGNGROUP = "maligngroup",
    MALIGNMARK = "malignmark",
    SEMANTICS = "semantics",
    MSPACE = "mspace",
    MENCLOSE = "menclose",
    ID = "id",
    CLASS = "class",
    HREF = "href",
    SRC = "src",
    ALT = "alt",
    NAME = "name",
    VALUE = "value",
    TYPE = "type",
    ROLE = "role",
    FOR = "for",
    HIDDEN = "hidden",
    LANG = "lang",
    REL = "rel",
    CONTENT = "content",
    CHARSET = "charset",
    HTTP_EQUIV = "http-equiv",
    MEDIA = "media",
    WIDTH = "width",
    HEIGHT = "height",
    ALIGN = "align",
    VALIGN = "valign",
    BGCOLOR = "bgcolor",
    BORDER = "border",
    CELLPADDING = "cellpadding",
    CELLSPACING = "cellspacing",
    COLSPAN = "colspan",
    ROWSPAN = "rowspan",
    SCOPE = "scope",
    HEADERS = "headers",
    START = "start",
    REVERSED = "reversed",
    CHECKED = "checked",
    SELECTED = "selected",
    DISABLED = "disabled",
    READONLY = "readonly",
    REQUIRED = "required",
    MULTIPLE = "multiple",
    PLACEHOLDER = "placeholder",
    AUTOCOMPLETE = "autocomplete",
    AUTOFOCUS = "autofocus",
    ACTION = "action",
    METHOD = "method",
    ENCTYPE = "enctype",
    TARGET = "target",
    DOWNLOAD = "download",
    TABINDEX = "tabindex",
    ACCESSKEY = "accesskey",
    CONTENTEDITABLE = "contenteditable",
    DRAGGABLE = "draggable",
    SPELLCHECK = "spellcheck",
    TRANSLATE = "translate",
    INERT = "inert",
    POPOVER = "popover",
    POPOVERTARGET = "popovertarget",
    OPEN = "open",
    DATETIME = "datetime",
    COLS = "cols",
    ROWS = "rows",
    MAXLENGTH = "maxlength",
    MINLENGTH = "minlength",
    MIN = "min",
    MAX = "max",
    STEP = "step",
    SIZE = "size",
    ACCEPT = "accept",
    LIST = "list",
    FORMACTION = "formaction",
    SRCDOC = "srcdoc",
    SRCSET = "srcset",
    SIZES = "sizes",
    LOADING = "loading",
    DECODING = "decoding",
    CROSSORIGIN = "crossorigin",
    INTEGRITY = "integrity",
    NONCE = "nonce",
    ASYNC = "async",
    DEFER = "defer",
    PROPERTY = "property",
    ITEMPROP = "itemprop",
    ITEMSCOPE = "itemscope",
    ITEMTYPE = "itemtype",
    ITEMID = "itemid",
    ITEMREF = "itemref",
    USEMAP = "usemap",
    ISMAP = "ismap",
    SHAPE = "shape",
    COORDS = "coords",
    POSTER = "poster",
    CONTROLS = "controls",
    AUTOPLAY = "autoplay",
    LOOP = "loop",
    MUTED = "muted",
    PRELOAD = "preload",
    KIND = "kind",
    SRCLANG = "srclang",
    DEFAULT = "default",
    SANDBOX = "sandbox",
    ALLOW = "allow",
    ALLOWFULLSCREEN = "allowfullscreen",
    FRAMEBORDER = "frameborder",
    SCROLLING = "scrolling",
    PART = "part",
    IS = "is",
    SHADOWROOTMODE = "shadowrootmode",
    SHADOWROOTDELEGATESFOCUS = "shadowrootdelegatesfocus",
    SHADOWROOTCLONABLE = "shadowrootclonable",
    SHADOWROOTSERIALIZABLE = "shadowrootserializable",
    AXIS = "axis",
    NOWRAP = "nowrap",
    NOSHADE = "noshade",
    COMPACT = "compact",
    COLOR = "color",
    FACE = "face",
    BACKGROUND = "background",
    LONGDESC = "longdesc",
    LOW = "low",
    HIGH = "high",
    OPTIMUM = "optimum",
    WRAP = "wrap",
    NOVALIDATE = "novalidate",
    ONCLICK = "onclick",
    ONMOUSEDOWN = "onmousedown",
    ONMOUSEUP = "onmouseup",
    ONPOINTERDOWN = "onpointerdown",
    ONPOINTERUP = "onpointerup",
    ONTOUCHSTART = "ontouchstart",
    ONTOUCHEND = "ontouchend",
    ONDBLCLICK = "ondblclick",
    ONKEYDOWN = "onkeydown",
    ONKEYUP = "onkeyup",
    ONKEYPRESS = "onkeypress",
    ONCHANGE = "onchange",
    ONINPUT = "oninput",
    ONSUBMIT = "onsubmit",
    ONLOAD = "onload",
    ONERROR = "onerror",
    XMLNS = "xmlns",
    XMLNS_XLINK = "xmlns:xlink",
    XLINK_HREF = "xlink:href",
    XLINK_TITLE = "xlink:title",
    XML_LANG = "xml:lang",
    XML_SPACE = "xml:space",
    VIEW_BOX = "viewBox",
    D = "d",
    FILL = "fill",
    STROKE = "stroke",
    TRANSFORM = "transform",
    X = "x",
    Y = "y",
    X1 = "x1",
    Y1 = "y1",
    X2 = "x2",
    Y2 = "y2",
    CX = "cx",
    CY = "cy",
    R = "r",
    RX = "rx",
    RY = "ry",
    POINTS = "points",
    OPACITY = "opacity",
    FOCUSABLE = "focusable",
    DISPLAY = "display",
    VISIBILITY = "visibility",
    ENCODING = "encoding",
    DEFINITIONURL = "definitionurl",
    INPUTMODE = "inputmode",
    ENTERKEYHINT = "enterkeyhint",
    CLOSEDBY = "closedby",
    COMMAND = "command",
    COMMANDFOR = "commandfor",
    ARIA_ACTIVEDESCENDANT = "aria-activedescendant",
    ARIA_ATOMIC = "aria-atomic",
    ARIA_AUTOCOMPLETE = "aria-autocomplete",
    ARIA_BRAILLELABEL = "aria-braillelabel",
    ARIA_BRAILLEROLEDESCRIPTION = "aria-brailleroledescription",
    ARIA_BUSY = "aria-busy",
    ARIA_CHECKED = "aria-checked",
    ARIA_COLCOUNT = "aria-colcount",
    ARIA_COLINDEX = "aria-colindex",
    ARIA_COLINDEXTEXT = "aria-colindextext",
    ARIA_COLSPAN = "aria-colspan",
    ARIA_CONTROLS = "aria-controls",
    ARIA_CURRENT = "aria-current",
    ARIA_DESCRIBEDBY = "aria-describedby",
    ARIA_DESCRIPTION = "aria-description",
    ARIA_DETAILS = "aria-details",
    ARIA_DISABLED = "aria-disabled",
    ARIA_DROPEFFECT = "aria-dropeffect",
    ARIA_ERRORMESSAGE = "aria-errormessage",
    ARIA_EXPANDED = "aria-expanded",
    ARIA_FLOWTO = "aria-flowto",
    ARIA_GRABBED = "aria-grabbed",
    ARIA_HASPOPUP = "aria-haspopup",
    ARIA_HIDDEN = "aria-hidden",
    ARIA_INVALID = "aria-invalid",
    ARIA_KEYSHORTCUTS = "aria-keyshortcuts",
    ARIA_LABEL = "aria-label",
    ARIA_LABELLEDBY = "aria-labelledby",
    ARIA_LABELEDBY = "aria-labeledby",
    ARIA_LEVEL = "aria-level",
    ARIA_LIVE = "aria-live",
    ARIA_MODAL = "aria-modal",
    ARIA_MULTILINE = "aria-multiline",
    ARIA_MULTISELECTABLE = "aria-multiselectable",
    ARIA_ORIENTATION = "aria-orientation",
    ARIA_OWNS = "aria-owns",
    ARIA_PLACEHOLDER = "aria-placeholder",
    ARIA_POSINSET = "aria-posinset",
    ARIA_PRESSED = "aria-pressed",
    ARIA_READONLY = "aria-readonly",
    ARIA_RELEVANT = "aria-relevant",
    ARIA_REQUIRED = "aria-required",
    ARIA_ROLEDESCRIPTION = "aria-roledescription",
    ARIA_ROWCOUNT = "aria-rowcount",
    ARIA_ROWINDEX = "aria-rowindex",
    ARIA_ROWINDEXTEXT = "aria-rowindextext",
    ARIA_ROWSPAN = "aria-rowspan",
    ARIA_SELECTED = "aria-selected",
    ARIA_SETSIZE = "aria-setsize",
    ARIA_SORT = "aria-sort",
    ARIA_VALUEMAX = "aria-valuemax",
    ARIA_VALUEMIN = "aria-valuemin",
    ARIA_VALUENOW = "aria-valuenow",
    ARIA_VALUETEXT = "aria-valuetext",
    DATA_ID = "data-id",
    DATA_TESTID = "data-testid",
    DATA_TEST = "data-test",
    DATA_SRC = "data-src",
    DATA_SRCSET = "data-srcset",
    DATA_HREF = "data-href",
    DATA_URL = "data-url",
    DATA_ACTION = "data-action",
    DATA_TOGGLE = "data-toggle",
    DATA_TARGET = "data-target",
    DATA_TITLE = "data-title",
    DATA_VALUE = "data-value",
    DATA_NAME = "data-name",
    DATA_UID = "data-uid",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_found_by_their_spelling_and_are_unique() {
        assert_eq!(KNOWN_INDEX.len(), KNOWN.len());
        assert_eq!(Name::known("aria-label"), Some(name::ARIA_LABEL));
        assert_eq!(Name::known("viewBox"), Some(name::VIEW_BOX));
        assert_eq!(Name::known("viewbox"), None);
    }

    #[test]
    fn other_names_are_numbered_once_a_document() {
        let mut table = NameTable::default();
        let first = table.intern("x-card");
        assert_eq!(table.intern("x-card"), first);
        assert_eq!(table.text(first), "x-card");
        let known = table.intern("div");
        assert_eq!(table.text(known), "div");
    }
}
