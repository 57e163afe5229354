//! html5lib's tree-construction cases and all pages at hand: our tree is the one expected, and
//! never further from it than that of html5ever's own reference DOM.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use html5ever::interface::QuirksMode;
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{LocalName, ParseOpts, QualName, ns};
use markup5ever_rcdom::RcDom;
use snapshot_core::document::{Namespace, NodeId};
use snapshot_core::parse::{ParseOptions, parse_fragment, parse_html};
use snapshot_tests::html5lib::{Case, cases, dump};
use snapshot_tests::{files_below, is_html, ledger, processor_seconds, project_root, shared};

#[path = "tree_construction/reference.rs"]
mod reference;

use reference::dump_reference;

/// Why a case does not give the expected tree, by folder or by case.
const REASONS: &[(&str, &str)] = &[
    ("scripted/", "the page must run a script that writes into it"),
    ("tests_innerHTML_1.dat:75", "html5ever keeps an input in a fragment whose context is a select"),
];

#[test]
fn html5lib_cases_give_the_expected_trees() {
    let Some(root) = shared("conformance/html5lib-tests/tree-construction") else { return };
    let cases = cases(&root);
    let mut ours = 0;
    let mut reference = 0;
    let mut failing = BTreeMap::new();
    let mut worse = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let passes = case.scripting.iter().all(|&scripting| our_tree(case, scripting) == case.expected);
        let reference_passes = case.scripting.iter().all(|&scripting| reference_tree(case, scripting) == case.expected);
        ours += usize::from(passes);
        reference += usize::from(reference_passes);
        if !passes {
            failing.insert(number, case);
            if reference_passes {
                worse.push(case);
            }
        }
        for &scripting in &case.scripting {
            let (mine, theirs) = (our_tree(case, scripting), reference_tree(case, scripting));
            if std::env::var_os("SHOW").is_some() && mine != case.expected {
                eprintln!("{}\n{}\nexpected\n{}\nours\n{mine}\nrcdom\n{theirs}\n", case.id, case.data, case.expected);
            }
        }
    }
    for case in &worse {
        println!(
            "{}\n{}\nexpected\n{}\nours\n{}\n",
            case.id,
            case.data,
            case.expected,
            our_tree(case, case.scripting[0])
        );
    }
    assert!(worse.is_empty(), "{} cases are worse than the reference", worse.len());
    let mut text = String::from("# html5lib-tests, tree construction. Rewritten by BLESS=1.\n\n");
    writeln!(text, "cases = {}\npass = {ours}\npass_reference_dom = {reference}\n", cases.len()).unwrap();
    text.push_str("[failing]\n");
    for case in failing.values() {
        let reason = REASONS
            .iter()
            .find(|&&(id, _)| id == case.id || id.ends_with('/') && case.id.starts_with(id))
            .unwrap_or_else(|| panic!("{} fails and has no reason", case.id))
            .1;
        writeln!(text, "\"{}\" = \"{reason}\"", case.id).unwrap();
    }
    ledger::check("tree_construction", &text);
}

/// The suites' pages and our own, through both parsers.
#[test]
fn pages_give_the_tree_of_the_reference_dom() {
    let mut pages: Vec<_> =
        files_below(&project_root().join("corpora")).into_iter().filter(|file| is_html(file)).collect();
    if let Some(corpora) = shared("corpora") {
        pages.extend(files_below(&corpora).into_iter().filter(|file| is_html(file)));
    }
    let mut different = Vec::new();
    let mut compared = 0;
    for page in &pages {
        let bytes = std::fs::read(page).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        // The reference leaves declarative shadow roots as templates.
        if text.contains("shadowrootmode") {
            continue;
        }
        compared += 1;
        let parsed =
            parse_html(&text, &ParseOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        parsed.document.assert_invariants();
        let ours = dump(&parsed.document, NodeId::DOCUMENT);
        let reference = dump_reference(&reference_document(&text, false).document);
        if ours != reference {
            let at = ours.lines().zip(reference.lines()).position(|(a, b)| a != b).unwrap_or(0);
            different.push(format!(
                "{} line {at}\n  ours      {:?}\n  reference {:?}\n",
                page.display(),
                ours.lines().nth(at),
                reference.lines().nth(at)
            ));
        }
    }
    assert!(different.is_empty(), "{} of {compared} pages differ:\n{}", different.len(), different.concat());
}

/// Prints how long we take for all pages, as a part of what the reference DOM takes; run it with
/// `cargo test --release -p snapshot-tests --test tree_construction -- --ignored --nocapture`.
#[test]
#[ignore = "a report; benches measure"]
fn report_ratio_to_the_reference_dom() {
    let Some(corpora) = shared("corpora/d2snap") else { return };
    let pages: Vec<String> = files_below(&corpora)
        .into_iter()
        .filter(|file| is_html(file))
        .map(|file| String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned())
        .collect();
    let megabytes = pages.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let mut best = [f64::INFINITY; 2];
    for _ in 0..10 {
        let start = processor_seconds();
        for page in &pages {
            std::hint::black_box(parse_html(page, &ParseOptions::default()).unwrap());
        }
        let middle = processor_seconds();
        for page in &pages {
            std::hint::black_box(reference_document(page, false));
        }
        best = [best[0].min(middle - start), best[1].min(processor_seconds() - middle)];
    }
    println!(
        "{megabytes:.1} MB: ours {:.1} MB/s, reference {:.1} MB/s, ratio {:.2}",
        megabytes / best[0],
        megabytes / best[1],
        best[0] / best[1]
    );
}

fn options(scripting: bool) -> ParseOptions {
    let mut options = ParseOptions::default();
    options.scripting = scripting;
    options
}

fn our_tree(case: &Case, scripting: bool) -> String {
    let parsed = match &case.context {
        Some((namespace, name)) => parse_fragment(&case.data, (*namespace, name.as_str()), &options(scripting)),
        None => parse_html(&case.data, &options(scripting)),
    }
    .expect("a case of the suite parses");
    parsed.document.assert_invariants();
    dump(&parsed.document, NodeId::DOCUMENT)
}

fn reference_tree(case: &Case, scripting: bool) -> String {
    match &case.context {
        None => dump_reference(&reference_document(&case.data, scripting).document),
        Some((namespace, name)) => {
            let namespace = match namespace {
                Namespace::Svg => ns!(svg),
                Namespace::MathMl => ns!(mathml),
                _ => ns!(html),
            };
            let context = QualName::new(None, namespace, LocalName::from(name.as_str()));
            let dom =
                html5ever::parse_fragment(RcDom::default(), reference_options(scripting), context, vec![], scripting)
                    .one(case.data.as_str());
            let root = dom.document.children.borrow()[0].clone();
            dump_reference(&root)
        }
    }
}

fn reference_options(scripting: bool) -> ParseOpts {
    ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: scripting,
            quirks_mode: QuirksMode::NoQuirks,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    }
}

fn reference_document(text: &str, scripting: bool) -> RcDom {
    html5ever::parse_document(RcDom::default(), reference_options(scripting)).one(text)
}
