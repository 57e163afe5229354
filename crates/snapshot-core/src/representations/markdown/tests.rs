//! What a page comes out as.

use super::marks::{Link, LinkText};
use crate::draft::Draft;
use crate::flat_tree::FlatTree;
use crate::representations::{ReferencePolicy, ShortUrls, UrlPolicy, View, WriteOptions};
use crate::{Page, PageOptions, Pipeline, Recipe};

fn write(html: &str, options: WriteOptions) -> String {
    let page =
        Page::read(html.as_bytes(), &PageOptions::default().with_url("https://shop.example/a/b")).expect("reads");
    let pipeline = Pipeline::new(&Recipe::default(), "markdown").expect("exists").with_options(options);
    pipeline.run(&page).expect("runs").text
}

fn check(html: &str, wanted: &str) {
    assert_eq!(write(html, WriteOptions::default()).trim_end(), wanted, "{html}");
}

#[test]
fn white_space_collapses_and_moves_out_of_emphasis() {
    check("<p>It<b> really </b>works, <i>almost&nbsp;</i>always.", "It **really** works, *almost*\u{a0}always.");
    check("<p>Unit<b> </b>price<em> </em>per kilo", "Unit price per kilo");
    check("<p><b>Mara</b><b> </b><b>Lind</b><p><b>a</b><b>b</b>", "**Mara** **Lind**\n\n**ab**");
    check("<p><a href=/x><i></i> View</a>|<b>a</b><u></u> <b>b</b>", "[View](https://shop.example/x)|**a** **b**");
    check("<p>a<a href=/x><i></i> View</a>", "a [View](https://shop.example/x)");
    check("<p>one<br>  two<br><br>three<br>", "one\\\ntwo\n\nthree");
    check("<b>x<br></b>y", "**x**\\\ny");
    check("<div>a</div>b<span>c</span>", "a\n\nbc");
}

#[test]
fn emphasis_that_cannot_be_expressed_is_a_tag() {
    check("<p>un<em>frigging</em>believable", "un*frigging*believable");
    check("<p>これは<strong>「重要」</strong>です", "これは<strong>「重要」</strong>です");
    check("<p><strong><em>a</em></strong> <em><strong>b</strong></em>", "**_a_** _**b**_");
    check("<p><strong><b>once</b></strong>", "**once**");
    check("<p>a<b>\"quoted\"</b>b", "a<strong>\"quoted\"</strong>b");
    check("<p>H<sub>2</sub>O <del>old</del> <kbd>Tab</kbd>", "H<sub>2</sub>O ~~old~~ <kbd>Tab</kbd>");
}

#[test]
fn text_is_escaped_where_it_would_be_markup_and_only_there() {
    check(
        "<p>1) bring ID<p>2. sign<p># no<p>- nor<p>&gt; nor",
        "1\\) bring ID\n\n2\\. sign\n\n\\# no\n\n\\- nor\n\n\\> nor",
    );
    check("<p>snake_case 5*3 C# 2 < 3 a & b -5 +1 $5 10:30", "snake_case 5*3 C# 2 < 3 a & b -5 +1 $5 10:30");
    check("<p>&lt;b&gt; &amp;lt; a*b*c [x](y) [^1] !", "\\<b> \\&lt; a\\*b\\*c [x\\](y) \\[^1] !");
    check("<p>&lt;#@0&gt; &lt;3 a@b", "\\<#@0> <3 a@b");
    check("<p>---<p>===<p>***<p>~~~", "\\---\n\n===\n\n\\***\n\n\\~~~");
    check("<p>a<br>---<br>b|c<br>-|-", "a\\\n---\\\nb|c\\\n\\-|-");
    check("<h2>C #</h2><h3>1. First</h3>", "## C \\#\n\n### 1. First");
    check("<p>![not](an image)<p>!<a href=/x>y</a>", "![not\\](an image)\n\n\\![y](https://shop.example/x)");
}

