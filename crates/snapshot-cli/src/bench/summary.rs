//! The benchmark's figures over all pages, as a table for the terminal and the report.

use super::measure::{Plan, Row};
use crate::table::{Align, columns};

/// All pages in one representation under one budget.
pub(crate) struct Summary {
    pub(crate) representation: &'static str,
    pub(crate) budget: Option<usize>,
    pub(crate) pages: usize,
    pub(crate) tokens: usize,
    pub(crate) raw_tokens: usize,
    pub(crate) median_tokens: usize,
    /// Of one page, reading and writing.
    pub(crate) median_ms: f64,
    pub(crate) targets: usize,
    pub(crate) targets_of_pages: usize,
    pub(crate) tasks: usize,
    pub(crate) covered_with_task: usize,
    pub(crate) covered_without_task: usize,
}

const HEADINGS: [&str; 9] =
    ["representation", "budget", "pages", "tokens", "median", "of raw", "ms", "targets", "coverage (with task)"];

const ALIGNS: [Align; 9] = [
    Align::Left,
    Align::Right,
    Align::Right,
    Align::Right,
    Align::Right,
    Align::Right,
    Align::Right,
    Align::Right,
    Align::Right,
];

/// The summaries in the order of the plan.
pub(crate) fn summaries(rows: &[Row], plan: &Plan) -> Vec<Summary> {
    let budgets = || std::iter::once(None).chain(plan.budgets.iter().copied().map(Some));
    let pairs = plan.representations.iter().flat_map(|kind| budgets().map(|budget| (kind.name, budget)));
    pairs
        .map(|(representation, budget)| {
            let group: Vec<&Row> =
                rows.iter().filter(|row| row.representation == representation && row.budget == budget).collect();
            let sum = |figure: fn(&Row) -> usize| group.iter().map(|row| figure(row)).sum();
            Summary {
                representation,
                budget,
                pages: group.len(),
                tokens: sum(|row| row.tokens),
                raw_tokens: sum(|row| row.raw_tokens),
                median_tokens: median(group.iter().map(|row| row.tokens).collect(), usize::cmp),
                median_ms: median(group.iter().map(|row| row.parse_ms + row.convert_ms).collect(), f64::total_cmp),
                targets: sum(|row| row.targets),
                targets_of_pages: sum(|row| row.targets_of_page),
                tasks: sum(|row| row.tasks),
                covered_with_task: sum(|row| row.covered_with_task),
                covered_without_task: sum(|row| row.covered_without_task),
            }
        })
        .collect()
}

impl Summary {
    /// The cells under [`HEADINGS`].
    fn cells(&self) -> Vec<String> {
        let coverage = match self.tasks {
            0 => "–".to_owned(),
            tasks => {
                format!("{} ({})", share(self.covered_without_task, tasks), share(self.covered_with_task, tasks))
            }
        };
        vec![
            self.representation.to_owned(),
            self.budget.map_or_else(|| "none".to_owned(), |budget| budget.to_string()),
            self.pages.to_string(),
            self.tokens.to_string(),
            self.median_tokens.to_string(),
            share(self.tokens, self.raw_tokens),
            format!("{:.2}", self.median_ms),
            share(self.targets, self.targets_of_pages),
            coverage,
        ]
    }
}

/// The table, its headings first.
pub(crate) fn table(rows: &[Row], plan: &Plan) -> Vec<Vec<String>> {
    let headings = HEADINGS.map(str::to_owned).to_vec();
    std::iter::once(headings).chain(summaries(rows, plan).iter().map(Summary::cells)).collect()
}

/// The table as text.
pub(crate) fn text(rows: &[Row], plan: &Plan) -> String {
    columns(&ALIGNS, &table(rows, plan))
}

/// A share with three digits; 1 of nothing.
fn share(part: usize, whole: usize) -> String {
    format!("{:.3}", ratio(part, whole))
}

/// A share as a number; 1 of nothing, since nothing is missing.
#[allow(clippy::cast_precision_loss, reason = "counts of tokens are far below 2^52")]
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

fn median<T: Copy + Default>(mut values: Vec<T>, order: fn(&T, &T) -> std::cmp::Ordering) -> T {
    values.sort_unstable_by(order);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
