//! What each item of a plan costs by itself.

use rustc_hash::FxHashMap;

use super::costs::Costs;
use super::counting::Counting;
use super::lean::shortened;
use super::pieces::{LEAD, LEADING_OPTIONS, Piece};
use super::plan::Item;
use super::units::{Unit, UnitKind, Units};
use crate::document::{Document, Name, NodeId, name};
use crate::draft::Draft;

/// What a line costs besides its text, about.
const LINE_TOKENS: u32 = 4;

/// What an address costs besides its text, about.
const ADDRESS_TOKENS: u32 = 4;

/// What each item costs by itself.
pub(super) struct Parts {
    /// Nodes whose cost is counted with a unit.
    pub(super) counted: Vec<bool>,
    pub(super) units: Vec<u32>,
    pieces: Vec<u32>,
    pub(super) addresses: Vec<u32>,
}

impl Parts {
    pub(super) fn measure(
        draft: &Draft<'_>,
        units: &Units,
        pieces: &[Piece],
        words: &[Option<Item>],
        costs: &Costs,
        counting: &Counting,
    ) -> Self {
        let document = draft.document();
        let list = units.list();
        let mut whole = vec![0u32; units.list().len()];
        let mut counted = vec![false; document.len()];
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let Some(unit) = units.home(node) else { continue };
            let top = units.list()[unit].node;
            if node != top && !Units::is_content(document, node) {
                continue;
            }
            // With it goes what holds it inside the unit.
            let mut part = Some(node);
            while let Some(node) = part.filter(|node| !counted[node.index()]) {
                counted[node.index()] = true;
                whole[unit] = whole[unit].saturating_add(costs.of(node));
                part = if node == top { None } else { document.composed_parent(node) };
            }
        }
        let count = |text: &str| u32::try_from(counting.count(text)).unwrap_or(u32::MAX);
        let piece_costs: Vec<u32> = pieces
            .iter()
            .map(|piece| match document.text(piece.node).get(piece.start..piece.end) {
                Some(text) => count(text),
                None => count(&document.text_content(piece.node)) + 2,
            })
            .collect();
        let addresses: Vec<u32> = units
            .list()
            .iter()
            .map(|unit| {
                draft
                    .address(unit.node)
                    .filter(|address| !address.is_empty())
                    .map_or(0, |address| count(&address) + ADDRESS_TOKENS)
            })
            .collect();
        let mut parts = vec![0u32; units.list().len()];
        for (piece, &cost) in pieces.iter().zip(&piece_costs) {
            parts[piece.unit] = parts[piece.unit].saturating_add(cost);
        }
        let units: Vec<u32> = whole
            .iter()
            .zip(&parts)
            .enumerate()
            .map(|(at, (&whole, &parts))| {
                // A text that joins others in a line takes one of its own without them.
                let unit = &units.list()[at];
                let joins = |unit: &Unit| unit.kind == UnitKind::Text && costs.of(unit.node) == 0;
                let before = at.checked_sub(1).map(|before| &units.list()[before]);
                let goes_on = before
                    .is_some_and(|before| joins(before) && document.parent(before.node) == document.parent(unit.node));
                let joined = whole > 0 && joins(unit) && !goes_on;
                let whole = whole.saturating_add(if joined { LINE_TOKENS } else { 0 });
                let least = (2 + staying(draft, unit, parts > 0, count)).min(whole);
                whole.saturating_sub(parts).max(least)
            })
            .collect();
        let mut parts = Self { counted, units, pieces: piece_costs, addresses };
        parts.move_words(|unit| count(draft.name(list[unit].node)), words);
        parts
    }

    /// Lets the words of links be paid by what they stay with; what is left to the link is its
    /// mark-up.
    fn move_words(&mut self, count: impl Fn(usize) -> u32, words: &[Option<Item>]) {
        const LEAST: u32 = 2;
        for (unit, item) in words.iter().enumerate() {
            let Some(item) = *item else { continue };
            let cost = count(unit).min(self.units[unit].saturating_sub(LEAST));
            self.units[unit] -= cost;
            let bearer = match item {
                Item::Unit(around) | Item::Address(around) => &mut self.units[around],
                Item::Piece(piece) => &mut self.pieces[piece],
            };
            *bearer = bearer.saturating_add(cost);
        }
    }

    pub(super) fn cost(&self, item: Item) -> u32 {
        match item {
            Item::Unit(unit) => self.units[unit],
            Item::Piece(piece) => self.pieces[piece],
            Item::Address(unit) => self.addresses[unit],
        }
    }
}

/// What is written of a unit at least, whatever becomes of its pieces: the name of a target and
/// the first options of a list.
fn staying(draft: &Draft<'_>, unit: &Unit, has_pieces: bool, count: impl Fn(&str) -> u32) -> u32 {
    if unit.kind == UnitKind::Text {
        return 0;
    }
    let name = draft.name(unit.node);
    let name =
        if has_pieces { shortened(name, LEAD).map_or_else(|| count(name), |name| count(&name)) } else { count(name) };
    let document = draft.document();
    let options = unit.content.iter().filter(|&&node| document.is_html(node, name::OPTION)).take(LEADING_OPTIONS);
    name + options.map(|&option| count(draft.name(option)) + 1).sum::<u32>()
}

/// Of each link in running text whose words can stay without it, what they stay with: the text in
/// front of it, which may be cut into pieces.
pub(super) fn words(draft: &Draft<'_>, units: &Units, pieces: &[Piece]) -> Vec<Option<Item>> {
    let document = draft.document();
    // The piece that each text ends with.
    let ends: FxHashMap<NodeId, usize> = pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.end == document.text(piece.node).len())
        .map(|(at, piece)| (piece.node, at))
        .collect();
    let units = units.list().iter().enumerate().map(|(at, unit)| {
        let around = units.around_link(draft, at)?;
        if !is_only_words(document, unit.node) {
            return None;
        }
        let before = document.previous_sibling(unit.node);
        Some(before.and_then(|before| ends.get(&before)).map_or(Item::Unit(around), |&piece| Item::Piece(piece)))
    });
    units.collect()
}

/// Whether there is nothing but a few words in the element.
fn is_only_words(document: &Document, node: NodeId) -> bool {
    const MOST_INSIDE: usize = 12;
    const LONGEST: usize = 120;
    let mut length = 0;
    let mut inside = 0;
    document.shadow_root(node).is_none()
        && document.descendants(node).all(|below| {
            inside += 1;
            length += document.text(below).len();
            inside <= MOST_INSIDE && length <= LONGEST && (document.is_text(below) || is_phrase(document, below))
        })
}

fn is_phrase(document: &Document, node: NodeId) -> bool {
    const PHRASES: &[Name] =
        &[name::B, name::I, name::EM, name::STRONG, name::SPAN, name::CODE, name::CITE, name::SUP, name::SUB];
    document.html_name(node).is_some_and(|tag| PHRASES.contains(&tag)) && document.shadow_root(node).is_none()
}
