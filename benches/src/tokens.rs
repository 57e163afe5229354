//! Counting tokens: beside the reference counter, beside the parse, and on hostile runs.

use std::time::{Duration, Instant};

use snapshot_core::parse::{ParseOptions, parse_html};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, tokens};

use crate::Settings;
use crate::contest::{self, Contestant, median, ratio};
use crate::ledger::Ledger;
use crate::pages::{self, RawPage};

/// Runs that counters have stumbled over, and how many characters of each are counted.
const HOSTILE: &[(&str, &str)] =
    &[("spaces", " "), ("tabs", "\t"), ("U+3000", "\u{3000}"), ("one letter", "a"), ("emoji", "😀")];
const HOSTILE_CHARACTERS: usize = 2_000_000;

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let encoding = tokens::find("o200k_base")?;
    let begun = Instant::now();
    encoding.counter.count("load the vocabulary");
    let load = begun.elapsed();
    let reference = tiktoken_rs::o200k_base_singleton();
    let pages = pages::read(&settings.pages)?;
    let pipeline = Pipeline::new(&Recipe::preset("navigate")?, "ax")?.text_only();
    let options = PageOptions::default();
    let pairs: Vec<(&RawPage, String)> = pages
        .iter()
        .filter_map(|page| {
            let read = Page::read(page.html.as_bytes(), &options).ok()?;
            Some((page, pipeline.run(&read).ok()?.text))
        })
        .collect();
    let parse_options = ParseOptions::default();
    let mut contestants = [
        Contestant::new("parse the page", |(page, _): &(&RawPage, String)| parse_html(&page.html, &parse_options)),
        Contestant::new("count its ax", |(_, text): &(&RawPage, String)| encoding.counter.count(text)),
        Contestant::new("tiktoken-rs", |(_, text): &(&RawPage, String)| reference.encode_ordinary(text).len()),
    ];
    let times = contest::run(&pairs, settings.rounds, &mut contestants);
    let [parse, count, peer] = [0, 1, 2].map(|place| times.get(place).copied().unwrap_or_default());
    let mut ledger = Ledger::new(&format!(
        "Counting tokens of o200k_base in the accessibility trees of {} pages of {}, one thread,\n\
         medians of {} rounds in turns.",
        pairs.len(),
        pages::origin(&settings.pages),
        settings.rounds
    ));
    ledger.table("pages");
    ledger.number("count_to_parse", ratio(count, parse));
    ledger.number("count_to_tiktoken_rs", ratio(count, peer));
    ledger.milliseconds("first_use_ms", load);
    ledger.table("hostile_runs");
    for (name, unit) in HOSTILE {
        let [half, whole] = [HOSTILE_CHARACTERS / 2, HOSTILE_CHARACTERS].map(|characters| {
            let text = unit.repeat(characters);
            let time = || -> Duration {
                let begun = Instant::now();
                std::hint::black_box(encoding.counter.count(&text));
                begun.elapsed()
            };
            median((0..3).map(|_| time()).collect())
        });
        ledger.row(
            name,
            &[
                ("characters", HOSTILE_CHARACTERS.to_string()),
                ("ms", format!("{:.1}", whole.as_secs_f64() * 1e3)),
                ("ratio_to_half_as_many", format!("{:.2}", ratio(whole, half))),
            ],
        );
    }
    Ok(ledger)
}
