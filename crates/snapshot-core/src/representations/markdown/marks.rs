//! What stands between the words of a run.

use std::borrow::Cow;
use std::ops::{Deref, Range};
use std::rc::Rc;

use crate::document::NodeId;

/// Something between words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// The byte of the run's text that it stands before.
    pub(super) at: u32,
    /// What it is.
    pub(super) kind: MarkKind,
}

impl Mark {
    /// The byte of the run's text that it stands before.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at as usize
    }
}

/// What a mark is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum MarkKind {
    /// An element begins: for the source map. The number is the id that is written with it.
    Open(NodeId, Option<u32>),
    /// The element begun last ends.
    Close,
    /// Emphasis or its like begins.
    Start(Format),
    /// It ends.
    End(Format),
    /// A link begins; its number among the links of the page.
    LinkStart(u32),
    /// It ends.
    LinkEnd(u32),
    /// A code span with this content.
    Code(Piece),
    /// Finished Markdown that stands as it is.
    Raw(Piece),
    /// A hard line break.
    Break,
    /// Taken back.
    Nothing,
}

impl MarkKind {
    /// Whether the mark writes anything.
    #[inline]
    pub(super) fn is_visible(self) -> bool {
        !matches!(self, Self::Open(..) | Self::Close | Self::Nothing)
    }

    /// Whether white space before content that follows the mark belongs before the mark.
    pub(super) fn is_opener(self) -> bool {
        matches!(self, Self::Open(..) | Self::Start(_) | Self::LinkStart(_) | Self::Nothing)
    }
}

/// Where in [`Runs::pieces`](super::runs::Runs::pieces) lies what a mark writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    start: u32,
    end: u32,
}

impl Piece {
    pub(super) fn new(range: Range<usize>) -> Self {
        Self { start: place(range.start), end: place(range.end) }
    }

    /// This piece and the one behind it.
    pub(super) fn with(self, next: Self) -> Self {
        Self { end: next.end, ..self }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place in what is read of a page, which stays below 4 GiB as a document does.
pub(super) fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Where a link leads, written ready for Markdown.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Link<'page> {
    /// The destination, escaped.
    pub(super) destination: LinkText<'page>,
    /// The title as the page has it.
    pub(super) title: LinkText<'page>,
    /// What to show if the link holds nothing.
    pub(super) name: &'page str,
    /// Whether a link without anything to show is left out.
    pub(super) dispensable: bool,
}

/// Text of a link. The link begins again in each block that it stands around, so that a copy must
/// not cost what the text is long.
#[derive(Debug, Clone)]
pub(super) enum LinkText<'page> {
    /// As the page has it.
    OfPage(&'page str),
    /// Made from that.
    Made(Rc<str>),
}

impl Deref for LinkText<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Self::OfPage(text) => text,
            Self::Made(text) => text,
        }
    }
}

impl PartialEq for LinkText<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Default for LinkText<'_> {
    fn default() -> Self {
        Self::OfPage("")
    }
}

impl<'page> From<Cow<'page, str>> for LinkText<'page> {
    fn from(text: Cow<'page, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::OfPage(text),
            Cow::Owned(text) => Self::Made(text.into()),
        }
    }
}

/// Inline formatting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Emphasis,
    Strong,
    Strikethrough,
    Subscript,
    Superscript,
    Insertion,
    Highlight,
    Keyboard,
}

impl Format {
    /// Whether Markdown has delimiters for it.
    pub(super) fn has_delimiters(self) -> bool {
        matches!(self, Self::Emphasis | Self::Strong | Self::Strikethrough)
    }
}
