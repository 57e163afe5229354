//! Writes a run of inline content.

use std::borrow::Cow;

use super::emphasis;
use super::escaping::{self, Pairs, Surroundings};
use super::marks::{Link, Mark, MarkKind};
use super::runs::Content;
use crate::document::NodeId;
use crate::text::spacing::on_one_line;

/// Where a run is written: text with line ends that the block around it has a say in.
pub(super) trait Sink {
    /// Whether anybody asks what has been written for which element.
    fn has_records(&self) -> bool;
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
    let special = escaping::next_special(run.text, 0);
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
            pairs: match place {
                Place::Cell | Place::Terms => Pairs::ALL,
                _ if special == run.text.len() => Pairs::default(),
                _ => pairs(run, &written),
            },
            ..Surroundings::default()
        },
        links: 0,
        written,
        special,
        escapes: Vec::new(),
    };
    let mut position = 0;
    let mut first = 0;
    while first <= run.marks.len() {
        let next = run.marks[first..].iter().position(|mark| mark.kind.is_visible()).map(|found| first + found);
        let end = next.map_or(run.text.len(), |next| run.marks[next].at());
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
    /// The next byte from where the writing is on that may need an escape.
    special: usize,
    /// Which bytes of the segment do.
    escapes: Vec<usize>,
}

impl<'run> Writing<'run> {
    /// Text up to the next visible mark, with the elements that begin and end in it.
    fn segment(&mut self, start: usize, end: usize, marks: &[Mark], next: Option<usize>, sink: &mut impl Sink) {
        self.find_escapes(start, end, next);
        if sink.has_records() {
            self.recorded(start, end, marks, sink);
        } else {
            let mut plain = start;
            for &place in &self.escapes {
                sink.push_str(&self.run.text[plain..place]);
                sink.push_str("\\");
                plain = place;
            }
            sink.push_str(&self.run.text[plain..end]);
        }
        if let Some(last) = self.run.text[start..end].chars().next_back() {
            self.continues(last);
        }
    }

    /// Finds the bytes of the segment that need a backslash before them.
    fn find_escapes(&mut self, start: usize, end: usize, next: Option<usize>) {
        self.escapes.clear();
        if self.special < start {
            self.special = escaping::next_special(self.run.text, start);
        }
        let text = &self.run.text[start..end];
        let has_special = self.special < end;
        if has_special || escaping::may_be_block(text, &self.around) {
            let after =
                next.map(|next| emphasis::first_character(self.run, self.run.marks[next].kind, self.written(next)));
            let around = Surroundings { after, label: self.links > 0, ..self.around };
            escaping::escapes_into(text, &around, has_special, &mut self.escapes);
            for place in &mut self.escapes {
                *place += start;
            }
        }
    }

    /// Writes the segment, and says what elements and text nodes write it.
    fn recorded(&mut self, start: usize, end: usize, marks: &[Mark], sink: &mut impl Sink) {
        let run = self.run;
        let mut places = self.escapes.iter().copied().peekable();
        let mut plain = start;
        let mut upto = |end: usize, sink: &mut dyn FnMut(&str)| {
            while let Some(place) = places.next_if(|&place| place < end) {
                sink(&run.text[plain..place]);
                sink("\\");
                plain = place;
            }
            sink(&run.text[plain..end]);
            plain = end;
        };
        let place = |&(at, _): &(u32, NodeId)| at as usize;
        let all = run.sources;
        let first = all.partition_point(|source| place(source) <= start);
        if let Some(&(_, node)) = first.checked_sub(1).and_then(|first| all.get(first)) {
            sink.mark(node);
        }
        let mut sources = all[first..].iter().take_while(|source| place(source) < end).peekable();
        for mark in marks {
            while let Some(source) = sources.next_if(|source| place(source) < mark.at()) {
                upto(place(source), &mut |text| sink.push_str(text));
                sink.mark(source.1);
            }
            upto(mark.at(), &mut |text| sink.push_str(text));
            match mark.kind {
                MarkKind::Open(node, reference) => sink.open(node, reference),
                MarkKind::Close => sink.close(),
                _ => {}
            }
        }
        for source in sources {
            upto(place(source), &mut |text| sink.push_str(text));
            sink.mark(source.1);
        }
        upto(end, &mut |text| sink.push_str(text));
    }

    /// What comes next stands behind this character.
    fn continues(&mut self, before: char) {
        self.around.before = Some(before);
        self.around.line_start = false;
        self.around.item_start = false;
    }

