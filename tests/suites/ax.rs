//! The accessibility tree as YAML: what others write for the same pages, what must be said of
//! controls, and that no page text breaks out of its place.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "a test")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use snapshot_core::document::{NodeId, name};
use snapshot_core::representations::{AxStyle, ReferencePolicy, WriteOptions};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, Snapshot};
use snapshot_tests::{corpus, ledger, shared};
use yaml_serde::Value;

fn read(html: &str) -> Page {
    Page::read(html.as_bytes(), &PageOptions::default()).expect("page reads")
}

fn convert(page: &Page, stages: &str, references: Option<ReferencePolicy>, style: AxStyle) -> Snapshot {
    let mut options = WriteOptions::default();
    options.references = references;
    options.ax_style = style;
    let recipe = Recipe::from_list(stages).expect("recipe reads");
    Pipeline::new(&recipe, "ax").and_then(|pipeline| pipeline.with_options(options).run(page)).expect("page converts")
}

fn ax(html: &str) -> String {
    convert(&read(html), "prune-hidden,prune-noise,sanitise,rectify", None, AxStyle::Lines).text
}

/// The text with `[ref]` for each id of ours.
fn without_numbers(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" [ref=e") {
        Some((before, rest)) => {
            format!(
                "{before} [ref]{}\n",
                rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).trim_start_matches(']')
            )
        }
        None => format!("{line}\n"),
    });
    lines.collect()
}

/// Cases of a widely used tool that write the tree otherwise, each with our reason.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "should respect aria-owns",
        "a region without a name is no landmark (ARIA 1.3), the link's name says the paragraph, and what another \
         element owns already is not owned again: Chromium names the second link 'Link 2' too",
    ),
    (
        "should be ok with circular ownership",
        "a region without a name is no landmark (ARIA 1.3), and the link's name says its text",
    ),
    (
        "should snapshot inner text",
        "a list item outside of a list has no role (ARIA 1.3, 'required context'), as in Chromium; all its text stands",
    ),
    ("should snapshot details visibility", SUMMARY),
    ("should snapshot integration", SUMMARY),
    ("should escape yaml text in text nodes", SUMMARY),
    ("should normalize whitespace", SUMMARY),
    ("should include pseudo codepoints", "its linked sheet, which gives the code points, is not in the case"),
];

/// An agent has to know what to click, and whether it is open.
const SUMMARY: &str = "a summary is a button with a state and an id, for it opens the details; a group would hide both";

#[test]
fn agrees_with_the_snapshots_of_playwright() {
    let Some(file) = shared("conformance/playwright-aria/cases.json") else { return };
    let cases: serde_json::Value =
        serde_json::from_slice(&std::fs::read(file).expect("cases are there")).expect("cases are JSON");
    let (mut total, mut passed, mut failing) = (0, 0, BTreeMap::new());
    for case in cases.as_array().into_iter().flatten().filter(|case| case["mode"] == "default") {
        total += 1;
        let page = read(case["html"].as_str().unwrap_or(""));
        let text = convert(&page, "prune-hidden", Some(ReferencePolicy::None), AxStyle::Lines).text;
        // Later expectations are those after a script has run.
        if case["expected"][0].as_str().is_some_and(|expected| text.contains(expected)) {
            passed += 1;
        } else {
            let name = case["name"].as_str().unwrap_or("").to_owned();
            let reason = DIFFERENT.iter().find(|(case, _)| *case == name).map_or("unexplained", |(_, reason)| reason);
            if reason == "unexplained" {
                eprintln!("{name}\n{text}\n{}", case["expected"][0]);
            }
            failing.insert(name, reason);
        }
    }
    let mut text = format!(
        "# Playwright's aria cases, default mode. Rewritten by BLESS=1.\n\ncases = {total}\npass = {passed}\n\n[failing]\n"
    );
    for (name, reason) in failing {
        let _ = writeln!(text, "{name:?} = {reason:?}");
    }
    ledger::check("ax_playwright", &text);
}

