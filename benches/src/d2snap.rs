//! Downsampling by D2Snap's settings, against the times of its reference, and what of the
//! controls is still there when a model's HTML is parsed again.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use serde::Deserialize;
use snapshot_core::document::NodeId;
use snapshot_core::parse::{ParseOptions, parse_html};
use snapshot_core::representations::{ReferencePolicy, WriteOptions};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, tokens};

use crate::Settings;
use crate::contest::{self, Contestant};
use crate::ledger::Ledger;
use crate::pages::{self, RawPage};

/// The settings that the reference was timed with: its name for them, and ours. Its `lin` merges
/// all containers, keeps all attributes above its top rating and all text.
const RATIOS: &[(&str, &str)] = &[
    ("d2Snap 0.3", "prune-noise,downsample{elements=0.3,attributes=0.3,text=0.3}"),
    ("d2Snap 0.6", "prune-noise,downsample{elements=0.6,attributes=0.6,text=0.6}"),
    ("d2Snap 0.9", "prune-noise,downsample{elements=0.9,attributes=0.9,text=0.9}"),
    ("d2Snap 1.0", "prune-noise,downsample{elements=1.0,attributes=1.0,text=1.0}"),
    ("d2Snap lin(Inf,1,0)", "prune-noise,downsample{elements=1.0,attributes=1.0,text=0.0}"),
];

/// The token budgets that the reference tries to reach by itself.
const BUDGETS: &[(&str, usize)] = &[("adaptive 32768", 32_768), ("adaptive 8192", 8192)];

/// The reference's measurements: of each page and setting the median time with parsing, and its
/// own estimate of tokens, none where it gave up.
#[derive(Debug, Deserialize)]
struct Reference {
    pages: Vec<ReferencePage>,
}

#[derive(Debug, Deserialize)]
struct ReferencePage {
    file: String,
    runs: BTreeMap<String, ReferenceRun>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReferenceRun {
    incl_parse_ms: Option<f64>,
    token_estimate: Option<u64>,
}

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let reference = match &settings.reference {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            serde_json::from_str::<Reference>(&text).with_context(|| path.display().to_string())?
        }
        None => Reference { pages: Vec::new() },
    };
    let pages = pages::read(&settings.pages)?;
    let encoding = tokens::find("o200k_base")?;
    encoding.counter.count("load the vocabulary");
    let html = |recipe: &Recipe| -> anyhow::Result<Pipeline> {
        let mut options = WriteOptions::default();
        options.references = Some(ReferencePolicy::Targets);
        Ok(Pipeline::new(recipe, "html")?.with_options(options).text_only())
    };
    let mut runs = Vec::new();
    for &(name, stage) in RATIOS {
        runs.push((name, None, html(&Recipe::from_list(stage)?)?));
    }
    for &(name, budget) in BUDGETS {
        runs.push((name, Some(budget), html(&Recipe::from_list("prune-noise")?)?.with_budget(budget, encoding)));
    }
    let whole = html(&Recipe::from_list("prune-noise")?)?;
    let options = PageOptions::default();
    let mut ledger = Ledger::new(&format!(
        "Bytes to downsampled HTML on pages of {}, one thread, medians of {} rounds in turns.\n\
         `times_faster`: the time of D2Snap's reference (jsdom, parsing included, as given with --reference) over ours.\n\
         `controls`: elements with an id in the output after it is parsed again, of those in the whole page.\n\
         `reference_fits`: the reference's own budget search ends within the budget; ours always does.",
        pages::origin(&settings.pages),
        settings.rounds
    ));
    let mut slowest: Option<f64> = None;
    for page in &pages {
        let mut contestants: Vec<Contestant<'_, &RawPage>> = Vec::new();
        for (name, _, pipeline) in &runs {
            contestants.push(Contestant::new(*name, |page: &&RawPage| {
                Page::read(page.html.as_bytes(), &options).ok().map(|page| pipeline.run(&page))
            }));
        }
        let times = contest::run(&[page], settings.rounds, &mut contestants);
        let read = Page::read(page.html.as_bytes(), &options)?;
        let all = ids(&whole.run(&read)?.text)?;
        let theirs = reference.pages.iter().find(|theirs| theirs.file.rsplit('/').next() == Some(page.name.as_str()));
        ledger.table(&page.name);
        for ((name, budget, pipeline), time) in runs.iter().zip(times) {
            let text = pipeline.run(&read)?.text;
            let kept = ids(&text)?.intersection(&all).count();
            let mut cells = vec![
                ("ms", format!("{:.1}", time.as_secs_f64() * 1e3)),
                ("tokens", encoding.counter.count(&text).to_string()),
                ("controls", format!("\"{kept} of {}\"", all.len())),
            ];
            let their_run = theirs.and_then(|theirs| theirs.runs.get(*name));
            if let Some(milliseconds) = their_run.and_then(|run| run.incl_parse_ms) {
                let faster = milliseconds / (time.as_secs_f64() * 1e3);
                slowest = Some(slowest.map_or(faster, |slowest| slowest.min(faster)));
                cells.push(("times_faster", format!("{faster:.0}")));
            }
            if let (Some(_), Some(run)) = (budget, their_run) {
                cells.push(("reference_fits", run.token_estimate.is_some().to_string()));
            }
            ledger.row(name, &cells);
        }
    }
    if let Some(slowest) = slowest {
        ledger.table("all");
        ledger.number("times_faster_at_least", slowest);
    }
    Ok(ledger)
}

/// The ids in HTML, as a parser finds them.
fn ids(html: &str) -> anyhow::Result<BTreeSet<String>> {
    let parsed = parse_html(html, &ParseOptions::default())?;
    let document = &parsed.document;
    let Some(id) = document.find_name("data-uid") else { return Ok(BTreeSet::new()) };
    let elements = document.composed_descendants(NodeId::DOCUMENT);
    Ok(elements.filter_map(|node| document.attribute(node, id)).map(ToOwned::to_owned).collect())
}
