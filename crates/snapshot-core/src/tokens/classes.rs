//! The classes of characters that the vocabularies' patterns speak of, as `build.rs` lays them out.

/// A set of classes, a bit each. Every character is in one.
pub(super) type Classes = u8;

/// `\p{Ll}`
pub(super) const LOWER: Classes = 1;
/// `\p{Lu}`, `\p{Lt}`
pub(super) const UPPER: Classes = 1 << 1;
/// `\p{Lm}`, `\p{Lo}`: letters without case.
pub(super) const CASELESS: Classes = 1 << 2;
/// `\p{M}`
pub(super) const MARK: Classes = 1 << 3;
/// `\p{N}`
pub(super) const NUMBER: Classes = 1 << 4;
/// Carriage return and line feed.
pub(super) const LINE_END: Classes = 1 << 5;
/// Other white space.
pub(super) const SPACE: Classes = 1 << 6;
/// Everything else.
pub(super) const SIGN: Classes = 1 << 7;

/// `\p{L}`
pub(super) const LETTER: Classes = LOWER | UPPER | CASELESS;
/// `\s`
pub(super) const WHITE_SPACE: Classes = SPACE | LINE_END;

static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes"));

/// Characters of a page of the table.
const PAGE: usize = 256;

/// Where the pages begin.
const PAGES: usize = 2 * 0x11_0000 / PAGE;

/// The class of the character at a place and its length in bytes; nothing at the end.
#[inline]
pub(super) fn class_at(text: &str, at: usize) -> (Classes, usize) {
    match text.as_bytes().get(at) {
        None => (0, 0),
        // The first page of the table is that of ASCII and Latin-1.
        Some(&byte) if byte.is_ascii() => (TABLE[PAGES + usize::from(byte)], 1),
        Some(_) => class_beyond_ascii(text, at),
    }
}

fn class_beyond_ascii(text: &str, at: usize) -> (Classes, usize) {
    let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) else { return (0, 0) };
    let code = character as usize;
    let page = match TABLE.get(2 * (code / PAGE)..) {
        Some(&[low, high, ..]) => usize::from(u16::from_le_bytes([low, high])),
        _ => return (SIGN, character.len_utf8()),
    };
    (TABLE.get(PAGES + page * PAGE + code % PAGE).copied().unwrap_or(SIGN), character.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_the_class_that_the_standard_library_would_give_them() {
        for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
            let text = character.to_string();
            let (class, length) = class_at(&text, 0);
            assert_eq!((class.count_ones(), length), (1, character.len_utf8()), "{character:?}");
            assert_eq!(class & WHITE_SPACE != 0, character.is_whitespace(), "{character:?}");
            if class & (LETTER | MARK) == 0 {
                assert!(!character.is_lowercase() || class & (SIGN | NUMBER) != 0, "{character:?}");
            }
        }
        for (text, class) in [
            ("a", LOWER),
            ("Z", UPPER),
            ("ǅ", UPPER),
            ("漢", CASELESS),
            ("\u{301}", MARK),
            ("٣", NUMBER),
            ("½", NUMBER),
            ("\r", LINE_END),
            ("\u{3000}", SPACE),
            ("_", SIGN),
            ("😀", SIGN),
        ] {
            assert_eq!(class_at(text, 0).0, class, "{text:?}");
        }
    }
}
