//! How many tokens a page costs: our Markdown and list beside what other converters make of the
//! same page, counted in o200k_base.
//!
//! The peers are html-to-markdown-rs (run here), turndown (`peers/sizes.mjs` prints its rows) and
//! Playwright's accessibility snapshot (a file beside the page, `NAME.aria.yaml`). Ours are written
//! with the preset that suits them: `read` for Markdown, `navigate` for the list. A peer that keeps
//! what the page hides, or leaves out its controls, is not the better for its size: the ledger says
//! what is paid, not what is got for it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use snapshot_core::tokens::{self, Encoding};
use snapshot_core::{Error, Page, PageOptions, Pipeline, Recipe};

use crate::Settings;
use crate::ledger::Ledger;

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let turndown = match &settings.turndown {
        Some(path) => std::fs::read_to_string(path).with_context(|| path.display().to_string())?,
        None => String::new(),
    };
    let mut pages = Vec::new();
    for folder in &settings.pages {
        pages.extend(pages_below(folder, &turndown).with_context(|| folder.display().to_string())?);
    }
    Ok(Ledger::whole(ledger(&pages)?))
}

/// A page to measure, and what is known of it already.
#[derive(Clone, Debug, Default)]
struct SizedPage {
    /// Its file's name without the ending.
    name: String,
    /// Its bytes, in UTF-8.
    html: Vec<u8>,
    /// Playwright's accessibility snapshot of it, if there is one.
    aria: Option<String>,
    /// The tokens of turndown's Markdown, if they were measured.
    turndown: Option<usize>,
}

/// Tokens of one page in each form; none where a form is missing.
#[derive(Clone, Copy, Debug, Default)]
struct Row([Option<usize>; FORMS.len()]);

/// The forms, ours first.
const FORMS: [&str; 5] = ["markdown", "list", "html_to_markdown", "turndown", "aria"];

/// Which of our forms is compared with which peer.
const PAIRS: [(usize, usize); 4] = [(0, 2), (0, 3), (0, 4), (1, 4)];

/// All pages below a folder, by name; the rows of turndown are lines of JSON.
///
/// # Errors
/// When a file cannot be read.
fn pages_below(folder: &Path, turndown: &str) -> std::io::Result<Vec<SizedPage>> {
    let known: BTreeMap<String, usize> = turndown.lines().filter_map(turndown_row).collect();
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                files.push(path);
            }
        }
    }
    files.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()).then(a.cmp(b)));
    files.iter().map(|file| page(file, &known)).collect()
}

fn page(file: &PathBuf, turndown: &BTreeMap<String, usize>) -> std::io::Result<SizedPage> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(SizedPage {
        html: std::fs::read(file)?,
        aria: std::fs::read_to_string(file.with_extension("aria.yaml")).ok(),
        turndown: turndown.get(&name).copied(),
        name,
    })
}

fn turndown_row(line: &str) -> Option<(String, usize)> {
    let row: serde_json::Value = serde_json::from_str(line).ok()?;
    Some((row.get("page")?.as_str()?.to_owned(), usize::try_from(row.get("tokens")?.as_u64()?).ok()?))
}

/// The ledger as TOML: a row for each page, the totals, and our totals as shares of the peers' (in
/// thousandths, over the pages that both have).
///
/// # Errors
/// Those of reading and converting pages.
fn ledger(pages: &[SizedPage]) -> Result<String, Error> {
    let encoding = tokens::find("o200k_base")?;
    let markdown = Pipeline::new(&Recipe::preset("read")?, "markdown")?.text_only();
    let list = Pipeline::new(&Recipe::preset("navigate")?, "list")?.text_only();
    let mut text = String::from(
        "# Tokens (o200k_base) of pages as our Markdown (preset read) and list (preset navigate), and as other\n\
         # converters write them. 0: not measured.\n",
    );
    let mut rows = Vec::new();
    let _ = writeln!(text, "forms = {FORMS:?}\n\n[pages]");
    for page in pages {
        let row = measure(page, encoding, [&markdown, &list])?;
        let numbers = row.0.map(|tokens| tokens.unwrap_or(0).to_string()).join(", ");
        let _ = writeln!(text, "{:?} = [{numbers}]", page.name);
        rows.push(row);
    }
    let _ = writeln!(text, "\n[total]");
    for (form, name) in FORMS.iter().enumerate() {
        let total: usize = rows.iter().filter_map(|row| row.0[form]).sum();
        let _ = writeln!(text, "{name} = {total}");
    }
    let _ = writeln!(
        text,
        "\n# Ours in thousandths of theirs: of all pages together, of the middle page, and how many\n# pages are smaller than theirs.\n[share]"
    );
    for (ours, theirs) in PAIRS {
        let both: Vec<(usize, usize)> = rows.iter().filter_map(|row| row.0[ours].zip(row.0[theirs])).collect();
        let mut shares: Vec<usize> = both.iter().filter_map(|&(own, peer)| (own * 1000).checked_div(peer)).collect();
        shares.sort_unstable();
        let total = |which: fn(&(usize, usize)) -> usize| both.iter().map(which).sum::<usize>();
        let all = (total(|pair| pair.0) * 1000).checked_div(total(|pair| pair.1)).unwrap_or(0);
        let middle = shares.get(shares.len() / 2).copied().unwrap_or(0);
        let smaller = both.iter().filter(|(own, peer)| own <= peer).count();
        let _ = writeln!(
            text,
            "{}_of_{} = {{ all = {all}, median = {middle}, smaller = {smaller}, pages = {} }}",
            FORMS[ours],
            FORMS[theirs],
            both.len()
        );
    }
    Ok(text)
}

fn measure(page: &SizedPage, encoding: &Encoding, pipelines: [&Pipeline; 2]) -> Result<Row, Error> {
    let read = Page::read(&page.html, &PageOptions::default())?;
    let count = |text: &str| encoding.counter.count(text);
    let [markdown, list] = pipelines;
    let html = String::from_utf8_lossy(&page.html);
    let peer = html_to_markdown_rs::convert(&html, None).ok().and_then(|result| result.content);
    Ok(Row([
        Some(count(&markdown.run(&read)?.text)),
        Some(count(&list.run(&read)?.text)),
        peer.map(|text| count(&text)),
        page.turndown,
        page.aria.as_deref().map(count),
    ]))
}
