//! What holds for every page.

use proptest::prelude::*;
use snapshot_core::document::{Document, NodeId, name};
use snapshot_core::parse::{ParseOptions, parse_html};

use super::{difference, render, to_markdown};

/// Text with all that means something to Markdown.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-z]{1,4}",
        3 => "[-+*_`~#>|=:.)(\\[\\]!<&;\\\\/^$@\"'0-9]{1,4}",
        2 => Just(" ".to_owned()),
        1 => prop_oneof![
            Just("1. ".to_owned()), Just("- ".to_owned()), Just("# ".to_owned()), Just("](e3)".to_owned()),
            Just("<b>".to_owned()), Just("&amp;".to_owned()), Just("```".to_owned()), Just("---".to_owned()),
            Just("[x] ".to_owned()), Just("[^1]".to_owned()), Just("[a]: b".to_owned()), Just("|-|".to_owned()),
            Just("「」".to_owned()), Just("é".to_owned()), Just("\u{a0}".to_owned()), Just("http://x.y".to_owned()),
            Just("<a@b>".to_owned()), Just("<#@0>".to_owned()),
        ],
    ];
    proptest::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A page of nested elements and text.
fn page() -> impl Strategy<Value = String> {
    let text = hostile_text().prop_map(|text| escaped(&text));
    let inline = text.prop_recursive(3, 12, 4, |inner| {
        (
            prop_oneof![
                Just("b"),
                Just("i"),
                Just("em"),
                Just("code"),
                Just("span"),
                Just("del"),
                Just("sub"),
                Just("mark"),
                Just("a href=/x"),
            ],
            proptest::collection::vec(inner, 1..4),
        )
            .prop_map(|(tag, inner)| format!("<{tag}>{}</{}>", inner.concat(), tag.split(' ').next().unwrap_or(tag)))
    });
    let block = inline.prop_recursive(4, 24, 4, |inner| {
        (
            prop_oneof![
                Just("div"),
                Just("p"),
                Just("blockquote"),
                Just("li"),
                Just("ul"),
                Just("ol"),
                Just("section"),
                Just("h2"),
                Just("dd"),
                Just("pre"),
                Just("details open"),
            ],
            proptest::collection::vec(inner, 1..4),
        )
            .prop_map(|(tag, inner)| format!("<{tag}>{}</{}>", inner.concat(), tag.split(' ').next().unwrap_or(tag)))
    });
    proptest::collection::vec(block, 1..4).prop_map(|blocks| blocks.concat())
}

/// The characters of a document that are shown, white space left out.
fn characters(html: &str) -> String {
    let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
    let shown = |document: &Document, node: NodeId| {
        document.is_text(node) && !document.ancestors(node).any(|above| document.is_html(above, name::HEAD))
    };
    let text: String = document
        .descendants(NodeId::DOCUMENT)
        .filter(|&node| shown(&document, node))
        .map(|node| document.text(node))
        .collect();
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every run of text comes out once, in order, and nothing else does.
    #[test]
    fn all_text_comes_out_once_in_order(html in page()) {
        let markdown = to_markdown(&html);
        let (wanted, got) = (characters(&html), characters(&render(&markdown)));
        prop_assert_eq!(wanted, got, "{}\n---\n{}", html, markdown);
    }

    /// Text never becomes markup, wherever it stands.
    #[test]
    fn text_never_becomes_markup(first in hostile_text(), second in hostile_text()) {
        let (first, second) = (escaped(&first), escaped(&second));
        let html = format!(
            "<h2>{first}</h2><p>{first}<b>{second}</b>{first}</p><p>{second}<br>{first}</p>\
             <ul><li>{first}<li>{second} <a href=/x>{first}</a>{second}</ul><blockquote><p>{first}</blockquote>\
             <table><tr><th>{first}<th>{second}<tr><td>{second}<td><i>{first}</i></table><p><img src=/i alt=pic>{second}"
        );
        let difference = difference(&html);
        prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    }
}
