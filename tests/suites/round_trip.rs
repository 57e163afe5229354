//! The html representation without stages parses back to the same tree, on every page and case at
//! hand; and parsing survives what chance makes of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::fmt::Write as _;

use snapshot_core::document::{Document, NodeId, name};
use snapshot_core::parse::{ParseOptions, Parsed, parse, parse_html};
use snapshot_core::representations::WriteOptions;
use snapshot_core::{Error, Page, Pipeline, Recipe};
use snapshot_tests::html5lib::{cases, dump};
use snapshot_tests::{files_below, has_extension, is_html, ledger, project_root, shared};

fn written(parsed: Parsed) -> String {
    let page = Page::from_parsed(parsed, None).unwrap();
    let pipeline = Pipeline::new(&Recipe::default(), "html").unwrap().with_options(WriteOptions::default());
    pipeline.run(&page).unwrap().text
}

/// The tree with its frames' trees behind it, each under its number. They are written as `srcdoc`,
/// so that this attribute says nothing more.
fn tree(document: &Document) -> String {
    let mut document = document.clone();
    let hosts: Vec<_> =
        document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.frame(node).is_some()).collect();
    for host in hosts {
        document.remove_attribute(host, name::SRCDOC);
    }
    let document = &document;
    let mut text = dump(document, NodeId::DOCUMENT);
    for (number, node) in
        document.composed_descendants(NodeId::DOCUMENT).filter_map(|node| document.frame(node)).enumerate()
    {
        write!(text, "\nframe {number}\n{}", dump(document, node)).unwrap();
    }
    text
}

/// The first line that changes when the page is written and read again.
fn difference(parsed: Parsed) -> Option<String> {
    let before = tree(&parsed.document);
    let html = written(parsed);
    let again = parse_html(&html, &ParseOptions::default()).unwrap();
    let after = tree(&again.document);
    let lines = || before.lines().chain(std::iter::repeat("")).zip(after.lines().chain(std::iter::repeat("")));
    (before != after).then(|| {
        let (was, is) = lines().find(|(was, is)| was != is).unwrap();
        format!("{was:?} became {is:?}")
    })
}

#[test]
fn pages_parse_back_to_the_same_tree() {
    let mut pages: Vec<_> =
        files_below(&project_root().join("corpora")).into_iter().filter(|file| is_html(file)).collect();
    if let Some(corpora) = shared("corpora") {
        pages.extend(files_below(&corpora).into_iter().filter(|file| is_html(file) || has_extension(file, "mhtml")));
    }
    let mut different = Vec::new();
    let mut inexpressible = 0;
    for page in &pages {
        let parsed = match parse(&std::fs::read(page).unwrap(), &ParseOptions::default()) {
            Err(Error::EmptyInput) => continue,
            parsed => parsed.unwrap(),
        };
        let expressible = reason(&tree(&parsed.document)).is_none();
        match difference(parsed) {
            Some(difference) if expressible => different.push(format!("{}: {difference}\n", page.display())),
            Some(_) => inexpressible += 1,
            None => {}
        }
    }
    assert!(inexpressible * 50 <= pages.len(), "{inexpressible} of {} pages cannot be written", pages.len());
    assert!(different.is_empty(), "{} of {} pages:\n{}", different.len(), pages.len(), different.concat());
}

#[test]
fn html5lib_cases_parse_back_to_the_same_tree() {
    let Some(root) = shared("conformance/html5lib-tests/tree-construction") else { return };
    let cases = cases(&root);
    let documents: Vec<_> = cases.iter().filter(|case| case.context.is_none()).collect();
    let mut lines = String::new();
    let mut pass = 0;
    for case in &documents {
        match difference(parse_html(&case.data, &ParseOptions::default()).unwrap()) {
            None => pass += 1,
            Some(difference) => {
                let tree = tree(&parse_html(&case.data, &ParseOptions::default()).unwrap().document);
                let reason = reason(&tree).unwrap_or_else(|| panic!("{}: {difference}\n{tree}", case.id));
                writeln!(lines, "\"{}\" = \"{reason}\"", case.id).unwrap();
            }
        }
    }
    let text = format!(
        "# html5lib cases whose tree cannot be written as HTML. Rewritten by BLESS=1.\n\ncases = {}\npass = {pass}\n\n[failing]\n{lines}",
        documents.len()
    );
    ledger::check("round_trip", &text);
}

