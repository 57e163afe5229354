//! Several pipelines on one page: what they begin with in common is done once.

use std::borrow::Cow;

use super::{Pipeline, Snapshot};
use crate::draft::Draft;
use crate::error::Error;
use crate::page::Page;

/// Pipelines that have taken the same steps so far.
struct Group<'page> {
    /// What these steps have made of the page.
    draft: Draft<'page>,
    /// How many they were.
    steps: usize,
    /// The pipelines' places in the list of all.
    members: Vec<usize>,
}

impl Pipeline {
    /// Converts one page in several ways, and gives the results in the order of the pipelines. The
    /// stages that pipelines begin with in common are run once for all of them, which is most of
    /// what several representations have in common behind the reading of the page.
    ///
    /// Pipelines that keep a ledger are run one by one.
    ///
    /// # Errors
    /// Each result is what [`run`](Self::run) gives.
    ///
    /// ```
    /// use snapshot_core::{Page, PageOptions, Pipeline, Recipe};
    ///
    /// let page = Page::read(b"<p>Open to all. <a href=/map>Map</a>", &PageOptions::default())?;
    /// let recipe = Recipe::preset("navigate")?;
    /// let pipelines = [Pipeline::new(&recipe, "ax")?, Pipeline::new(&recipe, "list")?];
    /// let snapshots = Pipeline::run_each(&pipelines, &page).into_iter().collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(snapshots[1].text, pipelines[1].run(&page)?.text);
    /// # Ok::<(), snapshot_core::Error>(())
    /// ```
    pub fn run_each(pipelines: &[Self], page: &Page) -> Vec<Result<Snapshot, Error>> {
        let mut results: Vec<Option<Result<Snapshot, Error>>> = Vec::new();
        results.resize_with(pipelines.len(), || None);
        let mut rest: Vec<usize> = (0..pipelines.len()).filter(|&at| pipelines[at].ledger.is_none()).collect();
        while let Some(&first) = rest.first() {
            let task = &pipelines[first].task;
            let (members, others) = rest.into_iter().partition(|&at| pipelines[at].task == *task);
            run_group(pipelines, Group { draft: pipelines[first].new_draft(page), steps: 0, members }, &mut results);
            rest = others;
        }
        // Those that keep a ledger are left, and those of which a stage failed: it is their options
        // or the page that are wrong, so each meets it alone.
        results
            .into_iter()
            .zip(pipelines)
            .map(|(result, pipeline)| result.unwrap_or_else(|| pipeline.run(page)))
            .collect()
    }
}

/// Runs a group, and those that it divides into, to the end. Those of which a stage fails get no
/// result.
fn run_group(pipelines: &[Pipeline], group: Group<'_>, results: &mut [Option<Result<Snapshot, Error>>]) {
    let mut groups = vec![group];
    while let Some(Group { mut draft, steps, members }) = groups.pop() {
        let next = |at: usize| pipelines[at].steps().nth(steps);
        let Some(&first) = members.first() else { continue };
        let step = next(first);
        let (members, others): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|&at| next(at).map(|step| &step.step) == step.map(|step| &step.step));
        if !others.is_empty() {
            groups.push(Group { draft: draft.clone(), steps, members: others });
        }
        match step {
            Some(step) => {
                if step.apply(&mut draft).is_ok() {
                    groups.push(Group { draft, steps: steps + 1, members });
                }
            }
            None => {
                for &at in members.iter().skip(1) {
                    results[at] = Some(Ok(pipelines[at].write_snapshot(Cow::Borrowed(&draft))));
                }
                results[first] = Some(Ok(pipelines[first].write_snapshot(Cow::Owned(draft))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions, Pipeline, Recipe, tokens};

    #[test]
    fn each_gets_what_it_would_get_alone() {
        let rows = "<li><a href=/tea>Tea</a> picked by hand, <b>dried</b> <button>Buy</button></li>".repeat(40);
        let html = format!("<title>Shop</title><nav hidden>x</nav><main><ul>{rows}</ul><!-- end --></main>");
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let pipeline = |recipe: &str, representation| {
            let recipe = Recipe::from_list(recipe).expect("a recipe");
            Pipeline::new(&recipe, representation).expect("exists")
        };
        let o200k = tokens::find("o200k_base").expect("is there");
        let pipelines = [
            pipeline("prune-hidden,prune-noise,clean", "ax"),
            pipeline("prune-hidden,prune-noise,clean", "html").with_budget(200, o200k),
            pipeline("prune-hidden,prune-noise", "markdown"),
            pipeline("prune-hidden,fold-repeats{keep=2}", "html"),
            pipeline("prune-hidden,fold-repeats{keep=3}", "html"),
            pipeline("prune-hidden,fold-repeats{keep=2}", "html").with_expanded([4..=6]),
            pipeline("prune-hidden,extract{keep=2}", "list").with_task("buy tea"),
            pipeline("prune-hidden", "list").with_ledger(o200k.counter),
            pipeline("none", "html"),
            pipeline("scope{selector=aside,strict=true}", "html"),
            pipeline("prune-hidden,prune-noise,clean", "list"),
        ];
        let together = Pipeline::run_each(&pipelines, &page);
        assert_eq!(together.len(), pipelines.len());
        for (at, (together, pipeline)) in together.into_iter().zip(&pipelines).enumerate() {
            match (together, pipeline.run(&page)) {
                (Ok(together), Ok(alone)) => {
                    assert_eq!(format!("{together:#?}"), format!("{alone:#?}"), "{at}");
                }
                (Err(together), Err(alone)) => assert_eq!(together.to_string(), alone.to_string(), "{at}"),
                (together, alone) => panic!("{at}: {together:?} and {alone:?}"),
            }
        }
        assert!(Pipeline::run_each(&[], &page).is_empty());
    }
}
