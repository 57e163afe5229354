//! The promises about budgets: never over, never an error, well formed, nothing lost without a
//! word, a larger budget never shows fewer targets, the same bytes twice; ids that the map names
//! stand in the text.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use snapshot_core::representations::{REPRESENTATIONS, ReferencePolicy, WriteOptions};
use snapshot_core::tokens::{self, Encoding};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, Snapshot};
use snapshot_tests::{corpus, files_below, golden, is_html, shared};

const BUDGETS: &[usize] = &[64, 100, 256, 1024, 4096, 16384];

/// Writing pages more often than this to fit them is not "a few renders": on average, in tenths,
/// and each (no costs whatever can take more than 16, which `budget::search` proves).
const USUAL_RENDERS: usize = 55;
const MOST_RENDERS: usize = 12;

fn pipeline(representation: &str) -> Pipeline {
    pipeline_with(representation, ReferencePolicy::Targets)
}

fn pipeline_with(representation: &str, references: ReferencePolicy) -> Pipeline {
    let mut options = WriteOptions::default();
    options.references = Some(references);
    let recipe = Recipe::preset("navigate").expect("the preset is there");
    Pipeline::new(&recipe, representation).expect("the representation is there").with_options(options)
}

fn encoding() -> &'static Encoding {
    tokens::find("o200k_base").expect("in the table")
}

/// The ids of the actionable elements that stand in the text.
fn targets(snapshot: &Snapshot) -> BTreeSet<u32> {
    let entries = snapshot.map.entries.iter().filter(|entry| entry.actionable);
    entries.filter_map(|entry| number(entry.reference.as_deref()?)).collect()
}

fn number(reference: &str) -> Option<u32> {
    reference.trim_start_matches('e').parse().ok()
}

/// An id that the source map says is written and that does not stand where the map says.
fn unwritten(snapshot: &Snapshot) -> Option<&str> {
    snapshot.map.entries.iter().find_map(|entry| {
        let reference = entry.reference.as_deref()?;
        let digits = reference.trim_start_matches('e');
        let text = &snapshot.text[entry.span[0]..entry.span[1]];
        let stands = match snapshot.representation {
            // Whatever quotes it; in a frame's page these are escaped.
            "html" => text.split("data-uid=").skip(1).any(|behind| {
                let behind = behind.trim_start_matches(|character: char| !character.is_ascii_digit());
                behind.strip_prefix(digits).is_some_and(|rest| !begins_with_digit(rest))
            }),
            "list" => text.contains(&format!("[{digits}]")),
            // As a word of its own.
            _ => text.match_indices(reference).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                !before.is_some_and(char::is_alphanumeric) && !begins_with_digit(&text[at + reference.len()..])
            }),
        };
        (!stands).then_some(reference)
    })
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|next: char| next.is_ascii_digit())
}

fn well_formed(snapshot: &Snapshot) -> Result<(), String> {
    match snapshot.representation {
        "ax" => {
            let value: Result<yaml_serde::Value, _> = yaml_serde::from_str(&snapshot.text);
            value.map(|_| ()).map_err(|error| format!("is no YAML: {error}"))
        }
        "html" if snapshot.text.is_empty() => Ok(()),
        "html" => {
            let read = |text: &str, terse: bool| {
                let page = Page::read(text.as_bytes(), &PageOptions::default()).map_err(|error| error.to_string())?;
                let mut options = WriteOptions::default();
                options.terse = terse;
                let pipeline = Pipeline::new(&Recipe::default(), "html").map(|pipeline| pipeline.with_options(options));
                let written = pipeline.and_then(|pipeline| pipeline.run(&page));
                written.map(|snapshot| snapshot.text).map_err(|error| error.to_string())
            };
            // Read back, our notes are comments of a page that pose as notes.
            let wanted = snapshot.text.replace("<!-- … ", "<!-- ... ");
            if read(&snapshot.text, false)? == wanted || read(&snapshot.text, true)? == wanted {
                Ok(())
            } else {
                Err("HTML does not read back as it was written".to_owned())
            }
        }
        _ if snapshot.text.is_empty() || snapshot.text.ends_with('\n') => Ok(()),
        _ => Err("the last line is not whole".to_owned()),
    }
}

/// How often pages have been written to fit them.
#[derive(Default)]
struct Renders {
    snapshots: usize,
    all: usize,
    most: usize,
}

impl Renders {
    fn add(&mut self, renders: usize) {
        // What fits as it is has not been fitted.
        if renders > 1 {
            self.snapshots += 1;
            self.all += renders;
            self.most = self.most.max(renders);
        }
    }

