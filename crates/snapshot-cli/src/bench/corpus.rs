//! The pages of a benchmark, and the tasks beside them.

use std::path::{Path, PathBuf};

use anyhow::Context;
use snapshot_core::coverage::TaskFile;

use crate::failure::{OrWrongUsage, WrongUsage};
use crate::inputs::{Input, Inputs};
use crate::reading;

/// A `tasks.toml` is written by hand; a larger file is none.
const LARGEST_TASK_FILE: usize = 1 << 20;

/// One page to measure.
pub(crate) struct BenchPage {
    pub(crate) input: Input,
    /// The `tasks.toml` in its folder, if there is one.
    tasks: Option<PathBuf>,
}

/// The pages in a folder and below it, or one page.
pub(crate) fn find(corpus: &Path) -> anyhow::Result<Vec<BenchPage>> {
    if !corpus.exists() {
        let corpus = corpus.display();
        return Err(WrongUsage(anyhow::anyhow!(
            "{corpus} is not there; give a folder of pages, each with a tasks.toml beside it if coverage is to be measured"
        ))
        .into());
    }
    let inputs = Inputs::find(&[corpus.to_owned()], None).or_wrong_usage()?;
    let pages = inputs.pages.into_iter().map(|input| {
        let beside = input.file().map(|file| file.with_file_name("tasks.toml"));
        BenchPage { tasks: beside.filter(|path| path.is_file()), input }
    });
    Ok(pages.collect())
}

impl BenchPage {
    pub(crate) fn name(&self) -> &str {
        &self.input.name
    }

    /// What is to be done on the page; nothing when nobody says, or when the tasks in its folder
    /// are those of another page.
    pub(crate) fn tasks(&self) -> anyhow::Result<Option<TaskFile>> {
        let Some(path) = &self.tasks else { return Ok(None) };
        let read = || -> anyhow::Result<TaskFile> {
            let text = String::from_utf8(reading::read_file(path, LARGEST_TASK_FILE)?).context("is not UTF-8 text")?;
            Ok(toml::from_str(&text)?)
        };
        let tasks = read().with_context(|| path.display().to_string())?;
        let page = self.input.file().and_then(Path::file_name);
        Ok(Some(tasks).filter(|tasks| page.is_some_and(|page| page == tasks.page.as_str())))
    }
}
