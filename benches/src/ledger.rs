//! What a benchmark found, as TOML that a person can read in a diff.

use std::fmt::Write as _;
use std::time::Duration;

/// A ledger under construction.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    text: String,
}

impl Ledger {
    /// Begins with a sentence that says what the figures are.
    pub(crate) fn new(about: &str) -> Self {
        let mut ledger = Self::default();
        for line in about.lines() {
            let _ = writeln!(ledger.text, "# {line}");
        }
        ledger
    }

    /// A ledger that is written already.
    pub(crate) fn whole(text: String) -> Self {
        Self { text }
    }

    /// Begins a table.
    pub(crate) fn table(&mut self, name: &str) {
        let _ = writeln!(self.text, "\n[{}]", key(name));
    }

    /// A count.
    pub(crate) fn count(&mut self, name: &str, value: usize) {
        let _ = writeln!(self.text, "{} = {value}", key(name));
    }

    /// A ratio or share, with three digits behind the point.
    pub(crate) fn number(&mut self, name: &str, value: f64) {
        let _ = writeln!(self.text, "{} = {value:.3}", key(name));
    }

    /// A time in milliseconds.
    pub(crate) fn milliseconds(&mut self, name: &str, value: Duration) {
        let _ = writeln!(self.text, "{} = {:.2}", key(name), value.as_secs_f64() * 1e3);
    }

    /// A row of several numbers.
    pub(crate) fn row(&mut self, name: &str, cells: &[(&str, String)]) {
        let cells: Vec<String> = cells.iter().map(|(name, value)| format!("{} = {value}", key(name))).collect();
        let _ = writeln!(self.text, "{} = {{ {} }}", key(name), cells.join(", "));
    }

    /// The TOML.
    pub(crate) fn text(self) -> String {
        self.text
    }
}

/// A key, quoted when it needs to be.
fn key(name: &str) -> String {
    let bare = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { format!("{name:?}") }
}
