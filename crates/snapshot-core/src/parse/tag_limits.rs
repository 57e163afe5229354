//! Finds tags that would be slow to tokenize and says which of their bytes to leave out.
//!
//! html5ever compares each attribute of a tag with all before it: 128,000 attributes take 7.5 s.
//! The design asks to refuse such tags; leaving out the attributes past the limit keeps the page
//! useful and costs the same, so that is what happens, with a diagnostic.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::Limits;
use crate::error::Diagnostic;

/// Which bytes of a page the tokenizer is not to see.
#[derive(Debug, Default)]
pub(super) struct TagLimits {
    skipped: Vec<Range<usize>>,
    tags_with_too_many_attributes: usize,
    attributes_too_long: usize,
    limits: Limits,
}

impl TagLimits {
    /// One pass over the text; allocates only for what it finds.
    pub(super) fn scan(text: &str, limits: &Limits) -> Self {
        let mut found = Self { limits: *limits, ..Self::default() };
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(offset) = memchr(b'<', &bytes[at..]) {
            at += offset + 1;
            match bytes.get(at) {
                Some(b'!') if bytes[at..].starts_with(b"!--") => at = end_of_comment(bytes, at + 3),
                Some(b'/') => at += 1,
                Some(letter) if letter.is_ascii_alphabetic() => at = found.scan_tag(bytes, at),
                _ => {}
            }
        }
        found
    }

    /// The text without what is to be left out, in order.
    pub(super) fn pieces<'text>(&self, text: &'text str) -> Vec<&'text str> {
        let mut pieces = Vec::with_capacity(self.skipped.len() + 1);
        let mut at = 0;
        for range in &self.skipped {
            pieces.extend(text.get(at..range.start));
            at = range.end;
        }
        pieces.extend(text.get(at..));
        pieces
    }

    pub(super) fn report(&self, diagnostics: &mut Vec<Diagnostic>) {
        if self.tags_with_too_many_attributes > 0 {
            diagnostics.push(Diagnostic::warning(format!(
                "{} tag(s) with more than {} attributes: the rest was left out",
                self.tags_with_too_many_attributes, self.limits.attributes
            )));
        }
        if self.attributes_too_long > 0 {
            diagnostics.push(Diagnostic::warning(format!(
                "{} attribute(s) longer than {} bytes were left out",
                self.attributes_too_long, self.limits.attribute_bytes
            )));
        }
    }

    /// Reads one start tag from its name on and returns where its content goes on: behind the
    /// `>`, or for raw text behind what the tokenizer will not read as markup.
    fn scan_tag(&mut self, bytes: &[u8], start: usize) -> usize {
        let mut at =
            start + bytes[start..].iter().take_while(|&&byte| !is_space(byte) && byte != b'/' && byte != b'>').count();
        let name = start..at;
        let mut attributes = 0;
        let mut past_limit = None;
        loop {
            at += bytes[at..].iter().take_while(|&&byte| is_space(byte) || byte == b'/').count();
            let attribute_start = at;
            match bytes.get(at) {
                None | Some(b'>') => break,
                Some(_) => at = end_of_attribute(bytes, at),
            }
            attributes += 1;
            if attributes > self.limits.attributes {
                past_limit.get_or_insert(attribute_start);
            } else if at - attribute_start > self.limits.attribute_bytes {
                self.attributes_too_long += 1;
                self.skipped.push(attribute_start..at);
            }
        }
        if let Some(first) = past_limit {
            self.tags_with_too_many_attributes += 1;
            self.skipped.push(first..at);
        }
        let behind = (at + 1).min(bytes.len());
        end_of_raw_text(bytes, &bytes[name], behind)
    }
}

/// The end of the attribute that begins at `at`, quotes observed.
fn end_of_attribute(bytes: &[u8], at: usize) -> usize {
    let name_end = |from: usize| {
        // The first character belongs to the name even when it is `=`.
        let rest = bytes.get(from + 1..).unwrap_or(&[]);
        from + 1 + rest.iter().take_while(|&&byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'=')).count()
    };
    let end = name_end(at);
    let equals = end + bytes[end.min(bytes.len())..].iter().take_while(|&&byte| is_space(byte)).count();
    if bytes.get(equals) != Some(&b'=') {
        return end.min(bytes.len());
    }
    let value = equals + 1 + bytes[equals + 1..].iter().take_while(|&&byte| is_space(byte)).count();
    match bytes.get(value) {
        Some(&quote @ (b'"' | b'\'')) => {
            memchr(quote, &bytes[value + 1..]).map_or(bytes.len(), |length| value + 1 + length + 1)
        }
        _ => {
            value + bytes[value.min(bytes.len())..].iter().take_while(|&&byte| !is_space(byte) && byte != b'>').count()
        }
    }
}

/// Behind the content of elements whose content is not markup; `at` itself for all others. The
/// `<title>` and `<style>` of SVG are read as markup by the tokenizer and skipped here, which
/// only means that limits are not looked for in them.
fn end_of_raw_text(bytes: &[u8], name: &[u8], at: usize) -> usize {
    const RAW: &[&str] = &["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];
    if name.eq_ignore_ascii_case(b"plaintext") {
        return bytes.len();
    }
    let Some(name) = RAW.iter().find(|raw| name.eq_ignore_ascii_case(raw.as_bytes())) else { return at };
    let mut from = at;
    while let Some(offset) = memmem::find(&bytes[from..], b"</") {
        from += offset + 2;
        if bytes.get(from..from + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes())) {
            return from;
        }
    }
    bytes.len()
}

fn end_of_comment(bytes: &[u8], at: usize) -> usize {
    if bytes[at..].starts_with(b">") || bytes[at..].starts_with(b"->") {
        return at;
    }
    let mut from = at;
    while let Some(offset) = memmem::find(&bytes[from..], b"--") {
        let dashes = from + offset;
        let behind = &bytes[dashes + 2..];
        if behind.starts_with(b">") || behind.starts_with(b"!>") {
            return dashes + 3;
        }
        from = dashes + 1;
    }
    bytes.len()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, limits: &Limits) -> String {
        TagLimits::scan(text, limits).pieces(text).concat()
    }

    #[test]
    fn attributes_past_the_limit_are_left_out_and_the_tag_still_ends() {
        let limits = Limits { attributes: 2, ..Limits::default() };
        assert_eq!(kept("<p a=1 b='>' c=\"x\" d>END", &limits), "<p a=1 b='>' >END");
        assert_eq!(kept("<p a b>ok<br/><i c = d e=f>", &limits), "<p a b>ok<br/><i c = d e=f>");
    }

    #[test]
    fn a_long_attribute_is_left_out_alone() {
        let limits = Limits { attribute_bytes: 8, ..Limits::default() };
        assert_eq!(kept("<img src=data:0123456789 alt=Pier>", &limits), "<img  alt=Pier>");
    }

    #[test]
    fn scripts_comments_and_unclosed_tags_are_not_taken_for_tags() {
        let limits = Limits { attributes: 1, ..Limits::default() };
        for text in ["<script>if (a<b c d e) {}</script>", "<!-- <a b c d> -->", "<a b='", "<", "<a ", "a < b c d"] {
            assert_eq!(kept(text, &limits), text);
        }
    }
}
