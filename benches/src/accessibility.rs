//! What visibility, roles and names cost, and what style sheets do.

use std::time::Duration;

use snapshot_core::parse::{ParseOptions, parse_html};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

use crate::Settings;
use crate::contest::{self, Contestant, ratio};
use crate::ledger::Ledger;
use crate::pages::{self, RawPage};

/// From how many bytes of style on a page counts as heavy with it.
const HEAVY: usize = 500_000;

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let pages = pages::read(&settings.pages)?;
    let (heavy, others): (Vec<RawPage>, Vec<RawPage>) =
        pages.into_iter().partition(|page| style_bytes(&page.html) > HEAVY);
    let plain: Vec<RawPage> = others.into_iter().filter(|page| style_bytes(&page.html) == 0).collect();
    let mut ledger = Ledger::new(&format!(
        "What visibility, roles and names add to parsing and writing the accessibility tree, and how long pages\n\
         with over {HEAVY} bytes of style take. Pages of {}, one thread, medians of {} rounds in turns.",
        pages::origin(&settings.pages),
        settings.rounds
    ));
    ledger.table("without_style_sheets");
    let [parse, read, write] = phases(&plain, settings.rounds)?;
    ledger.count("pages", plain.len());
    ledger.number("parse", 1.0);
    ledger.number("semantics", ratio(read.saturating_sub(parse), parse));
    ledger.number("ax", ratio(write, parse));
    ledger.number("semantics_added_to_parse_and_ax", ratio(read.saturating_sub(parse), parse + write));
    ledger.table("heavy_style");
    for page in &heavy {
        let [parse, read, write] = phases(std::slice::from_ref(page), settings.rounds)?;
        ledger.row(
            &page.name,
            &[
                ("style_kb", (style_bytes(&page.html) / 1000).to_string()),
                ("to_ax_ms", format!("{:.1}", (read + write).as_secs_f64() * 1e3)),
                ("ratio_to_parse", format!("{:.2}", ratio(read + write, parse))),
            ],
        );
    }
    Ok(ledger)
}

/// Median times: to parse, to parse and compute the semantics, and to write a page that is read.
fn phases(pages: &[RawPage], rounds: usize) -> anyhow::Result<[Duration; 3]> {
    let parse_options = ParseOptions::default();
    let page_options = PageOptions::default();
    let pipeline = Pipeline::new(&Recipe::from_list("none")?, "ax")?.text_only();
    let pairs = pages
        .iter()
        .map(|page| Ok((page, Page::read(page.html.as_bytes(), &page_options)?)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut contestants = [
        Contestant::new("parse", |(raw, _): &(&RawPage, Page)| parse_html(&raw.html, &parse_options)),
        Contestant::new("read", |(raw, _): &(&RawPage, Page)| {
            Page::from_parsed(parse_html(&raw.html, &parse_options)?, None)
        }),
        Contestant::new("write", |(_, page): &(&RawPage, Page)| pipeline.run(page)),
    ];
    let times = contest::run(&pairs, rounds, &mut contestants);
    Ok([0, 1, 2].map(|phase| times.get(phase).copied().unwrap_or_default()))
}

/// Bytes between `<style` and `</style`.
fn style_bytes(html: &str) -> usize {
    let mut bytes = 0;
    let mut rest = html;
    while let Some(start) = rest.find("<style") {
        rest = &rest[start..];
        let end = rest.find("</style").unwrap_or(rest.len());
        bytes += end;
        rest = &rest[end..];
    }
    bytes
}
