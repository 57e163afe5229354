//! Measures the library against its goals and beside its peers, and writes the ledgers.
//!
//! `cargo run --release -p snapshot-benches -- parse` prints one benchmark's ledger; with
//! `--write` it goes to `benches/ledgers`. Times are ratios of what ran side by side in one
//! process, medians over the rounds, since machines differ and are noisy.

mod accessibility;
mod contest;
mod d2snap;
mod ledger;
mod markdown;
mod memory;
mod pages;
mod parse;
mod pipeline;
mod sizes;
mod start;
mod threads;
mod tokens;

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use clap::builder::PossibleValuesParser;

use ledger::Ledger;

/// One benchmark.
struct Bench {
    name: &'static str,
    summary: &'static str,
    run: fn(&Settings) -> anyhow::Result<Ledger>,
}

const BENCHES: &[Bench] = &[
    Bench { name: "parse", summary: "bytes to a tree, beside other parsers", run: parse::run },
    Bench { name: "pipeline", summary: "bytes to snapshots, and where the time goes", run: pipeline::run },
    Bench { name: "accessibility", summary: "what visibility, roles and names cost", run: accessibility::run },
    Bench { name: "markdown", summary: "bytes to Markdown, beside other converters", run: markdown::run },
    Bench { name: "sizes", summary: "tokens of Markdown and list, beside other converters", run: sizes::run },
    Bench { name: "tokens", summary: "counting tokens, beside the reference", run: tokens::run },
    Bench { name: "d2snap", summary: "downsampling, against the times of D2Snap's reference", run: d2snap::run },
    Bench { name: "memory", summary: "bytes held for each byte of input", run: memory::run },
    Bench { name: "start", summary: "the first page, the first count, the start of the program", run: start::run },
    Bench { name: "threads", summary: "a folder on one thread and on two", run: threads::run },
];

/// Measures the library beside its peers.
#[derive(Debug, Parser)]
struct Settings {
    /// The benchmark.
    #[arg(value_name = "NAME", value_parser = bench_names())]
    name: String,

    /// The pages: a folder that is searched, several joined by commas.
    #[arg(long, value_name = "FOLDERS", value_delimiter = ',', default_value = "corpora")]
    pages: Vec<PathBuf>,

    /// Measure everything this many times; the median counts.
    #[arg(long, value_name = "N", default_value_t = 7)]
    rounds: usize,

    /// D2Snap's own times, a file of the form of its reference's measurements.
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,

    /// What `peers/sizes.mjs` has printed of the pages, for the sizes of turndown.
    #[arg(long, value_name = "FILE")]
    turndown: Option<PathBuf>,

    /// The release binary of the command line, to see how long it takes to start.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,

    /// Write the ledger to `benches/ledgers` instead of printing it.
    #[arg(long)]
    write: bool,
}

fn main() -> anyhow::Result<()> {
    let settings = Settings::parse();
    let bench = BENCHES.iter().find(|bench| bench.name == settings.name).context("the table has every name")?;
    let text = (bench.run)(&settings)?.text();
    if settings.write {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ledgers").join(bench.name).with_extension("toml");
        return std::fs::write(&path, text).with_context(|| path.display().to_string());
    }
    print(&text);
    Ok(())
}

fn bench_names() -> PossibleValuesParser {
    let values = BENCHES.iter().map(|bench| clap::builder::PossibleValue::new(bench.name).help(bench.summary));
    values.collect::<Vec<_>>().into()
}

#[allow(clippy::print_stdout, reason = "the result of the program")]
fn print(text: &str) {
    print!("{text}");
}
