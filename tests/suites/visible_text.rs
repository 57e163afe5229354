//! What holds for every page at hand: all visible text comes out once and in order, and page text
//! never becomes markup or a line of the list.
//!
//! Visible text is told by the core's semantics, not by the writers: each text node of the flat
//! tree that is judged visible, unless it is a control's own content, which is written as the
//! control's value.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "pages/hostile_text.rs"]
mod hostile_text;
#[path = "pages/visible.rs"]
mod visible;

use std::path::PathBuf;

use snapshot_core::document::{Document, NodeId, name};
use snapshot_core::parse::{ParseOptions, Parsed, parse, parse_html};
use snapshot_core::{Error, Page, Pipeline, Recipe};
use snapshot_tests::golden::assert_none;
use snapshot_tests::markdown::render;
use snapshot_tests::{files_below, has_extension, is_html, project_root, shared};

/// Pages that are larger take too long without optimisation and say nothing new.
const LARGEST_PAGE: u64 = 600_000;

/// Our own pages, and where the third-party corpora are at hand those too.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<_> =
        files_below(&project_root().join("corpora")).into_iter().filter(|file| is_html(file)).collect();
    if let Some(corpora) = shared("corpora") {
        let more = files_below(&corpora).into_iter().filter(|file| is_html(file) || has_extension(file, "mhtml"));
        pages.extend(more.filter(|file| file.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST_PAGE)));
    }
    pages
}

fn read(file: &PathBuf) -> Option<Parsed> {
    match parse(&std::fs::read(file).expect("is readable"), &ParseOptions::default()) {
        Err(Error::EmptyInput) => None,
        parsed => Some(parsed.expect("reads")),
    }
}

fn convert(parsed: Parsed, preset: &str, representation: &str) -> (Page, String) {
    let page = Page::from_parsed(parsed, None).expect("reads");
    let pipeline = Pipeline::new(&Recipe::preset(preset).expect("exists"), representation).expect("exists").text_only();
    let text = pipeline.run(&page).expect("runs").text;
    (page, text)
}

/// What a reader of Markdown gets.
fn rendered(markdown: &str) -> Document {
    parse_html(&render(markdown), &ParseOptions::default()).expect("parses").document
}

/// The text that a rendered page shows.
fn shown(document: &Document) -> String {
    let texts = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_text(node));
    let texts = texts.filter(|&node| !document.ancestors(node).any(|above| document.is_html(above, name::HEAD)));
    texts.map(|node| document.text(node)).collect()
}

#[test]
fn all_visible_text_comes_out_once_and_in_order() {
    let mut faults = Vec::new();
    for file in pages() {
        let Some(parsed) = read(&file) else { continue };
        let (page, markdown) = convert(parsed, "full", "markdown");
        if let Err(fault) = visible::check(&page, &shown(&rendered(&markdown))) {
            faults.push(format!("{}: {fault}", file.display()));
        }
    }
    assert_none(&faults);
}

/// The same page twice: with a plain word for each visible text, and with a hostile one.
fn plain_and_hostile(file: &PathBuf, seed: usize) -> Option<[Parsed; 2]> {
    let page = Page::from_parsed(read(file)?, None).expect("reads");
    let texts = visible::text_nodes(&page);
    let make = |hostile: bool| {
        let mut parsed = read(file)?;
        for (place, &node) in texts.iter().enumerate() {
            let text = hostile_text::replacement(parsed.document.text(node), place + seed, hostile);
            parsed.document.set_text(node, &text);
        }
        Some(parsed)
    };
    Some([make(false)?, make(true)?])
}

/// The elements of a rendered page and where links lead.
fn skeleton(document: &Document) -> Vec<String> {
    let elements = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node));
    elements
        .map(|node| {
            // Where a note is written depends on nothing but how its text calls it.
            let href = document.attribute(node, name::HREF).filter(|href| !href.starts_with('#')).unwrap_or("");
            format!("{} {href}", document.local_name(node))
        })
        .collect()
}

#[test]
fn hostile_text_never_becomes_markup() {
    let mut faults = Vec::new();
    for (seed, file) in pages().iter().enumerate() {
        let Some([plain, hostile]) = plain_and_hostile(file, seed) else { continue };
        let plain = convert(plain, "full", "markdown").1;
        let hostile = convert(hostile, "full", "markdown").1;
        let (wanted, got) = (skeleton(&rendered(&plain)), skeleton(&rendered(&hostile)));
        if let Some(at) = (0..wanted.len().max(got.len())).find(|&at| wanted.get(at) != got.get(at)) {
            let around = |skeleton: &[String]| {
                skeleton[at.saturating_sub(4).min(skeleton.len())..].iter().take(6).cloned().collect::<Vec<_>>()
            };
            let line = plain
                .lines()
                .zip(hostile.lines())
                .find(|(plain, hostile)| skeleton(&rendered(plain)) != skeleton(&rendered(hostile)));
            faults.push(format!(
                "{}: element {at}: {:?} became {:?}; {line:?}",
                file.display(),
                around(&wanted),
                around(&got)
            ));
        }
    }
    assert_none(&faults);
}

#[test]
fn hostile_text_never_becomes_a_line_of_the_list() {
    let mut faults = Vec::new();
    for (seed, file) in pages().iter().enumerate() {
        let Some([plain, hostile]) = plain_and_hostile(file, seed) else { continue };
        let plain = convert(plain, "full", "list").1;
        let hostile = convert(hostile, "full", "list").1;
        // What a line begins with: its id and the element's name.
        let heads = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
        };
        let (wanted, got) = (heads(&plain), heads(&hostile));
        if let Some(at) = (0..wanted.len().max(got.len())).find(|&at| wanted.get(at) != got.get(at)) {
            faults.push(format!("{}: {:?} became {:?}", file.display(), wanted.get(at), got.get(at)));
        }
    }
    assert_none(&faults);
}
