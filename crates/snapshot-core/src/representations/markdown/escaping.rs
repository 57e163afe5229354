//! Where page text needs a backslash so that it stays text, and only there.

use crate::text::bytes::{self, ByteSet};

/// What surrounds a piece of text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Surroundings {
    /// The character written before it, on the same line.
    pub(super) before: Option<char>,
    /// The character written after it; none at the end of the block.
    pub(super) after: Option<char>,
    /// It begins a line that could begin a block.
    pub(super) line_start: bool,
    /// That line follows another of the same paragraph.
    pub(super) continuation: bool,
    /// It begins a list item, where `[x]` would be a box.
    pub(super) item_start: bool,
    /// It ends a heading, where number signs would be dropped.
    pub(super) heading: bool,
    /// It stands in brackets: link text, an image's description, a mark.
    pub(super) label: bool,
    /// It stands in a table cell.
    pub(super) cell: bool,
    /// Marks such as `[e12]` are written on this page.
    pub(super) references: bool,
    /// Which characters could find a partner in the block.
    pub(super) pairs: Pairs,
}

/// Characters that mean something only in pairs, and whether a partner is near.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pairs {
    pub(super) star: bool,
    pub(super) underscore: bool,
    pub(super) tilde: bool,
    pub(super) backtick: bool,
}

impl Pairs {
    /// All of them: for text that may be put anywhere.
    pub(super) const ALL: Self = Self { star: true, underscore: true, tilde: true, backtick: true };

    /// What the pieces of a block's text could pair among themselves, given what is written
    /// around them anyway.
    pub(super) fn within<'text>(pieces: impl Iterator<Item = &'text str>, mut written: Self) -> Self {
        const SIGNS: &[u8; 4] = b"*_~`";
        const SIGN: ByteSet = bytes::with([false; 256], SIGNS);
        let mut runs = [0u8; 4];
        for piece in pieces.map(str::as_bytes) {
            let mut at = 0;
            while let Some(found) = bytes::find(&piece[at..], &SIGN) {
                let sign = piece[at + found];
                if let Some(kind) = SIGNS.iter().position(|&pair| pair == sign) {
                    runs[kind] = runs[kind].saturating_add(1);
                }
                at += found;
                at += piece[at..].iter().take_while(|&&next| next == sign).count();
            }
        }
        written.star |= runs[0] > 1;
        written.underscore |= runs[1] > 1;
        written.tilde |= runs[2] > 1;
        written.backtick |= runs[3] > 1;
        written
    }
}

/// The places in `text` that need a backslash before them, in order.
pub(super) fn escapes(text: &str, around: &Surroundings) -> Vec<usize> {
    let mut places = Vec::new();
    escapes_into(text, around, true, &mut places);
    places
}

/// From `from` on, the first byte of the text that can mean something to a reader of inline
/// Markdown; the end when there is none.
pub(super) fn next_special(text: &str, from: usize) -> usize {
    let found = text.as_bytes().get(from..).and_then(|rest| bytes::find(rest, &SPECIAL));
    found.map_or(text.len(), |found| from + found)
}

/// Whether the text may need an escape that has nothing to do with inline Markdown.
#[inline]
pub(super) fn may_be_block(text: &str, around: &Surroundings) -> bool {
    let may_begin = |&first: &u8| !(first.is_ascii_alphabetic() || first > 0x7f);
    (around.line_start && text.as_bytes().first().is_some_and(may_begin)) || (around.heading && text.ends_with('#'))
}

/// Puts the places in `text` that need a backslash before them into `places`, in order.
/// `has_special` is whether [`next_special`] finds any byte in it.
pub(super) fn escapes_into(text: &str, around: &Surroundings, has_special: bool, places: &mut Vec<usize>) {
    if around.line_start
        && let Some(place) = block_start(text, around)
    {
        places.push(place);
    }
    let mut at = if has_special { 0 } else { text.len() };
    while let Some(found) = text.as_bytes().get(at..).and_then(|rest| bytes::find(rest, &SPECIAL)) {
        let place = at + found;
        let byte = text.as_bytes()[place];
        let run_end = match byte {
            b'*' | b'_' | b'~' | b'`' => {
                place + text.as_bytes()[place..].iter().take_while(|&&next| next == byte).count()
            }
            _ => place + 1,
        };
        let after = text[run_end..].chars().next().or(around.after);
        let before = text[..place].chars().next_back().or(around.before);
        if needs_escape(byte, &text[place..], before, after, around) {
            places.extend(place..run_end);
        }
        at = run_end;
    }
    if around.heading
        && around.after.is_none()
        && text.ends_with('#')
        && text.trim_end_matches('#').chars().next_back().is_none_or(char::is_whitespace)
    {
        places.push(text.len() - 1);
    }
    places.sort_unstable();
    places.dedup();
}

/// `text` with backslashes where it needs them, to stand in brackets anywhere.
pub(super) fn label(text: &str) -> String {
    let around = Surroundings { label: true, references: true, pairs: Pairs::ALL, ..Surroundings::default() };
    insert(text, &escapes(text, &Surroundings { after: Some(']'), before: Some('['), ..around }))
}

