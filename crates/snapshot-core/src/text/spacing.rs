//! White space between words.

use super::bytes::ByteSet;

/// Where the words end that the text begins with and that have nothing but single spaces between
/// them: before the first other white space, or other character that `is_blank`, or before a space
/// that is not followed by a word. Blanks are white space and what `begins_blank` knows of.
#[inline]
pub(crate) fn end_of_words(text: &str, begins_blank: &ByteSet, is_blank: impl Fn(char) -> bool) -> usize {
    let bytes = text.as_bytes();
    // Whether a byte may end the words, given the one before it.
    let may_end = |before: u8, byte: u8| begins_blank[byte as usize] & ((byte != b' ') | (before == b' '));
    let mut before = b' ';
    let mut at = 0;
    let end = loop {
        // Most text is single words with single spaces: it is looked at without a branch a byte.
        while let Some(chunk) = bytes.get(at..at + BYTES_AT_ONCE) {
            let mut last = before;
            let ends = chunk.iter().fold(false, |ends, &byte| {
                let found = ends | may_end(last, byte);
                last = byte;
                found
            });
            if ends {
                break;
            }
            before = last;
            at += BYTES_AT_ONCE;
        }
        let Some(&byte) = bytes.get(at) else { break at };
        let step = if may_end(before, byte) {
            match text[at..].chars().next() {
                Some(character) if !is_blank(character) => character.len_utf8(),
                _ => break at,
            }
        } else {
            1
        };
        at += step;
        before = byte;
    };
    // A space before the end is not between words.
    if end > 0 && bytes[end - 1] == b' ' { end - 1 } else { end }
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
        ] {
            let text = format!("{words}{rest}");
            assert_eq!(end_of_words(&text, &MAY_BEGIN_SPACE, char::is_whitespace), words.len(), "{text:?}");
        }
    }

    #[test]
    fn all_white_space_is_found_by_its_first_byte() {
        for character in (0..=0x0010_ffff).filter_map(char::from_u32).filter(|character| character.is_whitespace()) {
            assert!(MAY_BEGIN_SPACE[character.to_string().as_bytes()[0] as usize], "{character:?}");
        }
    }
}
