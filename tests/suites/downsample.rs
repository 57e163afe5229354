//! The stage `downsample` against the published algorithm's own vectors, its known faults, and
//! its promise that less quality never costs more tokens.

#![allow(clippy::expect_used, reason = "a test fails by panicking, in its helpers too")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use snapshot_core::document::{Document, NodeId, name};
use snapshot_core::representations::REPRESENTATIONS;
use snapshot_core::text::ranking::{kept, order, rank, select};
use snapshot_core::text::sentences::sentences;
use snapshot_core::tokens::{FourCharacters, TokenCounter};
use snapshot_core::{Error, Page, PageOptions, Pipeline, Recipe, Snapshot};
use snapshot_tests::{corpus, golden, project_root, shared};

/// `tests/ledgers/downsample.toml`.
#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Ledger {
    /// What each reason means.
    reasons: BTreeMap<String, String>,
    /// How many vectors of each kind there are and how many we agree with.
    counts: BTreeMap<String, [usize; 2]>,
    /// Each vector that we do not agree with, and why.
    differs: BTreeMap<String, String>,
}

#[test]
fn vectors_agree_or_are_listed_with_the_reason() {
    let Some(folder) = shared("d2snap") else { return };
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut differing: BTreeMap<String, String> = BTreeMap::new();
    let mut judge = |kind: &str, name: String, agrees: Result<(), String>| {
        let count = counts.entry(kind.to_owned()).or_default();
        count[0] += 1;
        match agrees {
            Ok(()) => count[1] += 1,
            Err(difference) => {
                differing.insert(name, difference);
            }
        }
    };
    for vector in read(&folder.join("vectors.json")).as_array().expect("a list") {
        judge("pages", text(vector, "name").to_owned(), page_vector(vector));
    }
    let units = read(&folder.join("vectors_units.json"));
    for (kind, check) in UNITS {
        for (at, vector) in units[*kind].as_array().expect("a list").iter().enumerate() {
            judge(kind, format!("{kind} {at}"), check(vector));
        }
    }

    let path = project_root().join("tests/ledgers/downsample.toml");
    let mut ledger: Ledger = toml::from_str(&fs::read_to_string(&path).expect("the ledger is there")).expect("reads");
    if std::env::var_os("BLESS").is_some() {
        ledger.counts = counts;
        let reasons = std::mem::take(&mut ledger.differs);
        for name in differing.keys() {
            let reason = reasons.get(name).cloned().unwrap_or_default();
            ledger.differs.insert(name.clone(), reason);
        }
        fs::write(&path, toml::to_string_pretty(&ledger).expect("writes")).expect("can be written");
        return;
    }
    let mut faults = Vec::new();
    for (name, difference) in &differing {
        match ledger.differs.get(name).map(|reason| (reason, ledger.reasons.contains_key(reason))) {
            Some((_, true)) => {}
            Some((reason, false)) => faults.push(format!("{name}: no such reason: {reason:?}\n{difference}")),
            None => faults.push(format!("{name} differs\n{difference}")),
        }
    }
    faults.extend(
        ledger.differs.keys().filter(|name| !differing.contains_key(*name)).map(|name| format!("{name} agrees now")),
    );
    golden::assert_none(&faults);
    assert_eq!(ledger.counts, counts);
}

type UnitCheck = fn(&Value) -> Result<(), String>;

