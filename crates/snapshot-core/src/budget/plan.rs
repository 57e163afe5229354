//! In which order the parts of a draft are worth their tokens.
//!
//! The order does not depend on the budget: what is kept for one budget is a beginning of it, and
//! of what is kept for every larger one.

use super::costs::Costs;
use super::missing::Ids;
use super::parts::{Parts, words};
use super::pieces::{self, Piece};
use super::units::{Unit, UnitKind, Units};
use super::values::Values;
use crate::document::NodeId;
use crate::draft::Draft;
use crate::semantics::Role;
use crate::tokens::TokenCounter;

/// Something that is kept or left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    Unit(usize),
    Piece(usize),
    /// The address of a unit that is a link.
    Address(usize),
}

/// The parts of a draft in order, and what each beginning of the order costs.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    units: Units,
    pieces: Vec<Piece>,
    order: Vec<Item>,
    /// Of each unit that is a link in running text what its words stay with.
    words: Vec<Option<Item>>,
    /// How many items to keep, and the tokens that are expected for them, both rising.
    steps: Vec<Step>,
}

/// A beginning of the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// How many items.
    pub(crate) items: usize,
    /// What they are expected to cost.
    pub(crate) tokens: usize,
}

/// What to keep.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// Of each unit whether it stays.
    pub(crate) units: Vec<bool>,
    /// Of each piece.
    pub(crate) pieces: Vec<bool>,
    /// Of each unit whether its address is shown.
    pub(crate) addresses: Vec<bool>,
    /// Of each unit whether its words stay although it goes: the text around is nothing without
    /// them.
    pub(crate) words: Vec<bool>,
    /// The most notes in place on what was left out; with nothing given not even the one at the
    /// end is written.
    pub(crate) notes: Option<usize>,
    /// Which step leaves it out.
    pub(crate) reason: &'static str,
}

/// What a note costs, about.
const NOTE_TOKENS: usize = 16;

/// One note for so many tokens.
const TOKENS_PER_NOTE: usize = 640;

/// Steps of the ladder are at least so many tokens apart.
const LEAST_STEP: usize = 6;

/// What is counted together costs a little less than its parts; the unit is a thousandth.
const WHOLE: u64 = 1000;

impl Plan {
    /// Makes the plan of a draft that showed what is `wanted`, with `costs` measured without
    /// addresses. `address_mark` is
    /// what is written with each besides its text, if they are written at all.
    pub(crate) fn new(
        draft: &Draft<'_>,
        costs: &Costs,
        wanted: &Ids,
        address_mark: Option<u32>,
        counter: &dyn TokenCounter,
    ) -> Self {
        let interest = draft.relevance();
        let units = Units::find(draft);
        let pieces = pieces::find(draft, &units);
        let words = words(draft, &units, &pieces);
        let parts = Parts::measure(draft, &units, &pieces, &words, costs, address_mark, counter);
        let values = Values::new(draft, &units, interest.as_deref());
        let order = order(draft, &units, &pieces, &parts, &values, wanted);
        let mut plan = Self { units, pieces, order, words, steps: Vec::new() };
        plan.steps = plan.steps(draft, costs, &parts);
        plan
    }

    /// The units.
    pub(crate) fn units(&self) -> &Units {
        &self.units
    }

    /// The pieces.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The beginnings to try, from the smallest, which is empty, to the whole.
    pub(crate) fn ladder(&self) -> &[Step] {
        &self.steps
    }

    /// What a beginning keeps.
    pub(crate) fn selection(&self, step: Step) -> Selection {
        let mut selection = Selection {
            units: vec![false; self.units.list().len()],
            pieces: vec![false; self.pieces.len()],
            addresses: vec![false; self.units.list().len()],
            words: Vec::new(),
            notes: Some(step.tokens / TOKENS_PER_NOTE),
            reason: "budget",
        };
        for item in self.order.iter().take(step.items) {
            match *item {
                Item::Unit(unit) => selection.units[unit] = true,
                Item::Piece(piece) => selection.pieces[piece] = true,
                Item::Address(unit) => selection.addresses[unit] = true,
            }
        }
        let stays = |item: Item| match item {
            Item::Unit(unit) | Item::Address(unit) => selection.units[unit],
            Item::Piece(piece) => selection.pieces[piece] && selection.units[self.pieces[piece].unit],
        };
        selection.words = self
            .words
            .iter()
            .zip(&selection.units)
            .map(|(words, is_kept)| !is_kept && words.is_some_and(stays))
            .collect();
        selection
    }

