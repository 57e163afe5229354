//! What Chromium shows of rendered pages, against our verdicts.
//!
//! `NAME.hidden.json` lists the elements that its `checkVisibility({visibilityProperty: true})`
//! refuses, of `display: none` only the topmost. The walk here is the same: element children
//! from the root element down, without what a page keeps for itself in `script` or `head`, and
//! with `display: contents` counted as shown.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use snapshot_core::document::{Document, NodeId, name};
use snapshot_core::parse::{ParseOptions, parse};
use snapshot_core::semantics::style::{Display, ExternalSheets, Styles};
use snapshot_core::semantics::visibility::Visibilities;
use snapshot_core::semantics::{Reason, Visibility};
use snapshot_tests::{ledger, shared};

/// What we judge otherwise than Chromium on purpose, or cannot know.
const KINDS: &[(&str, &str)] = &[
    ("area", "an area has no box, but a person can click it on its image"),
    ("option", "the choices of a closed drop-down are part of the control: an agent chooses among them"),
    ("unseen-sheet", "hidden by a linked sheet that the browser loaded and that is not in the file"),
];

#[derive(Default)]
struct Score {
    elements: usize,
    agreed: usize,
    ours_only: Vec<String>,
    theirs_only: Vec<String>,
    exceptions: BTreeMap<&'static str, usize>,
}

#[test]
fn verdicts_agree_with_those_of_the_browser() {
    let Some(root) = shared("corpora/rendered") else { return };
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(root.join("manifest.json")).unwrap()).unwrap();
    let mut text = String::from("# Elements that Chromium does not show. Rewritten by BLESS=1.\n\n");
    let mut pages = String::new();
    let mut total = Score::default();
    for file in manifest["files"].as_array().unwrap() {
        let name = file["name"].as_str().unwrap();
        // Pages of running applications were captured with their style sheets, which are not in
        // the file.
        let has_sheets = file["network"].as_str() == Some("blocked");
        let score = judge(&root, name, has_sheets);
        writeln!(
            pages,
            "\"{name}\" = {{ elements = {}, agreed = {}, ours_only = {}, chromium_only = {}{} }}",
            score.elements,
            score.agreed,
            score.ours_only.len(),
            score.theirs_only.len(),
            score.exceptions.iter().fold(String::new(), |mut text, (kind, count)| {
                write!(text, ", {kind} = {count}").unwrap();
                text
            })
        )
        .unwrap();
        if std::env::var_os("SHOW").is_some() {
            for path in &score.ours_only {
                println!("{name}: only we hide {path}");
            }
            for path in &score.theirs_only {
                println!("{name}: only Chromium hides {path}");
            }
        }
        total.elements += score.elements;
        total.agreed += score.agreed;
        total.ours_only.extend(score.ours_only);
        total.theirs_only.extend(score.theirs_only);
        for (kind, count) in score.exceptions {
            *total.exceptions.entry(kind).or_default() += count;
        }
    }
    let (agreed, ours, theirs) = (total.agreed, total.ours_only.len(), total.theirs_only.len());
    let share = |part: usize, rest: usize| 1000 * part / (part + rest).max(1);
    let (precision, recall) = (share(agreed, ours), share(agreed, theirs));
    writeln!(
        text,
        "elements = {}\nagreed = {agreed}\nours_only = {ours}\nchromium_only = {theirs}\n\
         precision_per_mille = {precision}\nrecall_per_mille = {recall}\n\n[exceptions]",
        total.elements
    )
    .unwrap();
    for (kind, reason) in KINDS {
        let count = total.exceptions.get(kind).copied().unwrap_or_default();
        writeln!(text, "{kind} = {{ count = {count}, reason = \"{reason}\" }}").unwrap();
    }
    writeln!(text, "\n[pages]\n{}", pages.trim_end()).unwrap();
    assert!(precision >= 990 && recall >= 990, "precision {precision} ‰, recall {recall} ‰");
    ledger::check("visibility", &text);
}

