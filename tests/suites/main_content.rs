//! The `main-content` stage against what people marked as the article: the words that are kept,
//! as precision and recall over bags of words.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write;

use snapshot_core::document::NodeId;
use snapshot_core::parse::{ParseOptions, parse_markdown};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};
use snapshot_tests::{ledger, shared};

/// Words; letters of scripts without spaces count one by one.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    let mut word = String::new();
    for character in text.chars().chain([' ']) {
        let alone = matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
        if character.is_alphanumeric() && !alone {
            word.extend(character.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            *words.entry(std::mem::take(&mut word)).or_default() += 1;
        }
        if alone {
            *words.entry(character.to_string()).or_default() += 1;
        }
    }
    words
}

/// Precision, recall and their harmonic mean, in thousandths.
fn score(wanted: &str, got: &str) -> [usize; 3] {
    let (wanted, got) = (words(wanted), words(got));
    let total = |words: &BTreeMap<String, usize>| words.values().sum::<usize>();
    let common: usize = wanted.iter().map(|(word, count)| got.get(word).copied().unwrap_or(0).min(*count)).sum();
    let share = |part: usize, whole: usize| (part * 1000).checked_div(whole).unwrap_or(0);
    [share(common, total(&got)), share(common, total(&wanted)), share(2 * common, total(&got) + total(&wanted))]
}

#[test]
fn articles_are_found() {
    let Some(folder) = shared("corpora/aeb/dev") else { return };
    let truth = std::fs::read(folder.join("ground-truth.json")).expect("is there");
    let truth: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&truth).expect("is JSON");
    let recipe = Recipe::from_list("prune-hidden,main-content,prune-noise").expect("stages are there");
    let pipeline = Pipeline::new(&recipe, "markdown").expect("is there");
    let mut text = "# Words kept per page, in thousandths: precision, recall, F1.\n".to_owned();
    let mut means = Vec::new();
    for (file, page) in &truth {
        let bytes = std::fs::read(folder.join(file)).expect("is there");
        let markdown = pipeline.run(&Page::read(&bytes, &PageOptions::default()).expect("reads")).expect("runs").text;
        let shown = parse_markdown(&markdown, &ParseOptions::default()).expect("reads").document;
        let [precision, recall, mean] =
            score(page["articleBody"].as_str().unwrap_or_default(), &shown.text_content(NodeId::DOCUMENT));
        let _ = writeln!(text, "{file:?} = [{precision}, {recall}, {mean}]");
        means.push(mean);
        if std::env::var_os("VERBOSE").is_some() {
            println!("######## {file}\n{markdown}");
        }
    }
    means.sort_unstable();
    let median = (means[(means.len() - 1) / 2] + means[means.len() / 2]) / 2;
    let _ = writeln!(text, "median = {median}");
    println!("{text}");
    ledger::check("main_content", &text);
    assert!(median >= 930, "the median is {median}");
}
