//! What selectors match, as browsers match it.

use super::*;
use crate::parse::{ParseOptions, parse_html};

fn document(html: &str) -> Document {
    parse_html(html, &ParseOptions::default()).expect("parses").document
}

/// The ids of the elements that match, in order.
fn found(document: &Document, selector: &str) -> String {
    let selector = Selector::parse(selector).expect("a selector");
    let id = document.find_name("id").expect("known");
    let nodes = selector.select(document, NodeId::DOCUMENT);
    nodes.iter().map(|&node| document.attribute(node, id).unwrap_or("?")).collect::<Vec<_>>().join(" ")
}

const PAGE: &str = "<!DOCTYPE html><body id=body><ul id=list class='Menu open' lang=de-CH><li id=one class=item>1</li>\
    <li id=two class='item last' data-kind='Side Dish'>2 <a id=link href=/x>x</a></li><li id=three>3</li></ul>\
    <form id=form><fieldset id=set disabled><legend id=legend><input id=free></legend><input id=shut required></fieldset>\
    <input id=box type=CheckBox checked><select id=select><option id=yes selected>y<option id=no>n</select></form>\
    <p id=empty></p><p id=comment><!-- x --></p><svg id=svg viewBox='0 0 1 1'><g id=g><text id=text>t</text></g></svg>\
    <x-card id=card></x-card><div id=dir dir=rtl><b id=bold></b></div>";

#[test]
fn selectors_find_what_they_describe() {
    let document = document(PAGE);
    let check = |selector: &str, expected: &str| assert_eq!(found(&document, selector), expected, "{selector}");
    check("li", "one two three");
    check("LI.item", "one two");
    check("#two, #one", "one two");
    check("ul > li + li", "two three");
    check("li ~ li a", "link");
    check("li:nth-child(2n+1)", "one three");
    check("li:nth-last-child(1)", "three");
    check("li:nth-child(1 of :not(.item))", "three");
    check("li:nth-child(even of .item)", "two");
    check("p:first-of-type, li:last-of-type", "three empty");
    check("li:has(a)", "two");
    check("li:has(+ .last)", "one");
    check("ul:has(> li:nth-child(3)) > li:not(:has(a)):not(#one)", "three");
    check(":is(#one, #three):not(.item)", "three");
    check("body :where(ul, .nothing) li:is(.last)", "two");
    check("li:only-child", "");
    check("p:empty", "empty comment");
    check("[data-kind]", "two");
    check("[data-kind=side]", "");
    check("[data-kind^='side' i]", "two");
    check("[data-kind~='Dish']", "two");
    check("[data-kind*='e D']", "two");
    check("[type=checkbox]", "box");
    check("[type=checkbox s]", "");
    check("[lang|=de]", "list");
    check("li:lang(de)", "one two three");
    check("li:lang('*-ch'):not(:lang(fr))", "one two three");
    check(":any-link, :visited", "link");
    check("input:disabled", "shut");
    check("input:enabled", "free box");
    check("input:required:invalid:disabled", "");
    check(":checked", "box yes");
    check("svg text, G", "text");
    check("svg[viewBox]", "svg");
    check("*|text", "text");
    check("x-card:not(:defined)", "card");
    check("b:dir(rtl)", "bold");
    check(":root > body > ul", "list");
    check("a:hover, a:not(:focus)", "link");
}

#[test]
fn classes_and_ids_match_in_any_case_only_in_quirks_mode() {
    let html = "<p id=Note class=Warning>x</p>";
    let standards = document(&format!("<!DOCTYPE html>{html}"));
    let quirks = document(html);
    for selector in ["#note", ".warning", "p.WARNING#NOTE"] {
        assert_eq!(found(&standards, selector), "", "{selector}");
        assert_eq!(found(&quirks, selector), "Note", "{selector}");
    }
}

#[test]
fn matches_stay_within_one_tree_and_below_their_root() {
    let document = document(
        "<div id=host><template shadowrootmode=open><p id=inner>x</p></template><p id=light>y</p></div>\
        <iframe srcdoc='<p id=framed>z</p>'></iframe>",
    );
    assert_eq!(found(&document, "p"), "light");
    let host = Selector::parse("#host").expect("parses").select(&document, NodeId::DOCUMENT)[0];
    let root = document.shadow_root(host).expect("has one");
    assert_eq!(Selector::parse("div p, p").expect("parses").select(&document, root).len(), 1);
    assert_eq!(Selector::parse(":scope > p").expect("parses").select(&document, host).len(), 1);
}

#[test]
fn what_is_no_selector_is_an_error_that_says_so() {
    for text in ["", "a[", "a >", ".", "a:unheard-of", "p::before", ":host", "a,,b", "&", "ns|a", "li:nth-child(x)"] {
        let error = Selector::parse(text).expect_err(text);
        assert!(matches!(error, Error::InvalidSelector { .. }), "{text}: {error}");
    }
}

#[test]
fn hostile_selectors_are_refused_or_end() {
    let nested = format!("{}a{}", ":not(".repeat(10_000), ")".repeat(10_000));
    let long = "a ".repeat(30_000);
    let wide = format!(":is({})", vec![".a"; 20_000].join(","));
    let megabyte = "x".repeat(1 << 20);
    for text in [&nested, &long, &wide, &megabyte] {
        assert!(Selector::parse(text).is_err(), "{}…", &text[..20]);
    }
    // Each level looks at all ancestors and siblings again.
    let mut costly = "*".to_owned();
    for _ in 0..12 {
        costly = format!(":is({costly} *, * ~ *:not({costly}))");
        if costly.len() > 20_000 {
            break;
        }
    }
    let html = format!("{}{}", "<div><i></i><i></i>".repeat(200), "<p>".repeat(2000));
    let page = document(&html);
    for text in [costly.as_str(), ":has(* ~ * > * + *)", "* * * * * * * * .none", ":nth-last-child(3 of :has(p))"] {
        if let Ok(selector) = Selector::parse(text) {
            selector.select(&page, NodeId::DOCUMENT);
        }
    }
}

#[test]
fn deep_trees_are_matched_on_a_small_stack() {
    let html = format!("{}<p id=x>x", "<div class=a>".repeat(600));
    let run = move || {
        let document = document(&html);
        assert_eq!(found(&document, ".a:not(:has(.b)) p"), "x");
        assert_eq!(found(&document, "body:has(#x) .a .a .a .a p"), "x");
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).expect("starts").join().expect("no overflow");
}
