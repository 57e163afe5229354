//! What `snapshot convert` prints and writes, and how it says no.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod support;

use serde_json::Value;
use support::{Folder, PAGE};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("is an object").keys().map(String::as_str).collect()
}

#[test]
fn text_goes_to_standard_output_and_nothing_else() {
    let folder = Folder::new().with("a.html", PAGE);
    let done = folder.sh("convert a.html").succeeds();
    assert!(done.out.contains("heading \"Ferry times\""), "{}", done.out);
    assert!(!done.out.contains("Staff only"));
    assert_eq!(done.err, "");
    assert!(folder.sh("convert --stages none --to html a.html").succeeds().out.contains("Staff only"));
    assert!(folder.sh("convert --no-refs a.html").succeeds().out.lines().all(|line| !line.contains("ref=")));
    assert!(folder.sh("convert --to html --refs a.html").succeeds().out.contains("data-uid="));
    let (some, all) = (folder.sh("convert --to html --refs a.html"), folder.sh("convert --to html --refs=all a.html"));
    assert!(all.out.matches("data-uid=").count() > some.out.matches("data-uid=").count());
}

#[test]
fn json_has_exactly_the_fields_of_the_contract_in_their_order() {
    let folder = Folder::new().with("a.html", PAGE).with("b.html", "<p hidden>x</p><a href=y>z</a>");
    let done = folder.sh("convert --json a.html b.html").succeeds();
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(lines.len(), 2);
    let order = ["input", "representation", "text", "tokens", "stats", "map", "elided", "ledger", "diagnostics"];
    let mut from = 0;
    for key in order {
        let found = lines[0][from..].find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("{key} is missing"));
        from += found;
    }
    let object: Value = serde_json::from_str(lines[0]).expect("is JSON");
    assert_eq!(keys(&object).len(), order.len());
    assert_eq!(object["input"], "a.html");
    assert_eq!(keys(&object["tokens"]).len(), 2);
    assert_eq!(object["tokens"]["encoding"], "o200k_base");
    assert!(object["tokens"]["count"].as_u64() > Some(10));
    assert_eq!(object["text"].as_str(), Some(folder.sh("convert a.html").out.as_str()));
    let entry = &object["map"]["entries"][0];
    let mut fields = keys(entry);
    fields.sort_unstable();
    let mut expected = [
        "ref",
        "path",
        "selector",
        "xpath",
        "tag",
        "role",
        "name",
        "actionable",
        "evidence",
        "span",
        "merged",
        "frame",
        "shadow",
        "backend_node_id",
    ];
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(keys(&object["ledger"][0]).len(), 5);
    assert_eq!(object["map"]["version"], 1);
}

#[test]
fn several_texts_have_their_names_above_them() {
    let folder = Folder::new().with("a.html", "<p>One").with("b.html", "<p>Two");
    let done = folder.sh("convert --to html --stages none a.html b.html").succeeds();
    assert!(done.out.starts_with("==> a.html <==\n"), "{}", done.out);
    assert!(done.out.contains("\n\n==> b.html <==\n"), "{}", done.out);
}

#[test]
fn a_folder_is_mirrored_and_nothing_else_is_written() {
    let folder = Folder::new()
        .with("site/a.html", PAGE)
        .with("site/deep/b.HTM", PAGE)
        .with("site/deep/a.html", PAGE)
        .with("site/notes.txt", "no page")
        .with("site/.git/x.html", PAGE);
    folder.sh("convert site -o out").succeeds();
    let written: Vec<_> = folder.names().into_iter().filter(|name| name.starts_with("out")).collect();
    assert_eq!(written, ["out/a.yaml", "out/deep/a.yaml", "out/deep/b.yaml"]);
    // What was written into the folder last time is no input.
    folder.sh("convert --to html site -o site/out").succeeds();
    let before = folder.names();
    folder.sh("convert --to html site -o site/out").succeeds();
    assert_eq!(before, folder.names());
    // One line of JSON for each page, in files of their own.
    folder.sh("convert --json site -o json").succeeds();
    assert_eq!(folder.read("json/deep/a.json").lines().count(), 1);
}