fn judge(root: &Path, name: &str, has_sheets: bool) -> Score {
    let html = std::fs::read(root.join(format!("{name}.html"))).unwrap();
    let expected: BTreeSet<String> =
        serde_json::from_slice(&std::fs::read(root.join(format!("{name}.hidden.json"))).unwrap()).unwrap();
    let parsed = parse(&html, &ParseOptions::default()).unwrap();
    let document = &parsed.document;
    let (by_address, bases) = (sheets_of(name), BTreeMap::new());
    let styles = Styles::compute(document, &ExternalSheets { by_address: &by_address, bases: &bases });
    let visibility = Visibilities::compute(document, &styles);
    let mut score = Score::default();
    for (path, node, shown) in walk(document, &styles, &visibility, &expected) {
        score.elements += 1;
        match (shown, expected.contains(&path)) {
            (true, false) => {}
            (false, true) => score.agreed += 1,
            (false, false) => score.ours_only.push(describe(document, &visibility, &styles, &path, node)),
            (true, true) => match exception(document, node, has_sheets) {
                Some(kind) => *score.exceptions.entry(kind).or_default() += 1,
                None => score.theirs_only.push(describe(document, &visibility, &styles, &path, node)),
            },
        }
    }
    score
}

fn exception(document: &Document, node: NodeId, has_sheets: bool) -> Option<&'static str> {
    match document.html_name(node) {
        Some(name::AREA) => Some("area"),
        Some(name::OPTION | name::OPTGROUP | name::HR)
            if document.ancestors(node).any(|above| document.is_html(above, name::SELECT)) =>
        {
            Some("option")
        }
        _ => (!has_sheets).then_some("unseen-sheet"),
    }
}

/// A page that came from an MHTML file was rendered with the sheets in it.
fn sheets_of(name: &str) -> BTreeMap<String, String> {
    let Some(own) = name.strip_prefix("dev/mhtml--") else { return BTreeMap::new() };
    let file = shared(&format!("corpora/mhtml/dev/{own}.mhtml")).expect("the MHTML file is there");
    parse(&std::fs::read(file).unwrap(), &ParseOptions::default()).unwrap().style_sheets
}

/// The elements that Chromium was asked about, with our verdicts. What is below an element that
/// is listed as `display: none` was not asked about.
fn walk(
    document: &Document,
    styles: &Styles,
    visibility: &Visibilities,
    expected: &BTreeSet<String>,
) -> Vec<(String, NodeId, bool)> {
    const SKIPPED: &[&str] = &["script", "style", "head", "meta", "link", "title", "template"];
    let Some(html) = document.element_children(NodeId::DOCUMENT).next() else { return Vec::new() };
    let mut asked = Vec::new();
    let mut waiting = vec![("/0".to_owned(), html)];
    while let Some((path, node)) = waiting.pop() {
        for (number, child) in document.element_children(node).enumerate() {
            if SKIPPED.contains(&document.local_name(child)) {
                continue;
            }
            let path = format!("{path}/{number}");
            let verdict = visibility.of(child);
            let contents = styles.of(child).display == Display::Contents;
            let shown = contents || matches!(verdict, Visibility::Visible | Visibility::Invisible(Reason::Inert));
            let none = matches!(verdict, Visibility::NotRendered(_)) && styles.of(child).display == Display::None;
            // Chromium does not look below `display: none`; whether it did is seen by what it lists.
            let below = format!("{path}/");
            let looked = if expected.contains(&path) {
                expected.range(below.clone()..).next().is_some_and(|next| next.starts_with(&below))
            } else {
                !none
            };
            asked.push((path.clone(), child, shown));
            if looked {
                waiting.push((path, child));
            }
        }
    }
    asked
}

fn describe(document: &Document, visibility: &Visibilities, styles: &Styles, path: &str, node: NodeId) -> String {
    let attributes: String = document
        .attributes(node)
        .take(4)
        .map(|attribute| {
            let value: String = attribute.value.chars().take(60).collect();
            format!(" {}={value:?}", document.name_text(attribute.name))
        })
        .collect();
    let reason = visibility.explain(node, styles).unwrap_or_default();
    format!("{path} <{}{attributes}> {reason}", document.local_name(node))
}
