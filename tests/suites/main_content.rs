//! The `main-content` stage against what people marked as the article, and against what two other
//! extractors expect: the words that are kept, as precision and recall over bags of words.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, reason = "a test fails and reports")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use snapshot_core::document::{Document, NodeId};
use snapshot_core::parse::{ParseOptions, parse_html, parse_markdown};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};
use snapshot_tests::{files_below, ledger, shared};

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

/// A page and the text that was marked as its article.
struct Case {
    name: String,
    page: PathBuf,
    wanted: String,
    /// The article's title where the set keeps it apart: with or without it is the same.
    title: String,
}

/// The text that a document shows.
fn text_of(document: &Document) -> String {
    let texts = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_text(node));
    let texts = texts.filter(|&node| {
        !document.ancestors(node).any(|above| matches!(document.local_name(above), "head" | "script" | "style"))
    });
    texts.map(|node| document.text(node)).collect::<Vec<_>>().join(" ")
}

fn text_of_markdown(markdown: &str) -> String {
    text_of(&parse_markdown(markdown, &ParseOptions::default()).expect("reads").document)
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(path).expect("is there")).expect("is JSON")
}

/// Articles that people marked.
fn marked_articles() -> Option<Vec<Case>> {
    let folder = shared("corpora/aeb/dev")?;
    let truth = json(&folder.join("ground-truth.json"));
    let case = |(file, page): (&String, &serde_json::Value)| Case {
        name: file.clone(),
        page: folder.join(file),
        wanted: page["articleBody"].as_str().unwrap_or_default().to_owned(),
        title: String::new(),
    };
    let mut cases: Vec<Case> = truth.as_object()?.iter().map(case).collect();
    // An object's order depends on how the reader of JSON was built.
    cases.sort_by(|first, second| first.name.cmp(&second.name));
    Some(cases)
}

/// What the readability suite expects, as HTML.
fn readability() -> Option<Vec<Case>> {
    let folder = shared("corpora/readability/dev")?;
    let expected = files_below(&folder).into_iter().filter_map(|file| {
        let name = file.file_name()?.to_str()?.strip_suffix(".expected.html")?.to_owned();
        let html = std::fs::read_to_string(&file).ok()?;
        Some(Case {
            page: folder.join(format!("{name}.html")),
            wanted: text_of(&parse_html(&html, &ParseOptions::default()).ok()?.document),
            title: json(&folder.join(format!("{name}.expected-metadata.json")))["title"].as_str()?.to_owned(),
            name,
        })
    });
    Some(expected.collect())
}

/// What the defuddle suite expects, as Markdown behind a block of metadata.
fn defuddle() -> Option<Vec<Case>> {
    let folder = shared("conformance/defuddle")?;
    let expected = files_below(&folder.join("expected")).into_iter().filter_map(|file| {
        let name = file.file_name()?.to_str()?.strip_suffix(".md")?.to_owned();
        let text = std::fs::read_to_string(&file).ok()?;
        let (metadata, markdown) = text.strip_prefix("```json\n")?.split_once("\n```")?;
        let metadata: serde_json::Value = serde_json::from_str(metadata).ok()?;
        Some(Case {
            page: folder.join(format!("fixtures/{name}.html")),
            wanted: text_of_markdown(markdown),
            title: metadata["title"].as_str().unwrap_or_default().to_owned(),
            name,
        })
    });
    Some(expected.filter(|case| case.page.exists()).collect())
}

/// Writes a row for each case and the median below; returns the median.
fn measure(set: &str, cases: &[Case], ledger: &mut String) -> usize {
    let recipe = Recipe::from_list("prune-hidden,main-content,prune-noise").expect("stages are there");
    let pipeline = Pipeline::new(&recipe, "markdown").expect("is there");
    let _ = writeln!(ledger, "\n[{set}]");
    let mut means = Vec::new();
    for case in cases {
        let bytes = std::fs::read(&case.page).expect("is there");
        let markdown = pipeline.run(&Page::read(&bytes, &PageOptions::default()).expect("reads")).expect("runs").text;
        let got = text_of_markdown(&markdown);
        let titled = format!("{} {}", case.title, case.wanted);
        let scores = [score(&case.wanted, &got), score(&titled, &got)];
        let [precision, recall, mean] = scores.into_iter().max_by_key(|&[_, _, mean]| mean).unwrap();
        let _ = writeln!(ledger, "{:?} = [{precision}, {recall}, {mean}]", case.name);
        means.push(mean);
        if std::env::var_os("VERBOSE").is_some_and(|name| case.name.contains(&*name.to_string_lossy())) {
            println!("######## {}\n{markdown}\n######## wanted\n{}", case.name, case.wanted);
        }
    }
    means.sort_unstable();
    let median = (means[(means.len() - 1) / 2] + means[means.len() / 2]) / 2;
    let good = means.iter().filter(|&&mean| mean >= 930).count();
    let _ = writeln!(ledger, "pages = {}\nfrom_930 = {good}\nmedian = {median}", means.len());
    median
}

#[test]
fn articles_are_found() {
    let (Some(marked), Some(readability), Some(defuddle)) = (marked_articles(), readability(), defuddle()) else {
        return;
    };
    let mut text = "# Words kept per page, in thousandths: precision, recall, F1.\n".to_owned();
    let medians = [("aeb", marked), ("readability", readability), ("defuddle", defuddle)]
        .map(|(set, cases)| measure(set, &cases, &mut text));
    println!("{text}");
    ledger::check("main_content", &text);
    assert!(medians.iter().all(|&median| median >= 930), "the medians are {medians:?}");
}
