//! Which characters the bytes stand for.
//!
//! Order of trust: byte order mark, the transport's word, `<meta>` in the first bytes (HTML
//! Standard, "prescan a byte stream"), then the bytes themselves: valid UTF-8, a UTF-16
//! pattern, or what a statistical detector makes of them. One `<meta>` is not believed: that of
//! a page which has been written anew in UTF-8, as tools that save pages do, and still names the
//! single-byte encoding that it once came in.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use crate::error::Diagnostic;

/// Text, and how it was read.
pub(super) struct Decoded<'bytes> {
    pub(super) text: Cow<'bytes, str>,
    pub(super) encoding: &'static str,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Decodes without ever failing: what cannot be decoded becomes U+FFFD, with a diagnostic.
pub(super) fn decode<'bytes>(bytes: &'bytes [u8], hint: Option<&str>) -> Decoded<'bytes> {
    let mut diagnostics = Vec::new();
    let encoding = choose(bytes, hint, &mut diagnostics);
    let (text, encoding, malformed) = encoding.decode(bytes);
    if malformed {
        diagnostics.push(Diagnostic::warning(format!(
            "some bytes are not valid {}; they were read as U+FFFD",
            encoding.name()
        )));
    }
    Decoded { text, encoding: encoding.name(), diagnostics }
}

fn choose(bytes: &[u8], hint: Option<&str>, diagnostics: &mut Vec<Diagnostic>) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(hint) = hint {
        match from_hint(hint) {
            Some(encoding) => return encoding,
            None => {
                diagnostics.push(Diagnostic::warning(format!("the encoding {hint:?} is not known and was ignored")));
            }
        }
    }
    if let Some(encoding) = utf16_pattern(bytes) {
        return encoding;
    }
    // Browsers look at 1,024 bytes before they begin, and begin again when the parser comes upon
    // a declaration later in the head.
    let found = [PRESCAN_BYTES, LATE_BYTES].iter().find_map(|&length| prescan(&bytes[..bytes.len().min(length)]));
    match found {
        Some(encoding) if encoding.is_single_byte() && is_utf8_beyond_ascii(bytes) => {
            let name = encoding.name();
            diagnostics.push(Diagnostic::info(format!("the page names {name}, but its bytes are UTF-8")));
            return UTF_8;
        }
        Some(encoding) => return encoding,
        None => {}
    }
    // ISO-2022-JP is made of ASCII bytes and escape sequences.
    if memchr::memchr(0x1b, bytes).is_none() && std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let detected = detector.guess(None, Utf8Detection::Allow);
    diagnostics.push(Diagnostic::info(format!("the page names no encoding; its bytes look like {}", detected.name())));
    detected
}

const PRESCAN_BYTES: usize = 1024;

/// How far into a page a late declaration is looked for; heads seldom are longer.
const LATE_BYTES: usize = 1 << 16;

/// Whether the bytes are UTF-8 with more than ASCII in it. Text in a single-byte encoding is so
/// only when it writes nothing but pairs like `Ã¼`.
fn is_utf8_beyond_ascii(bytes: &[u8]) -> bool {
    !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok()
}

/// A label, or a `Content-Type` with a charset in it.
fn from_hint(hint: &str) -> Option<&'static Encoding> {
    Encoding::for_label(hint.as_bytes()).or_else(|| from_content_type(hint.as_bytes()))
}

