//! Numbers that are equal for what is alike: of subtrees, of attributes, of words.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::document::{Document, Name, NodeId, name};
use crate::text::sentences::words;

/// Numbers of a document's nodes, addressed by [`NodeId`].
pub(super) struct Fingerprints {
    subtrees: Vec<u64>,
}

impl Fingerprints {
    pub(super) fn of(document: &Document) -> Self {
        let mut subtrees = vec![0; document.len()];
        let mut nodes: Vec<NodeId> = vec![NodeId::DOCUMENT];
        nodes.extend(document.composed_descendants(NodeId::DOCUMENT));
        for &node in nodes.iter().rev() {
            let mut hasher = FxHasher::default();
            hasher.write_u64(own(document, node));
            for inner in [document.shadow_root(node), document.frame(node)].into_iter().flatten() {
                hasher.write_u64(subtrees[inner.index()]);
            }
            for child in document.children(node).filter(|&child| counts(document, child)) {
                hasher.write_u64(subtrees[child.index()]);
            }
            subtrees[node.index()] = hasher.finish();
        }
        Self { subtrees }
    }

    /// Equal for subtrees of the same elements, attributes and words.
    pub(super) fn subtree(&self, node: NodeId) -> u64 {
        self.subtrees.get(node.index()).copied().unwrap_or_default()
    }
}

/// Whether the node says anything: comments and white space do not.
fn counts(document: &Document, node: NodeId) -> bool {
    document.is_element(node) || (document.is_text(node) && !document.text(node).trim().is_empty())
}

/// The node without what is below it.
pub(super) fn own(document: &Document, node: NodeId) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(document.local_name(node).as_bytes());
    hasher.write_u8(0xff);
    for attribute in document.attributes(node) {
        hasher.write(document.name_text(attribute.name).as_bytes());
        hasher.write_u8(0xfe);
        hasher.write(attribute.value.as_bytes());
        hasher.write_u8(0xff);
    }
    if document.is_text(node) {
        for word in document.text(node).split_whitespace() {
            hasher.write(word.as_bytes());
            hasher.write_u8(0xfd);
        }
    }
    hasher.finish()
}

/// What an element says of itself: attributes that name it, its kind, and some of its words.
pub(super) struct Sketch {
    attributes: Vec<u64>,
    words: Vec<u64>,
}

/// How many nodes are looked at for words, and how many words are remembered.
const MOST_VISITED: usize = 64;
const MOST_WORDS: usize = 32;

/// How many attributes are compared.
const MOST_ATTRIBUTES: usize = 16;

impl Sketch {
    pub(super) fn of(document: &Document, node: NodeId) -> Self {
        let mut attributes: Vec<u64> = document
            .attributes(node)
            .filter(|attribute| !is_state(attribute.name))
            .take(MOST_ATTRIBUTES)
            .map(|attribute| {
                let mut hasher = FxHasher::default();
                hasher.write(document.name_text(attribute.name).as_bytes());
                hasher.write_u8(0xfe);
                hasher.write(attribute.value.as_bytes());
                hasher.finish()
            })
            .collect();
        attributes.sort_unstable();
        let mut found = Vec::new();
        for below in document.descendants(node).take(MOST_VISITED).filter(|&below| document.is_text(below)) {
            let text = document.text(below);
            let cut = text.char_indices().nth(MOST_WORDS * 16).map_or(text.len(), |(at, _)| at);
            words(text.get(..cut).unwrap_or(""), |word| found.push(word));
            if found.len() >= MOST_WORDS {
                break;
            }
        }
        found.truncate(MOST_WORDS);
        found.sort_unstable();
        Self { attributes, words: found }
    }

    /// From 0 to 1: the share of common attributes; one half where neither has any.
    pub(super) fn attributes_like(&self, other: &Self) -> f64 {
        dice(&self.attributes, &other.attributes).unwrap_or(0.5)
    }

    /// From 0 to 1: the share of common words, those in `usual` left out; nothing where neither
    /// has any.
    pub(super) fn words_like(&self, other: &Self, usual: &FxHashSet<u64>) -> Option<f64> {
        let unusual =
            |words: &[u64]| -> Vec<u64> { words.iter().copied().filter(|word| !usual.contains(word)).collect() };
        dice(&unusual(&self.words), &unusual(&other.words))
    }

    /// The words that stand in at least half of several sketches, and so tell none from another.
    pub(super) fn usual_words(sketches: &[Self]) -> FxHashSet<u64> {
        let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
        for sketch in sketches {
            let mut words = sketch.words.clone();
            words.dedup();
            for word in words {
                *counts.entry(word).or_default() += 1;
            }
        }
        #[allow(clippy::iter_over_hash_type, reason = "a set is made of it, in which order does not matter")]
        let usual = counts.into_iter().filter(|&(_, count)| count >= 2 && count * 2 >= sketches.len());
        usual.map(|(word, _)| word).collect()
    }
}

/// Attributes that change while an element stays the same.
fn is_state(attribute: Name) -> bool {
    matches!(
        attribute,
        name::STYLE
            | name::VALUE
            | name::CHECKED
            | name::SELECTED
            | name::DISABLED
            | name::HIDDEN
            | name::OPEN
            | name::ARIA_EXPANDED
            | name::ARIA_SELECTED
            | name::ARIA_CHECKED
            | name::ARIA_PRESSED
            | name::ARIA_HIDDEN
            | name::ARIA_INVALID
            | name::ARIA_CURRENT
    )
}

#[allow(clippy::cast_precision_loss, reason = "few")]
fn dice(first: &[u64], second: &[u64]) -> Option<f64> {
    if first.is_empty() && second.is_empty() {
        return None;
    }
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for &item in first {
        *counts.entry(item).or_default() += 1;
    }
    let mut common = 0;
    for item in second {
        if let Some(count) = counts.get_mut(item).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    Some(2.0 * f64::from(common) / (first.len() + second.len()) as f64)
}
