//! What each part of a draft is worth to a reader who has to act on the page.
//!
//! A target of the task comes before other controls, these before form state, headings and
//! landmarks, and these before text (the longer the text, the less each token of it is worth).

use super::interest::Interest;
use super::pieces::Piece;
use super::units::{Unit, UnitKind, Units};
use crate::document::NodeId;
use crate::draft::Draft;
use crate::semantics::{Role, Tristate};
use crate::stages::fold_repeats::places;

/// The value of each unit, and how relevant it is.
#[derive(Clone, Debug)]
pub(crate) struct Values<'interest> {
    units: Vec<f64>,
    interest: Option<&'interest Interest>,
}

/// How much more the most relevant unit is worth than one that has nothing to do with the task.
const RELEVANCE: f64 = 30.0;

/// How much of a unit's value each further sentence of it has.
const PIECE_SHARE: f64 = 0.03;

/// Runs of fewer entries are no repeats.
const LEAST_RUN: usize = 5;

/// How many entries of a run are worth the same.
const EXEMPLARS: u32 = 3;

impl<'interest> Values<'interest> {
    /// Values all units.
    pub(crate) fn new(draft: &Draft<'_>, units: &Units, interest: Option<&'interest Interest>) -> Self {
        let places = places(draft, LEAST_RUN);
        let regions = regions(draft);
        let values = units.list().iter().enumerate().map(|(at, unit)| {
            let node = unit.node.index();
            let repeated = places.get(node).copied().unwrap_or_default().saturating_sub(EXEMPLARS - 1);
            let repeated = 1.0 / (1.0 + 0.04 * f64::from(repeated.min(40)));
            // Earlier is a little better.
            let place = 1.0 - 0.25 * share(at, units.list().len());
            let relevance = interest.map_or(0.0, |interest| f64::from(interest.near(unit.node)));
            let factor = 1.0 + RELEVANCE * relevance * relevance;
            base(draft, unit) * regions.get(node).copied().unwrap_or(1.0) * repeated * place * factor
        });
        Self { units: values.collect(), interest }
    }

    /// The value of a unit without its pieces and address.
    pub(crate) fn of_unit(&self, unit: usize) -> f64 {
        self.units.get(unit).copied().unwrap_or_default()
    }

    /// The value of a piece with this text.
    pub(crate) fn of_piece(&self, piece: &Piece, text: &str) -> f64 {
        let relevance = self.interest.map_or(0.0, |interest| f64::from(interest.of_text(text)));
        let around = self.of_unit(piece.unit);
        (0.5 + RELEVANCE * relevance * relevance) * around.min(4.0) + PIECE_SHARE * around
    }

    /// The value of showing a link's address.
    pub(crate) fn of_address(&self, unit: usize) -> f64 {
        0.15 * self.of_unit(unit).min(4.0)
    }
}

fn base(draft: &Draft<'_>, unit: &Unit) -> f64 {
    let node = unit.node;
    match unit.kind {
        UnitKind::Target => {
            let role = draft.role(node);
            let states = draft.states(node);
            let in_state = states.checked != Tristate::False
                || states.selected
                || states.invalid
                || states.active
                || states.expanded == Some(true);
            let worth = match role {
                Some(Role::Link) => 5.0,
                Some(Role::Option | Role::MenuItem) => 4.0,
                _ if states.disabled => 2.0,
                // Clickable, nobody says what for; often the label of a control.
                None | Some(Role::Generic) => 4.0,
                _ => 8.0,
            };
            // Without a name there is little to choose it by.
            let named = if draft.name(node).is_empty() { 0.5 } else { 1.0 };
            worth * named + if in_state { 2.0 } else { 0.0 }
        }
        UnitKind::Heading => match draft.states(node).level {
            0 | 1 => 8.0,
            2 => 6.0,
            _ => 5.0,
        },
        UnitKind::Title => 6.0,
        UnitKind::Text => 4.0,
        UnitKind::Note => 4.0,
        UnitKind::Other => 0.3,
    }
}

/// How much what stands in each part of the page is worth.
fn regions(draft: &Draft<'_>) -> Vec<f64> {
    let document = draft.document();
    let mut regions = vec![1.0f64; document.len()];
    for node in document.composed_descendants(NodeId::DOCUMENT) {
        let above = document.composed_parent(node).map_or(1.0, |parent| regions[parent.index()]);
        regions[node.index()] = match draft.role(node) {
            Some(Role::Dialog | Role::AlertDialog) => (above * 2.0).min(4.0),
            Some(Role::Alert | Role::Status) => (above * 1.5).min(4.0),
            Some(Role::Navigation | Role::Complementary | Role::Banner) => above * 0.85,
            Some(Role::ContentInfo) => above * 0.6,
            _ => above,
        };
    }
    regions
}

fn share(at: usize, all: usize) -> f64 {
    let as_number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    as_number(at) / as_number(all.max(1))
}
