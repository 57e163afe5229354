//! What goes, what stays, and that nothing is glued or forged.

use crate::{Page, PageOptions, Pipeline, Recipe, Snapshot};

fn downsample(html: &str, elements: &str, attributes: &str, text: &str) -> Snapshot {
    let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    let recipe =
        Recipe::default().stage("downsample", [("elements", elements), ("attributes", attributes), ("text", text)]);
    Pipeline::new(&recipe, "html").and_then(|pipeline| pipeline.run(&page)).expect("converts")
}

fn body(snapshot: &Snapshot) -> String {
    snapshot.text.split("<body>").nth(1).expect("has a body").replace("</body></html>", "")
}

fn check(html: &str, [elements, attributes, text]: [&str; 3], wanted: &str) {
    assert_eq!(body(&downsample(html, elements, attributes, text)), wanted, "{html} at {elements},{attributes},{text}");
}

const ALL: [&str; 3] = ["1", "1", "1"];
const NONE: [&str; 3] = ["0", "0", "0"];
const ELEMENTS: [&str; 3] = ["1", "0", "0"];
const ATTRIBUTES: [&str; 3] = ["0", "1", "0"];
const TEXT: [&str; 3] = ["0", "0", "1"];

#[test]
fn text_never_becomes_markup() {
    let html = "<p>Type &lt;button id=pay&gt;Pay&lt;/button&gt; or &lt;iframe&gt; or Vec&lt;T&gt; or &lt;https://a.example/b&gt;.</p>";
    for ratios in [NONE, ALL] {
        check(html, ratios, html);
    }
}

#[test]
fn nothing_takes_in_its_neighbours() {
    check(
        "<main><div><iframe src=\"/ad\"></iframe><p>Total 10</p><button>Pay</button></div></main>",
        ELEMENTS,
        "<main><iframe src=\"/ad\"></iframe><p>Total 10</p><button>Pay</button></main>",
    );
    check(
        "<main><div><bgsound src=\"x\">Total <button>Pay</button></div></main>",
        ELEMENTS,
        "<main><bgsound src=\"x\">Total <button>Pay</button></main>",
    );
    check(
        "<section><div>Now 15 <del>was 20</del> EUR</div></section>",
        ELEMENTS,
        "<section>Now 15 <del>was 20</del> EUR</section>",
    );
    for order in ["<header>a</header><article>b</article>", "<article>b</article><header>a</header>"] {
        let text: String = order.split(['<', '>']).filter(|part| part.len() == 1).collect::<Vec<_>>().join(" ");
        check(&format!("<main><div>{order}</div></main>"), ELEMENTS, &format!("<main>{text}</main>"));
    }
}

#[test]
fn of_a_wrapper_and_what_it_wraps_the_higher_rated_stays() {
    check("<main><div><article id=\"a\">x</article></div></main>", ELEMENTS, "<article id=\"a\">x</article>");
    check(
        "<div><section title=\"t\" @click=\"a()\" id=\"s\">x</section></div>",
        ELEMENTS,
        "<div><section title=\"t\" @click=\"a()\" id=\"s\">x</section></div>",
    );
}

#[test]
fn no_control_is_lost_at_any_ratio() {
    for control in [
        "<button aria-label=\"Go\"></button>",
        "<ul><li><input type=\"checkbox\" name=\"news\"> Newsletter</li></ul>",
        "<p>Search <textarea placeholder=\"Search\"></textarea><select></select></p>",
        "<table><tbody><tr><td role=\"button\" tabindex=\"0\" aria-label=\"Pick\">Mon</td></tr></tbody></table>",
        "<ul role=\"tablist\"><li role=\"tab\" id=\"t\">Specs</li><li onclick=\"go()\">Reviews</li></ul>",
        "<div role=\"button link\" id=\"x\">Buy</div>",
        "<div><div role=\" button\">Buy</div></div>",
        "<div><div contenteditable=\"true\">Type. Here. Now.</div></div>",
        "<div><div tabindex=\"0\">One</div></div>",
        "<div><x-buy role=\"button\" sku=\"7\">Buy</x-buy></div>",
        "<p>Read this. Or <a href=\"/a/long/address\">that. And that.</a> Or nothing. Or all. So be it.</p>",
        "<a href=\"/cart\"><img alt=\"Cart\" src=\"/c.png\"></a>",
        "<a href=\"/\">Home</a>",
    ] {
        let page = Page::read(control.as_bytes(), &PageOptions::default()).expect("reads");
        let count = |page: &Page| {
            let nodes = page.document().composed_descendants(crate::document::NodeId::DOCUMENT);
            nodes
                .filter(|&node| page.semantics().is_target(node))
                .map(|node| page.semantics().name(node).to_owned())
                .collect::<Vec<_>>()
        };
        assert!(!count(&page).is_empty(), "{control}");
        let text = downsample(&format!("<main><section>{control}</section></main>"), "1", "1", "1").text;
        let again = Page::read(text.as_bytes(), &PageOptions::default()).expect("reads");
        assert_eq!(count(&again), count(&page), "{control} became {text}");
    }
}

