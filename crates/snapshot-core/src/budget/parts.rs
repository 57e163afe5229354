//! What each item of a plan costs by itself.

use rustc_hash::FxHashMap;

use super::costs::Costs;
use super::lean::shortened;
use super::pieces::{LEAD, LEADING_OPTIONS, Piece};
use super::plan::Item;
use super::units::{Unit, UnitKind, Units};
use crate::document::{Document, Name, NodeId, name};
use crate::draft::Draft;
use crate::tokens::TokenCounter;

/// What a line costs besides its text, about.
const LINE_TOKENS: u32 = 4;

/// What each item costs by itself.
pub(super) struct Parts {
    /// Nodes whose cost is counted with a unit.
    pub(super) counted: Vec<bool>,
    pub(super) units: Vec<u32>,
    pieces: Vec<u32>,
    pub(super) addresses: Vec<u32>,
    /// Of each unit what its words cost when they are counted with what they stay with.
    words: Vec<u32>,
}

impl Parts {
    pub(super) fn measure(
        draft: &Draft<'_>,
        units: &Units,
        pieces: &[Piece],
        words: &[Option<Item>],
        costs: &Costs,
        address_mark: Option<u32>,
        counter: &dyn TokenCounter,
    ) -> Self {
        let document = draft.document();
        let list = units.list();
        let mut whole = vec![0u32; units.list().len()];
        let mut counted = vec![false; document.len()];
        for &node in units.nodes() {
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
        let count = |text: &str| u32::try_from(counter.count(text)).unwrap_or(u32::MAX);
        let lengths: Vec<usize> =
            list.iter().map(|unit| unit.content.iter().map(|&part| length(document, part)).sum()).collect();
        share_out_pictures(draft, units, &lengths, &mut whole);
        let piece_costs: Vec<u32> = pieces
            .iter()
            .map(|piece| {
                let all = length(document, piece.node);
                let bytes = if piece.option.is_some() { all } else { piece.end - piece.start };
                let below = document.descendants(piece.node).map(|below| costs.of(below));
                match below.fold(costs.of(piece.node), u32::saturating_add) {
                    // Not known apart from the rest of the unit.
                    0 => share(whole[piece.unit], bytes, lengths[piece.unit]),
                    cost => share(cost, bytes, all),
                }
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
                if parts == 0 {
                    return whole;
                }
                let least = (2 + staying(draft, unit, count)).min(whole);
                whole.saturating_sub(parts).max(least)
            })
            .collect();
        let addresses = match address_mark {
            Some(mark) => addresses(draft, list, mark, counter),
            None => vec![0; list.len()],
        };
        let mut parts = Self { counted, units, pieces: piece_costs, addresses, words: Vec::new() };
        parts.move_words(|unit| count(draft.name(list[unit].node)), words);
        parts
    }

    /// Lets the words of links be paid by what they stay with; what is left to the link is its
    /// mark-up.
    fn move_words(&mut self, count: impl Fn(usize) -> u32, words: &[Option<Item>]) {
        const LEAST: u32 = 2;
        self.words = vec![0; words.len()];
        for (unit, item) in words.iter().enumerate() {
            let Some(item) = *item else { continue };
            let cost = count(unit).min(self.units[unit].saturating_sub(LEAST));
            self.units[unit] -= cost;
            self.words[unit] = cost;
            let bearer = match item {
                Item::Unit(around) | Item::Address(around) => &mut self.units[around],
                Item::Piece(piece) => &mut self.pieces[piece],
            };
            *bearer = bearer.saturating_add(cost);
        }
    }

    /// What each item of an order adds: words are paid by what comes first, the link or what they
    /// stay with.
    pub(super) fn costs(&self, order: &[Item], words: &[Option<Item>]) -> Vec<u32> {
        let mut units = vec![usize::MAX; self.units.len()];
        let mut pieces = vec![usize::MAX; self.pieces.len()];
        for (at, item) in order.iter().enumerate() {
            match *item {
                Item::Unit(unit) => units[unit] = at,
                Item::Piece(piece) => pieces[piece] = at,
                Item::Address(_) => {}
            }
        }
        let mut costs: Vec<u32> = order.iter().map(|item| self.cost(*item)).collect();
        for (unit, item) in words.iter().enumerate() {
            let bearer = match *item {
                Some(Item::Unit(around) | Item::Address(around)) => units[around],
                Some(Item::Piece(piece)) => pieces[piece],
                None => continue,
            };
            if units[unit] < bearer {
                let words = self.words[unit];
                costs[units[unit]] = costs[units[unit]].saturating_add(words);
                if let Some(cost) = costs.get_mut(bearer) {
                    *cost = cost.saturating_sub(words);
                }
            }
        }
        costs
    }

    fn cost(&self, item: Item) -> u32 {
        match item {
            Item::Unit(unit) => self.units[unit],
            Item::Piece(piece) => self.pieces[piece],
            Item::Address(unit) => self.addresses[unit],
        }
    }
}

/// Gives pictures whose names stand in the line of the unit around them their part of its cost.
fn share_out_pictures(draft: &Draft<'_>, units: &Units, lengths: &[usize], whole: &mut [u32]) {
    let list = units.list();
    let pictures: Vec<(usize, usize, usize)> = list
        .iter()
        .enumerate()
        .filter(|&(at, unit)| unit.kind == UnitKind::Other && whole[at] == 0)
        .filter_map(|(at, unit)| {
            let around = units.home(draft.document().composed_parent(unit.node)?)?;
            Some((at, around, draft.name(unit.node).len()))
        })
        .collect();
    let mut all = lengths.to_vec();
    for &(_, around, length) in &pictures {
        all[around] += length;
    }
    let costs = whole.to_vec();
    for (at, around, length) in pictures {
        whole[at] = share(costs[around], length, all[around]);
        whole[around] = whole[around].saturating_sub(whole[at]);
    }
}

/// What is written of a unit with pieces at least, whatever becomes of these: the name of a target
/// and the first options of a list.
fn staying(draft: &Draft<'_>, unit: &Unit, count: impl Fn(&str) -> u32) -> u32 {
    if unit.kind == UnitKind::Text {
        return 0;
    }
    let name = draft.name(unit.node);
    let name = shortened(name, LEAD).map_or_else(|| count(name), |name| count(&name));
    let document = draft.document();
    let options = unit.content.iter().filter(|&&node| document.is_html(node, name::OPTION)).take(LEADING_OPTIONS);
    name + options.map(|&option| count(draft.name(option)) + 1).sum::<u32>()
}

/// What the address of each unit costs, by its length and what some of them cost, and `mark` for
/// what it is marked with.
fn addresses(draft: &Draft<'_>, units: &[Unit], mark: u32, counter: &dyn TokenCounter) -> Vec<u32> {
    const SAMPLES: usize = 64;
    // What leads nowhere need not be shown.
    let length = |unit: &Unit| draft.address(unit.node).filter(|address| address != "#").map_or(0, |it| it.len());
    let lengths: Vec<usize> = units.iter().map(length).collect();
    let with_address: Vec<usize> = (0..units.len()).filter(|&at| lengths[at] > 0).collect();
    let (mut tokens, mut bytes) = (0, 0);
    for &at in with_address.iter().step_by(with_address.len().div_ceil(SAMPLES).max(1)) {
        tokens += draft.address(units[at].node).map_or(0, |address| counter.count(&address));
        bytes += lengths[at];
    }
    let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
    lengths
        .into_iter()
        .map(|length| if length == 0 { 0 } else { share(tokens, length, bytes).saturating_add(mark) })
        .collect()
}

/// The bytes of a text, or of what an option says.
fn length(document: &Document, node: NodeId) -> usize {
    let below = document.descendants(node).map(|below| document.text(below).len());
    document.text(node).len() + below.sum::<usize>()
}

/// The part of a cost that falls on some of the bytes it is for.
fn share(cost: u32, bytes: usize, all: usize) -> u32 {
    u32::try_from(u64::from(cost).saturating_mul(bytes as u64) / (all as u64).max(1)).unwrap_or(u32::MAX)
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
