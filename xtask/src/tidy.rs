//! Rules of the house that no other tool looks at.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The longest a source file may be, in lines. Past 600 there are two ideas in it; tables of
/// names and the like are one idea of many lines.
const MAX_LINES: usize = 600;
const LONG_TABLES: &[&str] = &["crates/snapshot-core/src/document/names.rs"];

/// What the core must never depend on: input and output, async, protocols' JSON, other parsers.
const CORE_BANS: &[&str] = &[
    "tokio",
    "serde_json",
    "reqwest",
    "hyper",
    "mio",
    "async-std",
    "html5ever",
    "markup5ever_rcdom",
    "kuchikiki",
    "serde_yaml",
];

/// Checks all rules and lists every violation.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut faults = Vec::new();
    let files = tracked_files(root)?;
    for file in &files {
        let Ok(text) = fs::read_to_string(root.join(file)) else { continue };
        check_source(file, &text, &mut faults);
        check_paths_of_machines(file, &text, &mut faults);
    }
    check_architecture(root, &mut faults)?;
    check_core_dependencies(root, &mut faults)?;
    if faults.is_empty() {
        return Ok(());
    }
    bail!("{} violation(s) of the rules of the house:\n  {}", faults.len(), faults.join("\n  "))
}

fn tracked_files(root: &Path) -> Result<Vec<String>> {
    let output =
        Command::new("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]).current_dir(root).output();
    let output = output.context("git could not be started")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn check_source(file: &str, text: &str, faults: &mut Vec<String>) {
    if !file.ends_with(".rs") {
        return;
    }
    let lines = text.lines().count();
    if lines > MAX_LINES && !LONG_TABLES.contains(&file) {
        faults.push(format!("{file} has {lines} lines, more than {MAX_LINES}: two ideas in one file?"));
    }
    if !text.starts_with("//!") && !file.ends_with("build.rs") {
        faults.push(format!("{file} does not begin by saying what it is for (`//! …`)"));
    }
}

/// Paths of somebody's machine mean nothing elsewhere.
fn check_paths_of_machines(file: &str, text: &str, faults: &mut Vec<String>) {
    let home = concat!("/ho", "me/");
    let root = concat!("/ro", "ot/");
    let pages = file.starts_with("corpora/") || file == "Cargo.lock";
    if !pages && (text.contains(home) || text.contains(root)) {
        faults.push(format!("{file} holds a path of a machine"));
    }
}

/// Every path that the architecture document names in backticks exists.
fn check_architecture(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let code = text.split('`').skip(1).step_by(2);
    for path in code.filter(|code| code.contains('/') && !code.contains([' ', '*', '<', '$', '{', ':'])) {
        let exists = root.join(path).exists() || root.join("crates/snapshot-core/src").join(path).exists();
        if !exists && !path.starts_with('/') {
            faults.push(format!("ARCHITECTURE.md names `{path}`, which is not there"));
        }
    }
    Ok(())
}

fn check_core_dependencies(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", "snapshot-core", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(root)
        .output()
        .context("cargo tree could not be started")?;
    let tree = String::from_utf8_lossy(&output.stdout);
    if tree.is_empty() {
        faults.push("cargo tree printed nothing for snapshot-core".to_owned());
    }
    for crate_name in tree.lines().filter_map(|line| line.split(' ').next()) {
        if CORE_BANS.contains(&crate_name) {
            faults.push(format!("snapshot-core depends on {crate_name}, which it must not"));
        }
    }
    Ok(())
}
