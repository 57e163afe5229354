//! Shows a few of many alike siblings, a count and the ids of the rest.
//!
//! Before: `<ul><li>Ash</li><li>Beech</li><li>Cedar</li>… 40 more …</ul>`
//!
//! After: `<ul><li>Ash</li><li>Beech</li><li>Cedar</li><!-- … 40 more like e7–e46 --></ul>`
//!
//! Siblings are alike when most kinds of elements in one are in the other; wrappers, rules
//! between them and entries of several siblings (a row and its detail row) do not matter.
//! Shown are the first ones, those that have a column or control that no earlier one has, those
//! in a state (ticked, chosen, open) and those that the task is about. Running text is not
//! folded, nor are form fields, nor what would save less than the note costs. Every folded
//! target can be asked for by its id.

mod runs;
mod shapes;

use super::Stage;
use crate::document::{Document, NodeId};
use crate::draft::{Draft, FOLDED};
use crate::error::Error;

pub(crate) use runs::{Run, find as find_runs};
pub(crate) use shapes::{Shape, Shapes};

/// The stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct FoldRepeats {
    /// How many of a run are shown at least.
    pub keep: usize,
    /// The least number of entries that is folded at all.
    pub min: usize,
}

impl Default for FoldRepeats {
    fn default() -> Self {
        Self { keep: 3, min: 8 }
    }
}

/// How many more than asked for are shown because they differ, of each kind of reason.
const MOST_OTHERS: usize = 4;

/// Form fields are folded only from this length on: nobody fills in so many one by one.
const MANY_FIELDS: usize = 60;

/// A note costs about as much as this many bytes of what it stands for.
const NOTE_BYTES: usize = 80;

/// Relevance from which an entry is one that the task is about.
const RELEVANT: f32 = 0.4;

impl Stage for FoldRepeats {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let shapes = Shapes::compute(draft);
        let nodes: Vec<NodeId> = std::iter::once(NodeId::DOCUMENT)
            .chain(draft.document().composed_descendants(NodeId::DOCUMENT))
            .filter(|&node| draft.document().first_child(node).is_some())
            .collect();
        let mut gone = vec![false; draft.document().len()];
        for node in nodes {
            if draft.document().composed_parent(node).is_some_and(|parent| gone[parent.index()]) || gone[node.index()] {
                gone[node.index()] = true;
                continue;
            }
            for run in find_runs(draft, &shapes, node, self.min.max(2)) {
                for folded in self.choose(draft, &shapes, &run) {
                    for &node in &folded {
                        gone[node.index()] = true;
                    }
                    draft.elide(&folded, FOLDED);
                }
            }
        }
        Ok(())
    }
}

impl FoldRepeats {
    /// The stretches of a run to fold.
    fn choose(&self, draft: &Draft<'_>, shapes: &Shapes, run: &Run) -> Vec<Vec<NodeId>> {
        let items: Vec<Shape> = run.items.iter().map(|item| whole(shapes, item)).collect();
        if items.iter().any(|item| item.has_field) && items.len() < MANY_FIELDS {
            return Vec::new();
        }
        let shown = self.shown(draft, run, &items);
        let mut stretches: Vec<(Vec<NodeId>, usize, u32)> = Vec::new();
        let mut open = false;
        for ((item, shape), shown) in run.items.iter().zip(&items).zip(shown) {
            if shown {
                open = false;
                continue;
            }
            if !open {
                stretches.push((Vec::new(), 0, 0));
                open = true;
            }
            if let Some((nodes, bytes, lines)) = stretches.last_mut() {
                nodes.extend(item);
                *bytes += shape.text as usize + 12 * shape.lines as usize;
                *lines += shape.lines;
            }
        }
        stretches.retain(|&(_, bytes, lines)| bytes > NOTE_BYTES && lines > 1);
        stretches.into_iter().map(|(nodes, _, _)| nodes).collect()
    }

