//! The best snapshot for a number of tokens.
//!
//! What a page's targets, headings and texts are worth, in which order they are kept, and how
//! their costs are known from one writing of the whole: [`fit`] tries beginnings of one fixed
//! order, so that a larger budget never keeps fewer targets.
//!
//! The ladder, cheapest loss first: shorter addresses and fewer attributes (`lean`), long texts
//! cut to their most telling sentences and addresses left out, repeats (what comes late in a run
//! of alike siblings is worth less), wrappers merged, regions left out down to an outline, and
//! in the end a note of what there was. The parts below the first step compete by value per
//! token.

mod apply;
mod costs;
mod counting;
mod interest;
mod lean;
mod pieces;
mod plan;
mod units;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::document::NodeId;
use crate::draft::{Draft, Elision};
use crate::tokens::Encoding;
use crate::writer::Writer;

use costs::Costs;
use counting::Counting;
use plan::Plan;

pub(crate) use apply::apply;
pub(crate) use interest::Interest;
pub(crate) use pieces::find as find_pieces;
pub(crate) use plan::Selection;
pub(crate) use units::{UnitKind, Units};

/// The most tokens that a snapshot may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) tokens: usize,
    pub(crate) encoding: &'static Encoding,
}

/// A draft that fits, as written.
pub(crate) struct Fitted<'page> {
    pub(crate) draft: Draft<'page>,
    pub(crate) writer: Writer,
    /// How often the page was written to find it.
    pub(crate) renders: usize,
}

/// Finds what of a draft to keep within a budget. `write` writes a draft; where it writes the
/// roles of what only holds other elements, these are let go before anything is left out.
///
/// The text never costs more than the budget. All that the draft would have shown and that is
/// missing is in the result's elisions.
pub(crate) fn fit<'page>(
    draft: Draft<'page>,
    budget: Budget,
    writes_roles: bool,
    write: impl Fn(&Draft<'_>) -> Writer,
) -> Fitted<'page> {
    let counting = Counting::new(budget.encoding);
    let mut renders = 0;
    let mut render = |draft: &Draft<'_>| {
        renders += 1;
        let writer = write(draft);
        let tokens = counting.count(writer.text());
        (writer, tokens)
    };
    let (writer, tokens) = render(&draft);
    if tokens <= budget.tokens {
        return Fitted { draft, writer, renders };
    }
    let wanted = shown(&draft, &writer);
    let mut lean = draft;
    lean::make_lean(&mut lean);
    let (writer, tokens) = render(&lean);
    if tokens <= budget.tokens {
        tell_elisions(&mut lean, &writer, &wanted);
        return Fitted { draft: lean, writer, renders };
    }
    let (writer, tokens) = if writes_roles {
        lean::merge_containers(&mut lean);
        render(&lean)
    } else {
        (writer, tokens)
    };
    if tokens <= budget.tokens {
        tell_elisions(&mut lean, &writer, &wanted);
        return Fitted { draft: lean, writer, renders };
    }
    let costs = Costs::measure(&writer, lean.document().len(), &counting);
    let interest = lean.relevance();
    let plan = Plan::new(&lean, &costs, tokens, interest.as_deref(), &counting);
    let mut trials = Trials { plan: &plan, lean: &lean, known: BTreeMap::new(), latest: None };
    for at in (0..plan.ladder().len()).rev() {
        if trials.is_hopeless(at, budget.tokens, &mut render) {
            continue;
        }
        let tokens = trials.tokens(at, &mut render);
        if tokens <= budget.tokens {
            let (mut fitted, selection, writer) = trials.take(at, &mut render);
            let mut shown = shown(&fitted, &writer);
            let emptied = plan.emptied(&fitted, &selection);
            shown.retain(|number| !emptied.contains(number));
            list_missing(&mut fitted, &wanted, &shown, "budget");
            return Fitted { draft: fitted, writer, renders };
        }
    }
    // Not even a note fits.
    let writer = Writer::default();
    tell_elisions(&mut lean, &writer, &wanted);
    Fitted { draft: lean, writer, renders }
}

