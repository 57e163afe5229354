//! The best snapshot for a number of tokens.
//!
//! What a page's targets, headings and texts are worth, in which order they are kept, and how
//! their costs are known from one writing of the whole: [`fit`] tries beginnings of one fixed
//! order, so that a larger budget never keeps fewer targets.
//!
//! The ladder, cheapest loss first: shorter addresses and fewer attributes, then wrappers merged
//! and nothing said twice (both in `lean`), long texts cut to their most telling sentences and
//! addresses left out, repeats (what comes late in a run of alike siblings is worth less),
//! regions left out down to an outline, and in the end a note of what there was. The parts below
//! the first step compete by value per token.

mod apply;
mod costs;
mod interest;
mod lean;
mod missing;
mod parts;
mod pieces;
mod plan;
mod search;
mod units;
mod values;

use std::cell::Cell;
use std::ops::RangeInclusive;

use crate::document::NodeId;
use crate::draft::Draft;
use crate::representations::Containers;
use crate::tokens::Encoding;
use crate::writer::Writer;

use costs::Costs;
use missing::Ids;
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

/// A line costs about so many tokens at least: a draft with more of them than fit is not written
/// as a whole to see whether it does.
const LEAST_LINE_TOKENS: usize = 8;

/// Finds what of a draft to keep within a budget. `write` writes a draft, tersely when asked;
/// `containers` says how it writes what only holds other elements. The page is written once as it
/// is unless it is far too large, once to see what each part costs, as often as the search needs
/// ([`search`] bounds it), and once or twice more where next to nothing has to go.
///
/// The text never costs more than the budget. All that the draft would have shown and that is
/// missing is in the result's elisions.
pub(crate) fn fit<'page>(
    draft: Draft<'page>,
    budget: Budget,
    containers: Containers,
    write: impl Fn(&Draft<'_>, bool) -> Writer,
) -> Fitted<'page> {
    let counter = budget.encoding.counter;
    let renders = Cell::new(0);
    let write = |draft: &Draft<'_>, terse| {
        renders.set(renders.get() + 1);
        write(draft, terse)
    };
    let written_if_it_fits = |draft: &Draft<'_>| {
        let writer = write(draft, false);
        counter.fits(writer.text(), budget.tokens).then_some(writer)
    };
    let lines = missing::lines(&draft);
    // Which links Markdown writes depends on their addresses: only the whole text tells.
    let by_text = containers == Containers::Marks;
    let may_fit = by_text || lines.len().saturating_mul(LEAST_LINE_TOKENS) <= budget.tokens;
    let mut wanted = None;
    if may_fit {
        let writer = write(&draft, false);
        if counter.fits(writer.text(), budget.tokens) {
            return Fitted { draft, writer, renders: renders.get() };
        }
        wanted = by_text.then(|| missing::written(&draft, &writer).collect());
    }
    let mut lean = draft.clone();
    lean::make_lean(&mut lean, containers);
    lean.share();
    let mut bare = lean.clone();
    apply::hide_addresses(&mut bare);
    let writer = write(&bare, true);
    let costs = Costs::measure(&writer, lean.document().len(), counter);
    let wanted: Ids = wanted.unwrap_or_else(|| missing::wanted(&lines, &lean, &writer));
    if costs.whole() <= budget.tokens {
        if !may_fit && let Some(writer) = written_if_it_fits(&draft) {
            return Fitted { draft, writer, renders: renders.get() };
        }
        // Nothing need be left out, perhaps not even much of the page's own form.
        let mut light = draft;
        lean::make_light(&mut light, containers);
        if let Some(writer) = written_if_it_fits(&light) {
            missing::list_missing(&mut light, &wanted, &writer, |_| true);
            return Fitted { draft: light, writer, renders: renders.get() };
        }
    }
    let plan = Plan::new(&lean, &costs, &wanted, address_mark(containers, &writer), counter);
    let mut best: Option<Trial<'_>> = None;
    let found = search::largest_that_fits(plan.ladder(), budget.tokens, |step| {
        let mut draft = lean.clone();
        let selection = plan.selection(plan.ladder()[step]);
        apply(&mut draft, plan.units(), plan.pieces(), &selection);
        lean::merge_wrappers(&mut draft, containers);
        let writer = write(&draft, true);
        let tokens = counter.count(writer.text());
        if tokens <= budget.tokens && best.as_ref().is_none_or(|best| best.step < step) {
            best = Some(Trial { step, draft, selection, writer });
        }
        tokens
    });
    let found = best.filter(|trial| Some(trial.step) == found);
    if let Some(Trial { mut draft, selection, writer, .. }) = found {
        let is_kept = |node| plan.units().at(node).is_none_or(|unit| selection.units[unit]);
        missing::list_missing(&mut draft, &wanted, &writer, is_kept);
        return Fitted { draft, writer, renders: renders.get() };
    }
    // Not even a note fits.
    let writer = Writer::default();
    missing::list_missing(&mut lean, &wanted, &writer, |_| false);
    Fitted { draft: lean, writer, renders: renders.get() }
}

