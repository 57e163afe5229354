//! Character references: the states from 13.2.5.72 on.

/// The names of characters, which `build.rs` takes over: in the order of their bytes, with or
/// without a semicolon as they are known, and what they stand for.
static NAMES: &[(&str, char, Option<char>)] = &include!(concat!(env!("OUT_DIR"), "/character_references"));

/// What the numbers from 0x80 on stand for, which were those of windows-1252 on old pages.
const WINDOWS_1252: [Option<char>; 32] = [
    Some('\u{20ac}'),
    None,
    Some('\u{201a}'),
    Some('\u{192}'),
    Some('\u{201e}'),
    Some('\u{2026}'),
    Some('\u{2020}'),
    Some('\u{2021}'),
    Some('\u{2c6}'),
    Some('\u{2030}'),
    Some('\u{160}'),
    Some('\u{2039}'),
    Some('\u{152}'),
    None,
    Some('\u{17d}'),
    None,
    None,
    Some('\u{2018}'),
    Some('\u{2019}'),
    Some('\u{201c}'),
    Some('\u{201d}'),
    Some('\u{2022}'),
    Some('\u{2013}'),
    Some('\u{2014}'),
    Some('\u{2dc}'),
    Some('\u{2122}'),
    Some('\u{161}'),
    Some('\u{203a}'),
    Some('\u{153}'),
    None,
    Some('\u{17e}'),
    Some('\u{178}'),
];

/// The length of the longest name of a character, without its semicolon.
const LONGEST_NAME: usize = 31;

/// The length of the longest name that is also known without a semicolon.
const LONGEST_BARE_NAME: usize = 6;

/// Names that need no search in the table of all.
const FREQUENT: &[(&str, char)] = &[("amp;", '&'), ("nbsp;", '\u{a0}'), ("quot;", '"'), ("lt;", '<'), ("gt;", '>')];

/// A character reference that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reference {
    /// The bytes that it takes behind the `&`.
    pub(super) length: usize,
    pub(super) first: char,
    /// Some names stand for two characters.
    pub(super) second: Option<char>,
}

/// The character reference that `text`, which stands behind a `&`, begins with. In an attribute a
/// name without semicolon is none when a letter, a digit or `=` follows, for the sake of
/// addresses with parameters.
pub(super) fn reference(text: &str, in_attribute: bool) -> Option<Reference> {
    match text.as_bytes().first()? {
        b'#' => numeric(text.as_bytes()),
        byte if byte.is_ascii_alphabetic() => named(text, in_attribute),
        _ => None,
    }
}

fn named(text: &str, in_attribute: bool) -> Option<Reference> {
    if let Some(&(name, first)) = FREQUENT.iter().find(|(name, _)| text.starts_with(name)) {
        return Some(Reference { length: name.len(), first, second: None });
    }
    let bytes = text.as_bytes();
    let run = bytes.iter().take(LONGEST_NAME).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    // Every name consists of letters and digits, so that the one with a semicolon is the longest
    // that can match.
    if bytes.get(run) == Some(&b';')
        && let Some(found) = lookup(text, run + 1)
    {
        return Some(found);
    }
    let found = (2..=run.min(LONGEST_BARE_NAME)).rev().find_map(|length| lookup(text, length))?;
    let follows = bytes.get(found.length);
    let part_of_an_address = follows.is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric());
    (!(in_attribute && part_of_an_address)).then_some(found)
}

/// The reference of exactly this name.
fn lookup(text: &str, length: usize) -> Option<Reference> {
    let name = text.get(..length)?;
    let found = NAMES.binary_search_by(|&(known, _, _)| known.cmp(name)).ok()?;
    NAMES.get(found).map(|&(_, first, second)| Reference { length, first, second })
}

fn numeric(bytes: &[u8]) -> Option<Reference> {
    let (start, radix) = if matches!(bytes.get(1), Some(b'x' | b'X')) { (2, 16) } else { (1, 10) };
    let mut value: u32 = 0;
    let mut length = start;
    while let Some(digit) = bytes.get(length).and_then(|&byte| char::from(byte).to_digit(radix)) {
        value = value.saturating_mul(radix).saturating_add(digit);
        length += 1;
    }
    if length == start {
        return None;
    }
    length += usize::from(bytes.get(length) == Some(&b';'));
    Some(Reference { length, first: numbered(value), second: None })
}

/// The character of this number; those from 0x80 on are read as windows-1252.
fn numbered(value: u32) -> char {
    let replaced = value.checked_sub(0x80).and_then(|index| WINDOWS_1252.get(index as usize).copied().flatten());
    replaced.or_else(|| char::from_u32(value)).filter(|&found| found != '\0').unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, in_attribute: bool, expected: Option<(&str, &str)>) {
        let found = reference(text, in_attribute).map(|found| {
            let characters: String = std::iter::once(found.first).chain(found.second).collect();
            (characters, &text[found.length..])
        });
        assert_eq!(found, expected.map(|(characters, rest)| (characters.to_owned(), rest)), "{text:?}");
    }

    #[test]
    fn frequent_names_are_those_of_the_table() {
        for &(name, first) in FREQUENT {
            assert_eq!(lookup(name, name.len()), Some(Reference { length: name.len(), first, second: None }));
        }
    }

    #[test]
    fn the_longest_name_counts() {
        check("amp;x", false, Some(("&", "x")));
        check("ampx", false, Some(("&", "x")));
        check("notin;", false, Some(("∉", "")));
        check("notit;", false, Some(("¬", "it;")));
        check("NotEqualTilde;", false, Some(("≂\u{338}", "")));
        check("CounterClockwiseContourIntegral;", false, Some(("∳", "")));
        check("CounterClockwiseContourIntegral", false, None);
        check("thetasym", false, None);
        check("AMP", false, Some(("&", "")));
        for text in ["", " ", ";", "a", "am", "ampersandampersandampersandampersand"] {
            check(text, false, if text.len() > 2 { Some(("&", "ersandampersandampersandampersand")) } else { None });
        }
    }

    #[test]
    fn addresses_keep_their_parameters() {
        check("copy=1", true, None);
        check("copy1", true, None);
        check("copy", true, Some(("©", "")));
        check("copy;=", true, Some(("©", "=")));
        check("copy&", true, Some(("©", "&")));
        check("copy=1", false, Some(("©", "=1")));
    }

    #[test]
    fn numbers_that_are_no_characters_are_replaced() {
        check("#65;B", false, Some(("A", "B")));
        check("#65B", false, Some(("A", "B")));
        check("#x41G", true, Some(("A", "G")));
        check("#X20AC;", false, Some(("€", "")));
        check("#128;", false, Some(("€", "")));
        check("#129;", false, Some(("\u{81}", "")));
        check("#13;", false, Some(("\r", "")));
        for text in ["#0;", "#xD800;", "#x110000;", "#99999999999999999999;"] {
            check(text, false, Some(("\u{fffd}", "")));
        }
        for text in ["#", "#;", "#x", "#x;", "#xg", "# 1"] {
            check(text, false, None);
        }
    }
}
