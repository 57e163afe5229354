//! Which delimiters express a run's emphasis, by playing through CommonMark's own rules.
//!
//! A delimiter opens or closes depending on what stands beside it (CommonMark 0.31, "Emphasis
//! and strong emphasis"), and an asterisk too many changes what pairs with what. So the choice is
//! tried as a reader would read it; what does not come out as meant is written as a tag.

use super::marks::{Format, MarkKind};
use super::runs::Content;

/// What each mark of the run writes, for marks that begin or end formatting; nothing at all when
/// none does.
pub(super) fn delimiters(run: Content<'_>) -> Vec<&'static str> {
    if !run.is_formatted || !run.marks.iter().any(|mark| matches!(mark.kind, MarkKind::Start(_))) {
        return Vec::new();
    }
    let mut written = vec![""; run.marks.len()];
    let mut pairs = pairs(run);
    // Each round, what failed takes its next choice; there are three, and tags never fail.
    for _ in 0..6 {
        for pair in &pairs {
            let (start, end) = pair.written();
            written[pair.start] = start;
            written[pair.end] = end;
        }
        if pairs.iter().all(|pair| pair.choice == Choice::Tag) {
            return written;
        }
        let mut failed = false;
        for doubtful_is_punctuation in [true, false] {
            let mut has_doubts = false;
            let matched = read(run, &pairs, &written, doubtful_is_punctuation, &mut has_doubts);
            for (pair, matched) in pairs.iter_mut().zip(matched) {
                if !matched && pair.choice != Choice::Tag {
                    pair.failed = true;
                    failed = true;
                }
            }
            if !has_doubts {
                break;
            }
        }
        if !failed {
            return written;
        }
        for pair in pairs.iter_mut().filter(|pair| pair.failed) {
            pair.failed = false;
            pair.choice = match (pair.choice, pair.format) {
                (Choice::Star, Format::Emphasis | Format::Strong) if !pair.tried_other => Choice::Underscore,
                (Choice::Underscore, _) if !pair.tried_other => Choice::Star,
                _ => Choice::Tag,
            };
            pair.tried_other = true;
        }
    }
    for pair in &mut pairs {
        pair.choice = Choice::Tag;
        let (start, end) = pair.written();
        written[pair.start] = start;
        written[pair.end] = end;
    }
    written
}

#[derive(Debug)]
struct Pair {
    format: Format,
    start: usize,
    end: usize,
    choice: Choice,
    tried_other: bool,
    failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Star,
    Underscore,
    Tag,
}

impl Pair {
    fn written(&self) -> (&'static str, &'static str) {
        match (self.format, self.choice) {
            (Format::Emphasis, Choice::Star) => ("*", "*"),
            (Format::Emphasis, Choice::Underscore) => ("_", "_"),
            (Format::Emphasis, Choice::Tag) => ("<em>", "</em>"),
            (Format::Strong, Choice::Star) => ("**", "**"),
            (Format::Strong, Choice::Underscore) => ("__", "__"),
            (Format::Strong, Choice::Tag) => ("<strong>", "</strong>"),
            (Format::Strikethrough, Choice::Tag) => ("<del>", "</del>"),
            (Format::Strikethrough, _) => ("~~", "~~"),
            (Format::Subscript, _) => ("<sub>", "</sub>"),
            (Format::Superscript, _) => ("<sup>", "</sup>"),
            (Format::Insertion, _) => ("<ins>", "</ins>"),
            (Format::Highlight, _) => ("<mark>", "</mark>"),
            (Format::Keyboard, _) => ("<kbd>", "</kbd>"),
        }
    }
}

/// The run's formatting as pairs of marks. Emphasis beside other delimiters takes the
/// underscore, so that runs of asterisks stay short.
fn pairs(run: Content<'_>) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut last: Option<(usize, usize)> = None;
    let mut crowded = vec![false; run.marks.len()];
    for (at, mark) in run.marks.iter().enumerate() {
        match mark.kind {
            MarkKind::Start(format) => {
                open.push(pairs.len());
                let choice = if format.has_delimiters() { Choice::Star } else { Choice::Tag };
                pairs.push(Pair { format, start: at, end: at, choice, tried_other: false, failed: false });
            }
            MarkKind::End(format) => {
                if let Some(found) = open.iter().rposition(|&pair| pairs[pair].format == format) {
                    let pair = open.remove(found);
                    pairs[pair].end = at;
                }
            }
            MarkKind::Open(..) | MarkKind::Close | MarkKind::Nothing => continue,
            _ => {
                last = None;
                continue;
            }
        }
        if let Some((before, offset)) = last
            && offset == mark.at()
        {
            crowded[before] = true;
            crowded[at] = true;
        }
        last = Some((at, mark.at()));
    }
    for pair in &mut pairs {
        if pair.format == Format::Emphasis && (crowded[pair.start] || crowded[pair.end]) {
            pair.choice = Choice::Underscore;
        }
    }
    pairs
}

/// One delimiter run as a reader of Markdown sees it.
#[derive(Debug)]
struct Delimiters {
    character: char,
    /// For each character left, the pair it was written for, and whether it starts it.
    written_for: Vec<(usize, bool)>,
    /// How many were taken from the front (by openers before it).
    taken: usize,
    length: usize,
    can_open: bool,
    can_close: bool,
}

impl Delimiters {
    fn left(&self) -> usize {
        self.written_for.len() - self.taken
    }
}

/// Whether each pair comes out as meant. `has_doubts` becomes true when that depends on what doubtful
/// characters are.
fn read(
    run: Content<'_>,
    pairs: &[Pair],
    written: &[&'static str],
    doubtful_is_punctuation: bool,
    has_doubts: &mut bool,
) -> Vec<bool> {
    let mut owner = vec![(usize::MAX, false); run.marks.len()];
    for (number, pair) in pairs.iter().enumerate() {
        owner[pair.start] = (number, true);
        owner[pair.end] = (number, false);
    }
    let mut matched: Vec<bool> = pairs.iter().map(|pair| pair.choice == Choice::Tag).collect();
    let mut stack: Vec<Delimiters> = Vec::new();
    let mut links: Vec<usize> = Vec::new();
    let visible: Vec<usize> = (0..run.marks.len()).filter(|&at| run.marks[at].kind.is_visible()).collect();
    let mut next = 0;
    while next < visible.len() {
        let at = visible[next];
        let mark = &run.marks[at];
        match mark.kind {
            MarkKind::LinkStart(_) => links.push(stack.len()),
            MarkKind::LinkEnd(_) => {
                let bottom = links.pop().unwrap_or(0);
                pair_up(&mut stack, bottom, pairs, &mut matched);
                stack.truncate(bottom);
            }
            MarkKind::Start(_) | MarkKind::End(_) if is_delimiter(written[at]) => {
                let character = written[at].chars().next().unwrap_or('*');
                let mut written_for = vec![owner[at]; written[at].len()];
                let before = character_before(run, &visible, next, written);
                // Delimiters of a kind without anything between are one run.
                while let Some(&following) = visible.get(next + 1)
                    && run.marks[following].at() == mark.at()
                    && written[following].starts_with(character)
                {
                    written_for.extend(std::iter::repeat_n(owner[following], written[following].len()));
                    next += 1;
                }
                let after = character_after(run, &visible, next, written);
                let mut class = |character| {
                    *has_doubts |= Class::is_doubtful(character);
                    Class::of(character, doubtful_is_punctuation)
                };
                let (before, after) = (class(before), class(after));
                let left = after != Class::White && (after != Class::Punctuation || before != Class::Word);
                let right = before != Class::White && (before != Class::Punctuation || after != Class::Word);
                let (can_open, can_close) = match character {
                    '_' => (
                        left && (!right || before == Class::Punctuation),
                        right && (!left || after == Class::Punctuation),
                    ),
                    _ => (left, right),
                };
                let length = written_for.len();
                stack.push(Delimiters { character, written_for, taken: 0, length, can_open, can_close });
            }
            _ => {}
        }
        next += 1;
    }
    pair_up(&mut stack, 0, pairs, &mut matched);
    matched
}

/// CommonMark's "process emphasis" over the delimiters from `bottom` on.
fn pair_up(stack: &mut [Delimiters], bottom: usize, pairs: &[Pair], matched: &mut [bool]) {
    /// A closer that has found nothing this far back need not look again further than this.
    const FAR: usize = 256;
    let mut open: Vec<usize> = Vec::new();
    for closer in bottom..stack.len() {
        if stack[closer].can_close {
            while stack[closer].left() > 0 {
                let found = open.iter().rev().take(FAR).position(|&opener| fits(&stack[opener], &stack[closer]));
                let Some(depth) = found else { break };
                let at = open.len() - 1 - depth;
                open.truncate(at + 1);
                let opener = open[at];
                let take = match stack[closer].character {
                    '~' => stack[closer].left(),
                    _ if stack[closer].left() >= 2 && stack[opener].left() >= 2 => 2,
                    _ => 1,
                };
                let kept = stack[opener].written_for.len() - take;
                let openers = stack[opener].written_for.split_off(kept);
                let front = stack[closer].taken;
                stack[closer].taken += take;
                let closers = &stack[closer].written_for[front..front + take];
                let (number, starts) = openers[0];
                let as_meant = starts
                    && pairs.get(number).is_some_and(|pair| pair.written().0.len() == take)
                    && openers.iter().all(|&opener| opener == (number, true))
                    && closers.iter().all(|&closer| closer == (number, false));
                if as_meant && let Some(matched) = matched.get_mut(number) {
                    *matched = true;
                }
                if stack[opener].left() == 0 {
                    open.pop();
                }
            }
        }
        if stack[closer].can_open && stack[closer].left() > 0 {
            open.push(closer);
        }
    }
}

fn fits(opener: &Delimiters, closer: &Delimiters) -> bool {
    if opener.character != closer.character {
        return false;
    }
    if opener.character == '~' {
        return opener.left() == closer.left();
    }
    // The rule of three.
    let both_ways = opener.can_close || closer.can_open;
    let thirds = (opener.length + closer.length).is_multiple_of(3);
    !(both_ways && thirds && !(opener.length.is_multiple_of(3) && closer.length.is_multiple_of(3)))
}

fn is_delimiter(written: &str) -> bool {
    written.starts_with(['*', '_', '~'])
}

/// The character that is written right before the visible mark number `at`.
fn character_before(run: Content<'_>, visible: &[usize], at: usize, written: &[&'static str]) -> char {
    let mark = &run.marks[visible[at]];
    if let Some(before) = at.checked_sub(1)
        && run.marks[visible[before]].at() == mark.at()
    {
        return match run.marks[visible[before]].kind {
            MarkKind::Start(_) | MarkKind::End(_) => written[visible[before]].chars().next_back().unwrap_or(' '),
            MarkKind::Break => '\n',
            MarkKind::LinkStart(_) => '[',
            MarkKind::LinkEnd(_) => ')',
            MarkKind::Code(_) => '`',
            MarkKind::Raw(raw) => run.piece(raw).chars().next_back().unwrap_or(' '),
            _ => ' ',
        };
    }
    run.text[..mark.at()].chars().next_back().unwrap_or('\n')
}

/// The character that is written right after the visible mark number `at`.
fn character_after(run: Content<'_>, visible: &[usize], at: usize, written: &[&'static str]) -> char {
    let mark = &run.marks[visible[at]];
    if let Some(&after) = visible.get(at + 1)
        && run.marks[after].at() == mark.at()
    {
        return first_character(run, run.marks[after].kind, written[after]);
    }
    run.text[mark.at()..].chars().next().unwrap_or('\n')
}

