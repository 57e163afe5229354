//! Style rules that are written plainly, as nearly all are: without strings, escapes, comments and
//! blocks in them. Such a rule ends where the eye says, so that one of which no declaration
//! matters is read over at the speed of looking for its end.

use crate::selector::fold_hash;

/// A style rule cut into its parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainRule<'text> {
    /// The selectors.
    pub(super) prelude: &'text str,
    /// What stands between the braces.
    body: &'text str,
}

/// What a style sheet begins with.
#[derive(Debug)]
pub(super) enum Plain<'text> {
    Rule(PlainRule<'text>),
    /// An `@media` with what is in its block.
    Media {
        query: &'text str,
        block: &'text str,
    },
    /// An at-rule that says nothing about elements.
    Other,
}

/// At-rules with a block that says nothing about elements.
const OTHERS: &[&str] = &["@font-face", "@keyframes", "@-webkit-keyframes", "@-moz-keyframes", "@-o-keyframes"];

impl<'text> Plain<'text> {
    /// Reads what the text begins with, if it is plain, and the length of it. There must be no
    /// white space before it.
    pub(super) fn read(text: &'text str) -> Option<(Self, usize)> {
        if !text.starts_with('@') {
            let (rule, length) = rule(text)?;
            return Some((Self::Rule(rule), length));
        }
        let behind = |name: &str| text.strip_prefix(name).filter(|rest| rest.starts_with([' ', '(', '{']));
        let media = behind("@media");
        let rest = media.or_else(|| OTHERS.iter().find_map(|name| behind(name)))?;
        let prelude = until(rest, b'{')?;
        let block = block(&rest[prelude.len() + 1..])?;
        let length = text.len() - rest.len() + prelude.len() + block.len() + 2;
        Some((if media.is_some() { Self::Media { query: prelude, block } } else { Self::Other }, length))
    }
}

impl<'text> PlainRule<'text> {
    /// The names and values of the declarations; what is no declaration is left out.
    pub(super) fn declarations(&self) -> impl Iterator<Item = (&'text str, &'text str)> {
        let mut rest = self.body;
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let declaration = until(rest, b';').unwrap_or(rest);
                rest = rest.get(declaration.len() + 1..).unwrap_or("");
                if let Some((name, value)) = declaration.split_once(':') {
                    let name = name.trim_ascii();
                    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0x80..)) {
                        return Some((name, value));
                    }
                }
            }
            None
        })
    }
}

/// The classes of a page, as far as they can be told apart at a glance.
#[derive(Debug)]
pub(super) struct Classes {
    /// A bit for each class, by its hash.
    bits: Vec<u64>,
}

impl Classes {
    const BITS: usize = 1 << 15;

    /// The classes that have these hashes.
    pub(super) fn of(hashes: impl Iterator<Item = u32>) -> Self {
        let mut bits = vec![0; Self::BITS / 64];
        for hash in hashes {
            let bit = hash as usize % Self::BITS;
            bits[bit / 64] |= 1 << (bit % 64);
        }
        Self { bits }
    }

    /// Whether the selectors of a plain rule may match anything: not if each asks for a class that
    /// no element has.
    pub(super) fn may_match(&self, prelude: &str) -> bool {
        // In brackets names mean other things.
        prelude.contains(['(', '[']) || prelude.split(',').any(|selector| self.has_all(selector))
    }

    fn has_all(&self, selector: &str) -> bool {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0x80..);
        selector.split('.').skip(1).all(|class| {
            let length = class.bytes().take_while(|&byte| is_name(byte)).count();
            let bit = fold_hash(&class[..length]) as usize % Self::BITS;
            self.bits[bit / 64] & 1 << (bit % 64) != 0
        })
    }
}

/// The length of the white space and the comments that the text begins with.
pub(super) fn blank(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text.as_bytes()[at..];
        at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let Some(comment) = text[at..].strip_prefix("/*") else { return at };
        // A comment without an end goes to the end of the sheet.
        let Some(length) = comment.find("*/") else { return text.len() };
        at += length + "/**/".len();
    }
}

