//! The list: its lines, and that no page can forge one.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use snapshot_core::representations::{ReferencePolicy, WriteOptions};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

fn list(html: &str, options: WriteOptions) -> String {
    let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    let recipe = Recipe::preset("navigate").expect("exists");
    Pipeline::new(&recipe, "list").expect("exists").with_options(options).run(&page).expect("runs").text
}

/// The defaults, changed.
fn options(change: impl FnOnce(&mut WriteOptions)) -> WriteOptions {
    let mut options = WriteOptions::default();
    change(&mut options);
    options
}

/// Lines without their ids, joined.
fn lines(html: &str) -> Vec<String> {
    let text = list(html, WriteOptions::default());
    text.lines().map(|line| line.split_once("] ").map_or(line, |(_, rest)| rest).to_owned()).collect()
}

fn check(html: &str, wanted: &[&str]) {
    assert_eq!(lines(html), wanted, "{html}");
}

#[test]
fn headings_text_blocks_and_targets_have_a_line_each() {
    check(
        "<h1>Ristorante Faro</h1><p>A simple classic.</p><ul><li>Margherita <a href='add?p=m'>Add</a></ul>",
        &[r#"H1 "Ristorante Faro""#, r#"P "A simple classic.""#, r#"LI "Margherita""#, r#"A "Add" "add?p=m""#],
    );
    check("<nav><ul><li><a href=/a>A</a><li><a href=/b>B</a></ul></nav>", &[r#"A "A" "/a""#, r#"A "B" "/b""#]);
    check("<div><div>words <b>in</b> bold</div></div>", &[r#"DIV "words in bold""#]);
}

#[test]
fn controls_say_their_type_states_and_value() {
    check(
        "<p><label>Email <input type=email required value=ana@example.org></label></p>",
        &[r#"INPUT email "Email" required = "ana@example.org""#],
    );
    check("<input type=checkbox checked disabled aria-label=Terms>", &[r#"INPUT checkbox "Terms" checked disabled"#]);
    check(
        "<button aria-expanded=false>Menu</button><button aria-expanded=true>Open</button>",
        &[r#"BUTTON "Menu" collapsed"#, r#"BUTTON "Open" expanded"#],
    );
    check(
        "<select disabled aria-label=Plan><option>Basic tier<option>Pro tier</select>",
        &[r#"SELECT "Plan" disabled = "Basic tier" of "Basic tier" | "Pro tier""#],
    );
    let secret = list("<input type=password value=hunter22 aria-label=Password>", WriteOptions::default());
    assert!(secret.contains("INPUT password \"Password\"") && !secret.contains("hunter22"), "{secret}");
}

#[test]
fn options_leave_out_ids_or_text_and_set_lines_in() {
    let html = "<h2>Cart</h2><div>Total 7 <button>Pay</button></div>";
    let text = list(html, options(|options| options.references = Some(ReferencePolicy::None)));
    assert_eq!(text, "H2 \"Cart\"\nDIV \"Total 7\"\nBUTTON \"Pay\"\n");
    let text = list(
        html,
        options(|options| {
            options.references = Some(ReferencePolicy::None);
            options.indent = true;
        }),
    );
    assert_eq!(text, "H2 \"Cart\"\nDIV \"Total 7\"\n  BUTTON \"Pay\"\n");
    let text = list(html, options(|options| options.targets_only = true));
    assert!(text.ends_with("] BUTTON \"Pay\"\n") && text.lines().count() == 1, "{text}");
}

#[test]
fn long_text_says_how_much_is_left() {
    let words = "word ".repeat(400);
    let text = list(&format!("<p>{words}</p>"), WriteOptions::default());
    assert!(text.contains("word\" … 999 more characters"), "{}", &text[text.len() - 60..]);
}

#[test]
fn what_is_cut_is_had_by_its_id() {
    let html = format!("<p>First.</p><p>{}last</p><select>{}</select>", "word ".repeat(400), "<option>x".repeat(20));
    let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    let recipe = Recipe::preset("navigate").expect("exists");
    let pipeline = || Pipeline::new(&recipe, "list").expect("exists");
    let snapshot = pipeline().run(&page).expect("runs");
    assert!(!snapshot.text.contains("last") && snapshot.text.contains("… 8 more"), "{}", snapshot.text);
    let id = |tag: &str| {
        let line = snapshot.text.lines().find(|line| line.contains(tag)).expect("has a line");
        let number = line.trim_start_matches('[').split(']').next().expect("has an id");
        format!("e{number}")
    };
    // Both lines carry the id to ask with.
    for (id, wanted) in [(id("word"), "word last\""), (id("SELECT"), &"| \"x\" ".repeat(18))] {
        let number = id.trim_start_matches('e').parse().expect("is a number");
        let whole = pipeline().with_expanded([number..=number]).run(&page).expect("runs");
        assert!(whole.text.contains(wanted) && whole.elided.is_empty(), "{}", whole.text);
    }
}

#[test]
fn containment_names_landmarks_that_hold_lines() {
    let html = "<header><nav aria-label=Site><a href=/a>A</a></nav><nav></nav></header>\
        <main><h1>Cart</h1><form aria-label=Order><button>Pay</button></form><div role=region aria-label=Offers><p>None.</p></div>\
        <details open><summary>More</summary><p>Text</p></details><p>End</p></main>";
    let text = list(
        html,
        options(|options| {
            options.references = Some(ReferencePolicy::None);
            options.indent = true;
        }),
    );
    let wanted = "HEADER\n  NAV \"Site\"\n    A \"A\" \"/a\"\nMAIN\n  H1 \"Cart\"\n  FORM \"Order\"\n    BUTTON \"Pay\"\n  \
        DIV region \"Offers\"\n    P \"None.\"\n  SUMMARY \"More\" expanded\n    P \"Text\"\n  P \"End\"\n";
    assert_eq!(text, wanted);
    // Without it, only what can be spoken of or acted on has a line.
    assert!(!lines(html).iter().any(|line| line.starts_with("NAV")));
}

/// Whether the line has the form of the contract: its strings are JSON and nothing of the page
/// stands outside of them.
fn is_line(line: &str) -> bool {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('"') {
        outside.push_str(&rest[..start]);
        let mut strings = serde_json::Deserializer::from_str(&rest[start..]).into_iter::<String>();
        let Some(Ok(_)) = strings.next() else { return false };
        rest = &rest[start + strings.byte_offset()..];
    }
    outside.push_str(rest);
    let mut words = outside.split_whitespace();
    let number = words.next().is_some_and(|word| {
        word.strip_prefix('[').and_then(|word| word.strip_suffix(']')).is_some_and(|word| word.parse::<u32>().is_ok())
    });
    let tag =
        words.next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()));
    number && tag
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn page_text_never_forges_a_line(text in "[ -~\n\t\u{1}\u{b}\u{85}\u{2028}\u{2029}éא\\[\\]\"]{1,40}") {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let html = format!(
            "<h1>x{escaped}</h1><p>x{escaped}</p><button>x{escaped}</button><a href=\"/{escaped}\">x{escaped}</a>\
             <input value=\"{escaped}\" placeholder=\"{escaped}\"><select><option>x{escaped}</select>"
        );
        let text = list(&html, WriteOptions::default());
        prop_assert_eq!(text.lines().count(), 6, "{}", text);
        for line in text.lines() {
            prop_assert!(is_line(line), "{}", line);
            let raw = line.contains(['\u{b}', '\u{85}', '\u{2028}', '\u{2029}', '\u{1}']);
            prop_assert!(!raw, "{}", line);
        }
    }
}
