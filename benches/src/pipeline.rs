//! Bytes to snapshots, and where the time goes.

use snapshot_core::parse::{ParseOptions, parse_html};
use snapshot_core::representations::REPRESENTATIONS;
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, tokens};

use crate::Settings;
use crate::contest::{self, Contestant};
use crate::ledger::Ledger;
use crate::pages::{self, RawPage};
use crate::parse::reference;

/// The budget that is measured.
const BUDGET: usize = 8192;

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let pages = pages::read(&settings.pages)?;
    let pages: Vec<&RawPage> =
        pages.iter().filter(|page| Page::read(page.html.as_bytes(), &PageOptions::default()).is_ok()).collect();
    let options = PageOptions::default();
    let encoding = tokens::find("o200k_base")?;
    encoding.counter.count("load the vocabulary");
    let make = |representation: &str, preset: &str| -> anyhow::Result<Pipeline> {
        Ok(Pipeline::new(&Recipe::preset(preset)?, representation)?.text_only())
    };
    let every = REPRESENTATIONS.iter().map(|kind| make(kind.name, kind.preset)).collect::<anyhow::Result<Vec<_>>>()?;
    let ax = make("ax", "navigate")?;
    let markdown = make("markdown", "read")?;
    let budget = make("ax", "navigate")?.with_budget(BUDGET, encoding);
    let parse_options = ParseOptions::default();
    let read = |page: &RawPage| Page::read(page.html.as_bytes(), &options).ok();
    let mut contestants = vec![
        Contestant::new("html5ever + rcdom", |page: &&RawPage| reference(&page.html)),
        Contestant::new("parse", |page: &&RawPage| parse_html(&page.html, &parse_options)),
        Contestant::new("parse and semantics", |page: &&RawPage| read(page)),
        Contestant::new("navigate to ax", |page: &&RawPage| read(page).map(|page| ax.run(&page))),
        Contestant::new("read to markdown", |page: &&RawPage| read(page).map(|page| markdown.run(&page))),
        Contestant::new("all four", |page: &&RawPage| read(page).map(|page| Pipeline::run_each(&every, &page))),
        Contestant::new("all four, one by one", |page: &&RawPage| {
            read(page).map(|page| every.iter().map(|pipeline| pipeline.run(&page)).collect::<Vec<_>>())
        }),
        Contestant::new(format!("navigate to ax, {BUDGET} tokens"), |page: &&RawPage| {
            read(page).map(|page| budget.run(&page))
        }),
    ];
    let times = contest::run(&pages, settings.rounds, &mut contestants);
    let bytes: usize = pages.iter().map(|page| page.html.len()).sum();
    let mut ledger = Ledger::new(&format!(
        "Bytes to text: {} pages of {}, {} kB, one thread. Ratios to html5ever with its reference DOM\n\
         parsing the same pages, medians of {} rounds, page by page in turns. All four representations are\n\
         written by one call, which shares the stages between them, and by four.",
        pages.len(),
        pages::origin(&settings.pages),
        bytes / 1000,
        settings.rounds
    ));
    ledger.table("ratio");
    for (name, ratio) in contest::ratios_to_first(&contestants, &times) {
        ledger.number(name, ratio);
    }
    Ok(ledger)
}