#[test]
fn one_input_goes_to_a_file_or_into_a_folder_that_is_there() {
    let folder = Folder::new().with("a.html", PAGE).with("there/keep", "");
    folder.sh("convert a.html -o new/deep/x.txt").succeeds();
    folder.sh("convert a.html -o there").succeeds();
    folder.sh("convert a.html -o slash/").succeeds();
    let text = folder.sh("convert a.html -o -").succeeds().out;
    for name in ["new/deep/x.txt", "there/a.yaml", "slash/a.yaml"] {
        assert_eq!(folder.read(name), text);
    }
}

#[test]
fn globs_are_expanded_for_shells_that_do_not() {
    let folder = Folder::new().with("x/1.html", "<p>1").with("x/2.html", "<p>2").with("odd[1].html", "<p>odd");
    let done = folder.sh("convert --to html x/*.html").succeeds();
    assert!(done.out.find("x/1.html").expect("is there") < done.out.find("x/2.html").expect("is there"));
    folder.sh("convert odd[1].html").succeeds();
    folder.sh("convert x/*.pdf").fails(1, &["x/*.pdf", "no file"]);
}

#[test]
fn standard_input_is_read_when_named_and_when_nothing_is() {
    let folder = Folder::new().with("a.html", PAGE);
    let text = folder.sh("convert a.html").out;
    assert_eq!(folder.run_with_input("convert -", PAGE.as_bytes()).succeeds().out, text);
    assert_eq!(folder.run_with_input("convert", PAGE.as_bytes()).succeeds().out, text);
    folder.run_with_input("convert - -", b"").fails(2, &["only once"]);
}

#[test]
fn a_map_is_written_beside_the_text() {
    let folder = Folder::new().with("a.html", PAGE).with("b.html", PAGE);
    let done = folder.sh("convert a.html b.html --map map.json -o out").succeeds();
    assert_eq!(done.out, "");
    assert_eq!(folder.read("map.json"), folder.sh("convert --json a.html b.html").out);
    folder.sh("convert a.html --map a.html").fails(2, &["is an input"]);
    folder.sh("convert a.html --map x -o x").fails(2, &["same file"]);
}

#[test]
fn bad_inputs_are_told_with_a_reason_and_the_others_are_done() {
    let folder = Folder::new()
        .with("good.html", PAGE)
        .with("image.html", b"\x89PNG\r\n\x1a\n0000")
        .with("empty.html", "")
        .with("none/readme.txt", "x");
    let done = folder
        .sh("convert image.html empty.html none missing.html good.html -o out")
        .fails(1, &["image.html: the input is a PNG image", "empty.html: the input is empty"])
        .fails(1, &["none: the folder holds no page", "missing.html: cannot be read"]);
    assert_eq!(done.err.lines().count(), 4, "{}", done.err);
    assert!(folder.names().contains(&"out/good.yaml".to_owned()));
}

#[test]
fn an_empty_file_among_others_in_a_folder_is_an_empty_page() {
    let folder = Folder::new().with("site/empty.html", "").with("site/a.html", PAGE);
    let done = folder.sh("convert site -o out").succeeds();
    assert_eq!(done.err, "warning: site/empty.html: the file is empty\n");
    assert_eq!(folder.read("out/empty.yaml").trim(), "[]");
    folder.sh("convert site/empty.html").fails(1, &["the input is empty"]);
}