const UNITS: &[(&str, UnitCheck)] = &[
    ("sentenceTokenization", |vector| {
        let source = text(vector, "text");
        let found: Vec<&str> = sentences(source).into_iter().map(|range| source[range].trim()).collect();
        same(&serde_json::json!(found), &vector["sentences"])
    }),
    ("textRank", |vector| {
        let ranked = vector["ranked"].as_array().expect("a list");
        let mut listed: Vec<(u64, &str, f64)> = ranked
            .iter()
            .map(|entry| (entry["index"].as_u64().expect("a place"), text(entry, "sentence"), number(&entry["score"])))
            .collect();
        listed.sort_by_key(|&(at, ..)| at);
        let ranks = rank(&listed.iter().map(|&(_, sentence, _)| sentence).collect::<Vec<_>>());
        let agrees = ranks.iter().zip(&listed).all(|(rank, (.., wanted))| (rank - wanted).abs() < 1e-9);
        if agrees { Ok(()) } else { Err(format!("{ranks:?}")) }
    }),
    ("transform", |vector| {
        let source = text(vector, "text");
        let found: Vec<&str> = sentences(source).into_iter().map(|range| source[range].trim()).collect();
        let keep = kept(found.len(), 1.0 - number(&vector["keepRatio"]));
        let stays = select(&order(&found, &vec![0; found.len()]), &vec![false; found.len()], keep);
        let left: Vec<&str> = found.iter().zip(stays).filter(|(_, stays)| *stays).map(|(found, _)| *found).collect();
        same(&Value::String(left.join("\n")), &vector["output"])
    }),
    ("sentencesKept", |vector| {
        let count = vector["n"].as_u64().and_then(|count| usize::try_from(count).ok()).expect("a count");
        same(&serde_json::json!(kept(count, number(&vector["rT"]))), &vector["k"])
    }),
    ("attributeRating", |vector| {
        let rating = vector["rating"].as_f64().ok_or("not a number")?;
        let html = format!("<p {}=v>x</p>", text(vector, "name"));
        let stays = |least: f64| {
            let found = run(html.as_bytes(), &ratios(0.0, least, 0.0), "html").expect("converts").text;
            found.contains("=\"v\"")
        };
        let above = rating >= 1.0 || !stays(rating + 0.01);
        if stays(rating) && above { Ok(()) } else { Err(format!("not rated {rating}")) }
    }),
    ("containerRating", |vector| {
        let tag = text(vector, "tag").to_ascii_lowercase();
        let html = format!("<main><p>a</p><{tag}>x</{tag}></main>");
        let merged =
            !run(html.as_bytes(), &ratios(1.0, 0.0, 0.0), "html").expect("converts").text.contains(&format!("<{tag}>"));
        same(&Value::Bool(merged), &vector["isContainer"])
    }),
];

fn page_vector(vector: &Value) -> Result<(), String> {
    let params = &vector["params"];
    let recipe = ratios(number(&params["rE"]).min(1.0), number(&params["rA"]), number(&params["rT"]));
    let ours = run(text(vector, "html").as_bytes(), &recipe, "html").map_err(|error| error.to_string())?.text;
    let (ours, theirs) = (Outline::of(&ours), Outline::of(text(vector, "output")));
    if ours == theirs { Ok(()) } else { Err(format!("  ours:   {ours:?}\n  theirs: {theirs:?}")) }
}

/// What both can be expected to have in common: elements other than those of text formatting,
/// with their attributes, and letters and digits. Formatting is Markdown there, elements here.
#[derive(PartialEq)]
struct Outline(Vec<String>);

impl std::fmt::Debug for Outline {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0.join(" "))
    }
}

impl Outline {
    fn of(html: &str) -> Self {
        let Ok(page) = Page::read(format!("<body>{html}").as_bytes(), &PageOptions::default()) else {
            return Self(Vec::new());
        };
        let document = page.document();
        let mut outline = Self(Vec::new());
        let body = document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, name::BODY));
        let mut open: Vec<NodeId> = Vec::new();
        let mut skipped: BTreeSet<NodeId> = BTreeSet::new();
        for node in document.descendants(body.expect("every page has a body")) {
            let parent = document.parent(node);
            if FILTERED.contains(&document.local_name(node)) || parent.is_some_and(|parent| skipped.contains(&parent)) {
                skipped.insert(node);
                continue;
            }
            while open.last().is_some_and(|&last| parent != Some(last)) {
                outline.end(document, open.pop());
            }
            if document.is_text(node) {
                outline.add_text(document.text(node));
            } else if document.is_html(node, name::IMG) {
                for attribute in
                    [name::ALT, name::SRC, name::TITLE].iter().filter(|_| document.has_attribute(node, name::SRC))
                {
                    outline.add_text(document.attribute(node, *attribute).unwrap_or_default());
                }
            } else if document.is_element(node) {
                if !FORMATTING.contains(&document.local_name(node)) {
                    let mut attributes: Vec<String> = document
                        .attributes(node)
                        .map(|attribute| {
                            let value = attribute.value.split_whitespace().collect::<Vec<_>>().join(" ");
                            format!(" {}={value:?}", document.name_text(attribute.name))
                        })
                        .collect();
                    attributes.sort();
                    outline.0.push(format!("<{}{}>", document.local_name(node), attributes.concat()));
                }
                open.push(node);
            }
        }
        while let Some(node) = open.pop() {
            outline.end(document, Some(node));
        }
        outline
    }

    fn end(&mut self, document: &Document, node: Option<NodeId>) {
        let Some(tag) = node.map(|node| document.local_name(node)).filter(|tag| !FORMATTING.contains(tag)) else {
            return;
        };
        self.0.push(format!("</{tag}>"));
    }

    fn add_text(&mut self, text: &str) {
        let letters: String = text.chars().filter(|character| character.is_alphanumeric()).collect();
        match self.0.last_mut() {
            _ if letters.is_empty() => {}
            Some(last) if !last.starts_with('<') => last.push_str(&letters),
            _ => self.0.push(letters),
        }
    }
}

