//! Deltas between snapshots of a page: exact, and with ids that stay.

#![allow(clippy::expect_used, reason = "a test fails by panicking, in its helpers too")]

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use snapshot_core::document::{Document, Namespace, NodeId, NodeKind, name};
use snapshot_core::parse::{ParseOptions, Parsed, parse};
use snapshot_core::representations::{REPRESENTATIONS, RepresentationKind};
use snapshot_core::tokens::{FourCharacters, TokenCounter};
use snapshot_core::{Page, Pipeline, Recipe, Snapshot, diff};
use snapshot_tests::corpus::{self, CorpusPage};
use snapshot_tests::{golden, project_root};

/// How many mutated pages are tried.
const MUTATIONS: usize = 500;

/// `tests/ledgers/diff.toml`.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Ledger {
    /// What became of the ids on the mutated pages.
    identity: Identity,
    /// Tokens (a quarter of the characters) by what was done to the page.
    mutations: BTreeMap<String, Size>,
    /// The same for what a person does, on one page each.
    actions: BTreeMap<String, Size>,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Identity {
    /// Elements that were there before and after.
    survivors: usize,
    /// Those of them that have their id no longer, but a new one.
    lost: usize,
    /// Those of them that have the id of another.
    wrong: usize,
    /// New elements with the id of one that is gone.
    reused: usize,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Size {
    snapshot: usize,
    delta: usize,
}

#[test]
fn deltas_are_exact_and_ids_stay() {
    let mut ledger = Ledger::default();
    let mut faults = Vec::new();
    let pages = corpus::pages();
    let parsed: Vec<Parsed> = pages.iter().map(parsed).collect();
    for round in 0..MUTATIONS {
        let at = round % pages.len();
        let kind = &REPRESENTATIONS[round / pages.len() % REPRESENTATIONS.len()];
        let before = page(&pages[at], parsed[at].clone());
        let mut changed = parsed[at].clone();
        let mutation = mutate(&mut changed.document, u64::try_from(round).expect("small"));
        let after = page(&pages[at], changed).continuing(&before);
        count_identity(&before, &after, &mut ledger.identity);
        let size = ledger.mutations.entry(mutation.to_owned()).or_default();
        if let Err(fault) = exact_delta(&before, &after, kind, size) {
            faults.push(format!("{} {mutation} {round} {}: {fault}", pages[at].name, kind.name));
        }
    }
    for (action, corpus_page, act) in ACTIONS {
        let at = pages.iter().position(|page| page.name == *corpus_page).expect("the page is there");
        let before = page(&pages[at], parsed[at].clone());
        let mut changed = parsed[at].clone();
        act(&mut changed.document);
        let after = page(&pages[at], changed).continuing(&before);
        let size = ledger.actions.entry((*action).to_owned()).or_default();
        for kind in REPRESENTATIONS.iter().filter(|kind| kind.name == "ax") {
            faults.extend(exact_delta(&before, &after, kind, size).err());
        }
    }
    golden::assert_none(&faults);
    assert_eq!(ledger.identity.reused, 0);
    assert!(ledger.identity.wrong * 100_000 <= ledger.identity.survivors, "{:?}", ledger.identity);
    let path = project_root().join("tests/ledgers/diff.toml");
    golden::compare(&path, &toml::to_string_pretty(&ledger).expect("writes")).expect("the ledger is up to date");
}

#[test]
fn a_page_continues_itself_without_new_ids() {
    for corpus_page in corpus::pages() {
        let before = corpus_page.read();
        let after = corpus_page.read().continuing(&before);
        for node in after.document().composed_descendants(NodeId::DOCUMENT) {
            assert_eq!(before.references().number(node), after.references().number(node), "{}", corpus_page.name);
        }
    }
}

#[test]
fn the_id_of_a_gone_element_is_never_given_again() {
    let read = |html: &str| Page::read(html.as_bytes(), &Default::default()).expect("reads");
    let number = |page: &Page, tag: &str| {
        let document = page.document();
        let node = document.descendants(NodeId::DOCUMENT).find(|&node| document.local_name(node) == tag);
        page.references().number(node.expect("is there")).expect("has an id")
    };
    let first = read("<main><button>Pay now</button><h1>Cart</h1></main>");
    let second = read("<main><h1>Cart</h1></main>").continuing(&first);
    let third = read("<main><select><option>Visa</select><h1>Cart</h1></main>").continuing(&second);
    assert_eq!(number(&first, "h1"), number(&third, "h1"));
    assert_eq!(second.references().node(number(&first, "button")), None);
    assert_eq!(third.references().node(number(&first, "button")), None);
    assert!(number(&third, "select") > number(&first, "h1"));
}

fn exact_delta(before: &Page, after: &Page, kind: &RepresentationKind, size: &mut Size) -> Result<(), String> {
    let (before, after) = (snapshot(before, kind), snapshot(after, kind));
    let delta = diff::between(&before, &after);
    let written = serde_json::to_string(&delta).map_err(|error| error.to_string())?;
    let read: diff::Delta = serde_json::from_str(&written).map_err(|error| error.to_string())?;
    if read != delta {
        return Err("the delta reads back as another".to_owned());
    }
    let applied = diff::apply(&before.text, &read).map_err(|error| error.to_string())?;
    if applied != after.text {
        return Err("applied it gives another text".to_owned());
    }
    size.snapshot += FourCharacters.count(&after.text);
    size.delta += FourCharacters.count(&written);
    Ok(())
}

/// Both pages are made from one document, so the same node is the same element: the truth that
/// the matching, which does not look at it, is compared with.
fn count_identity(before: &Page, after: &Page, identity: &mut Identity) {
    let old = before.document().len();
    for node in after.document().composed_descendants(NodeId::DOCUMENT) {
        if !after.document().is_element(node) {
            continue;
        }
        let number = after.references().number(node).expect("each element has an id");
        if node.index() >= old {
            identity.reused += usize::from(before.references().node(number).is_some());
            continue;
        }
        identity.survivors += 1;
        match before.references().node(number) {
            Some(earlier) if earlier == node => {}
            Some(_) => identity.wrong += 1,
            None => identity.lost += 1,
        }
    }
}

fn parsed(corpus_page: &CorpusPage) -> Parsed {
    parse(&corpus_page.bytes, &ParseOptions::default()).expect("parses")
}

fn page(corpus_page: &CorpusPage, parsed: Parsed) -> Page {
    Page::from_parsed(parsed, Some(&corpus_page.tasks.url)).expect("reads")
}

fn snapshot(page: &Page, kind: &RepresentationKind) -> Snapshot {
    let recipe = Recipe::preset(kind.preset).expect("is there");
    Pipeline::new(&recipe, kind.name).and_then(|pipeline| pipeline.run(page)).expect("converts")
}

/// Numbers that look random and are the same each time (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit.max(1)).expect("small")).expect("below the limit")
    }
}

