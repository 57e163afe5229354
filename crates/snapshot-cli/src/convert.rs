//! `snapshot convert`: pages in, text out.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::ops::ControlFlow;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use snapshot_core::source_map::DiagnosticEntry;
use snapshot_core::{Envelope, Pipeline};

use crate::arguments::ConvertArguments;
use crate::destination::{Destination, Protected};
use crate::failure::{InputsFailed, OrWrongUsage, WrongUsage, catching_panics};
use crate::inputs::{Input, Inputs};
use crate::settings::Settings;
use crate::terminal::{StandardOutput, message, one_line};
use crate::whole_file::WholeFile;

/// From how many pages on a progress bar is shown.
const MANY: usize = 8;

pub(crate) fn run(arguments: &ConvertArguments) -> anyhow::Result<()> {
    let mut settings = Settings::new(&arguments.conversion)?;
    let inputs = Inputs::find(&arguments.inputs, arguments.output.as_deref())?;
    let extension = if arguments.json { "json" } else { settings.pipeline.representation().extension };
    let destination = Destination::plan(arguments.output.as_deref(), &inputs, extension)?;
    let protected = match (&destination, &arguments.map) {
        (Destination::StandardOutput, None) => Protected::default(),
        _ => Protected::new(&inputs.pages),
    };
    let map = map_file(arguments, &destination, &protected)?;
    settings = if arguments.json || map.is_some() { settings.with_ledger() } else { settings.text_only() };
    let conversion = Conversion {
        settings: &settings,
        protected: &protected,
        text: !arguments.json,
        envelope: arguments.json || map.is_some(),
    };
    let report = Report {
        out: StandardOutput::new(),
        map,
        headers: inputs.pages.len() > 1 && !arguments.json,
        quiet: arguments.quiet,
        progress: progress(arguments, &destination, inputs.pages.len()),
        texts: 0,
        failures: Vec::new(),
    };
    let jobs: Vec<Job<'_>> = (0..)
        .zip(&inputs.pages)
        .map(|(place, input)| Job { input, file: destination.file(place).map(ToOwned::to_owned) })
        .collect();
    run_jobs(arguments.jobs, &conversion, &jobs, report)
}

fn run_jobs(
    threads: Option<u16>,
    conversion: &Conversion<'_>,
    jobs: &[Job<'_>],
    mut report: Report,
) -> anyhow::Result<()> {
    let mut outcome = Ok(());
    let pipeline = &conversion.settings.pipeline;
    let mut run = || {
        pipeline.run_batch(
            jobs,
            |pipeline, job| catching_panics(|| conversion.convert(pipeline, job)),
            |job, result| match report.add(job, result) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    outcome = Err(error);
                    ControlFlow::Break(())
                }
            },
        );
    };
    match threads {
        // One page needs no pool, and none is begun for it.
        _ if jobs.len() <= 1 => run(),
        threads => rayon::ThreadPoolBuilder::new()
            .num_threads(threads.map_or(0, usize::from))
            .build()
            .context("the threads cannot be started")?
            .install(run),
    }
    outcome.and_then(|()| report.finish())
}

/// One page and the file it goes to; standard output when there is none.
struct Job<'input> {
    input: &'input Input,
    file: Option<std::path::PathBuf>,
}

/// What is the same for all pages.
struct Conversion<'run> {
    settings: &'run Settings,
    protected: &'run Protected,
    /// Whether the plain text is wanted.
    text: bool,
    /// Whether the envelope is wanted.
    envelope: bool,
}

/// A page that is done, as far as it has not been written to a file of its own.
struct Converted {
    text: Option<String>,
    envelope: Option<String>,
    diagnostics: Vec<DiagnosticEntry>,
}

