//! The options that say how much of a page is written, and what of it.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod support;

use std::fmt::Write;

use serde_json::Value;
use support::Folder;

/// A shop's page: a search field, forty teas, hours at the end.
fn shop() -> Folder {
    let mut page =
        String::from("<title>Teas</title><h1>Teas</h1><form><input aria-label=Search><button>Find</button></form><ul>");
    for number in 0..40 {
        let _ = write!(
            page,
            "<li class=tea data-sku={number}><h3><a href=/teas/{number}>Tea number {number}</a></h3>\
             <p>Picked by hand on hill {number}. Dried in the sun for a day. Never stored longer than a year.</p>\
             <button>Add</button></li>"
        );
    }
    page.push_str(
        "</ul><p>Opening hours: from nine to five, not on Sundays.</p><a href=/parking>Parking behind the mill</a>",
    );
    Folder::new().with("shop.html", page)
}

fn object(folder: &Folder, line: &str) -> Value {
    serde_json::from_str(&folder.sh(line).succeeds().out).expect("is JSON")
}

fn count(object: &Value) -> u64 {
    object["tokens"]["count"].as_u64().expect("is a number")
}

#[test]
fn a_budget_is_kept_in_every_representation_and_encoding() {
    let folder = shop();
    for representation in ["ax", "html", "markdown", "list"] {
        for encoding in ["o200k_base", "cl100k_base", "chars4"] {
            for budget in [64, 400] {
                let line =
                    format!("convert shop.html --json --to {representation} --budget {budget} --encoding {encoding}");
                let object = object(&folder, &line);
                assert!(count(&object) <= budget, "{line}: {}", object["text"]);
                assert_eq!(object["tokens"]["encoding"], encoding);
                assert!(!object["elided"].as_array().expect("a list").is_empty(), "{line}");
            }
        }
    }
    let whole = object(&folder, "convert shop.html --json");
    let roomy = object(&folder, "convert shop.html --json --budget 100000");
    assert_eq!((&whole["text"], &roomy["elided"]), (&roomy["text"], &whole["elided"]));
    folder.sh("convert shop.html --budget many").fails(2, &["--budget", "many"]);
    folder.sh("convert shop.html --budget 64 --encoding gpt2").fails(2, &["gpt2", "o200k_base"]);
}

#[test]
fn a_task_decides_what_is_left_out_last() {
    let folder = shop();
    let run = |task: &str| folder.run(["convert", "shop.html", "--budget", "160", "--task", task]).succeeds().out;
    assert!(run("Where can I park the car?").contains("Parking behind the mill"));
    assert!(run("Add tea number 37 to the basket").contains("Tea number 37"));
    assert!(!run("Where can I park the car?").contains("Tea number 37"));
}

#[test]
fn what_was_left_out_can_be_expanded() {
    let folder = shop();
    let small = object(&folder, "convert shop.html --json --budget 200");
    let elided = &small["elided"].as_array().expect("a list")[0]["refs"];
    let range = format!("{}-{}", elided[0].as_str().expect("an id"), elided[1].as_str().expect("an id"));
    let more = folder.run(["convert", "shop.html", "--expand", &range]).succeeds().out;
    assert!(more.contains(&format!("[ref={}]", elided[0].as_str().unwrap())) || more.contains("Tea number"), "{more}");
    let whole = object(&folder, "convert shop.html --json");
    let entries = whole["map"]["entries"].as_array().expect("a list");
    let find = entries.iter().find(|entry| entry["name"] == "Find").and_then(|entry| entry["ref"].as_str());
    let one = folder.run(["convert", "shop.html", "--expand", find.expect("is there")]).succeeds().out;
    assert!(one.contains("button \"Find\"") && !one.contains("Tea number"), "{one}");
    folder.sh("convert shop.html --expand many").fails(2, &["--expand", "many"]);
}

#[test]
fn quality_and_ratios_downsample() {
    let folder = shop();
    let tokens = |options: &str| count(&object(&folder, &format!("convert shop.html --json --to html {options}")));
    let (whole, half, least) = (tokens("--quality 1"), tokens("--quality 0.5"), tokens("--quality 0"));
    assert!(whole > half && half > least, "{whole}, {half}, {least}");
    assert_eq!(tokens("--ratios 0,0,0"), whole);
    let text = folder.sh("convert shop.html --to html --ratios 0,0,1").succeeds().out;
    assert!(text.contains("Tea number 39") && !text.contains("Dried in the sun"), "{text}");
    for wrong in ["--quality 2", "--quality -1", "--ratios 0.1,0.2", "--ratios 0,0,nan", "--quality 0.5 --ratios 0,0,0"]
    {
        folder.sh(&format!("convert shop.html {wrong}")).fails(2, &[]);
    }
}
