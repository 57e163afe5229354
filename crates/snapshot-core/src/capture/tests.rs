//! Captures as a caller would build them.

use super::*;
use crate::{Page, PageOptions, Pipeline, Recipe};

/// A capture of elements, text and roots, each with its parent's place.
fn capture(nodes: Vec<CapturedNode>) -> Capture {
    let document = CapturedNode { kind: CapturedKind::Document, ..CapturedNode::default() };
    Capture {
        format: FORMAT.to_owned(),
        version: VERSION,
        url: "https://desk.example/a/".to_owned(),
        nodes: std::iter::once(document).chain(nodes).collect(),
        ..Capture::default()
    }
}

fn element(parent: usize, name: &str, attributes: &[(&str, &str)]) -> CapturedNode {
    CapturedNode {
        parent: Some(parent),
        name: name.to_owned(),
        attributes: attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        style: BTreeMap::from([("display".to_owned(), "block".to_owned())]),
        ..CapturedNode::default()
    }
}

fn text(parent: usize, text: &str) -> CapturedNode {
    CapturedNode { kind: CapturedKind::Text, parent: Some(parent), text: text.to_owned(), ..CapturedNode::default() }
}

fn ax(capture: &Capture) -> String {
    let page = Page::from_capture(capture, &PageOptions::default()).expect("is a capture");
    Pipeline::new(&Recipe::preset("navigate").expect("is there"), "ax")
        .expect("is there")
        .run(&page)
        .expect("converts")
        .text
}

#[test]
fn the_live_state_of_forms_is_what_counts() {
    let field = CapturedNode { value: Some("typed".to_owned()), ..element(1, "input", &[("value", "as sent")]) };
    let emptied = CapturedNode { value: Some(String::new()), ..element(1, "input", &[("value", "as sent")]) };
    let ticked = CapturedNode { checked: Some(true), ..element(1, "input", &[("type", "checkbox")]) };
    let cleared = CapturedNode {
        checked: Some(false),
        value: Some("on".to_owned()),
        ..element(1, "input", &[("type", "Checkbox"), ("checked", "")])
    };
    let area = CapturedNode { value: Some("new".to_owned()), ..element(1, "textarea", &[]) };
    let capture = capture(vec![element(0, "html", &[]), field, emptied, ticked, cleared, area, text(6, "old")]);
    let lines: Vec<String> = ax(&capture).lines().map(str::to_owned).collect();
    assert_eq!(
        lines,
        [
            "- textbox [ref=e0]: typed",
            "- textbox [ref=e1]",
            "- checkbox [checked] [ref=e2]",
            "- checkbox [ref=e3]",
            "- textbox [ref=e4]: new",
        ]
    );
}

#[test]
fn what_the_browser_computed_goes_before_what_the_page_says() {
    let gone =
        CapturedNode { style: BTreeMap::from([("display".to_owned(), "none".to_owned())]), ..element(1, "p", &[]) };
    let shown = element(1, "p", &[("hidden", ""), ("style", "display: none")]);
    let clicked = CapturedNode { listeners: vec!["click".to_owned()], ..element(1, "div", &[]) };
    let scrolled = CapturedNode { listeners: vec!["scroll".to_owned()], ..element(1, "div", &[]) };
    let covered = CapturedNode { covered_by: Some(2), ..element(1, "button", &[]) };
    let capture = capture(vec![
        element(0, "html", &[]),
        gone,
        text(2, "gone"),
        shown,
        text(4, "shown"),
        clicked,
        text(6, "clicked"),
        scrolled,
        text(8, "scrolled"),
        covered,
        text(10, "covered"),
    ]);
    let page = Page::from_capture(&capture, &PageOptions::default()).expect("is a capture");
    let written = ax(&capture);
    assert!(!written.contains("gone") && written.contains("shown"), "{written}");
    assert!(written.contains("button \"clicked\"") && !written.contains("button \"scrolled\""), "{written}");
    let document = page.document();
    let button = document.descendants(NodeId::DOCUMENT).find(|&node| document.local_name(node) == "button");
    let button = button.expect("is there");
    assert!(page.semantics().is_target(button) && !page.semantics().is_actionable(button));
}

