//! A [`Document`] as the `selectors` crate walks it.

use std::cell::Cell;
use std::fmt;

use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::matching::{ElementSelectorFlags, MatchingContext};
use selectors::{Element, OpaqueElement};

use super::atom::{Atom, AttributeValue, fold_hash};
use super::grammar::Grammar;
use super::pseudo_class::{self, PseudoClass, PseudoElement};
use crate::document::{Attribute, AttributeNamespace, Document, Name, Namespace, NodeId, NodeKind, name};
use crate::flat_tree::Slots;

/// A document made ready for matching: class names cut and hashed once, and a meter that ends
/// what takes too long.
pub(crate) struct Matcher<'document> {
    pub(crate) document: &'document Document,
    facts: Vec<Facts>,
    classes: Vec<Token>,
    slots: Slots,
    steps: Cell<u64>,
    limit: Cell<u64>,
}

/// What matching asks most often about one node.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    name: u32,
    id: u32,
    classes_start: u32,
    classes_length: u32,
}

/// One class of a `class` attribute.
#[derive(Clone, Copy, Debug)]
struct Token {
    hash: u32,
    start: u32,
    length: u32,
}

impl<'document> Matcher<'document> {
    /// Makes a document ready. `limit` is the number of steps (nodes visited, comparisons made)
    /// after which nothing matches any more.
    pub(crate) fn new(document: &'document Document, limit: u64) -> Self {
        let mut facts = vec![Facts::default(); document.len()];
        let mut classes: Vec<Token> = Vec::new();
        // Where values of `class` lie, and where their classes are.
        const SLOTS: usize = 1024;
        let mut cut = vec![((0, 0), 0, 0); SLOTS];
        // The hash of each name that has been met, by the name's number.
        let mut names: Vec<Option<u32>> = Vec::new();
        let mut name_hash = |node| {
            let number = document.name(node).map_or(0, Name::index);
            if number >= names.len() {
                names.resize(number + 1, None);
            }
            *names[number].get_or_insert_with(|| fold_hash(document.local_name(node)))
        };
        let short = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        for node in document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)) {
            let (mut classes_start, mut classes_length) = (0, 0);
            if let Some(value) = document.attribute(node, name::CLASS) {
                // Values that a page says again and again are stored once, so that the place of a
                // value tells that its classes have been cut.
                let place = (value.as_ptr() as usize, value.len());
                let slot = &mut cut[place.0 / 4 % SLOTS];
                if slot.0 != place {
                    let start = classes.len();
                    let tokens = value.split_ascii_whitespace().map(|token| Token {
                        hash: fold_hash(token),
                        start: short(token.as_ptr() as usize - value.as_ptr() as usize),
                        length: short(token.len()),
                    });
                    classes.extend(tokens);
                    *slot = (place, short(start), short(classes.len() - start));
                }
                (classes_start, classes_length) = (slot.1, slot.2);
            }
            facts[node.index()] = Facts {
                name: name_hash(node),
                id: document.attribute(node, name::ID).map_or(0, fold_hash),
                classes_start,
                classes_length,
            };
        }
        let slots = Slots::assign(document);
        Self { document, facts, classes, slots, steps: Cell::new(0), limit: Cell::new(limit) }
    }

    /// The element, to be matched.
    pub(crate) fn element(&self, node: NodeId) -> ElementRef<'_> {
        ElementRef { matcher: self, node }
    }

    /// The slot that shows the node.
    pub(crate) fn assigned_slot(&self, node: NodeId) -> Option<NodeId> {
        self.slots.slot_of(node)
    }

    /// Counts work that was done for matching.
    pub(crate) fn charge(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    /// Whether matching took more steps than allowed; what was matched since is not complete.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.steps.get() > self.limit.get()
    }

    /// The hash of the element's local name.
    pub(crate) fn name_hash(&self, node: NodeId) -> u32 {
        self.facts[node.index()].name
    }

    /// The hash of the element's id.
    pub(crate) fn id_hash(&self, node: NodeId) -> Option<u32> {
        self.document.has_attribute(node, name::ID).then(|| self.facts[node.index()].id)
    }

    /// The hashes of the element's classes.
    pub(crate) fn class_hashes(&self, node: NodeId) -> impl Iterator<Item = u32> + '_ {
        self.tokens(node).iter().map(|token| token.hash)
    }

    /// The hashes of all classes of the document.
    pub(crate) fn all_class_hashes(&self) -> impl Iterator<Item = u32> + '_ {
        self.classes.iter().map(|token| token.hash)
    }

    fn tokens(&self, node: NodeId) -> &[Token] {
        let facts = self.facts[node.index()];
        let start = facts.classes_start as usize;
        self.classes.get(start..start + facts.classes_length as usize).unwrap_or(&[])
    }

    /// Calls the closure with each hash by which selectors look for an element among ancestors.
    pub(crate) fn each_hash(&self, node: NodeId, mut see: impl FnMut(u32)) {
        see(self.facts[node.index()].name & BLOOM_HASH_MASK);
        if let Some(id) = self.id_hash(node) {
            see(id & BLOOM_HASH_MASK);
        }
        for hash in self.class_hashes(node) {
            see(hash & BLOOM_HASH_MASK);
        }
    }
}

