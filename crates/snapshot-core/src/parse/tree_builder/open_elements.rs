//! The stack of open elements (13.2.4.2), and what is in scope on it.

use super::kinds::Kinds;
use crate::document::{Name, Namespace, NodeId, name};

/// An element on the stack, with what the rules ask of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) id: NodeId,
    /// The node that its content goes into: the root of a template's contents, else itself.
    pub(super) content: NodeId,
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    pub(super) kinds: Kinds,
}

impl Open {
    #[inline]
    pub(super) fn is_html(&self, name: Name) -> bool {
        self.name == name && self.kinds.meets(Kinds::HTML)
    }
}

/// The stack; the last one is the current node.
///
/// It knows how many HTML elements of each known name it holds, so that what is nowhere open,
/// which is the answer to most questions, needs no search. Other questions cost a step for each
/// element, and [`nesting`](super::nesting) keeps those few.
pub(super) struct OpenElements {
    list: Vec<Open>,
    counts: [u32; Name::KNOWN_COUNT],
    /// What is current while nothing is open: the node that all is put into.
    ground: Open,
}

impl OpenElements {
    pub(super) fn new(root: NodeId) -> Self {
        let ground = Open { id: root, content: root, name: Name::NONE, namespace: Namespace::Html, kinds: Kinds::HTML };
        Self { list: Vec::with_capacity(64), counts: [0; Name::KNOWN_COUNT], ground }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    #[inline]
    pub(super) fn get(&self, position: usize) -> Option<Open> {
        self.list.get(position).copied()
    }

    /// The elements, outermost first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Open> + ExactSizeIterator {
        self.list.iter()
    }

    /// The current node.
    #[inline]
    pub(super) fn current(&self) -> Open {
        self.list.last().copied().unwrap_or(self.ground)
    }

    /// The outermost element, which is `html`.
    pub(super) fn outermost(&self) -> Open {
        self.list.first().copied().unwrap_or(self.ground)
    }

    /// The `body` element if it is where it belongs.
    pub(super) fn body(&self) -> Option<Open> {
        self.get(1).filter(|second| second.is_html(name::BODY))
    }

    #[inline]
    pub(super) fn push(&mut self, element: Open) {
        self.count(element, 1);
        self.list.push(element);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Open> {
        let element = self.list.pop()?;
        self.count(element, -1);
        Some(element)
    }

    pub(super) fn truncate(&mut self, length: usize) {
        while self.list.len() > length {
            self.pop();
        }
    }

    pub(super) fn insert(&mut self, position: usize, element: Open) {
        self.count(element, 1);
        self.list.insert(position.min(self.list.len()), element);
    }

    pub(super) fn replace(&mut self, position: usize, element: Open) {
        if let Some(old) = self.get(position) {
            self.count(old, -1);
            self.count(element, 1);
            self.list[position] = element;
        }
    }

    pub(super) fn remove(&mut self, position: usize) {
        if position < self.list.len() {
            let element = self.list.remove(position);
            self.count(element, -1);
        }
    }

    /// Takes an element out from wherever it is.
    pub(super) fn remove_element(&mut self, id: NodeId) {
        if let Some(position) = self.position(id) {
            self.remove(position);
        }
    }

    #[inline]
    fn count(&mut self, element: Open, change: i32) {
        if element.kinds.meets(Kinds::HTML)
            && let Some(count) = self.counts.get_mut(element.name.index())
        {
            *count = count.wrapping_add_signed(change);
        }
    }

    pub(super) fn position(&self, id: NodeId) -> Option<usize> {
        self.list.iter().rposition(|element| element.id == id)
    }

    /// Whether an HTML element of this known name is open anywhere.
    #[inline]
    pub(super) fn holds(&self, name: Name) -> bool {
        self.counts.get(name.index()).is_none_or(|&count| count > 0)
    }

    /// Whether an HTML element of this name is open with nothing of `scope` above it.
    #[inline]
    pub(super) fn has_in(&self, scope: Kinds, name: Name) -> bool {
        self.holds(name) && self.any_in(scope, |element| element.is_html(name))
    }

    /// Whether such an element is open with nothing of `scope` above it.
    pub(super) fn any_in(&self, scope: Kinds, is_wanted: impl Fn(&Open) -> bool) -> bool {
        for element in self.list.iter().rev() {
            if is_wanted(element) {
                return true;
            }
            if element.kinds.meets(scope) {
                return false;
            }
        }
        false
    }

    #[inline]
    pub(super) fn has_in_scope(&self, name: Name) -> bool {
        self.has_in(Kinds::SCOPE, name)
    }

    #[inline]
    pub(super) fn has_in_button_scope(&self, name: Name) -> bool {
        self.has_in(Kinds::SCOPE.with(Kinds::BUTTON_SCOPE), name)
    }

    #[inline]
    pub(super) fn has_in_table_scope(&self, name: Name) -> bool {
        self.has_in(Kinds::TABLE_SCOPE, name)
    }

    /// Pops up to and with the innermost HTML element of this name.
    pub(super) fn pop_through(&mut self, name: Name) {
        while self.pop().is_some_and(|element| !element.is_html(name)) {}
    }

    /// Pops up to and with the innermost element of these kinds.
    pub(super) fn pop_through_kinds(&mut self, kinds: Kinds) {
        while self.pop().is_some_and(|element| !element.kinds.meets(kinds)) {}
    }

    /// Pops until the current node is of these kinds ("clear the stack back to a context").
    pub(super) fn clear_to(&mut self, context: Kinds) {
        while self.list.last().is_some_and(|element| !element.kinds.meets(context)) {
            self.pop();
        }
    }

    /// Pops elements whose end tags may be left out (13.2.6.3, "generate implied end tags").
    #[inline]
    pub(super) fn imply_ends(&mut self) {
        while self.current().kinds.meets(Kinds::IMPLIED_END) {
            self.pop();
        }
    }

    /// The same, but for elements of this name.
    #[inline]
    pub(super) fn imply_ends_except(&mut self, name: Name) {
        while self.current().kinds.meets(Kinds::IMPLIED_END) && self.current().name != name {
            self.pop();
        }
    }

    /// The same as [`imply_ends`](Self::imply_ends), parts of tables included.
    pub(super) fn imply_all_ends(&mut self) {
        while self.current().kinds.meets(Kinds::THOROUGHLY_IMPLIED_END) {
            self.pop();
        }
    }

    /// Closes the paragraph that is in button scope, if there is one.
    #[inline]
    pub(super) fn close_paragraph_in_button_scope(&mut self) {
        if self.has_in_button_scope(name::P) {
            self.close_paragraph();
        }
    }

    pub(super) fn close_paragraph(&mut self) {
        self.imply_ends_except(name::P);
        self.pop_through(name::P);
    }
}
