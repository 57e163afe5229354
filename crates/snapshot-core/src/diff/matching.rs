//! Which element of a later page is which of an earlier one.

use std::collections::VecDeque;
use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::fingerprint::{Fingerprints, Sketch, own};
use crate::document::{Document, Name, NodeId, name};
use crate::page::Page;

/// Pairs of elements that are the same in two captures of a page. One to one.
///
/// What is known to be the same (by a browser's own ids) comes first. Then, each step leaving
/// what is matched alone: subtrees that are alike and stand once in each page, wherever they
/// stand; elements that say who they are by an attribute or name that stands once in each page;
/// elements most of whose children are matched to those of one other; and from the top down
/// children of matched elements, in order, if they are alike. An element that might as well be a
/// new one is taken for a new one.
#[derive(Clone, Debug)]
pub struct Matching {
    earlier: Vec<Option<NodeId>>,
    later: Vec<Option<NodeId>>,
}

impl Matching {
    /// Matches the elements of two pages. `known` are pairs, earlier and later, of which the
    /// caller is sure. Linear in the size of the pages.
    pub fn find(before: &Page, after: &Page, known: &[(NodeId, NodeId)]) -> Self {
        let mut matcher = Matcher {
            before,
            after,
            prints: (Fingerprints::of(before.document()), Fingerprints::of(after.document())),
            matching: Self { earlier: vec![None; after.document().len()], later: vec![None; before.document().len()] },
        };
        matcher.pair(NodeId::DOCUMENT, NodeId::DOCUMENT);
        for &(earlier, later) in known {
            matcher.pair(earlier, later);
        }
        matcher.match_alike_subtrees();
        matcher.match_by_identity();
        matcher.match_parents();
        matcher.match_children();
        matcher.matching
    }

    /// What the element of the later page was in the earlier one.
    pub fn earlier(&self, later: NodeId) -> Option<NodeId> {
        self.earlier.get(later.index()).copied().flatten()
    }

    /// What the element of the earlier page is in the later one.
    pub fn later(&self, earlier: NodeId) -> Option<NodeId> {
        self.later.get(earlier.index()).copied().flatten()
    }
}

struct Matcher<'page> {
    before: &'page Page,
    after: &'page Page,
    prints: (Fingerprints, Fingerprints),
    matching: Matching,
}

/// How often something was seen in each page, and where last.
#[derive(Clone, Copy, Default)]
struct Seen {
    before: u32,
    after: u32,
    earlier: Option<NodeId>,
    later: Option<NodeId>,
}

impl Seen {
    /// The pair, if each page has it once.
    fn only(self) -> Option<(NodeId, NodeId)> {
        if self.before == 1 && self.after == 1 { self.earlier.zip(self.later) } else { None }
    }
}