/// What a visible mark begins with.
pub(super) fn first_character(run: Content<'_>, kind: MarkKind, written: &str) -> char {
    match kind {
        MarkKind::Start(_) | MarkKind::End(_) => written.chars().next().unwrap_or(' '),
        // A break may be a backslash, a tag or nothing but a line end.
        MarkKind::Break => '\n',
        MarkKind::LinkStart(_) => '[',
        MarkKind::LinkEnd(_) => ']',
        MarkKind::Code(_) => '`',
        MarkKind::Raw(raw) => run.piece(raw).chars().next().unwrap_or(' '),
        MarkKind::Open(..) | MarkKind::Close | MarkKind::Nothing => ' ',
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    White,
    Punctuation,
    Word,
}

impl Class {
    /// Versions of CommonMark differ in what counts as punctuation beyond ASCII, so symbols and
    /// marks are doubtful: what is chosen must come out right either way.
    fn of(character: char, doubtful_is_punctuation: bool) -> Self {
        if character.is_whitespace() {
            Self::White
        } else if character.is_ascii_punctuation() || (doubtful_is_punctuation && Self::is_doubtful(character)) {
            Self::Punctuation
        } else {
            Self::Word
        }
    }

    fn is_doubtful(character: char) -> bool {
        !(character.is_whitespace() || character.is_ascii_punctuation() || character.is_alphanumeric())
    }
}