impl Conversion<'_> {
    /// Converts one page; runs on any thread, and writes the page's own file.
    fn convert(&self, pipeline: &Pipeline, job: &Job<'_>) -> anyhow::Result<Converted> {
        let page = self.settings.reader.read(job.input)?;
        let mut snapshot = pipeline.run(&page)?;
        drop(page);
        let mut text = None;
        let diagnostics = snapshot.diagnostics.clone();
        let mut envelope = None;
        if self.envelope {
            let whole = Envelope::new(&job.input.name, snapshot, self.settings.encoding);
            let mut line = serde_json::to_string(&whole).context("the snapshot cannot be written as JSON")?;
            line.push('\n');
            envelope = Some(line);
            if self.text {
                text = Some(whole.text);
            }
        } else {
            text = Some(std::mem::take(&mut snapshot.text));
        }
        if let Some(file) = &job.file {
            let written = if self.text { text.take() } else { envelope.clone() };
            self.protected.write(file, &written.unwrap_or_default())?;
        }
        Ok(Converted { text, envelope, diagnostics })
    }
}

/// Tells the person, in the order of the inputs.
struct Report {
    out: StandardOutput,
    map: Option<WholeFile>,
    headers: bool,
    quiet: bool,
    progress: ProgressBar,
    texts: usize,
    failures: Vec<(String, String)>,
}

impl Report {
    /// Takes in one page. An error means that nothing more can be written.
    fn add(&mut self, job: &Job<'_>, result: anyhow::Result<Converted>) -> anyhow::Result<()> {
        self.progress.inc(1);
        let converted = match result {
            Ok(converted) => converted,
            Err(error) => {
                self.failures.push((job.input.name.clone(), format!("{error:#}")));
                return Ok(());
            }
        };
        if !self.quiet && !converted.diagnostics.is_empty() {
            self.progress.suspend(|| warn(&job.input.name, &converted.diagnostics));
        }
        if job.file.is_none() {
            match (&converted.text, &converted.envelope) {
                (Some(text), _) => self.print(&job.input.name, text)?,
                (None, Some(envelope)) => self.out.write(envelope)?,
                (None, None) => {}
            }
        }
        if let (Some(map), Some(envelope)) = (&mut self.map, &converted.envelope) {
            map.write(envelope).context("the map")?;
        }
        Ok(())
    }

    /// Prints a text; when there are several each has its name above it, as `head` does.
    fn print(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        if !self.headers {
            return self.out.write(text);
        }
        let mut header = String::new();
        if self.texts > 0 {
            header.push('\n');
        }
        writeln!(header, "==> {} <==", one_line(name))?;
        self.texts += 1;
        self.out.write(&header)?;
        self.out.write(text)?;
        if text.ends_with('\n') { Ok(()) } else { self.out.write("\n") }
    }

    fn finish(self) -> anyhow::Result<()> {
        self.progress.finish_and_clear();
        self.out.finish()?;
        if let Some(map) = self.map {
            map.commit().context("the map")?;
        }
        if self.failures.is_empty() {
            return Ok(());
        }
        for (name, reason) in &self.failures {
            message("error", &format!("{name}: {reason}"));
        }
        Err(InputsFailed.into())
    }
}

fn warn(name: &str, diagnostics: &[DiagnosticEntry]) {
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.level == "warning") {
        let place = diagnostic.path.as_ref().map(|path| format!(" (at {path})")).unwrap_or_default();
        message("warning", &format!("{name}: {}{place}", diagnostic.message));
    }
}

/// Begins the file for the maps, if one is wanted.
fn map_file(
    arguments: &ConvertArguments,
    destination: &Destination,
    protected: &Protected,
) -> anyhow::Result<Option<WholeFile>> {
    let Some(path) = &arguments.map else { return Ok(None) };
    if let Destination::Files(files) = destination
        && files.contains(path)
    {
        return Err(WrongUsage(anyhow::anyhow!("--map and --output name the same file")).into());
    }
    let begin = || {
        protected.check(path)?;
        WholeFile::create(path)
    };
    begin().with_context(|| format!("--map {}", path.display())).or_wrong_usage().map(Some)
}

/// A bar for who waits at a terminal on many pages, unless the pages themselves scroll by there.
fn progress(arguments: &ConvertArguments, destination: &Destination, pages: usize) -> ProgressBar {
    let scrolls = matches!(destination, Destination::StandardOutput) && std::io::stdout().is_terminal();
    if arguments.quiet || pages < MANY || scrolls || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(u64::try_from(pages).ok(), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:30} {pos} of {len} pages, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