impl fmt::Debug for Matcher<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Matcher").field("steps", &self.steps).finish_non_exhaustive()
    }
}

/// An element of a document that is being matched.
#[derive(Clone, Copy)]
pub(crate) struct ElementRef<'matcher> {
    matcher: &'matcher Matcher<'matcher>,
    node: NodeId,
}

impl fmt::Debug for ElementRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(formatter)
    }
}

impl<'matcher> ElementRef<'matcher> {
    fn document(&self) -> &'matcher Document {
        self.matcher.document
    }

    fn at(&self, node: NodeId) -> Self {
        Self { matcher: self.matcher, node }
    }

    /// Follows links until an element comes; nothing once the meter has run out.
    fn walk(&self, start: Option<NodeId>, next: impl Fn(NodeId) -> Option<NodeId>, grace: u64) -> Option<Self> {
        if self.matcher.steps.get() > self.matcher.limit.get().saturating_add(grace) {
            return None;
        }
        let mut node = start;
        loop {
            self.matcher.charge(1);
            let here = node?;
            if self.document().is_element(here) {
                return Some(self.at(here));
            }
            node = next(here);
        }
    }

    /// Siblings are cut later than ancestors: a count of siblings that was begun is finished.
    fn sibling_grace(&self) -> u64 {
        (self.document().len() as u64).saturating_mul(4)
    }
}

