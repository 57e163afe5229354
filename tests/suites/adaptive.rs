//! The pages that the reference of D2Snap was timed on, at the budgets at which it adapts: all
//! fit, and the committed ledger says how many of their controls are shown.

#![allow(clippy::expect_used, reason = "a test fails by panicking, in its helpers too")]

use std::fmt::Write as _;

use snapshot_core::representations::REPRESENTATIONS;
use snapshot_core::tokens;
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, Snapshot};
use snapshot_tests::{files_below, golden, is_html, ledger, shared};

const BUDGETS: &[usize] = &[32_768, 8_192];

fn targets(snapshot: &Snapshot) -> usize {
    snapshot.map.entries.iter().filter(|entry| entry.actionable).count()
}

#[test]
fn adaptive_budgets_fit_and_keep_controls() {
    let Some(folder) = shared("corpora/d2snap") else { return };
    let encoding = tokens::find("o200k_base").expect("in the table");
    let mut text = String::from(
        "# For each page: its tokens and controls as a whole, and at each budget the tokens and the share of\n\
         # controls that are shown.\n",
    );
    let mut faults = Vec::new();
    for representation in REPRESENTATIONS {
        let _ = writeln!(text, "\n[{}]", representation.name);
        for file in files_below(&folder).into_iter().filter(|file| is_html(file)) {
            let page = Page::read(&std::fs::read(&file).expect("reads"), &PageOptions::default()).expect("reads");
            let name = file.file_stem().map(|name| name.to_string_lossy().replace('.', "-")).unwrap_or_default();
            let pipeline = || {
                let recipe = Recipe::preset("navigate").expect("the preset is there");
                Pipeline::new(&recipe, representation.name).expect("the representation is there")
            };
            let whole = pipeline().run(&page).expect("converts");
            let _ = write!(
                text,
                "{name} = {{ tokens = {}, targets = {}",
                encoding.counter.count(&whole.text),
                targets(&whole)
            );
            for &budget in BUDGETS {
                let fitted = pipeline().with_budget(budget, encoding).run(&page).expect("converts");
                let count = encoding.counter.count(&fitted.text);
                if count > budget {
                    faults.push(format!("{name} {} @{budget}: {count} tokens", representation.name));
                }
                let permille = 1000 * targets(&fitted) / targets(&whole).max(1);
                let _ = write!(
                    text,
                    ", at_{budget} = {{ tokens = {count}, shown = {}.{:03} }}",
                    permille / 1000,
                    permille % 1000
                );
            }
            text.push_str(" }\n");
        }
    }
    golden::assert_none(&faults);
    ledger::check("adaptive", &text);
}
