//! Writes a run of inline content.

use std::borrow::Cow;

use super::emphasis;
use super::escaping::{self, Pairs, Surroundings};
use super::run::{Link, Mark, MarkKind};
use super::runs::Content;
use crate::document::NodeId;

/// Where a run is written: text with line ends that the block around it has a say in.
pub(super) trait Sink {
    /// Adds text of one line.
    fn push_str(&mut self, text: &str);
    /// Begins another line of the same block.
    fn line(&mut self);
    /// An element begins.
    fn open(&mut self, node: NodeId, reference: Option<u32>);
    /// The element begun last ends.
    fn close(&mut self);
    /// Words of a text node follow.
    fn mark(&mut self, text: NodeId);
}

/// In which block a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Paragraph,
    /// The first paragraph of a list item.
    Item,
    /// One of several terms that stand line by line.
    Terms,
    Heading,
    Cell,
}

/// Writes the run.
pub(super) fn write(run: Content<'_>, place: Place, references: bool, sink: &mut impl Sink) {
    let written = emphasis::delimiters(run);
    let mut writing = Writing {
        run,
        place,
        around: Surroundings {
            line_start: matches!(place, Place::Paragraph | Place::Item | Place::Terms),
            item_start: place == Place::Item,
            heading: place == Place::Heading,
            cell: place == Place::Cell,
            references,
            // Readers differ in whether cells are looked at one by one.
            pairs: if matches!(place, Place::Cell | Place::Terms) { Pairs::ALL } else { pairs(run, &written) },
            ..Surroundings::default()
        },
        links: 0,
        written,
    };
    let mut position = 0;
    let mut first = 0;
    while first <= run.marks.len() {
        let next = run.marks[first..].iter().position(|mark| mark.kind.is_visible()).map(|found| first + found);
        let end = next.map_or(run.text.len(), |next| run.marks[next].at);
        let marks = &run.marks[first..next.unwrap_or(run.marks.len())];
        writing.segment(position, end, marks, next, sink);
        let Some(next) = next else { break };
        position = end;
        first = writing.mark(next, &mut position, sink);
    }
}

struct Writing<'run> {
    run: Content<'run>,
    place: Place,
    around: Surroundings,
    links: usize,
    written: Vec<&'static str>,
}

impl Writing<'_> {
    /// Text up to the next visible mark, with the elements that begin and end in it.
    fn segment(&mut self, start: usize, end: usize, marks: &[Mark], next: Option<usize>, sink: &mut impl Sink) {
        let text = &self.run.text[start..end];
        let after = next.map(|next| emphasis::first_character(&self.run.marks[next].kind, self.written(next)));
        let around = Surroundings { after, label: self.links > 0, ..self.around };
        let places = escaping::escapes(text, &around);
        let mut places = places.into_iter().map(|place| start + place).peekable();
        let mut plain = start;
        let mut upto = |end: usize, sink: &mut dyn FnMut(&str)| {
            while let Some(place) = places.next_if(|&place| place < end) {
                sink(&self.run.text[plain..place]);
                sink("\\");
                plain = place;
            }
            sink(&self.run.text[plain..end]);
            plain = end;
        };
        let all = self.run.sources;
        let first = all.partition_point(|&(at, _)| at <= start);
        if let Some(&(_, node)) = first.checked_sub(1).and_then(|first| all.get(first)) {
            sink.mark(node);
        }
        let mut sources = all[first..].iter().take_while(|&&(at, _)| at < end).peekable();
        for mark in marks {
            while let Some(&(at, node)) = sources.next_if(|&&(at, _)| at < mark.at) {
                upto(at, &mut |text| sink.push_str(text));
                sink.mark(node);
            }
            upto(mark.at, &mut |text| sink.push_str(text));
            match mark.kind {
                MarkKind::Open(node, reference) => sink.open(node, reference),
                MarkKind::Close => sink.close(),
                _ => {}
            }
        }
        for &(at, node) in sources {
            upto(at, &mut |text| sink.push_str(text));
            sink.mark(node);
        }
        upto(end, &mut |text| sink.push_str(text));
        if let Some(last) = text.chars().next_back() {
            self.continues(last);
        }
    }

    /// What comes next stands behind this character.
    fn continues(&mut self, before: char) {
        self.around.before = Some(before);
        self.around.line_start = false;
        self.around.item_start = false;
    }

    /// Writes a visible mark; returns the mark to go on with.
    fn mark(&mut self, at: usize, position: &mut usize, sink: &mut impl Sink) -> usize {
        let mark = &self.run.marks[at];
        match &mark.kind {
            MarkKind::Start(_) | MarkKind::End(_) => self.push(self.written(at), sink),
            MarkKind::LinkStart(number) => {
                if let Some((end, text)) = self.autolink(at, *number) {
                    sink.push_str("<");
                    sink.push_str(text);
                    sink.push_str(">");
                    self.continues('>');
                    *position = self.run.marks[end].at;
                    return end + 1;
                }
                self.links += 1;
                self.push("[", sink);
            }
            MarkKind::LinkEnd(number) => {
                self.links = self.links.saturating_sub(1);
                if let Some(link) = self.run.links.get(*number) {
                    let tail = link_tail(link);
                    self.push(&self.for_cell(tail.into()), sink);
                }
            }
            // Behind the bracket of a link it could be read as the definition of an address, which
            // only an escape prevents, and a code span has none.
            MarkKind::Code(code) if self.links > 0 && code.contains("]:") => {
                self.push(&self.for_cell(format!("<code>{}</code>", escaping::label(code)).into()), sink);
            }
            MarkKind::Code(code) => self.push(&self.for_cell(code_span(code).into()), sink),
            MarkKind::Raw(raw) => self.push(&self.for_cell(raw.into()), sink),
            MarkKind::Break if matches!(self.place, Place::Heading | Place::Cell) => self.push("<br>", sink),
            MarkKind::Break => {
                sink.push_str("\\");
                sink.line();
                self.around.before = None;
                self.around.line_start = true;
                self.around.item_start = false;
                self.around.continuation = true;
            }
            MarkKind::Open(..) | MarkKind::Close | MarkKind::Nothing => {}
        }
        at + 1
    }

    /// What the mark writes, if it begins or ends formatting.
    fn written(&self, mark: usize) -> &'static str {
        self.written.get(mark).copied().unwrap_or("")
    }

    fn push(&mut self, markdown: &str, sink: &mut impl Sink) {
        sink.push_str(markdown);
        if let Some(last) = markdown.chars().next_back() {
            self.continues(last);
        }
    }

    /// A row is cut at every pipe without a backslash, whatever the pipe stands in.
    fn for_cell<'text>(&self, markdown: Cow<'text, str>) -> Cow<'text, str> {
        if self.place == Place::Cell { markdown.replace('|', "\\|").into() } else { markdown }
    }

    /// Whether the link shows its own address and nothing else; then where it ends.
    fn autolink(&self, start: usize, number: usize) -> Option<(usize, &str)> {
        let link = self.run.links.get(number)?;
        let end = start + 1 + self.run.marks[start + 1..].iter().position(|mark| mark.kind.is_visible())?;
        let text = self.run.text.get(self.run.marks[start].at..self.run.marks[end].at)?;
        let plain = self.run.marks[start + 1..end].iter().all(|mark| mark.kind == MarkKind::Nothing);
        let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
        (self.run.marks[end].kind == MarkKind::LinkEnd(number)
            && plain
            && link.title.is_empty()
            && link.destination == text
            && (2..=32).contains(&scheme.len())
            && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'))
            && !text.contains(|character: char| character <= ' ' || matches!(character, '<' | '>' | '\\' | '|')))
        .then_some((end, text))
    }
}

