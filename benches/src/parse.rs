//! Bytes to a tree, beside other parsers.

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;
use snapshot_core::parse::{ParseOptions, parse_html};

use crate::Settings;
use crate::contest::{self, Contestant};
use crate::ledger::Ledger;
use crate::pages::{self, RawPage};

/// What the reference DOM of html5ever takes.
pub(crate) fn reference(html: &str) -> RcDom {
    html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(html)
}

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let pages = pages::read(&settings.pages)?;
    let options = ParseOptions::default();
    let mut contestants = [
        Contestant::new("html5ever + rcdom", |page: &RawPage| reference(&page.html)),
        Contestant::new("snapshot-core", |page: &RawPage| parse_html(&page.html, &options)),
        Contestant::new("scraper", |page: &RawPage| scraper::Html::parse_document(&page.html)),
        Contestant::new("dom_query", |page: &RawPage| dom_query::Document::from(page.html.as_str())),
        Contestant::new("kuchikiki", |page: &RawPage| {
            use kuchikiki::traits::TendrilSink;
            kuchikiki::parse_html().one(page.html.as_str())
        }),
    ];
    let times = contest::run(&pages, settings.rounds, &mut contestants);
    let bytes = pages::bytes(&pages);
    let mut ledger = Ledger::new(&format!(
        "Bytes to a tree and the tree dropped again: {} pages of {}, {} kB, one thread.\n\
         Ratios to html5ever with its reference DOM, medians of {} rounds, page by page in turns.",
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
