//! What each part of a text costs.

use crate::document::NodeId;
use crate::tokens::TokenCounter;
use crate::writer::{Mark, Writer, Written};

/// Tokens that each element or text node wrote itself, what others wrote inside it left out,
/// addressed by [`NodeId`].
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    tokens: Vec<u32>,
    whole: usize,
}

impl Costs {
    /// Cuts the text where elements begin and end and counts it once. What begins a line has its
    /// indentation.
    pub(crate) fn measure(writer: &Writer, nodes: usize, counter: &dyn TokenCounter) -> Self {
        let mut measure = Measure {
            text: writer.text(),
            marks: writer.marks(),
            ends: Vec::new(),
            owners: Vec::new(),
            at: 0,
            next_mark: 0,
        };
        let mut open: Vec<&Written> = Vec::new();
        for (number, written) in writer.written().iter().enumerate() {
            while open.last().is_some_and(|above| above.span.end <= written.span.start) {
                let Some(above) = open.pop() else { break };
                measure.advance(line_end(measure.text, above.span.end), above.node);
            }
            let above = open.last().map_or(NodeId::DOCUMENT, |above| above.node);
            let fits = open.last().is_none_or(|above| written.span.end <= above.span.end);
            if written.span.start < measure.at || !fits {
                // Stands in the text of another element, which has it already.
                continue;
            }
            measure.advance(line_start(measure.text, written.span.start, measure.at), above);
            measure.pass_marks(written.span.start, number);
            open.push(written);
        }
        while let Some(above) = open.pop() {
            measure.advance(line_end(measure.text, above.span.end).max(measure.at), above.node);
        }
        measure.advance(measure.text.len(), NodeId::DOCUMENT);
        let counted = counter.count_parts(measure.text, &measure.ends);
        let mut tokens = vec![0_u32; nodes];
        for (&owner, &count) in measure.owners.iter().zip(&counted) {
            if let Some(tokens) = tokens.get_mut(owner.index()) {
                *tokens = tokens.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
            }
        }
        Self { tokens, whole: counted.iter().sum() }
    }

    /// The tokens of the whole text.
    pub(crate) fn whole(&self) -> usize {
        self.whole
    }

    /// The tokens of one node.
    pub(crate) fn of(&self, node: NodeId) -> u32 {
        self.tokens.get(node.index()).copied().unwrap_or_default()
    }
}

struct Measure<'text> {
    text: &'text str,
    marks: &'text [Mark],
    /// Where each part of the text ends, and the node that wrote it.
    ends: Vec<usize>,
    owners: Vec<NodeId>,
    at: usize,
    next_mark: usize,
}

impl Measure<'_> {
    /// Gives a node what is written up to `end`, and the texts that marks name what follows these.
    fn advance(&mut self, end: usize, node: NodeId) {
        let mut node = node;
        // A mark at the end is for what follows.
        while let Some(mark) = self.marks.get(self.next_mark).filter(|mark| mark.at < end) {
            self.cut(line_start(self.text, mark.at, self.at), node);
            node = mark.node;
            self.next_mark += 1;
        }
        self.cut(end, node);
    }

    /// Passes over marks for which nothing was written before an element began.
    fn pass_marks(&mut self, start: usize, number: usize) {
        let is_passed = |mark: &Mark| mark.at <= start && mark.opened <= number;
        while self.marks.get(self.next_mark).is_some_and(is_passed) {
            self.next_mark += 1;
        }
    }

    fn cut(&mut self, end: usize, node: NodeId) {
        if end > self.at {
            self.ends.push(end);
            self.owners.push(node);
            self.at = end;
        }
    }
}

/// No representation ends a block with more.
const MOST_LINE_ENDS: usize = 3;

/// Behind the line ends that follow: they belong to what they end.
fn line_end(text: &str, at: usize) -> usize {
    at + text
        .as_bytes()
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take(MOST_LINE_ENDS)
        .take_while(|&&byte| byte == b'\n')
        .count()
}

/// Where the line of `at` begins, if nothing but indentation and an item's dash stands before
/// it; `at` itself otherwise. Never before `least`.
fn line_start(text: &str, at: usize, least: usize) -> usize {
    let bytes = text.as_bytes();
    let mut start = at;
    while start > least && matches!(bytes.get(start - 1), Some(b' ' | b'-')) {
        start -= 1;
    }
    if start == 0 || bytes.get(start - 1) == Some(&b'\n') { start } else { at }
}