/// Which characters the run's own markup uses, and which could pair in its text.
fn pairs(run: Content<'_>, written: &[&'static str]) -> Pairs {
    let mut own = Pairs::default();
    for (at, mark) in run.marks.iter().enumerate() {
        match &mark.kind {
            MarkKind::Start(_) | MarkKind::End(_) => {
                let first = written.get(at).and_then(|written| written.bytes().next());
                own.star |= first == Some(b'*');
                own.underscore |= first == Some(b'_');
                own.tilde |= first == Some(b'~');
            }
            MarkKind::Raw(raw) => {
                own.star |= raw.contains('*');
                own.underscore |= raw.contains('_');
                own.tilde |= raw.contains('~');
                own.backtick |= raw.contains('`');
            }
            MarkKind::Code(_) => own.backtick = true,
            _ => {}
        }
    }
    let mut start = 0;
    let ends = run.marks.iter().filter(|mark| mark.kind.is_visible()).map(|mark| mark.at).chain([run.text.len()]);
    let pieces = ends.map(|end| {
        let piece = run.text.get(start..end).unwrap_or("");
        start = end;
        piece
    });
    Pairs::within(pieces, own)
}

/// What follows a link's text or an image's description.
pub(super) fn link_tail(link: &Link) -> String {
    let mut tail = String::with_capacity(link.destination.len() + link.title.len() + 6);
    tail.push_str("](");
    tail.push_str(&link.destination);
    if !link.title.is_empty() {
        if link.destination.is_empty() {
            // Otherwise the title would be taken for the address.
            tail.push_str("<>");
        }
        tail.push_str(" \"");
        let title = link.title.split_whitespace().collect::<Vec<_>>().join(" ");
        tail.push_str(&escaping::label(&title).replace('"', "\\\""));
        tail.push('"');
    }
    tail.push(')');
    tail
}

/// A code span with fences longer than any run of backticks inside (CommonMark 0.31, "Code
/// spans"); spaces at both ends are doubled, since a reader takes one off.
pub(super) fn code_span(code: &str) -> String {
    let mut longest = 0;
    let mut length = 0;
    for character in code.chars() {
        length = if character == '`' { length + 1 } else { 0 };
        longest = longest.max(length);
    }
    // Any other length would do; the shortest that does not occur would need a search.
    let fence = "`".repeat(longest + 1);
    let spaced = code.starts_with(' ') && code.ends_with(' ') && !code.trim_matches(' ').is_empty();
    let pad = if spaced || code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{code}{pad}{fence}")
}
