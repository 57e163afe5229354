//! The verbs other than `convert`.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod support;

use support::{Folder, PAGE};

#[test]
fn explain_shows_the_ledger_the_removed_and_the_targets() {
    let folder = Folder::new().with("a.html", format!("{PAGE}<p hidden>Another</p><a hidden href=x>Old</a>"));
    let done = folder.sh("explain a.html").succeeds();
    for words in ["tokens before", "prune-hidden", "because", "stayed", "went in prune-hidden", "native"] {
        assert!(done.out.contains(words), "{words} is not in:\n{}", done.out);
    }
    let hidden = |text: &str| text.lines().filter(|line| line.starts_with("prune-hidden  ")).count();
    let all = folder.sh("explain --all a.html").succeeds();
    assert!(hidden(&all.out) > hidden(&done.out), "{}", all.out);
    folder.sh("explain missing.html").fails(1, &["missing.html: cannot be read"]);
}

#[test]
fn locate_leads_back_to_the_element() {
    let folder = Folder::new().with("a.html", PAGE).with("b.html", PAGE);
    folder.sh("convert a.html --map map.json -o a.yaml").succeeds();
    let text = folder.read("a.yaml");
    let at = text.find("link \"Book a seat\" [ref=e").expect("the link has an id");
    let number: String = text[at + 25..].chars().take_while(char::is_ascii_digit).collect();
    for form in [format!("e{number}"), number.clone(), format!("[{number}]")] {
        let done = folder.run(["locate", "map.json", &form]).succeeds();
        for words in
            ["element   a\n", "role      link", "name      \"Book a seat\"", "xpath     /html/", "path      /0/"]
        {
            assert!(done.out.contains(words), "{words:?} is not in:\n{}", done.out);
        }
        assert!(done.out.contains("html      <a href=\"/book\">Book a seat</a>"), "{}", done.out);
    }
    folder.sh("locate map.json e999").fails(1, &["no e999", "nearest are e"]);
    folder.sh("locate a.yaml e1").fails(1, &["a.yaml", "convert --map"]);
    let json = folder.sh("convert --json a.html b.html").succeeds().out;
    folder.run_with_input(&format!("locate - {number}"), json.as_bytes()).fails(1, &["--input", "a.html, b.html"]);
    let done = folder.run_with_input(&format!("locate - {number} --input b.html"), json.as_bytes()).succeeds();
    assert!(done.out.contains("Book a seat"));
}

#[test]
fn diff_tells_what_changed_and_keeps_ids() {
    let rows = |from: u32| {
        (from..from + 30).map(|row| format!("<li><a href=/o/{row}>Order {row}</a></li>")).collect::<String>()
    };
    let folder = Folder::new()
        .with("a.html", format!("<h1>Orders</h1><ul>{}</ul>", rows(1)))
        .with("b.html", format!("<h1>Orders</h1><ul>{}</ul>", rows(2)));
    let done = folder.sh("diff a.html b.html").succeeds();
    let lines: Vec<&str> = done.out.lines().filter(|line| line.contains(" link ")).collect();
    assert_eq!(lines.len(), 2, "{}", done.out);
    assert!(lines[0].starts_with("+ e") && lines[0].ends_with("link \"Order 31\""), "{}", done.out);
    assert!(lines[1].starts_with("- e") && lines[1].ends_with("link \"Order 1\""), "{}", done.out);
    let json = folder.sh("diff a.html b.html --json").succeeds().out;
    let delta: serde_json::Value = serde_json::from_str(&json).expect("is JSON");
    assert_eq!((delta["version"].as_u64(), delta["representation"].as_str()), (Some(1), Some("ax")));
    folder.sh("diff a.html missing.html").fails(1, &["missing.html: cannot be read"]);
}

#[test]
fn locate_reads_pages_in_frames() {
    let page = "<iframe srcdoc=\"<p title='a&amp;quot;b'><button>Press &amp;amp; hold</button></p>\"></iframe>";
    let folder = Folder::new().with("a.html", page);
    let json = folder.sh("convert --json a.html").succeeds().out;
    let object: serde_json::Value = serde_json::from_str(&json).expect("is JSON");
    let entries = object["map"]["entries"].as_array().expect("is a list");
    let button = entries.iter().find(|entry| entry["tag"] == "button").expect("is written");
    let reference = button["ref"].as_str().expect("has an id");
    let done = folder.run_with_input(&format!("locate - {reference}"), json.as_bytes()).succeeds();
    assert!(done.out.contains("in frame  iframe") || done.out.contains("in frame  html"), "{}", done.out);
    assert!(done.out.contains("html      <button>Press &amp; hold</button>"), "{}", done.out);
}

#[test]
fn the_tables_are_listed() {
    let folder = Folder::new();
    for preset in snapshot_core::PRESETS {
        assert!(folder.sh("recipe").succeeds().out.contains(preset.name));
        assert_eq!(folder.run(["recipe", preset.name]).succeeds().out, preset.yaml);
    }
    let stages = folder.sh("stages").succeeds().out;
    for stage in snapshot_core::stages::STAGES {
        assert!(stages.contains(&format!("{}\n    {}\n", stage.name, stage.summary)), "{}", stage.name);
    }
    let representations = folder.sh("representations").succeeds().out;
    for kind in snapshot_core::representations::REPRESENTATIONS {
        assert!(representations.contains(kind.summary), "{}", kind.name);
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(folder.run(["completions", shell]).succeeds().out.contains("convert"), "{shell}");
    }
    assert!(folder.sh("--version").succeeds().out.starts_with("snapshot "));
}