    /// The steps of the ladder, each about a hundredth larger than the one before.
    fn steps(&self, draft: &Draft<'_>, costs: &Costs, parts: &Parts) -> Vec<Step> {
        let document = draft.document();
        let mut held = vec![false; document.len()];
        let mut gaps = Gaps::new(draft, &self.units);
        let mut sum = 0u64;
        let sums: Vec<(u64, usize)> = self
            .order
            .iter()
            .zip(parts.costs(&self.order, &self.words))
            .map(|(item, cost)| {
                sum += u64::from(cost);
                if let Item::Unit(unit) = *item {
                    let node = self.units.list()[unit].node;
                    let mut above = document.composed_parent(node);
                    while let Some(holder) = above.filter(|holder| !held[holder.index()]) {
                        held[holder.index()] = true;
                        if self.units.at(holder).is_none() && !parts.counted[holder.index()] {
                            sum += u64::from(costs.of(holder));
                        }
                        above = document.composed_parent(holder);
                    }
                    gaps.fill(unit);
                }
                (sum, gaps.count)
            })
            .collect();
        let measured = sum.saturating_sub(parts.addresses.iter().map(|&cost| u64::from(cost)).sum());
        let scale = |sum_now: u64| {
            let thousandths = (costs.whole() as u64).saturating_mul(WHOLE) / measured.max(1);
            usize::try_from(sum_now.saturating_mul(thousandths.clamp(WHOLE / 2, WHOLE * 2)) / WHOLE)
                .unwrap_or(usize::MAX)
        };
        let mut steps = vec![Step { items: 0, tokens: NOTE_TOKENS }];
        let mut least = 0;
        let mut next = 2 * NOTE_TOKENS;
        for (at, &(sum, gaps)) in sums.iter().enumerate() {
            let text = scale(sum);
            let notes = gaps.min(text / TOKENS_PER_NOTE + 1);
            let expected = (text + notes * NOTE_TOKENS).max(least);
            if expected > next {
                if at > 0 && steps.last().is_some_and(|step| step.items < at) {
                    steps.push(Step { items: at, tokens: least });
                }
                while next < expected {
                    next += (next / 112).max(LEAST_STEP);
                }
            }
            least = expected;
        }
        if steps.last().is_some_and(|step| step.items < self.order.len()) {
            steps.push(Step { items: self.order.len(), tokens: least });
        }
        steps
    }
}

/// The stretches of ids without a kept one.
struct Gaps {
    /// The place of each unit among those with an id.
    places: Vec<usize>,
    kept: Vec<bool>,
    count: usize,
}

impl Gaps {
    fn new(draft: &Draft<'_>, units: &Units) -> Self {
        let mut next = 0;
        let places = units
            .list()
            .iter()
            .map(|unit| {
                if draft.page().references().line_number(unit.node).is_none() {
                    return usize::MAX;
                }
                next += 1;
                next
            })
            .collect();
        // A kept one at either end.
        let mut kept = vec![false; next + 2];
        kept[0] = true;
        kept[next + 1] = true;
        Self { places, kept, count: usize::from(next > 0) }
    }

    fn fill(&mut self, unit: usize) {
        let place = self.places[unit];
        if place == usize::MAX || std::mem::replace(&mut self.kept[place], true) {
            return;
        }
        match (self.kept[place - 1], self.kept[place + 1]) {
            (true, true) => self.count = self.count.saturating_sub(1),
            (false, false) => self.count += 1,
            _ => {}
        }
    }
}

