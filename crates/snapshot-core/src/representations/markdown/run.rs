//! A run of inline content: words, and the marks between them.
//!
//! While it is built, white space collapses as in CSS and moves out of emphasis and links, where
//! Markdown could not express it; emphasis around nothing goes, and neighbours of a kind join.

use super::escaping;
use crate::document::NodeId;
use crate::text::spacing::end_of_words;

/// One line's worth of inline content (with hard breaks, several lines).
#[derive(Debug, Default)]
pub(super) struct Run {
    /// The words, as the page has them, white space collapsed.
    pub(super) text: String,
    /// What stands between them, in order.
    pub(super) marks: Vec<Mark>,
    /// What link marks point to.
    pub(super) links: Vec<Link>,
    /// Where the words of each text node of the page begin in `text`.
    pub(super) sources: Vec<(usize, NodeId)>,
    white: White,
    /// Emphasis and links that are open: where their start mark is.
    open: Vec<(Opened, usize)>,
    /// The last mark that shows.
    last_visible: Option<usize>,
    /// Whether anything shows since the last hard break.
    line_has_content: bool,
}

/// Something between words.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    /// The byte of the text that it stands before.
    pub(super) at: usize,
    /// What it is.
    pub(super) kind: MarkKind,
}

/// What a mark is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum MarkKind {
    /// An element begins: for the source map. The number is the id that is written with it.
    Open(NodeId, Option<u32>),
    /// The element begun last ends.
    Close,
    /// Emphasis or its like begins.
    Start(Format),
    /// It ends.
    End(Format),
    /// A link begins; its number in [`Run::links`].
    LinkStart(usize),
    /// It ends.
    LinkEnd(usize),
    /// A code span with this content.
    Code(String),
    /// Finished Markdown that stands as it is.
    Raw(String),
    /// A hard line break.
    Break,
    /// Taken back.
    Nothing,
}

/// Where a link leads, written ready for Markdown.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Link {
    /// The destination, escaped.
    pub(super) destination: String,
    /// The title as the page has it.
    pub(super) title: String,
    /// What to show if the link holds nothing.
    pub(super) name: String,
    /// Whether a link without anything to show is left out.
    pub(super) dispensable: bool,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opened {
    Format(Format),
    Link(usize),
}

/// White space and breaks that have been seen but not yet placed.
#[derive(Debug, Default)]
struct White {
    breaks: u32,
    spaces: String,
}

impl MarkKind {
    /// Whether the mark writes anything.
    pub(super) fn is_visible(&self) -> bool {
        !matches!(self, Self::Open(..) | Self::Close | Self::Nothing)
    }

    /// Whether white space before content that follows the mark belongs before the mark.
    fn is_opener(&self) -> bool {
        matches!(self, Self::Open(..) | Self::Start(_) | Self::LinkStart(_) | Self::Nothing)
    }
}

