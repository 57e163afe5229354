//! Coverage at budget: what share of the corpora's tasks can be done at a number of tokens. The
//! committed ledger shows every change.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use snapshot_core::coverage::{Coverage, Task};
use snapshot_core::representations::{REPRESENTATIONS, ReferencePolicy, WriteOptions};
use snapshot_core::{Page, Pipeline, Recipe, Snapshot, tokens};
use snapshot_tests::{corpus, ledger};

const BUDGETS: &[usize] = &[1024, 2048, 4096, 8192];

/// The budget at which misses are listed and the goals hold.
const WATCHED: usize = 2048;

fn pipeline(representation: &str) -> Pipeline {
    let mut options = WriteOptions::default();
    options.references = Some(ReferencePolicy::Targets);
    let recipe = Recipe::preset("navigate").expect("the preset is there");
    Pipeline::new(&recipe, representation).expect("the representation is there").with_options(options)
}

#[test]
fn coverage_at_budget_is_as_committed() {
    let encoding = tokens::find("o200k_base").expect("in the table");
    let pages: Vec<(String, Page, Vec<Task>)> =
        corpus::pages().into_iter().map(|page| (page.name.clone(), page.read(), page.tasks.tasks)).collect();
    let all: usize = pages.iter().map(|(_, _, tasks)| tasks.len()).sum();
    let mut text = format!("# Of {all} tasks, how many can be done with a snapshot of so many o200k_base tokens.\n");
    for representation in REPRESENTATIONS {
        let name = representation.name;
        let mut counts = vec![(0usize, 0usize); BUDGETS.len()];
        let mut whole = 0;
        let mut misses: Vec<String> = Vec::new();
        let mut rows = String::new();
        for (page_name, page, tasks) in &pages {
            let coverage = Coverage::new(page);
            let unlimited = pipeline(name).run(page).expect("converts");
            let shown = coverage.of(&unlimited);
            whole += tasks.iter().filter(|task| shown.missing(task).is_none()).count();
            let targets = |snapshot: &Snapshot| snapshot.map.entries.iter().filter(|entry| entry.actionable).count();
            let _ = write!(
                rows,
                "{page_name} = {{ tokens = {}, targets = {}",
                encoding.counter.count(&unlimited.text),
                targets(&unlimited)
            );
            for (at, &budget) in BUDGETS.iter().enumerate() {
                let blind = pipeline(name).with_budget(budget, encoding).run(page).expect("converts");
                let _ = write!(rows, ", targets_{budget} = {}", targets(&blind));
                let blind = coverage.of(&blind);
                for task in tasks {
                    let seeing =
                        pipeline(name).with_task(&task.goal).with_budget(budget, encoding).run(page).expect("converts");
                    let without = blind.missing(task);
                    let with = coverage.of(&seeing).missing(task);
                    counts[at].0 += usize::from(with.is_none());
                    counts[at].1 += usize::from(without.is_none());
                    if budget == WATCHED {
                        let id = format!("{page_name}/{}", task.id);
                        misses.extend(with.map(|what| format!("{id} with the task: {what}")));
                        misses.extend(without.map(|what| format!("{id} without: {what}")));
                    }
                }
            }
            rows.push_str(" }\n");
        }
        let _ = writeln!(text, "\n[{name}]\nunlimited = {whole}");
        for (&budget, (with, without)) in BUDGETS.iter().zip(&counts) {
            let _ = writeln!(text, "at_{budget} = {{ with_task = {with}, without = {without} }}");
        }
        let _ = writeln!(text, "missing_at_{WATCHED} = [");
        for miss in &misses {
            let _ = writeln!(text, "    {miss:?},");
        }
        let _ = write!(text, "]\n\n[{name}.pages]\n{rows}");
    }
    ledger::check("coverage", &text);
}