/// The elements that the reference turns into Markdown.
const FORMATTING: &[&str] = &[
    "address",
    "blockquote",
    "b",
    "br",
    "code",
    "em",
    "figure",
    "figcaption",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "thead",
    "th",
    "tr",
    "ul",
];

/// The elements that the reference leaves out; here another stage does.
const FILTERED: &[&str] = &[
    "circle",
    "clipPath",
    "defs",
    "ellipse",
    "filter",
    "g",
    "image",
    "line",
    "linearGradient",
    "link",
    "mask",
    "meta",
    "noscript",
    "path",
    "pattern",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "script",
    "stop",
    "style",
    "template",
    "use",
];

/// What the reference corrupts, on its own minimal inputs: nothing of it may happen here.
#[test]
fn no_known_fault_of_the_reference_happens_here() {
    let Some(file) = shared("d2snap/defects.json") else { return };
    let defects = read(&file);
    let mut faults = Vec::new();
    for defect in defects.as_array().expect("a list") {
        if let Err(fault) = defect_is_absent(defect) {
            faults.push(format!("{} {}: {fault}", text(defect, "id"), text(defect, "title")));
        }
    }
    golden::assert_none(&faults);
}

fn defect_is_absent(defect: &Value) -> Result<(), String> {
    let params: Vec<f64> = defect["params"].as_array().expect("three").iter().map(number).collect();
    let recipe = ratios(params[0].min(1.0), params[1], params[2]);
    if params.iter().any(|ratio| ratio.is_nan()) {
        let refused = Pipeline::new(&recipe, "html").is_err();
        return if refused { Ok(()) } else { Err("taken for a ratio".to_owned()) };
    }
    let html = text(defect, "html");
    if html.is_empty() {
        return Ok(());
    }
    let options = PageOptions::default();
    let before = Page::read(html.as_bytes(), &options).map_err(|error| error.to_string())?;
    let written = run(html.as_bytes(), &recipe, "html").map_err(|error| error.to_string())?.text;
    let after = Page::read(written.as_bytes(), &options).map_err(|error| error.to_string())?;
    let (targets, left) = (targets(&before), targets(&after));
    if targets != left {
        return Err(format!("targets {targets:?} became {left:?} in {written}"));
    }
    let tags = |page: &Page| -> BTreeSet<String> {
        let document = page.document();
        document.composed_descendants(NodeId::DOCUMENT).map(|node| document.local_name(node).to_owned()).collect()
    };
    if let Some(new) = tags(&after).difference(&tags(&before)).next() {
        return Err(format!("{new} is new in {written}"));
    }
    let words = |page: &Page| -> Vec<String> {
        let document = page.document();
        let shown = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_text(node));
        let shown = shown.filter(|&node| {
            !document.ancestors(node).any(|above| {
                matches!(document.html_name(above), Some(name::SCRIPT | name::STYLE | name::NOSCRIPT | name::TEMPLATE))
            })
        });
        let mut text = String::new();
        for node in shown {
            text.push_str(document.text(node));
        }
        text.split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    // Words of neighbouring blocks run together in the first tree, so letters are compared.
    if params[2] <= 0.0 && words(&before).concat() != words(&after).concat() {
        return Err(format!("the text is another in {written}"));
    }
    Ok(())
}