#[test]
fn wrong_usage_says_what_to_type_instead() {
    let folder = Folder::new().with("a.html", PAGE).with("bad.yaml", "stages: [no-such]").with("file", "");
    for (line, words) in [
        ("convert --to pdf a.html", "possible values: ax, html"),
        ("convert --preset x a.html", "navigate"),
        ("convert --stages no-such a.html", "prune-hidden"),
        ("convert --stages prune-hidden{a=1} a.html", "unknown field"),
        ("convert --stages none --preset full a.html", "cannot be used with"),
        ("convert --recipe bad.yaml a.html", "recipe bad.yaml: there is no stage named"),
        ("convert --recipe missing.yaml a.html", "recipe missing.yaml"),
        ("convert --url shop.example a.html", "https://"),
        ("convert --charset klingon a.html", "utf-8"),
        ("convert --encoding gpt2 a.html", "cl100k_base"),
        ("convert --max-bytes lots a.html", "64M"),
        ("convert -j 0 a.html", "1..=1024"),
        ("convert a.html a.html -o file", "need a folder"),
        ("locate map.json x12", "e12, 12 or [12]"),
        ("nonsense", "unrecognized subcommand"),
        ("", "Usage"),
    ] {
        folder.sh(line).fails(2, &[words]);
    }
}

#[test]
fn the_command_line_decides_over_the_recipe() {
    let folder = Folder::new().with("a.html", PAGE).with("r.yaml", "stages: [prune-hidden]\nrepresentation: html\n");
    assert!(folder.sh("convert --recipe r.yaml a.html").succeeds().out.contains("<h1>"));
    assert!(folder.sh("convert --recipe r.yaml --to ax a.html").succeeds().out.contains("- heading"));
}

#[test]
fn links_are_absolute_and_bytes_are_read_as_told() {
    let folder = Folder::new().with("a.html", b"<p title=x>\xe9<a href=/book>Book</a>");
    let done = folder.sh("convert --to html --stages none --charset iso-8859-2 a.html").succeeds();
    assert!(done.out.contains('é'), "{}", done.out);
    let done = folder.sh("convert --to html --stages none --charset windows-1251 a.html").succeeds();
    assert!(done.out.contains('й'), "{}", done.out);
}

#[test]
fn limits_are_kept() {
    let folder = Folder::new().with("a.html", "<p>x</p>".repeat(1000));
    folder.sh("convert --max-bytes 1K a.html").fails(1, &["more than 1024 bytes", "--max-bytes"]);
    folder.sh("convert --max-nodes 100 a.html").fails(1, &["more than 100 nodes"]);
}

#[test]
fn the_bytes_do_not_depend_on_the_threads() {
    let pages: Vec<_> = (0..60).map(|page| (format!("p/{page:02}.html"), format!("{PAGE}<p>{page}"))).collect();
    let mut folder = Folder::new();
    for (name, page) in &pages {
        folder = folder.with(name, page.repeat(1 + name.len() % 3));
    }
    let expected = folder.sh("convert --json -j 1 p").succeeds().out;
    assert_eq!(expected.lines().count(), 60);
    for jobs in [1, 2, 2, 7] {
        assert!(folder.sh(&format!("convert --json -j {jobs} p")).succeeds().out == expected, "{jobs} jobs");
    }
}

#[test]
fn addresses_are_written_as_asked_and_told_in_a_table() {
    let long = "https://shop.example/find?session=0123456789abcdef0123456789abcdef&page=2";
    let folder = Folder::new().with("a.html", format!("<a href=/book>Book</a> <a href='{long}'>Next</a>"));
    let convert = |options: &str| {
        folder.sh(&format!("convert --to markdown --url https://shop.example/ {options} a.html")).succeeds().out
    };
    assert!(convert("").contains("[Book](https://shop.example/book)"));
    assert!(convert("--urls relative").contains("[Book](book)"));
    let reference = convert("--urls ref --url-table");
    assert_eq!(reference, convert("--urls reference --url-table"));
    assert!(reference.contains("[Book](e") && reference.contains("]: https://shop.example/book\n"), "{reference}");
    assert!(!convert("--urls reference").contains("https://"));
    let short = convert("--urls short --url-table");
    let (told, address) = short.lines().last().and_then(|line| line.split_once("]: ")).expect("has a table");
    assert_eq!(address, long);
    // Every short form of the text is in the table.
    assert!(short.contains(&format!("[Next]({})", told.trim_start_matches('['))), "{short}");
    // Ids with a table: links lead to ids, and the table tells where these lead.
    assert!(convert("--refs --url-table").contains(&format!("]: {long}\n")));
}