    /// Which items of a run stay.
    fn shown(&self, draft: &Draft<'_>, run: &Run, items: &[Shape]) -> Vec<bool> {
        let all_controls = items.iter().fold(0, |all, item| all | item.controls);
        // Many names of buttons are names of entries, not kinds of controls.
        let names_matter = all_controls.count_ones() as usize <= 6.min(items.len() / 2);
        let mut shown = vec![false; items.len()];
        let (mut kinds, mut controls) = (0, 0);
        let (mut differing, mut in_state) = (0, 0);
        for (at, item) in items.iter().enumerate() {
            let new_kind = item.kinds & !kinds != 0 || (names_matter && item.controls & !controls != 0);
            let first = at < self.keep.max(1);
            if first || (new_kind && differing < MOST_OTHERS) || (item.has_state && in_state < MOST_OTHERS) {
                shown[at] = true;
                differing += usize::from(!first && new_kind);
                in_state += usize::from(!first && item.has_state);
                kinds |= item.kinds;
                controls |= item.controls;
            }
        }
        if let Some(relevance) = draft.relevance() {
            let mut relevant: Vec<(f32, usize)> = run
                .items
                .iter()
                .enumerate()
                .map(|(at, item)| (item.iter().map(|&node| relevance.within(node)).fold(0.0, f32::max), at))
                .filter(|&(score, at)| score >= RELEVANT && !shown[at])
                .collect();
            relevant.sort_by(|first, second| second.0.total_cmp(&first.0).then(first.1.cmp(&second.1)));
            for (_, at) in relevant.into_iter().take(MOST_OTHERS) {
                shown[at] = true;
            }
        }
        shown
    }
}

/// The shape of an entry of several siblings.
fn whole(shapes: &Shapes, item: &[NodeId]) -> Shape {
    item.iter().map(|&node| shapes.of(node)).fold(Shape::default(), |mut whole, shape| {
        whole.kinds |= shape.kinds;
        whole.controls |= shape.controls;
        whole.text = whole.text.saturating_add(shape.text);
        whole.lines = whole.lines.saturating_add(shape.lines);
        whole.targets = whole.targets.saturating_add(shape.targets);
        whole.has_state |= shape.has_state;
        whole.has_field |= shape.has_field;
        whole
    })
}

