//! Characters that a person does not see and a model reads.

use std::borrow::Cow;

use super::bytes::{ByteSet, find};

/// The text without invisible characters, borrowed when there are none.
///
/// Dropped are zero-width spaces and word joiners, soft hyphens, bidirectional controls and
/// marks, the Tags block, fillers, annotation marks, private variation selectors, C0 and C1
/// controls except white space. Joiners (U+200C, U+200D) stay between letters of scripts that
/// shape with them and between emoji; an emoji's variation selector stays, once.
pub(crate) fn without_invisible(text: &str) -> Cow<'_, str> {
    let Some(first) = first_suspect(text) else { return Cow::Borrowed(text) };
    let mut kept = String::with_capacity(text.len());
    kept.push_str(&text[..first]);
    let mut rest = text[first..].chars().peekable();
    while let Some(character) = rest.next() {
        if !is_suspect(character) {
            kept.push(character);
            continue;
        }
        let before = kept.chars().next_back();
        let stays = match character {
            '\u{200c}' => {
                before.is_some_and(shapes_with_joiners) && rest.peek().copied().is_some_and(shapes_with_joiners)
            }
            '\u{200d}' => {
                let after = rest.peek().copied();
                (before.is_some_and(shapes_with_joiners) && after.is_none_or(shapes_with_joiners))
                    || (before.is_some_and(is_pictograph) && after.is_some_and(is_pictograph))
            }
            '\u{fe0e}' | '\u{fe0f}' => before.is_some_and(takes_variation),
            _ => false,
        };
        if stays {
            kept.push(character);
        }
    }
    if kept.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(kept) }
}

/// Where the first suspect stands. Nearly all text has none, so that its bytes are only looked up.
fn first_suspect(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += find(&text.as_bytes()[at..], &MAY_BEGIN_INVISIBLE)?;
        let character = text[at..].chars().next()?;
        if is_suspect(character) {
            return Some(at);
        }
        at += character.len_utf8();
    }
}

/// Whether a suspect can begin with each byte: the controls, and the first bytes in UTF-8 of the
/// blocks that [`is_suspect`] names.
pub(crate) const MAY_BEGIN_INVISIBLE: ByteSet = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = byte < 0x20 && !matches!(byte, 0x09 | 0x0a | 0x0c | 0x0d)
            || matches!(byte, 0x7f | 0xc2 | 0xcd | 0xd8 | 0xe1..=0xe3 | 0xef | 0xf0 | 0xf3);
        byte += 1;
    }
    table
};

/// Whether the character is invisible, at least somewhere.
fn is_suspect(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{c}' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        ..'\u{ad}' => false,
        _ => matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        ),
    }
}

/// Scripts in which joiners change how letters look: Arabic and its kin, Indic scripts, Khmer,
/// Mongolian.
fn shapes_with_joiners(character: char) -> bool {
    matches!(
        character,
        '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{1800}'..='\u{18af}' | '\u{a840}'..='\u{aaff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
            | '\u{10a00}'..='\u{10fff}' | '\u{11000}'..='\u{11fff}'
    )
}

fn is_pictograph(character: char) -> bool {
    matches!(
        character,
        '\u{fe0f}' | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}'
    )
}

fn takes_variation(character: char) -> bool {
    matches!(character, '#' | '*' | '0'..='9' | '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}')
        || (is_pictograph(character) && character != '\u{fe0f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_goes() {
        for (text, wanted) in [
            ("plain ascii & é 漢字 עברית", "plain ascii & é 漢字 עברית"),
            ("in\u{200b}vis\u{ad}ible\u{feff}", "invisible"),
            ("a\u{202e}b\u{2066}c\u{2069}\u{200f}", "abc"),
            ("x\u{e0049}\u{e0067}\u{e007f}y", "xy"),
            ("A\u{200d}B\u{200c}C", "ABC"),
            ("z\u{fe00}\u{e0101}\u{fe0f}", "z"),
            ("bell\u{7} esc\u{1b}[31m csi\u{9b}", "bell esc[31m csi"),
        ] {
            assert_eq!(without_invisible(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn the_first_suspect_is_found_by_its_first_byte() {
        for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
            let text = format!("0123456789abcdef–{character}");
            let wanted = is_suspect(character).then_some(text.len() - character.len_utf8());
            assert_eq!(first_suspect(&text), wanted, "{character:?}");
        }
    }

    #[test]
    fn what_scripts_and_emoji_need_stays() {
        for text in [
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}",
            "🏳\u{fe0f}\u{200d}🌈",
            "1\u{fe0f}\u{20e3}",
        ] {
            assert_eq!(without_invisible(text), text);
        }
    }
}
