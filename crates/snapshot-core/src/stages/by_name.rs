//! What stages know of attributes by their names alone.

use crate::document::{Document, Name};

/// What holds for all attributes of a name, found out once for each name: a page has thousands of
/// attributes and few names.
pub(super) struct ByName<T> {
    find: fn(Name, &str) -> T,
    found: Vec<Option<T>>,
}

impl<T: Copy> ByName<T> {
    /// `find` is given a name and its spelling.
    pub(super) fn new(find: fn(Name, &str) -> T) -> Self {
        Self { find, found: Vec::new() }
    }

    #[inline]
    pub(super) fn of(&mut self, document: &Document, name: Name) -> T {
        match self.found.get(name.index()) {
            Some(&Some(found)) => found,
            _ => self.find(document, name),
        }
    }

    fn find(&mut self, document: &Document, name: Name) -> T {
        let found = (self.find)(name, document.name_text(name));
        if self.found.len() <= name.index() {
            self.found.resize(name.index() + 1, None);
        }
        self.found[name.index()] = Some(found);
        found
    }
}
