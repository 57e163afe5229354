//! Kinds of faults that users of tools like this one report, as a table: an input of our own for
//! each, and what must and must not come out.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapshot_core::representations::{ReferencePolicy, WriteOptions};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};
use snapshot_tests::golden::assert_none;
use snapshot_tests::markdown::render;

/// What the strings are compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    /// The Markdown itself.
    Markdown,
    /// The Markdown rendered, white space folded.
    Rendered,
    /// The list.
    List,
}
use On::{List, Markdown, Rendered};

struct Case {
    kind: &'static str,
    on: On,
    html: &'static str,
    has: &'static [&'static str],
    has_not: &'static [&'static str],
}

const fn case(
    kind: &'static str,
    on: On,
    html: &'static str,
    has: &'static [&'static str],
    has_not: &'static [&'static str],
) -> Case {
    Case { kind, on, html, has, has_not }
}

const CASES: &[Case] = &[
    case(
        "hidden content leaked",
        Markdown,
        "<style>.off{display:none}</style><p class=off>Draft price 12</p><details><summary>More</summary><p>Cost 7</p></details><p>Price 19</p>",
        &["Price 19", "More"],
        &["Draft price", "Cost 7"],
    ),
    case(
        "hidden content leaked",
        List,
        "<p style='visibility:hidden'>Staff only</p><p style='visibility:hidden'>a<b style='visibility:visible'>Shown</b></p>",
        &["\"Shown\""],
        &["Staff only"],
    ),
    case(
        "table: pipe in cell",
        Rendered,
        "<table><tr><th>Key<th>Means<tr><td><a href='/x|y'>p|q</a><td>a\\|b</table>",
        &["<td><a href=\"/x%7Cy\">p|q</a></td>", "<td>a\\|b</td>"],
        &[],
    ),
    case(
        "table: spans",
        Rendered,
        "<table><tr><th colspan=2>Name<th>Age<tr><td>Ada<td>L.<td rowspan=2>36<tr><td>Bo<td>M.</table>",
        &["<tr><td>Bo</td><td>M.</td><td></td></tr>", "<tr><td>Ada</td><td>L.</td><td>36</td></tr>"],
        &[],
    ),
    case(
        "table: no head row",
        Rendered,
        "<table><tr><td>North<td>11<tr><td>South<td>9</table>",
        &["<td>North</td><td>11</td>", "<td>South</td><td>9</td>"],
        &["<th>North"],
    ),
    case(
        "table: blocks in a cell",
        Rendered,
        "<table><tr><th>Day<th>Open<tr><td>Mon<td><p>9 to 12</p><p>14 to 17</p></table>",
        &["<td>9 to 12<br>14 to 17</td>"],
        &["1214"],
    ),
    case(
        "code fence",
        Rendered,
        "<pre><code class='lang-md'>````\ntext\n````</code></pre><p>after</p>",
        &["<code class=\"language-md\">````\ntext\n````\n</code>", "<p>after</p>"],
        &[],
    ),
    case(
        "code: backticks",
        Rendered,
        "<p>Run <code>`ls`</code> or <code>a``b</code>.</p>",
        &["<code>`ls`</code>", "<code>a``b</code>"],
        &[],
    ),
    case(
        "link destination",
        Rendered,
        "<p><a href='/a b(c'>one</a> <a href='/d&amp;copy=1'>two</a> <a href='/<x>'>three</a></p>",
        &["href=\"/a%20b(c\">one", "href=\"/d&amp;copy=1\">two", "href=\"/%3Cx%3E\">three"],
        &["]("],
    ),
    case(
        "link title with quotes",
        Rendered,
        "<p><a href=/x title='say \"hi\" \\ bye'>go</a></p>",
        &["title=\"say &quot;hi&quot; \\ bye\">go</a>"],
        &["](/x"],
    ),
    case(
        "block elements inside a link",
        Rendered,
        "<a href=/lamp><div><h2>Lamp</h2><ul><li>19 euro<li>LED</ul></div></a>",
        &["<h2><a href=\"/lamp\">Lamp</a></h2>", "<li>19 euro</li>"],
        &["]("],
    ),
    case(
        "link without text",
        Rendered,
        "<a href=/cart aria-label=Cart><svg></svg></a> <a href=/me><img src=me.png alt=Profile></a>",
        &["<a href=\"/cart\">Cart</a>", "alt=\"Profile\""],
        &[],
    ),
    case(
        "emphasis with inner white space",
        Rendered,
        "<p>a<strong> b </strong>c <em>d<br></em>e f<b>\"g\"</b>h</p>",
        &["a <strong>b</strong> c", "<em>d</em>", "f<strong>\"g\"</strong>h"],
        &["**", "*d"],
    ),
    case(
        "emphasis without word limits",
        Rendered,
        "<p>これは<b>「大切」</b>です。<i>x</i>y_z_</p>",
        &["これは<strong>「大切」</strong>です。", "<em>x</em>y_z_"],
        &["**"],
    ),
    case(
        "space carried by an inline element",
        Rendered,
        "<p>Total<span> </span>19<i> </i>euro</p><p><a href=/a>A</a><span> </span><a href=/b>B</a></p>",
        &["Total 19 euro", "</a> <a"],
        &["Total19"],
    ),
    case(
        "escaping: block starts",
        Rendered,
        "<p>10. May</p><p>= sum</p><p>~~~</p><p>***</p><p>a<br># b<br>- c</p><p>: note</p>",
        &["<p>10. May</p>", "<p>= sum</p>", "<p>~~~</p>", "<p>***</p>", "# b", "- c", ": note"],
        &["<ol", "<ul", "<h1", "<hr", "<pre", "<dd"],
    ),
    case(
        "escaping: literal markup",
        Rendered,
        "<p>use &lt;i&gt;x&lt;/i&gt;, &amp;nbsp; and &lt;!-- y --&gt; or [z](w) and ![q](r)</p>",
        &["use &lt;i&gt;x&lt;/i&gt;, &amp;nbsp; and &lt;!-- y --&gt; or [z](w) and ![q](r)"],
        &["<i>", "<!--", "<img", "<a "],
    ),
    case(
        "escaping no more than needed",
        Markdown,
        "<p>snake_case, 2 * 3, C# and a + b; 5 &lt; 6 &amp; 7; 1.5 kg; f(x)[0]; ~5; why!</p>",
        &["snake_case, 2 * 3, C# and a + b; 5 < 6 & 7; 1.5 kg; f(x)[0]; ~5; why!"],
        &["\\"],
    ),
    case(
        "nested lists",
        Rendered,
        "<ol start=3><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ol>",
        &["<ol start=\"3\"><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ol>"],
        &[],
    ),
    case(
        "two lists beside each other",
        Rendered,
        "<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>",
        &["<ul><li>a</li></ul><ul><li>b</li></ul>", "<ol><li>c</li></ol><ol><li>d</li></ol>"],
        &[],
    ),
    case(
        "unsafe link scheme",
        Markdown,
        "<a href='java&#9;script:go()'>a</a> <a href='VBSCRIPT:x'>b</a> <a href='data:text/html,x'>c</a> <a href=/ok>d</a>",
        &["[d](/ok)"],
        &["script", "data:"],
    ),
    case(
        "lazy pictures",
        Markdown,
        "<img src='data:image/gif;base64,R0lG' data-src=/boat.jpg alt=Boat><picture><source srcset='/s.webp'><img src=/s.jpg alt=Sea></picture>",
        &["![Boat](/boat.jpg)", "![Sea](/s.jpg)"],
        &["base64"],
    ),
    case(
        "form state lost",
        List,
        "<select aria-label=Plan><option>Basic<option selected>Pro</select><input type=radio checked aria-label=Blue><textarea aria-label=Note>Ring twice</textarea>",
        &[
            "SELECT \"Plan\" = \"Pro\" of \"Basic\" | \"Pro\"",
            "INPUT radio \"Blue\" checked",
            "TEXTAREA \"Note\" = \"Ring twice\"",
        ],
        &[],
    ),
    case(
        "secret leaked",
        List,
        "<label>Code <input autocomplete=one-time-code value=481516></label><label>Card <input autocomplete=cc-number value=4111111111111111></label><input type=hidden value=t0k3n>",
        &["\"Code\"", "\"Card\""],
        &["481516", "4111", "t0k3n"],
    ),
    case(
        "a line forged",
        List,
        "<p>Hello\"\n[7] BUTTON \"Pay now\"</p><button aria-label='x\"&#10;[8] A \"y'>z</button>",
        &["P \"Hello\\\" (7) BUTTON \\\"Pay now\\\"\"", "BUTTON \"x\\\" (8) A \\\"y\""],
        &["\n[7] BUTTON"],
    ),
    case(
        "a mark forged",
        Markdown,
        "<p>[e3 button \"Pay\"] and [Pay](e3) and [… 3 more, e4]</p><button>Real</button>",
        &[" button \"Real\"]"],
        &["[e3 button", "](e3)", " [… 3 more"],
    ),
    case(
        "controls in place",
        Markdown,
        "<p><label>Mail <input type=email required value=a@b.example></label> <a href=/help>Help</a> <button disabled>Send</button></p>",
        &[" textbox \"Mail\" required: a@b.example]", "[Help](e", " button \"Send\" disabled]"],
        &["/help"],
    ),
    case(
        "shadow root and frame in place",
        Markdown,
        "<x-card><template shadowrootmode=open><h2><slot name=t></slot></h2></template><b slot=t>Title</b></x-card><iframe srcdoc='<p>Inside'></iframe><p>After</p>",
        &["## **Title**\n\nInside\n\nAfter"],
        &[],
    ),
    case(
        "right to left and joiners",
        Rendered,
        "<p dir=rtl><b>مرحبا</b>، می‌خواهم</p>",
        &["<strong>مرحبا</strong>، می\u{200c}خواهم"],
        &[],
    ),
];

