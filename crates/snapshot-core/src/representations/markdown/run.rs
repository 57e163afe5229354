//! A run of inline content: words, and the marks between them.
//!
//! While it is built, white space collapses as in CSS and moves out of emphasis and links, where
//! Markdown could not express it; emphasis around nothing goes, and neighbours of a kind join.

use super::escaping;
use super::marks::{Format, Link, LinkText, Mark, MarkKind, place};
use super::runs::{Border, RunId, Runs};
use crate::document::NodeId;
use crate::text::spacing::end_of_words;

/// One line's worth of inline content (with hard breaks, several lines), built behind the runs
/// that are done.
#[derive(Debug, Default)]
pub(super) struct Run<'page> {
    runs: Runs<'page>,
    /// Where it begins in these.
    begin: Border,
    white: White,
    /// Emphasis and links that are open: where their start mark is.
    open: Vec<(Opened, usize)>,
    /// The last mark that shows.
    last_visible: Option<usize>,
    /// Whether anything shows since the last hard break.
    line_has_content: bool,
    /// Whether emphasis or its like has begun.
    is_formatted: bool,
    /// The ids of links that were left out, of this run and of those before.
    pub(super) unwritten: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opened {
    Format(Format),
    Link(u32),
}

/// White space and breaks that have been seen but not yet placed.
#[derive(Debug, Default)]
struct White {
    breaks: u32,
    spaces: String,
}

