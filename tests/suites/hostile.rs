//! Hostile pages: nothing crashes on a small stack, results are bounded, text survives.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use snapshot_core::document::{Document, NodeId, name};
use snapshot_core::parse::{ParseOptions, parse};
use snapshot_core::representations::REPRESENTATIONS;
use snapshot_core::{Error, PRESETS, Page, PageOptions, Pipeline, Recipe};
use snapshot_tests::processor_seconds;
use snapshot_tests::shapes::{SHAPES, Shape};

/// What a thread of a program that embeds us may have.
const STACK_BYTES: usize = 512 << 10;

/// No machine needs this long for any input here; only a hang does.
const HANG: Duration = Duration::from_secs(120);

#[test]
fn parsing_survives_every_shape_on_a_small_stack() {
    on_a_small_stack(|| {
        for shape in SHAPES {
            for kilobytes in [64, 256] {
                let text = (shape.make)(kilobytes << 10);
                match parse(text.as_bytes(), &ParseOptions::default()) {
                    Ok(parsed) => check_parsed(shape, &parsed.document, text.len()),
                    Err(Error::TooManyNodes { .. }) => {}
                    Err(error) => panic!("{}: {error}", shape.name),
                }
            }
        }
    });
}

fn check_parsed(shape: &Shape, document: &Document, bytes: usize) {
    document.assert_invariants();
    let depth = deepest(document);
    assert!(depth <= 512 * 2, "{}: {depth} levels", shape.name);
    assert!(document.len() <= bytes + (1 << 17), "{}: {} nodes of {bytes} bytes", shape.name, document.len());
    assert!(
        document.retained_bytes() <= 80 * bytes + (32 << 20),
        "{}: {} bytes",
        shape.name,
        document.retained_bytes()
    );
    assert!(has_text(document, "END"), "{}: the text at the end is gone", shape.name);
}

/// Whether some text or attribute of the page, template contents and shadow trees included,
/// contains the word.
fn has_text(document: &Document, word: &str) -> bool {
    let mut waiting: Vec<NodeId> = vec![NodeId::DOCUMENT];
    while let Some(node) = waiting.pop() {
        if document.text(node).contains(word)
            || document.attributes(node).any(|attribute| attribute.value.contains(word))
        {
            return true;
        }
        waiting.extend(document.next_sibling(node));
        waiting.extend(document.first_child(node));
        waiting.extend(document.template_contents(node));
        waiting.extend(document.shadow_root(node));
        waiting.extend(document.frame(node));
    }
    false
}

/// The most elements above one another, through template contents, shadow trees and frames.
fn deepest(document: &Document) -> usize {
    let mut deepest = 0;
    let mut waiting: Vec<(NodeId, usize)> = vec![(NodeId::DOCUMENT, 0)];
    while let Some((node, depth)) = waiting.pop() {
        let inside = depth + usize::from(document.is_element(node));
        deepest = deepest.max(inside);
        waiting.extend(document.next_sibling(node).map(|next| (next, depth)));
        let roots = [document.first_child(node), document.template_contents(node), document.shadow_root(node)];
        waiting.extend(roots.into_iter().flatten().map(|child| (child, inside)));
        // A frame's page counts its own levels.
        waiting.extend(document.frame(node).map(|frame| (frame, 0)));
    }
    deepest
}

#[test]
fn every_preset_and_representation_survives_every_shape_on_a_small_stack() {
    on_a_small_stack(|| {
        for shape in SHAPES {
            let text = (shape.make)(16 << 10);
            let page = match Page::read(text.as_bytes(), &PageOptions::default()) {
                Ok(page) => page,
                Err(Error::TooManyNodes { .. }) => continue,
                Err(error) => panic!("{}: {error}", shape.name),
            };
            for preset in PRESETS {
                for representation in REPRESENTATIONS {
                    let start = Instant::now();
                    let recipe = Recipe::preset(preset.name).unwrap();
                    let snapshot = Pipeline::new(&recipe, representation.name).unwrap().run(&page);
                    let snapshot = snapshot.unwrap_or_else(|error| panic!("{}: {error}", shape.name));
                    assert!(snapshot.text.len() < 64 << 20, "{} as {}", shape.name, representation.name);
                    assert!(start.elapsed() < HANG, "{} as {}: {:?}", shape.name, representation.name, start.elapsed());
                }
            }
        }
    });
}

