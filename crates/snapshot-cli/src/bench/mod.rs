//! `snapshot bench`: what a snapshot costs and keeps, per page × representation × budget.

mod corpus;
mod measure;
mod report;
mod summary;

use anyhow::Context;
use snapshot_core::representations::{REPRESENTATIONS, RepresentationKind};
use snapshot_core::tokens;

use crate::arguments::BenchArguments;
use crate::failure::{InputsFailed, OrWrongUsage, catching_panics};
use crate::settings::Reader;
use crate::terminal::{message, print};
use crate::whole_file::write_whole;
use corpus::BenchPage;
use measure::{Plan, Row};

pub(crate) fn run(arguments: &BenchArguments) -> anyhow::Result<()> {
    let plan = Plan {
        encoding: tokens::find(&arguments.encoding).or_wrong_usage()?,
        representations: representations(&arguments.to),
        budgets: arguments.budgets.clone(),
        rounds: usize::from(arguments.rounds),
    };
    let reader = Reader::new(&arguments.reading)?;
    let pages = corpus::find(&arguments.corpus)?;
    // The first count loads the vocabulary, which is no page's own cost.
    plan.encoding.counter.count("load");
    let mut rows: Vec<Row> = Vec::new();
    let mut failures = 0;
    for page in &pages {
        match catching_panics(|| measured(page, &reader, &plan)) {
            Ok(measured) => rows.extend(measured),
            Err(error) => {
                failures += 1;
                message("error", &format!("{}: {error:#}", page.name()));
            }
        }
    }
    if let Some(path) = &arguments.report {
        write_whole(path, &report::html(&rows, &plan)?).with_context(|| format!("--report {}", path.display()))?;
    }
    if arguments.json {
        let mut lines = String::new();
        for row in &rows {
            lines.push_str(&serde_json::to_string(row).context("a row cannot be written as JSON")?);
            lines.push('\n');
        }
        print(&lines)?;
    } else if !rows.is_empty() {
        print(&summary::text(&rows, &plan))?;
    }
    if failures > 0 { Err(InputsFailed.into()) } else { Ok(()) }
}

fn measured(page: &BenchPage, reader: &Reader, plan: &Plan) -> anyhow::Result<Vec<Row>> {
    let tasks = page.tasks()?;
    plan.measure(page, tasks.as_ref(), reader)
}

/// Those that were asked for, in the order of the table; all when none was.
fn representations(names: &[String]) -> Vec<&'static RepresentationKind> {
    REPRESENTATIONS.iter().filter(|kind| names.is_empty() || names.iter().any(|name| name == kind.name)).collect()
}
