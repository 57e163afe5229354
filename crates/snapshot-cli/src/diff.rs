//! `snapshot diff`: what changed between two captures of one page.

use std::fmt::Write as _;

use anyhow::Context;
use snapshot_core::diff::{self, Delta, Kind};
use snapshot_core::{Page, Snapshot};

use crate::arguments::DiffArguments;
use crate::failure::catching_panics;
use crate::inputs::Input;
use crate::settings::Settings;
use crate::terminal::{one_line, print};

pub(crate) fn run(arguments: &DiffArguments) -> anyhow::Result<()> {
    let settings = Settings::new(&arguments.conversion)?;
    let (first, second) = (Input::new(&arguments.before), Input::new(&arguments.after));
    let read = |input: &Input| catching_panics(|| settings.reader.read(input)).with_context(|| input.name.clone());
    let (before, after) = (read(&first)?, read(&second)?);
    let write = |page: &Page, input: &Input| -> anyhow::Result<Snapshot> {
        catching_panics(|| Ok(settings.pipeline.run(page)?)).with_context(|| input.name.clone())
    };
    let after = after.continuing(&before);
    let delta = diff::between(&write(&before, &first)?, &write(&after, &second)?);
    if arguments.json {
        let mut line = serde_json::to_string(&delta).context("the delta cannot be written as JSON")?;
        line.push('\n');
        return print(&line);
    }
    print(&lines(&delta)?)
}

/// One line for each element; the later snapshot when next to nothing has stayed.
fn lines(delta: &Delta) -> anyhow::Result<String> {
    if let Some(whole) = &delta.whole {
        return Ok(whole.clone());
    }
    let mut text = String::new();
    for change in &delta.changes {
        let mark = match change.kind {
            Kind::Added => '+',
            Kind::Moved => '>',
            Kind::Removed => '-',
            _ => '~',
        };
        let role = change.role.as_deref().unwrap_or("generic");
        writeln!(text, "{mark} {} {role} \"{}\"", change.reference, one_line(&change.name))?;
    }
    Ok(text)
}