    #[track_caller]
    fn are_few(&self, most: usize) {
        assert!(self.most <= most, "a page was written {} times", self.most);
        assert!(self.all * 10 <= USUAL_RENDERS * self.snapshots, "{} times for {} snapshots", self.all, self.snapshots);
    }
}

/// Checks one page.
fn check(
    name: &str,
    page: &Page,
    budgets: impl Iterator<Item = usize>,
    faults: &mut Vec<String>,
    renders: &mut Renders,
) {
    let budgets: Vec<usize> = budgets.collect();
    for representation in REPRESENTATIONS {
        let whole = pipeline(representation.name).run(page).expect("converts");
        let wanted = targets(&whole);
        let with_all_ids = pipeline_with(representation.name, ReferencePolicy::All).run(page).expect("converts");
        for whole in [&whole, &with_all_ids] {
            if let Some(reference) = unwritten(whole) {
                faults.push(format!("{name} {}: {reference} is in the map and not in the text", representation.name));
            }
        }
        let mut before = 0;
        for &budget in &budgets {
            let fitted = pipeline(representation.name).with_budget(budget, encoding());
            let mut fault = |what: String| faults.push(format!("{name} {} @{budget}: {what}", representation.name));
            let snapshot = match fitted.run(page) {
                Ok(snapshot) => snapshot,
                Err(error) => {
                    fault(error.to_string());
                    continue;
                }
            };
            renders.add(snapshot.renders);
            let count = encoding().counter.count(&snapshot.text);
            if count > budget {
                fault(format!("{count} tokens"));
            }
            if let Err(what) = well_formed(&snapshot) {
                fault(what);
            }
            if let Some(reference) = unwritten(&snapshot) {
                fault(format!("{reference} is in the map and not in the text"));
            }
            let kept = targets(&snapshot);
            let ranges: Vec<(u32, u32)> = snapshot
                .elided
                .iter()
                .filter_map(|elided| Some((number(&elided.refs[0])?, number(&elided.refs[1])?)))
                .collect();
            let lost: Vec<u32> = wanted
                .iter()
                .copied()
                .filter(|id| !kept.contains(id) && !ranges.iter().any(|(first, last)| first <= id && id <= last))
                .collect();
            if !lost.is_empty() {
                fault(format!("lost without a word: {lost:?}"));
            }
            if let Some(id) = kept.iter().find(|id| ranges.iter().any(|(first, last)| first <= id && id <= &last)) {
                fault(format!("e{id} is written and listed as left out"));
            }
            if kept.len() < before {
                fault(format!("{} targets, fewer than {before} with a smaller budget", kept.len()));
            }
            before = kept.len();
            let again = pipeline(representation.name).with_budget(budget, encoding()).run(page).expect("converts");
            if again.text != snapshot.text || again.elided != snapshot.elided {
                fault("the second run differs".to_owned());
            }
        }
    }
}

#[test]
fn budgets_are_kept_on_our_pages() {
    let (mut faults, mut renders) = (Vec::new(), Renders::default());
    for page in corpus::pages() {
        check(&page.name, &page.read(), BUDGETS.iter().copied(), &mut faults, &mut renders);
    }
    golden::assert_none(&faults);
    renders.are_few(MOST_RENDERS);
}

/// Pages of many makers, whose markup is read back as it was meant only if no tag was left out or
/// taken off that holds the tree together.
#[test]
fn budgets_are_kept_on_real_pages() {
    let Some(folder) = shared("corpora/rendered") else { return };
    let (mut faults, mut renders) = (Vec::new(), Renders::default());
    for file in files_below(&folder).into_iter().filter(|file| is_html(file)) {
        let page = Page::read(&std::fs::read(&file).expect("reads"), &PageOptions::default()).expect("reads");
        check(&file.display().to_string(), &page, [300, 2048].into_iter(), &mut faults, &mut renders);
    }
    golden::assert_none(&faults);
    renders.are_few(MOST_RENDERS);
}

/// What is not shown is left out for itself: it does not stay with the block around it until
/// nothing stays at all.
#[test]
fn hidden_parts_give_way_to_what_is_shown() {
    let menu = "<li><a href=/menu>Hidden entry of a long menu</a>".repeat(300);
    let story = "<h2>Ferries</h2><p>Boats leave at noon.</p><button>Book a seat</button>".repeat(80);
    for wrapper in ["<div>Words", "<div tabindex=0>Words", "<div onclick='go()'>"] {
        let html = format!("{wrapper}<ul style='display:none'>{menu}</ul>{story}</div>");
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        for representation in REPRESENTATIONS {
            let mut options = WriteOptions::default();
            options.references = Some(ReferencePolicy::Targets);
            let recipe = Recipe::from_list("prune-noise").expect("is a list");
            let pipeline = || {
                let pipeline = Pipeline::new(&recipe, representation.name).expect("is there");
                pipeline.with_options(options.clone())
            };
            for budget in [512, 1024] {
                let snapshot = pipeline().with_budget(budget, encoding()).run(&page).expect("converts");
                let what = format!("{wrapper} {} at {budget}:\n{}", representation.name, snapshot.text);
                assert!(encoding().counter.count(&snapshot.text) > budget / 2, "{what}");
                assert!(snapshot.text.contains("Book a seat"), "{what}");
                assert!(!snapshot.text.contains("Hidden entry"), "{what}");
            }
        }
    }
}