/// UTF-16 without a mark: ASCII markup has a zero in every other byte.
fn utf16_pattern(bytes: &[u8]) -> Option<&'static Encoding> {
    const PAIRS: usize = 64;
    let pairs: Vec<&[u8]> = bytes.chunks_exact(2).take(PAIRS).collect();
    if pairs.len() < 4 {
        return None;
    }
    let little = pairs.iter().filter(|pair| pair[0] != 0 && pair[1] == 0).count();
    let big = pairs.iter().filter(|pair| pair[0] == 0 && pair[1] != 0).count();
    let most = pairs.len() - pairs.len() / 4;
    if little >= most {
        Some(UTF_16LE)
    } else if big >= most {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// HTML Standard, 13.2.3.2 "prescan a byte stream to determine its encoding".
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    if let Some(encoding) = xml_declaration(bytes) {
        return Some(encoding);
    }
    let mut scanner = Scanner { bytes, at: 0 };
    while scanner.at < bytes.len() {
        let rest = &bytes[scanner.at..];
        if rest.starts_with(b"<!--") {
            let end = find(&rest[2..], b"-->").map(|offset| scanner.at + 2 + offset + 3)?;
            scanner.at = end;
        } else if starts_with_ignore_case(rest, b"<meta")
            && rest.get(5).is_some_and(|&byte| is_space(byte) || byte == b'/')
        {
            scanner.at += 5;
            if let Some(encoding) = scanner.meta() {
                return Some(encoding);
            }
        } else if is_tag(rest) {
            while scanner.at < bytes.len() && !is_space(bytes[scanner.at]) && bytes[scanner.at] != b'>' {
                scanner.at += 1;
            }
            while scanner.attribute().is_some() {}
        } else if rest.starts_with(b"<!") || rest.starts_with(b"</") || rest.starts_with(b"<?") {
            scanner.at += find(rest, b">")? + 1;
        } else {
            // Nothing else begins with another character.
            let next = rest.get(1..).and_then(|rest| memchr::memchr(b'<', rest));
            scanner.at = next.map_or(bytes.len(), |next| scanner.at + 1 + next);
        }
    }
    None
}

fn is_tag(rest: &[u8]) -> bool {
    let name = if rest.starts_with(b"</") { rest.get(2) } else { rest.get(1) };
    rest.first() == Some(&b'<') && name.is_some_and(u8::is_ascii_alphabetic)
}

/// `<?xml version="1.0" encoding="…"?>`, which browsers look at too.
fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let end = find(bytes, b">")?;
    let declaration = &bytes[..end];
    let after = find(declaration, b"encoding")? + b"encoding".len();
    let rest = trim_start(&declaration[after..]);
    let rest = trim_start(rest.strip_prefix(b"=")?);
    let quote = *rest.first().filter(|&&byte| byte == b'"' || byte == b'\'')?;
    let label = &rest[1..1 + find(&rest[1..], &[quote])?];
    Encoding::for_label(label).map(as_declared)
}

struct Scanner<'bytes> {
    bytes: &'bytes [u8],
    at: usize,
}

impl<'bytes> Scanner<'bytes> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The rest of a `<meta` tag; its encoding if it declares one.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut got_pragma = false;
        let mut need_pragma = None;
        let mut charset = None;
        let mut seen = [false; 3];
        while let Some((name, value)) = self.attribute() {
            // Of attributes that are written twice the first counts.
            let known: [&[u8]; 3] = [b"http-equiv", b"content", b"charset"];
            let Some(which) = known.iter().position(|known| known.eq_ignore_ascii_case(name)) else { continue };
            if std::mem::replace(&mut seen[which], true) {
                continue;
            }
            match known[which] {
                b"http-equiv" => got_pragma |= value.eq_ignore_ascii_case(b"content-type"),
                b"content" => {
                    if charset.is_none()
                        && let Some(encoding) = from_content_type(value)
                    {
                        charset = Some(encoding);
                        need_pragma = Some(true);
                    }
                }
                _ => {
                    charset = Encoding::for_label(value);
                    need_pragma = Some(false);
                }
            }
        }
        match need_pragma {
            None => None,
            Some(true) if !got_pragma => None,
            Some(_) => charset.map(as_declared),
        }
    }

    /// "Get an attribute": name and value as written, or nothing at the end of the tag.
    fn attribute(&mut self) -> Option<(&'bytes [u8], &'bytes [u8])> {
        while self.peek().is_some_and(|byte| is_space(byte) || byte == b'/') {
            self.at += 1;
        }
        if self.peek()? == b'>' {
            return None;
        }
        let start = self.at;
        // The first character belongs to the name even when it is `=`.
        self.at += 1;
        self.skip_until(|byte| is_space(byte) || matches!(byte, b'=' | b'/' | b'>'))?;
        let name = &self.bytes[start..self.at];
        self.skip_space();
        if self.peek()? != b'=' {
            return Some((name, &[]));
        }
        self.at += 1;
        self.skip_space();
        let start = self.at;
        let value = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                self.skip_until(|byte| byte == quote)?;
                self.at += 1;
                &self.bytes[start + 1..self.at - 1]
            }
            _ => {
                self.skip_until(|byte| is_space(byte) || byte == b'>')?;
                &self.bytes[start..self.at]
            }
        };
        Some((name, value))
    }

    /// Goes on to a byte of this kind, or to the end and returns nothing.
    fn skip_until(&mut self, is_end: impl Fn(u8) -> bool) -> Option<()> {
        let length = self.bytes[self.at..].iter().position(|&byte| is_end(byte));
        self.at = length.map_or(self.bytes.len(), |length| self.at + length);
        length.map(|_| ())
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }
}

