//! The cascade, a table for each kind of rule.

use super::*;
use crate::document::name;
use crate::page::base_urls;
use crate::parse::{ParseOptions, parse_html};
use url::Url;

/// The display of the elements with an id: `n` none, `c` contents, `i` inline, `p` a piece in a
/// line, `b` block, `t` cell.
fn displays(head: &str, body: &str) -> String {
    let html = format!("<!DOCTYPE html><style>{head}</style><body>{body}");
    let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
    let styles = Styles::compute(&document, &ExternalSheets::NONE);
    let letters = document.composed_descendants(NodeId::DOCUMENT).filter_map(|node| {
        document.attribute(node, name::ID)?;
        Some(match styles.of(node).display {
            Display::None => 'n',
            Display::Contents => 'c',
            Display::Inline => 'i',
            Display::InlineBlock => 'p',
            Display::Block => 'b',
            Display::TableCell => 't',
        })
    });
    letters.collect()
}

fn check(head: &str, body: &str, expected: &str) {
    assert_eq!(displays(head, body), expected, "{head} … {body}");
}

#[test]
fn the_stronger_declaration_wins() {
    let body = "<p id=a class=x>";
    check("p { display: none } .x { display: inline }", body, "i");
    check(".x { display: inline } p { display: none }", body, "i");
    check(".x { display: inline } .x { display: none }", body, "n");
    check(".x { display: none !important } #a { display: inline }", body, "n");
    check("#a { display: none } ", "<p id=a style='display: inline'>", "i");
    check("p { display: none !important } ", "<p id=a style='display: inline'>", "n");
    check("p { display: none !important } ", "<p id=a style='display: inline ! important'>", "i");
    check("p { display: none; display: bogus }", body, "n");
    check("p { display: none; color: red; DISPLAY: Inline }", body, "i");
    check(":where(#a) { display: none } p { display: inline }", body, "i");
    check(":is(#a, .y) { display: none } p.x { display: inline }", body, "n");
    check("p { display: none } p { display: revert }", body, "b");
    check("p { display: initial }", body, "i");
    check("p { all: unset }", body, "i");
    check("p { display: n\\6fne }", body, "n");
    check("p { display: /* x */ none }", body, "n");
}

#[test]
fn broken_rules_are_skipped_and_the_rest_stands() {
    let body = "<p id=a class=x>";
    check("p, ::unheard-of { display: none }", body, "b");
    check(":is(p, ::unheard-of) { display: none }", body, "n");
    check("p { display: none; }} .x { display: inline }", body, "n");
    check("p { ; : ; 3 display: inline; display: none", body, "n");
    check("@unknown x { p { display: none } } .x { display: inline }", body, "i");
    check("<!-- p { display: none } -->", body, "n");
    check("p:hover { display: none } a:hover, p { display: inline }", body, "i");
    check("p::before { display: none }", body, "b");
    check("p { filter: alpha(opacity=0); display: none }", body, "n");
}

#[test]
fn conditions_decide_whether_rules_apply() {
    let body = "<p id=a class=x>";
    check("@media print { p { display: none } }", body, "b");
    check("@media screen and (min-width: 1000px) { p { display: none } }", body, "n");
    check("@media (max-width: 1000px) { p { display: none } }", body, "b");
    check("@supports (display: grid) { @media all { p { display: none } } }", body, "n");
    check("@supports not (display: grid) { p { display: none } }", body, "b");
    check("@import url(data:text/css,p{display:none}); p { color: red }", body, "n");
    check("@import url(data:text/css,p{display:none}) print;", body, "b");
    check("p { color: red } @import url(data:text/css,p{display:none});", body, "b");
    check("@layer one { p { display: none } } @layer two { p { display: inline } }", body, "i");
    check("@layer two, one; @layer one { p { display: none } } @layer two { p { display: inline } }", body, "n");
    check("@layer one { #a { display: none } } p { display: inline }", body, "i");
    check("@layer one { #a { display: none !important } } p { display: inline !important }", body, "n");
    check("@layer one { p { display: none } @layer in { #a { display: inline } } }", body, "n");
}

