//! `cargo xtask e2e`: third-party apps in an environment of their own, and the agent at work in
//! them. Needs Python, Chromium and, the first time, a package index.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{Step, say};

/// What is installed; other versions word their pages differently.
const PACKAGES: &[&str] = &["django==5.2.*", "sqlite-web==0.8.*"];

/// Runs the scripts of `crates/agent/examples/e2e` with the apps of an interpreter: the one that
/// is given, else one of our own below `target`.
pub(crate) fn run(root: &Path, python: Option<&str>) -> Result<()> {
    let python = match python {
        Some(python) => python.to_owned(),
        None => install(root)?.to_string_lossy().into_owned(),
    };
    let mut arguments = vec!["run", "--package", "snapshot-agent", "--example", "e2e", "--locked", "--", &python];
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if is_root {
        say("== the browser's sandbox is off, which does not work for root; the pages are those of the apps alone");
        arguments.push("--no-sandbox");
    }
    Step::new("end to end", &arguments).run()
}

/// Makes the environment unless it is there.
fn install(root: &Path) -> Result<PathBuf> {
    let folder = root.join("target").join("e2e");
    let python = folder.join("bin").join("python");
    // It is whole once the packages are there, whatever broke off an earlier time.
    let mark = folder.join("installed.txt");
    let wanted = PACKAGES.join("\n");
    if std::fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    say(&format!("== installing {} into {}", PACKAGES.join(", "), folder.display()));
    call(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    call(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
    std::fs::write(&mark, wanted)?;
    Ok(python)
}

fn call(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?} could not be started"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}
