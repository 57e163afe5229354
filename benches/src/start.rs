//! How long a program waits before its first page: starting the command line, the first page of a
//! library, the first count of a vocabulary.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use snapshot_core::tokens::ENCODINGS;
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

use crate::Settings;
use crate::contest::median;
use crate::ledger::Ledger;

const SMALL: &str = "<title>Order</title><h1>Order</h1><p>Two teas.</p><form><button>Pay</button></form>";

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    // Before anything else of the library runs.
    let begun = Instant::now();
    let page = Page::read(SMALL.as_bytes(), &PageOptions::default())?;
    std::hint::black_box(Pipeline::new(&Recipe::preset("navigate")?, "ax")?.run(&page)?);
    let first_page = begun.elapsed();
    let mut ledger = Ledger::new(&format!(
        "Milliseconds before the first result: in the library, and of the whole process of the\n\
         command line (median of {} runs) for a page of {} bytes.",
        settings.rounds,
        SMALL.len()
    ));
    ledger.table("library");
    ledger.milliseconds("first page", first_page);
    for encoding in ENCODINGS {
        let begun = Instant::now();
        std::hint::black_box(encoding.counter.count("Add to basket"));
        ledger.milliseconds(&format!("first count of {}", encoding.name), begun.elapsed());
    }
    let Some(program) = &settings.program else {
        bail!("give the command line's release binary with --program target/release/snapshot");
    };
    ledger.table("process");
    for (name, arguments) in [("no tokens counted", &[][..]), ("--budget 20", &["--budget", "20"])] {
        let times = (0..settings.rounds).map(|_| process(program, arguments)).collect::<anyhow::Result<Vec<_>>>()?;
        ledger.milliseconds(name, median(times));
    }
    Ok(ledger)
}

/// The time from start to end of one conversion.
fn process(program: &Path, arguments: &[&str]) -> anyhow::Result<Duration> {
    use std::io::Write as _;
    let begun = Instant::now();
    let mut child = Command::new(program)
        .arg("convert")
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .with_context(|| program.display().to_string())?;
    child.stdin.take().context("the program takes a page")?.write_all(SMALL.as_bytes())?;
    if !child.wait()?.success() {
        bail!("{} failed", program.display());
    }
    Ok(begun.elapsed())
}