#[test]
fn sheets_apply_by_their_type_and_media() {
    let style = |attributes: &str| {
        let html = format!("<style {attributes}>p {{ display: none }}</style><p id=a>");
        let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
        let paragraph = document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, name::P));
        Styles::compute(&document, &ExternalSheets::NONE).of(paragraph.expect("is there")).display
    };
    assert_eq!(style(""), Display::None);
    assert_eq!(style("type=text/css media=screen"), Display::None);
    assert_eq!(style("type=text/less"), Display::Block);
    assert_eq!(style("media=print"), Display::Block);
}

#[test]
fn linked_sheets_are_found_by_their_address() {
    let sheets = BTreeMap::from([
        ("https://a.example/css/main.css".to_owned(), "@import 'more.css'; b { display: none }".to_owned()),
        ("https://a.example/css/more.css".to_owned(), "i { display: none } @import 'main.css';".to_owned()),
        ("cid:css-1@mhtml.blink".to_owned(), "u { display: none }".to_owned()),
    ]);
    let page = Url::parse("https://a.example/css/page.html").expect("is one");
    let check = |link: &str, expected: &str| {
        let html = format!("{link}<b>1</b><i>2</i><u>3</u>");
        let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
        let bases = base_urls(&document, Some(&page), &BTreeMap::new());
        let styles = Styles::compute(&document, &ExternalSheets { by_address: &sheets, bases: &bases });
        let hidden: String = document
            .descendants(NodeId::DOCUMENT)
            .filter(|&node| document.html_name(node).is_some_and(|own| [name::B, name::I, name::U].contains(&own)))
            .filter(|&node| styles.of(node).display == Display::None)
            .map(|node| document.local_name(node))
            .collect();
        assert_eq!(hidden, expected, "{link}");
    };
    check("<link rel=stylesheet href=https://a.example/css/main.css>", "bi");
    check("<base href=https://a.example/css/><link rel=StyleSheet href=main.css#x>", "bi");
    check("<link rel=stylesheet href=main.css>", "bi");
    check("<link rel=stylesheet href=/css/more.css>", "i");
    check("<base href=/other/><link rel=stylesheet href=main.css>", "");
    check("<style>@import 'more.css'</style>", "i");
    check("<link rel=stylesheet href=cid:css-1@mhtml.blink>", "u");
    check("<link rel='alternate stylesheet' href=cid:css-1@mhtml.blink>", "");
    check("<link rel=stylesheet disabled href=cid:css-1@mhtml.blink>", "");
    check("<link rel=stylesheet media=print href=cid:css-1@mhtml.blink>", "");
    check("<link rel=preload as=style href=cid:css-1@mhtml.blink>", "");
}

#[test]
fn nested_rules_apply_to_what_they_are_nested_in() {
    let body = "<div class=x><p id=a class=y></p></div><p id=b class=y>";
    check(".x { .y { display: none } }", body, "nb");
    check(".x { & > .y { display: none } }", body, "nb");
    check(".y { .x & { display: none } }", body, "nb");
    check(".x, .z { p:not(.q) { display: none } }", body, "nb");
    check("p { &.y { display: none } }", body, "nn");
    check(".x { @media screen { p { display: none } } }", body, "nb");
    check(".y { color: red; @media screen { display: none } }", body, "nn");
    check(".x { color: red; a:hover { color: red } p { display: none } }", body, "nb");
    check(".x { p { display: none } } #a { display: inline }", body, "ib");
    check("#q, .x { p { display: none } } .y.y.y { display: inline }", body, "ni");
}

