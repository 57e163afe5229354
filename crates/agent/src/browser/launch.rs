//! A browser of our own: private profile, loopback port, nothing shared with the user's.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::devtools::Connection;
use crate::Error;

/// Names under which distributions and vendors install the browser.
const PROGRAMS: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// How long the browser may take until it answers.
const PATIENCE: Duration = Duration::from_secs(30);

/// How to start the browser.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LaunchOptions {
    /// The program; looked for when there is none.
    pub program: Option<PathBuf>,
    /// Whether to open windows.
    pub visible: bool,
    /// Whether pages run in the browser's sandbox. Without it a page that breaks out of its
    /// renderer has the user's rights.
    pub sandbox: bool,
    /// Width and height of a page, in CSS pixels.
    pub viewport: (u32, u32),
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self { program: None, visible: false, sandbox: true, viewport: (1280, 900) }
    }
}

/// A running browser. It ends when this is dropped.
#[derive(Debug)]
pub struct Launched {
    pub(super) connection: Connection,
    // Killed on drop, before its profile is removed.
    child: Child,
    _profile: TempDir,
}

impl Launched {
    /// Starts a browser with a fresh profile that only this user can read, and a debugging port
    /// on the loopback interface that the system chooses.
    ///
    /// # Errors
    /// [`Error::NoBrowser`], [`Error::Sandbox`], [`Error::BrowserStart`].
    pub async fn start(options: &LaunchOptions) -> Result<Self, Error> {
        if options.sandbox && is_root().await {
            return Err(Error::Sandbox);
        }
        let program = match &options.program {
            Some(program) => program.clone(),
            None => find_program().ok_or(Error::NoBrowser)?,
        };
        // A temporary folder is made with mode 0700.
        let profile = tempfile::Builder::new().prefix("snapshot-agent-").tempdir()?;
        let mut command = Command::new(&program);
        command
            .args(arguments(options))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        let mut child = command
            .spawn()
            .map_err(|error| Error::BrowserStart { reason: format!("{}: {error}", program.display()) })?;
        let address = wait_for_address(profile.path(), &mut child).await?;
        let connection = Connection::open(&address).await?;
        Ok(Self { connection, child, _profile: profile })
    }

    /// Asks the browser to end, and ends it when it does not.
    pub async fn close(mut self) {
        let _ = self.connection.send_within("", "Browser.close", serde_json::json!({}), Duration::from_secs(2)).await;
        if tokio::time::timeout(Duration::from_secs(5), self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

fn arguments(options: &LaunchOptions) -> Vec<String> {
    let (width, height) = options.viewport;
    let mut arguments: Vec<String> = [
        "--remote-debugging-address=127.0.0.1",
        "--remote-debugging-port=0",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-sync",
        "--disable-extensions",
        "--password-store=basic",
        "--use-mock-keychain",
        "--mute-audio",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(format!("--window-size={width},{height}"));
    if !options.visible {
        arguments.push("--headless=new".to_owned());
        arguments.push("--disable-gpu".to_owned());
    }
    if !options.sandbox {
        arguments.push("--no-sandbox".to_owned());
    }
    arguments
}

/// The browser writes its port and path into its profile once it listens.
async fn wait_for_address(profile: &Path, child: &mut Child) -> Result<String, Error> {
    let file = profile.join("DevToolsActivePort");
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Ok(text) = tokio::fs::read_to_string(&file).await {
            let mut lines = text.lines();
            if let (Some(port), Some(path)) = (lines.next(), lines.next())
                && port.parse::<u16>().is_ok()
            {
                return Ok(format!("ws://127.0.0.1:{port}{path}"));
            }
        }
        if let Some(status) = child.try_wait()? {
            return Err(Error::BrowserStart { reason: format!("it ended at once with {status}") });
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Err(Error::BrowserStart { reason: format!("it did not listen within {} s", PATIENCE.as_secs()) })
}

fn find_program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    PROGRAMS
        .iter()
        .flat_map(|program| folders.iter().map(move |folder| folder.join(program)))
        .find(|file| file.is_file())
}

/// Whether we run as root, for whom the sandbox cannot work.
async fn is_root() -> bool {
    let output = Command::new("id").arg("-u").stdin(Stdio::null()).output().await;
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
