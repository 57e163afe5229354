//! `snapshot bench`.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

mod support;

use serde_json::Value;
use support::{Folder, PAGE};

const TASKS: &str = r#"
page = "page.html"
url = "https://ferry.example/times"
kind = "timetable"
language = "en"

[[task]]
id = "book"
goal = "Book a seat."
targets = ["a[href='/book']"]
evidence = ["Boats leave at noon"]

[[task]]
id = "staff"
goal = "Read what is for staff."
targets = []
evidence = ["Staff only"]
"#;

fn rows(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("each line is a JSON object")).collect()
}

#[test]
fn each_page_representation_and_budget_has_a_row() {
    let folder = Folder::new().with("set/a/page.html", PAGE).with("set/a/tasks.toml", TASKS).with("set/b.html", PAGE);
    let done = folder.sh("bench set --to ax,list --budgets 64,4096 --rounds 1 --json").succeeds();
    let rows = rows(&done.out);
    assert_eq!(rows.len(), 2 * 2 * 3, "{}", done.out);
    for row in &rows {
        let tokens = row["tokens"].as_u64().expect("a count");
        if let Some(budget) = row["budget"].as_u64() {
            assert!(tokens <= budget, "{row}");
        }
        assert!(tokens > 0 && row["convert_ms"].as_f64().is_some_and(|time| time > 0.0), "{row}");
        let with_tasks = row["page"].as_str().is_some_and(|page| page.ends_with("page.html"));
        assert_eq!(row["tasks"].as_u64(), Some(if with_tasks { 2 } else { 0 }), "{row}");
        if with_tasks && row["budget"].as_u64() != Some(64) {
            // What is hidden cannot be read, whatever the budget.
            let covered = (row["covered_with_task"].as_u64(), row["covered_without_task"].as_u64());
            assert_eq!(covered, (Some(1), Some(1)), "{row}");
        }
    }
}

#[test]
fn the_table_and_the_report_have_the_same_figures() {
    let folder = Folder::new().with("set/page.html", PAGE).with("set/tasks.toml", TASKS);
    let done = folder.sh("bench set --to ax --budgets 1024 --rounds 1 --report report.html").succeeds();
    assert!(done.out.contains("0.500 (0.500)"), "{}", done.out);
    let report = folder.read("report.html");
    for words in ["<svg", "1 pages, 2 tasks", "<td>0.500 (0.500)", "page.html"] {
        assert!(report.contains(words), "{words} is not in the report");
    }
}

#[test]
fn what_cannot_be_measured_is_named_and_the_rest_is_done() {
    let folder =
        Folder::new().with("set/a/page.html", PAGE).with("set/a/tasks.toml", "page = 3").with("set/b.html", PAGE);
    let done = folder.sh("bench set --to ax --budgets 64 --rounds 1 --json").fails(1, &["a/page.html", "tasks.toml"]);
    assert!(done.err.lines().count() < 12, "{}", done.err);
    folder.sh("bench nowhere").fails(2, &["nowhere is not there", "tasks.toml"]);
    folder.sh("bench set --budgets many").fails(2, &["--budgets"]);
}