#[test]
fn variables_are_replaced_where_they_matter() {
    let body = "<div style='--show: block'><p id=a></p></div><p id=b>";
    check("p { display: var(--show, none) }", body, "bn");
    check(":root { --x: none; --y: var(--x) } p { display: var(--y) }", body, "nn");
    check("p { display: none; display: var(--missing) }", body, "ii");
    check("p { --x: none } p { display: var(--x) } #b { --x: inline }", body, "ni");
}

#[test]
fn boxes_are_made_blocks_where_layout_demands_it() {
    check("", "<span id=a></span><button id=b></button><table><td id=c></table><slot id=d></slot><div id=e>", "iptcb");
    check(
        "#a { display: flex }",
        "<span id=a><i id=b>x</i><b id=c style='display:contents'><u id=d></u></b></span>",
        "bbcb",
    );
    check("i { float: left } u { position: absolute }", "<i id=a></i><u id=b></u>", "bb");
    check("#a { display: inline flex }", "<p id=a><i id=b>x</i></p>", "pb");
}

#[test]
fn values_are_inherited_and_reset() {
    let html = "<style>#a { cursor: pointer; pointer-events: none; white-space: pre-line } #b { cursor: auto; white-space: normal }</style>\
        <div id=a><i>x</i><button>y</button><p id=b>z</p><pre>w</pre></div><a href=x>l</a><a>m</a>";
    let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
    let styles = Styles::compute(&document, &ExternalSheets::NONE);
    let all: Vec<(Style, &str)> = document
        .descendants(NodeId::DOCUMENT)
        .filter(|&node| document.is_element(node))
        .map(|node| (styles.of(node), document.local_name(node)))
        .collect();
    let of = |name: &str| all.iter().find(|(_, own)| *own == name).map(|(style, _)| *style).expect("is there");
    assert!(of("i").cursor_pointer && of("i").pointer_events_none);
    assert_eq!(of("i").white_space, WhiteSpace::PreserveBreaks);
    assert!(!of("button").cursor_pointer && of("button").pointer_events_none);
    assert!(!of("p").cursor_pointer);
    assert_eq!((of("p").white_space, of("pre").white_space), (WhiteSpace::Collapse, WhiteSpace::Preserve));
    let links: Vec<bool> = all.iter().filter(|(_, own)| *own == "a").map(|(style, _)| style.cursor_pointer).collect();
    assert_eq!(links, [true, false]);
}

#[test]
fn concealed_elements_are_flagged() {
    let check = |style: &str, expected: Option<Concealment>| {
        let html = format!("<p style='{style}'>x");
        let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
        let paragraph = document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, name::P));
        let styles = Styles::compute(&document, &ExternalSheets::NONE);
        assert_eq!(styles.of(paragraph.expect("is there")).concealment, expected, "{style}");
    };
    check("position:absolute;clip:rect(0 0 0 0)", Some(Concealment::Clipped));
    check("position:absolute;clip:rect(1px, 1px, 1px, 1px)", Some(Concealment::Clipped));
    check("clip:rect(0 0 0 0)", None);
    check("clip-path:inset(50%)", Some(Concealment::Clipped));
    check("clip-path:circle(40%)", None);
    check("width:1px;height:1px;overflow:hidden", Some(Concealment::TinyBox));
    check("height:0;overflow:visible", None);
    check("position:absolute;left:-9999px", Some(Concealment::OffScreen));
    check("left:-9999px", None);
    check("text-indent:-100em", Some(Concealment::OffScreen));
    check("opacity:0", Some(Concealment::Transparent));
    check("opacity:.5", None);
    check("transform:scale(0)", Some(Concealment::ZeroSize));
    check("transform:translateX(-9999px)", Some(Concealment::ZeroSize));
}

