//! MiniWoB: small web tasks that judge themselves, done by plain rules that see nothing but the
//! text of our snapshots. What the rules cannot do, a snapshot may not tell.
//!
//! ```sh
//! pip download --no-deps --no-binary :none: miniwob && unzip miniwob-*.whl   # the pages, from their authors
//! cargo run -p snapshot-agent --example miniwob -- miniwob/html --no-sandbox
//! ```
//!
//! The pages are not ours and are served from the folder that is given. Each episode loads its
//! page anew, sets the page's own random numbers by the seed, stops the page's clock, since time
//! is not what is measured, and ends with the page's own reward: solved is the full reward.
//! `--write` puts the counts into `benches/ledgers/miniwob.toml`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod policy;
mod reader;
mod site;

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Parser;
use serde_json::{Value, json};
use snapshot_agent::action::Action;
use snapshot_agent::browser::{Browser, LaunchOptions};
use snapshot_agent::session::{Look, Session};
use snapshot_core::tokens;

/// The most steps of an episode.
const STEPS: usize = 40;

/// How often an action may fail before the episode is given up.
const FAILURES: usize = 4;

#[derive(Clone, Debug, Parser)]
struct Settings {
    /// The folder `html` of the package `miniwob`.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Only these kinds of tasks.
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<String>,

    /// Episodes of each kind.
    #[arg(long, default_value_t = 10)]
    seeds: usize,

    /// The representations.
    #[arg(long, value_delimiter = ',', default_value = "ax,list")]
    to: Vec<String>,

    /// Browsers side by side.
    #[arg(long, default_value_t = 2)]
    browsers: usize,

    /// Run the pages without the browser's sandbox, for root.
    #[arg(long)]
    no_sandbox: bool,

    /// Tell each step of the episodes that fail.
    #[arg(long)]
    verbose: bool,

    /// Write the ledger.
    #[arg(long)]
    write: bool,
}

/// An episode to be done.
#[derive(Clone, Debug)]
struct Episode {
    kind: String,
    representation: String,
    seed: usize,
}

/// How an episode ended.
struct Ending {
    reward: f64,
    story: String,
}

/// Solved episodes by kind and representation.
type Counts = BTreeMap<String, BTreeMap<String, usize>>;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let settings = Settings::parse();
    let url = site::serve(settings.folder.clone()).await?;
    let kinds = kinds(&settings)?;
    let mut episodes = VecDeque::new();
    for kind in &kinds {
        for representation in &settings.to {
            for seed in 0..settings.seeds {
                episodes.push_back(Episode { kind: kind.clone(), representation: representation.clone(), seed });
            }
        }
    }
    let episodes = Arc::new(Mutex::new(episodes));
    let counts = Arc::new(Mutex::new(Counts::new()));
    let workers: Vec<_> = (0..settings.browsers.max(1))
        .map(|_| tokio::spawn(work(settings.clone(), url.clone(), Arc::clone(&episodes), Arc::clone(&counts))))
        .collect();
    for worker in workers {
        worker.await??;
    }
    let counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    let ledger = ledger(&settings, &kinds, &counts);
    if settings.write {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/ledgers/miniwob.toml");
        std::fs::write(&file, ledger).with_context(|| file.display().to_string())?;
    } else {
        print!("{ledger}");
    }
    Ok(())
}

fn kinds(settings: &Settings) -> anyhow::Result<Vec<String>> {
    let folder = settings.folder.join("miniwob");
    let files = std::fs::read_dir(&folder)
        .with_context(|| format!("{} is not there; give the folder `html` of the package", folder.display()))?;
    let mut kinds: Vec<String> = files
        .filter_map(|file| Some(file.ok()?.file_name().to_str()?.strip_suffix(".html")?.to_owned()))
        .filter(|kind| settings.kinds.is_empty() || settings.kinds.contains(kind))
        .collect();
    kinds.sort();
    if kinds.is_empty() {
        bail!("there are no such kinds in {}", folder.display());
    }
    Ok(kinds)
}

/// Does episodes until none are left. A browser that fails is replaced.
async fn work(
    settings: Settings,
    url: String,
    episodes: Arc<Mutex<VecDeque<Episode>>>,
    counts: Arc<Mutex<Counts>>,
) -> anyhow::Result<()> {
    let mut session: Option<Session> = None;
    loop {
        let next = episodes.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(episode) = next else { break };
        let mut held = match session.take() {
            Some(session) => session,
            None => start(&settings).await?,
        };
        let limit = Duration::from_secs(120);
        let ending = tokio::time::timeout(limit, run(&mut held, &url, &episode)).await;
        let Episode { kind, representation, seed } = &episode;
        let ending = match ending {
            Ok(Ok(ending)) => {
                session = Some(held);
                ending
            }
            Ok(Err(error)) => {
                held.close().await;
                Ending { reward: 0.0, story: format!("{error:#}\n") }
            }
            Err(_) => {
                held.close().await;
                Ending { reward: 0.0, story: "it took too long\n".to_owned() }
            }
        };
        let solved = ending.reward > 0.999;
        if settings.verbose && !solved {
            eprintln!("-- {kind} {representation} {seed}: {}\n{}", ending.reward, ending.story);
        }
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(kind.clone()).or_default().entry(representation.clone()).or_default() += usize::from(solved);
    }
    if let Some(session) = session {
        session.close().await;
    }
    Ok(())
}

