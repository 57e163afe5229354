//! The rules of one tree, found by the id, class or name that an element must have.

use rustc_hash::FxHashMap;
use selectors::context::QuirksMode;
use selectors::parser::{AncestorHashes, Combinator, Component, Selector, SelectorIter};

use super::sheet::{LayerPath, Sheet};
use crate::selector::Grammar;

/// A sheet that applies to a tree, and the layer that an `@import` puts it in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct SheetUse {
    /// The sheet's number.
    pub(super) sheet: usize,
    pub(super) layer: LayerPath,
}

/// A rule with what is needed to tell early that it does not match, and what it wins over.
#[derive(Clone, Debug)]
pub(super) struct IndexedRule {
    pub(super) sheet: usize,
    pub(super) rule: usize,
    pub(super) hashes: AncestorHashes,
    pub(super) specificity: u32,
    pub(super) order: u32,
    /// The rank of the layer: later layers are higher, rules outside of layers highest.
    pub(super) layer: u32,
}

/// The rules that apply to one tree.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleIndex {
    pub(super) rules: Vec<IndexedRule>,
    by_id: FxHashMap<u32, Vec<u32>>,
    by_class: FxHashMap<u32, Vec<u32>>,
    by_name: FxHashMap<u32, Vec<u32>>,
    universal: Vec<u32>,
    /// Rules for the host of the tree.
    pub(super) host: Vec<u32>,
    /// Rules for what stands in the tree's slots.
    pub(super) slotted: Vec<u32>,
    /// Rules for parts of the shadow trees that hang on the tree's elements.
    pub(super) part: Vec<u32>,
}

/// What the subject of a selector must have, by its hash.
#[derive(Clone, Copy, Debug)]
enum Key {
    Id(u32),
    Class(u32),
    Name(u32),
}

impl RuleIndex {
    /// Sorts the rules of the sheets, which are in cascade order. `wanted` says whether any of
    /// a rule's declarations matters.
    pub(super) fn build(sheets: &[Sheet], uses: &[SheetUse], wanted: impl Fn(&Sheet, usize) -> bool) -> Self {
        let layers = Layers::rank(sheets, uses);
        let mut index = Self::default();
        for (position, sheet_use) in uses.iter().enumerate() {
            let sheet = &sheets[sheet_use.sheet];
            for (number, rule) in sheet.rules.iter().enumerate() {
                if wanted(sheet, number) {
                    let indexed = IndexedRule {
                        sheet: sheet_use.sheet,
                        rule: number,
                        hashes: AncestorHashes::new(&rule.selector, QuirksMode::NoQuirks),
                        specificity: rule.selector.specificity(),
                        order: u32::try_from(index.rules.len()).unwrap_or(u32::MAX),
                        layer: layers.of(position, rule.layer),
                    };
                    index.insert(indexed, &rule.selector);
                }
            }
        }
        index
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Calls the closure with each rule that may match an element of this name, id and classes.
    pub(super) fn candidates(
        &self,
        name: u32,
        id: Option<u32>,
        classes: impl Iterator<Item = u32>,
        mut see: impl FnMut(&IndexedRule),
    ) {
        let mut each = |numbers: Option<&Vec<u32>>| {
            for &number in numbers.into_iter().flatten() {
                see(&self.rules[number as usize]);
            }
        };
        each(Some(&self.universal));
        each(self.by_name.get(&name));
        if let Some(id) = id {
            each(self.by_id.get(&id));
        }
        if !self.by_class.is_empty() {
            for class in classes {
                each(self.by_class.get(&class));
            }
        }
    }

    fn insert(&mut self, rule: IndexedRule, selector: &Selector<Grammar>) {
        let number = rule.order;
        self.rules.push(rule);
        if selector.is_part() {
            return self.part.push(number);
        }
        if selector.is_slotted() {
            return self.slotted.push(number);
        }
        if selector.matches_featureless_host(false).may_match() {
            self.host.push(number);
        }
        match keys(subject(selector)) {
            None => self.universal.push(number),
            Some(keys) => {
                for key in keys {
                    let (table, hash) = match key {
                        Key::Id(hash) => (&mut self.by_id, hash),
                        Key::Class(hash) => (&mut self.by_class, hash),
                        Key::Name(hash) => (&mut self.by_name, hash),
                    };
                    let numbers = table.entry(hash).or_default();
                    if numbers.last() != Some(&number) {
                        numbers.push(number);
                    }
                }
            }
        }
    }
}

/// The last compound of the selector, before any pseudo-element.
fn subject(selector: &Selector<Grammar>) -> SelectorIter<'_, Grammar> {
    let mut iter = selector.iter();
    let mut compound = iter.clone();
    while iter.any(|component| matches!(component, Component::PseudoElement(_))) {
        for _ in iter.by_ref() {}
        if iter.next_sequence() != Some(Combinator::PseudoElement) {
            break;
        }
        compound = iter.clone();
    }
    compound
}

