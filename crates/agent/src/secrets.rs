//! Secrets: a model sees placeholders, a field of the secret's own origin gets the value, and
//! nothing else does.
//!
//! A page that has been given a value may show it again. So whatever goes to a model, a trace or
//! the terminal passes through [`Secrets::redact`], which knows the value in the forms that it
//! takes on the way: encoded for addresses, JSON, HTML, in base64 and hexadecimal, backwards, with
//! spaces between its characters, and any half of a long one.

use std::borrow::Cow;

use aho_corasick::AhoCorasick;
use serde_json::Value;

use crate::model::Reply;
use crate::origins::Origins;

/// What is shorter would be found everywhere.
const SHORTEST: usize = 4;

/// From here on halves are secret as well.
const LONG: usize = 16;

/// One secret.
#[derive(Clone)]
struct Secret {
    name: String,
    origin: String,
    origins: Origins,
    value: String,
}

/// The secrets of a run. What it prints of itself holds no value.
#[derive(Clone, Default)]
pub struct Secrets {
    secrets: Vec<Secret>,
    /// Finds the forms of all values; each pattern belongs to the secret of this place.
    forms: Option<AhoCorasick>,
    owners: Vec<usize>,
}

/// A secret that cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret {name:?} cannot be used: {reason}")]
pub struct InvalidSecret {
    name: String,
    reason: String,
}

impl Secrets {
    /// Adds a secret that may be typed on one origin, `https://shop.example`.
    ///
    /// # Errors
    /// [`InvalidSecret`] says what is wrong, and never the value.
    pub fn with(mut self, name: &str, origin: &str, value: &str) -> Result<Self, InvalidSecret> {
        let invalid = |reason: String| InvalidSecret { name: name.to_owned(), reason };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
            return Err(invalid("a name consists of letters, digits, `-` and `_`".to_owned()));
        }
        if self.secrets.iter().any(|secret| secret.name == name) {
            return Err(invalid("there is another of this name".to_owned()));
        }
        if value.chars().count() < SHORTEST {
            return Err(invalid(format!("it has fewer than {SHORTEST} characters and would be found everywhere")));
        }
        let origins = Origins::new([origin]).map_err(|error| invalid(error.to_string()))?;
        self.secrets.push(Secret {
            name: name.to_owned(),
            origin: origin.to_owned(),
            origins,
            value: value.to_owned(),
        });
        let mut patterns = Vec::new();
        self.owners.clear();
        for (place, secret) in self.secrets.iter().enumerate() {
            for form in forms(&secret.value) {
                patterns.push(form);
                self.owners.push(place);
            }
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(patterns)
            .map_err(|_| invalid("it is too long".to_owned()))?;
        self.forms = Some(automaton);
        Ok(self)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// What the model is told of them; nothing when there are none.
    pub fn told(&self) -> String {
        if self.secrets.is_empty() {
            return String::new();
        }
        let list: Vec<String> =
            self.secrets.iter().map(|secret| format!("<secret:{}> on {}", secret.name, secret.origin)).collect();
        format!(
            "To type a secret, give its placeholder as the text of the action type; it is filled in on its own site \
             only: {}.",
            list.join(", ")
        )
    }

    /// Puts placeholders in the place of values.
    pub fn redact<'text>(&self, text: &'text str) -> Cow<'text, str> {
        let Some(forms) = &self.forms else { return Cow::Borrowed(text) };
        let owner = |pattern: usize| self.owners.get(pattern).copied().unwrap_or_default();
        let mut spans: Vec<(usize, usize, usize)> = forms
            .find_overlapping_iter(text)
            .map(|found| (found.start(), found.end(), owner(found.pattern().as_usize())))
            .collect();
        if let Some((decoded, places)) = percent_decoded(text) {
            let place = |at: usize| places.get(at).copied().unwrap_or(text.len());
            spans.extend(
                forms
                    .find_overlapping_iter(&decoded)
                    .map(|found| (place(found.start()), place(found.end()), owner(found.pattern().as_usize()))),
            );
        }
        for (owner, secret) in self.secrets.iter().enumerate() {
            spans.extend(spaced(text, &secret.value).into_iter().map(|(start, end)| (start, end, owner)));
        }
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        spans.sort_unstable();
        let (mut redacted, mut done) = (String::with_capacity(text.len()), 0);
        for (start, end, owner) in spans {
            if start >= done {
                redacted.push_str(text.get(done..start).unwrap_or_default());
                redacted.push_str(&self.placeholder(owner));
            }
            // Where two overlap, the end of the later one goes as well.
            done = done.max(end);
        }
        redacted.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(redacted)
    }

    /// Puts placeholders in the place of values in an answer: what a page has told a model, it may
    /// say.
    pub(crate) fn redact_reply(&self, reply: &Reply) -> Reply {
        let mut reply = reply.clone();
        reply.text = self.redact(&reply.text).into_owned();
        if let Some(call) = &mut reply.call {
            call.name = self.redact(&call.name).into_owned();
            let mut open = vec![&mut call.arguments];
            while let Some(value) = open.pop() {
                match value {
                    Value::String(text) => *text = self.redact(text).into_owned(),
                    Value::Array(items) => open.extend(items),
                    Value::Object(members) => open.extend(members.iter_mut().map(|(_, member)| member)),
                    _ => {}
                }
            }
        }
        reply
    }

    /// Whether a text holds a value in any form.
    pub fn are_in(&self, text: &str) -> bool {
        let decoded = percent_decoded(text).map(|(decoded, _)| decoded);
        self.forms
            .as_ref()
            .is_some_and(|forms| forms.is_match(text) || decoded.is_some_and(|decoded| forms.is_match(&decoded)))
            || self.secrets.iter().any(|secret| !spaced(text, &secret.value).is_empty())
    }

    /// Whether a text names a secret.
    pub(crate) fn is_named_in(text: &str) -> bool {
        text.contains("<secret:")
    }

    /// The text with values in the place of placeholders, for a field of the document at `url`.
    ///
    /// # Errors
    /// Says in words for the model why it cannot be filled in.
    pub(crate) fn fill(&self, text: &str, url: &str) -> Result<String, String> {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some((before, behind)) = rest.split_once("<secret:") {
            let Some((name, after)) = behind.split_once('>') else { break };
            let secret = self.secrets.iter().find(|secret| secret.name == name).ok_or_else(|| {
                let names: Vec<&str> = self.secrets.iter().map(|secret| secret.name.as_str()).collect();
                format!("there is no secret {name:?}; there are {names:?}")
            })?;
            if url == "about:blank" || url == "about:srcdoc" || !secret.origins.allows(url) {
                return Err(format!(
                    "<secret:{name}> is filled in on {} only, and this field is not there",
                    secret.origin
                ));
            }
            filled.push_str(before);
            filled.push_str(&secret.value);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    fn placeholder(&self, owner: usize) -> String {
        self.secrets.get(owner).map(|secret| format!("<secret:{}>", secret.name)).unwrap_or_default()
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.secrets.iter().map(|secret| &secret.name)).finish()
    }
}