/// The place of each node in the run it belongs to, 0 for those in none; entries of runs within
/// runs count from their own list.
pub(crate) fn places(draft: &Draft<'_>, least: usize) -> Vec<u32> {
    let document: &Document = draft.document();
    let shapes = Shapes::compute(draft);
    let mut places = vec![0u32; document.len()];
    let nodes = std::iter::once(NodeId::DOCUMENT).chain(document.composed_descendants(NodeId::DOCUMENT));
    for node in nodes {
        if let Some(parent) = document.composed_parent(node) {
            places[node.index()] = places[node.index()].max(places[parent.index()]);
        }
        if document.first_child(node).is_none() {
            continue;
        }
        for run in find_runs(draft, &shapes, node, least) {
            for (place, item) in run.items.iter().enumerate() {
                for &node in item {
                    places[node.index()] = u32::try_from(place).unwrap_or(u32::MAX);
                }
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions, Pipeline, Recipe};

    fn fold(body: &str, options: &[(&str, &str)]) -> (String, Vec<usize>) {
        let page = Page::read(body.as_bytes(), &PageOptions::default()).expect("reads");
        let recipe = Recipe::default().stage("clean", []).stage("fold-repeats", options.iter().copied());
        let snapshot = Pipeline::new(&recipe, "html").and_then(|pipeline| pipeline.run(&page)).expect("converts");
        let body = snapshot.text.split("<body>").nth(1).expect("has a body").replace("</body></html>", "");
        (body, snapshot.elided.iter().map(|elided| elided.count).collect())
    }

    fn repeat(times: usize, item: impl Fn(usize) -> String) -> String {
        (0..times).map(item).collect()
    }

    #[test]
    fn a_long_list_shows_its_first_entries_and_says_how_many_there_are() {
        let list = format!("<ul>{}</ul>", repeat(20, |at| format!("<li><a href=/t/{at}>Topic number {at}</a></li>")));
        let (text, counts) = fold(&list, &[]);
        assert!(text.contains("Topic number 2<") && !text.contains("Topic number 3<"), "{text}");
        assert!(text.contains("<!-- … 17 more like e3–e19 --></ul>"), "{text}");
        assert_eq!(counts, [17]);
    }

    #[test]
    fn entries_are_found_in_uneven_wrappers_between_rules_and_in_pairs() {
        let wrapped = repeat(12, |at| {
            let card = format!("<article><h3>Card {at}</h3><a href=/c/{at}>Open the card</a></article>");
            if at % 3 == 0 { format!("<div><div>{card}</div></div>") } else { card }
        });
        let ruled = repeat(12, |at| format!("<div><a href=/{at}>A link to page {at}</a> <b>{at}</b></div><hr>"));
        let paired = format!(
            "<table>{}</table>",
            repeat(12, |at| format!(
                "<tr><td>{at}.</td><td><a href=/s/{at}>Story {at}</a></td></tr><tr><td>by {at}<a href=/h/{at}>hide</a><i>now</i></td></tr><tr></tr>"
            ))
        );
        for (kind, list) in [("wrapped", wrapped), ("ruled", ruled), ("paired", paired)] {
            let (text, counts) = fold(&format!("<main>{list}</main>"), &[("keep", "2")]);
            assert_eq!(counts.len(), 1, "{kind}: {text}");
            assert!(text.len() < list.len() / 2, "{kind}: {text}");
        }
    }

    #[test]
    fn what_differs_and_what_is_in_a_state_is_shown() {
        let rows = repeat(30, |at| {
            let control = if at == 17 { "<button>Notify me</button>" } else { "<button>Add to cart</button>" };
            let chosen = if at == 23 { " aria-selected=true role=row" } else { " role=row" };
            format!("<tr{chosen}><td>Plate of kind {at}</td><td>{control}</td></tr>")
        });
        let (text, counts) = fold(&format!("<table>{rows}</table>"), &[]);
        for shown in ["kind 0<", "kind 17<", "kind 23<"] {
            assert!(text.contains(shown), "{shown} in {text}");
        }
        assert_eq!(counts.len(), 3, "{text}");
    }

    #[test]
    fn running_text_fields_and_short_lists_stay() {
        let prose =
            repeat(20, |at| format!("<p>Paragraph {at} of a story that somebody would like to read in full.</p>"));
        let fields = repeat(20, |at| format!("<div><label>Field number {at} <input name=f{at}></label></div>"));
        let radios = repeat(12, |at| format!("<label><input type=radio name=r value={at}> Choice number {at}</label>"));
        let short = "<ul><li>a<li>b<li>c<li>d<li>e<li>f<li>g<li>h<li>i</ul>".to_owned();
        for kept in [prose, fields, radios, short] {
            assert_eq!(fold(&kept, &[]).1, [0usize; 0], "{kept}");
        }
    }

    #[test]
    fn folding_takes_linear_time() {
        let seconds = |count: usize| {
            let page = repeat(count, |at| format!("<div><b>{at}</b></div>{}", "<i></i>".repeat(at % 3)));
            let page = Page::read(page.as_bytes(), &PageOptions::default()).expect("reads");
            let recipe = Recipe::default().stage("fold-repeats", []);
            let pipeline = Pipeline::new(&recipe, "html").expect("is known");
            let start = std::time::Instant::now();
            pipeline.run(&page).expect("converts");
            start.elapsed().as_secs_f64()
        };
        let (small, large) = (seconds(4_000), seconds(32_000));
        assert!(large < 24.0 * small + 0.5, "{small} s and {large} s");
    }
}