/// Does one to three things of one kind to the page and says which kind.
fn mutate(document: &mut Document, seed: u64) -> &'static str {
    let mut dice = Dice(seed);
    let kind = ["insert", "remove", "move", "text", "attribute"][dice.below(5)];
    for _ in 0..=dice.below(3) {
        let elements: Vec<NodeId> = document
            .composed_descendants(NodeId::DOCUMENT)
            .filter(|&node| {
                document.parent_element(node).is_some()
                    && document.is_element(node)
                    && !matches!(document.html_name(node), Some(name::HEAD | name::BODY))
            })
            .collect();
        let target = elements[dice.below(elements.len())];
        match kind {
            "insert" => {
                let tag = [name::P, name::BUTTON, name::DIV][dice.below(3)];
                let new = document.create_element(tag, Namespace::Html);
                let words = document.create_text(&format!("Fresh words number {}", dice.below(1000)));
                document.append(new, words);
                document.insert_before(target, new);
            }
            "remove" => document.detach(target),
            "move" => {
                let to = elements[dice.below(elements.len())];
                document.insert_before(to, target);
            }
            "text" => {
                let texts: Vec<NodeId> = document
                    .composed_descendants(NodeId::DOCUMENT)
                    .filter(|&node| document.kind(node) == NodeKind::Text && !document.text(node).trim().is_empty())
                    .collect();
                let text = texts[dice.below(texts.len())];
                let changed = format!("{} {}", document.text(text), dice.below(100));
                document.set_text(text, &changed);
            }
            _ => {
                let attribute = [name::CLASS, name::ARIA_EXPANDED, name::TITLE, name::HIDDEN][dice.below(4)];
                document.set_attribute(target, attribute, "true");
            }
        }
    }
    kind
}

/// What a person does, the page it is done on, and what it does to the page.
type Action = (&'static str, &'static str, fn(&mut Document));

const ACTIONS: &[Action] = &[
    ("open a menu", "nested-menus", |document| {
        let closed: Vec<NodeId> = document
            .composed_descendants(NodeId::DOCUMENT)
            .filter(|&node| document.attribute(node, name::ARIA_EXPANDED) == Some("false"))
            .collect();
        let opener = *closed.first().expect("there is a closed menu");
        document.set_attribute(opener, name::ARIA_EXPANDED, "true");
        let hidden =
            document.composed_descendants(NodeId::DOCUMENT).find(|&node| document.has_attribute(node, name::HIDDEN));
        if let Some(menu) = hidden {
            document.remove_attribute(menu, name::HIDDEN);
        }
    }),
    ("filter a table", "dashboard", |document| {
        let rows: Vec<NodeId> = document
            .composed_descendants(NodeId::DOCUMENT)
            .filter(|&node| {
                document.is_html(node, name::TR)
                    && document.parent(node).is_some_and(|parent| document.is_html(parent, name::TBODY))
            })
            .collect();
        assert!(rows.len() > 2, "there is a table");
        for &row in rows.iter().step_by(2) {
            document.detach(row);
        }
    }),
    ("submit a form with errors", "checkout-form", |document| {
        let required: Vec<NodeId> = document
            .composed_descendants(NodeId::DOCUMENT)
            .filter(|&node| document.is_html(node, name::INPUT) && document.has_attribute(node, name::REQUIRED))
            .collect();
        assert!(!required.is_empty(), "there is a form");
        for &input in required.iter().take(3) {
            document.set_attribute(input, name::ARIA_INVALID, "true");
            let message = document.create_element(name::P, Namespace::Html);
            let words = document.create_text("Fill in this field.");
            document.append(message, words);
            document.insert_before(input, message);
        }
    }),
];
