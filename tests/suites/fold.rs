//! Folding on real pages: nothing is lost, and it pays.

#![allow(clippy::expect_used, clippy::format_push_string, reason = "a test fails by panicking, in its helpers too")]

use std::collections::BTreeSet;

use snapshot_core::representations::REPRESENTATIONS;
use snapshot_core::{Page, Pipeline, Recipe, Snapshot};
use snapshot_tests::{corpus, golden};

fn snapshot(page: &Page, representation: &str, fold: bool) -> Snapshot {
    let recipe = Recipe::preset("navigate").expect("the preset is there");
    let recipe = if fold { recipe.stage("fold-repeats", []) } else { recipe };
    Pipeline::new(&recipe, representation).and_then(|pipeline| pipeline.run(page)).expect("the page converts")
}

#[test]
fn folded_targets_are_named_and_folding_pays() {
    let mut faults = Vec::new();
    for corpus_page in corpus::pages() {
        let page = corpus_page.read();
        for representation in REPRESENTATIONS {
            let (whole, folded) =
                (snapshot(&page, representation.name, false), snapshot(&page, representation.name, true));
            let written: BTreeSet<&str> = folded.map.entries.iter().map(|entry| entry.path.as_str()).collect();
            let locator = snapshot_core::locate::Locator::new(page.document());
            let ranges: Vec<(u32, u32)> = folded
                .elided
                .iter()
                .filter_map(|elided| {
                    let number = |id: &String| id.trim_start_matches('e').parse::<u32>().ok();
                    Some((number(&elided.refs[0])?, number(&elided.refs[1])?))
                })
                .collect();
            for entry in whole.map.entries.iter().filter(|entry| entry.actionable) {
                if written.contains(entry.path.as_str()) {
                    continue;
                }
                let node = page.document().composed_descendants(snapshot_core::document::NodeId::DOCUMENT);
                let number = node
                    .filter(|&node| page.document().is_element(node))
                    .find(|&node| locator.path(node) == entry.path)
                    .and_then(|node| page.references().number(node));
                let named = number.is_some_and(|id| ranges.iter().any(|&(first, last)| first <= id && id <= last));
                if !named {
                    faults.push(format!("{} {}: {} is lost", corpus_page.name, representation.name, entry.path));
                }
            }
            if folded.text.len() > whole.text.len() {
                faults.push(format!("{} {}: folding made it longer", corpus_page.name, representation.name));
            }
        }
    }
    golden::assert_none(&faults);
}
