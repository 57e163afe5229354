//! Golden files: what we write, committed, so that a change shows in the diff.

use std::fs;
use std::path::Path;

/// Compares text with a golden file. With `BLESS` in the environment the file is rewritten
/// instead, for a person to read in the diff.
///
/// # Errors
/// Says where the first difference is, and how to accept it.
pub fn compare(golden: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("BLESS").is_some() {
        if let Some(folder) = golden.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        return fs::write(golden, actual).map_err(|error| format!("{}: {error}", golden.display()));
    }
    let expected = fs::read_to_string(golden)
        .map_err(|error| format!("{}: {error}; `cargo xtask bless` writes it", golden.display()))?;
    if expected == actual {
        return Ok(());
    }
    let line = expected.lines().zip(actual.lines()).take_while(|(expected, actual)| expected == actual).count();
    Err(format!(
        "{}:{} differs\n  golden: {}\n  actual: {}\n  `cargo xtask bless` accepts it",
        golden.display(),
        line + 1,
        expected.lines().nth(line).unwrap_or("(end)"),
        actual.lines().nth(line).unwrap_or("(end)"),
    ))
}

/// Fails with all messages at once.
///
/// # Panics
/// When there is any message.
#[allow(clippy::panic, reason = "this is how a test fails")]
pub fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} fault(s):\n{}", faults.len(), faults.join("\n"));
}