#[test]
fn generated_text_is_known_with_its_display() {
    let check = |css: &str, expected: Option<(&str, Display)>| {
        let html = format!("<style>{css}</style><p class=x>x");
        let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
        let paragraph = document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, name::P));
        let styles = Styles::compute(&document, &ExternalSheets::NONE);
        let before = styles.before(paragraph.expect("is there"));
        assert_eq!(before.map(|before| (before.text.as_str(), before.display)), expected, "{css}");
    };
    check("p::before { content: 'New ' }", Some(("New ", Display::Inline)));
    check("p:before { content: 'a' 'b'; display: block }", Some(("ab", Display::Block)));
    check("p::before { content: '\\2605' / 'starred' }", Some(("starred", Display::Inline)));
    check("p::before { content: url(x.png) / 'logo' }", Some(("logo", Display::Inline)));
    check("p::before { content: counter(x) '. ' }", Some((". ", Display::Inline)));
    check("p::before { content: 'x' } .x::before { content: none }", None);
    check("p::before { content: 'x'; display: none }", None);
    check("p::before { color: red }", None);
    check("p::after { content: 'x' }", None);
    check("p::before { content: attr(class) ': ' attr( data-none, 'y') }", Some(("x: y", Display::Inline)));
    check("p::before { content: url(x.png) / 'see ' attr(CLASS) }", Some(("see x", Display::Inline)));
    check("p::before { content: attr(3) }", None);
    check("p:hover::before { content: 'x' }", None);
}

#[test]
fn scopes_hold_their_rules_inside() {
    let body = "<div class=x><p id=a></p></div><p id=b></p>";
    check("@scope (.x) { p { display: none } }", body, "nb");
    check("@scope (.x) { p { display: none } } p { display: inline }", body, "ii");
    check("@scope (.y, .x) { @media all { p { display: none } } }", body, "nb");
    check("@scope (.x) to (.z) { p { display: none } } @scope { p { display: none } }", body, "bb");
    check("@scope (.x { p { display: none } }", body, "bb");
}

#[test]
fn shadow_trees_keep_their_rules_to_themselves() {
    let body = "<div id=h><template shadowrootmode=open><style>p { display: none } :host(.q) p { display: block }\
        :host { display: contents }</style><p id=a></p><slot></slot></template><p id=b></p></div>";
    check("", body, "cnb");
    check("div { display: inline } p { display: inline }", body, "ini");
    check("", &body.replace("id=h", "id=h class=q"), "cbb");
    // Parts are styled from around the shadow tree.
    let body = "<div id=h><template shadowrootmode=open><p id=a part='x y'></p><p id=b></p></template></div>";
    check("div::part(x) { display: none } div::part(z) { display: none } ::part(y) { display: inline }", body, "bnb");
    check("p { display: none } #h::part(y) { display: inline }", body, "bib");
}

#[test]
fn deep_nesting_is_cut_before_it_fills_a_small_stack() {
    let selector = format!("{}a{}", ":not(b ".repeat(40), ")".repeat(40));
    let blocks = format!("{}p{{display:none}}{}", "@media all{.a{".repeat(100), "}}".repeat(100));
    let rules = format!("{}p{{display:none}}{}", ".a{& > *{".repeat(100), "}}".repeat(100));
    let html = format!("<style>{selector}{{display:none}}{blocks}{rules}</style>{}<p>", "<div class=a>".repeat(600));
    let run = move || {
        let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
        Styles::compute(&document, &ExternalSheets::NONE);
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).expect("starts").join().expect("no overflow");
}

#[test]
fn hostile_sheets_end_and_say_that_they_were_cut() {
    let nested = format!("{}p{{display:none}}{}", ".a{&,&,&{".repeat(20), "}}".repeat(20));
    let html = format!("<style>{nested}</style>{}", "<div class=a>".repeat(300));
    let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
    assert!(!Styles::compute(&document, &ExternalSheets::NONE).is_complete());
    let attribute = (0..3000).map(|number| format!("[a{number}]{{display:none}}")).collect::<String>();
    let html = format!("<style>{attribute}</style>{}", "<p>".repeat(30_000));
    let document = parse_html(&html, &ParseOptions::default()).expect("parses").document;
    assert!(!Styles::compute(&document, &ExternalSheets::NONE).is_complete());
}
