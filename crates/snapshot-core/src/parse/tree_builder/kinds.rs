//! What the rules ask of an element, as a set in one word: looked up once when it is opened.

use crate::document::{Name, Namespace, name, sets_by_name};

/// The sets of names that an element's name is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kinds(u32);

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    /// Elements of HTML, of whatever name.
    pub(super) const HTML: Self = Self(1);
    /// The category "special".
    pub(super) const SPECIAL: Self = Self(1 << 1);
    /// What bounds a scope.
    pub(super) const SCOPE: Self = Self(1 << 2);
    /// What bounds list item scope besides.
    pub(super) const LIST_SCOPE: Self = Self(1 << 3);
    /// What bounds button scope besides.
    pub(super) const BUTTON_SCOPE: Self = Self(1 << 4);
    /// What bounds table scope, and the context that a table's parts are put into.
    pub(super) const TABLE_SCOPE: Self = Self(1 << 5);
    /// The context of a table's rows.
    pub(super) const TABLE_BODY_CONTEXT: Self = Self(1 << 6);
    /// The context of a row's cells.
    pub(super) const TABLE_ROW_CONTEXT: Self = Self(1 << 7);
    pub(super) const CELL: Self = Self(1 << 8);
    /// Elements whose end tags may be left out.
    pub(super) const IMPLIED_END: Self = Self(1 << 9);
    /// The same where a template ends.
    pub(super) const THOROUGHLY_IMPLIED_END: Self = Self(1 << 10);
    pub(super) const HEADING: Self = Self(1 << 11);
    /// Elements in which nothing but a table's parts may lie: the rest is foster-parented.
    pub(super) const FOSTERING: Self = Self(1 << 12);
    /// What a rule of tables takes for an open section of one. (The standard has `thead` there and
    /// not `table`; it makes a difference in some fragments, where we do as html5ever does.)
    pub(super) const TABLE_OR_SECTION: Self = Self(1 << 13);
    /// MathML's text integration points.
    pub(super) const TEXT_INTEGRATION: Self = Self(1 << 14);
    /// SVG's HTML integration points.
    pub(super) const HTML_INTEGRATION: Self = Self(1 << 15);
    /// SVG elements whose names are written with capitals.
    pub(super) const CAPITALISED: Self = Self(1 << 16);
    /// Formatting elements that are opened again in the next block, as many as there are. (There
    /// is never more than one `a` and one `nobr`, and links matter.)
    pub(super) const REOPENED: Self = Self(1 << 17);
    /// Tags of elements that are not open behind them, or that are open already.
    pub(super) const STAYS_CLOSED: Self = Self(1 << 18);
    /// Tags whose content is not markup.
    pub(super) const RAW_TEXT: Self = Self(1 << 19);

    /// The sets that an element is in.
    #[inline]
    pub(super) fn of(name: Name, namespace: Namespace) -> Self {
        match namespace {
            Namespace::Html => Self::of_html(name),
            Namespace::Svg => match name {
                name::FOREIGN_OBJECT | name::DESC | name::TITLE => Self::SCOPE.with(Self::HTML_INTEGRATION),
                _ => Self::NONE,
            },
            Namespace::MathMl => match name {
                name::MI | name::MO | name::MN | name::MS | name::MTEXT => Self::SCOPE.with(Self::TEXT_INTEGRATION),
                _ => Self::NONE,
            },
        }
    }

    /// The sets that an HTML element, or a tag of this name, is in.
    #[inline]
    pub(super) fn of_html(name: Name) -> Self {
        TABLE.get(name.index()).copied().unwrap_or(Self::HTML)
    }

    #[inline]
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the two have something in common.
    #[inline]
    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The sets of the known names.
static TABLE: [Kinds; Name::KNOWN_COUNT] = sets_by_name!(Kinds::HTML, SETS);

