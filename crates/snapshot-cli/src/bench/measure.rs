//! Measures one page: size, time, targets kept and coverage, for each representation and budget.

use std::time::{Duration, Instant};

use serde::Serialize;
use snapshot_core::coverage::{Coverage, TaskFile};
use snapshot_core::representations::{ReferencePolicy, RepresentationKind, WriteOptions};
use snapshot_core::tokens::Encoding;
use snapshot_core::{Pipeline, Recipe, Snapshot};

use super::corpus::BenchPage;
use crate::settings::Reader;

/// What to measure on each page.
pub(crate) struct Plan {
    pub(crate) encoding: &'static Encoding,
    pub(crate) representations: Vec<&'static RepresentationKind>,
    /// In tokens; a snapshot without a budget is measured besides.
    pub(crate) budgets: Vec<usize>,
    /// How often each time is taken; the median counts.
    pub(crate) rounds: usize,
}

/// One page in one representation under one budget.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) page: String,
    pub(crate) representation: &'static str,
    /// None: no budget.
    pub(crate) budget: Option<usize>,
    /// Tokens of the page's own source text.
    pub(crate) raw_tokens: usize,
    pub(crate) tokens: usize,
    /// Median milliseconds to read the page.
    pub(crate) parse_ms: f64,
    /// Median milliseconds from the page that was read to the snapshot.
    pub(crate) convert_ms: f64,
    /// Targets that the snapshot shows.
    pub(crate) targets: usize,
    /// Targets that the page has.
    pub(crate) targets_of_page: usize,
    /// Tasks of the page; none where it has no `tasks.toml`.
    pub(crate) tasks: usize,
    /// Tasks that can be done with a snapshot made for the task.
    pub(crate) covered_with_task: usize,
    /// Tasks that can be done with a snapshot made for nothing in particular.
    pub(crate) covered_without_task: usize,
}

impl Plan {
    pub(crate) fn measure(
        &self,
        page: &BenchPage,
        tasks: Option<&TaskFile>,
        reader: &Reader,
    ) -> anyhow::Result<Vec<Row>> {
        let reader = reader.clone().at(tasks.map(|tasks| tasks.url.as_str()));
        let bytes = reader.bytes(&page.input)?;
        let (parse, read) = self.timed(|| reader.parse(&bytes, &page.input))?;
        let raw_tokens = self.encoding.counter.count(&String::from_utf8_lossy(&bytes));
        let coverage = Coverage::new(&read);
        let tasks = tasks.map_or(&[][..], |tasks| &tasks.tasks);
        let mut rows = Vec::new();
        for kind in &self.representations {
            for budget in std::iter::once(None).chain(self.budgets.iter().copied().map(Some)) {
                let (convert, snapshot) = self.timed(|| Ok(self.pipeline(kind, budget)?.run(&read)?))?;
                let covers = coverage.of(&snapshot);
                let mut row = Row {
                    page: page.name().to_owned(),
                    representation: kind.name,
                    budget,
                    raw_tokens,
                    tokens: self.encoding.counter.count(&snapshot.text),
                    parse_ms: milliseconds(parse),
                    convert_ms: milliseconds(convert),
                    targets: targets(&snapshot),
                    targets_of_page: snapshot.statistics.interactive,
                    tasks: tasks.len(),
                    covered_with_task: 0,
                    covered_without_task: 0,
                };
                for task in tasks {
                    let without = covers.missing(task).is_none();
                    row.covered_without_task += usize::from(without);
                    // Without a budget nothing is left out, so that the task makes no difference.
                    let with = match budget {
                        None => without,
                        Some(_) => {
                            let snapshot = self.pipeline(kind, budget)?.with_task(&task.goal).run(&read)?;
                            coverage.of(&snapshot).missing(task).is_none()
                        }
                    };
                    row.covered_with_task += usize::from(with);
                }
                rows.push(row);
            }
        }
        Ok(rows)
    }

    fn pipeline(&self, kind: &RepresentationKind, budget: Option<usize>) -> anyhow::Result<Pipeline> {
        let mut options = WriteOptions::default();
        // Without ids nothing could be acted on, whatever the representation.
        options.references = Some(ReferencePolicy::Targets);
        let pipeline = Pipeline::new(&Recipe::preset("navigate")?, kind.name)?.with_options(options);
        Ok(match budget {
            Some(tokens) => pipeline.with_budget(tokens, self.encoding),
            None => pipeline,
        })
    }

    /// Does the work as often as the plan says; gives the median time and the last result.
    fn timed<T>(&self, mut work: impl FnMut() -> anyhow::Result<T>) -> anyhow::Result<(Duration, T)> {
        let mut times = Vec::with_capacity(self.rounds);
        loop {
            let begun = Instant::now();
            let result = work()?;
            times.push(begun.elapsed());
            if times.len() >= self.rounds {
                times.sort_unstable();
                let median = times.get(times.len() / 2).copied().unwrap_or_default();
                return Ok((median, result));
            }
        }
    }
}

fn targets(snapshot: &Snapshot) -> usize {
    snapshot.map.entries.iter().filter(|entry| entry.actionable).count()
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
