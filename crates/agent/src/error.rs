//! What can go wrong between the agent and its browser, and what to do about it.

use std::time::Duration;

/// An error of the agent's library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No browser was found.
    #[error(
        "no Chromium was found; install one (Debian: apt-get install -y --no-install-recommends chromium) or name it with --browser"
    )]
    NoBrowser,
    /// The browser did not start.
    #[error("the browser did not start: {reason}")]
    BrowserStart {
        /// What it said, or what was seen.
        reason: String,
    },
    /// The sandbox does not work for this user.
    #[error(
        "Chromium's sandbox does not work for root; run as another user, or switch the sandbox off with --no-sandbox if every page that will be opened is trusted"
    )]
    Sandbox,
    /// The connection is gone: the browser ended or was closed.
    #[error("the browser is gone; start again")]
    BrowserGone,
    /// The browser refused a command.
    #[error("the browser refused {method}: {message}")]
    Refused {
        /// The command.
        method: String,
        /// The browser's words.
        message: String,
    },
    /// The browser did not answer in time.
    #[error("the browser did not answer {method} within {} s", limit.as_secs_f64())]
    Timeout {
        /// The command.
        method: String,
        /// How long it was waited for.
        limit: Duration,
    },
    /// The browser answered what cannot be read.
    #[error("the browser's answer to {method} cannot be read: {reason}")]
    Answer {
        /// The command.
        method: String,
        /// What is wrong.
        reason: String,
    },
    /// The page cannot be read.
    #[error(transparent)]
    Page(#[from] snapshot_core::Error),
    /// A trace would be written over another.
    #[error("{} is there already; remove it or name another file with --trace", path.display())]
    TraceExists {
        /// The file.
        path: std::path::PathBuf,
    },
    /// A file or the connection failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
