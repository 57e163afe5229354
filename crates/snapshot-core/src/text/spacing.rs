//! White space between words.

use std::borrow::Cow;

use super::bytes::ByteSet;

/// The characters of a text but for white space: what two texts say can be the same where they
/// break their words differently.
pub(crate) fn without_blanks(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|character| !character.is_whitespace())
}

/// The text's words with single spaces between them.
pub(crate) fn on_one_line(text: &str) -> Cow<'_, str> {
    if end_of_words(text, char::is_whitespace) == text.len() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Where the words end that the text begins with and that have nothing but single spaces between
/// them: before the first character that `is_blank`, unless that is a space followed by a word.
/// All blanks begin with the bytes of [`MAY_BEGIN_SPACE`].
#[inline]
pub(crate) fn end_of_words(text: &str, is_blank: impl Fn(char) -> bool) -> usize {
    let Some(first) = text.chars().next().filter(|&first| !is_blank(first)) else { return 0 };
    let bytes = text.as_bytes();
    let mut at = first.len_utf8();
    let end = loop {
        at = match next_doubt(bytes, at) {
            Some(doubt) => doubt,
            None => break bytes.len(),
        };
        match text[at..].chars().next() {
            Some(character) if character != ' ' && !is_blank(character) => at += character.len_utf8(),
            _ => break at,
        }
    };
    // A space before the end is not between words.
    if bytes[end - 1] == b' ' { end - 1 } else { end }
}

/// From `from` on, which is not 0, the first byte that a blank may begin with, but for a space
/// behind another byte.
fn next_doubt(bytes: &[u8], from: usize) -> Option<usize> {
    let is_doubtful = |&before: &u8, &byte: &u8| {
        let begins_other = (byte < b' ') | (byte == 0xc2) | (byte.wrapping_sub(0xe1) <= 2);
        begins_other | ((byte == b' ') & (before == b' '))
    };
    let mut at = from;
    if bytes.get(at).is_some_and(|byte| is_doubtful(&bytes[at - 1], byte)) {
        return Some(at);
    }
    // Most text is words and single spaces, which are looked at without a branch for each byte.
    let is_clean = |at: usize| {
        bytes.get(at..at + BYTES_AT_ONCE).is_some_and(|chunk| {
            let pairs = bytes[at - 1..].iter().zip(chunk);
            !pairs.fold(false, |found, (before, byte)| found | is_doubtful(before, byte))
        })
    };
    while is_clean(at) {
        at += BYTES_AT_ONCE;
    }
    // The rest is looked at together with what is before it.
    let is_rest = bytes.len() - at < BYTES_AT_ONCE && bytes.len() > BYTES_AT_ONCE;
    if at == bytes.len() || (is_rest && is_clean(bytes.len() - BYTES_AT_ONCE)) {
        return None;
    }
    let mut pairs = bytes[at - 1..].iter().zip(&bytes[at..]);
    pairs.position(|(before, byte)| is_doubtful(before, byte)).map(|offset| at + offset)
}

const BYTES_AT_ONCE: usize = 16;

/// Whether white space (Unicode, `White_Space`) can begin with each byte: that of ASCII, and the
/// first bytes in UTF-8 of all others.
pub(crate) const MAY_BEGIN_SPACE: ByteSet = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = matches!(byte, 0x09..=0x0d | 0x20 | 0xc2 | 0xe1..=0xe3);
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_before_what_is_no_single_space() {
        for (words, rest) in [
            ("", ""),
            ("", " a"),
            ("a", ""),
            ("a", " "),
            ("a b", ""),
            ("a b", "  c"),
            ("a", "\nb"),
            ("a", " \nb"),
            ("é – “ö”", "\u{a0}b"),
            ("é – “ö”", " \u{2003}b"),
            ("one two three four five six", "\tb"),
            ("one two three four", "  five six"),
            ("one two three fo", " "),
            ("one two three four five six", ""),
            ("one two three – four five", ""),
            ("one two three – four five", "  six"),
        ] {
            let text = format!("{words}{rest}");
            assert_eq!(end_of_words(&text, char::is_whitespace), words.len(), "{text:?}");
        }
    }

    #[test]
    fn words_that_stand_on_one_line_are_not_copied() {
        assert!(matches!(on_one_line("one two – three"), Cow::Borrowed("one two – three")));
        for spaced in [" one two", "one two ", "one  two", "one\u{a0}two", "\none\ttwo\r\n"] {
            assert_eq!(on_one_line(spaced), "one two", "{spaced:?}");
        }
    }

    #[test]
    fn all_white_space_is_found_by_its_first_byte() {
        for character in (0..=0x0010_ffff).filter_map(char::from_u32).filter(|character| character.is_whitespace()) {
            assert!(MAY_BEGIN_SPACE[character.to_string().as_bytes()[0] as usize], "{character:?}");
        }
    }
}