/// `text` with a backslash before each of the places.
pub(super) fn insert(text: &str, places: &[usize]) -> String {
    let mut escaped = String::with_capacity(text.len() + places.len());
    let mut plain = 0;
    for &place in places {
        escaped.push_str(&text[plain..place]);
        escaped.push('\\');
        plain = place;
    }
    escaped.push_str(&text[plain..]);
    escaped
}

/// What can mean something to a reader of inline Markdown.
const SPECIAL: ByteSet = bytes::with([false; 256], b"\\`*_~[]<&!|");

/// Whether the character (or run of one character) that `rest` begins with means something to
/// a reader of inline Markdown.
fn needs_escape(byte: u8, rest: &str, before: Option<char>, after: Option<char>, around: &Surroundings) -> bool {
    let white = |character: Option<char>| character.is_none_or(char::is_whitespace);
    let word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    match byte {
        // Before a line end it would be a hard break.
        b'\\' => after.is_none_or(|after| after.is_ascii_punctuation() || after == '\n'),
        b'`' => around.pairs.backtick,
        b'*' => around.pairs.star && !(white(before) && white(after)),
        b'_' => around.pairs.underscore && !(white(before) && white(after)) && !(word(before) && word(after)),
        b'~' => around.pairs.tilde && !(white(before) && white(after)),
        b'[' => around.label || opens_mark(&rest[1..], after, around),
        b']' => around.label || matches!(after, Some('(' | '[' | ':')),
        b'<' => {
            after.is_some_and(|after| after.is_ascii_alphabetic() || matches!(after, '/' | '!' | '?'))
                || is_mail_address(&rest[1..])
        }
        b'&' => is_entity(&rest[1..]),
        // Only a real link can follow: brackets of text lose their meaning themselves.
        b'!' => rest.len() == 1 && after == Some('['),
        b'|' => around.cell,
        _ => false,
    }
}

/// Whether a bracket with `inside` after it would be a footnote, an alert, a box or one of our
/// own marks.
fn opens_mark(inside: &str, after: Option<char>, around: &Surroundings) -> bool {
    match after {
        Some('^') => true,
        Some('!') => around.line_start,
        Some('e') if around.references => {
            inside.get(1..).is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
        }
        // A note on what was left out.
        Some('…') => {
            inside.strip_prefix("… ").is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
        }
        Some(' ' | 'x' | 'X') if around.item_start => inside.get(1..).is_some_and(|rest| rest.starts_with(']')),
        _ => false,
    }
}

/// Whether what follows could be read as a mail address in angle brackets (CommonMark 0.31,
/// "Autolinks"), which may begin with most punctuation.
fn is_mail_address(rest: &str) -> bool {
    const LONGEST: usize = 320;
    let end = rest.bytes().take(LONGEST).position(|byte| byte <= b' ' || matches!(byte, b'<' | b'>'));
    end.is_some_and(|end| rest.as_bytes()[end] == b'>' && rest.as_bytes()[..end].contains(&b'@'))
}

/// CommonMark 0.31, "Entity and numeric character references".
fn is_entity(rest: &str) -> bool {
    let Some(end) = rest.bytes().take(33).position(|byte| byte == b';') else { return false };
    let inside = &rest.as_bytes()[..end];
    match inside {
        [b'#', b'x' | b'X', hex @ ..] => !hex.is_empty() && hex.iter().all(u8::is_ascii_hexdigit),
        [b'#', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        [first, rest @ ..] => first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_alphanumeric),
        [] => false,
    }
}

/// The place that keeps the line from beginning a block: a heading, a quote, a list, a rule, a
/// fence, a table's delimiter row, a definition.
fn block_start(text: &str, around: &Surroundings) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = *bytes.first()?;
    // What follows a marker must be white space or the line's end.
    let ends_at = |at: usize| match bytes.get(at) {
        Some(b' ' | b'\t') => true,
        Some(_) => false,
        None => around.after.is_none_or(char::is_whitespace),
    };
    // Lines of nothing but these are rules, underlines of headings or delimiter rows.
    let only = |allowed: &[u8]| around.after.is_none() && bytes.iter().all(|byte| allowed.contains(byte));
    let count = |wanted: u8| bytes.iter().filter(|&&byte| byte == wanted).count();
    let escape = match first {
        b'#' => {
            let level = bytes.iter().take_while(|&&byte| byte == b'#').count();
            level <= 6 && ends_at(level)
        }
        b'>' => true,
        b'+' => ends_at(1),
        b'-' => ends_at(1) || (only(b"- ") && count(b'-') >= 3) || (around.continuation && only(b"-:| ")),
        b'*' => ends_at(1) || (only(b"* ") && count(b'*') >= 3),
        b'_' => only(b"_ ") && count(b'_') >= 3,
        b'=' => around.continuation && only(b"= "),
        // A definition in readers that know them.
        b':' => true,
        b'|' => around.continuation && only(b"-:| "),
        b'~' | b'`' => text.starts_with("~~~") || text.starts_with("```"),
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let marker = digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')')) && ends_at(digits + 1);
            return marker.then_some(digits);
        }
        _ => false,
    };
    escape.then_some(0)
}
