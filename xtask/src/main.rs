//! `cargo xtask ci` is what a change must pass; `cargo xtask bless` rewrites what tests compare
//! with, for a person to read in the diff.

mod e2e;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
cargo xtask ci          format, lints, documentation, tests, tidiness
cargo xtask ci --full   the same, and licences, bans and sources of dependencies (installs cargo-deny if missing)
cargo xtask tidy        what no other tool looks at: lengths, paths, boundaries
cargo xtask e2e         the agent at work in apps of others: installs them into target/e2e (PYTHON: takes them from there)
cargo xtask bless       rewrite golden files, ledgers and the README's tour";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["ci"] => ci(false),
        ["ci", "--full"] => ci(true),
        ["tidy"] => tidy::check(&root()),
        ["bless"] => bless(),
        ["e2e"] => e2e::run(&root(), None),
        ["e2e", python] => e2e::run(&root(), Some(python)),
        _ => bail!("usage:\n{USAGE}"),
    }
}

fn ci(full: bool) -> Result<()> {
    let mut steps = vec![
        Step::new("format", &["fmt", "--all", "--check"]),
        Step::new("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
        Step::new("documentation", &["doc", "--workspace", "--no-deps", "--locked"])
            .with("RUSTDOCFLAGS", "-D warnings"),
    ];
    ensure_browser();
    steps.push(Step::new("tests", &["test", "--workspace", "--locked"]));
    if full {
        ensure_tool("cargo-deny", "0.20.2")?;
        steps.push(Step::new("licences, bans, sources", &["deny", "check", "licenses", "bans", "sources"]));
    }
    for step in steps {
        step.run()?;
    }
    tidy::check(&root())
}

fn bless() -> Result<()> {
    let suites = ["-p", "snapshot-tests", "-p", "snapshot-cli"];
    let mut arguments = vec!["test", "--locked", "--no-fail-fast"];
    arguments.extend(suites);
    Step::new("bless", &arguments).with("BLESS", "1").run()
}

/// A cargo command with its name.
struct Step<'step> {
    name: &'step str,
    arguments: Vec<&'step str>,
    environment: Vec<(&'step str, &'step str)>,
}

impl<'step> Step<'step> {
    fn new(name: &'step str, arguments: &[&'step str]) -> Self {
        Self { name, arguments: arguments.to_vec(), environment: Vec::new() }
    }

    fn with(mut self, variable: &'step str, value: &'step str) -> Self {
        self.environment.push((variable, value));
        self
    }

    fn run(&self) -> Result<()> {
        say(&format!("== {}: cargo {}", self.name, self.arguments.join(" ")));
        let status = Command::new(env!("CARGO"))
            .args(&self.arguments)
            .envs(self.environment.iter().copied())
            .current_dir(root())
            .status()
            .with_context(|| format!("cargo {} could not be started", self.arguments.join(" ")))?;
        if !status.success() {
            bail!("{} failed; run `cargo {}` to see it alone", self.name, self.arguments.join(" "));
        }
        Ok(())
    }
}

/// Chromium judges locators. Without it the tests that ask it say that they were skipped; on a
/// Debian machine where we are root it is installed first.
fn ensure_browser() {
    let known = ["chromium", "chromium-browser", "google-chrome"];
    let found = known
        .iter()
        .any(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    if found {
        return;
    }
    let debian = Path::new("/etc/debian_version").exists();
    let root_user = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if debian && root_user {
        say("== browser: installing chromium, which judges locators");
        let update = Command::new("apt-get").args(["update", "-qq"]).status();
        let install = Command::new("apt-get")
            .args(["install", "-y", "-qq", "--no-install-recommends", "chromium"])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status();
        if update.is_ok() && install.is_ok_and(|status| status.success()) {
            return;
        }
    }
    say("== browser: chromium is missing, so the tests that ask it are skipped \
         (Debian: apt-get install -y --no-install-recommends chromium)");
}

fn ensure_tool(tool: &str, version: &str) -> Result<()> {
    if Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    Step::new("install", &["install", "--locked", tool, "--version", version]).run()
}

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

#[allow(clippy::print_stderr, reason = "progress of a script")]
fn say(text: &str) {
    eprintln!("{text}");
}