impl Matcher<'_> {
    /// Matches two nodes of one kind and name if neither is matched.
    fn pair(&mut self, earlier: NodeId, later: NodeId) -> bool {
        let (before, after) = (self.before.document(), self.after.document());
        let alike = before.kind(earlier) == after.kind(later)
            && before.local_name(earlier) == after.local_name(later)
            && before.namespace(earlier) == after.namespace(later);
        if !alike || self.matching.later(earlier).is_some() || self.matching.earlier(later).is_some() {
            return false;
        }
        self.matching.later[earlier.index()] = Some(later);
        self.matching.earlier[later.index()] = Some(earlier);
        true
    }

    fn match_alike_subtrees(&mut self) {
        let mut seen: FxHashMap<u64, Seen> = FxHashMap::default();
        for node in elements(self.before.document()) {
            let entry = seen.entry(self.prints.0.subtree(node)).or_default();
            entry.before += 1;
            entry.earlier = Some(node);
        }
        let later: Vec<NodeId> = elements(self.after.document()).collect();
        for &node in &later {
            if let Some(entry) = seen.get_mut(&self.prints.1.subtree(node)) {
                entry.after += 1;
                entry.later = Some(node);
            }
        }
        for node in later {
            let only = seen.get(&self.prints.1.subtree(node)).and_then(|seen| seen.only());
            if let Some((earlier, later)) = only {
                self.match_subtrees(earlier, later);
            }
        }
    }

    /// Matches two subtrees of the same shape, node by node.
    fn match_subtrees(&mut self, earlier: NodeId, later: NodeId) {
        let mut pairs = vec![(earlier, later)];
        while let Some((earlier, later)) = pairs.pop() {
            if self.prints.0.subtree(earlier) != self.prints.1.subtree(later)
                || own(self.before.document(), earlier) != own(self.after.document(), later)
                || !self.pair(earlier, later)
            {
                continue;
            }
            pairs.extend(inner_roots(self.before.document(), earlier).zip(inner_roots(self.after.document(), later)));
            let children = self.before.document().element_children(earlier);
            pairs.extend(children.zip(self.after.document().element_children(later)));
        }
    }

    /// Elements that say who they are.
    fn match_by_identity(&mut self) {
        for identity in [by_naming_attribute, by_role_and_name, by_address] {
            let mut seen: FxHashMap<u64, Seen> = FxHashMap::default();
            for node in elements(self.before.document()) {
                if let Some(key) = identity(self.before, node) {
                    let entry = seen.entry(key).or_default();
                    entry.before += 1;
                    entry.earlier = Some(node);
                }
            }
            let later: Vec<NodeId> = elements(self.after.document()).collect();
            let keys: Vec<Option<u64>> = later.iter().map(|&node| identity(self.after, node)).collect();
            for (&node, key) in later.iter().zip(&keys) {
                if let Some(entry) = key.and_then(|key| seen.get_mut(&key)) {
                    entry.after += 1;
                    entry.later = Some(node);
                }
            }
            for key in keys {
                if let Some((earlier, later)) = key.and_then(|key| seen.get(&key)).and_then(|seen| seen.only()) {
                    self.pair(earlier, later);
                }
            }
        }
    }

    /// Elements most of whose children are matched to those of one other.
    fn match_parents(&mut self) {
        let later: Vec<NodeId> = elements(self.after.document()).collect();
        for &node in later.iter().rev() {
            if self.matching.earlier(node).is_some() {
                continue;
            }
            let document = self.after.document();
            let mut votes: FxHashMap<NodeId, usize> = FxHashMap::default();
            let mut best: Option<(usize, NodeId)> = None;
            let mut children = 0;
            for child in document.element_children(node) {
                children += 1;
                let parent =
                    self.matching.earlier(child).and_then(|child| self.before.document().parent_element(child));
                if let Some(parent) = parent {
                    let count = votes.entry(parent).or_default();
                    *count += 1;
                    if best.is_none_or(|(most, _)| *count > most) {
                        best = Some((*count, parent));
                    }
                }
            }
            let Some((count, parent)) = best else { continue };
            let most_here = count * 2 >= children;
            let most_there = count * 2 >= self.before.document().element_children(parent).take(count * 2 + 1).count();
            if most_here && most_there {
                self.pair(parent, node);
            }
        }
    }

    /// Children of matched elements, from the top down.
    fn match_children(&mut self) {
        let mut later = vec![NodeId::DOCUMENT];
        later.extend(self.after.document().composed_descendants(NodeId::DOCUMENT));
        for node in later {
            let Some(earlier) = self.matching.earlier(node) else { continue };
            let roots: Vec<_> =
                inner_roots(self.before.document(), earlier).zip(inner_roots(self.after.document(), node)).collect();
            for (earlier, later) in roots {
                self.pair(earlier, later);
            }
            self.align(earlier, node);
        }
    }

    /// Matches what is left of the children of two matched nodes: first between two neighbours
    /// that are matched, then anywhere among them.
    fn align(&mut self, earlier: NodeId, later: NodeId) {
        let mut gaps: FxHashMap<Option<NodeId>, Gap> = FxHashMap::default();
        let mut order: Vec<Option<NodeId>> = Vec::new();
        let mut anchor = None;
        for child in self.after.document().element_children(later) {
            match self.matching.earlier(child) {
                Some(matched) => anchor = Some(matched),
                None => {
                    let gap = gaps.entry(anchor).or_default();
                    if gap.later.is_empty() {
                        order.push(anchor);
                    }
                    gap.later.push(child);
                }
            }
        }
        if order.is_empty() {
            return;
        }
        let mut anchor = None;
        let mut rest = Gap::default();
        for child in self.before.document().element_children(earlier) {
            if self.matching.later(child).is_some() {
                anchor = Some(child);
            } else if let Some(gap) = gaps.get_mut(&anchor) {
                gap.earlier.push(child);
            } else {
                rest.earlier.push(child);
            }
        }
        for anchor in order {
            let Some(gap) = gaps.remove(&anchor) else { continue };
            let left = self.close_gap(gap, later, false);
            rest.earlier.extend(left.earlier);
            rest.later.extend(left.later);
        }
        self.close_gap(rest, later, true);
    }

    /// Matches what is alike in a gap, in order; gives back what is left. Far from its neighbours
    /// an element is only known by its words.
    fn close_gap(&mut self, gap: Gap, parent: NodeId, far: bool) -> Gap {
        if gap.earlier.is_empty() || gap.later.is_empty() {
            return gap;
        }
        let unclear = self.match_twins(&gap);
        let mut left = Gap::default();
        let (later, unclear_later): (Vec<NodeId>, Vec<NodeId>) = gap
            .later
            .into_iter()
            .filter(|&child| self.matching.earlier(child).is_none())
            .partition(|&child| !unclear.contains(&self.prints.1.subtree(child)));
        left.later.extend(unclear_later);
        let (earlier, unclear_earlier): (Vec<NodeId>, Vec<NodeId>) = gap
            .earlier
            .into_iter()
            .filter(|&child| self.matching.later(child).is_none())
            .partition(|&child| !unclear.contains(&self.prints.0.subtree(child)));
        let mut earlier: Vec<Candidate> = earlier
            .into_iter()
            .map(|node| Candidate { node, sketch: Sketch::of(self.before.document(), node) })
            .collect();
        let alone = earlier.len() == 1 && later.len() == 1 && !far;
        let usual = usual_words(self.after.document(), parent);
        let none = FxHashSet::default();
        let mut first = 0;
        for child in later {
            let sketch = Sketch::of(self.after.document(), child);
            let repeated = is_repeated(self.after.document(), child);
            let mut best: Option<(f64, usize)> = None;
            for (at, candidate) in earlier.iter().enumerate().skip(first).take(LOOK) {
                let free = self.matching.later(candidate.node).is_none();
                let same_name =
                    self.before.document().local_name(candidate.node) == self.after.document().local_name(child);
                if free && same_name {
                    let likeness = likeness(
                        &candidate.sketch,
                        &sketch,
                        if repeated { &usual } else { &none },
                        repeated || far,
                        alone,
                    );
                    if likeness > best.map_or(0.0, |(most, _)| most) {
                        best = Some((likeness, at));
                    }
                }
            }
            match best {
                Some((_, at)) if self.pair(earlier[at].node, child) => {
                    while earlier.get(first).is_some_and(|candidate| self.matching.later(candidate.node).is_some()) {
                        first += 1;
                    }
                }
                _ => left.later.push(child),
            }
        }
        earlier.retain(|candidate| self.matching.later(candidate.node).is_none());
        left.earlier = earlier.into_iter().map(|candidate| candidate.node).chain(unclear_earlier).collect();
        left
    }

    /// Matches what is exactly alike in a gap. Gives back what there is another number of than
    /// before, with nothing to say which of them have stayed: a star of five stars.
    fn match_twins(&mut self, gap: &Gap) -> FxHashSet<u64> {
        let mut twins: FxHashMap<u64, (VecDeque<NodeId>, VecDeque<NodeId>)> = FxHashMap::default();
        let same_number = gap.earlier.len() == gap.later.len();
        for (at, &child) in gap.earlier.iter().enumerate() {
            let print = self.prints.0.subtree(child);
            let opposite = gap.later.get(at).copied().filter(|_| same_number);
            match opposite.filter(|&opposite| self.prints.1.subtree(opposite) == print) {
                // As many as before, and this one in its place.
                Some(opposite) => self.match_subtrees(child, opposite),
                None => twins.entry(print).or_default().0.push_back(child),
            }
        }
        for &child in gap.later.iter().filter(|&&child| self.matching.earlier(child).is_none()) {
            twins.entry(self.prints.1.subtree(child)).or_default().1.push_back(child);
        }
        let mut unclear = FxHashSet::default();
        for &child in &gap.later {
            let print = self.prints.1.subtree(child);
            let Some((earlier, later)) = twins.remove(&print) else { continue };
            if earlier.len() == later.len() || earlier.is_empty() {
                for (earlier, later) in earlier.into_iter().zip(later) {
                    self.match_subtrees(earlier, later);
                }
            } else if earlier.len().max(later.len()) > 1 {
                unclear.insert(print);
            }
        }
        unclear
    }
}

