//! The adoption agency algorithm (13.2.6.4.7): the end tag of a formatting element that is not the
//! current node.

use super::TreeBuilder;
use super::formatting::Entry;
use super::kinds::Kinds;
use super::open_elements::Open;
use crate::document::Name;

/// The steps that the standard bounds, outer and inner.
const ROUNDS: usize = 8;
const INNER_ROUNDS: usize = 3;

impl TreeBuilder {
    /// Closes the formatting element of this name.
    pub(super) fn run_adoption_agency(&mut self, subject: Name) {
        let current = self.open.current();
        if current.is_html(subject) && self.formatting.place_of(current.id).is_none() {
            self.open.pop();
            return;
        }
        for _ in 0..ROUNDS {
            let Some((place, entry)) = self.formatting.last_named(subject) else {
                self.end_any_other(subject);
                return;
            };
            let Some(position) = self.open.position(entry.id) else {
                self.formatting.remove(place);
                return;
            };
            if !self.open.any_in(Kinds::SCOPE, |element| element.id == entry.id) {
                return;
            }
            let furthest = self.open.iter().skip(position).position(|element| element.kinds.meets(Kinds::SPECIAL));
            let Some(furthest) = furthest.map(|offset| position + offset) else {
                self.open.truncate(position);
                self.formatting.remove(place);
                return;
            };
            self.adopt(entry, position, furthest);
        }
    }

    /// Puts what the furthest block holds into a copy of the formatting element, and the block
    /// behind the element.
    fn adopt(&mut self, formatting: Entry, position: usize, furthest: usize) {
        let (Some(block), Some(ancestor)) =
            (self.open.get(furthest), position.checked_sub(1).and_then(|above| self.open.get(above)))
        else {
            return;
        };
        let (last, bookmark) = self.copy_between(block, position, furthest);
        let place = self.place_in(ancestor);
        self.document.detach(last.id);
        self.put(place, last.id);
        let copy = self.create_element_like(formatting);
        self.document.reparent_children(block.id, copy.id);
        self.document.append(block.id, copy.id);
        self.replace_in_list(formatting, copy, bookmark);
        self.open.remove_element(formatting.id);
        if let Some(block) = self.open.position(block.id) {
            self.open.insert(block + 1, copy);
        }
    }

    /// Goes up from the furthest block to the formatting element. What is between leaves the stack,
    /// or is copied, the nearer copy into the one above it, when it is an active formatting element
    /// and not too far from the block. Returns what is outermost then, and the copy behind which
    /// the formatting element's own is to be listed.
    fn copy_between(&mut self, block: Open, position: usize, furthest: usize) -> (Open, Option<Open>) {
        let mut last = block;
        let mut bookmark = None;
        let between = (position + 1..furthest).rev();
        for (round, at) in between.enumerate() {
            let Some(node) = self.open.get(at) else { continue };
            let mut place = self.formatting.place_of(node.id);
            if round >= INNER_ROUNDS
                && let Some(listed) = place.take()
            {
                self.formatting.remove(listed);
            }
            let Some(place) = place else {
                self.open.remove(at);
                continue;
            };
            let copy = self.create_element_like(Entry::new(node, at));
            self.open.replace(at, copy);
            self.formatting.replace(place, Entry::new(copy, at));
            bookmark = bookmark.or(Some(copy));
            self.document.detach(last.id);
            self.document.append(copy.id, last.id);
            last = copy;
        }
        (last, bookmark)
    }

    fn replace_in_list(&mut self, old: Entry, new: Open, bookmark: Option<Open>) {
        let entry = Entry::new(new, self.open.len());
        match bookmark.and_then(|bookmark| self.formatting.place_of(bookmark.id)) {
            Some(place) => {
                self.formatting.insert(place + 1, entry);
                if let Some(place) = self.formatting.place_of(old.id) {
                    self.formatting.remove(place);
                }
            }
            None => {
                if let Some(place) = self.formatting.place_of(old.id) {
                    self.formatting.replace(place, entry);
                }
            }
        }
    }
}