async fn start(settings: &Settings) -> anyhow::Result<Session> {
    let mut options = LaunchOptions::default();
    options.sandbox = !settings.no_sandbox;
    Ok(Session::start(Browser::launch(&options).await?, None).await?)
}

/// One episode.
async fn run(session: &mut Session, url: &str, episode: &Episode) -> anyhow::Result<Ending> {
    let page = format!("{url}/miniwob/{}.html", episode.kind);
    if let Err(reason) = session.act(&Action::Navigate { url: page }).await? {
        bail!("{reason}");
    }
    let begin = format!(
        "Math.seedrandom('snapshot {}'); core.EPISODE_MAX_TIME = 1e7; core.startEpisodeReal(); core.hideDisplay(); true",
        episode.seed
    );
    evaluate(session, &begin).await?;
    while evaluate(session, "WOB_TASK_READY").await? != true {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let utterance = evaluate(session, "core.getUtterance()").await?.as_str().unwrap_or_default().to_owned();
    let look = Look {
        representation: episode.representation.clone(),
        scope: None,
        budget: None,
        encoding: tokens::find("chars4")?,
        task: utterance.clone(),
    };
    let mut done = Vec::new();
    let mut failures = 0;
    let mut story = format!("{utterance}\n");
    for _ in 0..STEPS {
        let text = &session.look(&look).await?.text;
        let items = without(reader::read(&episode.representation, text), &utterance);
        let task = policy::Task { utterance: &utterance, items, done: &done };
        let Some(action) = policy::next(&task) else {
            let _ = writeln!(story, "no rule for\n{text}");
            break;
        };
        let outcome = session.act(&action).await?;
        let _ = writeln!(story, "{} -> {outcome:?}", serde_json::to_string(&action)?);
        match outcome {
            Ok(_) => done.push(action),
            Err(_) => failures += 1,
        }
        if failures == FAILURES || evaluate(session, "WOB_DONE_GLOBAL").await? == true {
            break;
        }
    }
    let reward = evaluate(session, "WOB_RAW_REWARD_GLOBAL").await?.as_f64().unwrap_or_default();
    Ok(Ending { reward, story })
}

/// What is on the page beside the instruction, which stands first on it.
fn without(mut items: Vec<reader::Item>, utterance: &str) -> Vec<reader::Item> {
    if let Some(first) = items.iter_mut().find(|item| item.name.starts_with(utterance)) {
        first.name = first.name[utterance.len()..].trim().to_owned();
        if first.name.is_empty() {
            items.retain(|item| !(item.name.is_empty() && item.kind == reader::Kind::Text && item.id.is_none()));
        }
    }
    items
}

async fn evaluate(session: &Session, expression: &str) -> anyhow::Result<Value> {
    let params = json!({ "expression": expression, "returnByValue": true });
    let mut answer = session.tab()?.send("Runtime.evaluate", params).await?;
    Ok(answer["result"]["value"].take())
}

fn ledger(settings: &Settings, kinds: &[String], counts: &Counts) -> String {
    let mut text = String::from(
        "# Episodes of each kind that plain rules solve (the page's full reward), seeing only the text of a snapshot.\n",
    );
    let _ = writeln!(text, "# Kinds that are not listed were tried and none of their episodes was solved.\n");
    let _ = writeln!(text, "kinds = {}\nepisodes = {}\n", kinds.len(), settings.seeds);
    let needed = (settings.seeds * 95).div_ceil(100);
    let solves = |kind: &String, form: &String| counts.get(kind).and_then(|by| by.get(form)).copied().unwrap_or(0);
    let _ = writeln!(text, "[kinds-at-95-percent]");
    for form in &settings.to {
        let _ = writeln!(text, "{form} = {}", kinds.iter().filter(|kind| solves(kind, form) >= needed).count());
    }
    let both = kinds.iter().filter(|kind| settings.to.iter().all(|form| solves(kind, form) >= needed)).count();
    let _ = writeln!(text, "all = {both}\n\n[solved]");
    for kind in kinds.iter().filter(|kind| settings.to.iter().any(|form| solves(kind, form) > 0)) {
        let cells: Vec<String> = settings.to.iter().map(|form| format!("{form} = {}", solves(kind, form))).collect();
        let _ = writeln!(text, "{kind} = {{ {} }}", cells.join(", "));
    }
    text
}