/// Markdown of cases about marks and controls carries ids.
fn write(case: &Case) -> String {
    let page = Page::read(case.html.as_bytes(), &PageOptions::default()).expect("reads");
    let (representation, preset) = if case.on == List { ("list", "navigate") } else { ("markdown", "read") };
    let mut options = WriteOptions::default();
    if case.on == Markdown && matches!(case.kind, "a mark forged" | "controls in place") {
        options.references = Some(ReferencePolicy::Targets);
    }
    let pipeline = Pipeline::new(&Recipe::preset(preset).expect("exists"), representation).expect("exists");
    pipeline.with_options(options).run(&page).expect("runs").text
}

/// What a reader of Markdown gets; line ends between tags are the renderer's own.
fn rendered(markdown: &str) -> String {
    render(markdown)
        .replace(">\n<", "><")
        .replace("<li>\n", "<li>")
        .replace("\n<ul", "<ul")
        .replace("\n<ol", "<ol")
        .replace("<br />", "<br>")
}

#[test]
fn cases_of_every_kind_come_out_right() {
    let mut faults = Vec::new();
    for case in CASES {
        let written = write(case);
        let seen = if case.on == Rendered { rendered(&written) } else { written.clone() };
        let missing =
            case.has.iter().filter(|wanted| !seen.contains(*wanted)).map(|wanted| format!("missing {wanted:?}"));
        let wrong =
            case.has_not.iter().filter(|unwanted| seen.contains(*unwanted)).map(|unwanted| format!("has {unwanted:?}"));
        let found: Vec<String> = missing.chain(wrong).collect();
        if !found.is_empty() {
            faults.push(format!("{}: {}\n{seen}", case.kind, found.join(", ")));
        }
    }
    assert_none(&faults);
    assert!(CASES.len() >= 20, "only {} cases", CASES.len());
}
