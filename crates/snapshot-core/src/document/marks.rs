//! Cheap answers to "has it any of these attributes?", which is nearly always asked in vain.

use super::{Document, Name, NodeId, name};

/// A set of attribute names in one word. Some names share a bit, so that a set tells for sure
/// only what is not in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Marks(u32);

/// Names that share a bit. Those that most elements have are alone or among names that nobody
/// asks for, and what is asked for together has one bit; so the answers to most questions about
/// most elements are right at once.
const GROUPS: &[&[Name]] = &[
    UNASKED,
    &[name::CLASS],
    &[name::HREF],
    &[name::TITLE],
    &[name::ID],
    &[name::STYLE],
    &[name::REL],
    &[name::VALUE],
    &[name::NAME],
    &[name::ALT],
    &[name::SRC],
    &[name::TYPE],
    &[name::ROLE],
    &[name::TABINDEX],
    &[name::ARIA_LABEL],
    &[name::ARIA_HIDDEN],
    &[name::CONTENTEDITABLE],
    &[name::HIDDEN, name::POPOVER, name::INERT, name::OPEN, name::CONTROLS],
    &[name::DISABLED, name::ARIA_DISABLED],
    &[name::FOR, name::LIST],
    &[name::ARIA_LABELLEDBY, name::ARIA_LABELEDBY, name::ARIA_DESCRIBEDBY, name::ARIA_DESCRIPTION],
    &[
        name::ARIA_CHECKED,
        name::ARIA_EXPANDED,
        name::ARIA_INVALID,
        name::ARIA_LEVEL,
        name::ARIA_PRESSED,
        name::ARIA_READONLY,
        name::ARIA_REQUIRED,
        name::ARIA_SELECTED,
        name::ARIA_VALUENOW,
        name::ARIA_VALUETEXT,
        name::CHECKED,
        name::POPOVERTARGET,
        name::READONLY,
        name::REQUIRED,
        name::SELECTED,
    ],
    &[
        name::ONCLICK,
        name::ONDBLCLICK,
        name::ONKEYDOWN,
        name::ONKEYPRESS,
        name::ONKEYUP,
        name::ONMOUSEDOWN,
        name::ONMOUSEUP,
        name::ONPOINTERDOWN,
        name::ONPOINTERUP,
        name::ONTOUCHEND,
        name::ONTOUCHSTART,
    ],
];

/// Names that are frequent and seldom asked for. Those that a document numbers itself (`data-…`)
/// are with them.
const UNASKED: &[Name] = &[
    name::CONTENT,
    name::D,
    name::HEIGHT,
    name::ITEMPROP,
    name::LANG,
    name::RX,
    name::TARGET,
    name::VIEW_BOX,
    name::WIDTH,
    name::X,
    name::XMLNS,
    name::Y,
];

/// The number of bits that the names in no group are spread over. The last bit is kept.
const SPREAD: usize = 31 - GROUPS.len();

/// The bit of each known name.
#[allow(clippy::cast_possible_truncation, reason = "all bits are below 32")]
static BITS: [u8; Name::KNOWN_COUNT] = {
    let mut bits = [0; Name::KNOWN_COUNT];
    let mut number = 0;
    while number < bits.len() {
        bits[number] = (GROUPS.len() + number % SPREAD) as u8;
        number += 1;
    }
    let mut group = 0;
    while group < GROUPS.len() {
        let mut member = 0;
        while member < GROUPS[group].len() {
            bits[GROUPS[group][member].number() as usize] = group as u8;
            member += 1;
        }
        group += 1;
    }
    bits
};

impl Marks {
    pub(crate) const NONE: Self = Self(0);

    /// In the set of an element on which trees hang.
    pub(crate) const ATTACHED: Self = Self(1 << 31);

    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// The set of one name.
    #[inline]
    pub(crate) const fn of(name: Name) -> Self {
        let number = name.number() as usize;
        Self(1 << if number < BITS.len() { BITS[number] } else { 0 })
    }

    /// The set of some names.
    pub(crate) const fn of_all(names: &[Name]) -> Self {
        let mut marks = Self::NONE;
        let mut number = 0;
        while number < names.len() {
            marks = marks.with(Self::of(names[number]));
            number += 1;
        }
        marks
    }

    #[inline]
    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether some name may be in both sets.
    #[inline]
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The names that a document has, or had, at all: what it has nothing of needs no pass over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    elements: [u64; Name::KNOWN_COUNT.div_ceil(64)],
    attributes: Marks,
}

impl Usage {
    pub(super) const NONE: Self = Self { elements: [0; Name::KNOWN_COUNT.div_ceil(64)], attributes: Marks::NONE };

    /// Takes up an element of this name that has these attributes.
    #[inline]
    pub(super) fn note(&mut self, name: Name, attributes: Marks) {
        if let Some(word) = self.elements.get_mut(name.index() / 64) {
            *word |= 1 << (name.index() % 64);
        }
        self.attributes = self.attributes.with(attributes);
    }

    /// Whether there is an element of this known name, of any namespace.
    pub(crate) fn has_element(&self, name: Name) -> bool {
        self.elements.get(name.index() / 64).is_some_and(|word| word & 1 << (name.index() % 64) != 0)
    }

    /// Whether some element may have one of the attributes.
    pub(crate) fn may_have_attribute(&self, marks: Marks) -> bool {
        self.attributes.meets(marks)
    }
}

impl Document {
    /// The names that the document has at all.
    pub(crate) fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Whether the element may have one of the attributes; false is certain. Of nodes that are no
    /// element it may say anything.
    #[inline]
    pub(crate) fn may_have_any(&self, id: NodeId, marks: Marks) -> bool {
        self.nodes[id.index()].marks().meets(marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Namespace;

    #[test]
    fn what_an_element_has_is_always_in_its_marks() {
        let mut document = Document::new();
        let own = document.intern("data-own");
        let names = [name::CLASS, name::ARIA_LEVEL, name::CHECKED, name::COLSPAN, own];
        let bare = document.create_element(name::P, Namespace::Html);
        let element = document.create_element(name::P, Namespace::Html);
        for name in names {
            assert!(!document.may_have_any(bare, Marks::of(name)));
            document.set_attribute(element, name, "");
            assert!(document.may_have_any(element, Marks::of(name)));
        }
        assert!(document.may_have_any(element, Marks::of_all(&[name::HREF, name::CLASS])));
        assert!(!document.may_have_any(element, Marks::of_all(&[name::HREF, name::TITLE])));
        let usage = document.usage();
        assert!(usage.has_element(name::P) && !usage.has_element(name::A) && !usage.has_element(own));
        assert!(usage.may_have_attribute(Marks::of(name::COLSPAN)) && !usage.may_have_attribute(Marks::of(name::HREF)));
    }
}
