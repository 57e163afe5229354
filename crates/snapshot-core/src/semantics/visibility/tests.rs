//! Verdicts and their reasons.

use crate::semantics::style::ExternalSheets;

use super::*;
use crate::parse::{ParseOptions, parse_html};

/// The verdicts on the elements with an id, in order: `+` shown, `~` invisible, `-` not
/// rendered; behind a slash why.
fn verdicts(html: &str) -> String {
    let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
    let styles = Styles::compute(&document, &ExternalSheets::NONE);
    let visibility = Visibilities::compute(&document, &styles);
    let mut written = Vec::new();
    for node in document.composed_descendants(NodeId::DOCUMENT) {
        let Some(id) = document.attribute(node, name::ID) else { continue };
        written.push(match visibility.of(node) {
            Visibility::Visible => format!("{id}+"),
            Visibility::Invisible(reason) => format!("{id}~{reason:?}"),
            Visibility::NotRendered(reason) => format!("{id}-{reason:?}"),
        });
    }
    written.join(" ")
}

fn check(html: &str, expected: &str) {
    assert_eq!(verdicts(html), expected, "{html}");
}

#[test]
fn labels_of_narrow_screens_are_not_shown_where_their_sheet_is_missing() {
    let table = "<table><thead><tr><th>Item<th>Price</thead><tbody>\
        <tr><td><span id=a>Item</span>Pear<td><span id=b>Price</span>5\
        <tr><td><span id=c>Item</span>Fig<td><span id=d>Price</span>6</table>";
    check(table, "a+ b+ c+ d+");
    check(
        &format!("<link rel=stylesheet href=x.css>{table}"),
        "a-ColumnLabel b-ColumnLabel c-ColumnLabel d-ColumnLabel",
    );
    check(&format!("<link rel=stylesheet media=print href=x.css>{table}"), "a+ b+ c+ d+");
    check(&format!("<link rel=stylesheet href='data:text/css,'>{table}"), "a+ b+ c+ d+");
}

#[test]
fn attributes_hide_and_sheets_may_show_again() {
    check("<p id=a hidden><b id=b>x", "a-HiddenAttribute b-Inherited");
    check("<style>p { display: block }</style><p id=a hidden>x", "a+");
    check("<p id=a hidden style='display:block'>x", "a+");
    check("<div id=a hidden=until-found><b id=b>x</b></div>", "a+ b-ContentVisibility");
    check("<span id=a hidden=until-found><b id=b>x</b></span>", "a+ b+");
    check("<svg id=a hidden></svg><svg id=b display=none></svg>", "a+ b-InlineStyle");
    check("<input id=a type=hidden style='display:block!important'>", "a-HiddenInput");
    check("<audio id=a></audio><audio id=b controls><p id=c>x</p></audio>", "a-Element b+ c-Fallback");
}

#[test]
fn rules_and_style_attributes_hide() {
    check("<style>.x { display: none }</style><p id=a class=x><b id=b>y", "a-StyleRule b-Inherited");
    check("<p id=a style='display:none'>x", "a-InlineStyle");
    check(
        "<p id=a style='visibility:hidden'><b id=b>x</b><b id=c style='visibility:visible'>y",
        "a~InlineStyle b~Inherited c+",
    );
    check("<table><tr id=a style='visibility:collapse'><td>x", "a~InlineStyle");
    check("<style>#a { content-visibility: hidden }</style><div id=a><p id=b>x</p></div>", "a+ b-ContentVisibility");
    check("<div id=a style='display:contents;visibility:hidden'><b id=b>x", "a~InlineStyle b~Inherited");
}

#[test]
fn closed_things_hide_what_is_in_them() {
    check(
        "<details><summary id=a>s</summary><p id=b>x</p><summary id=c>t</summary></details>",
        "a+ b-ClosedDetails c-ClosedDetails",
    );
    check("<details open><summary id=a>s</summary><p id=b>x</p></details>", "a+ b+");
    check("<dialog id=a><p id=b>x</dialog><dialog id=c open>x</dialog>", "a-ClosedDialog b-Inherited c+");
    check("<dialog id=a style='display:block'>x</dialog>", "a+");
    check("<div id=a popover>x</div><div id=b popover style='display:block'>x</div>", "a-ClosedPopover b+");
    check("<select id=a><option id=b>x</select><datalist id=c><option id=d></datalist>", "a+ b+ c-Element d-Inherited");
    check("<map name=m><area id=a href=x></map>", "a+");
    check("<body><template id=a><p id=b>x</p></template><noscript id=c><p id=d>x</p></noscript>", "a-Element c+ d+");
    check(
        "<video id=a><p id=b>x</p></video><canvas id=c><p id=d>x</p></canvas><object id=e><p id=f>x</p></object>",
        "a+ b-Fallback c+ d-Fallback e+ f+",
    );
}

#[test]
fn inert_is_told_apart_from_hidden() {
    check(
        "<div id=a inert><b id=b>x</b><b id=c style='display:none'>y</b></div><b id=d>z",
        "a~Inert b~Inert c-InlineStyle d+",
    );
    check("<p id=a aria-hidden=true>x", "a+");
}

#[test]
fn only_slotted_children_of_a_host_are_shown() {
    check(
        "<div id=h><template shadowrootmode=open><p id=p style='display:none'><slot></slot></p><slot name=s></slot></template>\
        <b id=a>x</b><b id=b slot=s>y</b><b id=c slot=gone>z</b></div>",
        "h+ p-InlineStyle a-Inherited b+ c-Unslotted",
    );
    check(
        "<div id=h><template shadowrootmode=open><style>:host { display: none } ::slotted(b) { visibility: hidden }</style>\
        <slot></slot></template><b id=a>x</b></div>",
        "h-StyleRule a-Inherited",
    );
    check(
        "<style>b { color: red }</style><div id=h><template shadowrootmode=open><style>::slotted(.x) { visibility: hidden }\
        b { display: none }</style><b id=s>s</b><slot></slot></template><b id=a class=x>x</b><b id=b>y</b></div>",
        "h+ s-StyleRule a~StyleRule b+",
    );
}

#[test]
fn frames_that_are_hidden_hide_their_page() {
    check("<iframe id=f hidden srcdoc='<p id=p>x</p>'></iframe>", "f-HiddenAttribute p-Inherited");
    check("<iframe id=f style='visibility:hidden' srcdoc='<p id=p>x</p>'></iframe>", "f~InlineStyle p-Inherited");
    check("<style>p { display: none }</style><iframe id=f srcdoc='<p id=p>x</p>'></iframe>", "f+ p+");
    check("<iframe id=f inert srcdoc='<p id=p>x</p>'></iframe>", "f~Inert p~Inert");
}

#[test]
fn reasons_name_the_rule_or_the_attribute() {
    let html =
        "<style>.menu ul, .x { display: none }</style><div class=menu><ul></ul></div><p style='visibility:hidden'>x";
    let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
    let styles = Styles::compute(&document, &ExternalSheets::NONE);
    let visibility = Visibilities::compute(&document, &styles);
    let reason = |wanted| {
        let node =
            document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, wanted)).expect("is there");
        visibility.explain(node, &styles)
    };
    assert_eq!(reason(name::UL).as_deref(), Some("`display: none` by rule `.menu ul`"));
    assert_eq!(reason(name::P).as_deref(), Some("`visibility: hidden` by inline style"));
    assert_eq!(reason(name::DIV), None);
}