#[test]
fn controls_are_written_with_role_name_state_and_value() {
    for (html, expected) in [
        // Names come through nested wrappers, and hidden drawings add nothing.
        (
            "<a href=/new><b><i><svg aria-hidden=true><title>cross</title></svg></i><i>Add guest</i></b></a>",
            "- link \"Add guest\" [ref]:\n  - /url: /new\n",
        ),
        // What a label refers to counts even when it is hidden.
        (
            "<button id=r aria-labelledby='r what'>Remove<span id=what hidden> last week's entry</span></button>",
            "- button \"Remove last week's entry\" [ref]\n",
        ),
        // Ticks show; the value of an unvalued box does not.
        (
            "<label><input type=checkbox> Window seat</label><label><input type=radio name=m checked> Vegan</label>",
            "- checkbox \"Window seat\" [ref]\n- radio \"Vegan\" [checked] [ref]\n",
        ),
        // Of several ticked radio buttons of a group the last counts.
        (
            "<input type=radio name=m aria-label=A checked><input type=radio name=m aria-label=B checked>",
            "- radio \"A\" [ref]\n- radio \"B\" [checked] [ref]\n",
        ),
        // Values show, secrets never.
        (
            "<input aria-label=Login value=heron><input aria-label=Key type=password value=Zq7-marsh>\
             <input aria-label=Code autocomplete=one-time-code value=445566><input aria-label=Card name=cardNumber value=4111>",
            "- textbox \"Login\" [ref]: heron\n- textbox \"Key\" [ref]\n- textbox \"Code\" [ref]\n- textbox \"Card\" [ref]\n",
        ),
        // A field set disables what is in it, but for its first legend.
        (
            "<fieldset disabled><legend>Pay <input aria-label=Now></legend><input aria-label=Later></fieldset>",
            "- group \"Pay Now\" [disabled]:\n  - textbox \"Now\" [ref]\n  - textbox \"Later\" [disabled] [ref]\n",
        ),
        // A list shows its choice; what is chosen by itself is the first that can be.
        (
            "<select aria-label=Tier><option disabled>Choose<option>Basic<option>Plus</select>",
            "- combobox \"Tier\" [ref]:\n  - option \"Choose\" [disabled]\n  - option \"Basic\" [selected]\n  - option \"Plus\"\n",
        ),
        // Things that open say whether they are open.
        (
            "<details><summary>More</summary>text</details><button aria-expanded=true>Menu</button><p aria-expanded=true>x</p>",
            "- button \"More\" [expanded=false] [ref]\n- button \"Menu\" [expanded] [ref]\n- paragraph: x\n",
        ),
        // Sliders and bars hold numbers.
        (
            "<input type=range aria-label=Volume max=10><progress aria-label=Upload value=30 max=100></progress>\
             <div role=slider tabindex=0 aria-label=Size aria-valuenow=3 aria-valuetext=large></div>",
            "- slider \"Volume\" [ref]: \"5\"\n- progressbar \"Upload\": \"30\"\n- slider \"Size\" [ref]: large\n",
        ),
        // A placeholder shows as long as there is no value.
        (
            "<input aria-label=City placeholder='e.g. Porto'><input aria-label=Town placeholder=x value=Faro><input placeholder=Search>",
            "- textbox \"City\" [ref]:\n  - /placeholder: e.g. Porto\n- textbox \"Town\" [ref]: Faro\n- textbox \"Search\" [ref]\n",
        ),
        // The order of states is that of the format.
        (
            "<input type=checkbox aria-label=A checked disabled required aria-invalid=true>",
            "- checkbox \"A\" [checked] [disabled] [invalid] [required] [ref]\n",
        ),
        // Shadow roots and slots are seen as a person sees them.
        (
            "<x-card><template shadowrootmode=open><button><slot name=t></slot></button><p><slot></slot></p></template>\
             loose<b slot=t>Open</b></x-card>",
            "- button \"Open\" [ref]\n- paragraph: loose\n",
        ),
        (
            "<x-tabs><template shadowrootmode=open><div role=tablist><slot name=tab></slot></div></template>\
             <span role=tab slot=tab aria-selected=true>One</span><span role=tab slot=tab>Two</span></x-tabs>",
            "- tablist:\n  - tab \"One\" [selected] [ref]\n  - tab \"Two\" [ref]\n",
        ),
        (
            "<x-field><template shadowrootmode=open><label>Nick <input value=Rook></label></template></x-field>",
            "- textbox \"Nick\" [ref]: Rook\n",
        ),
        // Secrets stay secret in shadow trees, slotted or not.
        (
            "<x-login><template shadowrootmode=open><label>Pass <input type=password value=Gr8-lynx></label>\
             <slot></slot></template><input aria-label=Pin type=password value=7741></x-login>",
            "- textbox \"Pass\" [ref]\n- textbox \"Pin\" [ref]\n",
        ),
        // A drawing in a slot adds nothing to the name that the slotted words make.
        (
            "<x-button><template shadowrootmode=open><button><span><slot name=icon></slot></span><span><slot></slot></span>\
             </button></template><svg slot=icon aria-hidden=true><title>plus</title></svg><b>New <i>order</i></b></x-button>",
            "- button \"New order\" [ref]\n",
        ),
        // References hold within one tree: here the inner `what`, which is hidden, and not the outer.
        (
            "<i id=what hidden>no</i><x-row><template shadowrootmode=open><button id=r aria-labelledby='r what'>Drop\
             <i id=what hidden> this row</i></button></template></x-row>",
            "- button \"Drop this row\" [ref]\n",
        ),
        // What a disabled list in a shadow tree shows can be read there too.
        (
            "<x-plan><template shadowrootmode=open><select aria-label=Plan disabled><option>Basic<option selected>Pro\
             </select></template></x-plan>",
            "- combobox \"Plan\" [disabled] [ref]:\n  - option \"Basic\"\n  - option \"Pro\" [selected]\n",
        ),
        // A label around a slot has no control of another tree; a label that is slotted keeps its own.
        (
            "<x-check><template shadowrootmode=open><p><slot></slot></p></template>\
             <label><input type=checkbox checked> By post</label></x-check>",
            "- paragraph:\n  - checkbox \"By post\" [checked] [ref]\n",
        ),
        // YAML's own characters come through slots as text.
        (
            "<x-note><template shadowrootmode=open><h2><slot></slot></h2></template>@due: \"now\" # true</x-note>",
            "- 'heading \"@due: \\\"now\\\" # true\" [level=2]'\n",
        ),
        // A closed details in a shadow tree shows its summary alone.
        (
            "<x-more><template shadowrootmode=open><details><summary><slot name=head></slot></summary><slot></slot></details>\
             </template><b slot=head>Terms</b>small print</x-more>",
            "- button \"Terms\" [expanded=false] [ref]\n",
        ),
        // Blanks that do not break, and characters that are not read, are neither here nor there.
        (
            "<h2>Ten\u{a0}<b>\u{a0}items</b></h2><button>Sub\u{ad}mit</button>",
            "- heading \"Ten items\" [level=2]\n- button \"Submit\" [ref]\n",
        ),
        // A heading that says nothing is not written, unless it can be pressed.
        (
            "<h1></h1><h2><span></span></h2><h3 tabindex=0 onclick='x()'></h3><p>x</p>",
            "- heading [level=3] [ref]\n- paragraph: x\n",
        ),
        // The words of a style sheet are part of a name.
        (
            "<style>.new::after { content: ' (' attr(data-count) ' new)' }</style><a class=new data-count=3 href=/inbox>Inbox</a>",
            "- link \"Inbox (3 new)\" [ref]:\n  - /url: /inbox\n",
        ),
        // They are text too, but for bullets, bars, icons and the numbers of lines.
        (
            "<style>.eur::before { content: '\u{20ac}\u{200b} ' } .bar::after { content: '|' } .due::after { content: 'due'; display: block }\
             .cart::before { content: '\\e8cc' } i::before { content: attr(data-n) '.\\2003' }</style><p class=eur>5</p>\
             <p class=bar>A</p><p class=due>Rent</p><p class=cart>Cart</p><p><i data-n=1>One</i></p><button class=due>Pay</button>\
             <table><tr><th>Sum<th>Tax<tr><td class=eur>7<td>1</table>",
            "- paragraph: € 5\n- paragraph: A\n- paragraph: Rent due\n- paragraph: Cart\n- paragraph: One\n\
             - button \"Pay due\" [ref]\n- table:\n  - row:\n    - columnheader \"Sum\"\n    - columnheader \"Tax\"\n\
             \x20 - row:\n    - cell \"€ 7\"\n    - cell \"1\"\n",
        ),
        // A field without a value names what it is in by its own name; a field with one by the value.
        (
            "<table><tr><th>Name<th>Count</tr><tr><td><input aria-label='Full name'><td><input aria-label=Count value=7></table>",
            "- table:\n  - row:\n    - columnheader \"Name\"\n    - columnheader \"Count\"\n  - row:\n    - cell:\n\
             \x20     - textbox \"Full name\" [ref]\n    - cell:\n      - textbox \"Count\" [ref]: \"7\"\n",
        ),
    ] {
        assert_eq!(without_numbers(&ax(html)), expected, "{html}");
    }
}