/// What an element must have one of to match the compound; nothing when anything may match.
fn keys(compound: SelectorIter<'_, Grammar>) -> Option<Vec<Key>> {
    let mut best: Option<Vec<Key>> = None;
    for component in compound {
        let found = match component {
            Component::ID(id) => return Some(vec![Key::Id(id.hash())]),
            Component::Class(class) => vec![Key::Class(class.hash())],
            Component::LocalName(local) => {
                // SVG keeps cases apart, HTML does not; the hash folds them.
                vec![Key::Name(local.lower_name.hash())]
            }
            Component::Is(list) | Component::Where(list) => {
                let mut all = Some(Vec::new());
                for selector in list.slice() {
                    match (keys(subject(selector)), &mut all) {
                        (Some(keys), Some(all)) => all.extend(keys),
                        _ => all = None,
                    }
                }
                match all {
                    Some(all) => all,
                    None => continue,
                }
            }
            _ => continue,
        };
        let better = match (&best, found.as_slice()) {
            (None, _) => true,
            (Some(best), [Key::Class(_)]) => !matches!(best.as_slice(), [Key::Class(_)]),
            _ => false,
        };
        if better {
            best = Some(found);
        }
    }
    best
}

/// The order of the layers of one tree (CSS Cascade 5, "layer ordering").
struct Layers {
    /// For each use of a sheet, the rank of each of its layers, and of its rules in none.
    ranks: Vec<(Vec<u32>, u32)>,
}

/// The rank of rules that are in no layer.
pub(super) const UNLAYERED: u32 = u32::MAX;

#[derive(Default)]
struct LayerNode {
    children: Vec<usize>,
    rank: u32,
}

impl Layers {
    fn rank(sheets: &[Sheet], uses: &[SheetUse]) -> Self {
        let mut nodes = vec![LayerNode::default()];
        let mut by_path: FxHashMap<(usize, Box<str>), usize> = FxHashMap::default();
        let mut numbers = Vec::with_capacity(uses.len());
        for (position, sheet_use) in uses.iter().enumerate() {
            let mut find = |start: usize, path: &[Box<str>]| {
                path.iter().fold(start, |above, name| {
                    // Layers without a name are each a layer of their own.
                    let name = if name.starts_with('\0') { format!("{name}\0{position}").into() } else { name.clone() };
                    *by_path.entry((above, name)).or_insert_with(|| {
                        nodes.push(LayerNode::default());
                        let number = nodes.len() - 1;
                        nodes[above].children.push(number);
                        number
                    })
                })
            };
            let outer = find(0, &sheet_use.layer);
            let inner: Vec<usize> = sheets[sheet_use.sheet].layers.iter().map(|path| find(outer, path)).collect();
            numbers.push((inner, outer));
        }
        // A layer's own rules stand after those of the layers in it.
        let mut next = 0;
        let mut stack = vec![(0, false)];
        while let Some((node, done)) = stack.pop() {
            if done {
                nodes[node].rank = next;
                next += 1;
            } else {
                stack.push((node, true));
                stack.extend(nodes[node].children.iter().rev().map(|&child| (child, false)));
            }
        }
        nodes[0].rank = UNLAYERED;
        let ranks = numbers
            .into_iter()
            .map(|(inner, outer)| (inner.into_iter().map(|node| nodes[node].rank).collect(), nodes[outer].rank))
            .collect();
        Self { ranks }
    }

    fn of(&self, position: usize, layer: Option<u32>) -> u32 {
        let (inner, outer) = &self.ranks[position];
        layer.and_then(|layer| inner.get(layer as usize)).copied().unwrap_or(*outer)
    }
}
