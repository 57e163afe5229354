//! Long addresses made short for the model, and long again in what it answers.
//!
//! A query or fragment of more than 25 characters keeps its first 25, behind which seven
//! hexadecimal digits say which one it was. In an answer they are looked up again, in every string
//! at any depth, so that a model may copy what it sees.

use std::collections::BTreeMap;

use serde_json::Value;

/// Characters of a query or fragment that stay.
const KEPT: usize = 25;

/// Digits of the hash.
const DIGITS: usize = 7;

const GAP: &str = "...";

/// The addresses of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses {
    /// What was written instead, and what it stands for.
    whole: BTreeMap<String, String>,
}

impl Addresses {
    /// Shortens the addresses in a text, where that makes them shorter.
    pub(crate) fn shorten(&mut self, text: &str) -> String {
        let mut shortened = String::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let start = rest.find(|character| !ends_address(character)).unwrap_or(rest.len());
            let (between, behind) = rest.split_at_checked(start).unwrap_or((rest, ""));
            shortened.push_str(between);
            let end = behind.find(ends_address).unwrap_or(behind.len());
            let (word, after) = behind.split_at_checked(end).unwrap_or((behind, ""));
            match self.short_form(word) {
                Some(short) => shortened.push_str(&short),
                None => shortened.push_str(word),
            }
            rest = after;
        }
        shortened
    }

    fn short_form(&mut self, word: &str) -> Option<String> {
        // What ends a sentence or a pair is not part of the address.
        let address = word.trim_end_matches(['.', ',', ';', ':', '!', '\'']);
        let behind = word.get(address.len()..)?;
        let tail_at = address.find(['?', '#'])?;
        let (head, tail) = address.split_at_checked(tail_at)?;
        let is_address = head.contains('/') || head.is_empty() || head.starts_with("www.") || tail.contains('=');
        if !is_address {
            return None;
        }
        let (cut, _) = tail.char_indices().nth(KEPT)?;
        let hash = tail
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let short = format!("{}{GAP}{:07x}", tail.get(..cut)?, hash >> (64 - 4 * DIGITS));
        if short.len() >= tail.len() {
            return None;
        }
        match self.whole.get(&short) {
            // Two that look alike cannot be told apart; the later one stays long.
            Some(known) if known != tail => return None,
            Some(_) => {}
            None => {
                self.whole.insert(short.clone(), tail.to_owned());
            }
        }
        Some(format!("{head}{short}{behind}"))
    }

    /// Makes the addresses in a text whole again.
    pub(crate) fn restore(&self, text: &str) -> String {
        let mut restored = String::with_capacity(text.len());
        let mut done = 0;
        let mut from = 0;
        while let Some(gap) = text.get(from..).and_then(|rest| rest.find(GAP)).map(|offset| from + offset) {
            from = gap + 1;
            let before = text.get(done..gap).unwrap_or_default();
            let Some((back, _)) = before.char_indices().rev().nth(KEPT - 1) else { continue };
            let end = gap + GAP.len() + DIGITS;
            let Some(whole) = text.get(done + back..end).and_then(|short| self.whole.get(short)) else { continue };
            restored.push_str(before.get(..back).unwrap_or_default());
            restored.push_str(whole);
            done = end;
            from = end;
        }
        restored.push_str(text.get(done..).unwrap_or_default());
        restored
    }

    /// Makes the addresses in every string of a value whole again, names of members too.
    pub(crate) fn restore_all(&self, value: &mut Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) => *text = self.restore(text),
                Value::Array(items) => open.extend(items),
                Value::Object(members) => {
                    let renamed: Vec<(String, String)> = members
                        .keys()
                        .map(|name| (name.clone(), self.restore(name)))
                        .filter(|(name, restored)| name != restored)
                        .collect();
                    for (name, restored) in renamed {
                        if let Some(member) = members.remove(&name) {
                            members.insert(restored, member);
                        }
                    }
                    open.extend(members.iter_mut().map(|(_, member)| member));
                }
                _ => {}
            }
        }
    }
}

/// What stands around addresses in the representations, and is encoded inside them.
fn ends_address(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '"' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '`' | '|' | '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "/search?q=tea&session=8f14e45fceea167a5a36dedd4bea2543&from=home";

    #[test]
    fn long_tails_are_short_and_come_back() {
        let mut addresses = Addresses::default();
        let text =
            format!("- link \"Next\" [ref=e3]:\n  - /url: {LONG}\n- [there](https://shop.example{LONG}#top), {LONG}.");
        let short = addresses.shorten(&text);
        assert!(short.contains("/url: /search?q=tea&session=8f14e45fce..."), "{short}");
        assert!(short.len() + 60 < text.len(), "{short}");
        assert_eq!(addresses.restore(&short), text);
        assert_eq!(addresses.shorten(&text), short, "the same address is written the same way again");
    }

    #[test]
    fn what_would_not_be_shorter_stays() {
        let mut addresses = Addresses::default();
        for text in [
            "/a?b=c",
            "/list?page=2&sort=price&dir=as",
            "What?Not_an_address_but_a_very_long_word_indeed",
            "a # b?  ...",
            "",
        ] {
            assert_eq!(addresses.shorten(text), text);
        }
        assert!(addresses.whole.is_empty());
    }

    #[test]
    fn every_string_of_an_answer_is_restored() {
        let mut addresses = Addresses::default();
        let short = addresses.shorten(LONG);
        let mut answer = serde_json::json!({
            "action": "navigate", "url": format!("https://shop.example{short}"), "n": 3,
            "deep": [[{ "a": [short, format!("{short} and {short}")] }], null], &short: true
        });
        addresses.restore_all(&mut answer);
        assert!(!answer.to_string().contains("..."), "{answer}");
        assert_eq!(answer["deep"][0][0]["a"][1], format!("{LONG} and {LONG}"));
        assert_eq!(answer[LONG], true);
    }

    #[test]
    fn what_was_never_seen_is_not_restored() {
        let mut addresses = Addresses::default();
        let short = addresses.shorten(LONG);
        for text in ["...", "x...0000000", "?q=tea&session=8f14e45fce...0000000", "é...é", &short[1..20]] {
            assert_eq!(addresses.restore(text), text);
        }
        // Multi-byte characters are counted as characters, and never cut.
        let wide = format!("/?{}", "é".repeat(60));
        let short = addresses.shorten(&wide);
        assert_eq!(addresses.restore(&short), wide);
        assert!(short.chars().count() < 40, "{short}");
    }
}
