//! The accessibility tree that we write against Chromium's own, page by page.
//!
//! `NAME.ax.json` holds Chromium's tree of `NAME.html`, each node with the path of its element.
//! What Chromium exposes with a meaning must stand here with the same role and name (recall), and
//! what stands here must be exposed there (precision). Chromium loaded the style sheets of many
//! of the pages, which are not in the HTML; so each page is judged twice: as the HTML alone, and
//! with the sheets where they are known, which is with those of the MHTML files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use snapshot_core::parse::{ParseOptions, Parsed, parse};
use snapshot_core::{Page, Pipeline, Recipe};
use snapshot_tests::{ledger, shared};

/// Chromium's own words for what ARIA calls otherwise or does not name at all.
const ALIASES: &[(&str, &str)] = &[
    ("image", "img"),
    ("DescriptionListTerm", "term"),
    ("DescriptionListDetail", "definition"),
    ("Details", "group"),
    ("Iframe", "iframe"),
    ("IframePresentational", "iframe"),
    ("ColorWell", "color"),
    ("Date", "textbox"),
    ("DateTime", "textbox"),
    ("InputTime", "textbox"),
    ("SvgRoot", "img"),
    ("graphics-document", "img"),
];

/// Roles of Chromium's own bookkeeping, and those on which the specifications leave the choice.
const SKIPPED: &[&str] = &[
    "RootWebArea",
    "StaticText",
    "InlineTextBox",
    "ListMarker",
    "LineBreak",
    "generic",
    "none",
    "presentation",
    "LabelText",
    "Legend",
    "MenuListPopup",
    "MenuListOption",
    "LayoutTable",
    "LayoutTableRow",
    "LayoutTableCell",
    "DescriptionList",
    "Figcaption",
    "Abbr",
    "Ruby",
    "RubyAnnotation",
    "Canvas",
    "Video",
    "Audio",
    "PluginObject",
    "EmbeddedObject",
    "DisclosureTriangle",
    "DisclosureTriangleGrouped",
    "Pre",
    "Unknown",
    "ScrollBar",
    "rowgroup",
    "Document",
    "sectionheader",
    "sectionfooter",
    "Section",
];

/// The kinds of differences that stay, each with its reason, in the order in which they are tried.
const KINDS: &[(&str, &str)] = &[
    ("empty", "structure around nothing, or around no more than a blank, is not written"),
    ("letter-case", "Chromium's names follow text-transform; here they are the page's own text (CSS Text 3, 2.1)"),
    ("later", "content-visibility: auto; a person who scrolls there sees it, Chromium's tree has it only then"),
    ("paragraph", "Chromium exposes a paragraph only where it is laid out as a plain block; HTML-AAM always does"),
    ("file-button", "Chromium's own words on the button of a file field, before the name or with the value"),
    (
        "unseen-sheet",
        "a linked sheet, which the browser loaded and the file does not hold, hides it or adds to its name",
    ),
];

#[derive(Default)]
struct Score {
    expected: usize,
    agreed: usize,
    written: usize,
    exposed: usize,
    /// The differences by their kind.
    missed: BTreeMap<&'static str, usize>,
    extra: BTreeMap<&'static str, usize>,
    unexplained: Vec<String>,
}

impl Score {
    fn recall(&self) -> usize {
        10_000 * self.agreed / self.expected.max(1)
    }

    fn precision(&self) -> usize {
        10_000 * self.exposed / self.written.max(1)
    }

    fn add(&mut self, other: Self) {
        self.expected += other.expected;
        self.agreed += other.agreed;
        self.written += other.written;
        self.exposed += other.exposed;
        for (kind, count) in other.missed {
            *self.missed.entry(kind).or_default() += count;
        }
        for (kind, count) in other.extra {
            *self.extra.entry(kind).or_default() += count;
        }
        self.unexplained.extend(other.unexplained);
    }

    fn write(&self, text: &mut String) {
        writeln!(
            text,
            "expected = {}\nagreed = {}\nwritten = {}\nexposed = {}\nrecall_per_myriad = {}\nprecision_per_myriad = {}",
            self.expected,
            self.agreed,
            self.written,
            self.exposed,
            self.recall(),
            self.precision()
        )
        .unwrap();
    }
}

