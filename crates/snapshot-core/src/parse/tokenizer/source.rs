//! The source: preprocessing of the input stream (HTML Standard, section 13.2.3.5).

use std::borrow::Cow;

use memchr::memchr;

/// The text with each carriage return and line feed, and each lone carriage return, replaced by a
/// line feed.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr(b'\r', text.as_bytes()) else { return Cow::Borrowed(text) };
    let (start, mut rest) = text.split_at(first);
    let mut result = String::with_capacity(text.len());
    result.push_str(start);
    while !rest.is_empty() {
        // The rest begins with a carriage return.
        let behind = rest.strip_prefix("\r\n").unwrap_or_else(|| &rest[1..]);
        let end = memchr(b'\r', behind.as_bytes()).unwrap_or(behind.len());
        let (line, next) = behind.split_at(end);
        result.push('\n');
        result.push_str(line);
        rest = next;
    }
    Cow::Owned(result)
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
            assert_eq!(with_line_feeds(text), expected, "{text:?}");
        }
    }
}