/// Orders all items by value per token; what another item needs comes before it. A target that
/// was not shown as one when nothing was left out (the way back from a footnote) never is.
fn order(
    draft: &Draft<'_>,
    units: &Units,
    pieces: &[Piece],
    parts: &Parts,
    values: &Values,
    wanted: &Ids,
) -> Vec<Item> {
    let is_shown = |unit: usize| {
        let Unit { node, kind, .. } = units.list()[unit];
        let number = draft.page().references().line_number(node);
        kind != UnitKind::Target || number.is_none_or(|number| wanted.contains(number))
    };
    let densities = grouped(draft, units, parts, values);
    let mut ranked: Vec<(f64, Item)> = Vec::new();
    let density = |value: f64, cost: u32| value / f64::from(cost.max(1));
    ranked.extend(densities.iter().enumerate().map(|(unit, &density)| (density, Item::Unit(unit))));
    for (at, piece) in pieces.iter().enumerate() {
        let text = if piece.option.is_some() {
            draft.name(piece.node)
        } else {
            draft.document().text(piece.node).get(piece.start..piece.end).unwrap_or("")
        };
        ranked.push((values.of_piece(piece, text), Item::Piece(at)));
    }
    for (unit, &cost) in parts.addresses.iter().enumerate().filter(|&(_, &cost)| cost > 0) {
        ranked.push((density(values.of_address(unit), cost), Item::Address(unit)));
    }
    ranked.sort_by(|first, second| second.0.total_cmp(&first.0).then_with(|| rank(first.1).cmp(&rank(second.1))));
    let mut order = Vec::with_capacity(ranked.len());
    let mut placed = vec![false; units.list().len()];
    let mut chain = Vec::new();
    for (_, item) in ranked {
        let unit = match item {
            Item::Unit(unit) | Item::Address(unit) => unit,
            Item::Piece(piece) => pieces[piece].unit,
        };
        if !is_shown(unit) {
            continue;
        }
        let mut needed = Some(unit);
        while let Some(unit) = needed.filter(|&unit| !placed[unit]) {
            placed[unit] = true;
            chain.push(Item::Unit(unit));
            needed = units.list()[unit].above;
        }
        order.extend(chain.drain(..).rev());
        if !matches!(item, Item::Unit(_)) {
            order.push(item);
        }
    }
    order
}

fn rank(item: Item) -> (u8, usize) {
    match item {
        Item::Unit(unit) => (0, unit),
        Item::Piece(piece) => (1, piece),
        Item::Address(unit) => (2, unit),
    }
}

/// What a unit counts as: a few words alone say little, so that what is short is not the first to
/// be kept only because it is cheap.
fn weighed(parts: &Parts, at: usize) -> u32 {
    const WEIGHT: u32 = 12;
    parts.units[at].saturating_add(WEIGHT)
}

/// What is larger than this holds more than one thought.
const GROUP_TOKENS: u32 = 100;

/// The same of a row of a table, whose cells say little apart.
const ROW_TOKENS: u32 = 3 * GROUP_TOKENS;

/// The value per token of each unit; small things that stand together (a row, a card, a label
/// with its field) share theirs, so that they are kept or left out together.
fn grouped(draft: &Draft<'_>, units: &Units, parts: &Parts, values: &Values) -> Vec<f64> {
    let document = draft.document();
    let mut cost = vec![0u32; document.len()];
    let mut value = vec![0f64; document.len()];
    for (at, unit) in units.list().iter().enumerate() {
        cost[unit.node.index()] = weighed(parts, at);
        value[unit.node.index()] = values.of_unit(at);
    }
    let nodes = units.nodes();
    for &node in nodes.iter().rev() {
        let Some(parent) = document.composed_parent(node) else { continue };
        cost[parent.index()] = cost[parent.index()].saturating_add(cost[node.index()]);
        value[parent.index()] += value[node.index()];
    }
    // The topmost small thing that each node stands in.
    let mut group: Vec<Option<NodeId>> = vec![None; document.len()];
    for &node in nodes {
        let above = document.composed_parent(node).and_then(|parent| group[parent.index()]);
        let most = if draft.role(node) == Some(Role::Row) { ROW_TOKENS } else { GROUP_TOKENS };
        group[node.index()] = above.or_else(|| (cost[node.index()] <= most).then_some(node));
    }
    units
        .list()
        .iter()
        .enumerate()
        .map(|(at, unit)| {
            let own = values.of_unit(at) / f64::from(weighed(parts, at).max(1));
            if unit.kind == UnitKind::Note {
                return own;
            }
            match group[unit.node.index()] {
                Some(group) => value[group.index()] / f64::from(cost[group.index()].max(1)),
                None => own,
            }
        })
        .collect()
}
