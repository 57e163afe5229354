//! The `snapshot` command.

use std::io::Write;

use anyhow::{Context, bail};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut to = "ax".to_owned();
    let mut stages = None;
    let mut json = false;
    let mut input = None;
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--to" => to = rest.next().context("--to needs a name")?.clone(),
            "--stages" => stages = rest.next(),
            "--json" => json = true,
            other => input = Some(other.to_owned()),
        }
    }
    let Some(input) = input else { bail!("give a file") };
    let bytes = std::fs::read(&input)?;
    let page = Page::read(&bytes, &PageOptions::default())?;
    let recipe = match stages {
        Some(stages) => Recipe::from_list(stages)?,
        None => Recipe::preset("navigate")?,
    };
    let snapshot = Pipeline::new(&recipe, &to)?.run(&page)?;
    let mut out = std::io::stdout().lock();
    if json {
        let object = serde_json::json!({"input": input, "text": snapshot.text, "map": snapshot.map});
        writeln!(out, "{object}")?;
    } else {
        out.write_all(snapshot.text.as_bytes())?;
    }
    Ok(())
}