/// What is written with an address besides its text, in tokens; nothing when no address is.
fn address_mark(containers: Containers, writer: &Writer) -> Option<u32> {
    match containers {
        // `- /url: ` in a line of its own.
        Containers::Roles => Some(6),
        // Quotation marks.
        Containers::Unwritten => Some(2),
        // `=`
        Containers::Tags => Some(1),
        // In Markdown ids stand in their place.
        Containers::Marks if writer.written().iter().any(|written| written.reference.is_some()) => None,
        Containers::Marks => Some(1),
    }
}

/// A step of the ladder as written.
struct Trial<'page> {
    step: usize,
    draft: Draft<'page>,
    selection: Selection,
    writer: Writer,
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
    let all: Ids = (0..chosen.len()).filter_map(number).collect();
    let kept: Ids = (0..chosen.len()).filter(|&at| chosen[at]).filter_map(number).collect();
    let count = units.list().len();
    let selection = Selection {
        units: chosen,
        pieces: vec![true; pieces.len()],
        addresses: vec![true; count],
        words: vec![false; count],
        notes,
        reason,
    };
    apply(draft, units, &pieces, &selection);
    lean::merge_wrappers(draft, Containers::Tags);
    if notes.is_some() {
        missing::list_gaps(draft, &all, &kept, reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::representations::{REPRESENTATIONS, ReferencePolicy, View, WriteOptions};
    use crate::{Page, PageOptions, Pipeline, Recipe, stages};

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
    fn links_that_markdown_leaves_out_by_their_address_are_in_no_smaller_snapshot() {
        let o200k = crate::tokens::find("o200k_base").expect("in the table");
        let entry = |at: usize| {
            format!("<li><a href=\"#\"><svg aria-hidden=true></svg></a><a href=/tea/{at}>Tea {at}</a> in tins</li>")
        };
        let html = format!("<ul>{}</ul>", (0..60).map(entry).collect::<String>());
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let pipeline = |budget| {
            let recipe = Recipe::preset("read").expect("is there");
            let options = WriteOptions { references: Some(ReferencePolicy::Targets), ..WriteOptions::default() };
            Pipeline::new(&recipe, "markdown").expect("exists").with_options(options).with_budget(budget, o200k)
        };
        let mut shown = 0;
        for budget in (60..1600).step_by(20) {
            let snapshot = pipeline(budget).run(&page).expect("runs");
            let targets =
                snapshot.map.entries.iter().filter(|entry| entry.actionable && entry.reference.is_some()).count();
            assert!(targets >= shown, "{targets} targets within {budget} tokens and {shown} within fewer");
            shown = targets;
        }
        assert_eq!(shown, 60);
    }

    #[test]
    fn expected_costs_are_close_to_real_ones() {
        let corpora = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
        let counter = crate::tokens::find("o200k_base").expect("in the table").counter;
        let options = WriteOptions::default();
        let mut faults = Vec::new();
        for name in ["article", "cjk", "shop-listing", "mail-inbox", "settings-tabs"] {
            let bytes = std::fs::read(corpora.join(name).join("page.html")).expect("the page is there");
            let page = Page::read(&bytes, &PageOptions::default()).expect("reads");
            for kind in REPRESENTATIONS {
                let options = WriteOptions { terse: true, ..options.clone() };
                let write = |draft: &Draft<'_>| {
                    let mut writer = Writer::default();
                    let view = View { draft, options: &options, references: kind.references };
                    kind.representation.write(&view, &mut writer);
                    writer
                };
                let mut lean = draft(&page);
                let lines = missing::lines(&lean);
                lean::make_lean(&mut lean, kind.containers);
                let mut bare = lean.clone();
                apply::hide_addresses(&mut bare);
                let writer = write(&bare);
                let costs = Costs::measure(&writer, lean.document().len(), counter);
                let wanted = missing::wanted(&lines, &lean, &writer);
                let plan = Plan::new(&lean, &costs, &wanted, address_mark(kind.containers, &writer), counter);
                for &step in plan.ladder().iter().skip(1).step_by(9) {
                    let mut fitted = lean.clone();
                    apply(&mut fitted, plan.units(), plan.pieces(), &plan.selection(step));
                    lean::merge_wrappers(&mut fitted, kind.containers);
                    let real = counter.count(write(&fitted).text());
                    let percent = 100 * real / step.tokens.max(1);
                    if step.tokens > 600 && !(80..=125).contains(&percent) {
                        faults.push(format!("{name} {}: {real}, expected {}", kind.name, step.tokens));
                    }
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
