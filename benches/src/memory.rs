//! Memory: what a page's tree holds, and the most that a conversion takes.

use anyhow::Context;
use snapshot_core::parse::{ParseOptions, parse_html};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

use crate::Settings;
use crate::ledger::Ledger;
use crate::pages::{self, RawPage};

/// The size of the page that is measured as a whole, put together from real ones.
const LARGE: usize = 10_000_000;

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let pages = pages::read(&settings.pages)?;
    let large = large(&pages);
    // The first measure of all, since the mark that the system keeps never sinks.
    let before = status("VmRSS")?;
    let page = Page::read(large.as_bytes(), &PageOptions::default())?;
    let read = status("VmHWM")?.saturating_sub(before);
    let pipeline = Pipeline::new(&Recipe::preset("navigate")?, "ax")?;
    let snapshot = pipeline.run(&page)?;
    let converted = status("VmHWM")?.saturating_sub(before);
    drop((page, snapshot));
    let mut shares: Vec<f64> = Vec::new();
    let (mut held, mut bytes) = (0, 0);
    for page in &pages {
        let Ok(parsed) = parse_html(&page.html, &ParseOptions::default()) else { continue };
        let document = parsed.document.retained_bytes();
        shares.push(share(document, page.html.len()));
        held += document;
        bytes += page.html.len();
    }
    shares.sort_by(f64::total_cmp);
    let mut ledger = Ledger::new(&format!(
        "Bytes of memory for each byte of input: the trees of {} pages of {}, and the most that the\n\
         process grew by for a page of {} kB put together from them (Linux, VmHWM).",
        shares.len(),
        pages::origin(&settings.pages),
        large.len() / 1000
    ));
    ledger.table("tree");
    ledger.number("all", share(held, bytes));
    ledger.number("median", shares.get(shares.len() / 2).copied().unwrap_or_default());
    ledger.number("most", shares.last().copied().unwrap_or_default());
    ledger.table("large_page");
    ledger.number("read", share(read, large.len()));
    ledger.number("read and converted with a source map", share(converted, large.len()));
    Ok(ledger)
}

fn share(held: usize, bytes: usize) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a ratio with three digits")]
    let share = held as f64 / bytes.max(1) as f64;
    share
}

/// Pages one after the other, each as a section of the body: parsers pass over further `html` and
/// `body` tags.
fn large(pages: &[RawPage]) -> String {
    let mut large = String::new();
    for page in pages.iter().cycle() {
        if large.len() >= LARGE {
            break;
        }
        large.push_str("<section>");
        large.push_str(&page.html);
        large.push_str("</section>");
    }
    large
}

/// A figure of this process, in bytes.
fn status(name: &str) -> anyhow::Result<usize> {
    let status = std::fs::read_to_string("/proc/self/status").context("only Linux tells a process what it takes")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    Ok(kilobytes.with_context(|| format!("{name} is not among them"))? << 10)
}
