//! The ids that a text should show, and those of them that it does not.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use crate::document::NodeId;
use crate::draft::{Draft, Elision};
use crate::writer::Writer;

/// A set of ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    has: Vec<bool>,
}

impl Ids {
    pub(super) fn contains(&self, number: u32) -> bool {
        self.has.get(number as usize).copied().unwrap_or_default()
    }

    fn insert(&mut self, number: u32) {
        let at = number as usize;
        if at >= self.has.len() {
            self.has.resize(at + 1, false);
        }
        self.has[at] = true;
    }

    /// All of them, rising.
    fn iter(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.has).filter(|(_, has)| **has).map(|(number, _)| number)
    }

    fn has_any(&self, range: RangeInclusive<u32>) -> bool {
        range.into_iter().any(|number| self.contains(number))
    }
}

impl FromIterator<u32> for Ids {
    fn from_iter<Numbers: IntoIterator<Item = u32>>(numbers: Numbers) -> Self {
        let mut ids = Self::default();
        numbers.into_iter().for_each(|number| ids.insert(number));
        ids
    }
}

/// The targets, headings and text blocks of a draft.
pub(super) fn lines(draft: &Draft<'_>) -> Vec<NodeId> {
    let references = draft.page().references();
    let nodes = draft.document().composed_descendants(NodeId::DOCUMENT);
    nodes.filter(|&node| references.line_number(node).is_some()).collect()
}

/// The ids that a draft with these `lines` shows when nothing is left out for want of tokens: by
/// what `writer` has written of it when it was made `lean`, and by what went when it was.
pub(super) fn wanted(lines: &[NodeId], lean: &Draft<'_>, writer: &Writer) -> Ids {
    let mut stands = vec![false; lean.document().len()];
    for node in lean.document().composed_descendants(NodeId::DOCUMENT) {
        stands[node.index()] = true;
    }
    let references = lean.page().references();
    let gone = lines.iter().filter(|line| !stands[line.index()]).filter_map(|&line| references.line_number(line));
    written(lean, writer).chain(gone).collect()
}

/// The ids of what stands in a text, whether it carries ids or not. A target of which nothing is
/// written does not stand there.
pub(super) fn written(draft: &Draft<'_>, writer: &Writer) -> impl Iterator<Item = u32> {
    let shows = writer.written().iter().filter(|written| !written.span.is_empty() || !draft.is_target(written.node));
    let numbers = shows.filter_map(|written| written.reference.or_else(|| draft.reference(written.node)));
    numbers.filter(|&number| draft.page().references().is_line(number))
}

/// Lists every id that is wanted, or had been left out before, and is not shown: in stretches
/// without one that is. A target is shown when it is written; anything else when `is_kept` says
/// so, wherever its text stands now.
pub(super) fn list_missing(draft: &mut Draft<'_>, wanted: &Ids, writer: &Writer, is_kept: impl Fn(NodeId) -> bool) {
    let standing: Ids = written(draft, writer).collect();
    let survivors: FxHashMap<NodeId, NodeId> =
        draft.merged().iter().map(|&(survivor, merged)| (merged, survivor)).collect();
    let references = draft.page().references();
    let is_shown = |number: u32| {
        let Some(node) = references.node(number) else { return false };
        if draft.is_target(node) {
            // Also one that another target stands for: its id is not there.
            return standing.contains(number);
        }
        let node = survivors.get(&node).copied().unwrap_or(node);
        if draft.is_target(node) {
            references.number(node).is_some_and(|number| standing.contains(number))
        } else {
            is_kept(node)
        }
    };
    let shown: Ids = wanted.iter().filter(|&number| is_shown(number)).collect();
    list_gaps(draft, wanted, &shown, "budget");
}

/// Lists the ids that are wanted and not shown.
pub(super) fn list_gaps(draft: &mut Draft<'_>, wanted: &Ids, shown: &Ids, reason: &'static str) {
    let missing = wanted.iter().filter(|&number| !shown.contains(number)).map(|number| (number, number, 1, reason));
    let earlier = draft.elisions().iter().map(|earlier| (earlier.first, earlier.last, earlier.count, earlier.reason));
    let mut missing: Vec<(u32, u32, usize, &'static str)> = missing.chain(earlier).collect();
    missing.sort_unstable();
    let mut list: Vec<Elision> = Vec::new();
    for (first, last, count, reason) in missing {
        match list.last_mut() {
            Some(elision) if elision.reason == reason && !shown.has_any(elision.last..=first.max(elision.last)) => {
                elision.last = elision.last.max(last);
                elision.count += count;
            }
            _ => list.push(Elision { first, last, count, reason }),
        }
    }
    draft.set_elisions(list);
}
