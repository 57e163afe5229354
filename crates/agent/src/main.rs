//! The `snapshot-agent` command.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use snapshot_agent::browser::{Browser, LaunchOptions};

/// A browsing agent that sees pages as snapshots.
#[derive(Debug, Parser)]
#[command(name = "snapshot-agent", version, arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Open a page in a browser and save it as the browser has it, for `snapshot convert`.
    Capture(CaptureArguments),
}

#[derive(Debug, Args)]
struct CaptureArguments {
    /// The address to open.
    #[arg(value_name = "URL")]
    url: String,

    /// The file to write: a capture in JSON.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    browser: BrowserArguments,
}

#[derive(Debug, Args)]
struct BrowserArguments {
    /// The browser's program [default: Chromium or Chrome on the path].
    #[arg(long, value_name = "PROGRAM", help_heading = "Browser")]
    browser: Option<PathBuf>,

    /// Attach to a running browser instead: the address of its debugging socket.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "browser", help_heading = "Browser")]
    attach: Option<String>,

    /// Open windows that can be watched.
    #[arg(long, help_heading = "Browser")]
    visible: bool,

    /// Run pages without the browser's sandbox, which does not work for root. A page that breaks
    /// out of its renderer then has your rights: only for pages that you trust.
    #[arg(long, help_heading = "Browser")]
    no_sandbox: bool,

    /// Wait at most so many seconds for a page.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, help_heading = "Browser")]
    patience: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let outcome = match runtime {
        Ok(runtime) => runtime.block_on(run(&arguments)),
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.verb {
        Verb::Capture(arguments) => capture(arguments).await,
    }
}

async fn capture(arguments: &CaptureArguments) -> anyhow::Result<()> {
    let browser = open(&arguments.browser).await?;
    let outcome = async {
        let tab = browser.open_tab().await?;
        tab.navigate(&arguments.url, Duration::from_secs(arguments.browser.patience)).await?;
        snapshot_agent::capture(&tab).await
    }
    .await;
    browser.close().await;
    let text = serde_json::to_string(&outcome?).context("the capture cannot be written as JSON")?;
    std::fs::write(&arguments.output, text).with_context(|| arguments.output.display().to_string())
}

async fn open(arguments: &BrowserArguments) -> anyhow::Result<Browser> {
    if let Some(address) = &arguments.attach {
        return Ok(Browser::attach(address).await?);
    }
    let mut options = LaunchOptions::default();
    options.program.clone_from(&arguments.browser);
    options.visible = arguments.visible;
    options.sandbox = !arguments.no_sandbox;
    Ok(Browser::launch(&options).await?)
}

#[allow(clippy::print_stderr, reason = "the program's word to its user")]
fn report(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}