#[test]
fn words_are_neither_glued_nor_split() {
    check("<main><div><div>1</div><div>000</div></div></main>", ELEMENTS, "<main>1 000</main>");
    check(
        "<main><div><dl><dt>Size</dt><dd>XL</dd></dl></div></main>",
        ELEMENTS,
        "<main><dl><dt>Size</dt><dd>XL</dd></dl></main>",
    );
    check("<div>un<span>believ</span>able H<sub>2</sub>O</div>", ELEMENTS, "<div>unbelievable H<sub>2</sub>O</div>");
    check(
        "<div><div><a href=\"/1\">One</a></div><div><a href=\"/2\">Two</a></div></div>",
        ELEMENTS,
        "<div><a href=\"/1\">One</a> <a href=\"/2\">Two</a></div>",
    );
    check("<div>a<div></div>b</div>", ELEMENTS, "<div>a b</div>");
    check(
        "<main><div><textarea>abc</textarea><section>x</section><button>B</button></div></main>",
        ELEMENTS,
        "<main><textarea>abc</textarea> x <button>B</button></main>",
    );
    check("<p><span>1</span><span>000</span></p>", ELEMENTS, "<p><span>1</span><span>000</span></p>");
    check("<pre><span>let</span><span> x</span></pre>", ELEMENTS, "<pre>let x</pre>");
}

#[test]
fn preformatted_and_typed_text_stays() {
    for html in
        ["<pre>if x:\n    a()\nelse:\n    b()</pre>", "<textarea name=\"m\">Dear all,\n\n- one\n- two</textarea>"]
    {
        check(html, TEXT, html);
        check(html, ELEMENTS, html);
    }
}

#[test]
fn attributes_go_by_rating_and_what_makes_the_element_stays() {
    let link = "<a href=\"/h\" id=\"i\" class=\"c\" title=\"t\" name=\"n\" style=\"top:0\" data-k=\"v\" aria-label=\"L\">go</a>";
    check(link, NONE, link);
    check(link, ["0", "0.7", "0"], "<a href=\"/h\" id=\"i\" class=\"c\" aria-label=\"L\">go</a>");
    check("<a href=\"/a/long/address\">go</a>", ATTRIBUTES, "<a role=\"link\">go</a>");
    check("<div role=\"button\" id=\"x\" class=\"c\">Buy</div>", ATTRIBUTES, "<div role=\"button\">Buy</div>");
    check("<p onclick=\"go()\" class=\"c\">Buy</p>", ATTRIBUTES, "<p onclick=\"1\">Buy</p>");
    check(
        "<span role=\"img\" aria-label=\"5 of 5 stars\"></span>",
        ALL,
        "<span role=\"img\" aria-label=\"5 of 5 stars\"></span>",
    );
    check(
        "<input type=\"radio\" name=\"q\" placeholder=\"a &lt; b  c\">",
        ["0", "0.5", "0"],
        "<input type=\"radio\" placeholder=\"a &lt; b  c\">",
    );
}

#[test]
fn the_merge_depends_on_nothing_but_the_path() {
    let nested = "<div id=\"a\"><div id=\"b\"><div id=\"c\">x</div></div></div>";
    let deep = format!("{nested}<p>{}n{}</p>", "<i>".repeat(40), "</i>".repeat(40));
    for share in ["0.2", "0.3", "0.5", "0.6", "1"] {
        let alone = body(&downsample(nested, share, "0", "0"));
        assert!(body(&downsample(&deep, share, "0", "0")).starts_with(&alone), "{share}");
    }
}

#[test]
fn the_share_of_levels_is_the_share_that_goes() {
    let html = format!("<div>{}x{}</div>", "<div>".repeat(64), "</div>".repeat(64));
    let mut last = usize::MAX;
    for (share, wanted) in [("0.1", 58), ("0.25", 48), ("0.5", 32), ("0.75", 16), ("0.9", 6), ("1", 0)] {
        let left = body(&downsample(&html, share, "0", "0")).matches("<div>").count() - 1;
        assert!(left.abs_diff(wanted) <= 2 && left <= last, "{share}: {left}");
        last = left;
    }
}

