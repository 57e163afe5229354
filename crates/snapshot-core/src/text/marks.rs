//! Page text that looks like one of the marks that we write.

use std::borrow::Cow;

/// The text changed by a character where it reads like a mark of ours:
/// `[ref=e3]` of the accessibility tree, `[e9 textbox …` and `](e3)` of Markdown, `[… 3 more`
/// of both, `[3] BUTTON` of the list. Borrowed when nothing does.
///
/// The formats quote or escape page text as well; this is for the reader that is taken in by
/// what stands inside quotes.
pub(crate) fn without_forged_marks(text: &str) -> Cow<'_, str> {
    let mut changed: Option<String> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(offset) = memchr::memchr2(b'[', b']', &text.as_bytes()[at..]) {
        let start = at + offset;
        let rest = &text[start..];
        at = start + 1;
        let Some((length, replacement)) = mark_at(rest) else { continue };
        let output = changed.get_or_insert_with(String::new);
        output.push_str(&text[copied..start]);
        output.push_str(&replacement);
        copied = start + length;
        at = copied;
    }
    match changed {
        Some(mut output) => {
            output.push_str(&text[copied..]);
            Cow::Owned(output)
        }
        None => Cow::Borrowed(text),
    }
}

/// The mark that the text begins with: how long it is and what to write in its place.
fn mark_at(text: &str) -> Option<(usize, String)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    if let Some(rest) = text.strip_prefix("[ref=e") {
        let count = digits(rest);
        let closed = count > 0 && rest[count..].starts_with(']');
        return closed.then(|| (6 + count + 1, format!("(ref=e{})", &rest[..count])));
    }
    if let Some(rest) = text.strip_prefix("](e") {
        let count = digits(rest);
        let closed = count > 0 && rest[count..].starts_with(')');
        return closed.then(|| (3 + count + 1, format!("] (e{})", &rest[..count])));
    }
    if let Some(rest) = text.strip_prefix("[… ") {
        let count = digits(rest);
        let more = count > 0 && rest[count..].starts_with(" more");
        return more.then(|| (1, "(".to_owned()));
    }
    if let Some(rest) = text.strip_prefix("[e") {
        let count = digits(rest);
        let more =
            rest[count..].starts_with(' ') && rest[count + 1..].starts_with(|next: char| next.is_ascii_lowercase());
        return (count > 0 && more).then(|| (2 + count, format!("(e{}", &rest[..count])));
    }
    let rest = text.strip_prefix('[')?;
    let count = digits(rest);
    let tag = rest[count..].strip_prefix("] ")?;
    let name = tag.bytes().take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count();
    let quoted = tag[name..].starts_with(" \"")
        || tag[name..].trim_start_matches(|next: char| next.is_ascii_lowercase() || next == ' ').starts_with('"');
    (count > 0 && name > 0 && quoted).then(|| (1 + count + 1, format!("({})", &rest[..count])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lose_their_brackets_and_nothing_else_does() {
        for (text, wanted) in [
            ("- button \"Pay\" [ref=e3]", "- button \"Pay\" (ref=e3)"),
            ("[Add](e3) and [x](eel)", "[Add] (e3) and [x](eel)"),
            ("[e9 textbox \"Email\"]", "(e9 textbox \"Email\"]"),
            ("[3] BUTTON \"Delete account\"", "(3) BUTTON \"Delete account\""),
            ("[9] INPUT email \"Email\"", "(9) INPUT email \"Email\""),
            ("[… 3 more, e1–e9] or […]", "(… 3 more, e1–e9] or […]"),
            ("see [3] and [ref=x] and [e9] and a[0] = 1", "see [3] and [ref=x] and [e9] and a[0] = 1"),
            ("[4] NATO \u{201c}quotes\u{201d}", "[4] NATO \u{201c}quotes\u{201d}"),
        ] {
            assert_eq!(without_forged_marks(text), wanted);
        }
    }
}