#[test]
fn roles_and_names_are_those_of_the_browser() {
    let Some(root) = shared("corpora/rendered") else { return };
    let manifest: Value = serde_json::from_slice(&std::fs::read(root.join("manifest.json")).unwrap()).unwrap();
    let (mut alone, mut with_sheets) = (Score::default(), Score::default());
    let mut pages = String::new();
    for file in manifest["files"].as_array().unwrap() {
        let name = file["name"].as_str().unwrap();
        let oracle = Oracle::read(&root.join(format!("{name}.ax.json")));
        let html = std::fs::read(root.join(format!("{name}.html"))).unwrap();
        let loaded = file["network"].as_str() != Some("blocked");
        let mhtml = mhtml_of(name);
        let own = score(&Judged::read(name, &html, None, loaded || mhtml.is_some()), &oracle);
        let full = score(&Judged::read(name, &html, mhtml.as_ref(), loaded), &oracle);
        if own.agreed < own.expected || own.exposed < own.written {
            let counts = |differences: &BTreeMap<&str, usize>| {
                differences.iter().map(|(kind, count)| format!("{kind} = {count}")).collect::<Vec<_>>().join(", ")
            };
            writeln!(
                pages,
                "\"{name}\" = {{ expected = {}, missed = {{ {} }}, written = {}, extra = {{ {} }} }}",
                own.expected,
                counts(&own.missed),
                own.written,
                counts(&own.extra)
            )
            .unwrap();
        }
        alone.add(own);
        with_sheets.add(full);
    }
    let unexplained = &with_sheets.unexplained;
    assert!(unexplained.is_empty(), "differ and have no reason:\n{}", unexplained.join("\n"));
    let mut text = String::from("# Chromium's accessibility tree against ours. Rewritten by BLESS=1.\n");
    text.push_str("\n# The HTML alone, without the sheets that Chromium loaded for some pages.\n[html]\n");
    alone.write(&mut text);
    text.push_str("\n# With the sheets that the MHTML files hold.\n[with_sheets]\n");
    with_sheets.write(&mut text);
    text.push_str("\n[reasons]\n");
    for (kind, reason) in KINDS {
        let count = |differences: &BTreeMap<&str, usize>| differences.get(kind).copied().unwrap_or_default();
        writeln!(
            text,
            "{kind} = {{ missed = {}, extra = {}, missed_with_sheets = {}, extra_with_sheets = {}, reason = \"{reason}\" }}",
            count(&alone.missed),
            count(&alone.extra),
            count(&with_sheets.missed),
            count(&with_sheets.extra)
        )
        .unwrap();
    }
    write!(text, "\n# Of the HTML alone; pages without differences are left out.\n[pages]\n{pages}").unwrap();
    let (recall, precision) = (with_sheets.recall(), with_sheets.precision());
    assert!(recall >= 9850 && precision >= 9850, "recall {recall} ‱, precision {precision} ‱");
    ledger::check("chromium_tree", &text);
}

/// What Chromium says of a page.
struct Oracle {
    /// Role and name of each element that is exposed with a meaning, by its path.
    expected: BTreeMap<String, (String, String)>,
    /// The paths of all elements that are exposed.
    exposed: BTreeSet<String>,
    /// The paths of exposed nodes that have anything to show: text, or an element with a name.
    filled: BTreeSet<String>,
}

impl Oracle {
    fn read(file: &Path) -> Self {
        let tree: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let mut oracle = Self { expected: BTreeMap::new(), exposed: BTreeSet::new(), filled: BTreeSet::new() };
        for node in tree["nodes"].as_array().unwrap() {
            let Some(path) = node["dom"].as_str().filter(|_| node["ignored"] != Value::Bool(true)) else { continue };
            let (role, name) = (node["role"].as_str().unwrap_or(""), folded(node["name"].as_str().unwrap_or("")));
            oracle.exposed.insert(path.to_owned());
            if !name.is_empty() && !matches!(role, "ListMarker" | "LineBreak") {
                oracle.filled.insert(path.to_owned());
            }
            if path.contains(['$', '#']) || path.contains("::") || SKIPPED.contains(&role) {
                continue;
            }
            oracle.expected.insert(path.to_owned(), (alias(role).to_owned(), name));
        }
        oracle
    }

    /// Whether nothing is to be seen or operated in the element.
    fn is_empty(&self, path: &str) -> bool {
        let below = format!("{path}/");
        !self.filled.contains(path)
            && self.filled.range(below.clone()..).next().is_none_or(|next| !next.starts_with(&below))
    }
}

/// A page to judge.
struct Judged<'run> {
    name: &'run str,
    page: Page,
    /// Whether Chromium loaded sheets that are not here.
    sheets_are_unseen: bool,
    /// Whether the page leaves parts of itself to be laid out when a person scrolls there.
    is_laid_out_later: bool,
}