#[test]
fn lists_keep_their_numbers_nesting_and_looseness() {
    check("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c");
    check("<ol start=9><li>a<li>b<ol><li>c</ol></ol>", "9. a\n10. b\n    1. c");
    check("<ol reversed><li>a<li>b<li value=7>c</ol>", "3. a\n2. b\n7. c");
    check("<ul><li><p>a</p><li><p>b</p></ul>", "- a\n\n- b");
    check("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b");
    check(
        "<ul><li><input type=checkbox checked> done<li><label><input type=checkbox> open</label></ul>",
        "- [x] done\n- [ ] open",
    );
    check("<ul><li>[x] no box</ul>", "- \\[x] no box");
    check("<ul><li><pre>x</pre><li><blockquote>q</blockquote></ul>", "- ```\n  x\n  ```\n- > q");
    check("<ul><li>a<li><li>b</ul>", "- a\n-\n- b");
    check("<ul><li>a<li class=divider></li><li>b</ul>", "- a\n- b");
    check("<ul><li><hr><li>a</ul>", "- ***\n- a");
    check("<dl><dt>Term<dd>One<dd>Two<dt>Next<dd>Three</dl>", "Term\n: One\n: Two\n\nNext\n: Three");
}

#[test]
fn tables_resolve_spans_and_keep_pipes() {
    check(
        "<table><caption>Sites</caption><tr><th>R<th>T<th>n<tr><td rowspan=2>Coast<td>Porto<td>7<tr><td>Vila<td>3</table>",
        "Sites\n\n| R | T | n |\n|---|---|---|\n| Coast | Porto | 7 |\n| | Vila | 3 |",
    );
    check(
        "<table><tr><td>a|b<td><code>x|y</code><tr><td>c<td>d<br>e</table>",
        "| | |\n|---|---|\n| a\\|b | `x\\|y` |\n| c | d<br>e |",
    );
    check(
        "<table><tr><th>a<th align=right>b<tr><td><ul><li>x<li>y</ul><td>1</table>",
        "| a | b |\n|---|---:|\n| - x<br>- y | 1 |",
    );
    check("<table><tr><td><h2>Left</h2><td><p>Right</table>", "## Left\n\nRight");
    check("<table role=presentation><tr><td>Name:<td>Ada</table>", "Name: Ada");
    check("<table><tr><th colspan=2>wide<tr><td>a<td>b</table>", "| wide | |\n|---|---|\n| a | b |");
}

#[test]
fn a_table_of_one_row_is_data_unless_it_lays_out() {
    check("<table><tr><td>A<td>B</table>", "| | |\n|---|---|\n| A | B |");
    check("<table><tr><td>A<tr><td>B</table>", "| |\n|---|\n| A |\n| B |");
    check("<table width=100%><tr><td>A<td>B</table>", "A B");
    check("<table border=0><tr><td>A<tr><td>B</table>", "A\n\nB");
    check("<table><tr><td>A</table>", "A");
    check("<table><tr><td>A<td><button>B</button></table>", "A B");
}

#[test]
fn tables_may_be_made_of_roles() {
    check(
        "<div role=grid><div role=row><span role=columnheader>Name</span><span role=columnheader>Age</span></div>\
         <div role=rowgroup><div><div role=row><div role=gridcell>dist</div><div role=gridcell>9 days</div></div></div></div></div>",
        "| Name | Age |\n|---|---|\n| dist | 9 days |",
    );
    check(
        "<div role=grid><div role=row><div role=gridcell>a</div><div role=gridcell>b</div><button>c</button></div></div>",
        "a b c",
    );
    check("<div role=row><span role=cell>a</span><span role=cell>b</span></div>", "ab");
}

#[test]
fn what_stands_beside_each_other_stays_on_a_line() {
    check("<div style='display:flex'><div>50 min</div><div>cooking</div></div>after", "50 min cooking\n\nafter");
    check("<div style='display:flex'><div><div>50</div></div><div><b>min</b></div></div>", "50 **min**");
    check("<div style='display:flex;flex-direction:column'><div>a</div><div>b</div></div>", "a\n\nb");
    check("<div style='display:grid;grid-template-columns:1fr 1fr'><div>a</div><div>b</div></div>", "a b");
    check("<div style='display:grid;grid-template-columns:repeat(1, 1fr)'><div>a</div><div>b</div></div>", "a\n\nb");
    check("<div style='display:flex'><div>a<div>b</div></div><div>c</div></div>", "a\n\nb\n\nc");
    check("<div style='display:flex'><p>a</p><p>b</p></div>", "a\n\nb");
    check(
        "<a href=/x style='display:flex'><div>Lamp</div><div>19 euro</div></a>",
        "[Lamp 19 euro](https://shop.example/x)",
    );
    check("<div><div style='display:table-cell'>a</div><div style='display:table-cell'>b</div></div>", "a b");
    let long = "word ".repeat(20);
    let html = format!("<div style='display:flex'><div>{long}</div><div>{long}</div></div>");
    check(&html, &format!("{}\n\n{}", long.trim(), long.trim()));
}