impl Element for ElementRef<'_> {
    type Impl = Grammar;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(&self.matcher.facts[self.node.index()])
    }

    fn parent_element(&self) -> Option<Self> {
        self.walk(self.document().parent_element(self.node), |_| None, 0)
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        self.document().parent(self.node).is_some_and(|parent| self.document().kind(parent) == NodeKind::ShadowRoot)
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        let root = self.document().root(self.node);
        if self.document().kind(root) != NodeKind::ShadowRoot {
            return None;
        }
        self.document().host(root).map(|host| self.at(host))
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn pseudo_element_originating_element(&self) -> Option<Self> {
        None
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let document = self.document();
        self.walk(document.previous_sibling(self.node), |node| document.previous_sibling(node), self.sibling_grace())
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let document = self.document();
        self.walk(document.next_sibling(self.node), |node| document.next_sibling(node), self.sibling_grace())
    }

    fn first_element_child(&self) -> Option<Self> {
        let document = self.document();
        self.walk(document.first_child(self.node), |node| document.next_sibling(node), 0)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.document().namespace(self.node) == Some(Namespace::Html)
    }

    fn has_local_name(&self, local_name: &Atom) -> bool {
        self.matcher.charge(1);
        match local_name.known() {
            Some(known) => self.document().name(self.node) == Some(known),
            None => {
                local_name.hash() == self.matcher.name_hash(self.node)
                    && self.document().local_name(self.node) == local_name.text()
            }
        }
    }

    fn has_namespace(&self, namespace: &Atom) -> bool {
        let own = match self.document().namespace(self.node) {
            Some(Namespace::Html) => "http://www.w3.org/1999/xhtml",
            Some(Namespace::Svg) => "http://www.w3.org/2000/svg",
            Some(Namespace::MathMl) => "http://www.w3.org/1998/Math/MathML",
            None => "",
        };
        own == namespace.text()
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.document().name(self.node) == self.document().name(other.node)
            && self.document().namespace(self.node) == self.document().namespace(other.node)
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Atom>,
        local_name: &Atom,
        operation: &AttrSelectorOperation<&AttributeValue>,
    ) -> bool {
        let document = self.document();
        self.matcher.charge(1);
        let is_meant = |attribute: &Attribute<'_>| match attribute.namespace {
            AttributeNamespace::None => {
                let named = match local_name.known() {
                    Some(known) => attribute.name == known,
                    None => document.name_text(attribute.name) == local_name.text(),
                };
                named
                    && matches!(namespace, NamespaceConstraint::Any | NamespaceConstraint::Specific(_))
                    && !matches!(namespace, NamespaceConstraint::Specific(url) if !url.text().is_empty())
            }
            other => {
                let spelling = document.name_text(attribute.name);
                let own = spelling.split_once(':').map_or(spelling, |(_, own)| own);
                own == local_name.text()
                    && match namespace {
                        NamespaceConstraint::Any => true,
                        NamespaceConstraint::Specific(url) => namespace_url(other) == url.text(),
                    }
            }
        };
        document.attributes(self.node).filter(is_meant).any(|attribute| {
            self.matcher.charge(attribute.value.len() as u64 / 64);
            match operation {
                AttrSelectorOperation::Exists => true,
                AttrSelectorOperation::WithValue { operator, case_sensitivity, value } => {
                    operator.eval_str(attribute.value, value.as_ref(), *case_sensitivity)
                }
            }
        })
    }

    fn match_non_ts_pseudo_class(&self, class: &PseudoClass, _context: &mut MatchingContext<Grammar>) -> bool {
        self.matcher.charge(1);
        class.matches(self.matcher, self.node)
    }

    fn match_pseudo_element(&self, _element: &PseudoElement, _context: &mut MatchingContext<Grammar>) -> bool {
        false
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        pseudo_class::is_link(self.document(), self.node)
    }

    fn is_html_slot_element(&self) -> bool {
        self.document().is_html(self.node, name::SLOT)
    }

    fn assigned_slot(&self) -> Option<Self> {
        self.matcher.assigned_slot(self.node).map(|slot| self.at(slot))
    }

    fn has_id(&self, id: &Atom, case_sensitivity: CaseSensitivity) -> bool {
        self.matcher.charge(1);
        self.matcher.facts[self.node.index()].id == id.hash()
            && self
                .document()
                .attribute(self.node, name::ID)
                .is_some_and(|own| case_sensitivity.eq(own.as_bytes(), id.text().as_bytes()))
    }

    fn has_class(&self, class: &Atom, case_sensitivity: CaseSensitivity) -> bool {
        let tokens = self.matcher.tokens(self.node);
        self.matcher.charge(1 + tokens.len() as u64 / 16);
        tokens.iter().filter(|token| token.hash == class.hash()).any(|token| {
            let value = self.document().attribute(self.node, name::CLASS).unwrap_or("");
            let (start, length) = (token.start as usize, token.length as usize);
            value
                .as_bytes()
                .get(start..start + length)
                .is_some_and(|own| case_sensitivity.eq(own, class.text().as_bytes()))
        })
    }

    fn has_custom_state(&self, _name: &Atom) -> bool {
        false
    }

    fn imported_part(&self, _name: &Atom) -> Option<Atom> {
        None
    }

    fn is_part(&self, name: &Atom) -> bool {
        let parts = self.document().attribute(self.node, name::PART).unwrap_or("");
        parts.split_ascii_whitespace().any(|part| part == name.text())
    }

    fn is_empty(&self) -> bool {
        let document = self.document();
        document.children(self.node).all(|child| {
            self.matcher.charge(1);
            match document.kind(child) {
                NodeKind::Element => false,
                NodeKind::Text => document.text(child).is_empty(),
                _ => true,
            }
        })
    }

    fn is_root(&self) -> bool {
        self.document().parent(self.node).is_some_and(|parent| self.document().kind(parent) == NodeKind::Document)
    }

    fn ignores_nth_child_selectors(&self) -> bool {
        self.matcher.is_exhausted()
    }

    fn add_element_unique_hashes(&self, filter: &mut BloomFilter) -> bool {
        if self.matcher.is_exhausted() {
            return false;
        }
        self.matcher.each_hash(self.node, |hash| filter.insert_hash(hash));
        true
    }
}

fn namespace_url(namespace: AttributeNamespace) -> &'static str {
    match namespace {
        AttributeNamespace::XLink => "http://www.w3.org/1999/xlink",
        AttributeNamespace::Xml => "http://www.w3.org/XML/1998/namespace",
        AttributeNamespace::Xmlns => "http://www.w3.org/2000/xmlns/",
        AttributeNamespace::None => "",
    }
}
