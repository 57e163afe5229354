//! Bytes to Markdown, beside other converters.

use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

use crate::Settings;
use crate::contest::{self, Contestant, ratio};
use crate::ledger::Ledger;
use crate::pages::{self, RawPage};

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let pages = pages::read(&settings.pages)?;
    let options = PageOptions::default();
    let pipeline = Pipeline::new(&Recipe::preset("read")?, "markdown")?.text_only();
    let mut contestants = [
        Contestant::new("snapshot-core, preset read", |page: &RawPage| {
            Page::read(page.html.as_bytes(), &options).ok().map(|page| pipeline.run(&page))
        }),
        Contestant::new("htmd", |page: &RawPage| htmd::convert(&page.html)),
        Contestant::new("html-to-markdown-rs", |page: &RawPage| html_to_markdown_rs::convert(&page.html, None)),
    ];
    let times = contest::run(&pages, settings.rounds, &mut contestants);
    let mut ledger = Ledger::new(&format!(
        "Bytes to Markdown, end to end: {} pages of {}, one thread. Our time as a share of each peer's,\n\
         medians of {} rounds, page by page in turns.",
        pages.len(),
        pages::origin(&settings.pages),
        settings.rounds
    ));
    ledger.table("our_time_to");
    let ours = times.first().copied().unwrap_or_default();
    for (contestant, time) in contestants.iter().zip(&times).skip(1) {
        ledger.number(&contestant.name, ratio(ours, *time));
    }
    Ok(ledger)
}