/// The rule that the text begins with, and its length.
fn rule(text: &str) -> Option<(PlainRule<'_>, usize)> {
    // `<!--` and `-->` may stand between rules.
    if text.starts_with(['-', '<']) {
        return None;
    }
    let prelude = until(text, b'{')?;
    let body = until(&text[prelude.len() + 1..], b'}')?;
    Some((PlainRule { prelude, body }, prelude.len() + body.len() + 2))
}

/// The text before the first `end` that stands in no brackets; nothing when there is none, or
/// something that is not plain before it. A `;` is plain but in selectors.
fn until(text: &str, end: u8) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut brackets = Brackets::default();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match SYNTAX[usize::from(byte)] {
            Syntax::None => {}
            _ if byte == end && brackets.are_closed() => return text.get(..at),
            Syntax::Opens(kind) => brackets.open(kind)?,
            Syntax::Closes(kind) => brackets.close(kind)?,
            Syntax::Semicolon if end != b'{' => {}
            Syntax::Slash if bytes.get(at + 1) != Some(&b'*') => {}
            Syntax::Quote if brackets.may_quote(bytes, at) => at = end_of_string(bytes, at)?,
            _ => return None,
        }
        at += 1;
    }
    None
}

/// The text before the brace that closes a block, blocks in it included; nothing when there is
/// none, or something that is not plain before it.
fn block(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut depth = 1_usize;
    let mut brackets = Brackets::default();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match SYNTAX[usize::from(byte)] {
            Syntax::None | Syntax::Semicolon => {}
            Syntax::Opens(kind) => brackets.open(kind)?,
            Syntax::Closes(kind) => brackets.close(kind)?,
            Syntax::Quote if brackets.may_quote(bytes, at) => at = end_of_string(bytes, at)?,
            Syntax::Slash if bytes.get(at + 1) != Some(&b'*') => {}
            _ if !brackets.are_closed() => return None,
            Syntax::Slash => at += 3 + text.get(at + 2..)?.find("*/")?,
            Syntax::Other if byte == b'{' => depth += 1,
            Syntax::Other if byte == b'}' && depth == 1 => return text.get(..at),
            Syntax::Other if byte == b'}' => depth -= 1,
            Syntax::Other if byte == b'@' => {}
            _ => return None,
        }
        at += 1;
    }
    None
}

/// The round and square brackets that are open.
struct Brackets {
    /// A bit for each by its kind, the innermost lowest, behind a bit for none.
    open: u64,
}

impl Default for Brackets {
    fn default() -> Self {
        Self { open: 1 }
    }
}

impl Brackets {
    fn are_closed(&self) -> bool {
        self.open == 1
    }

    fn open(&mut self, kind: u64) -> Option<()> {
        self.open = (self.open >> 63 == 0).then_some(self.open << 1 | kind)?;
        Some(())
    }

    /// Closes the innermost; nothing when it is of another kind.
    fn close(&mut self, kind: u64) -> Option<()> {
        self.open = (!self.are_closed() && self.open & 1 == kind).then_some(self.open >> 1)?;
        Some(())
    }

    /// Whether a quote begins a string here: not within an address without quotes.
    fn may_quote(&self, bytes: &[u8], at: usize) -> bool {
        self.open & 1 == BRACKET || bytes.get(at - 1) == Some(&b'(')
    }
}

/// Where the string that begins here ends, if it does on its line.
fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes.get(start)?;
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            byte if byte == quote => return Some(at),
            b'\\' => at += 2,
            b'\n' | b'\r' | 0x0c | 0 => return None,
            _ => at += 1,
        }
    }
}

const PARENTHESIS: u64 = 0;
/// Also the bit for none.
const BRACKET: u64 = 1;

/// What a byte does in a style sheet.
#[derive(Clone, Copy)]
enum Syntax {
    None,
    Opens(u64),
    Closes(u64),
    Quote,
    Slash,
    Semicolon,
    /// A brace, an escape, the sign of an at-rule, a NUL.
    Other,
}

