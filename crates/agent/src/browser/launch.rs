//! A browser of our own: private profile, a pair of pipes, nothing shared with the user's. The
//! pipes end with us however we end, and the browser with them; nobody else can reach them.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

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
    /// Starts a browser with a fresh profile that only this user can read, debugged over pipes;
    /// where there are no such pipes, over a port of the loopback interface that the system
    /// chooses.
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
        let mut command = command(&program);
        command
            .args(arguments(options))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stderr(Stdio::null())
            .kill_on_drop(true);
        let mut child = command
            .spawn()
            .map_err(|error| Error::BrowserStart { reason: format!("{}: {error}", program.display()) })?;
        let connection = connect(&mut child, profile.path()).await?;
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
    arguments.extend(DEBUGGING.iter().map(|argument| (*argument).to_owned()));
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

#[cfg(unix)]
const DEBUGGING: &[&str] = &["--remote-debugging-pipe"];

/// The browser reads commands from its third file and writes answers to its fourth. A shell puts
/// them there, which takes no unsafe code of ours, and becomes the browser.
#[cfg(unix)]
fn command(program: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null"])
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// Waits for the browser's first answer.
#[cfg(unix)]
async fn connect(child: &mut Child, _profile: &Path) -> Result<Connection, Error> {
    let failed = |reason: String| Error::BrowserStart { reason };
    let (Some(to_browser), Some(from_browser)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(failed("it has no pipes".to_owned()));
    };
    let connection = Connection::over_pipes(to_browser, from_browser);
    match connection.send_within("", "Browser.getVersion", serde_json::json!({}), PATIENCE).await {
        Ok(_) => Ok(connection),
        Err(Error::BrowserGone) => match child.wait().await {
            Ok(status) => Err(failed(format!("it ended at once with {status}"))),
            Err(error) => Err(failed(error.to_string())),
        },
        Err(_) => Err(failed(format!("it did not answer within {} s", PATIENCE.as_secs()))),
    }
}

#[cfg(not(unix))]
const DEBUGGING: &[&str] = &["--remote-debugging-address=127.0.0.1", "--remote-debugging-port=0"];

#[cfg(not(unix))]
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// The browser writes its port and path into its profile once it listens.
#[cfg(not(unix))]
async fn connect(child: &mut Child, profile: &Path) -> Result<Connection, Error> {
    let file = profile.join("DevToolsActivePort");
    let begun = std::time::Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Ok(text) = tokio::fs::read_to_string(&file).await {
            let mut lines = text.lines();
            if let (Some(port), Some(path)) = (lines.next(), lines.next())
                && port.parse::<u16>().is_ok()
            {
                return Connection::open(&format!("ws://127.0.0.1:{port}{path}")).await;
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