/// Children of two matched elements that are not matched and stand behind the same neighbour.
#[derive(Default)]
struct Gap {
    earlier: Vec<NodeId>,
    later: Vec<NodeId>,
}

struct Candidate {
    node: NodeId,
    sketch: Sketch,
}

/// How many earlier elements a later one is compared with.
const LOOK: usize = 24;

/// How alike two elements of one name are, or 0 if they may as well be two. One of several of its
/// kind is known by its words; one that stands alone between its neighbours needs no proof but
/// that nothing speaks against it.
fn likeness(earlier: &Sketch, later: &Sketch, usual: &FxHashSet<u64>, repeated: bool, alone: bool) -> f64 {
    let attributes = later.attributes_like(earlier);
    let words = later.words_like(earlier, usual);
    let enough = match words {
        Some(words) if repeated => words >= 0.5,
        Some(words) => words + attributes >= 1.0 || alone && words + attributes >= 0.5,
        None => attributes >= 0.75 || !repeated && attributes >= 0.5,
    };
    if enough { attributes + words.unwrap_or(0.0) + f64::EPSILON } else { 0.0 }
}

/// Words that several of an element's children have in common.
fn usual_words(document: &Document, parent: NodeId) -> FxHashSet<u64> {
    const SAMPLE: usize = 8;
    let children = document.element_children(parent).take(SAMPLE);
    Sketch::usual_words(&children.map(|child| Sketch::of(document, child)).collect::<Vec<_>>())
}

