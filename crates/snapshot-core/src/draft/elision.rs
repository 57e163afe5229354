//! What is left out although the page shows it, and the notes that stand in its place.

use std::collections::BTreeMap;

use super::Draft;
use crate::document::NodeId;

/// Elements that were left out to save tokens, and the ids to ask for them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Elision {
    /// The least id of those left out.
    pub first: u32,
    /// The greatest.
    pub last: u32,
    /// How many targets, headings and text blocks were left out.
    pub count: usize,
    /// Which step left them out: `folded`, `extracted`, `budget`.
    pub reason: &'static str,
}

impl Elision {
    /// The note that stands in the text: `… 37 more like e41–e77`.
    pub(crate) fn text(&self) -> String {
        let Self { first, last, count, reason } = self;
        let word = if *reason == FOLDED { " like" } else { "," };
        if first == last {
            format!("… {count} more{word} e{first}")
        } else {
            format!("… {count} more{word} e{first}–e{last}")
        }
    }
}

/// The reason of `fold-repeats`.
pub(crate) const FOLDED: &str = "folded";

/// Elisions, and the nodes that hold the place of those that are noted in the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Elisions {
    list: Vec<Elision>,
    notes: BTreeMap<NodeId, Elision>,
}

impl Draft<'_> {
    /// Takes nodes out that stand beside each other, with all below them; a note in the place of
    /// the first says how many elements with ids these were and which. Nothing is noted when
    /// there were none.
    pub fn elide(&mut self, nodes: &[NodeId], reason: &'static str) {
        let numbers = self.line_numbers(nodes);
        if let (Some(&first), Some(&last)) = (numbers.iter().min(), numbers.iter().max()) {
            let elision = Elision { first, last, count: numbers.len(), reason };
            if let Some(&place) = nodes.first() {
                self.add_note(place, elision.clone());
            }
            self.elisions.list.push(elision);
        }
        for &node in nodes {
            self.remove(node, reason);
        }
    }

    /// What has been left out so far, in the order in which it was.
    pub fn elisions(&self) -> &[Elision] {
        &self.elisions.list
    }

    /// The note to write where `node` stands, if it is not of the page but holds the place of
    /// what was left out. Each representation writes it in a form that page text cannot take.
    pub fn elision_note(&self, node: NodeId) -> Option<String> {
        self.elisions.notes.get(&node).map(Elision::text)
    }

    /// The elision that the note at `node` speaks of.
    pub(crate) fn noted_elision(&self, node: NodeId) -> Option<&Elision> {
        self.elisions.notes.get(&node)
    }

    /// Replaces all that has been said about what is left out; notes in the text stay.
    pub(crate) fn set_elisions(&mut self, list: Vec<Elision>) {
        self.elisions.list = list;
    }

    /// Puts a note in front of a node.
    pub(crate) fn add_note(&mut self, before: NodeId, elision: Elision) {
        let note = self.new_note(elision);
        self.document.insert_before(before, note);
    }

    /// Puts a note behind all else in an element.
    pub(crate) fn append_note(&mut self, parent: NodeId, elision: Elision) {
        let note = self.new_note(elision);
        self.document.append(parent, note);
    }

    fn new_note(&mut self, elision: Elision) -> NodeId {
        let note = self.document.create_comment(&format!(" {} ", elision.text()));
        self.elisions.notes.insert(note, elision);
        note
    }

    /// The ids of the targets, headings and text blocks among the nodes and below them.
    pub(crate) fn line_numbers(&self, nodes: &[NodeId]) -> Vec<u32> {
        let references = self.page.references();
        nodes
            .iter()
            .flat_map(|&node| std::iter::once(node).chain(self.document.composed_descendants(node)))
            .filter_map(|node| references.line_number(node))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Page, PageOptions};

    #[test]
    fn what_is_left_out_is_counted_and_named() {
        let page = Page::read(b"<ul><li><a href=a>A</a><li><a href=b>B</a><li>C</ul>", &PageOptions::default())
            .expect("reads");
        let mut draft = Draft::new(&page);
        let items: Vec<NodeId> = page
            .document()
            .composed_descendants(NodeId::DOCUMENT)
            .filter(|&node| page.document().local_name(node) == "li")
            .collect();
        let numbers = draft.line_numbers(&items[1..]);
        draft.elide(&items[1..], FOLDED);
        let [elision] = draft.elisions() else { panic!("one elision") };
        assert_eq!((elision.first, elision.last, elision.count), (numbers[0], numbers[1], 2));
        let list = draft.document().parent(items[0]).expect("has a parent");
        let note = draft.document().last_child(list).expect("has a note");
        assert_eq!(draft.elision_note(note), Some(format!("… 2 more like e{}–e{}", numbers[0], numbers[1])));
    }
}