const SETS: &[(Kinds, &[Name])] = &[
    (Kinds::SPECIAL, SPECIAL),
    (
        Kinds::SCOPE,
        &[
            name::APPLET,
            name::CAPTION,
            name::HTML,
            name::MARQUEE,
            name::OBJECT,
            name::SELECT,
            name::TABLE,
            name::TD,
            name::TEMPLATE,
            name::TH,
        ],
    ),
    (Kinds::LIST_SCOPE, &[name::OL, name::UL]),
    (Kinds::BUTTON_SCOPE, &[name::BUTTON]),
    (Kinds::TABLE_SCOPE, &[name::HTML, name::TABLE, name::TEMPLATE]),
    (Kinds::TABLE_BODY_CONTEXT, &[name::HTML, name::TBODY, name::TEMPLATE, name::TFOOT, name::THEAD]),
    (Kinds::TABLE_ROW_CONTEXT, &[name::HTML, name::TEMPLATE, name::TR]),
    (Kinds::CELL, &[name::TD, name::TH]),
    (Kinds::IMPLIED_END, IMPLIED_END),
    (Kinds::THOROUGHLY_IMPLIED_END, IMPLIED_END),
    (
        Kinds::THOROUGHLY_IMPLIED_END,
        &[name::CAPTION, name::COLGROUP, name::TBODY, name::TD, name::TFOOT, name::TH, name::THEAD, name::TR],
    ),
    (Kinds::HEADING, &[name::H1, name::H2, name::H3, name::H4, name::H5, name::H6]),
    (Kinds::FOSTERING, &[name::TABLE, name::TBODY, name::TFOOT, name::THEAD, name::TR]),
    (Kinds::TABLE_OR_SECTION, &[name::TABLE, name::TBODY, name::TFOOT]),
    (
        Kinds::REOPENED,
        &[
            name::B,
            name::BIG,
            name::CODE,
            name::EM,
            name::FONT,
            name::I,
            name::S,
            name::SMALL,
            name::STRIKE,
            name::STRONG,
            name::TT,
            name::U,
        ],
    ),
    (
        Kinds::STAYS_CLOSED,
        &[
            name::AREA,
            name::BASE,
            name::BASEFONT,
            name::BGSOUND,
            name::BODY,
            name::BR,
            name::COL,
            name::EMBED,
            name::FRAME,
            name::HEAD,
            name::HR,
            name::HTML,
            name::IMAGE,
            name::IMG,
            name::INPUT,
            name::KEYGEN,
            name::LINK,
            name::META,
            name::PARAM,
            name::SOURCE,
            name::TRACK,
            name::WBR,
        ],
    ),
    (
        Kinds::RAW_TEXT,
        &[
            name::IFRAME,
            name::NOEMBED,
            name::NOFRAMES,
            name::NOSCRIPT,
            name::PLAINTEXT,
            name::SCRIPT,
            name::STYLE,
            name::TEXTAREA,
            name::TITLE,
            name::XMP,
        ],
    ),
];

const IMPLIED_END: &[Name] =
    &[name::DD, name::DT, name::LI, name::OPTGROUP, name::OPTION, name::P, name::RB, name::RP, name::RT, name::RTC];

const SPECIAL: &[Name] = &[
    name::ADDRESS,
    name::APPLET,
    name::AREA,
    name::ARTICLE,
    name::ASIDE,
    name::BASE,
    name::BASEFONT,
    name::BGSOUND,
    name::BLOCKQUOTE,
    name::BODY,
    name::BR,
    name::BUTTON,
    name::CAPTION,
    name::CENTER,
    name::COL,
    name::COLGROUP,
    name::DD,
    name::DETAILS,
    name::DIR,
    name::DIV,
    name::DL,
    name::DT,
    name::EMBED,
    name::FIELDSET,
    name::FIGCAPTION,
    name::FIGURE,
    name::FOOTER,
    name::FORM,
    name::FRAME,
    name::FRAMESET,
    name::H1,
    name::H2,
    name::H3,
    name::H4,
    name::H5,
    name::H6,
    name::HEAD,
    name::HEADER,
    name::HGROUP,
    name::HR,
    name::HTML,
    name::IFRAME,
    name::IMG,
    name::INPUT,
    name::LI,
    name::LINK,
    name::LISTING,
    name::MAIN,
    name::MARQUEE,
    name::MENU,
    name::META,
    name::NAV,
    name::NOEMBED,
    name::NOFRAMES,
    name::NOSCRIPT,
    name::OBJECT,
    name::OL,
    name::P,
    name::PARAM,
    name::PLAINTEXT,
    name::PRE,
    name::SCRIPT,
    name::SECTION,
    name::SELECT,
    name::SOURCE,
    name::STYLE,
    name::SUMMARY,
    name::TABLE,
    name::TBODY,
    name::TD,
    name::TEMPLATE,
    name::TEXTAREA,
    name::TFOOT,
    name::TH,
    name::THEAD,
    name::TITLE,
    name::TR,
    name::TRACK,
    name::UL,
    name::WBR,
    name::XMP,
];
