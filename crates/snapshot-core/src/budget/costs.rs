//! What each part of a text costs.

use super::counting::Counting;
use crate::document::NodeId;
use crate::writer::{Writer, Written};

/// Tokens that each element or text node wrote itself, what others wrote inside it left out,
/// addressed by [`NodeId`].
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    tokens: Vec<u32>,
}

impl Costs {
    /// Cuts the text where elements begin and end and counts each piece. A piece that begins a
    /// line is counted with its indentation.
    pub(crate) fn measure(writer: &Writer, nodes: usize, counting: &Counting) -> Self {
        let mut measure = Measure {
            text: writer.text(),
            marks: writer.marks(),
            counting,
            tokens: vec![0; nodes],
            at: 0,
            next_mark: 0,
        };
        let mut open: Vec<&Written> = Vec::new();
        for written in writer.written() {
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
            open.push(written);
        }
        while let Some(above) = open.pop() {
            measure.advance(line_end(measure.text, above.span.end).max(measure.at), above.node);
        }
        measure.advance(measure.text.len(), NodeId::DOCUMENT);
        Self { tokens: measure.tokens }
    }

    /// The tokens of one node.
    pub(crate) fn of(&self, node: NodeId) -> u32 {
        self.tokens.get(node.index()).copied().unwrap_or_default()
    }
}

struct Measure<'text> {
    text: &'text str,
    marks: &'text [(usize, NodeId)],
    counting: &'text Counting,
    tokens: Vec<u32>,
    at: usize,
    next_mark: usize,
}

impl Measure<'_> {
    /// Counts up to `end` for a node, and from each mark on for the text that it names.
    fn advance(&mut self, end: usize, node: NodeId) {
        let mut node = node;
        // A mark at the end is for what follows.
        while let Some(&(mark, text)) = self.marks.get(self.next_mark).filter(|&&(mark, _)| mark < end) {
            let start = line_start(self.text, mark, self.at);
            self.count(start, node);
            node = text;
            self.next_mark += 1;
        }
        self.count(end, node);
    }

    fn count(&mut self, end: usize, node: NodeId) {
        if let Some(piece) = self.text.get(self.at..end)
            && !piece.is_empty()
            && let Some(tokens) = self.tokens.get_mut(node.index())
        {
            *tokens = tokens.saturating_add(u32::try_from(self.counting.count(piece)).unwrap_or(u32::MAX));
        }
        self.at = self.at.max(end);
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
