//! Preprocessing of the input stream (HTML Standard, section 13.2.3.5).

use html5ever::tendril::StrTendril;
use memchr::memchr;

/// What a tendril can address, with room for what it keeps beside the text.
const MAX_BYTES: usize = u32::MAX as usize - (1 << 16);

/// A source as the tokenizer reads it.
pub(super) struct Source {
    /// The text, its lines ended by line feeds alone.
    pub(super) text: StrTendril,
    /// Whether the end is missing.
    pub(super) cut: bool,
}

pub(super) fn prepare(text: &str) -> Source {
    let kept = &text[..text.floor_char_boundary(MAX_BYTES)];
    Source { text: with_line_feeds(kept), cut: kept.len() < text.len() }
}

/// The text with each carriage return and line feed, and each lone carriage return, replaced by a
/// line feed. The one copy of the text that the tokens share.
fn with_line_feeds(text: &str) -> StrTendril {
    let Some(first) = memchr(b'\r', text.as_bytes()) else { return StrTendril::from_slice(text) };
    let mut result = StrTendril::with_capacity(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let (start, mut rest) = text.split_at(first);
    result.push_slice(start);
    while !rest.is_empty() {
        // The rest begins with a carriage return.
        let behind = rest.strip_prefix("\r\n").unwrap_or_else(|| &rest[1..]);
        let end = memchr(b'\r', behind.as_bytes()).unwrap_or(behind.len());
        result.push_char('\n');
        let (line, next) = behind.split_at(end);
        result.push_slice(line);
        rest = next;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_line_feeds() {
        for (text, expected) in [
            ("", ""),
            ("a\nb", "a\nb"),
            ("\r", "\n"),
            ("\r\n", "\n"),
            ("\r\r\n\n\r", "\n\n\n\n"),
            ("é\rß\r\nç", "é\nß\nç"),
        ] {
            assert_eq!(&*prepare(text).text, expected, "{text:?}");
        }
    }
}