/// White space that collapses; `white-space: normal` in CSS Text 3, 4.1.
pub(super) fn is_collapsible(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

impl Run {
    /// Makes the run one that holds nothing yet.
    pub(super) fn clear(&mut self) {
        let Self { text, marks, links, sources, white, open, last_visible, line_has_content } = self;
        text.clear();
        marks.clear();
        links.clear();
        sources.clear();
        white.breaks = 0;
        white.spaces.clear();
        open.clear();
        *last_visible = None;
        *line_has_content = false;
    }

    /// Whether nothing shows.
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty() && self.last_visible.is_none()
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
                self.text.push_str(&rest[..end]);
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
            let mut first = self.marks.len();
            // Ends of elements whose beginnings have not been passed: an element around nothing
            // may be passed as a whole.
            let mut ends = 0usize;
            for (place, mark) in self.marks.iter().enumerate().rev() {
                match mark.kind {
                    _ if mark.at != self.text.len() => break,
                    MarkKind::Close => ends += 1,
                    MarkKind::Open(..) => ends = ends.saturating_sub(1),
                    ref kind if kind.is_opener() => {}
                    _ => break,
                }
                if ends == 0 {
                    first = place;
                }
            }
            let breaks = std::mem::take(&mut self.white.breaks) as usize;
            if breaks > 0 {
                let at = self.text.len();
                let mark = Mark { at, kind: MarkKind::Break };
                self.marks.splice(first..first, std::iter::repeat_n(mark, breaks));
                for (_, start) in self.open.iter_mut().rev().take_while(|(_, start)| *start >= first) {
                    *start += breaks;
                }
                first += breaks;
                self.last_visible = Some(self.last_visible.map_or(first - 1, |last| last.max(first - 1)));
            }
            self.text.push_str(&self.white.spaces);
            self.white.spaces.clear();
            for mark in &mut self.marks[first..] {
                mark.at = self.text.len();
            }
        }
        self.line_has_content = true;
    }

    fn mark(&mut self, kind: MarkKind) {
        self.marks.push(Mark { at: self.text.len(), kind });
    }

    fn visible(&mut self, kind: MarkKind) {
        self.place_white();
        self.last_visible = Some(self.marks.len());
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
    pub(super) fn raw(&mut self, markdown: String) {
        self.visible(MarkKind::Raw(markdown));
    }

    /// Adds a code span; next to another they are one.
    pub(super) fn code(&mut self, code: &str) {
        if code.is_empty() {
            return;
        }
        // Looking back is limited, so that long pages stay linear.
        const NEAR: usize = 64;
        if let Some(last) = self.last_visible
            && self.white.breaks == 0
            && self.white.spaces.is_empty()
            && self.marks[last].at == self.text.len()
            && matches!(self.marks[last].kind, MarkKind::Code(_))
        {
            let between = &self.marks[last + 1..];
            let begins = |mark: &Mark| matches!(mark.kind, MarkKind::Start(_) | MarkKind::LinkStart(_));
            if between.len() > NEAR {
                self.space();
            } else if !between.iter().any(begins)
                && let MarkKind::Code(before) = &mut self.marks[last].kind
            {
                before.push_str(code);
                return;
            }
        }
        self.visible(MarkKind::Code(code.to_owned()));
    }

    /// Whether the format is in force already; bold in bold is bold.
    pub(super) fn has(&self, format: Format) -> bool {
        self.open.iter().any(|(opened, _)| *opened == Opened::Format(format))
    }

    /// Formatting begins. It joins with what ended just before.
    pub(super) fn start(&mut self, format: Format) {
        if let Some(last) = self.last_visible
            && self.white.breaks == 0
            && self.white.spaces.is_empty()
            && self.marks[last].at == self.text.len()
            && self.marks[last].kind == MarkKind::End(format)
            && let Some(start) = self.last_start(last, format)
        {
            self.marks[last].kind = MarkKind::Nothing;
            self.last_visible = self.marks[..last].iter().rposition(|mark| mark.kind.is_visible());
            self.open.push((Opened::Format(format), start));
            return;
        }
        self.open.push((Opened::Format(format), self.marks.len()));
        self.mark(MarkKind::Start(format));
    }

    /// Where the formatting that ends at mark `end` started. Only what is nearer than a few
    /// marks is joined, so that long pages stay linear.
    fn last_start(&self, end: usize, format: Format) -> Option<usize> {
        const NEAR: usize = 64;
        let from = end.saturating_sub(NEAR);
        (from..end).rev().find(|&at| self.marks[at].kind == MarkKind::Start(format))
    }

    /// The formatting ends; around nothing it is taken back.
    pub(super) fn end(&mut self, format: Format) {
        let Some((_, start)) = self.pop(Opened::Format(format)) else { return };
        if self.is_empty_since(start) {
            self.marks[start].kind = MarkKind::Nothing;
        } else {
            self.last_visible = Some(self.marks.len());
            self.mark(MarkKind::End(format));
        }
    }

    /// A link begins.
    pub(super) fn start_link(&mut self, link: Link) {
        // Links to different places that touch are set apart by the page's style.
        let touches = |mark: &Mark| match mark.kind {
            MarkKind::LinkEnd(before) if mark.at == self.text.len() => {
                self.links.get(before).is_some_and(|before| before.destination != link.destination)
            }
            _ => false,
        };
        if self.white.breaks == 0
            && self.white.spaces.is_empty()
            && self.last_visible.and_then(|last| self.marks.get(last)).is_some_and(touches)
        {
            self.space();
        }
        self.open.push((Opened::Link(self.links.len()), self.marks.len()));
        self.mark(MarkKind::LinkStart(self.links.len()));
        self.links.push(link);
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
        if self.is_empty_since(start) {
            let link = self.links[number].clone();
            if link.name.is_empty() && link.dispensable {
                self.marks[start].kind = MarkKind::Nothing;
                self.pop(Opened::Link(number));
                return;
            }
            self.place_white();
            self.text.push_str(&link.name);
        }
        // A title that says what the link or its picture shows says nothing.
        let shown = self.marks.get(start).and_then(|mark| self.text.get(mark.at..)).unwrap_or("");
        let marks = self.marks.get(start..).unwrap_or_default();
        if let Some(link) = self.links.get_mut(number).filter(|link| !link.title.is_empty()) {
            let picture = format!("![{}](", escaping::label(&link.title));
            let pictured = |mark: &Mark| matches!(&mark.kind, MarkKind::Raw(raw) if raw.starts_with(&picture));
            if link.title == shown || marks.iter().any(pictured) {
                link.title.clear();
            }
        }
        self.pop(Opened::Link(number));
        self.last_visible = Some(self.marks.len());
        self.mark(MarkKind::LinkEnd(number));
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
            self.marks[start].kind = MarkKind::Nothing;
        }
    }

    fn pop(&mut self, opened: Opened) -> Option<(Opened, usize)> {
        let at = self.open.iter().rposition(|(candidate, _)| *candidate == opened)?;
        Some(self.open.remove(at))
    }

    /// Whether nothing shows since the mark.
    fn is_empty_since(&self, start: usize) -> bool {
        self.marks.get(start).is_some_and(|mark| mark.at == self.text.len())
            && self.last_visible.is_none_or(|last| last < start)
    }
}