/// The forms in which a value may be met. Case makes no difference to the search.
fn forms(value: &str) -> Vec<String> {
    let bytes = value.as_bytes();
    let mut forms = vec![value.to_owned(), value.chars().rev().collect()];
    // Percent signs are decoded before the search; a form also writes spaces as plus signs.
    forms.push(value.replace(' ', "+"));
    let json = Value::from(value).to_string();
    let escaped = json.trim_matches('"').to_owned();
    forms.push(Value::from(escaped.as_str()).to_string().trim_matches('"').to_owned());
    forms.push(escaped.replace('/', "\\/"));
    forms.push(escaped);
    forms.push(value.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect());
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    forms.push(html.replace('"', "&quot;").replace('\'', "&#39;"));
    forms.push(html);
    forms.push(value.replace('\'', "''"));
    forms.push(bytes.iter().map(|byte| format!("{byte:02x}")).collect());
    // Inside a longer text the value begins at any of three places of a group.
    for alphabet in [BASE64, BASE64_URL] {
        for shift in 0..3 {
            let mut shifted = vec![0; shift];
            shifted.extend(bytes);
            let encoded = base64(&shifted, alphabet);
            // The characters at both ends mix with what stands beside the value.
            let start = (shift * 8).div_ceil(6);
            let end = shifted.len() * 8 / 6;
            forms.push(encoded.get(start..end).unwrap_or_default().to_owned());
        }
    }
    let characters: Vec<char> = value.chars().collect();
    if characters.len() >= LONG {
        forms.extend(characters.windows(characters.len() / 2).map(|window| window.iter().collect()));
    }
    forms.retain(|form| form.chars().count() >= SHORTEST);
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// The text with its percent signs decoded (URL Standard, 1.3), and where each byte of that stands;
/// nothing when there are none.
fn percent_decoded(text: &str) -> Option<(Vec<u8>, Vec<usize>)> {
    if !text.contains('%') {
        return None;
    }
    let (mut decoded, mut places, mut at) = (Vec::new(), Vec::new(), 0);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let escape = text.get(at + 1..at + 3).filter(|_| byte == b'%');
        let escaped = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(escaped.unwrap_or(byte));
        places.push(at);
        at += if escaped.is_some() { 3 } else { 1 };
    }
    Some((decoded, places))
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Base64 without padding (RFC 4648, 4 and 5).
fn base64(bytes: &[u8], alphabet: &[u8; 64]) -> String {
    let mut encoded = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits: usize, place| bits << 8 | usize::from(group.get(place).copied().unwrap_or(0)));
        for place in 0..=group.len() {
            let digit = bits >> (18 - 6 * place) & 63;
            encoded.push(alphabet.get(digit).map_or('A', |&byte| char::from(byte)));
        }
    }
    encoded
}

/// Where a value stands with white space or characters of no width between its own. Only for
/// values that are long enough not to be met by chance.
fn spaced(text: &str, value: &str) -> Vec<(usize, usize)> {
    let wanted: Vec<char> = value.chars().filter(|&character| !is_gap(character)).map(fold).collect();
    let mut found = Vec::new();
    if wanted.len() < 8 {
        return found;
    }
    let first = wanted.first().copied();
    let mut done = 0;
    for (start, _) in text.char_indices().filter(|&(_, character)| Some(fold(character)) == first) {
        if start < done {
            continue;
        }
        let mut left = wanted.as_slice();
        let mut gap = 0;
        for (offset, character) in text.get(start..).unwrap_or_default().char_indices() {
            if is_gap(character) {
                gap += 1;
                if gap > 3 {
                    break;
                }
                continue;
            }
            gap = 0;
            match left.split_first() {
                Some((&next, rest)) if next == fold(character) => left = rest,
                _ => break,
            }
            if left.is_empty() {
                done = start + offset + character.len_utf8();
                found.push((start, done));
                break;
            }
        }
    }
    found
}

fn fold(character: char) -> char {
    character.to_ascii_lowercase()
}

fn is_gap(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// A text in one line, without what a terminal could take for a command, cut behind so many
/// characters.
pub(crate) fn printable(text: &str, longest: usize) -> String {
    let mut line = String::new();
    for (count, character) in text.trim().chars().enumerate() {
        if count >= longest {
            line.push('…');
            break;
        }
        line.push(if character.is_control() { ' ' } else { character });
    }
    line
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
