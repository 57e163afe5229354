//! What each part of a draft is worth to a reader who has to act on the page.
//!
//! A target of the task comes before other controls, these before form state, headings and
//! landmarks, and these before text (the longer the text, the less each token of it is worth).
//! What has been said before, or is there once in each of many alike entries, is worth less.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::interest::Interest;
use super::pieces::Piece;
use super::units::{Unit, UnitKind, Units};
use crate::document::{NodeId, name};
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

/// The value of a token in the further sentences of a text, as a share of the text's value.
const PIECE_SHARE: f64 = 0.018;

/// How much less each further option of a list is worth.
const OPTION_DECAY: f64 = 0.1;

/// Runs of fewer entries are no repeats.
const LEAST_RUN: usize = 5;

/// What a link is worth more that is a heading too.
const TITLE: f64 = 5.0;

/// How much of its value a link keeps that stands in running text.
const PROSE_LINK: f64 = 0.55;

/// How much less each further saying of the same is worth.
const REPETITION: f64 = 0.1;

/// How much of its value a text keeps that says what the unit beside it says.
const SAID_BESIDE: f64 = 0.1;

/// How many entries of a run are worth the same.
const EXEMPLARS: u32 = 2;

/// How much of their value what comes late in a run keeps: what tells an entry from the others,
/// its other targets, its texts; and how much less with each further entry.
const LATE_TITLE: f64 = 0.7;
const LATE_TARGET: f64 = 0.45;
const LATE_TEXT: f64 = 0.6;
const LATE_DECAY: f64 = 0.05;

impl<'interest> Values<'interest> {
    /// Values all units.
    pub(crate) fn new(draft: &Draft<'_>, units: &Units, interest: Option<&'interest Interest>) -> Self {
        let regions = regions(draft, units.nodes());
        let repeats = Repeats::find(draft, units);
        let titles: FxHashSet<NodeId> = draft
            .merged()
            .iter()
            .filter(|&&(_, merged)| draft.role(merged) == Some(Role::Heading))
            .map(|&(survivor, _)| survivor)
            .collect();
        let values = units.list().iter().enumerate().map(|(at, unit)| {
            let node = unit.node.index();
            // Earlier is a little better.
            let place = 1.0 - 0.25 * share(at, units.list().len());
            let relevance = interest.map_or(0.0, |interest| f64::from(interest.near(unit.node)));
            let factor = 1.0 + RELEVANCE * relevance * relevance;
            let title = if titles.contains(&unit.node) { TITLE } else { 0.0 };
            let prose = if units.around_link(draft, at).is_some() { PROSE_LINK } else { 1.0 };
            (base(draft, unit) * prose + title)
                * regions.get(node).copied().unwrap_or(1.0)
                * unless_asked_for(repeats.factor(at), relevance)
                * place
                * factor
        });
        Self { units: values.collect(), interest }
    }

    /// The value of a unit without its pieces and address.
    pub(crate) fn of_unit(&self, unit: usize) -> f64 {
        self.units.get(unit).copied().unwrap_or_default()
    }

    /// The value of a piece with this text, for each token. Each further option of a list is worth
    /// less: there may be hundreds.
    pub(crate) fn of_piece(&self, piece: &Piece, text: &str) -> f64 {
        let relevance = self.interest.map_or(0.0, |interest| f64::from(interest.of_text(text)));
        let around = self.of_unit(piece.unit);
        let share = piece.option.map_or(around, |place| around / (1.0 + OPTION_DECAY * f64::from(place)));
        PIECE_SHARE * (share + RELEVANCE * relevance * relevance * around.min(4.0))
    }

    /// The value of showing a link's address.
    pub(crate) fn of_address(&self, unit: usize) -> f64 {
        0.05 * self.of_unit(unit).min(4.0)
    }
}

/// What is left of the penalty for repeating others: nothing for the one entry of many that the
/// task names, nearly all for those that only share words with it.
fn unless_asked_for(factor: f64, relevance: f64) -> f64 {
    factor + (1.0 - factor) * relevance.powi(4)
}

/// How much of its value what repeats keeps.
struct Repeats {
    factors: Vec<f64>,
}

