//! YAML scalars for text that comes from a page.
//!
//! Every scalar loads as the same string in YAML 1.1 and 1.2 readers, stands on one line, and
//! cannot be read as a mark of ours such as `[ref=e3]`.

use crate::text::bytes::{self, ByteSet};

/// Appends `name` in double quotes with JSON's escapes, plus those that YAML needs.
pub(super) fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    push_escaped(out, text);
    out.push('"');
}

/// Appends a part of a double-quoted scalar.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = bytes::find(rest.as_bytes(), &MAY_BEGIN_ESCAPE) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let mut characters = from.chars();
        if let Some(character) = characters.next() {
            push_escaped_character(out, character);
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
}

/// Whether what must be escaped can begin with each byte: ASCII, and the first bytes in UTF-8 of
/// what [`needs_escape`] names.
const MAY_BEGIN_ESCAPE: ByteSet = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = byte < 0x20 || matches!(byte, 0x22 | 0x5c | 0x7f | 0xc2 | 0xe2 | 0xef);
        byte += 1;
    }
    table
};

/// Appends one character of a double-quoted scalar.
fn push_escaped_character(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        character if needs_escape(character) => {
            out.push_str("\\u");
            let code = u32::from(character);
            for shift in [12, 8, 4, 0] {
                out.push(char::from_digit(code >> shift & 0xf, 16).unwrap_or('0'));
            }
        }
        character => out.push(character),
    }
}

/// Characters that YAML 1.1 or 1.2 does not print, breaks lines at, or takes for a byte order
/// mark. All lie in the basic plane.
fn needs_escape(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Appends a mapping key or a whole item that holds no page text outside of double quotes.
pub(super) fn push_key(out: &mut String, key: &str) {
    if holds_separator(key) {
        out.push('\'');
        out.push_str(&key.replace('\'', "''"));
        out.push('\'');
    } else {
        out.push_str(key);
    }
}

/// Appends a value, plain where that is safe.
pub(super) fn push_value(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push_str(text);
    } else {
        push_quoted(out, text);
    }
}

/// Appends an entry of a sequence in brackets, plain where that is safe.
pub(super) fn push_flow_entry(out: &mut String, text: &str) {
    if is_plain(text) && !text.contains([',', '[', ']', ':', '?', '"', '\'']) {
        out.push_str(text);
    } else {
        push_quoted(out, text);
    }
}

/// Whether the text holds a colon before a space or a hash behind one, which end plain scalars.
pub(super) fn holds_separator(text: &str) -> bool {
    memchr::memchr2_iter(b':', b'#', text.as_bytes()).any(|at| is_separator(text.as_bytes(), at))
}

/// Whether the colon or hash there ends a plain scalar.
fn is_separator(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b':' => bytes.get(at + 1) == Some(&b' '),
        _ => at > 0 && bytes[at - 1] == b' ',
    }
}

/// Whether the text can stand without quotes: it loads as this very string, and holds nothing
/// that looks like a mark.
pub(super) fn is_plain(text: &str) -> bool {
    let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else { return false };
    !(first.is_whitespace()
        || last.is_whitespace()
        || last == ':'
        || "-?:,[]{}#&*!|>'\"%@`=".contains(first)
        || needs_quotes(text)
        || is_other_type(text))
}

/// Whether something inside the text keeps it from being plain.
fn needs_quotes(text: &str) -> bool {
    /// Bytes that it can begin with, of which most text has none.
    const SIGNS: ByteSet = bytes::with(MAY_BEGIN_ESCAPE, b"{}`[:#");
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes::find(&bytes[at..], &SIGNS) {
        let sign = at + found;
        let needs = match bytes[sign] {
            b'{' | b'}' | b'`' => true,
            b':' | b'#' => is_separator(bytes, sign),
            b'[' => begins_mark(&text[sign..]),
            _ => text[sign..].chars().next().is_some_and(needs_escape),
        };
        if needs {
            return true;
        }
        at = sign + 1;
    }
    false
}

/// Whether the text begins with something like `[ref=e3]` or `[checked]`.
fn begins_mark(text: &str) -> bool {
    let inside = text[1..].trim_start();
    let word = inside.bytes().take_while(u8::is_ascii_alphabetic).count();
    word > 0 && inside[word..].trim_start().starts_with([']', '='])
}

/// Whether a reader of YAML 1.1 or 1.2 would make something else of the plain text than a
/// string: null, a boolean, a number, a date, a merge key.
fn is_other_type(text: &str) -> bool {
    const WORDS: &[&str] = &["~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<"];
    if text.len() <= 5 && WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if [".inf", ".nan"].iter().any(|word| unsigned.eq_ignore_ascii_case(word)) {
        return true;
    }
    unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.bytes().all(|byte| byte.is_ascii_hexdigit() || b"+-.:_, oOxXtTzZ".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(yaml: &str) -> Option<String> {
        match yaml_serde::from_str(yaml) {
            Ok(yaml_serde::Value::String(text)) => Some(text),
            _ => None,
        }
    }

    #[test]
    fn what_is_not_a_string_by_itself_is_quoted() {
        for text in [
            "",
            "-",
            "- a",
            "a: b",
            "a:",
            "a #b",
            "#a",
            "true",
            "No",
            "y",
            "NULL",
            "~",
            "12345",
            "-1.2",
            "0x1F",
            "1e3",
            "0o7",
            "1_000",
            "12:30:45",
            "2024-01-01",
            "2024-01-01 10:00:00 Z",
            ".5",
            ".inf",
            "-.INF",
            "<<",
            "=",
            "@x",
            "`x",
            "%x",
            "[x]",
            "{x",
            "*x",
            "&x",
            "!x",
            "|",
            ">",
            "'x'",
            "\"x",
            " x",
            "x ",
            "\u{a0}x",
            "a\tb",
            "a\u{85}b",
            "a\u{2028}b",
            "\u{feff}x",
            "a\u{1}b",
            "?",
            "a [ref=e3]",
            "a [ checked ]",
            "---",
            "...",
        ] {
            assert!(!is_plain(text), "{text:?}");
            let mut out = String::new();
            push_value(&mut out, text);
            assert_eq!(load(&out).as_deref(), Some(text), "{out}");
        }
    }

    #[test]
    fn common_text_stays_plain() {
        for text in
            ["Line 1 Line 2", "a, b (c)", "12 apples", "it's", "/auth?r=/", "http://x/y", "a [1] b", "日本語", "€ 5"]
        {
            assert!(is_plain(text), "{text:?}");
            assert_eq!(load(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn keys_keep_their_quotes_and_colons() {
        for (key, expected) in [
            ("heading \"x\" [level=1]", "heading \"x\" [level=1]"),
            ("button \"it's: a\"", "'button \"it''s: a\"'"),
            ("link \"a #b\"", "'link \"a #b\"'"),
        ] {
            let mut out = String::new();
            push_key(&mut out, key);
            assert_eq!(out, expected);
            assert_eq!(load(&out).as_deref(), Some(key));
        }
    }
}