/// Why HTML has no way to write a tree, if it has none.
fn reason(tree: &str) -> Option<&'static str> {
    let mut open: Vec<&str> = Vec::new();
    let mut found = None;
    for line in tree.lines() {
        let Some(rest) = line.strip_prefix("| ") else { continue };
        let text = rest.trim_start_matches(' ');
        open.truncate((rest.len() - text.len()) / 2);
        open.resize((rest.len() - text.len()) / 2, "");
        let parent = open.last().copied().unwrap_or("");
        let inside = |name: &str| open.contains(&name);
        found = found.or(match text {
            "<plaintext>" => Some("plaintext cannot be closed"),
            "<a>" if inside("<a>") => Some("an a in an a"),
            "<nobr>" if inside("<nobr>") => Some("a nobr in a nobr"),
            "<form>" if inside("<form>") => Some("a form in a form"),
            "<button>" if inside("<button>") => Some("a button in a button"),
            "<option>" if inside("<option>") => Some("an option in an option"),
            "<table>" if parent == "<table>" => Some("a table directly in a table"),
            _ if inside("<p>") && PARAGRAPH_ENDS.contains(&text) => Some("a block in a paragraph"),
            _ if parent == "<script>" && text.contains("<!--<script") => Some("a script that its end tag does not end"),
            _ => None,
        });
        open.push(text);
    }
    found
}

/// Some of the elements that end a paragraph.
const PARAGRAPH_ENDS: &[&str] = &["<p>", "<div>", "<ul>", "<ol>", "<table>", "<h1>", "<h2>", "<h3>", "<section>"];

/// Pieces of all inputs, cut anywhere, joined, repeated and damaged: nothing panics, the tree
/// stays a tree, the depth is kept.
#[test]
fn what_chance_makes_of_pages_is_parsed() {
    let mut sources: Vec<Vec<u8>> = files_below(&project_root().join("corpora"))
        .into_iter()
        .filter(|file| is_html(file))
        .map(|file| std::fs::read(file).unwrap())
        .collect();
    if let Some(root) = shared("conformance/html5lib-tests/tree-construction") {
        sources.extend(cases(&root).into_iter().map(|case| case.data.into_bytes()));
    }
    if let Some(root) = shared("corpora/mhtml") {
        sources.extend(files_below(&root).iter().take(3).map(|file| std::fs::read(file).unwrap()[..20_000].to_vec()));
    }
    sources.retain(|source| !source.is_empty());
    assert!(!sources.is_empty());
    let mut random = Random(0x5EED_1234_ABCD_0001);
    for round in 0..4000 {
        let mut page = Vec::new();
        for _ in 0..=random.below(6) {
            let source = &sources[random.below(sources.len())];
            let from = random.below(source.len());
            let length = (1 + random.below(400)).min(source.len() - from);
            let piece = &source[from..from + length];
            for _ in 0..if random.below(8) == 0 { 1 + random.below(200) } else { 1 } {
                page.extend_from_slice(piece);
            }
        }
        for _ in 0..random.below(4) {
            let at = random.below(page.len());
            page[at] = [0, b'<', b'>', b'"', b'&', b'/', b'\r', 0xff, 0xe2, b'='][random.below(10)];
        }
        let Ok(parsed) = parse(&page, &ParseOptions::default()) else { continue };
        parsed.document.assert_invariants();
        let document = &parsed.document;
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            assert!(document.ancestors(node).take(600).count() < 600, "round {round} is too deep");
        }
        if round % 4 == 0 {
            // Whatever was written is a page that says the same once more.
            let html = written(parsed);
            let again = parse_html(&html, &ParseOptions::default()).unwrap();
            again.document.assert_invariants();
        }
    }
}

/// xorshift64*, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(bits).unwrap() % end
    }
}
