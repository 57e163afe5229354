//! Runs the built program in a folder of its own.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this module")]

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The page that most tests convert.
pub const PAGE: &str = "<!DOCTYPE html><title>Ferry</title><main><h1>Ferry times</h1>\
    <p hidden>Staff only</p><p>Boats leave at noon. <a href=/book>Book a seat</a></main>\
    <form><input type=email aria-label=Email><button>Send</button></form>";

pub struct Folder(tempfile::TempDir);

pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub took: Duration,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and the folders above it.
    pub fn with(self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("has a folder")).expect("made");
        std::fs::write(path, content).expect("written");
        self
    }

    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The names in the folder and below it, in order.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("is a folder").flatten() {
                if entry.file_type().expect("has a type").is_dir() {
                    folders.push(entry.path());
                } else {
                    let path = entry.path();
                    names.push(path.strip_prefix(self.0.path()).expect("is below").display().to_string());
                }
            }
        }
        names.sort();
        names
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_snapshot"));
        command.current_dir(self.0.path()).env("RUST_BACKTRACE", "1").stdin(Stdio::null());
        command
    }

    pub fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Done {
        finish(self.command().args(arguments))
    }

    /// Runs words that have no blanks in them.
    pub fn sh(&self, line: &str) -> Done {
        self.run(line.split_whitespace())
    }

    pub fn run_with_input(&self, line: &str, input: &[u8]) -> Done {
        let mut command = self.command();
        command.args(line.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let begun = Instant::now();
        let mut child = command.spawn().expect("starts");
        // The program may stop reading early.
        let _ = child.stdin.take().expect("is piped").write_all(input);
        done(child.wait_with_output().expect("ends"), begun)
    }
}

impl Done {
    #[track_caller]
    pub fn succeeds(self) -> Self {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self
    }

    /// Ends with this code and an error that has all these words; never with a panic's text.
    #[track_caller]
    pub fn fails(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.err);
        for word in words {
            assert!(self.err.contains(word), "{word:?} is not in: {}", self.err);
        }
        for word in ["panicked", "RUST_BACKTRACE", "stack backtrace"] {
            assert!(!self.err.contains(word), "{}", self.err);
        }
        self
    }

    #[track_caller]
    pub fn within(self, seconds: u64) -> Self {
        assert!(self.took < Duration::from_secs(seconds), "took {:?}", self.took);
        self
    }
}

pub fn finish(command: &mut Command) -> Done {
    let begun = Instant::now();
    done(command.output().expect("starts"), begun)
}

fn done(output: Output, begun: Instant) -> Done {
    Done {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        took: begun.elapsed(),
    }
}