/// Names of what can be operated, in order.
fn targets(page: &Page) -> Vec<String> {
    let nodes = page.document().composed_descendants(NodeId::DOCUMENT);
    nodes.filter(|&node| page.semantics().is_target(node)).map(|node| page.semantics().name(node).to_owned()).collect()
}

#[test]
fn less_quality_never_costs_more_tokens() {
    let mut faults = Vec::new();
    for corpus_page in corpus::pages() {
        let page = corpus_page.read();
        for representation in REPRESENTATIONS {
            let mut last = usize::MAX;
            for step in (0..=10).rev() {
                let quality = format!("{:.1}", f64::from(step) / 10.0);
                let recipe = Recipe::preset(representation.preset).expect("the preset is there");
                let recipe = recipe.stage("downsample", [("quality", quality.as_str())]);
                let snapshot = convert(&page, &recipe, representation.name).expect("converts");
                let tokens = FourCharacters.count(&snapshot.text);
                if tokens > last {
                    faults.push(format!(
                        "{} {} at quality {quality}: {tokens} tokens after {last}",
                        corpus_page.name, representation.name
                    ));
                }
                last = tokens;
            }
        }
    }
    golden::assert_none(&faults);
}

#[test]
fn every_target_survives_reading_the_html_again() {
    let mut faults = Vec::new();
    let mut check = |name: &str, page: &Page| {
        let pruned = Recipe::default().stage("prune-hidden", []).stage("prune-noise", []);
        let count = |recipe: &Recipe| {
            let text = convert(page, recipe, "html").expect("converts").text;
            let again = Page::read(text.as_bytes(), &PageOptions::default()).expect("reads");
            let mut tags = BTreeMap::<String, usize>::new();
            let document = again.document();
            for node in document.composed_descendants(NodeId::DOCUMENT) {
                if again.semantics().is_target(node) {
                    let evidence: Vec<&str> = again.semantics().evidence(node).words().collect();
                    *tags.entry(format!("{} ({})", document.local_name(node), evidence.join(", "))).or_default() += 1;
                }
            }
            tags
        };
        let before = count(&pruned);
        for quality in ["0.6", "0.3", "0"] {
            let after = count(&pruned.clone().stage("downsample", [("quality", quality)]));
            if after.values().sum::<usize>() != before.values().sum::<usize>() {
                faults.push(format!("{name} at quality {quality}: {before:?} became {after:?}"));
            }
        }
    };
    for corpus_page in corpus::pages() {
        check(&corpus_page.name, &corpus_page.read());
    }
    if let Some(folder) = shared("corpora/d2snap") {
        let mut files: Vec<_> =
            fs::read_dir(folder).expect("a folder").filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "html")) {
            let page = Page::read(&fs::read(file).expect("reads"), &PageOptions::default()).expect("reads");
            check(&file.display().to_string(), &page);
        }
    }
    golden::assert_none(&faults);
}

fn ratios(elements: f64, attributes: f64, share_of_text: f64) -> Recipe {
    let written = |ratio: f64| if ratio.is_nan() { ".nan".to_owned() } else { ratio.to_string() };
    let (elements, attributes, share_of_text) = (written(elements), written(attributes), written(share_of_text));
    Recipe::default().stage(
        "downsample",
        [("elements", elements.as_str()), ("attributes", attributes.as_str()), ("text", share_of_text.as_str())],
    )
}

fn run(bytes: &[u8], recipe: &Recipe, representation: &str) -> Result<Snapshot, Error> {
    convert(&Page::read(bytes, &PageOptions::default())?, recipe, representation)
}

fn convert(page: &Page, recipe: &Recipe, representation: &str) -> Result<Snapshot, Error> {
    Pipeline::new(recipe, representation).and_then(|pipeline| pipeline.run(page))
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the file is there")).expect("the file is JSON")
}

fn text<'value>(value: &'value Value, key: &str) -> &'value str {
    value[key].as_str().unwrap_or_default()
}

/// A number, which the files write as text where JSON has none.
fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("Infinity") => f64::INFINITY,
        Some("undefined") => f64::NAN,
        Some(text) => text.parse().expect("a number"),
        None => value.as_f64().unwrap_or(f64::NAN),
    }
}

fn same(ours: &Value, theirs: &Value) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("  ours:   {ours}\n  theirs: {theirs}")) }
}