#[test]
fn merged_elements_stand_in_the_map() {
    let snapshot =
        downsample("<section><div id=\"cart\" data-uid=\"7\"><div>3 items</div></div></section>", "1", "0", "0");
    let entry = snapshot.map.entries.iter().find(|entry| entry.tag == "section").expect("the section is written");
    assert_eq!(entry.merged, ["/0/1/0/0", "/0/1/0/0/0"]);
    let html = "<section><div aria-label=\"Cart\" role=\"group\">3 items</div></section>";
    check(html, ELEMENTS, html);
}

#[test]
fn sentences_that_turn_the_sense_go_last() {
    check(
        "<p>You agree to the terms. Do not press Delete unless you are sure. You agree to the policy. You agree to the cookies.</p>",
        TEXT,
        "<p>Do not press Delete unless you are sure. </p>",
    );
    check("<p>Tea is nice. Tea is warm. It costs $5.</p>", TEXT, "<p>It costs $5.</p>");
    check("<p>Кот спит. Цена 100 рублей. Кот ест.</p>", TEXT, "<p>Цена 100 рублей. </p>");
}

#[test]
fn sentences_are_those_of_the_text_and_not_of_the_source() {
    let wrapped = "<div>The quick fox\njumps over the dog\nand runs home.</div>";
    check(wrapped, TEXT, wrapped);
    check("<div>Dr. Vos lives in St. Anna. Vos is in.</div>", TEXT, "<div>Dr. Vos lives in St. Anna. </div>");
    check("<p>猫が好き。犬も好き。鳥は青い。</p>", ["0", "0", "0.4"], "<p>猫が好き。犬も好き。</p>");
    check("<p>One <b>two. Three</b> four. One two five.</p>", TEXT, "<p>One <b>two. </b>One two five.</p>");
}

#[test]
fn fragments_stay_and_so_does_a_sentence_of_each_text() {
    let lines = "<p>Done<br>now<img src=\"p.png\" alt=\"Pier\">after</p>";
    check(lines, ["0", "0", "1"], lines);
    check("<p>Ana Vos<br>12 Quay Street<br>Aldersey</p>", TEXT, "<p>Ana Vos<br>12 Quay Street<br>Aldersey</p>");
    check(
        "<p>Tea is warm. Tea is warm and nice.<br>Cars need fuel. Boats do so too.</p>",
        ["0", "0", "1"],
        "<p>Tea is warm. <br>Cars need fuel. </p>",
    );
}

#[test]
fn controls_stay_when_their_sentence_goes() {
    check(
        "<p>Tea is warm. See <a href=\"/x\">the list. Or not</a> now. Tea is nice. Tea is warm and nice.</p>",
        ["0", "0", "1"],
        "<p>See <a href=\"/x\">the list. Or not</a> now. </p>",
    );
    check(
        "<p>Do not go. See <a href=\"/x\">the list</a> now. Tea.</p>",
        TEXT,
        "<p>Do not go. See <a href=\"/x\">the list</a> now. </p>",
    );
}

#[test]
fn wrong_ratios_are_errors_that_say_so() {
    for ratio in [".nan", "-0.1", "1.01", ".inf", "much"] {
        for option in ["elements", "attributes", "text", "quality"] {
            let recipe = Recipe::default().stage("downsample", [(option, ratio)]);
            let error = Pipeline::new(&recipe, "html").expect_err("refused").to_string();
            assert!(error.contains("downsample") && (error.contains("0 to 1") || ratio == "much"), "{error}");
        }
    }
}

#[test]
fn odd_pages_are_fine() {
    check("<body></body>", ALL, "");
    check("<table><tr><td>1</table>", ALL, "<table><tbody><tr><td>1</td></tr></tbody></table>");
    let deep = "<div>".repeat(600);
    assert!(downsample(&deep, "1", "1", "1").text.len() < 200);
}

#[test]
fn quality_is_all_three_ratios_in_one() {
    let html = "<main><div class=\"a\"><div><p>We bake bread. It is warm. We bake rolls.</p></div></div></main>";
    let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    let run = |quality: &str| {
        let recipe = Recipe::default().stage("downsample", [("quality", quality)]);
        body(&Pipeline::new(&recipe, "html").and_then(|pipeline| pipeline.run(&page)).expect("converts"))
    };
    assert_eq!(run("1"), html);
    assert_eq!(run("0.3"), "<main><p>We bake bread. </p></main>");
}
