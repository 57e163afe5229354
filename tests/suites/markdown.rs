//! The Markdown that is written, judged by what it renders to.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::format_push_string, reason = "a test fails and reports")]

#[path = "markdown/canonical.rs"]
mod canonical;
#[path = "markdown/ledger.rs"]
mod ledger;
#[path = "markdown/properties.rs"]
mod properties;

use canonical::{canonical, canonical_blocks};
use ledger::Ledger;
use snapshot_core::parse::{ParseOptions, parse_html};
use snapshot_core::{Page, Pipeline, Recipe};
use snapshot_tests::markdown::render;

/// The page as Markdown, with no stage before.
fn to_markdown(html: &str) -> String {
    let page = Page::from_parsed(parse_html(html, &ParseOptions::default()).expect("parses"), None).expect("reads");
    let pipeline = Pipeline::new(&Recipe::default(), "markdown").expect("exists");
    pipeline.run(&page).expect("runs").text
}

/// What is different when the page has gone through Markdown and back; nothing if all is well.
fn difference(html: &str) -> Option<String> {
    let markdown = to_markdown(html);
    let (wanted, got) = (canonical(html), canonical(&render(&markdown)));
    (wanted != got).then(|| format!("--- page\n{html}\n--- markdown\n{markdown}\n--- wanted\n{wanted}\n--- got\n{got}"))
}

/// Runs the cases of a suite and compares what fails with the ledger.
fn run(suite: &str, cases: impl IntoIterator<Item = (String, Option<String>)>) {
    let mut ledger = Ledger::read("markdown");
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, difference) in cases {
        count += 1;
        if let Some(difference) = difference {
            failures.push((name, difference));
        }
    }
    ledger.compare(suite, count, &failures);
}

fn json(path: &std::path::Path) -> Vec<serde_json::Value> {
    serde_json::from_slice(&std::fs::read(path).expect("is readable")).expect("is JSON")
}

fn spec(suite: &str, file: &str) {
    let Some(path) = snapshot_tests::shared(&format!("conformance/markdown-spec/{file}")) else { return };
    let cases = json(&path).into_iter().map(|case| {
        let html = case["html"].as_str().unwrap_or_default().to_owned();
        (case["example"].to_string(), difference(&html))
    });
    run(suite, cases);
}

#[test]
fn commonmark_examples_come_back() {
    spec("commonmark", "commonmark-spec.json");
}

#[test]
fn gfm_examples_come_back() {
    spec("gfm", "gfm-spec.json");
}

/// The Markdown that another converter expects says the same as ours.
fn peer(html: &str, expected: &str) -> Option<String> {
    let markdown = to_markdown(html);
    let (wanted, got) = (canonical(&render(expected)), canonical(&render(&markdown)));
    (wanted != got).then(|| {
        format!(
            "--- page\n{html}\n--- expected\n{expected}\n--- markdown\n{markdown}\n--- wanted\n{wanted}\n--- got\n{got}"
        )
    })
}

#[test]
fn turndown_cases() {
    for file in ["turndown", "turndown-plugin-gfm"] {
        let Some(path) = snapshot_tests::shared(&format!("conformance/turndown/{file}.json")) else { return };
        let cases = json(&path).into_iter().enumerate().map(|(number, case)| {
            let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
            (format!("{number} {}", text("name")), peer(&text("html"), &text("expected")))
        });
        run(file, cases);
    }
}

#[test]
fn html_to_markdown_cases() {
    let Some(root) = snapshot_tests::shared("conformance/html-to-markdown-go/plugin") else { return };
    let mut files = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("is a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".in.html") {
                files.push(path);
            }
        }
    }
    if let Some(more) = snapshot_tests::shared("conformance/html-to-markdown-rs/issues") {
        let entries = std::fs::read_dir(more).expect("is a folder").flatten().map(|entry| entry.path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "html")));
    }
    files.sort();
    // These are long pages of small cases: each block at the top counts.
    let cases = files.iter().flat_map(|path| {
        let html = std::fs::read_to_string(path).expect("is text");
        let name = path.file_name().unwrap_or_default().to_string_lossy().replace(".in.html", "").replace(".html", "");
        let markdown = to_markdown(&html);
        let (wanted, got) = (canonical_blocks(&html), canonical_blocks(&render(&markdown)));
        let found = common(&wanted, &got);
        let cases = wanted.into_iter().zip(found).enumerate();
        cases.map(|(at, (block, found))| (format!("{name} {at}"), (!found).then_some(block))).collect::<Vec<_>>()
    });
    run("html-to-markdown", cases.collect::<Vec<_>>());
}

/// Which of `wanted` are part of the longest sequence that both have in common.
fn common(wanted: &[String], got: &[String]) -> Vec<bool> {
    let mut longest = vec![vec![0u32; got.len() + 1]; wanted.len() + 1];
    for (i, want) in wanted.iter().enumerate().rev() {
        for (j, have) in got.iter().enumerate().rev() {
            longest[i][j] =
                if want == have { longest[i + 1][j + 1] + 1 } else { longest[i + 1][j].max(longest[i][j + 1]) };
        }
    }
    let mut found = vec![false; wanted.len()];
    let (mut i, mut j) = (0, 0);
    while i < wanted.len() && j < got.len() {
        if wanted[i] == got[j] {
            found[i] = true;
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}
