//! Cuts ASCII text 64 bytes at a time, with a bit for each byte: no branch depends on where words
//! end, which no processor can foretell.
//!
//! The patterns never look back: what stands before the beginning of a piece does not matter.

use super::pretokens::Pattern;

/// The bytes of a window.
pub(super) const SIZE: usize = 64;

/// A bit for each byte of a window, the first byte's is the lowest.
type Bits = u64;

/// What the patterns ask of ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Classes {
    letters: Bits,
    small: Bits,
    digits: Bits,
    spaces: Bits,
    line_feeds: Bits,
    slashes: Bits,
    /// What is left to the general rules: characters beyond ASCII, apostrophes, which may begin
    /// what belongs to the word before, and white space that is seldom seen.
    others: Bits,
}

/// What is known of the bytes from one on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window(Classes);

impl Window {
    #[inline]
    pub(super) fn of(bytes: &[u8; SIZE], pattern: Pattern) -> Self {
        let mut classes = classes(bytes);
        // Spaces before a line end belong to it, with all white space before them. Slashes behind
        // one belong to the signs before that, if there are any.
        classes.others |= classes.line_feeds & classes.spaces << 1;
        if pattern == Pattern::O200k {
            classes.others |= classes.slashes & classes.line_feeds << 1;
        }
        Self(classes)
    }

    /// Whether the window has something for the general rules at a byte or behind it.
    #[inline]
    pub(super) fn has_others(&self, from: usize) -> bool {
        from < SIZE && self.0.others >> from != 0
    }

    /// Where pieces end if one begins at `from`: a bit for each byte behind it, of which the lowest
    /// is `from` itself, that a further piece begins with. Pieces that the window does not tell the
    /// end of are not in it.
    #[inline]
    pub(super) fn piece_ends(&self, from: usize, pattern: Pattern) -> Bits {
        let [letters, small, digits, spaces, line_feeds, others] = {
            let Classes { letters, small, digits, spaces, line_feeds, others, .. } = self.0;
            [letters, small, digits, spaces, line_feeds, others].map(|bits| bits >> from)
        };
        let others = others | !(Bits::MAX >> from);
        let signs = !(letters | digits | spaces | line_feeds | others);
        let white = spaces | line_feeds;
        let after = |bits: Bits| bits << 1;
        let known = if others == 0 { Bits::MAX } else { (1 << others.trailing_zeros()) - 1 };
        // What spaces at the end belong to depends on what follows them.
        let last = (known & !spaces).checked_ilog2().unwrap_or(0);
        let known = known & Bits::MAX >> (Bits::BITS - 1 - last);

        // A space before signs belongs to them, line feeds behind them do.
        let first_signs = signs & !after(signs | spaces);
        let mut ends = first_signs | white & !after(white) & !(line_feeds & after(signs));
        // Of spaces only the last one can belong to what follows.
        ends |= spaces & after(white) & !(white >> 1) | spaces & after(line_feeds);
        // A space before a word belongs to it, and so does a sign if it stands alone.
        ends |= letters & !after(letters | spaces | first_signs);
        if pattern == Pattern::O200k {
            ends |= letters & !small & after(small);
        }
        // At most three digits.
        let mut third = digits & !after(digits);
        let three = digits & digits << 1 & digits << 2;
        while third != 0 {
            ends |= third;
            third = third << 3 & three;
        }
        // Nothing ends where the first piece begins.
        ends & known & !1
    }
}

/// The lowest bit of every byte, and the highest.
const LOWEST: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = LOWEST << 7;

/// Finds the classes of eight bytes at a time, with a comparison in the highest bit of each byte.
#[inline]
fn classes(window: &[u8; SIZE]) -> Classes {
    let mut classes = Classes::default();
    for (place, bytes) in window.as_chunks::<8>().0.iter().enumerate() {
        let bytes = u64::from_le_bytes(*bytes);
        let ascii = bytes & !HIGHEST;
        // No sum is greater than a byte.
        let at_least = |bytes: u64, least: u8| bytes + LOWEST * u64::from(0x80 - least);
        let between = |bytes, first, last| at_least(bytes, first) & !at_least(bytes, last + 1);
        let is = |byte: u8| !((ascii ^ (LOWEST * u64::from(byte))) + !HIGHEST);
        let letters = between(ascii | LOWEST << 5, b'a', b'z') & !bytes;
        let line_feeds = is(b'\n') & !bytes;
        let bits = |flags: u64| ((flags & HIGHEST) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * place);
        classes.letters |= bits(letters);
        classes.small |= bits(letters & bytes << 2);
        classes.digits |= bits(between(ascii, b'0', b'9') & !bytes);
        classes.spaces |= bits(is(b' ') & !bytes);
        classes.line_feeds |= bits(line_feeds);
        classes.slashes |= bits(is(b'/') & !bytes);
        classes.others |= bits(bytes | is(b'\'') | between(ascii, b'\t', b'\r') & !line_feeds);
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_classes_of_their_characters() {
        let bytes: Vec<u8> = (0..=255).cycle().take(256 + SIZE).collect();
        for window in bytes.windows(SIZE) {
            let window = window.first_chunk().expect("as long");
            let bits = |is: fn(u8) -> bool| (0..).zip(window).map(|(place, &byte)| u64::from(is(byte)) << place).sum();
            let expected = Classes {
                letters: bits(|byte| byte.is_ascii_alphabetic()),
                small: bits(|byte| byte.is_ascii_lowercase()),
                digits: bits(|byte| byte.is_ascii_digit()),
                spaces: bits(|byte| byte == b' '),
                line_feeds: bits(|byte| byte == b'\n'),
                slashes: bits(|byte| byte == b'/'),
                others: bits(|byte| !byte.is_ascii() || matches!(byte, b'\'' | b'\t' | 11 | 12 | b'\r')),
            };
            assert_eq!(classes(window), expected, "{window:?}");
        }
    }
}