/// "Extracting a character encoding from a meta element".
fn from_content_type(value: &[u8]) -> Option<&'static Encoding> {
    let value = value.to_ascii_lowercase();
    let mut rest = value.as_slice();
    loop {
        rest = trim_start(&rest[find(rest, b"charset")? + b"charset".len()..]);
        if let Some(after) = rest.strip_prefix(b"=") {
            rest = trim_start(after);
            break;
        }
    }
    let label = match rest.first() {
        Some(&quote @ (b'"' | b'\'')) => &rest[1..1 + find(&rest[1..], &[quote])?],
        _ => &rest[..rest.iter().position(|&byte| is_space(byte) || byte == b';').unwrap_or(rest.len())],
    };
    Encoding::for_label(label)
}

/// A page that could be read as far as the declaration is not UTF-16, and `x-user-defined` in a
/// `meta` means windows-1252.
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, needle)
}

fn starts_with_ignore_case(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| !is_space(byte)).unwrap_or(bytes.len());
    &bytes[start..]
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_stronger_than_a_hint_and_a_hint_than_a_meta() {
        assert_eq!(decode(b"\xef\xbb\xbfa", Some("shift_jis")).encoding, "UTF-8");
        let page = b"<meta charset=koi8-r>";
        assert_eq!(decode(page, Some("text/html; charset=Shift_JIS")).encoding, "Shift_JIS");
        assert_eq!(decode(page, None).encoding, "KOI8-R");
        assert_eq!(decode(page, Some("nonsense")).encoding, "KOI8-R");
    }

    #[test]
    fn a_stale_declaration_is_not_believed_where_the_bytes_are_plainly_utf8() {
        let declare = |text: &[u8]| [b"<meta charset=windows-1252><p>".as_slice(), text].concat();
        assert_eq!(decode(&declare("Gr\u{fc}\u{df}e".as_bytes()), None).encoding, "UTF-8");
        assert_eq!(decode(&declare(b"Gr\xfc\xdfe"), None).encoding, "windows-1252");
        assert_eq!(decode(&declare(b"Gruesse"), None).encoding, "windows-1252");
        let transported = declare("Gr\u{fc}\u{df}e".as_bytes());
        assert_eq!(decode(&transported, Some("windows-1252")).encoding, "windows-1252");
    }

    #[test]
    fn utf16_is_read_with_and_without_a_mark() {
        let units = "<p>Grüße</p>".encode_utf16();
        let little: Vec<u8> = units.clone().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&little, None).text, "<p>Grüße</p>");
        assert_eq!(decode(&big, None).text, "<p>Grüße</p>");
        let marked: Vec<u8> = [0xfe, 0xff].into_iter().chain(big).collect();
        assert_eq!(decode(&marked, None).text, "<p>Grüße</p>");
    }

    #[test]
    fn bytes_that_declare_nothing_are_looked_at() {
        let (shift_jis, _, _) =
            encoding_rs::SHIFT_JIS.encode("<p>電車の時刻表を確認してください。次の列車は九時です。</p>");
        assert_eq!(decode(&shift_jis, None).encoding, "Shift_JIS");
        assert_eq!(decode("<p>Grüße".as_bytes(), None).encoding, "UTF-8");
    }

    #[test]
    fn bytes_that_make_no_sense_become_replacement_characters() {
        let decoded = decode(b"<meta charset=utf-8><p>a\xff\xfeb", None);
        assert!(decoded.text.contains('\u{fffd}'));
        assert_eq!(decoded.diagnostics.len(), 1);
    }
}
