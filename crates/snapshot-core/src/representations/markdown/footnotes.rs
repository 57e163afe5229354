//! Footnotes: which small links lead to notes that lead back.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::document::{Document, Name, NodeId, name};
use crate::flat_tree::FlatTree;

/// The footnotes of a page.
#[derive(Debug, Default)]
pub(super) struct Footnotes {
    /// What stands for a note in the text (the link, and a `sup` that holds nothing else), and
    /// the note's label.
    pub(super) references: BTreeMap<NodeId, String>,
    /// The notes and their labels.
    pub(super) notes: BTreeMap<NodeId, String>,
    /// The links back, which Markdown makes by itself.
    pub(super) backlinks: BTreeSet<NodeId>,
}

impl Footnotes {
    /// Finds them: a link in a `sup` or marked as a note's (DPUB-ARIA `doc-noteref`, GitHub's
    /// `data-footnote-ref`), to a list item or marked note that links back to it.
    pub(super) fn find(document: &Document, tree: &FlatTree, links: &[(NodeId, &str)]) -> Self {
        let mut footnotes = Self::default();
        let names = Names::of(document);
        let candidates: Vec<(NodeId, &str)> = links
            .iter()
            .filter_map(|&(node, address)| Some((node, fragment_of(address)?)))
            .filter(|&(node, _)| names.is_note_link(document, node))
            .collect();
        if candidates.is_empty() {
            return footnotes;
        }
        let mut ids: FxHashMap<&str, NodeId> = FxHashMap::default();
        for &node in tree.nodes() {
            if let Some(id) = document.attribute(node, name::ID) {
                ids.entry(id).or_insert(node);
            }
        }
        let mut taken = BTreeSet::new();
        for (link, target) in candidates {
            let Some(&note) = ids.get(target) else { continue };
            if !footnotes.notes.contains_key(&note) {
                if !names.is_note(document, note) {
                    continue;
                }
                let back: Vec<NodeId> = tree
                    .descendants(note)
                    .iter()
                    .copied()
                    .filter(|&node| names.is_backlink(document, tree, node, &ids))
                    .collect();
                if back.is_empty() {
                    continue;
                }
                footnotes.backlinks.extend(back);
                let label = label(&document.text_content(link), &mut taken);
                footnotes.notes.insert(note, label);
            }
            let Some(label) = footnotes.notes.get(&note).cloned() else { continue };
            let blank = |sibling: Option<NodeId>| sibling.is_none_or(|sibling| document.is_blank_text(sibling));
            let holder = tree.parent(link).filter(|&parent| {
                document.is_html(parent, name::SUP)
                    && blank(document.previous_sibling(link))
                    && blank(document.next_sibling(link))
            });
            footnotes.references.insert(holder.unwrap_or(link), label);
        }
        footnotes
    }

    /// All nodes that have to do with footnotes.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.references.keys().chain(self.notes.keys()).chain(&self.backlinks).copied()
    }
}

fn fragment(document: &Document, node: NodeId) -> Option<&str> {
    if !document.is_html(node, name::A) {
        return None;
    }
    document.attribute(node, name::HREF).and_then(fragment_of)
}

fn fragment_of(address: &str) -> Option<&str> {
    address.trim().strip_prefix('#').filter(|fragment| !fragment.is_empty())
}

/// The names of GitHub's attributes, as far as the document has them.
struct Names {
    reference: Option<Name>,
    note: Option<Name>,
    backlink: Option<Name>,
}

impl Names {
    fn of(document: &Document) -> Self {
        Self {
            reference: document.find_name("data-footnote-ref"),
            note: document.find_name("data-footnote"),
            backlink: document.find_name("data-footnote-backref"),
        }
    }

    fn is_note_link(&self, document: &Document, node: NodeId) -> bool {
        marked(document, node, "doc-noteref", self.reference)
            || document.parent(node).is_some_and(|parent| document.is_html(parent, name::SUP))
    }

    fn is_note(&self, document: &Document, node: NodeId) -> bool {
        document.is_html(node, name::LI)
            || marked(document, node, "doc-endnote", self.note)
            || marked(document, node, "doc-footnote", self.note)
    }

    /// Whether the link leads to one that leads to notes.
    fn is_backlink(&self, document: &Document, tree: &FlatTree, node: NodeId, ids: &FxHashMap<&str, NodeId>) -> bool {
        if marked(document, node, "doc-backlink", self.backlink) {
            return true;
        }
        let Some(&place) = fragment(document, node).and_then(|target| ids.get(target)) else { return false };
        self.is_note_link(document, place)
            || tree.parent(place).is_some_and(|parent| document.is_html(parent, name::SUP))
            || (document.is_html(place, name::SUP)
                && document.element_children(place).take(4).any(|child| fragment(document, child).is_some()))
    }
}

fn marked(document: &Document, node: NodeId, role: &str, data: Option<Name>) -> bool {
    document.attribute(node, name::ROLE).is_some_and(|roles| roles.split_ascii_whitespace().any(|word| word == role))
        || data.is_some_and(|data| document.has_attribute(node, data))
}

/// The link's own text if it can be a label, else the next free number.
fn label(text: &str, taken: &mut BTreeSet<String>) -> String {
    let own: String = text.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    let mut label = own;
    let mut number = taken.len() + 1;
    while label.is_empty() || taken.contains(&label) {
        label = number.to_string();
        number += 1;
    }
    taken.insert(label.clone());
    label
}