#[test]
fn text_keeps_its_order_and_links_are_kept_past_the_limit() {
    for nest in [
        "div",
        "blockquote",
        "b",
        "span",
        "section",
        "font",
        "em",
        "center",
        "button",
        "label",
        "fieldset",
        "form",
        "ruby",
        "x-box",
        "object",
        "details",
        "h1",
        "pre",
    ] {
        let count = 700;
        let mut text = String::new();
        for number in 0..count {
            write!(text, "<{nest} title={number}>t{number} <a href=l{number}>a{number} </a>").unwrap();
        }
        for number in 0..count {
            write!(text, "u{number} </{nest}>v{number} ").unwrap();
        }
        let parsed = parse(text.as_bytes(), &ParseOptions::default()).unwrap();
        let document = &parsed.document;
        let mut expected: Vec<String> =
            (0..count).flat_map(|number| [format!("t{number}"), format!("a{number}")]).collect();
        expected.extend((0..count).flat_map(|number| [format!("u{number}"), format!("v{number}")]));
        let found = document.text_content(NodeId::DOCUMENT);
        assert!(found.split_ascii_whitespace().eq(expected.iter().map(String::as_str)), "{nest}");
        let links = document.descendants(NodeId::DOCUMENT).filter(|&node| document.local_name(node) == "a").count();
        assert!(links >= count, "{nest}: {links} links");
        assert!(deepest(document) <= 512, "{nest}: {}", deepest(document));
    }
}

/// The depth of the paragraphs behind what is too deep, and the number of elements, are those
/// that Chromium has.
#[test]
fn end_tags_past_the_limit_close_what_they_close_in_browsers() {
    let check = |html: String, paragraphs: &[usize], elements: usize| {
        let parsed = parse(format!("<!doctype html>{html}").as_bytes(), &ParseOptions::default()).unwrap();
        let document = &parsed.document;
        let all: Vec<_> = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)).collect();
        let depths: Vec<_> = all
            .iter()
            .filter(|&&node| document.is_html(node, name::P))
            .map(|&node| document.ancestors(node).count())
            .collect();
        assert_eq!(depths, paragraphs);
        assert_eq!(all.len(), elements);
    };
    let closed = |start: &str, end: &str, count: usize| format!("{}deep{}", start.repeat(count), end.repeat(count));
    let tail = "<p>after</p></section><p>end</p>";
    check(format!("<section>{}{tail}", closed("<div>", "</div>", 600)), &[4, 3], 606);
    let spans = format!("{}<p>z</p>", closed("<span>", "</span>", 400));
    check(format!("<section>{}{spans}{}{tail}", "<div>".repeat(300), "</div>".repeat(300)), &[304, 4, 3], 707);
    check(format!("<section>{}deep</section><p>end</p></div><p>last</p>", "<div>".repeat(600)), &[3, 3], 606);
    check(format!("{}<p>end</p>", closed("<ul><li>", "</li></ul>", 400)), &[3], 804);
    check(format!("{}<p>end</p>", closed("<table><tr><td>", "</td></tr></table>", 200)), &[3], 804);
    check(format!("<div>{}</div><p>end</p>", closed("<b>", "</b>", 600)), &[3], 605);
}

#[test]
fn attributes_past_the_limit_leave_the_page_whole() {
    let attributes: String = (0..128_000).map(|number| format!("a{number} ")).collect();
    let parsed = parse(format!("<p {attributes}>END").as_bytes(), &ParseOptions::default()).unwrap();
    let document = &parsed.document;
    assert_eq!(document.text_content(NodeId::DOCUMENT), "END");
    let kept = document.descendants(NodeId::DOCUMENT).map(|node| document.attributes(node).len()).max();
    assert_eq!(kept, Some(ParseOptions::default().limits.attributes));
    assert_eq!(parsed.diagnostics.len(), 1);
}

#[test]
fn an_unclosed_tag_swallows_nothing_behind_its_end() {
    let html = "<div><a hr</div><section><p>kept text</p><a href=\"/x\">bar</a></section>";
    let parsed = parse(html.as_bytes(), &ParseOptions::default()).unwrap();
    assert_eq!(parsed.document.text_content(NodeId::DOCUMENT), "kept textbar");
}

/// Prints seconds at 1 MB and the fitted exponent from 64 KB on, for each shape; run it with
/// `cargo test --release -p snapshot-tests --test hostile -- --ignored --nocapture`.
#[test]
#[ignore = "a report; benches measure"]
fn report_times() {
    let only = std::env::var("SHAPE").unwrap_or_default();
    println!("{:40} {:>9} {:>9} {:>9} {:>9}", "shape", "parse s", "exponent", "bytes/in", "nodes/in");
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(&only)) {
        let mut points = Vec::new();
        let mut sizes = (0.0, 0.0);
        for doubling in 0..5 {
            let text = (shape.make)((64 << 10) << doubling);
            let best = (0..3)
                .map(|_| {
                    let start = processor_seconds();
                    let parsed = parse(text.as_bytes(), &ParseOptions::default());
                    let elapsed = processor_seconds() - start;
                    if let Ok(parsed) = parsed {
                        let length = text.len() as f64;
                        sizes =
                            (parsed.document.retained_bytes() as f64 / length, parsed.document.len() as f64 / length);
                    } else {
                        sizes = (f64::NAN, f64::NAN);
                    }
                    elapsed
                })
                .fold(f64::INFINITY, f64::min);
            points.push(((text.len() as f64).ln(), best.ln(), best));
        }
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>()
            / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
        println!("{:40} {:9.3} {slope:9.2} {:9.1} {:9.2}", shape.name, points[4].2, sizes.0, sizes.1);
    }
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
