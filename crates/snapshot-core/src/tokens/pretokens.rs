//! Where a vocabulary's pattern cuts text before bytes are merged.
//!
//! The patterns (`pat_str` of `o200k_base` and `cl100k_base` in OpenAI's tiktoken) written out by
//! hand: a general regular expression takes most of the time of counting.

use super::classes::{CASELESS, Classes, LETTER, LINE_END, LOWER, MARK, NUMBER, SIGN, UPPER, WHITE_SPACE, class_at};
use super::windows::Window;

/// The two patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pattern {
    O200k,
    Cl100k,
}

/// Cuts a text into pieces, in order and without gaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pretokens<'text> {
    text: &'text str,
    /// Where the last piece ended.
    at: usize,
    /// What is known of the bytes from `window_start` on, if anything was read there.
    window: Option<Window>,
    window_start: usize,
    /// A bit for each byte from `ends_start` on where a piece ends that was not found yet.
    ends: u64,
    ends_start: usize,
    pattern: Pattern,
}

impl<'text> Pretokens<'text> {
    pub(super) fn of(text: &'text str, pattern: Pattern) -> Self {
        Self { text, at: 0, window: None, window_start: 0, ends: 0, ends_start: 0, pattern }
    }

    /// Where the next pieces end: fills `ends` as far as there are any, and says how far.
    #[inline]
    pub(super) fn next_ends(&mut self, ends: &mut [usize]) -> usize {
        let mut found = 0;
        while found < ends.len() {
            if self.ends == 0 {
                self.read_window();
            }
            if self.ends == 0 {
                if self.at >= self.text.len() {
                    break;
                }
                self.at = pretoken_end(self.text, self.at, self.pattern);
                ends[found] = self.at;
                found += 1;
                continue;
            }
            for end in &mut ends[found..] {
                if self.ends == 0 {
                    break;
                }
                self.at = self.ends_start + self.ends.trailing_zeros() as usize;
                self.ends &= self.ends - 1;
                *end = self.at;
                found += 1;
            }
        }
        found
    }

    /// Finds where pieces end in what follows if that is ASCII. A window that has something else is
    /// used to its end, so that its bytes are not read again for each piece.
    #[inline]
    fn read_window(&mut self) {
        let from = self.at - self.window_start;
        if let Some(window) = self.window.filter(|window| window.has_others(from)) {
            self.ends = window.piece_ends(from, self.pattern);
        } else {
            let bytes = self.text.as_bytes().get(self.at..).and_then(<[u8]>::first_chunk);
            self.window = bytes.filter(|bytes| bytes[0].is_ascii()).map(|bytes| Window::of(bytes, self.pattern));
            self.window_start = self.at;
            self.ends = self.window.map_or(0, |window| window.piece_ends(0, self.pattern));
        }
        self.ends_start = self.at;
    }
}

/// Behind the run of characters of these classes.
#[inline]
fn run(text: &str, from: usize, classes: Classes) -> usize {
    let mut at = from;
    loop {
        let (class, length) = class_at(text, at);
        if class & classes == 0 {
            return at;
        }
        at += length;
    }
}

/// The end of the piece that the pattern takes at `start`.
#[inline]
fn pretoken_end(text: &str, start: usize, pattern: Pattern) -> usize {
    let (first, length) = class_at(text, start);
    if pattern == Pattern::Cl100k {
        let contraction = contraction(text, start);
        if contraction > 0 {
            return start + contraction;
        }
    }
    if first & LETTER != 0 {
        return word_end(text, start, pattern).unwrap_or(start + length);
    }
    if first & NUMBER != 0 {
        return digits_end(text, start);
    }
    // A sign or a space before a word belongs to it.
    if first & LINE_END == 0
        && let Some(end) = word_end_behind(text, start, start + length, pattern)
    {
        return end;
    }
    let signs = if text.as_bytes().get(start) == Some(&b' ') { start + 1 } else { start };
    if class_at(text, signs).0 & (SIGN | MARK) != 0 {
        let end = run(text, signs, SIGN | MARK);
        let is_tail = |byte: &u8| matches!(byte, b'\n' | b'\r') || *byte == b'/' && pattern == Pattern::O200k;
        return end + text.as_bytes()[end..].iter().take_while(|byte| is_tail(byte)).count();
    }
    white_space_end(text, start, pattern)
}

/// Behind a word with the character before it, or, where that is a mark, with nothing before it.
#[inline]
fn word_end_behind(text: &str, start: usize, behind: usize, pattern: Pattern) -> Option<usize> {
    match pattern {
        Pattern::Cl100k => word_end(text, behind, pattern),
        Pattern::O200k => {
            let is_mark = class_at(text, start).0 & MARK != 0;
            // With small letters first, each time with the character before and then without.
            let with_small = |at| word_with_small_letters(text, at);
            let end = with_small(behind)
                .or_else(|| with_small(start).filter(|_| is_mark))
                .or_else(|| word_of_capitals(text, behind))
                .or_else(|| word_of_capitals(text, start).filter(|_| is_mark));
            end.map(|end| end + contraction(text, end))
        }
    }
}

/// Behind a word that begins at `start`.
#[inline]
fn word_end(text: &str, start: usize, pattern: Pattern) -> Option<usize> {
    match pattern {
        Pattern::Cl100k => {
            let end = run(text, start, LETTER);
            (end > start).then_some(end)
        }
        Pattern::O200k => {
            let end = word_with_small_letters(text, start).or_else(|| word_of_capitals(text, start))?;
            Some(end + contraction(text, end))
        }
    }
}

