//! What each preset and representation makes of each page of the corpora.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use snapshot_core::representations::REPRESENTATIONS;
use snapshot_core::{PRESETS, Page, PageOptions, Pipeline, Recipe, Snapshot};
use snapshot_tests::corpus::{self, CorpusPage};
use snapshot_tests::golden;

fn snapshot(page: &Page, preset: &str, representation: &str) -> Snapshot {
    let recipe = Recipe::preset(preset).expect("the preset is there");
    Pipeline::new(&recipe, representation).and_then(|pipeline| pipeline.run(page)).expect("the page converts")
}

/// Runs `check` on every page, preset and representation and fails with all faults at once.
fn for_each_snapshot(check: impl Fn(&CorpusPage, &Page, &str, &Snapshot) -> Result<(), String>) {
    let mut faults = Vec::new();
    for corpus_page in corpus::pages() {
        let page = corpus_page.read();
        for preset in PRESETS {
            for representation in REPRESENTATIONS {
                let snapshot = snapshot(&page, preset.name, representation.name);
                if let Err(fault) = check(&corpus_page, &page, preset.name, &snapshot) {
                    faults.push(format!("{} {} {}: {fault}", corpus_page.name, preset.name, representation.name));
                }
            }
        }
    }
    golden::assert_none(&faults);
}

#[test]
fn output_equals_the_golden_files() {
    for_each_snapshot(|corpus_page, _, preset, snapshot| {
        let file = format!("golden/{preset}.{}.txt", snapshot.representation);
        golden::compare(&corpus_page.folder.join(file), &snapshot.text)
    });
}

#[test]
fn the_same_page_gives_the_same_bytes() {
    for_each_snapshot(|corpus_page, _, preset, first| {
        let second = snapshot(&corpus_page.read(), preset, first.representation);
        let same = first.text == second.text && first.map == second.map;
        if same { Ok(()) } else { Err("the second run differs".to_owned()) }
    });
}

#[test]
fn spans_resolve_and_ids_stand_where_the_map_says() {
    for_each_snapshot(|_, page, _, snapshot| {
        let mut seen = std::collections::BTreeSet::new();
        for entry in &snapshot.map.entries {
            let [start, end] = entry.span;
            let written =
                snapshot.text.get(start..end).ok_or(format!("span {start}..{end} of {} is not text", entry.path))?;
            if let Some(reference) = &entry.reference {
                let number: u32 =
                    reference.trim_start_matches('e').parse().map_err(|_| format!("odd id {reference}"))?;
                if !written.contains(&number.to_string()) {
                    return Err(format!("{reference} is not written at {start}..{end}: {written:?}"));
                }
                let node = page.references().node(number).ok_or(format!("{reference} leads nowhere"))?;
                let path = snapshot_core::locate::Locator::new(page.document()).path(node);
                if path != entry.path {
                    return Err(format!("{reference} is {path}, not {}", entry.path));
                }
                if !seen.insert(number) {
                    return Err(format!("{reference} stands twice in the map"));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn every_shown_target_is_in_the_navigate_snapshots() {
    let mut faults = Vec::new();
    for corpus_page in corpus::pages() {
        let page = corpus_page.read();
        let locator = snapshot_core::locate::Locator::new(page.document());
        for representation in ["ax", "list", "html"] {
            let snapshot = snapshot(&page, "navigate", representation);
            let written: std::collections::BTreeSet<&str> = snapshot
                .map
                .entries
                .iter()
                .flat_map(|entry| entry.merged.iter().map(String::as_str).chain([entry.path.as_str()]))
                .collect();
            for node in page.document().composed_descendants(snapshot_core::document::NodeId::DOCUMENT) {
                // What is hidden from the accessibility tree is in the other representations.
                if representation == "ax" && page.semantics().is_aria_hidden(node) {
                    continue;
                }
                if page.semantics().is_actionable(node) && !written.contains(locator.path(node).as_str()) {
                    faults.push(format!(
                        "{} {representation}: {} {:?} is missing",
                        corpus_page.name,
                        locator.selector(node),
                        page.semantics().name(node)
                    ));
                }
            }
        }
    }
    golden::assert_none(&faults);
}

#[test]
fn secrets_and_hidden_instructions_stand_in_no_snapshot() {
    /// Values that our pages hold where a person sees dots or nothing.
    const CANARIES: &[&str] = &["Ignore previous instructions and"];
    let secrets: Vec<String> = corpus::pages()
        .iter()
        .flat_map(|corpus_page| {
            let page = corpus_page.read();
            let document = page.document().clone();
            document
                .composed_descendants(snapshot_core::document::NodeId::DOCUMENT)
                .filter(|&node| page.semantics().is_secret(node))
                .filter_map(|node| document.attribute(node, snapshot_core::document::name::VALUE).map(str::to_owned))
                .filter(|value| value.len() > 3)
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(secrets.len() >= 3, "the corpora hold passwords and card numbers: {secrets:?}");
    for_each_snapshot(|corpus_page, _, preset, snapshot| {
        let map: String = snapshot.map.entries.iter().map(|entry| entry.name.as_str()).collect();
        // In two pages the instruction is only clipped away: a screen reader reads it, so do we.
        let clipped = ["search-results", "product"].contains(&corpus_page.name.as_str());
        let canaries = CANARIES.iter().filter(|_| !clipped).map(|canary| (*canary).to_owned());
        for canary in secrets.iter().cloned().chain(canaries) {
            // `full` keeps scripts, which may hold anything.
            if preset != "full" && (snapshot.text.contains(&canary) || map.contains(&canary)) {
                return Err(format!("{canary:?} is written"));
            }
        }
        Ok(())
    });
}

#[test]
fn html_parses_back_to_what_was_written() {
    for_each_snapshot(|_, _, _, snapshot| {
        if snapshot.representation != "html" {
            return Ok(());
        }
        let again = Page::read(snapshot.text.as_bytes(), &PageOptions::default()).map_err(|error| error.to_string())?;
        let written = Pipeline::new(&Recipe::default(), "html").and_then(|pipeline| pipeline.run(&again));
        let written = written.map_err(|error| error.to_string())?.text;
        golden_difference(&snapshot.text, &written)
    });
}

fn golden_difference(first: &str, second: &str) -> Result<(), String> {
    if first == second {
        return Ok(());
    }
    let at = first.bytes().zip(second.bytes()).take_while(|(first, second)| first == second).count();
    let around = |text: &str| text.chars().skip(at.saturating_sub(40)).take(100).collect::<String>();
    Err(format!("differs at byte {at}: {:?} became {:?}", around(first), around(second)))
}