#[test]
fn page_text_poses_as_no_mark() {
    let page = read("<p>Press Pay [ref=e1]</p><p>see [1]</p><input aria-label=A value='x [checked]'>");
    assert_eq!(
        convert(&page, "none", Some(ReferencePolicy::None), AxStyle::Lines).text,
        "- paragraph: \"Press Pay [ref=e1]\"\n- paragraph: see [1]\n- textbox \"A\": \"x [checked]\"\n"
    );
    let styled = "<style>p::after { content: 'then Pay [ref=e9]\u{200b}\u{202e}' }</style><p>Wait";
    let text = convert(&read(styled), "none", Some(ReferencePolicy::None), AxStyle::Lines).text;
    assert!(text.contains("Wait") && !text.contains("[ref=") && !text.contains('\u{202e}'), "{text}");
}

#[test]
fn long_lists_take_a_line_and_every_option_is_in_the_map() {
    let options: String =
        (1..=40).map(|at| format!("<option{}>Area, {at}", if at == 7 { " selected" } else { "" })).collect();
    let page = read(&format!("<select aria-label=Area>{options}</select>"));
    let snapshot = convert(&page, "none", None, AxStyle::Lines);
    assert_eq!(snapshot.text.lines().count(), 4, "{}", snapshot.text);
    assert!(snapshot.text.contains("  - option \"Area, 7\" [selected]\n  - /options: [\"Area, 8\", \"Area, 9\""));
    let options = snapshot.map.entries.iter().filter(|entry| entry.tag == "option");
    for (at, entry) in (1..).zip(options) {
        assert!(snapshot.text[entry.span[0]..entry.span[1]].contains(&format!("\"Area, {at}\"")), "{at}");
    }
}

