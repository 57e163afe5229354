//! The ids that stand in snapshots: `e12` and `[12]`.

use crate::diff::Matching;
use crate::document::{Document, NodeId};
use crate::semantics::{Role, Semantics, Visibility};

/// The id of each element of a page.
///
/// Ids are given on the page as captured, before any stage, so that no preset, budget or
/// representation renumbers an element. Targets, headings and text blocks come first, in
/// document order, so that the ids an agent reads have few digits (a tokenizer takes three at a
/// time); then, in document order too, all other elements, which `--refs all` writes out.
#[derive(Clone, Debug, Default)]
pub struct References {
    numbers: Vec<u32>,
    nodes: Vec<Option<NodeId>>,
    /// For each id, whether it is that of a target, a heading or a text block.
    lines: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl References {
    pub(crate) fn assign(document: &Document, semantics: &Semantics) -> Self {
        let mut references = Self { numbers: vec![NONE; document.len()], nodes: Vec::new(), lines: Vec::new() };
        references.give_new(document, semantics);
        references
    }

    /// Gives the elements that were there before the ids they had; new ones get ids above the
    /// highest that was ever given, so that a gone element's id never means another.
    pub(crate) fn continue_from(
        previous: &Self,
        matching: &Matching,
        document: &Document,
        semantics: &Semantics,
    ) -> Self {
        let ever_given = previous.nodes.len();
        let mut references =
            Self { numbers: vec![NONE; document.len()], nodes: vec![None; ever_given], lines: vec![false; ever_given] };
        for node in document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)) {
            let number = matching.earlier(node).and_then(|earlier| previous.number(earlier));
            if let Some(number) = number
                && let Some(place) = references.nodes.get_mut(number as usize)
            {
                *place = Some(node);
                references.numbers[node.index()] = number;
                references.lines[number as usize] = is_line(semantics, node);
            }
        }
        references.give_new(document, semantics);
        references
    }

    /// Gives ids to all elements that have none: first to those that agents speak of.
    fn give_new(&mut self, document: &Document, semantics: &Semantics) {
        let mut others = Vec::new();
        let nodes = semantics.flat_tree().composed(document);
        for &node in nodes.iter().filter(|&&node| document.is_element(node)) {
            if self.number(node).is_some() {
                continue;
            }
            if is_line(semantics, node) {
                self.give(node, true);
            } else {
                others.push(node);
            }
        }
        for node in others {
            self.give(node, false);
        }
    }

    /// The element's id.
    pub fn number(&self, node: NodeId) -> Option<u32> {
        self.numbers.get(node.index()).copied().filter(|&number| number != NONE)
    }

    /// The element's id, if the element is one of those that agents speak of: a target, a heading
    /// or a text block.
    pub fn line_number(&self, node: NodeId) -> Option<u32> {
        self.number(node).filter(|&number| self.is_line(number))
    }

    /// Whether the id is that of a target, a heading or a text block.
    pub fn is_line(&self, number: u32) -> bool {
        self.lines.get(number as usize).copied().unwrap_or_default()
    }

    /// The element with this id.
    pub fn node(&self, number: u32) -> Option<NodeId> {
        self.nodes.get(number as usize).copied().flatten()
    }

    /// All elements that have an id, in the order of the ids.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().copied().flatten()
    }

    fn give(&mut self, node: NodeId, line: bool) {
        self.numbers[node.index()] = u32::try_from(self.nodes.len()).unwrap_or(NONE - 1);
        self.nodes.push(Some(node));
        self.lines.push(line);
    }
}

/// Whether the element is one of those that agents speak of: it has a line in the list.
fn is_line(semantics: &Semantics, node: NodeId) -> bool {
    semantics.visibility(node) == Visibility::Visible
        && (semantics.is_target(node) || semantics.role(node) == Some(Role::Heading) || semantics.is_text_block(node))
}
