//! How many instructions a conversion takes: a count that does not depend on how busy the machine
//! is, so that a change which makes the program slower shows.
//!
//! Valgrind counts while the release binary converts the project's own pages. The counts are
//! committed in `benches/ledgers/instructions.toml` with the compiler and kind of processor that they belong to.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{Step, say};

/// What is counted: a name and the arguments of `snapshot convert`.
const WORK: &[(&str, &[&str])] = &[
    ("ax", &["--to", "ax"]),
    ("html", &["--to", "html"]),
    ("list", &["--to", "list"]),
    ("markdown", &["--to", "markdown"]),
    ("ax within 512 tokens", &["--to", "ax", "--budget", "512"]),
    ("markdown within 512 tokens", &["--to", "markdown", "--budget", "512"]),
];

/// The share in hundredths by which a count may differ from the ledger's: what an unrelated change
/// does to inlining and hashing, and another system's C library.
const MARGIN: u64 = 5;

/// Counts, and compares with the ledger or rewrites it. Without Valgrind, or with another compiler
/// than the ledger's, it says so and passes.
pub(crate) fn check(root: &Path, write: bool) -> Result<()> {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        say(
            "== instructions: skipped, valgrind is missing (Debian: apt-get install -y --no-install-recommends valgrind)",
        );
        return Ok(());
    }
    let compiler = compiler()?;
    let path = root.join("benches/ledgers/instructions.toml");
    let ledger = std::fs::read_to_string(&path).unwrap_or_default();
    if !write && !ledger.contains(&format!("compiler = \"{compiler}\"")) {
        say(&format!(
            "== instructions: skipped, the ledger belongs to another compiler than {compiler} \
             (`cargo xtask instructions --write` counts anew)"
        ));
        return Ok(());
    }
    Step::new("release", &["build", "--release", "--locked", "-p", "snapshot-cli"]).run()?;
    let pages = pages(root)?;
    let mut counted = format!(
        "# Millions of instructions to convert the {} pages of `corpora`, as Valgrind counts them.\n\
         # `cargo xtask instructions` compares, `cargo xtask instructions --write` writes.\n\n\
         compiler = \"{compiler}\"\n\n[millions]\n",
        pages.len()
    );
    let mut slower = Vec::new();
    for (name, arguments) in WORK {
        let millions = count(root, arguments, &pages)? / 1_000_000;
        let line = format!("\"{name}\" = {millions}");
        say(&line);
        writeln!(counted, "{line}")?;
        let before = committed(&ledger, name);
        match before {
            Some(before) if 100 * millions <= (100 + MARGIN) * before => {
                if 100 * millions < (100 - MARGIN) * before {
                    say(&format!("{name} took {before} before: write the ledger, so that this stays"));
                }
            }
            Some(before) => slower.push(format!("{name}: {millions} million instructions, {before} before")),
            None => slower.push(format!("{name} is not in the ledger")),
        }
    }
    if write {
        return std::fs::write(&path, counted).with_context(|| path.display().to_string());
    }
    if !slower.is_empty() {
        bail!("{}\nif that is worth it, run `cargo xtask instructions --write`", slower.join("\n"));
    }
    Ok(())
}

/// The instructions of one run over all pages.
fn count(root: &Path, arguments: &[&str], pages: &[PathBuf]) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(root.join("target/release/snapshot"))
        .args(["convert", "--jobs", "1"])
        .args(arguments)
        .args(pages)
        .output()
        .context("valgrind could not be started")?;
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("the conversion failed:\n{report}");
    }
    let collected = report.lines().find_map(|line| line.split_once("Collected : ")).map(|(_, count)| count.trim());
    collected.and_then(|count| count.parse().ok()).with_context(|| format!("no count in what valgrind says:\n{report}"))
}

fn committed(ledger: &str, name: &str) -> Option<u64> {
    let line = ledger.lines().find_map(|line| line.strip_prefix(&format!("\"{name}\" = ")))?;
    line.trim().parse().ok()
}

fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let folder = root.join("corpora");
    let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut pages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path().join("page.html")).collect();
    pages.retain(|page| page.is_file());
    pages.sort();
    Ok(pages)
}

/// The compiler and the kind of processor, such as `rustc 1.95.0, x86_64 with AVX2`: searching in
/// bytes takes what the processor has.
fn compiler() -> Result<String> {
    let output = Command::new("rustc").arg("--version").output().context("rustc could not be started")?;
    let version = String::from_utf8_lossy(&output.stdout);
    let version = version.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    #[cfg(target_arch = "x86_64")]
    let wide = if std::is_x86_feature_detected!("avx2") { " with AVX2" } else { "" };
    #[cfg(not(target_arch = "x86_64"))]
    let wide = "";
    Ok(format!("{version}, {}{wide}", std::env::consts::ARCH))
}