/// White space that collapses; `white-space: normal` in CSS Text 3, 4.1.
pub(super) fn is_collapsible(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

impl<'page> Run<'page> {
    /// A run that is empty, of a page of about so many nodes.
    pub(super) fn with_room_for(nodes: usize) -> Self {
        let mut run = Self::default();
        run.runs.marks.reserve(nodes);
        run
    }

    /// Makes what the run holds one of those that are done, and begins another.
    pub(super) fn finish(&mut self) -> RunId {
        let id = self.runs.end(self.is_formatted);
        self.clear();
        id
    }

    /// Takes back what the run holds.
    pub(super) fn clear(&mut self) {
        self.runs.take_back();
        self.begin = self.runs.begin();
        self.white.breaks = 0;
        self.white.spaces.clear();
        self.open.clear();
        self.last_visible = None;
        self.line_has_content = false;
        self.is_formatted = false;
    }

    /// The runs that are done.
    pub(super) fn into_runs(self) -> Runs<'page> {
        self.runs
    }

    /// How long the text is.
    #[inline]
    fn at(&self) -> u32 {
        place(self.runs.text.len() - self.begin.text)
    }

    /// Whether nothing shows.
    pub(super) fn is_blank(&self) -> bool {
        self.at() == 0 && self.last_visible.is_none()
    }

    /// Notes that the words that follow are those of a text node.
    pub(super) fn source(&mut self, node: NodeId) {
        let at = self.at();
        self.runs.sources.push((at, node));
    }

    /// Adds words of the page.
    pub(super) fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first.is_whitespace() {
                self.white(first);
                rest = &rest[first.len_utf8()..];
            } else {
                // Between these words there is nothing to collapse.
                let end = end_of_words(rest, char::is_whitespace);
                self.place_white();
                self.runs.text.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }

    /// Adds a white space character, which waits until something follows it.
    fn white(&mut self, character: char) {
        if is_collapsible(character) {
            let line_start = self.white.breaks > 0 || !self.line_has_content;
            let collapses = self.white.spaces.ends_with(' ') || (line_start && self.white.spaces.is_empty());
            if !collapses {
                self.white.spaces.push(' ');
            }
        } else {
            self.white.spaces.push(character);
        }
    }

    /// Keeps what comes apart from what was, by a space.
    pub(super) fn space(&mut self) {
        self.white(' ');
    }

    /// Adds a hard break.
    pub(super) fn line_break(&mut self) {
        if !self.is_blank() {
            self.white.breaks += 1;
            self.white.spaces.clear();
        }
    }

    /// Keeps what comes apart from what was, by one break.
    pub(super) fn boundary(&mut self) {
        if self.white.breaks == 0 {
            self.line_break();
        }
    }

    /// How many breaks wait to be placed.
    pub(super) fn waiting_breaks(&self) -> u32 {
        self.white.breaks
    }

    /// Whether any emphasis or link is open.
    pub(super) fn is_inside(&self) -> bool {
        !self.open.is_empty()
    }

    /// Puts the white space that waits before all that has just been begun.
    fn place_white(&mut self) {
        if self.white.breaks > 0 || !self.white.spaces.is_empty() {
            let at = self.at();
            let marks = &mut self.runs.marks;
            let mut first = marks.len();
            // Ends of elements whose beginnings have not been passed: an element around nothing
            // may be passed as a whole.
            let mut ends = 0usize;
            for (place, mark) in marks.iter().enumerate().skip(self.begin.marks).rev() {
                match mark.kind {
                    _ if mark.at != at => break,
                    MarkKind::Close => ends += 1,
                    MarkKind::Open(..) => ends = ends.saturating_sub(1),
                    kind if kind.is_opener() => {}
                    _ => break,
                }
                if ends == 0 {
                    first = place;
                }
            }
            let breaks = std::mem::take(&mut self.white.breaks) as usize;
            if breaks > 0 {
                let mark = Mark { at, kind: MarkKind::Break };
                marks.splice(first..first, std::iter::repeat_n(mark, breaks));
                for (_, start) in self.open.iter_mut().rev().take_while(|(_, start)| *start >= first) {
                    *start += breaks;
                }
                first += breaks;
                self.last_visible = Some(self.last_visible.map_or(first - 1, |last| last.max(first - 1)));
            }
            self.runs.text.push_str(&self.white.spaces);
            self.white.spaces.clear();
            let at = self.at();
            for mark in &mut self.runs.marks[first..] {
                mark.at = at;
            }
        }
        self.line_has_content = true;
    }

    fn mark(&mut self, kind: MarkKind) {
        let at = self.at();
        self.runs.marks.push(Mark { at, kind });
    }

    fn visible(&mut self, kind: MarkKind) {
        self.place_white();
        self.last_visible = Some(self.runs.marks.len());
        self.mark(kind);
    }

    /// An element begins, for the source map.
    pub(super) fn open(&mut self, node: NodeId, reference: Option<u32>) {
        self.mark(MarkKind::Open(node, reference));
    }

    /// The element begun last ends.
    pub(super) fn close(&mut self) {
        self.mark(MarkKind::Close);
    }

    /// Adds finished Markdown.
    pub(super) fn raw(&mut self, markdown: &str) {
        let piece = self.runs.add_piece(markdown);
        self.visible(MarkKind::Raw(piece));
    }

    /// Adds a code span; next to another they are one.
    pub(super) fn code(&mut self, code: &str) {
        if code.is_empty() {
            return;
        }
        // Looking back is limited, so that long pages stay linear.
        const NEAR: usize = 64;
        if let Some((last, mark)) = self.touched()
            && let MarkKind::Code(before) = mark.kind
        {
            let between = &self.runs.marks[last + 1..];
            let begins = |mark: &Mark| matches!(mark.kind, MarkKind::Start(_) | MarkKind::LinkStart(_));
            if between.len() > NEAR {
                self.space();
            } else if !between.iter().any(begins) {
                // Nothing has been written since, so that it is the last piece.
                let piece = self.runs.add_piece(code);
                self.runs.marks[last].kind = MarkKind::Code(before.with(piece));
                return;
            }
        }
        let piece = self.runs.add_piece(code);
        self.visible(MarkKind::Code(piece));
    }

    /// The last mark that shows, when what is added now touches it.
    fn touched(&self) -> Option<(usize, Mark)> {
        let last = self.last_visible?;
        let mark = *self.runs.marks.get(last)?;
        (self.white.breaks == 0 && self.white.spaces.is_empty() && mark.at == self.at()).then_some((last, mark))
    }

    /// Whether the format is in force already; bold in bold is bold.
    pub(super) fn has(&self, format: Format) -> bool {
        self.open.iter().any(|(opened, _)| *opened == Opened::Format(format))
    }

    /// Formatting begins. It joins with what ended just before.
    pub(super) fn start(&mut self, format: Format) {
        if let Some((last, mark)) = self.touched()
            && mark.kind == MarkKind::End(format)
            && let Some(start) = self.last_start(last, format)
        {
            let marks = &mut self.runs.marks;
            marks[last].kind = MarkKind::Nothing;
            let first = self.begin.marks;
            let before = marks[first..last].iter().rposition(|mark| mark.kind.is_visible());
            self.last_visible = before.map(|before| first + before);
            self.open.push((Opened::Format(format), start));
            return;
        }
        self.is_formatted = true;
        self.open.push((Opened::Format(format), self.runs.marks.len()));
        self.mark(MarkKind::Start(format));
    }

    /// Where the formatting that ends at mark `end` started. Only what is nearer than a few
    /// marks is joined, so that long pages stay linear.
    fn last_start(&self, end: usize, format: Format) -> Option<usize> {
        const NEAR: usize = 64;
        let from = end.saturating_sub(NEAR).max(self.begin.marks);
        (from..end).rev().find(|&at| self.runs.marks[at].kind == MarkKind::Start(format))
    }

    /// The formatting ends; around nothing it is taken back.
    pub(super) fn end(&mut self, format: Format) {
        let Some((_, start)) = self.pop(Opened::Format(format)) else { return };
        if self.is_empty_since(start) {
            self.runs.marks[start].kind = MarkKind::Nothing;
        } else {
            self.last_visible = Some(self.runs.marks.len());
            self.mark(MarkKind::End(format));
        }
    }

    /// A link begins.
    pub(super) fn start_link(&mut self, link: Link<'page>) {
        // Links to different places that touch are set apart by the page's style.
        if let Some((_, Mark { kind: MarkKind::LinkEnd(before), .. })) = self.touched()
            && self.runs.links.get(before as usize).is_some_and(|before| before.destination != link.destination)
        {
            self.space();
        }
        let number = place(self.runs.links.len());
        self.open.push((Opened::Link(number), self.runs.marks.len()));
        self.mark(MarkKind::LinkStart(number));
        self.runs.links.push(link);
    }

    /// Whether a link is open: links do not nest.
    pub(super) fn is_in_link(&self) -> bool {
        self.open.iter().any(|(opened, _)| matches!(opened, Opened::Link(_)))
    }

    /// The link begun last ends. One that shows nothing takes its name; one that has none either
    /// stays if its address is worth it.
    pub(super) fn end_link(&mut self) {
        let Some(&(Opened::Link(number), start)) =
            self.open.iter().rev().find(|(opened, _)| matches!(opened, Opened::Link(_)))
        else {
            return;
        };
        let Some(link) = self.runs.links.get(number as usize) else { return };
        if self.is_empty_since(start) {
            let name = link.name;
            if name.is_empty() && link.dispensable {
                self.runs.marks[start].kind = MarkKind::Nothing;
                // Nor is its id written.
                if let Some(MarkKind::Open(_, reference)) = start
                    .checked_sub(1)
                    .filter(|&before| before >= self.begin.marks)
                    .and_then(|before| self.runs.marks.get_mut(before))
                    .map(|mark| &mut mark.kind)
                {
                    self.unwritten.extend(reference.take());
                }
                self.pop(Opened::Link(number));
                return;
            }
            self.place_white();
            self.runs.text.push_str(name);
        }
        if self.says_title(number, start)
            && let Some(link) = self.runs.links.get_mut(number as usize)
        {
            link.title = LinkText::default();
        }
        self.pop(Opened::Link(number));
        self.last_visible = Some(self.runs.marks.len());
        self.mark(MarkKind::LinkEnd(number));
    }

    /// Whether the link that begins at the mark, or its picture, shows what its title says.
    fn says_title(&self, link: u32, start: usize) -> bool {
        let Some(title) = self.runs.links.get(link as usize).map(|link| &*link.title) else { return false };
        let Some(marks) = self.runs.marks.get(start..).filter(|_| !title.is_empty()) else { return false };
        let shown = marks.first().and_then(|mark| self.runs.text.get(self.begin.text + mark.at()..));
        if shown == Some(title) {
            return true;
        }
        let pieces = marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Raw(piece) => Some(self.runs.piece(piece)),
            _ => None,
        });
        let mut pictures = pieces.filter(|piece| piece.starts_with("![")).peekable();
        pictures.peek().is_some() && {
            let picture = format!("![{}](", escaping::label(title));
            pictures.any(|piece| piece.starts_with(&picture))
        }
    }

    /// Whether the link that is open shows anything yet.
    pub(super) fn shows_something_in_link(&self) -> bool {
        let link = self.open.iter().rev().find(|(opened, _)| matches!(opened, Opened::Link(_)));
        link.is_some_and(|&(_, start)| !self.is_empty_since(start))
    }

    /// Ends the open link; one that shows nothing is taken back.
    pub(super) fn end_link_if_shown(&mut self) {
        if self.shows_something_in_link() {
            self.end_link();
        } else if let Some(at) = self.open.iter().rposition(|(opened, _)| matches!(opened, Opened::Link(_))) {
            let (_, start) = self.open.remove(at);
            self.runs.marks[start].kind = MarkKind::Nothing;
        }
    }

    fn pop(&mut self, opened: Opened) -> Option<(Opened, usize)> {
        let at = self.open.iter().rposition(|(candidate, _)| *candidate == opened)?;
        Some(self.open.remove(at))
    }

    /// Whether nothing shows since the mark.
    fn is_empty_since(&self, start: usize) -> bool {
        self.runs.marks.get(start).is_some_and(|mark| mark.at == self.at())
            && self.last_visible.is_none_or(|last| last < start)
    }
}
