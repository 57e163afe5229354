//! The parts of a unit that can be left out while the rest of it stays.

use super::units::{UnitKind, Units};
use crate::document::{NodeId, name};
use crate::draft::Draft;
use crate::text::pieces::piece_ends;

/// Part of the text of a unit, or an option of a list.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The unit.
    pub(crate) unit: usize,
    /// The text node, or the option.
    pub(crate) node: NodeId,
    /// The bytes of the text node; everything in an option.
    pub(crate) start: usize,
    /// The end of these.
    pub(crate) end: usize,
    /// Of an option its place in its list, from 1.
    pub(crate) option: Option<u32>,
}

/// How much of a unit's text always stays with it, in bytes.
pub(super) const LEAD: usize = 40;

/// The longest piece, in bytes.
const LONGEST: usize = 140;

/// How many options of a list always stay with it.
pub(super) const LEADING_OPTIONS: usize = 5;

/// The pieces of all units, in the order of the units and of their texts.
pub(crate) fn find(draft: &Draft<'_>, units: &Units) -> Vec<Piece> {
    let document = draft.document();
    let mut pieces = Vec::new();
    for (at, unit) in units.list().iter().enumerate() {
        if matches!(unit.kind, UnitKind::Note | UnitKind::Title) {
            continue;
        }
        let (mut shown, mut options) = (0, 0_u32);
        for &node in &unit.content {
            if document.is_html(node, name::OPTION) {
                options += 1;
                if options as usize > LEADING_OPTIONS
                    && !draft.states(node).selected
                    && !document.has_attribute(node, name::SELECTED)
                {
                    pieces.push(Piece { unit: at, node, start: 0, end: usize::MAX, option: Some(options) });
                }
                continue;
            }
            let text = document.text(node);
            if shown + text.len() <= LEAD + LONGEST / 2 {
                shown += text.len();
                continue;
            }
            let mut start = 0;
            for end in piece_ends(text, LONGEST) {
                if shown >= LEAD && !text[start..end].trim().is_empty() {
                    pieces.push(Piece { unit: at, node, start, end, option: None });
                }
                shown += end - start;
                start = end;
            }
        }
    }
    pieces
}
