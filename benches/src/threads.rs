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
    let pipeline = Pipeline::new(&Recipe::preset("navigate")?, "ax")?;
    let options = PageOptions::default();
    let pools = [1, 2]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); pools.len()];
    for round in 0..=settings.rounds {
        for (pool, times) in pools.iter().zip(&mut times) {
            let begun = Instant::now();
            pool.install(|| {
                pipeline.run_batch(
                    &pages,
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
    let (one, two) = (medians.next().unwrap_or_default(), medians.next().unwrap_or_default());
    let mut ledger = Ledger::new(&format!(
        "{} pages of {} to accessibility trees with source maps, medians of {} rounds in turns.",
        pages.len(),
        pages::origin(&settings.pages),
        settings.rounds
    ));
    ledger.table("threads");
    ledger.number("one_to_two", ratio(one, two));
    Ok(ledger)
}