impl<'run> Judged<'run> {
    /// Reads the HTML, with the sheets of an MHTML file if there is one.
    fn read(name: &'run str, html: &[u8], mhtml: Option<&Parsed>, sheets_are_unseen: bool) -> Self {
        let mut parsed = parse(html, &ParseOptions::default()).unwrap();
        if let Some(mhtml) = mhtml {
            parsed.style_sheets.clone_from(&mhtml.style_sheets);
        }
        let page = Page::from_parsed(parsed, None).unwrap();
        let is_laid_out_later = holds_text(html, "content-visibility:auto");
        Self { name, page, sheets_are_unseen, is_laid_out_later }
    }

    /// Why a role and name that Chromium has do not stand here.
    fn why_missed(
        &self,
        oracle: &Oracle,
        path: &str,
        (role, wanted): (&str, &str),
        found: Option<&(&str, String)>,
    ) -> Option<&'static str> {
        let Some((_, own)) = found.filter(|(found, _)| *found == role) else {
            return (found.is_none() && wanted.is_empty() && oracle.is_empty(path))
                .then_some("empty")
                .or_else(|| self.unseen());
        };
        if own.to_lowercase() == wanted.to_lowercase() {
            Some("letter-case")
        } else if wanted.contains("Choose File") {
            Some("file-button")
        } else {
            self.unseen().or_else(|| (self.is_laid_out_later && wanted.is_empty()).then_some("later"))
        }
    }

    /// Why what stands here is not exposed by Chromium.
    fn why_extra(&self, oracle: &Oracle, path: &str, role: &str) -> Option<&'static str> {
        if role == "paragraph" && !oracle.is_empty(path) {
            return Some("paragraph");
        }
        self.unseen().or_else(|| self.is_laid_out_later.then_some("later"))
    }

    fn unseen(&self) -> Option<&'static str> {
        self.sheets_are_unseen.then_some("unseen-sheet")
    }
}

fn score(judged: &Judged<'_>, oracle: &Oracle) -> Score {
    let recipe = Recipe::from_list("prune-hidden").unwrap();
    let snapshot = Pipeline::new(&recipe, "ax").unwrap().run(&judged.page).unwrap();
    let ours: BTreeMap<&str, (&str, String)> = snapshot
        .map
        .entries
        .iter()
        .filter(|entry| !entry.path.contains('$'))
        .map(|entry| (entry.path.as_str(), (entry.role.as_deref().map_or("", alias), folded(&entry.name))))
        .collect();
    let mut score = Score { expected: oracle.expected.len(), ..Score::default() };
    for (path, (role, wanted)) in &oracle.expected {
        let found = ours.get(path.as_str());
        if found.is_some_and(|(found, own)| found == role && own == wanted) {
            score.agreed += 1;
            continue;
        }
        match judged.why_missed(oracle, path, (role, wanted), found) {
            Some(kind) => *score.missed.entry(kind).or_default() += 1,
            None => {
                let line = format!("{} {path}: {role} {wanted:?} in Chromium, {found:?} here", judged.name);
                score.unexplained.push(line);
            }
        }
    }
    for (path, (role, own)) in ours {
        if role.is_empty() || SKIPPED.contains(&role) {
            continue;
        }
        score.written += 1;
        if oracle.exposed.contains(path) {
            score.exposed += 1;
            continue;
        }
        match judged.why_extra(oracle, path, role) {
            Some(kind) => *score.extra.entry(kind).or_default() += 1,
            None => {
                let line = format!("{} {path}: not exposed in Chromium, {role} {own:?} here", judged.name);
                score.unexplained.push(line);
            }
        }
    }
    score
}

/// The MHTML file that a page was made from.
fn mhtml_of(name: &str) -> Option<Parsed> {
    let own = name.strip_prefix("dev/mhtml--")?;
    let file = shared(&format!("corpora/mhtml/dev/{own}.mhtml")).expect("the MHTML file is there");
    Some(parse(&std::fs::read(file).unwrap(), &ParseOptions::default()).unwrap())
}

/// Whether a page holds a text in lower case and without blanks.
fn holds_text(html: &[u8], text: &str) -> bool {
    let squeezed: Vec<u8> =
        html.iter().filter(|byte| !byte.is_ascii_whitespace()).map(u8::to_ascii_lowercase).collect();
    squeezed.windows(text.len()).any(|window| window == text.as_bytes())
}

fn alias(role: &str) -> &str {
    ALIASES.iter().find(|(word, _)| *word == role).map_or(role, |(_, ours)| ours)
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
