//! What the tree builder does where the standard sets no limits, and where ours meet its rules.

use crate::document::{Document, Namespace, NodeId, NodeKind, name};
use crate::error::Error;
use crate::parse::{Limits, ParseOptions, Parsed, parse_fragment, parse_html};

fn parsed(html: &str, limits: Limits) -> Parsed {
    let options = ParseOptions { limits, ..ParseOptions::default() };
    let parsed = parse_html(html, &options).unwrap_or_else(|error| panic!("{html}: {error}"));
    parsed.document.assert_invariants();
    parsed
}

/// The tree below a node in brackets: names and quoted texts.
fn tree(document: &Document, node: NodeId) -> String {
    let children: Vec<String> = document
        .children(node)
        .map(|child| match document.kind(child) {
            NodeKind::Text => format!("'{}'", document.text(child)),
            _ => {
                let below = tree(document, child);
                let name = document.local_name(child);
                if below.is_empty() { name.to_owned() } else { format!("{name}({below})") }
            }
        })
        .collect();
    children.join(" ")
}

fn body(document: &Document) -> NodeId {
    document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, name::BODY)).expect("has a body")
}

fn check(html: &str, limits: Limits, expected: &str, diagnostics: usize) {
    let parsed = parsed(html, limits);
    assert_eq!(tree(&parsed.document, body(&parsed.document)), expected, "{html}");
    assert_eq!(parsed.diagnostics.len(), diagnostics, "{html}");
}

const SHALLOW: Limits =
    Limits { input_bytes: 1 << 20, nodes: 10_000, depth: 8, attributes: 8, attribute_bytes: 100, frame_depth: 1 };

#[test]
fn what_is_nested_too_deeply_lies_beside_its_parent() {
    check("<p><q><q><q><q><q>x", SHALLOW, "p(q(q(q(q q('x')))))", 1);
    check("<div><div><div><div><div>a<div>b<div>c", SHALLOW, "div(div(div(div(div('a') div('b') div('c')))))", 1);
    check("<div><div><div><div><div>a<img>b<br>", SHALLOW, "div(div(div(div(div('a' img 'b' br)))))", 0);
}

#[test]
fn end_tags_of_what_was_closed_early_are_passed_over() {
    check(
        "<div><div><div><div><div>a<div>b</div>c</div>d</div>e</div>f",
        SHALLOW,
        "div(div(div(div(div('a') div('b') 'cd') 'e') 'f'))",
        1,
    );
    check("<b><u><i><s><em><q>x</q></em></s></i></u></b><p>y", SHALLOW, "b(u(i(s(em q('x'))))) p('y')", 1);
}

#[test]
fn raw_text_stays_text_where_nothing_more_may_open() {
    check("<div><div><div><div><div><xmp><p>x</xmp>y", SHALLOW, "div(div(div(div(div xmp('<p>x') 'y'))))", 1);
}

#[test]
fn lists_that_go_on_and_on_stay_flat_at_the_limit() {
    let parsed = parsed(&"<ul><li>x".repeat(1000), Limits::default());
    let document = &parsed.document;
    let deepest = document.descendants(NodeId::DOCUMENT).map(|node| document.ancestors(node).count()).max();
    assert_eq!(deepest, Some(511));
    assert_eq!(document.text_content(NodeId::DOCUMENT).len(), 1000);
    assert_eq!(parsed.diagnostics.len(), 1);
}

#[test]
fn formatting_that_is_never_closed_stops_being_opened_again() {
    let unclosed: String = (0..100).map(|number| format!("<b id={number}>")).collect();
    let parsed = parsed(&format!("<p>{unclosed}<p>x<p>y"), Limits::default());
    let document = &parsed.document;
    let bold = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_html(node, name::B)).count();
    assert_eq!(bold, 3 * 64);
    assert_eq!(parsed.diagnostics.len(), 1);
}

#[test]
fn of_formatting_elements_alike_three_are_opened_again() {
    check("<p><i><i><i><i><i></p>x", Limits::default(), "p(i(i(i(i(i))))) i(i(i('x')))", 0);
    check(
        "<p><i a=1 b=2><i b=2 a=1><i a=1 b=2><i a=1 b=2><i a=1></p>x",
        Limits::default(),
        "p(i(i(i(i(i))))) i(i(i(i('x'))))",
        0,
    );
}

#[test]
fn copies_of_formatting_elements_have_their_attributes() {
    let parsed = parsed("<p><a href=/x class=y>1<p>2", Limits::default());
    let document = &parsed.document;
    let links = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_html(node, name::A));
    let found: Vec<_> = links.map(|link| document.attribute(link, name::HREF)).collect();
    assert_eq!(found, [Some("/x"), Some("/x")]);
}

#[test]
fn a_page_that_multiplies_is_an_error() {
    let limits = Limits { nodes: 1000, ..Limits::default() };
    let options = ParseOptions { limits, ..ParseOptions::default() };
    for html in ["<br>", "<!---->", "</br>", "<b><p>"] {
        let result = parse_html(&html.repeat(2000), &options);
        assert!(matches!(result, Err(Error::TooManyNodes { limit: 1000 })), "{html}");
    }
}

#[test]
fn what_must_not_be_in_a_table_goes_before_it() {
    check("a<table>b<tr>c<b>d<td>e", Limits::default(), "'abc' b('d') table(tbody(tr(td('e'))))", 0);
    check("<table> <tr> \0 <td>x\0y</table>", Limits::default(), "table(' ' tbody(tr('  ' td('xy'))))", 0);
}

#[test]
fn a_closed_shadow_root_is_one_in_whatever_case() {
    let html =
        "<div><template shadowrootmode=CLOSED><p>x</template>y</div><b><template shadowrootmode=open></template>";
    let parsed = parsed(html, Limits::default());
    let document = &parsed.document;
    let host = document.first_child(body(document)).expect("has a child");
    let root = document.shadow_root(host).expect("has a shadow root");
    assert_eq!((tree(document, host), tree(document, root)), ("'y'".to_owned(), "p('x')".to_owned()));
    let template = document.last_child(body(document)).and_then(|bold| document.first_child(bold)).expect("is there");
    assert!(document.shadow_root(template).is_none() && document.template_contents(template).is_some());
}

#[test]
fn fragments_are_read_as_their_context_says() {
    let check = |html: &str, context: (Namespace, &str), expected: &str| {
        let parsed = parse_fragment(html, context, &ParseOptions::default()).expect("parses");
        parsed.document.assert_invariants();
        assert_eq!(tree(&parsed.document, NodeId::DOCUMENT), expected, "{html} in {context:?}");
    };
    check("<td>x<tr><td>y", (Namespace::Html, "tbody"), "tr(td('x')) tr(td('y'))");
    check("<option>x<select><option>y", (Namespace::Html, "select"), "option('x') option('y')");
    check("<p>x</title>y", (Namespace::Html, "title"), "'<p>x</title>y'");
    check("</form><form>x", (Namespace::Html, "form"), "form('x')");
    check("<lineargradient>x<p>y", (Namespace::Svg, "svg"), "linearGradient('x') p('y')");
}