    /// Writes a visible mark; returns the mark to go on with.
    fn mark(&mut self, at: usize, position: &mut usize, sink: &mut impl Sink) -> usize {
        let run = self.run;
        let mark = &run.marks[at];
        match mark.kind {
            MarkKind::Start(_) | MarkKind::End(_) => {
                let written = self.written(at);
                sink.push_str(written);
                if let Some(last) = written.chars().next_back() {
                    self.continues(last);
                }
            }
            MarkKind::LinkStart(number) => {
                if let Some((end, text)) = self.autolink(at, number) {
                    sink.push_str("<");
                    sink.push_str(text);
                    sink.push_str(">");
                    self.continues('>');
                    *position = run.marks[end].at();
                    return end + 1;
                }
                self.links += 1;
                sink.push_str("[");
                self.continues('[');
            }
            MarkKind::LinkEnd(number) => {
                self.links = self.links.saturating_sub(1);
                if let Some(link) = run.link(number) {
                    write_link_tail(link, &mut |part| self.push(part, sink));
                    self.continues(')');
                }
            }
            // Behind the bracket of a link it could be read as the definition of an address, which
            // only an escape prevents, and a code span has none.
            MarkKind::Code(code) if self.links > 0 && run.piece(code).contains("]:") => {
                self.push("<code>", sink);
                self.push(&escaping::label(run.piece(code)), sink);
                self.push("</code>", sink);
                self.continues('>');
            }
            MarkKind::Code(code) => {
                write_code_span(run.piece(code), &mut |part| self.push(part, sink));
                self.continues('`');
            }
            MarkKind::Raw(raw) => {
                let raw = run.piece(raw);
                self.push(raw, sink);
                if let Some(last) = raw.chars().next_back() {
                    self.continues(last);
                }
            }
            MarkKind::Break if matches!(self.place, Place::Heading | Place::Cell) => {
                sink.push_str("<br>");
                self.continues('>');
            }
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

    /// Writes finished Markdown. A row is cut at every pipe without a backslash, whatever the pipe
    /// stands in.
    fn push(&self, markdown: &str, sink: &mut impl Sink) {
        if self.place == Place::Cell && markdown.contains('|') {
            sink.push_str(&markdown.replace('|', "\\|"));
        } else {
            sink.push_str(markdown);
        }
    }

    /// Whether the link shows its own address and nothing else; then where it ends.
    fn autolink(&self, start: usize, number: u32) -> Option<(usize, &'run str)> {
        let link = self.run.link(number)?;
        let marks = self.run.marks;
        let text = self.run.text.get(marks[start].at()..)?;
        // Most links show something else, which their first bytes tell.
        if link.destination.is_empty() || !text.starts_with(&*link.destination) || !link.title.is_empty() {
            return None;
        }
        let end = start + 1 + marks[start + 1..].iter().position(|mark| mark.kind.is_visible())?;
        let text = self.run.text.get(marks[start].at()..marks[end].at())?;
        let plain = marks[start + 1..end].iter().all(|mark| mark.kind == MarkKind::Nothing);
        let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
        (marks[end].kind == MarkKind::LinkEnd(number)
            && plain
            && *link.destination == *text
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
        match mark.kind {
            MarkKind::Start(_) | MarkKind::End(_) => {
                let first = written.get(at).and_then(|written| written.bytes().next());
                own.star |= first == Some(b'*');
                own.underscore |= first == Some(b'_');
                own.tilde |= first == Some(b'~');
            }
            MarkKind::Raw(raw) => {
                let raw = run.piece(raw);
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
    let ends = run.marks.iter().filter(|mark| mark.kind.is_visible()).map(Mark::at).chain([run.text.len()]);
    let pieces = ends.map(|end| {
        let piece = run.text.get(start..end).unwrap_or("");
        start = end;
        piece
    });
    Pairs::within(pieces, own)
}

/// Writes what follows a link's text or an image's description.
pub(super) fn write_link_tail(link: &Link<'_>, write: &mut impl FnMut(&str)) {
    write("](");
    write(&link.destination);
    if !link.title.is_empty() {
        if link.destination.is_empty() {
            // Otherwise the title would be taken for the address.
            write("<>");
        }
        write(" \"");
        write(&escaping::label(&on_one_line(&link.title)).replace('"', "\\\""));
        write("\"");
    }
    write(")");
}

/// Writes a code span with fences longer than any run of backticks inside (CommonMark 0.31, "Code
/// spans"); spaces at both ends are doubled, since a reader takes one off.
pub(super) fn write_code_span(code: &str, write: &mut impl FnMut(&str)) {
    // Any other length would do; the shortest that does not occur would need a search.
    let runs = code.split(|character| character != '`').map(str::len);
    let longest = if code.contains('`') { runs.max().unwrap_or(0) } else { 0 };
    let spaced = code.starts_with(' ') && code.ends_with(' ') && !code.trim_matches(' ').is_empty();
    let pad = if spaced || code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    let fence = if longest == 0 { Cow::Borrowed("`") } else { "`".repeat(longest + 1).into() };
    for part in [&fence, pad, code, pad, &fence] {
        if !part.is_empty() {
            write(part);
        }
    }
}
