//! `snapshot-agent run`: a task on a page, with a model.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use snapshot_agent::config::Config;
use snapshot_agent::context::{self, Compaction, HISTORIES};
use snapshot_agent::model::{AnyModel, ModelOptions};
use snapshot_agent::origins::Origins;
use snapshot_agent::perceive::View;
use snapshot_agent::run::{Ending, Report, Run, RunLimits, Settings};
use snapshot_agent::secrets::Secrets;
use snapshot_agent::trace::Trace;
use snapshot_core::{representations, tokens};

use crate::{BrowserArguments, open, report_line, say, trace, trace_page};

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// What is to be done.
    #[arg(long, value_name = "TEXT")]
    task: String,

    /// The page to begin on; its origin may be visited.
    #[arg(long, value_name = "URL")]
    url: String,

    /// Who decides: a provider's model (`gpt-4o`, `claude-sonnet-4-5`, `ollama::qwen3`),
    /// `script:FILE` with a reply a line, or `exec:PROGRAM` that answers in JSON lines. Keys come
    /// from the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, …) or the configuration.
    #[arg(long, value_name = "NAME", env = "SNAPSHOT_AGENT_MODEL", help_heading = "Model")]
    model: Option<String>,

    /// An address instead of the provider's own, `http://127.0.0.1:8000/v1/`.
    #[arg(long, value_name = "URL", env = "SNAPSHOT_AGENT_ENDPOINT", help_heading = "Model")]
    endpoint: Option<String>,

    /// The environment variable with the key [default: the provider's own].
    #[arg(long, value_name = "VARIABLE", help_heading = "Model")]
    key_env: Option<String>,

    /// A cheaper model that sums up old turns [default: the model itself].
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    compaction_model: Option<String>,

    /// How much of the past the model sees: current, last-two, full or pictures [default: current].
    #[arg(long, value_name = "NAME", help_heading = "Context")]
    history: Option<String>,

    /// How many turns the model is told of at most [default: all].
    #[arg(long, value_name = "N", help_heading = "Context")]
    history_limit: Option<usize>,

    /// How pages are written: ax, html, markdown, list, or auto, which goes by the task
    /// [default: auto].
    #[arg(long, value_name = "NAME", help_heading = "Context")]
    representation: Option<String>,

    /// The most tokens of one snapshot [default: 4096].
    #[arg(long, value_name = "N", help_heading = "Context")]
    budget: Option<usize>,

    /// How tokens are counted: o200k_base, cl100k_base or chars4 [default: o200k_base].
    #[arg(long, value_name = "NAME", help_heading = "Context")]
    encoding: Option<String>,

    /// An origin that may be visited as well: https://shop.example, https://*.shop.example.
    #[arg(long, value_name = "ORIGIN", help_heading = "Limits")]
    allow: Vec<String>,

    /// An origin from which pages may have parts of themselves, pictures, scripts and data, but
    /// which may not be visited. May be given more than once.
    #[arg(long, value_name = "ORIGIN", help_heading = "Limits")]
    allow_parts: Vec<String>,

    /// A secret that the model may have typed without seeing it: its name, the origin on which it
    /// may be typed, and the environment variable with its value.
    #[arg(long, value_name = "NAME=ORIGIN=VARIABLE", help_heading = "Limits")]
    secret: Vec<String>,

    /// A file that the model may upload; it is told its name. May be given more than once.
    #[arg(long, value_name = "FILE", help_heading = "Limits")]
    upload: Vec<PathBuf>,

    /// Ask the model at most so often [default: 50].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_steps: Option<usize>,

    /// Take at most so many seconds [default: 600].
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    max_time: Option<u64>,

    /// Let models read and write at most so many tokens [default: 1000000].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_tokens: Option<usize>,

    /// Write down the run: a JSON line a step, and a page to read it by, with the ending .html.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Settings in TOML [default: ~/.config/snapshot-agent/config.toml if it is there].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    browser: BrowserArguments,
}

pub(crate) async fn run(arguments: &RunArguments) -> anyhow::Result<()> {
    let config = Config::load(arguments.config.as_deref())?;
    // Everything that can be wrong is looked at before a browser is started.
    let origins = Origins::new(arguments.allow.iter().chain(&config.allow))?
        .with_origin_of(&arguments.url)?
        .with_parts_from(arguments.allow_parts.iter().chain(&config.allow_parts))?;
    let secrets = secrets(arguments, &config)?;
    let view = view(arguments, &config)?;
    let name = arguments.history.as_ref().or(config.history.as_ref());
    let history = name.map_or(Ok(HISTORIES[0]), |name| context::find(name)).map_err(anyhow::Error::msg)?;
    let history = match arguments.history_limit.or(config.history_limit) {
        Some(turns) => history.with_turns(turns),
        None => history,
    };
    let usual = RunLimits::default();
    let limits = RunLimits {
        steps: arguments.max_steps.or(config.max_steps).unwrap_or(usual.steps),
        time: arguments.max_time.or(config.max_time).map_or(usual.time, Duration::from_secs),
        tokens: arguments.max_tokens.or(config.max_tokens).unwrap_or(usual.tokens),
    };
    let (mut model, compactor) = models(arguments, &config)?;
    let mut settings = Settings::default();
    settings.secrets = secrets;
    settings.compaction = Some(Compaction::default());
    settings.compactor = compactor;
    settings.uploads = uploads(&arguments.upload)?;
    let browser = open(&arguments.browser).await?;
    let outcome = async {
        let kept = match &arguments.trace {
            Some(path) => Trace::create(path)?,
            None => Trace::none(),
        };
        let tab = browser.open_tab(Some(origins)).await?;
        tab.navigate(&arguments.url, Duration::from_secs(arguments.browser.patience)).await?;
        Run { tab: &tab, model: &mut model, view, history, limits, trace: kept, settings }.run().await
    }
    .await;
    browser.close().await;
    if let Some(path) = arguments.trace.as_ref().filter(|path| path.exists()) {
        trace(path, Some(&trace_page(path)))?;
        report_line(&format!("the trace is {}", trace_page(path).display()));
    }
    tell(&outcome?)
}

