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
    /// An `@media` with nothing but plain rules in it.
    Media {
        query: &'text str,
        rules: Vec<PlainRule<'text>>,
    },
}

impl<'text> Plain<'text> {
    /// Reads what the text begins with, if it is plain, and the length of it. There must be no
    /// white space before it.
    pub(super) fn read(text: &'text str) -> Option<(Self, usize)> {
        let Some(rest) = text.strip_prefix("@media").filter(|rest| rest.starts_with([' ', '('])) else {
            let (rule, length) = rule(text)?;
            return Some((Self::Rule(rule), length));
        };
        let query = until(rest, b'{')?;
        let mut rules = Vec::new();
        let mut at = text.len() - rest.len() + query.len() + 1;
        loop {
            at += blank(&text[at..]);
            if text.as_bytes().get(at) == Some(&b'}') {
                return Some((Self::Media { query, rules }, at + 1));
            }
            let (rule, length) = rule(&text[at..])?;
            rules.push(rule);
            at += length;
        }
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
    // The brackets that are open, each a bit by its kind, behind a bit for none.
    let mut open = 1_u64;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match SYNTAX[usize::from(byte)] {
            Syntax::None => {}
            _ if byte == end && open == 1 => return text.get(..at),
            Syntax::Opens(_) if open >> 63 != 0 => return None,
            Syntax::Opens(kind) => open = open << 1 | kind,
            Syntax::Closes(kind) if open > 1 && open & 1 == kind => open >>= 1,
            Syntax::Semicolon if end != b'{' => {}
            Syntax::Slash if bytes.get(at + 1) != Some(&b'*') => {}
            // In an address without quotes a quote begins nothing.
            Syntax::Quote if open & 1 == 1 || bytes.get(at - 1) == Some(&b'(') => at = end_of_string(bytes, at)?,
            _ => return None,
        }
        at += 1;
    }
    None
}

/// Where the string that begins here ends, if there is nothing but characters in it.
fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let (&quote, rest) = bytes.get(start..)?.split_first()?;
    let length = rest.iter().position(|&byte| byte == quote || matches!(byte, b'\\' | b'\n' | b'\r' | 0x0c | 0))?;
    (rest.get(length) == Some(&quote)).then_some(start + 1 + length)
}

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
    syntax[b'(' as usize] = Syntax::Opens(0);
    syntax[b'[' as usize] = Syntax::Opens(1);
    syntax[b')' as usize] = Syntax::Closes(0);
    syntax[b']' as usize] = Syntax::Closes(1);
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

    /// The rules that the text begins with, as `prelude|name=value,…`, and what follows.
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let written = |rule: &PlainRule<'_>| {
            let declarations: Vec<_> =
                rule.declarations().map(|(name, value)| format!("{name}={}", value.trim())).collect();
            format!("{}|{}", rule.prelude.trim(), declarations.join(","))
        };
        let found = Plain::read(text).map(|(plain, length)| {
            let rules = match plain {
                Plain::Rule(rule) => written(&rule),
                Plain::Media { query, rules } => {
                    format!("@{}: {}", query.trim(), rules.iter().map(written).collect::<Vec<_>>().join(" "))
                }
            };
            (rules, &text[length..])
        });
        assert_eq!(found, expected.map(|(rules, rest)| (rules.to_owned(), rest)), "{text}");
    }

    #[test]
    fn plain_rules_are_cut_where_their_syntax_says() {
        check("a{b:c}d{", Some(("a|b=c", "d{")));
        check("a , b > c { d : e ; ; f:g h!important; }", Some(("a , b > c|d=e,f=g h!important", "")));
        check("a{*b:c;d;--é:f}", Some(("a|--é=f", "")));
        check("a:not([b='}']){c:url(d;e:f);g:\";h:i\"}", Some(("a:not([b='}'])|c=url(d;e:f),g=\";h:i\"", "")));
        check("@media print{a{b:c} /* d */ e{}}f", Some(("@print: a|b=c e|", "f")));
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
            "@font-face{b:c}",
            "<!-- a{b:c}",
            "--> a{b:c}",
            "a{b:(}",
            "a{b:)}",
            "a{b:([)]}",
            "a{b:url(c'd)}",
            "@media print{a{b:c}",
            "@media-x{a{b:c}}",
            "@media print{@page{}}",
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