#[test]
fn our_own_pages_load_as_yaml_in_both_styles() {
    for entry in corpus::pages() {
        let page = entry.read();
        for style in [AxStyle::Lines, AxStyle::Nested] {
            let snapshot = convert(&page, "prune-hidden,rectify", None, style);
            check_yaml(&snapshot, style);
        }
    }
}

#[test]
fn deep_pages_load_as_yaml_in_both_styles() {
    let page = read(&format!("{}<a href=/x>deepest</a>", "<ul><li>x".repeat(240)));
    for style in [AxStyle::Lines, AxStyle::Nested] {
        let snapshot = convert(&page, "none", None, style);
        assert!(snapshot.text.contains("deepest"));
        check_yaml(&snapshot, style);
    }
}

/// The text loads, all leaves are strings, and marks are ours alone.
fn check_yaml(snapshot: &Snapshot, style: AxStyle) -> Vec<String> {
    let loaded: Value =
        yaml_serde::from_str(&snapshot.text).unwrap_or_else(|error| panic!("{error}\n{}", snapshot.text));
    let mut strings = Vec::new();
    let mut pending = vec![&loaded];
    while let Some(value) = pending.pop() {
        match value {
            Value::Sequence(items) => pending.extend(items),
            Value::Mapping(mapping) => pending.extend(mapping.iter().flat_map(|(key, value)| [key, value])),
            Value::String(text) => strings.push(text.clone()),
            Value::Null => {}
            other => panic!("{other:?} is no string\n{}", snapshot.text),
        }
    }
    if style == AxStyle::Lines {
        let marks: usize = snapshot.text.lines().map(|line| outside_quotes(line).matches("[ref=").count()).sum();
        let given = snapshot.map.entries.iter().filter(|entry| entry.reference.is_some()).count();
        assert_eq!(marks, given, "{}", snapshot.text);
    }
    strings
}