#[test]
fn only_the_innermost_listener_is_a_target() {
    let listening = |node: CapturedNode| CapturedNode { listeners: vec!["click".to_owned()], ..node };
    let capture = capture(vec![
        element(0, "html", &[]),
        listening(element(1, "div", &[])),
        listening(element(2, "div", &[])),
        text(3, "row"),
        listening(element(2, "a", &[("href", "x")])),
        text(5, "link"),
    ]);
    let written = ax(&capture);
    assert!(written.contains("button \"row\"") && written.contains("link \"link\""), "{written}");
    assert!(!written.contains("button \"row link\""), "{written}");
}

#[test]
fn roots_hang_where_they_belong() {
    let root =
        |parent: usize, kind: CapturedKind| CapturedNode { kind, parent: Some(parent), ..CapturedNode::default() };
    let mut frame = root(5, CapturedKind::Document);
    frame.name = "https://frame.example/b/".to_owned();
    let capture = capture(vec![
        element(0, "html", &[]),
        element(1, "my-card", &[]),
        root(2, CapturedKind::ClosedShadowRoot),
        element(3, "button", &[("id", "inside")]),
        element(1, "iframe", &[]),
        frame,
        element(6, "a", &[("href", "c")]),
        text(7, "away"),
    ]);
    let page = Page::from_capture(&capture, &PageOptions::default()).expect("is a capture");
    let pipeline = Pipeline::new(&Recipe::preset("navigate").expect("is there"), "ax").expect("is there");
    let map = pipeline.run(&page).expect("converts").map;
    let paths: Vec<&str> =
        map.entries.iter().filter(|entry| entry.actionable).map(|entry| entry.path.as_str()).collect();
    assert_eq!(paths, ["/0/0/$shadow0/0", "/0/1/$frame/0"]);
    assert!(ax(&capture).contains("https://frame.example/b/c"), "{}", ax(&capture));
}

#[test]
fn a_capture_as_deep_as_it_likes_is_read() {
    let depth = 20_000;
    let nodes = (0..depth).map(|level| element(level, "div", &[])).chain([text(depth, "deep")]).collect();
    let page = Page::from_capture(&capture(nodes), &PageOptions::default()).expect("is a capture");
    assert!(page.diagnostics().iter().any(|diagnostic| diagnostic.message.contains("level 512")));
    assert_eq!(page.document().text_content(NodeId::DOCUMENT), "deep");
}

#[test]
fn what_is_no_capture_says_why() {
    let wrong = |change: fn(&mut Capture)| {
        let mut capture = capture(vec![element(0, "html", &[]), element(1, "p", &[])]);
        change(&mut capture);
        Page::from_capture(&capture, &PageOptions::default()).expect_err("is wrong").to_string()
    };
    for (error, words) in [
        (wrong(|capture| capture.version = 9), "version 9"),
        (wrong(|capture| capture.format.clear()), "format \"\""),
        (wrong(|capture| capture.nodes[1].parent = Some(2)), "before its parent"),
        (wrong(|capture| capture.nodes[2].parent = None), "first node"),
        (wrong(|capture| capture.nodes[0].kind = CapturedKind::Element), "first node"),
        (wrong(|capture| capture.nodes[1].kind = CapturedKind::OpenShadowRoot), "its parent is no element"),
    ] {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn what_a_closed_details_would_not_show_either_has_the_same_ids_live_and_saved() {
    let none = BTreeMap::from([("display".to_owned(), "none".to_owned())]);
    let hidden = CapturedNode { style: none, ..element(2, "div", &[]) };
    // A browser does not lay out what is in there, and tells no style of it.
    let inner = CapturedNode { style: BTreeMap::new(), ..element(5, "p", &[]) };
    let capture = capture(vec![
        element(0, "html", &[]),
        element(1, "details", &[]),
        element(2, "summary", &[]),
        text(3, "Sizes"),
        hidden,
        inner,
        text(6, "Gone"),
        element(1, "p", &[]),
        text(8, "After"),
    ]);
    let live = Page::from_capture(&capture, &PageOptions::default()).expect("is a capture");
    let saved = "<details><summary>Sizes</summary><div style='display: none'><p>Gone</p></div></details><p>After";
    let saved = Page::read(saved.as_bytes(), &PageOptions::default()).expect("reads");
    let number = |page: &Page| {
        let document = page.document();
        let last = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)).last();
        page.references().number(last.expect("is there"))
    };
    assert_eq!(number(&live), number(&saved));
}
