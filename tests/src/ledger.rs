//! Committed counts: a suite says how many cases pass and which do not, and a change of either
//! shows in the diff.

use std::path::PathBuf;

/// Compares a ledger's text with `tests/ledgers/NAME.toml`; with `BLESS=1` rewrites the file.
///
/// # Panics
/// When the text differs.
#[allow(clippy::panic, reason = "a test's verdict")]
#[allow(clippy::disallowed_methods, reason = "the switch of the test run")]
pub fn check(name: &str, text: &str) {
    let path: PathBuf = crate::project_root().join("tests/ledgers").join(format!("{name}.toml"));
    if std::env::var_os("BLESS").is_some() {
        if let Err(error) = std::fs::write(&path, text) {
            panic!("{}: {error}", path.display());
        }
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some((at, (was, is))) =
        committed.lines().chain(std::iter::repeat("")).zip(text.lines()).enumerate().find(|(_, (was, is))| was != is)
    {
        panic!("{}, line {}: was {was:?}, is {is:?}; run with BLESS=1 if that is right", path.display(), at + 1);
    }
    assert!(committed == text, "{}: shorter than before; run with BLESS=1 if that is right", path.display());
}