/// A part of the page that listens for clicks is no single thing: the pictures and texts in it
/// are left out one by one.
#[test]
fn what_stands_in_a_clickable_wrapper_is_left_out_piece_by_piece() {
    let card = |at: usize| {
        format!("<div><img src=/{at}.jpg alt='Lamp number {at} from the side'><p>Lamp {at}, brass, 40 cm</div>")
    };
    let cards: String = (0..120).map(card).collect();
    for wrapper in ["<div tabindex=0>", "<section aria-label=Shop onclick='go()'>"] {
        let page = format!("<h1>Lamps</h1>{wrapper}{cards}<button>To the till</button>");
        let page = Page::read(page.as_bytes(), &PageOptions::default()).expect("reads");
        for representation in REPRESENTATIONS {
            for budget in [256, 1024] {
                let snapshot =
                    pipeline(representation.name).with_budget(budget, encoding()).run(&page).expect("converts");
                let what = format!("{wrapper} {} at {budget}:\n{}", representation.name, snapshot.text);
                assert!(encoding().counter.count(&snapshot.text) > budget * 3 / 4, "{what}");
                assert!(snapshot.text.contains("To the till") && snapshot.text.contains("Lamp 1,"), "{what}");
            }
        }
    }
}

/// Without `prune-hidden` what is hidden is shown after all else, and as much of it as there is
/// room for.
#[test]
fn what_is_hidden_fills_what_room_is_left() {
    let menu: String = (0..300).map(|at| format!("<li><a href=/menu/{at}>Hidden entry {at}</a>")).collect();
    let html = format!("<h1>Ferries</h1><div style='display:none'><ul>{menu}</ul></div><button>Book a seat</button>");
    let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    let recipe = Recipe::from_list("prune-noise").expect("is a list");
    for representation in REPRESENTATIONS.iter().filter(|representation| representation.name != "ax") {
        let pipeline = Pipeline::new(&recipe, representation.name).expect("is there");
        let snapshot = pipeline.with_budget(1024, encoding()).run(&page).expect("converts");
        let what = format!("{}:\n{}", representation.name, snapshot.text);
        assert!(snapshot.text.contains("Book a seat") && snapshot.text.contains("Hidden entry 1"), "{what}");
        assert!(encoding().counter.count(&snapshot.text) > 900, "{what}");
    }
}

#[test]
fn odd_scripts_fit_every_small_budget() {
    let mut faults = Vec::new();
    let words = [
        "👩‍👩‍👧‍👦🇩🇰✅️",
        "お支払い方法を選択してください",
        "e\u{301}\u{302}\u{303}o\u{308}",
        "एक्षक्षत्रिय",
        "\u{3000}\u{a0}",
        "العربية",
    ];
    let mut html = String::from("<title>購入 👩‍👩‍👧‍👦</title>");
    for at in 0..40 {
        let word = words[at % words.len()].repeat(at % 7 + 1);
        html = format!("{html}<p>{word} {word}</p><a href=/{at}>{word}</a><button aria-label='{word}'>x</button>");
    }
    let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    check("odd scripts", &page, 0..200, &mut faults, &mut Renders::default());
    golden::assert_none(&faults);
}

#[test]
fn what_was_left_out_can_be_asked_for() {
    let mut faults = Vec::new();
    for page in corpus::pages() {
        let read = page.read();
        for representation in ["ax", "html"] {
            let wanted = targets(&pipeline(representation).run(&read).expect("converts"));
            let small = pipeline(representation).with_budget(400, encoding()).run(&read).expect("converts");
            let mut seen = targets(&small);
            for elided in &small.elided {
                let (Some(first), Some(last)) = (number(&elided.refs[0]), number(&elided.refs[1])) else { continue };
                let more = pipeline(representation).with_expanded([first..=last]).run(&read).expect("converts");
                seen.extend(targets(&more));
            }
            if !wanted.is_subset(&seen) {
                faults.push(format!("{} {representation}: {:?} cannot be had", page.name, wanted.difference(&seen)));
            }
        }
    }
    golden::assert_none(&faults);
}