/// The answer to standard output, the rest to standard error.
fn tell(report: &Report) -> anyhow::Result<()> {
    let usage = report.usage;
    report_line(&format!(
        "{} steps, {} tokens asked with; the model counts {} read ({} from its cache) and {} written",
        report.steps, report.tokens, usage.input, usage.cached, usage.output
    ));
    match &report.ending {
        Ending::Done { answer, success } => {
            // A terminal takes some characters for commands.
            let plain = |character: char| character == '\n' || !character.is_control();
            say(&answer.chars().filter(|&character| plain(character)).collect::<String>());
            if !success {
                bail!("the model says that the task could not be done");
            }
            Ok(())
        }
        Ending::Limit(limit) => {
            bail!("the limit of {limit} was reached; raise it with --max-steps, --max-time or --max-tokens")
        }
        Ending::Loop => bail!("the model did the same over and over"),
        Ending::Model(reason) => bail!("the model is of no help: {reason}"),
        _ => bail!("the run ended early"),
    }
}

fn view(arguments: &RunArguments, config: &Config) -> anyhow::Result<View> {
    let named = arguments.representation.as_ref().or(config.representation.as_ref());
    let representation = match named.map(String::as_str) {
        None | Some("auto") => snapshot_agent::routing::representation_for(&arguments.task).to_owned(),
        Some(name) => representations::find(name)?.name.to_owned(),
    };
    let encoding = arguments.encoding.as_ref().or(config.encoding.as_ref());
    Ok(View {
        representation,
        budget: arguments.budget.or(config.budget).unwrap_or(4096),
        encoding: tokens::find(encoding.map_or("o200k_base", String::as_str))?,
        task: arguments.task.clone(),
    })
}

fn models(arguments: &RunArguments, config: &Config) -> anyhow::Result<(AnyModel, Option<AnyModel>)> {
    let name = arguments.model.as_ref().or(config.model.as_ref());
    let name = name.context("no model is named; give --model, such as --model claude-sonnet-4-5")?;
    let mut options = ModelOptions::default();
    options.endpoint = arguments.endpoint.clone().or_else(|| config.endpoint.clone());
    options.key = match arguments.key_env.as_ref().or(config.key_env.as_ref()) {
        Some(variable) => Some(environment(variable)?),
        // A key from the file goes where the file says, and nowhere else.
        None if options.endpoint == config.endpoint => config.key.clone(),
        None => None,
    };
    let named = arguments.secret.iter().filter_map(|secret| secret.rsplit('=').next());
    options.withheld =
        named.chain(config.secrets.values().map(|secret| secret.env.as_str())).map(str::to_owned).collect();
    let model = AnyModel::open(name, &options)?;
    let compaction = arguments.compaction_model.as_ref().or(config.compaction_model.as_ref());
    Ok((model, compaction.map(|name| AnyModel::open(name, &options)).transpose()?))
}

fn secrets(arguments: &RunArguments, config: &Config) -> anyhow::Result<Secrets> {
    let mut secrets = Secrets::default();
    for (name, secret) in &config.secrets {
        secrets = secrets.with(name, &secret.origin, &environment(&secret.env)?)?;
    }
    for text in &arguments.secret {
        let parts: Vec<&str> = text.split('=').collect();
        let [name, origin, variable] = parts.as_slice() else {
            bail!("a secret is given as NAME=ORIGIN=VARIABLE, such as password=https://shop.example=SHOP_PASSWORD");
        };
        secrets = secrets.with(name, origin, &environment(variable)?)?;
    }
    Ok(secrets)
}

/// The files by their whole paths, each with a name of its own.
fn uploads(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in paths {
        let whole = path.canonicalize().with_context(|| path.display().to_string())?;
        if !whole.is_file() {
            bail!("{} is no file", path.display());
        }
        if found.iter().any(|other| other.file_name() == whole.file_name()) {
            bail!("{} has the name of another file that may be uploaded", path.display());
        }
        found.push(whole);
    }
    Ok(found)
}

fn environment(variable: &str) -> anyhow::Result<String> {
    std::env::var(variable).with_context(|| format!("the environment variable {variable} is not set"))
}
