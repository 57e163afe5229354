//! Counting tokens, the unit that a model's user pays in.

/// Counts the tokens of a text in one encoding.
pub trait TokenCounter: Send + Sync {
    /// The number of tokens of `text`, special tokens read as plain text. Never panics, whatever
    /// the text.
    fn count(&self, text: &str) -> usize;
}

/// An estimate that needs no vocabulary: a token for every four characters, rounded up.
#[derive(Clone, Copy, Debug, Default)]
pub struct FourCharacters;

impl TokenCounter for FourCharacters {
    fn count(&self, text: &str) -> usize {
        text.chars().count().div_ceil(4)
    }
}

/// A row of the table of encodings.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Encoding {
    /// The name on the command line and in the envelope.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The counter. The first count of a real vocabulary loads it.
    pub counter: &'static dyn TokenCounter,
}

impl std::fmt::Debug for Encoding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}
