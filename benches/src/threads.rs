//! A folder on one thread and on two.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

use crate::Settings;
use crate::contest::{median, ratio};
use crate::ledger::Ledger;
use crate::pages::{self, RawPage};

pub(crate) fn run(settings: &Settings) -> anyhow::Result<Ledger> {
    let pages = pages::read(&settings.pages)?;
    let pipeline = || Pipeline::new(&Recipe::preset("navigate")?, "ax");
    let pools = [1, 2]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let mut ledger = Ledger::new(&format!(
        "{} pages of {} to accessibility trees, one thread's time as a multiple of two threads', medians of {} rounds in turns.",
        pages.len(),
        pages::origin(&settings.pages),
        settings.rounds
    ));
    ledger.table("one_to_two");
    ledger.number("text", speed_up(&pages, &pipeline()?.text_only(), &pools, settings.rounds));
    ledger.number("text and source map", speed_up(&pages, &pipeline()?, &pools, settings.rounds));
    Ok(ledger)
}

/// The time that the first pool takes as a multiple of that of the second.
fn speed_up(pages: &[RawPage], pipeline: &Pipeline, pools: &[rayon::ThreadPool], rounds: usize) -> f64 {
    let options = PageOptions::default();
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); pools.len()];
    for round in 0..=rounds {
        for (pool, times) in pools.iter().zip(&mut times) {
            let begun = Instant::now();
            pool.install(|| {
                pipeline.run_batch(
                    pages,
                    |pipeline, page: &RawPage| {
                        Page::read(page.html.as_bytes(), &options).and_then(|page| pipeline.run(&page)).ok()
                    },
                    |_, snapshot| {
                        std::hint::black_box(snapshot);
                        ControlFlow::Continue(())
                    },
                );
            });
            if round > 0 {
                times.push(begun.elapsed());
            }
        }
    }
    let mut medians = times.into_iter().map(median);
    ratio(medians.next().unwrap_or_default(), medians.next().unwrap_or_default())
}
