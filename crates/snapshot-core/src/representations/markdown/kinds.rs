//! What Markdown asks of an element's name, as a set in one word.

use crate::document::{Document, Name, Namespace, NodeId, name, sets_by_name};

/// The sets that an element is in by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kinds(u16);

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    /// Elements of HTML, of whatever name.
    pub(super) const HTML: Self = Self(1);
    /// Elements that are never shown, nor anything in them.
    pub(super) const SKIPPED: Self = Self(1 << 1);
    /// Elements that run along with the text as one piece, whatever is inside.
    pub(super) const ATOMIC: Self = Self(1 << 2);
    /// Elements that Markdown has a block for.
    pub(super) const BLOCK: Self = Self(1 << 3);
    /// Elements that stand in the line whatever their style says.
    pub(super) const IN_LINE: Self = Self(1 << 4);
    /// Elements that hold more than running text, and those with a line of their own right.
    pub(super) const HOLDS_MORE: Self = Self(1 << 5);
    /// Elements that are something of their own: a paragraph, a list, a table.
    pub(super) const STRUCTURE: Self = Self(1 << 6);
    pub(super) const HEADING: Self = Self(1 << 7);
    pub(super) const TABLE: Self = Self(1 << 8);
    pub(super) const IMAGE: Self = Self(1 << 9);
    pub(super) const BREAK: Self = Self(1 << 10);
    /// The element of HTML that links.
    pub(super) const ANCHOR: Self = Self(1 << 11);
    /// Elements that `Reader::piece` looks at, which must all be here: breaks, pictures, controls,
    /// code.
    pub(super) const PIECE: Self = Self(1 << 12);
    /// Tables, their sections, rows and cells.
    pub(super) const TABLE_PART: Self = Self(1 << 13);

    /// The sets that a node is in; none but for elements.
    #[inline]
    pub(super) fn of(document: &Document, node: NodeId) -> Self {
        let (Some(namespace), Some(name)) = (document.namespace(node), document.name(node)) else { return Self::NONE };
        match namespace {
            Namespace::Html => TABLE.get(name.index()).copied().unwrap_or(Self::HTML),
            Namespace::Svg if SKIPPED_SVG.contains(&name) => Self::SKIPPED,
            Namespace::Svg => Self::NONE,
            Namespace::MathMl => Self::ATOMIC,
        }
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

/// The sets of the known names of HTML.
static TABLE: [Kinds; Name::KNOWN_COUNT] = sets_by_name!(Kinds::HTML, SETS);

const SETS: &[(Kinds, &[Name])] = &[
    (
        Kinds::SKIPPED,
        &[
            name::HEAD,
            name::TITLE,
            name::SCRIPT,
            name::STYLE,
            name::TEMPLATE,
            name::META,
            name::LINK,
            name::BASE,
            name::DATALIST,
            name::PARAM,
            name::SOURCE,
            name::TRACK,
            name::NOFRAMES,
            name::NOEMBED,
            name::RP,
            name::COL,
            name::COLGROUP,
        ],
    ),
    (
        Kinds::ATOMIC,
        &[name::BUTTON, name::SELECT, name::TEXTAREA, name::INPUT, name::METER, name::PROGRESS, name::RUBY],
    ),
    (
        Kinds::BLOCK,
        &[
            name::HTML,
            name::BODY,
            name::P,
            name::BLOCKQUOTE,
            name::PRE,
            name::XMP,
            name::LISTING,
            name::PLAINTEXT,
            name::HR,
            name::OL,
            name::UL,
            name::MENU,
            name::DIR,
            name::LI,
            name::TABLE,
            name::CAPTION,
            name::THEAD,
            name::TBODY,
            name::TFOOT,
            name::TR,
            name::TD,
            name::TH,
            name::DL,
            name::DT,
            name::DD,
        ],
    ),
    (Kinds::IN_LINE, &[name::IMG, name::BR, name::WBR]),
    (Kinds::HOLDS_MORE, LISTS_AND_PARTS),
    (Kinds::HOLDS_MORE, &[name::SECTION]),
    (Kinds::STRUCTURE, LISTS_AND_PARTS),
    (Kinds::STRUCTURE, &[name::P, name::LI, name::TABLE, name::DT, name::DD, name::DETAILS]),
    (Kinds::HEADING, &[name::H1, name::H2, name::H3, name::H4, name::H5, name::H6]),
    (Kinds::TABLE, &[name::TABLE]),
    (Kinds::IMAGE, &[name::IMG]),
    (Kinds::BREAK, &[name::BR]),
    (Kinds::ANCHOR, &[name::A]),
    (
        Kinds::PIECE,
        &[
            name::BR,
            name::WBR,
            name::IMG,
            name::INPUT,
            name::SELECT,
            name::TEXTAREA,
            name::METER,
            name::PROGRESS,
            name::IFRAME,
            name::FRAME,
            name::VIDEO,
            name::AUDIO,
            name::CODE,
            name::SAMP,
            name::TT,
        ],
    ),
    (Kinds::TABLE_PART, &[name::TABLE, name::THEAD, name::TBODY, name::TFOOT, name::TR, name::TD, name::TH]),
];

const LISTS_AND_PARTS: &[Name] =
    &[name::UL, name::OL, name::DL, name::PRE, name::BLOCKQUOTE, name::HR, name::FORM, name::ARTICLE];

const SKIPPED_SVG: &[Name] =
    &[name::TITLE, name::DESC, name::METADATA, name::STYLE, name::SCRIPT, name::DEFS, name::SYMBOL, name::CLIP_PATH];