/// Steps of a ladder that have been written to see what they cost.
struct Trials<'run, 'page> {
    plan: &'run Plan,
    lean: &'run Draft<'page>,
    known: BTreeMap<usize, usize>,
    /// The step written last.
    latest: Option<(usize, Draft<'page>, Selection, Writer)>,
}

/// The tokens of the first step that all expectations are held against; the others cost four
/// times as much as the one before.
const FIRST_GAUGE: usize = 128;

/// Real costs are taken to be between half and four times what is expected.
const LEAST_SHARE: usize = 2;
const MOST_TIMES: usize = 4;

impl<'page> Trials<'_, 'page> {
    /// Whether a step is known well enough to be over the budget not to be tried. What is tried
    /// for a budget depends on nothing else, so that the same steps, and larger ones, are tried
    /// for every larger budget.
    fn is_hopeless(
        &mut self,
        at: usize,
        budget: usize,
        render: &mut impl FnMut(&Draft<'_>) -> (Writer, usize),
    ) -> bool {
        let most = budget + budget / 40 + 4;
        let expected = self.plan.ladder()[at].tokens;
        if at == 0 || expected / LEAST_SHARE > most {
            return at != 0;
        }
        let (below, above) = self.gauges(at);
        let thousandths = |gauge: usize, trials: &mut Self, render: &mut _| {
            1000 * trials.tokens(gauge, render) / trials.plan.ladder()[gauge].tokens.max(1)
        };
        let low = thousandths(below, self, render);
        let share = if above == below {
            low
        } else {
            let high = thousandths(above, self, render);
            let width = above - below;
            (low * (above.saturating_sub(at)) + high * (at.saturating_sub(below))) / width
        };
        let gauged = expected.saturating_mul(share) / 1000;
        gauged.clamp(expected / LEAST_SHARE, expected.saturating_mul(MOST_TIMES)) > most
    }

    /// The steps around a step that are always written to see how far expectations are off.
    fn gauges(&self, at: usize) -> (usize, usize) {
        let ladder = self.plan.ladder();
        let last = ladder.len() - 1;
        let mut tokens = FIRST_GAUGE;
        let mut below = None;
        loop {
            let gauge = ladder.partition_point(|step| step.tokens < tokens).min(last);
            if gauge >= at || gauge == last {
                // Below the first gauge expectations are as far off as there.
                return (below.unwrap_or(gauge), gauge);
            }
            below = Some(gauge);
            tokens = tokens.saturating_mul(4);
        }
    }

    /// What a step costs.
    fn tokens(&mut self, at: usize, render: &mut impl FnMut(&Draft<'_>) -> (Writer, usize)) -> usize {
        if let Some(&tokens) = self.known.get(&at) {
            return tokens;
        }
        let (draft, selection) = self.draft(at);
        let (writer, tokens) = render(&draft);
        self.latest = Some((at, draft, selection, writer));
        self.known.insert(at, tokens);
        tokens
    }

    /// A step as written.
    fn take(
        &mut self,
        at: usize,
        render: &mut impl FnMut(&Draft<'_>) -> (Writer, usize),
    ) -> (Draft<'page>, Selection, Writer) {
        match self.latest.take() {
            Some((step, draft, selection, writer)) if step == at => (draft, selection, writer),
            _ => {
                let (draft, selection) = self.draft(at);
                let (writer, _) = render(&draft);
                (draft, selection, writer)
            }
        }
    }

    fn draft(&self, at: usize) -> (Draft<'page>, Selection) {
        let mut draft = self.lean.clone();
        let selection = self.plan.selection(self.plan.ladder()[at]);
        apply(&mut draft, self.plan.units(), self.plan.pieces(), &selection);
        (draft, selection)
    }
}

/// The ids that stand in a text, or would if it carried ids.
fn shown(draft: &Draft<'_>, writer: &Writer) -> BTreeSet<u32> {
    writer
        .written()
        .iter()
        .filter_map(|written| written.reference.or_else(|| draft.reference(written.node)))
        .filter(|&number| draft.page().references().is_line(number))
        .collect()
}

/// Lists every id that should have been shown, or had been left out before, and is not in the
/// text: in stretches without one that is.
fn tell_elisions(draft: &mut Draft<'_>, writer: &Writer, wanted: &BTreeSet<u32>) {
    let shown = shown(draft, writer);
    list_missing(draft, wanted, &shown, "budget");
}

fn list_missing(draft: &mut Draft<'_>, wanted: &BTreeSet<u32>, shown: &BTreeSet<u32>, reason: &'static str) {
    let earlier = draft.elisions().to_vec();
    let mut missing: Vec<(u32, u32, usize, &'static str)> =
        wanted.iter().filter(|number| !shown.contains(number)).map(|&number| (number, number, 1, reason)).collect();
    missing.extend(earlier.iter().map(|elision| (elision.first, elision.last, elision.count, elision.reason)));
    missing.sort_unstable();
    let mut list: Vec<Elision> = Vec::new();
    for (first, last, count, reason) in missing {
        match list.last_mut() {
            Some(elision)
                if elision.reason == reason && shown.range(elision.last..=first.max(elision.last)).next().is_none() =>
            {
                elision.last = elision.last.max(last);
                elision.count += count;
            }
            _ => list.push(Elision { first, last, count, reason }),
        }
    }
    draft.set_elisions(list);
}

/// Keeps only what has one of these ids, stands in the text of an element that has, or holds it.
pub(crate) fn expand(draft: &mut Draft<'_>, ids: &[RangeInclusive<u32>]) {
    let is_wanted = |draft: &Draft<'_>, node| {
        draft.reference(node).is_some_and(|number| ids.iter().any(|range| range.contains(&number)))
    };
    let units = Units::find(draft);
    let mut chosen = vec![false; units.list().len()];
    for node in draft.document().composed_descendants(NodeId::DOCUMENT) {
        if is_wanted(draft, node)
            && let Some(unit) = units.home(node)
        {
            chosen[unit] = true;
        }
    }
    keep_only(draft, &units, chosen, "not asked for", None);
}

/// Keeps only the units that are chosen, with what holds them. With a number of notes, what goes
/// is noted in the text and listed.
pub(crate) fn keep_only(
    draft: &mut Draft<'_>,
    units: &Units,
    mut chosen: Vec<bool>,
    reason: &'static str,
    notes: Option<usize>,
) {
    let pieces = find_pieces(draft, units);
    chosen.resize(units.list().len(), false);
    for at in (0..chosen.len()).rev() {
        if chosen[at]
            && let Some(above) = units.list()[at].above
        {
            chosen[above] = true;
        }
    }
    let number = |at: usize| draft.page().references().line_number(units.list()[at].node);
    let all: BTreeSet<u32> = (0..chosen.len()).filter_map(number).collect();
    let kept: BTreeSet<u32> = (0..chosen.len()).filter(|&at| chosen[at]).filter_map(number).collect();
    let count = units.list().len();
    let selection =
        Selection { units: chosen, pieces: vec![true; pieces.len()], addresses: vec![true; count], notes, reason };
    apply(draft, units, &pieces, &selection);
    if notes.is_some() {
        list_missing(draft, &all, &kept, reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::representations::{REPRESENTATIONS, View, WriteOptions};
    use crate::{Page, PageOptions, Recipe, stages};

    /// A draft of one of the project's pages, as far as the preset `navigate` takes it.
    fn draft(page: &Page) -> Draft<'_> {
        let mut draft = Draft::new(page);
        for step in Recipe::preset("navigate").expect("is there").steps() {
            let stage = stages::find(step.name()).and_then(|kind| kind.build(step.options().clone())).expect("builds");
            stage.apply(&mut draft).expect("applies");
        }
        draft
    }

    #[test]
    fn expected_costs_are_close_to_real_ones() {
        let corpora = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
        let counting = Counting::new(crate::tokens::find("o200k_base").expect("in the table"));
        let options = WriteOptions::default();
        let mut faults = Vec::new();
        for name in ["article", "cjk", "shop-listing", "mail-inbox", "settings-tabs"] {
            let bytes = std::fs::read(corpora.join(name).join("page.html")).expect("the page is there");
            let page = Page::read(&bytes, &PageOptions::default()).expect("reads");
            for kind in REPRESENTATIONS {
                let write = |draft: &Draft<'_>| {
                    let mut writer = Writer::default();
                    let view = View { draft, options: &options, references: kind.references };
                    kind.representation.write(&view, &mut writer);
                    writer
                };
                let mut lean = draft(&page);
                lean::make_lean(&mut lean);
                if kind.writes_roles {
                    lean::merge_containers(&mut lean);
                }
                let writer = write(&lean);
                let tokens = counting.count(writer.text());
                let costs = Costs::measure(&writer, lean.document().len(), &counting);
                let plan = Plan::new(&lean, &costs, tokens, None, &counting);
                for &step in plan.ladder().iter().skip(1).step_by(9) {
                    let mut fitted = lean.clone();
                    apply(&mut fitted, plan.units(), plan.pieces(), &plan.selection(step));
                    let real = counting.count(write(&fitted).text());
                    let percent = 100 * real / step.tokens.max(1);
                    if step.tokens > 600 && !(40..=200).contains(&percent) {
                        faults.push(format!("{name} {}: {real}, expected {}", kind.name, step.tokens));
                    }
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
