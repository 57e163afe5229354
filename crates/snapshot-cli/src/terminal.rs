//! What reaches the person: control characters of a page never get to a terminal raw.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{BufWriter, ErrorKind, IsTerminal, Stdout, Write as _};

use anyhow::Context;

use crate::failure::NobodyReads;

/// Standard output. A pipe or file gets the bytes unchanged; on a terminal control characters
/// other than line ends and tabs are made visible.
pub(crate) struct StandardOutput {
    out: BufWriter<Stdout>,
    terminal: bool,
}

impl StandardOutput {
    pub(crate) fn new() -> Self {
        let out = std::io::stdout();
        Self { terminal: out.is_terminal(), out: BufWriter::with_capacity(1 << 16, out) }
    }

    pub(crate) fn write(&mut self, text: &str) -> anyhow::Result<()> {
        let text = if self.terminal { visible(text, is_terminal_control) } else { Cow::Borrowed(text) };
        to_error(self.out.write_all(text.as_bytes()))
    }

    /// Must be called at the end: what is still buffered may not find room.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        to_error(self.out.flush())
    }
}

fn to_error(result: std::io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(NobodyReads.into()),
        other => other.context("cannot write to standard output"),
    }
}

/// Prints text to standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = StandardOutput::new();
    out.write(text)?;
    out.finish()
}

/// Prints one line to standard error, whatever is in `text`.
pub(crate) fn message(kind: &str, text: &str) {
    // There is nowhere left to report that standard error cannot be written.
    let _ = writeln!(std::io::stderr(), "{kind}: {}", one_line(text));
}

/// The text with everything visible that moves a cursor, ends a line or turns its direction.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    visible(text, |character| {
        character.is_control()
            || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

fn is_terminal_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// Replaces the characters by escapes that YAML and JSON strings know too.
fn visible(text: &str, hide: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&hide) else { return Cow::Borrowed(text) };
    let (clean, rest) = text.split_at(first);
    let mut escaped = clean.to_owned();
    for character in rest.chars() {
        if hide(character) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{:04x}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_made_visible() {
        for (text, on_terminal, in_message) in [
            ("plain é 日本", "plain é 日本", "plain é 日本"),
            ("\u{1b}[31m\n\tred", "\\u001b[31m\n\tred", "\\u001b[31m\\u000a\\u0009red"),
            ("\u{9b}1m\u{7f}\r", "\\u009b1m\\u007f\\u000d", "\\u009b1m\\u007f\\u000d"),
            ("a\u{202e}b", "a\u{202e}b", "a\\u202eb"),
            ("\u{1b}]8;;http://x\u{7}", "\\u001b]8;;http://x\\u0007", "\\u001b]8;;http://x\\u0007"),
        ] {
            assert_eq!(visible(text, is_terminal_control), on_terminal);
            assert_eq!(one_line(text), in_message);
        }
    }
}
