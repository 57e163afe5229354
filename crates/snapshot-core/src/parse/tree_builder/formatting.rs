//! The list of active formatting elements (13.2.4.3): what was opened and never closed is opened
//! again in the next block.

use super::open_elements::{Open, OpenElements};
use super::{Tag, TreeBuilder};
use crate::document::{Document, Name, Namespace, NodeId};

/// A formatting element, whose attributes are those of the tag that it was made for.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) id: NodeId,
    pub(super) name: Name,
    /// Where it was on the stack of open elements, which seldom changes.
    position: usize,
}

/// The list, with `None` for a marker.
#[derive(Default)]
pub(super) struct FormattingList {
    list: Vec<Option<Entry>>,
    /// How many of the list are no markers.
    elements: usize,
}

impl FormattingList {
    /// How many elements there are, markers not counted.
    pub(super) fn elements(&self) -> usize {
        self.elements
    }

    pub(super) fn push_marker(&mut self) {
        self.list.push(None);
    }

    /// Takes everything out that came since the last marker, and the marker.
    pub(super) fn clear_to_marker(&mut self) {
        while let Some(Some(_)) = self.list.pop() {
            self.elements -= 1;
        }
    }

    /// The elements since the last marker with their places, the last one first.
    pub(super) fn since_marker(&self) -> impl Iterator<Item = (usize, Entry)> + '_ {
        self.list.iter().enumerate().rev().map_while(|(place, entry)| entry.map(|entry| (place, entry)))
    }

    /// The last element of this name since the last marker.
    pub(super) fn last_named(&self, name: Name) -> Option<(usize, Entry)> {
        self.since_marker().find(|(_, entry)| entry.name == name)
    }

    pub(super) fn place_of(&self, id: NodeId) -> Option<usize> {
        self.list.iter().rposition(|entry| entry.is_some_and(|entry| entry.id == id))
    }

    pub(super) fn remove(&mut self, place: usize) {
        if place < self.list.len() && self.list.remove(place).is_some() {
            self.elements -= 1;
        }
    }

    pub(super) fn replace(&mut self, place: usize, entry: Entry) {
        if let Some(old) = self.list.get_mut(place) {
            *old = Some(entry);
        }
    }

    pub(super) fn insert(&mut self, place: usize, entry: Entry) {
        self.list.insert(place.min(self.list.len()), Some(entry));
        self.elements += 1;
    }

    /// Puts an element at the end. Of those alike since the last marker no more than three stay
    /// (the "Noah's Ark clause").
    fn push(&mut self, entry: Entry, document: &Document) {
        let is_alike = |other: &Entry| other.name == entry.name && document.has_same_attributes(other.id, entry.id);
        let third_last = self.since_marker().filter(|(_, other)| is_alike(other)).nth(2);
        if let Some((place, _)) = third_last {
            self.remove(place);
        }
        self.list.push(Some(entry));
        self.elements += 1;
    }
}

impl Entry {
    /// The entry of an element that is open at this place of the stack.
    pub(super) fn new(element: Open, position: usize) -> Self {
        Self { id: element.id, name: element.name, position }
    }

    #[inline]
    fn is_open(&self, open: &OpenElements) -> bool {
        open.get(self.position).is_some_and(|element| element.id == self.id) || open.position(self.id).is_some()
    }
}

impl TreeBuilder {
    /// Inserts and opens a formatting element.
    pub(super) fn insert_formatting_element(&mut self, tag: &Tag<'_>) {
        let element = self.insert_element(tag);
        let entry = Entry::new(element, self.open.len() - 1);
        self.formatting.push(entry, &self.document);
    }

    /// Opens the formatting elements again that were closed with the block around them.
    #[inline]
    pub(super) fn reconstruct_formatting(&mut self) {
        if let Some(Some(last)) = self.formatting.list.last()
            && !last.is_open(&self.open)
        {
            self.reconstruct_closed_formatting();
        }
    }

    fn reconstruct_closed_formatting(&mut self) {
        let is_settled = |entry: &Option<Entry>| entry.is_none_or(|entry| entry.is_open(&self.open));
        let first = self.formatting.list.iter().rposition(is_settled).map_or(0, |settled| settled + 1);
        for place in first..self.formatting.list.len() {
            let Some(Some(entry)) = self.formatting.list.get(place).copied() else { continue };
            let element = self.create_element_like(entry);
            self.put_new(self.place(), element.id);
            self.open.push(element);
            self.formatting.replace(place, Entry::new(element, self.open.len() - 1));
        }
    }

    /// Makes another element for the tag that the entry was made for.
    pub(super) fn create_element_like(&mut self, entry: Entry) -> Open {
        let attributes = self.document.push_loose_attributes_of(entry.id);
        self.create_element_of_loose_attributes(entry.name, Namespace::Html, attributes)
    }

    /// What `<a>` does while another one is active.
    pub(super) fn close_misnested_link(&mut self, name: Name) {
        if let Some((_, entry)) = self.formatting.last_named(name) {
            self.run_adoption_agency(name);
            if let Some(place) = self.formatting.place_of(entry.id) {
                self.formatting.remove(place);
            }
            self.open.remove_element(entry.id);
        }
    }
}