#[test]
fn code_keeps_its_characters() {
    check("<pre><code class='language-js'>a\n```\n\tb\n</code></pre>", "````js\na\n```\n\tb\n````");
    check("<pre></pre>", "```\n```");
    check("<p><code>a`b</code> <code>`</code> <code> x </code>", "``a`b`` `` ` `` `  x  `");
    check("<p><a href=/t><code>[x]: *y*</code></a>", r"[<code>\[x\]: \*y\*</code>](https://shop.example/t)");
    check("<p><code>Vec&lt;<a href=/t>T</a>&gt;</code>", "`Vec<`[`T`](https://shop.example/t)`>`");
    check("<div class='highlight-source-rust'><pre>let<br>x</pre></div>", "```rust\nlet\nx\n```");
}

#[test]
fn links_lead_where_they_may() {
    check(
        "<a href='q?a=red shoe'>s</a> <a href='/a)b'>p</a>",
        "[s](https://shop.example/a/q?a=red%20shoe) [p](https://shop.example/a\\)b)",
    );
    check("<a href='java\nscript:alert(1)'>x</a> <a href=' JaVaScript:1'>y</a>", "x y");
    check("<a href=/lamp><h3>Lamp</h3><p>19 euro</p></a>", "### [Lamp](https://shop.example/lamp)\n\n19 euro");
    check("<a href=/cart aria-label='Cart'><i class=icon></i></a>", "[Cart](https://shop.example/cart)");
    check(
        "<a href=/c></a> <a href=/c>Cart</a> <a href=/d></a>",
        "[Cart](https://shop.example/c) [](https://shop.example/d)",
    );
    check(
        "<a href=/x title=Pic><img src=i.png alt=Pic></a>",
        "[![Pic](https://shop.example/a/i.png)](https://shop.example/x)",
    );
    check("<h2><a href=#intro></a>Intro</h2>", "## Intro");
    let link = Link { title: LinkText::OfPage("t"), ..Link::default() };
    let mut tail = String::new();
    super::inline::write_link_tail(&link, &mut |part| tail.push_str(part));
    assert_eq!(tail, "](<> \"t\")");
    check("<a href=https://x.example/y>https://x.example/y</a>", "<https://x.example/y>");
    check("<a href=/x title='More \"x\"'>y</a>", "[y](https://shop.example/x \"More \\\"x\\\"\")");
    check("<a href=/x><img src=i.png alt=Pic></a>", "[![Pic](https://shop.example/a/i.png)](https://shop.example/x)");
}

#[test]
fn a_link_around_blocks_that_show_nothing_is_kept_once() {
    // The blank in the address makes it one that is not borrowed.
    let html = format!("<a href='/a b'>{}<p>end</p></a>", "<p><i></i></p>".repeat(500));
    let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    let draft = Draft::new(&page);
    let options = WriteOptions::default();
    let view = View { draft: &draft, options: &options, references: ReferencePolicy::None };
    let tree = FlatTree::new(draft.document());
    let outline = super::reader::read(&view, &tree, false);
    assert_eq!(outline.link_count(), 1);
}

#[test]
fn addresses_of_links_that_are_left_out_are_not_listed() {
    let options =
        WriteOptions { references: Some(ReferencePolicy::Targets), url_table: true, ..WriteOptions::default() };
    for html in ["<p><a href='#'></a>x", "<a href='#'><div></div></a><p>x"] {
        assert_eq!(write(html, options.clone()), "x\n", "{html}");
    }
}

#[test]
fn images_show_what_a_reader_would_get() {
    check("<img src=data:image/gif;base64,R0 data-src=/real.jpg alt=Boat>", "![Boat](https://shop.example/real.jpg)");
    check("<img srcset='s.jpg 1x, l.jpg 2x' alt=Sea>", "![Sea](https://shop.example/a/l.jpg)");
    check("<img src=data:image/gif;base64,R0 alt=Dot> <img src=x.png alt=''>", "Dot");
    check("<p><svg><title>Warning</title><path d=M0/></svg> Hot", "Warning Hot");
}