impl Repeats {
    fn find(draft: &Draft<'_>, units: &Units) -> Self {
        let places = places(draft, LEAST_RUN);
        let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
        let mut factors = vec![1.0; units.list().len()];
        let mut titled = None;
        let words: Vec<u64> = units.list().iter().map(|unit| words_hash(draft, unit)).collect();
        for (at, unit) in units.list().iter().enumerate() {
            let own = words[at];
            let label = label(draft, unit, own);
            let times = seen.entry(label).and_modify(|times| *times += 1).or_insert(0);
            let mut factor = 1.0 / (1.0 + REPETITION * f64::from(*times));
            let beside = |other: Option<usize>| other.and_then(|other| words.get(other)) == Some(&own);
            if own != 0 && unit.kind == UnitKind::Text && (beside(at.checked_sub(1)) || is_label(units, &words, at)) {
                factor *= SAID_BESIDE;
            }
            let place = places.get(unit.node.index()).copied().unwrap_or_default();
            let late = place.saturating_sub(EXEMPLARS - 1);
            if late > 0 && !turns_a_page(draft, unit.node) {
                // The first heading or link of an entry tells it from the others.
                let names_entry = is_title(draft, unit) && titled != Some(place);
                if names_entry {
                    titled = Some(place);
                }
                let in_state = unit.kind == UnitKind::Target && is_in_state(draft, unit.node);
                let kept = match unit.kind {
                    _ if in_state => 1.0,
                    _ if names_entry => LATE_TITLE,
                    UnitKind::Target => LATE_TARGET,
                    _ => LATE_TEXT,
                };
                factor *= kept / (1.0 + LATE_DECAY * f64::from(late.min(40)));
            }
            factors[at] = factor;
        }
        Self { factors }
    }

    fn factor(&self, unit: usize) -> f64 {
        self.factors.get(unit).copied().unwrap_or(1.0)
    }
}

/// Whether the text is the name of the target behind it.
fn is_label(units: &Units, words: &[u64], at: usize) -> bool {
    units.list().get(at + 1).is_some_and(|next| next.kind == UnitKind::Target) && words.get(at + 1) == words.get(at)
}

fn is_title(draft: &Draft<'_>, unit: &Unit) -> bool {
    unit.kind == UnitKind::Heading || (unit.kind == UnitKind::Target && draft.role(unit.node) == Some(Role::Link))
}

/// What a unit says, together with what it is.
fn label(draft: &Draft<'_>, unit: &Unit, words: u64) -> u64 {
    let mut hasher = FxHasher::default();
    (draft.role(unit.node), unit.kind == UnitKind::Target, words).hash(&mut hasher);
    hasher.finish()
}

/// The words of a unit; 0 when there are none.
fn words_hash(draft: &Draft<'_>, unit: &Unit) -> u64 {
    let mut hasher = FxHasher::default();
    let mut any = false;
    let mut add = |text: &str| {
        for character in text.chars().filter(|character| character.is_alphanumeric()) {
            character.hash(&mut hasher);
            any = true;
        }
    };
    let name = draft.name(unit.node);
    if unit.kind == UnitKind::Target && !name.is_empty() {
        add(name);
    } else {
        for &node in &unit.content {
            add(draft.document().text(node));
        }
    }
    if any { hasher.finish().max(1) } else { 0 }
}

fn is_in_state(draft: &Draft<'_>, node: NodeId) -> bool {
    let states = draft.states(node);
    states.checked != Tristate::False
        || states.pressed != Tristate::False
        || states.selected
        || states.invalid
        || states.active
        || states.expanded == Some(true)
}

fn base(draft: &Draft<'_>, unit: &Unit) -> f64 {
    let node = unit.node;
    match unit.kind {
        UnitKind::Target => {
            let role = draft.role(node);
            let worth = match role {
                Some(Role::Link) if turns_a_page(draft, node) => 10.0,
                Some(Role::Link) => 4.0,
                _ if draft.states(node).disabled => 2.0,
                // Clickable, nobody says what for; often the label of a control.
                None | Some(Role::Generic) => 4.0,
                Some(
                    Role::TextBox
                    | Role::SearchBox
                    | Role::ComboBox
                    | Role::ListBox
                    | Role::Slider
                    | Role::SpinButton
                    | Role::Switch,
                ) => 14.0,
                _ => 8.0,
            };
            // Without a name there is little to choose it by.
            let named = if draft.name(node).is_empty() { 0.5 } else { 1.0 };
            worth * named + if is_in_state(draft, node) { 2.0 } else { 0.0 }
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
        UnitKind::Hidden => 0.01,
    }
}

/// Whether the link leads on in a series (HTML Standard, "sequential link types"), which makes it
/// a control of what is listed.
fn turns_a_page(draft: &Draft<'_>, link: NodeId) -> bool {
    let kinds = draft.page().document().attribute(link, name::REL).unwrap_or("");
    kinds.split_ascii_whitespace().any(|kind| kind.eq_ignore_ascii_case("next") || kind.eq_ignore_ascii_case("prev"))
}

/// How much what stands in each part of the page is worth.
fn regions(draft: &Draft<'_>, nodes: &[NodeId]) -> Vec<f64> {
    let document = draft.document();
    let mut regions = vec![1.0f64; document.len()];
    for &node in nodes {
        let above = document.composed_parent(node).map_or(1.0, |parent| regions[parent.index()]);
        regions[node.index()] = match draft.role(node) {
            Some(Role::Dialog | Role::AlertDialog) => (above * 2.0).min(4.0),
            Some(Role::Alert | Role::Status) => (above * 1.5).min(4.0),
            Some(Role::Navigation | Role::Complementary | Role::Banner) => above * 0.75,
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