static SYNTAX: [Syntax; 256] = {
    let mut syntax = [Syntax::None; 256];
    syntax[b'(' as usize] = Syntax::Opens(PARENTHESIS);
    syntax[b'[' as usize] = Syntax::Opens(BRACKET);
    syntax[b')' as usize] = Syntax::Closes(PARENTHESIS);
    syntax[b']' as usize] = Syntax::Closes(BRACKET);
    syntax[b'"' as usize] = Syntax::Quote;
    syntax[b'\'' as usize] = Syntax::Quote;
    syntax[b'/' as usize] = Syntax::Slash;
    syntax[b';' as usize] = Syntax::Semicolon;
    syntax[b'{' as usize] = Syntax::Other;
    syntax[b'}' as usize] = Syntax::Other;
    syntax[b'\\' as usize] = Syntax::Other;
    syntax[b'@' as usize] = Syntax::Other;
    syntax[0] = Syntax::Other;
    syntax
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule that the text begins with, as `prelude|name=value,…`, and what follows.
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let written = |rule: &PlainRule<'_>| {
            let declarations: Vec<_> =
                rule.declarations().map(|(name, value)| format!("{name}={}", value.trim())).collect();
            format!("{}|{}", rule.prelude.trim(), declarations.join(","))
        };
        let found = Plain::read(text).map(|(plain, length)| {
            let rule = match plain {
                Plain::Rule(rule) => written(&rule),
                Plain::Media { query, block } => format!("{}: {block}", query.trim()),
                Plain::Other => String::new(),
            };
            (rule, &text[length..])
        });
        assert_eq!(found, expected.map(|(rule, rest)| (rule.to_owned(), rest)), "{text}");
    }

    #[test]
    fn plain_rules_are_cut_where_their_syntax_says() {
        check("a{b:c}d{", Some(("a|b=c", "d{")));
        check("a , b > c { d : e ; ; f:g h!important; }", Some(("a , b > c|d=e,f=g h!important", "")));
        check("a{*b:c;d;--é:f}", Some(("a|--é=f", "")));
        check("a:not([b='}']){c:url(d;e:f);g:\";h:i\"}", Some(("a:not([b='}'])|c=url(d;e:f),g=\";h:i\"", "")));
        check("a{b:'\\'}';c:d}", Some(("a|b='\\'}',c=d", "")));
        check("@media print{a{b:c} /* } */ @d{'}'}}f", Some(("print: a{b:c} /* } */ @d{'}'}", "f")));
        check("@font-face{b:url(c;d)}e", Some(("", "e")));
        check("@keyframes a{from{b:c}}e", Some(("", "e")));
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_parser() {
        for text in [
            "",
            "a",
            "a{",
            "a{b:c",
            "a;b{}",
            "a}b{}",
            "a{b{c:d}}",
            "a\\b{}",
            "a{b:'c\\'}",
            "a{b:'c\n}",
            "a/**/{b:c}",
            "a{b:c/**/}",
            "a{@b;}",
            "@page{b:c}",
            "@media print{a[}",
            "@media print{a{b:url(/*)}}",
            "@font-face",
            "<!-- a{b:c}",
            "--> a{b:c}",
            "a{b:(}",
            "a{b:)}",
            "a{b:([)]}",
            "a{b:url(c'd)}",
            "@media print{a{b:c}",
            "@media-x{a{b:c}}",
            "@media print;",
            "a(;){}",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn rules_for_classes_that_no_element_has_cannot_match() {
        let classes = Classes::of(["card", "Open"].into_iter().map(fold_hash));
        for (prelude, expected) in [
            (".card", true),
            ("div.card.open > p:hover", true),
            ("p", true),
            (".shut", false),
            (".card.shut p", false),
            (".shut, .none", false),
            (".shut, p", true),
            ("p:not(.shut)", true),
        ] {
            assert_eq!(classes.may_match(prelude), expected, "{prelude}");
        }
    }

    #[test]
    fn white_space_and_comments_between_rules_are_blank() {
        for (text, expected) in [("", 0), ("a", 0), (" \n/* a */\t/**/b", 14), (" /* a", 5), ("/a", 0)] {
            assert_eq!(blank(text), expected, "{text}");
        }
    }
}