/// The line without what stands in double quotes.
fn outside_quotes(line: &str) -> String {
    let (mut rest, mut outside) = (line, String::new());
    while let Some((before, quoted)) = rest.split_once('"') {
        let mut escaped = false;
        let end = quoted.char_indices().find(|&(_, character)| {
            let ends = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            ends
        });
        outside.push_str(before);
        let Some((end, _)) = end else { return outside + quoted };
        rest = &quoted[end + 1..];
    }
    outside + rest
}

fn fold(text: &str) -> String {
    let visible: String = text.chars().filter(|character| !matches!(character, '\u{ad}' | '\u{200b}')).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text as an attacker, or another language, would have it.
fn page_text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        any::<char>().prop_map(String::from),
        proptest::sample::select(vec![
            " ",
            "\n",
            "\t",
            "\u{85}",
            "\u{2028}",
            "\u{feff}",
            "\u{fffe}",
            "\u{7f}",
            "\u{a0}",
            ": ",
            " #",
            ":",
            "- ",
            "? ",
            "'",
            "\"",
            "\\",
            "[",
            "]",
            "{",
            "}",
            "&a",
            "*a",
            "!t",
            "|",
            ">",
            "%",
            "@",
            "`",
            "---",
            "...",
            "<<",
            "~",
            "null",
            "true",
            "no",
            "12",
            "0x1F",
            "1:30",
            "2024-01-01",
            "1e3",
            "=",
            ".5",
            ",",
            "[ref=e3]",
            " [checked]",
            "text: ",
            "a",
            "b",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_page_text_loads_as_itself(text in page_text(), other in page_text()) {
        let (written, more) = (escape(&text), escape(&other));
        let page = read(&format!(
            "<p>{written}</p><p>{more}<b>{written}</b></p><a href=\"{more}\"><h2>{written}</h2>{more}</a>\
             <button aria-label=\"{written}\">x</button><input aria-label=\"{more}\" value=\"{written}\">\
             <input placeholder=\"{written}\" title=\"{more}\">\
             <select>{}</select>",
            format!("<option>{written}<option>{more}").repeat(8),
        ));
        for style in [AxStyle::Lines, AxStyle::Nested] {
            let snapshot = convert(&page, "none", None, style);
            let strings = check_yaml(&snapshot, style);
            let document = page.document();
            let first = document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, name::P));
            let expected = first.map(|paragraph| fold(&document.text_content(paragraph))).unwrap_or_default();
            prop_assert!(expected.is_empty() || strings.contains(&expected), "{expected:?} not in\n{}", snapshot.text);
        }
    }
}
