//! Collects a snapshot's text and remembers which element wrote which part of it.

use std::ops::Range;

use crate::document::NodeId;

/// Text under construction. A representation opens an element before it writes it and closes
/// it after; the positions take care of themselves.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    text: String,
    written: Vec<Written>,
    marks: Vec<Mark>,
    open: Vec<usize>,
    records: Records,
}

/// What a writer remembers beside the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Records {
    /// Nothing.
    Nothing,
    /// Which element wrote what.
    Elements,
    /// Also which text node did.
    #[default]
    Texts,
}

/// Where text begins that is written for a text node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    /// The text node.
    pub(crate) node: NodeId,
    /// The place in the text.
    pub(crate) at: usize,
    /// How many elements have been begun before.
    pub(crate) opened: usize,
}

/// One element in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The element.
    pub node: NodeId,
    /// The id that was written with it, if one was.
    pub reference: Option<u32>,
    /// The bytes of the text that stand for it and all it contains.
    pub span: Range<usize>,
}

impl Writer {
    /// A writer that remembers no more than this.
    pub(crate) fn recording(records: Records) -> Self {
        Self { records, ..Self::default() }
    }

    /// Whether anything is remembered beside the text.
    pub(crate) fn has_records(&self) -> bool {
        self.records != Records::Nothing
    }

    /// Whether marks of text nodes are remembered.
    pub(crate) fn records_texts(&self) -> bool {
        self.records == Records::Texts
    }

    /// Adds text as it is; escaping is the representation's business.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds one character.
    pub fn push(&mut self, character: char) {
        self.text.push(character);
    }

    /// Adds what the function appends, without a copy in between.
    pub(crate) fn append(&mut self, append: impl FnOnce(&mut String)) {
        append(&mut self.text);
    }

    /// What has been written so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Begins an element.
    pub fn open(&mut self, node: NodeId) {
        if self.records == Records::Nothing {
            return;
        }
        self.open.push(self.written.len());
        let at = self.text.len();
        self.written.push(Written { node, reference: None, span: at..at });
    }

    /// Notes that what follows, up to the next element, mark or end, is written for this text
    /// node. It costs little and lets a budget know what each text costs.
    pub fn mark(&mut self, text: NodeId) {
        if self.records_texts() {
            self.marks.push(Mark { node: text, at: self.text.len(), opened: self.written.len() });
        }
    }

    /// The elements begun so far, in order.
    pub(crate) fn written(&self) -> &[Written] {
        &self.written
    }

    /// Where what is written for text nodes begins.
    pub(crate) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Notes that the id of the element begun last has been written.
    pub fn reference(&mut self, number: u32) {
        if let Some(written) = self.open.last().and_then(|&at| self.written.get_mut(at)) {
            written.reference = Some(number);
        }
    }

    /// Ends the element begun last.
    pub fn close(&mut self) {
        if let Some(written) = self.open.pop().and_then(|at| self.written.get_mut(at)) {
            written.span.end = self.text.len();
        }
    }

    /// Notes an element that stands in a part of the text already written, `start` on.
    pub fn record(&mut self, node: NodeId, start: usize) {
        if self.records != Records::Nothing {
            self.written.push(Written { node, reference: None, span: start..self.text.len() });
        }
    }

    /// Takes back all text from `length` on. Elements keep the part that is left of them.
    pub fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
        self.marks.retain(|mark| mark.at <= length);
        for written in &mut self.written {
            written.span.start = written.span.start.min(length);
            written.span.end = written.span.end.min(length);
        }
    }

    /// The text and the elements in it, in the order they were begun.
    pub fn finish(mut self) -> (String, Vec<Written>) {
        while !self.open.is_empty() {
            self.close();
        }
        (self.text, self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_cover_what_an_element_and_its_children_wrote() {
        let mut writer = Writer::default();
        writer.open(NodeId::DOCUMENT);
        writer.push_str("a ");
        writer.open(NodeId::DOCUMENT);
        writer.reference(7);
        writer.push_str("ä");
        writer.close();
        writer.push('!');
        writer.close();
        let (text, written) = writer.finish();
        assert_eq!(&text[written[0].span.clone()], "a ä!");
        assert_eq!(&text[written[1].span.clone()], "ä");
        assert_eq!(written[1].reference, Some(7));
    }
}