/// Whether there are several elements of this name and class beside each other.
fn is_repeated(document: &Document, node: NodeId) -> bool {
    let alike = |sibling: Option<NodeId>| {
        sibling.is_some_and(|sibling| {
            document.name(sibling) == document.name(node)
                && document.attribute(sibling, name::CLASS) == document.attribute(node, name::CLASS)
        })
    };
    let next = |node: NodeId| {
        let mut sibling = document.next_sibling(node);
        while let Some(text) = sibling.filter(|&sibling| document.is_text(sibling)) {
            sibling = document.next_sibling(text);
        }
        sibling
    };
    let previous = |node: NodeId| {
        let mut sibling = document.previous_sibling(node);
        while let Some(text) = sibling.filter(|&sibling| document.is_text(sibling)) {
            sibling = document.previous_sibling(text);
        }
        sibling
    };
    alike(next(node)) || alike(previous(node))
}

fn elements(document: &Document) -> impl Iterator<Item = NodeId> + '_ {
    document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node))
}

fn inner_roots(document: &Document, node: NodeId) -> impl Iterator<Item = NodeId> {
    [document.shadow_root(node), document.frame(node)].into_iter().flatten()
}

fn by_naming_attribute(page: &Page, node: NodeId) -> Option<u64> {
    const NAMING: &[Name] = &[name::ID];
    const MADE_UP: &[&str] = &["data-testid", "data-test", "data-test-id", "data-key", "data-id"];
    let document = page.document();
    let made_up = MADE_UP.iter().filter_map(|attribute| document.find_name(attribute));
    let value = NAMING.iter().copied().chain(made_up).find_map(|attribute| {
        document.attribute(node, attribute).filter(|value| !value.is_empty()).map(|value| (attribute, value))
    });
    let (attribute, value) = match value {
        Some(value) => value,
        None => (name::NAME, document.attribute(node, name::NAME)?),
    };
    Some(key(&[document.local_name(node), document.name_text(attribute), value]))
}

fn by_role_and_name(page: &Page, node: NodeId) -> Option<u64> {
    let semantics = page.semantics();
    let called = semantics.name(node);
    if called.is_empty() || page.document().has_attribute(node, name::ID) {
        return None;
    }
    let role = semantics.role(node).map_or("", |role| role.as_str());
    Some(key(&[page.document().local_name(node), role, called]))
}

fn by_address(page: &Page, node: NodeId) -> Option<u64> {
    let document = page.document();
    let address = document.attribute(node, name::HREF).or_else(|| document.attribute(node, name::SRC))?;
    if address.len() < 3 {
        return None;
    }
    Some(key(&[document.local_name(node), address]))
}

fn key(parts: &[&str]) -> u64 {
    let mut hasher = FxHasher::default();
    for part in parts {
        hasher.write(part.as_bytes());
        hasher.write_u8(0xff);
    }
    hasher.finish()
}
