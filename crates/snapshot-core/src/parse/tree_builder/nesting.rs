//! What keeps hostile pages cheap: how deep elements may be nested, and how many formatting
//! elements may wait to be opened again.
//!
//! Questions to the stack of open elements cost a step for each of them, so that the stack must be
//! short. Browsers stop nesting at 512 levels and make a deeper element the sibling of the one it
//! was opened in. So do we: at the limit the current element is closed before the next one opens,
//! and later the end tag is passed over that was meant for the one that was closed.

use rustc_hash::FxHashMap;

use super::kinds::Kinds;
use super::{Tag, TreeBuilder};
use crate::document::Name;
use crate::parse::Limits;

/// The formatting elements that were never closed are opened again in each block, all of them;
/// while this many are in the list, a further one is not opened.
const FORMATTING_LIMIT: usize = 64;

/// The least depth that leaves room for a page's own frame and a table in it.
const LEAST_DEPTH: usize = 8;

/// The limits, and what they have closed and left out.
pub(super) struct Nesting {
    /// The most elements that may be open when another one is to be opened.
    limit: usize,
    /// The names of the elements that would still be open without the limit, outermost first.
    closed: Vec<Name>,
    closed_counts: FxHashMap<Name, usize>,
    /// How many elements were made when room was made for one more, and nothing ended since.
    room_made_at: Option<usize>,
    has_closed_early: bool,
    has_left_out_formatting: bool,
}

impl Nesting {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            // One level is left for elements without content, which are never open.
            limit: limits.depth.max(LEAST_DEPTH) - 1,
            closed: Vec::new(),
            closed_counts: FxHashMap::default(),
            room_made_at: None,
            has_closed_early: false,
            has_left_out_formatting: false,
        }
    }

    /// Whether elements were closed because of their depth.
    pub(super) fn has_closed_early(&self) -> bool {
        self.has_closed_early
    }

    /// Whether formatting elements were left out because of their number.
    pub(super) fn has_left_out_formatting(&self) -> bool {
        self.has_left_out_formatting
    }

    /// Whether there are elements that would still be open without the limit.
    #[inline]
    pub(super) fn has_closed_elements(&self) -> bool {
        !self.closed.is_empty()
    }

    fn push_closed(&mut self, name: Name) {
        *self.closed_counts.entry(name).or_default() += 1;
        self.closed.push(name);
    }

    /// Forgets the innermost closed element of this name and those within it; says whether there is
    /// one.
    fn forget_closed(&mut self, name: Name) -> bool {
        if self.closed_counts.get(&name).is_none_or(|&count| count == 0) {
            return false;
        }
        while let Some(closed) = self.closed.pop() {
            if let Some(count) = self.closed_counts.get_mut(&closed) {
                *count -= 1;
            }
            if closed == name {
                break;
            }
        }
        true
    }

    fn forget_all_closed(&mut self) {
        self.closed.clear();
        self.closed_counts.clear();
    }
}

impl TreeBuilder {
    /// Whether a start tag is to be processed, after making room for its element.
    #[inline]
    pub(super) fn admits(&mut self, tag: &Tag<'_>) -> bool {
        let kinds = Kinds::of_html(tag.name);
        let is_full = self.open.len() >= self.nesting.limit || self.nesting.room_made_at.is_some();
        if is_full && !kinds.meets(Kinds::STAYS_CLOSED) && !self.make_room(tag) {
            // Raw text must not be left to be read as markup.
            return kinds.meets(Kinds::RAW_TEXT);
        }
        !kinds.meets(Kinds::REOPENED) || self.admits_formatting()
    }

    fn admits_formatting(&mut self) -> bool {
        let has_room = self.formatting.elements() < FORMATTING_LIMIT;
        self.nesting.has_left_out_formatting |= !has_room;
        has_room
    }

    /// Closes elements until one more may open; says whether that could be done.
    #[cold]
    fn make_room(&mut self, tag: &Tag<'_>) -> bool {
        // An element that room was made for is at the limit even if its tag closed others: without
        // the limit they would not be the ones in scope.
        let made_one = self.nesting.room_made_at.is_some_and(|elements| elements + 1 == self.elements_made);
        let mut is_at_limit = made_one && self.open.current().id == self.newest_element;
        // What the last tag implied (a row and a section for a cell) is open too.
        while is_at_limit || self.open.len() >= self.nesting.limit {
            is_at_limit = false;
            let current = self.open.current();
            if !current.kinds.meets(Kinds::HTML) && tag.self_closing {
                return true;
            }
            self.nesting.has_closed_early = true;
            let name = self.tag_name_of(current);
            self.process_end_tag(name);
            if self.open.current().id == current.id {
                self.nesting.room_made_at = None;
                return false;
            }
            self.nesting.push_closed(current.name);
            self.nesting.room_made_at = Some(self.elements_made);
        }
        true
    }

    /// Processes an end tag while there are elements that were closed early.
    #[cold]
    pub(super) fn end_tag_behind_closed_elements(&mut self, name: Name) {
        self.nesting.room_made_at = None;
        let limit = self.nesting.limit;
        let is_open_at_limit = self.open.iter().skip(limit - 1).any(|element| element.name == name);
        if !is_open_at_limit && self.nesting.forget_closed(name) {
            return;
        }
        let current = self.open.current();
        self.process_end_tag(name);
        if self.open.current().id != current.id && self.open.len() < limit - 1 {
            // What was closed is around those that were closed early.
            self.nesting.forget_all_closed();
        }
    }
}
