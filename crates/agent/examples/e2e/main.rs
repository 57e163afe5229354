//! End to end: scripts of what a person would do in third-party apps that run here, done by the
//! agent's own eyes and hands, judged by what the pages say and what the apps' databases hold.
//!
//! `cargo xtask e2e` installs the apps and runs this; `cargo xtask e2e PYTHON` takes the
//! environment of that interpreter.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod script;

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Parser;
use snapshot_agent::browser::{Browser, LaunchOptions};
use snapshot_agent::origins::Origins;
use snapshot_agent::session::Session;

use script::Place;

/// How long an app may take until it listens.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a script may take.
const LIMIT: Duration = Duration::from_secs(300);

/// An app: its name, what serves it, what is done in it.
const APPS: &[(&str, &str, &str)] = &[
    ("Django admin", "serve_library.py", include_str!("scripts/library.txt")),
    ("sqlite-web", "serve_tables.py", include_str!("scripts/tables.txt")),
];

#[derive(Debug, Parser)]
struct Settings {
    /// An interpreter of Python that has the apps: django and sqlite-web.
    #[arg(value_name = "PYTHON")]
    python: PathBuf,

    /// Run pages without the browser's sandbox, for root.
    #[arg(long)]
    no_sandbox: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let settings = Settings::parse();
    let mut options = LaunchOptions::default();
    options.sandbox = !settings.no_sandbox;
    let folder = tempfile::tempdir()?;
    let mut failed = 0;
    for (name, server, script) in APPS {
        let database = folder.path().join(server).with_extension("db");
        let app = App::start(&settings.python, server, &database)?;
        let origins = Origins::default().with_origin_of(&app.url)?;
        let mut session = Session::start(Browser::launch(&options).await?, Some(origins)).await?;
        let place = Place { url: app.url.clone(), database: &database, python: &settings.python };
        let outcomes = tokio::time::timeout(LIMIT, script::run(script, &mut session, &place)).await;
        session.close().await;
        let outcomes = outcomes.with_context(|| format!("{name} took longer than {} s", LIMIT.as_secs()))??;
        for outcome in outcomes {
            match outcome.failure {
                None => println!("{name}: {}: done", outcome.task),
                Some(failure) => {
                    failed += 1;
                    println!("{name}: {}: FAILED at\n    {failure}", outcome.task);
                }
            }
        }
    }
    if failed > 0 {
        bail!("{failed} tasks failed");
    }
    Ok(())
}

/// A running app. It ends when this is dropped.
struct App {
    child: Child,
    url: String,
}

impl App {
    fn start(python: &Path, server: &str, database: &Path) -> anyhow::Result<Self> {
        // Freed again at once; nobody else is likely to take it within a second.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/e2e/apps").join(server);
        let child = Command::new(python)
            .arg(&file)
            .arg(database)
            .arg(port.to_string())
            // What Python compiles stays out of the source.
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| python.display().to_string())?;
        let mut app = Self { child, url: format!("http://127.0.0.1:{port}") };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = app.child.try_wait()? {
                bail!("{server} ended with {status}; run it alone to see why: {} {}", python.display(), file.display());
            }
            if begun.elapsed() > PATIENCE {
                bail!("{server} does not listen after {} s", PATIENCE.as_secs());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(app)
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
