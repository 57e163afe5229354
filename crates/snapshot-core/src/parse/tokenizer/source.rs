//! The source: preprocessing of the input stream (HTML Standard, section 13.2.3.5), and the
//! stretches of it that tokens share.

use std::borrow::Cow;
use std::ops::Range;

use html5ever::tendril::StrTendril;
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

/// Hands out stretches of a source in the form that tokens have. Those behind one another share a
/// copy of a part of the source, which is small enough to stay in the processor's cache.
#[derive(Default)]
pub(super) struct Window {
    start: usize,
    text: StrTendril,
}

impl Window {
    /// The bytes that are copied at once.
    const LENGTH: usize = 1 << 15;

    /// A longer stretch has a copy of its own.
    const LONGEST_SHARED: usize = Self::LENGTH / 4;

    /// What a tendril holds in itself.
    const INLINE: usize = 8;

    /// A stretch of the source, which must begin and end between characters.
    #[inline]
    pub(super) fn span(&mut self, source: &str, range: Range<usize>) -> StrTendril {
        if range.len() <= Self::INLINE {
            return StrTendril::from_slice(source.get(range).unwrap_or_default());
        }
        if range.start < self.start || range.end - self.start > self.text.len() {
            if range.len() > Self::LONGEST_SHARED {
                return copied(source, range);
            }
            self.move_to(source, range.start);
        }
        #[allow(clippy::cast_possible_truncation, reason = "both are at most the window's length")]
        let (offset, length) = ((range.start - self.start) as u32, range.len() as u32);
        self.text.try_subtendril(offset, length).unwrap_or_default()
    }

    #[cold]
    fn move_to(&mut self, source: &str, start: usize) {
        let end = source.floor_char_boundary(start + Self::LENGTH);
        self.start = start;
        self.text = StrTendril::from_slice(source.get(start..end).unwrap_or_default());
    }
}

/// A copy of a stretch of the source. What is longer than a token can be is cut; the arena could
/// not hold it either.
fn copied(source: &str, range: Range<usize>) -> StrTendril {
    let text = source.get(range).unwrap_or_default();
    StrTendril::from_slice(&text[..text.floor_char_boundary(super::MAX_TOKEN_BYTES)])
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

    #[test]
    fn stretches_are_those_of_the_source_wherever_the_window_is() {
        check(&(0..20_000).map(|number| format!("{number} ä€ ")).collect::<String>());
        check(&(0..40_000).map(|number| format!("{number} ")).collect::<String>());
    }

    fn check(source: &str) {
        let mut window = Window::default();
        let mut start = 0;
        for step in (0..4_000).chain([40_000, 9_000, 5]) {
            let end = source.floor_char_boundary(start + step % 97 + step / 40);
            assert_eq!(&*window.span(source, start..end), &source[start..end]);
            start = if step % 3 == 0 { source.floor_char_boundary(end.saturating_sub(20)) } else { end };
        }
        assert_eq!(&*window.span(source, 0..source.floor_char_boundary(30)), &source[..source.floor_char_boundary(30)]);
    }
}
