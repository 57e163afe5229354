//! The `snapshot-agent` command.

mod run_command;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use snapshot_agent::browser::{Browser, LaunchOptions};
use snapshot_agent::mcp::ServerOptions;
use snapshot_agent::origins::Origins;
use snapshot_agent::run::Ending;

/// A browsing agent that sees pages as snapshots.
#[derive(Debug, Parser)]
#[command(name = "snapshot-agent", version, arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Do a task on a web page, with a model.
    Run(Box<run_command::RunArguments>),
    /// Open a page in a browser and save it as the browser has it, for `snapshot convert`.
    Capture(CaptureArguments),
    /// Order tea in a shop of our own with a scripted model: needs a browser, and nothing else.
    Demo(DemoArguments),
    /// Serve the browser as tools over the Model Context Protocol, on standard input and output.
    Mcp(McpArguments),
    /// Turn a trace into a page that shows the run as the model saw it.
    Trace(TraceArguments),
}

#[derive(Debug, Args)]
struct CaptureArguments {
    /// The address to open.
    #[arg(value_name = "URL")]
    url: String,

    /// The file to write: with the ending .html a page for any reader of HTML, else a capture in
    /// JSON, which tells more.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    browser: BrowserArguments,
}

#[derive(Debug, Args)]
struct DemoArguments {
    /// The trace to write; its page is written beside it, with the ending .html.
    #[arg(long, value_name = "FILE", default_value = "demo-trace.jsonl")]
    trace: PathBuf,

    #[command(flatten)]
    browser: BrowserArguments,
}

#[derive(Debug, Args)]
struct McpArguments {
    /// An origin that may be visited: https://shop.example, https://*.shop.example. May be given
    /// more than once.
    #[arg(long, value_name = "ORIGIN", required_unless_present = "allow_any")]
    allow: Vec<String>,

    /// Let the client go anywhere on http and https. Pages can then lead its model anywhere.
    #[arg(long, conflicts_with = "allow")]
    allow_any: bool,

    /// The representation of snapshots that ask for none.
    #[arg(long, value_name = "NAME", default_value = "ax")]
    to: String,

    /// The most tokens of snapshots that give no number.
    #[arg(long, value_name = "TOKENS", default_value_t = 4096)]
    budget: usize,

    /// How tokens are counted.
    #[arg(long, value_name = "NAME", default_value = "o200k_base")]
    encoding: String,

    #[command(flatten)]
    browser: BrowserArguments,
}

#[derive(Debug, Args)]
struct TraceArguments {
    /// The trace of a run.
    #[arg(value_name = "FILE")]
    trace: PathBuf,

    /// The page to write [default: the trace's name with the ending .html].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
        Verb::Run(arguments) => run_command::run(arguments).await,
        Verb::Capture(arguments) => capture(arguments).await,
        Verb::Demo(arguments) => demo(arguments).await,
        Verb::Mcp(arguments) => mcp(arguments).await,
        Verb::Trace(arguments) => trace(&arguments.trace, arguments.output.as_deref()),
    }
}

async fn capture(arguments: &CaptureArguments) -> anyhow::Result<()> {
    let browser = open(&arguments.browser).await?;
    let outcome = async {
        let tab = browser.open_tab(None).await?;
        tab.navigate(&arguments.url, Duration::from_secs(arguments.browser.patience)).await?;
        snapshot_agent::capture(&tab).await
    }
    .await;
    browser.close().await;
    let captured = outcome?;
    let is_html = arguments.output.extension().is_some_and(|ending| matches!(ending.to_str(), Some("html" | "htm")));
    let text = if is_html {
        snapshot_agent::page_html(&captured)?
    } else {
        serde_json::to_string(&captured).context("the capture cannot be written as JSON")?
    };
    std::fs::write(&arguments.output, text).with_context(|| arguments.output.display().to_string())
}

async fn demo(arguments: &DemoArguments) -> anyhow::Result<()> {
    let options = arguments.browser.launch_options();
    let (report, orders) = snapshot_agent::demo::run(&options, &arguments.trace).await?;
    let page = trace_page(&arguments.trace);
    trace(&arguments.trace, Some(&page))?;
    say(&format!(
        "{:?} after {} steps and {} tokens; the trace is {}",
        report.ending,
        report.steps,
        report.tokens,
        page.display()
    ));
    match (report.ending, orders.as_slice()) {
        (Ending::Done { success: true, .. }, [order]) => {
            say(&format!(
                "the shop has the order: {} tins of {} for {}",
                order.tins,
                order.tea,
                order.address.join(", ")
            ));
            Ok(())
        }
        _ => anyhow::bail!("the task was not done; the trace shows where it went wrong"),
    }
}

async fn mcp(arguments: &McpArguments) -> anyhow::Result<()> {
    let origins = if arguments.allow_any { Origins::any() } else { Origins::new(&arguments.allow)? };
    let representation = snapshot_core::representations::find(&arguments.to)?.name.to_owned();
    let encoding = snapshot_core::tokens::find(&arguments.encoding)?;
    let launch = arguments.browser.launch_options();
    let attach = arguments.browser.attach.clone();
    let options = ServerOptions { launch, attach, origins, representation, budget: arguments.budget, encoding };
    Ok(snapshot_agent::mcp::serve(options).await?)
}

fn trace(file: &Path, output: Option<&Path>) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let steps = snapshot_agent::trace::read(&text)
        .map_err(|reason| anyhow::anyhow!("{} is no trace: {reason}", file.display()))?;
    let output = output.map_or_else(|| trace_page(file), Path::to_owned);
    std::fs::write(&output, snapshot_agent::trace::html(&steps)).with_context(|| output.display().to_string())
}

fn trace_page(file: &Path) -> PathBuf {
    file.with_extension("html")
}

async fn open(arguments: &BrowserArguments) -> anyhow::Result<Browser> {
    match &arguments.attach {
        Some(address) => Ok(Browser::attach(address).await?),
        None => Ok(Browser::launch(&arguments.launch_options()).await?),
    }
}

impl BrowserArguments {
    fn launch_options(&self) -> LaunchOptions {
        let mut options = LaunchOptions::default();
        options.program.clone_from(&self.browser);
        options.visible = self.visible;
        options.sandbox = !self.no_sandbox;
        options
    }
}

#[allow(clippy::print_stdout, reason = "the result of the program")]
fn say(text: &str) {
    println!("{text}");
}

fn report(error: &anyhow::Error) {
    // Models and pages have their words in some errors, and a terminal takes some characters for
    // commands.
    let text: String = format!("error: {error:#}").chars().filter(|character| !character.is_control()).collect();
    report_line(&text);
}

#[allow(clippy::print_stderr, reason = "the program's word to its user")]
fn report_line(text: &str) {
    eprintln!("{text}");
}