/// What can stand among capitals, and what among small letters; those without case can do both.
const CAPITAL: Classes = UPPER | CASELESS | MARK;
const SMALL: Classes = LOWER | CASELESS | MARK;

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`
#[inline]
fn word_with_small_letters(text: &str, start: usize) -> Option<usize> {
    let capitals = run(text, start, CAPITAL);
    let end = run(text, capitals, SMALL);
    if end > capitals {
        return Some(end);
    }
    // The last of the capitals that can be a small letter has to be it.
    let mut last = None;
    let mut at = start;
    while at < capitals {
        let (class, length) = class_at(text, at);
        at += length;
        if class & SMALL != 0 {
            last = Some(at);
        }
    }
    last
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*` where the other does not match.
#[inline]
fn word_of_capitals(text: &str, start: usize) -> Option<usize> {
    let end = run(text, start, CAPITAL);
    (end > start).then_some(end)
}

/// The length of `'s`, `'ll` and their kin at a place, in any case; 0 where there is none. To a
/// pattern that does not look at case `ſ` is an `s`.
#[inline]
fn contraction(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'\'') {
        return 0;
    }
    let letter = |at: usize| bytes.get(at).map_or(0, u8::to_ascii_lowercase);
    match (letter(at + 1), letter(at + 2)) {
        (b's' | b't' | b'm' | b'd', _) => 2,
        (b'r' | b'v', b'e') | (b'l', b'l') => 3,
        (0xc5, 0xbf) => 3,
        _ => 0,
    }
}

/// At most three numbers.
fn digits_end(text: &str, start: usize) -> usize {
    let mut at = start;
    for _ in 0..3 {
        let (class, length) = class_at(text, at);
        if class & NUMBER == 0 {
            break;
        }
        at += length;
    }
    at
}

/// Behind white space: through the last line end in it; else all at the end of the text, and all
/// but the last character before something else.
#[inline]
fn white_space_end(text: &str, start: usize, pattern: Pattern) -> usize {
    let end = run(text, start, WHITE_SPACE);
    let is_last = end == text.len();
    if is_last && pattern == Pattern::Cl100k {
        return end;
    }
    let bytes = &text.as_bytes()[start..end];
    if let Some(line_end) = memchr::memrchr2(b'\n', b'\r', bytes) {
        return start + line_end + 1;
    }
    let last = text[start..end].chars().next_back().map_or(1, char::len_utf8);
    if is_last || end - start <= last { end.max(start + last) } else { end - last }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts a text with room for so many pieces at a time.
    fn pieces(text: &str, pattern: Pattern, at_once: usize) -> Vec<&str> {
        let mut pretokens = Pretokens::of(text, pattern);
        let mut ends = vec![0; at_once];
        let (mut start, mut pieces) = (0, Vec::new());
        loop {
            let found = pretokens.next_ends(&mut ends);
            for &end in &ends[..found] {
                pieces.push(&text[start..end]);
                start = end;
            }
            if found < at_once {
                return pieces;
            }
        }
    }

    #[test]
    fn windows_are_cut_as_the_general_rules_say() {
        let shapes = [
            "a", "bc", "D", "EF", "g", "hi", "1", "234", " ", " ", "   ", "\n", "\n\n", ".", "-", "//", "/", "\"",
            "]:", "'", "'s", "\t", "\r", "é", "\u{a0}", "漢", "\u{301}", "_", "\u{7f}",
        ];
        let mut state = 1_u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or_default() % below
        };
        for round in 0..40_000 {
            // The rare shapes are at the end.
            let most = if round % 2 == 0 { 19 } else { shapes.len() };
            let text: String = (0..random(200)).map(|_| shapes[random(most)]).collect();
            for pattern in [Pattern::O200k, Pattern::Cl100k] {
                let mut start = 0;
                for piece in pieces(&text, pattern, 1 + random(64)) {
                    let end = pretoken_end(&text, start, pattern);
                    assert_eq!(piece, &text[start..end], "{pattern:?} {text:?}");
                    start = end;
                }
                assert_eq!(start, text.len());
            }
        }
    }

    #[test]
    fn text_is_cut_as_the_patterns_say() {
        for (text, o200k, cl100k) in [
            ("It's HTMLElement", "It's| HTMLElement", "It|'s| HTMLElement"),
            (
                "- link \"Add\" [ref=e12]:\n",
                "-| link| \"|Add|\"| [|ref|=e|12|]:\n",
                "-| link| \"|Add|\"| [|ref|=e|12|]:\n",
            ),
            ("a  b\n\n  c", "a| | b|\n\n| | c", "a| | b|\n\n| | c"),
            ("a //\n/b", "a| //\n/|b", "a| //\n|/b"),
            ("1234 5", "123|4| |5", "123|4| |5"),
            ("x \n ", "x| \n| ", "x| \n "),
            ("tab\tword", "tab|\tword", "tab|\tword"),
            ("an Ærø isle", "an| Ærø| isle", "an| Ærø| isle"),
            ("漢B c", "漢|B| c", "漢B| c"),
            ("it'ſ e\u{301}a", "it'ſ| e\u{301}a", "it|'ſ| e|\u{301}a"),
        ] {
            let pieces = |pattern| pieces(text, pattern, 3).join("|");
            assert_eq!(pieces(Pattern::O200k), o200k, "{text:?}");
            assert_eq!(pieces(Pattern::Cl100k), cl100k, "{text:?}");
        }
    }
}