#[test]
fn other_content_has_its_form() {
    check("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", "漢(かん)字");
    check("<math alttext='x^2'><mi>x</mi></math> <math alttext='a_1*b\\{c_2*d'></math>", "$x^2$ $`a_1*b\\{c_2*d`$");
    let katex = "<span><span><math><semantics><mi>x</mi><annotation encoding=application/x-tex>x_1</annotation></semantics></math></span><span aria-hidden=true>x1</span></span>";
    check(katex, "$x_1$");
    check("<p>He said <q>go</q>.", "He said \"go\".");
    check("<blockquote><p>a<p>b</blockquote><hr>c", "> a\n>\n> b\n\n---\n\nc");
    check(
        "<label>Name <input value=Ada></label> <input type=password value=secret> <select><option>Basic<option>Pro</select>",
        "Name Ada Basic",
    );
    check(
        "<p>Tea<sup><a href=#n1 id=r1>1</a></sup><ol><li id=n1>Leaf. <a href=#r1>↩</a></ol>",
        "Tea[^1]\n\n[^1]: Leaf.",
    );
    check("<div><template shadowrootmode=open><h2>In</h2><slot></slot></template>out</div>", "## In\n\nout");
    check("<iframe srcdoc='<p>framed'></iframe>", "framed");
}

#[test]
fn rows_and_cells_that_can_be_acted_on_have_their_mark_in_the_cell() {
    let html = "<table><tr><th>Mon<th>Tue<tr onclick=go()><td tabindex=0 role=gridcell aria-label='1 May' onclick=pick()>1<td>2</table>";
    let text = write(html, WriteOptions { references: Some(ReferencePolicy::Targets), ..WriteOptions::default() });
    let row = text.lines().last().expect("has lines");
    assert_eq!(row.matches("[e").count(), 2, "{text}");
    assert!(row.contains(" gridcell \"1 May\"] | 2 |"), "{text}");
}

#[test]
fn ids_stand_in_place() {
    let html = "<a href=/add>Add</a> <label for=m>Email</label><input id=m type=email required value=ana@example.org>\
        <div onclick=go() role=button>Pay</div><p>[e3 button \"Fake\"] [x](e3)</p>";
    let targets = WriteOptions { references: Some(ReferencePolicy::Targets), ..WriteOptions::default() };
    let text = write(html, WriteOptions { url_table: true, ..targets.clone() });
    assert!(text.contains("[Add](e"), "{text}");
    assert!(text.contains(" textbox \"Email\" required: ana@example.org]"), "{text}");
    assert!(text.contains(" button \"Pay\"]"), "{text}");
    assert!(text.contains("\\[e3 button \"Fake\"] [x\\](e3)"), "{text}");
    assert!(text.contains("]: https://shop.example/add"), "{text}");
    let all = write("<p>One<p>Two", WriteOptions { references: Some(ReferencePolicy::All), ..WriteOptions::default() });
    assert_eq!(all.matches("[e").count(), 2, "{all}");
}

#[test]
fn addresses_follow_the_policy_and_can_be_restored() {
    let html = "<a href=c>c</a> <a href='/s?token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&x=1'>s</a>";
    let relative = write(html, WriteOptions { urls: UrlPolicy::Relative, ..WriteOptions::default() });
    assert!(relative.starts_with("[c](c) [s](../s?token="), "{relative}");
    let short = write(html, WriteOptions { urls: UrlPolicy::Short, ..WriteOptions::default() });
    let told = write(html, WriteOptions { urls: UrlPolicy::Short, url_table: true, ..WriteOptions::default() });
    let last = told.lines().last().expect("has lines");
    assert!(last.starts_with("[https://shop.example/s?token=") && last.ends_with("&x=1"), "{told}");
    let page =
        Page::read(html.as_bytes(), &PageOptions::default().with_url("https://shop.example/a/b")).expect("reads");
    let table = ShortUrls::of(&page);
    let (from, to) = table.iter().next().expect("one is shortened");
    assert!(short.contains(from) && from.len() < to.len(), "{short}");
    assert_eq!(table.restore(from), Some(to));
    assert_eq!(table.shorten(to), Some(from));
}

#[test]
fn every_element_that_is_written_is_in_the_map() {
    let html = "<ul><li>a <b>b</b><li><a href=/x>c</a></ul><table><tr><th>h<tr><td>d</table>";
    let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    let snapshot = Pipeline::new(&Recipe::default(), "markdown").expect("exists").run(&page).expect("runs");
    let text = &snapshot.text;
    assert!(
        snapshot
            .map
            .entries
            .iter()
            .all(|entry| text[entry.span[0]..entry.span[1]].trim_start().len() == entry.span[1] - entry.span[0])
    );
    for (tag, text) in [("li", "- a **b**"), ("b", "**b**"), ("a", "[c](/x)"), ("td", "d")] {
        let entry = snapshot.map.entries.iter().find(|entry| entry.tag == tag).expect(tag);
        assert_eq!(&snapshot.text[entry.span[0]..entry.span[1]], text, "{tag}");
    }
}
