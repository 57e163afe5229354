//! The runs of a page.
//!
//! They lie behind each other, so that thousands of them cost no more memory and time than what
//! they hold.

use std::num::NonZeroU32;

use super::marks::{Link, Mark, Piece};
use crate::document::NodeId;

/// What a run that is done holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'outline> {
    /// See [`Runs::text`].
    pub(super) text: &'outline str,
    /// See [`Runs::marks`].
    pub(super) marks: &'outline [Mark],
    /// See [`Runs::sources`].
    pub(super) sources: &'outline [(u32, NodeId)],
    /// Whether emphasis or its like begins in it.
    pub(super) is_formatted: bool,
    links: &'outline [Link<'outline>],
    pieces: &'outline str,
}

/// All runs of a page, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Runs<'page> {
    /// The words, as the page has them, white space collapsed.
    pub(super) text: String,
    /// What stands between them, in order; places are counted from the run's own beginning.
    pub(super) marks: Vec<Mark>,
    /// What link marks point to.
    pub(super) links: Vec<Link<'page>>,
    /// What marks for code and finished Markdown write.
    pub(super) pieces: String,
    /// Where the words of each text node of the page begin in the run's text.
    pub(super) sources: Vec<(u32, NodeId)>,
    /// Where each run ends in these.
    ends: Vec<Border>,
}

/// The number of a run that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunId(NonZeroU32);

/// Where a run ends and the next one begins.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Border {
    pub(super) text: usize,
    pub(super) marks: usize,
    sources: usize,
    links: usize,
    is_formatted: bool,
}

impl<'page> Runs<'page> {
    /// Where the run begins that is not yet done.
    pub(super) fn begin(&self) -> Border {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Makes what has been added since the last run a run.
    pub(super) fn end(&mut self, is_formatted: bool) -> RunId {
        self.ends.push(Border {
            text: self.text.len(),
            marks: self.marks.len(),
            sources: self.sources.len(),
            links: self.links.len(),
            is_formatted,
        });
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        RunId(NonZeroU32::MIN.saturating_add(number - 1))
    }

    /// Takes back what has been added since the last run.
    pub(super) fn take_back(&mut self) {
        let Border { text, marks, sources, links, .. } = self.begin();
        self.text.truncate(text);
        self.marks.truncate(marks);
        self.sources.truncate(sources);
        self.links.truncate(links);
    }

    /// What the run holds.
    pub(super) fn content(&self, run: RunId) -> Option<Content<'_>> {
        let at = run.0.get() as usize - 1;
        let end = self.ends.get(at)?;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        Some(Content {
            text: self.text.get(start.text..end.text)?,
            marks: self.marks.get(start.marks..end.marks)?,
            sources: self.sources.get(start.sources..end.sources)?,
            is_formatted: end.is_formatted,
            links: &self.links,
            pieces: &self.pieces,
        })
    }

    /// Adds a piece that a mark writes.
    pub(super) fn add_piece(&mut self, text: &str) -> Piece {
        let start = self.pieces.len();
        self.pieces.push_str(text);
        Piece::new(start..self.pieces.len())
    }

    /// What a mark for code or finished Markdown writes.
    pub(super) fn piece(&self, piece: Piece) -> &str {
        self.pieces.get(piece.range()).unwrap_or("")
    }
}

impl<'outline> Content<'outline> {
    /// What a mark for code or finished Markdown writes.
    pub(super) fn piece(&self, piece: Piece) -> &'outline str {
        self.pieces.get(piece.range()).unwrap_or("")
    }

    /// The link that a mark points to.
    pub(super) fn link(&self, number: u32) -> Option<&'outline Link<'outline>> {
        self.links.get(number as usize)
    }
}
