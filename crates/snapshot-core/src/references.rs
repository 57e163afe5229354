//! The ids that stand in snapshots: `e12` and `[12]`.

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
    nodes: Vec<NodeId>,
    lines: u32,
}

const NONE: u32 = u32::MAX;

impl References {
    pub(crate) fn assign(document: &Document, semantics: &Semantics) -> Self {
        let mut references = Self { numbers: vec![NONE; document.len()], nodes: Vec::new(), lines: 0 };
        let elements = || document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node));
        for node in elements().filter(|&node| is_line(semantics, node)) {
            references.give(node);
        }
        references.lines = u32::try_from(references.nodes.len()).unwrap_or(NONE);
        for node in elements() {
            if references.number(node).is_none() {
                references.give(node);
            }
        }
        references
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
        number < self.lines
    }

    /// The element with this id.
    pub fn node(&self, number: u32) -> Option<NodeId> {
        self.nodes.get(number as usize).copied()
    }

    fn give(&mut self, node: NodeId) {
        self.numbers[node.index()] = u32::try_from(self.nodes.len()).unwrap_or(NONE - 1);
        self.nodes.push(node);
    }
}

/// Whether the element is one of those that agents speak of: it has a line in the list.
fn is_line(semantics: &Semantics, node: NodeId) -> bool {
    semantics.visibility(node) == Visibility::Visible
        && (semantics.is_target(node) || semantics.role(node) == Some(Role::Heading) || semantics.is_text_block(node))
}
