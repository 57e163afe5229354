//! Which encoding a page is read with: html5lib's sniffing cases, and bytes of our own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::fmt::Write as _;

use snapshot_core::document::NodeId;
use snapshot_core::parse::{ParseOptions, parse};
use snapshot_tests::{files_below, has_extension, ledger, shared};

/// Why we read a case otherwise, by case.
const REASONS: &[(&str, &str)] = &[("scripted/tests1.dat:0", "a script writes the declaration")];

#[test]
fn html5lib_cases_name_the_expected_encoding() {
    let Some(root) = shared("conformance/html5lib-tests/encoding") else { return };
    let mut cases = 0;
    let mut failing = Vec::new();
    for file in files_below(&root).into_iter().filter(|file| has_extension(file, "dat")) {
        let bytes = [b"\n", std::fs::read(&file).unwrap().as_slice()].concat();
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        for (index, case) in split(&bytes, b"\n#data\n").into_iter().skip(1).enumerate() {
            cases += 1;
            let parts = split(case, b"\n#encoding\n");
            let expected = String::from_utf8_lossy(parts[1]).trim().to_owned();
            let expected_name = encoding_name(&expected);
            // ASCII that declares nothing would be read as UTF-8, which is the same; one byte
            // more makes it what the suite has for a default.
            let page = [parts[0], b"\xe9"].concat();
            let found = parse(&page, &ParseOptions::default()).unwrap().encoding;
            if !found.eq_ignore_ascii_case(&expected_name) {
                failing.push((format!("{name}:{index}"), expected_name, found));
            }
        }
    }
    let mut text = String::from("# html5lib-tests, encoding. Rewritten by BLESS=1.\n\n");
    writeln!(text, "cases = {cases}\npass = {}\n\n[failing]", cases - failing.len()).unwrap();
    for (id, expected, found) in &failing {
        let reason = REASONS.iter().find(|(known, _)| known == id);
        let reason = reason.unwrap_or_else(|| panic!("{id}: expected {expected}, found {found}")).1;
        writeln!(text, "\"{id}\" = \"{expected} expected, {found} found: {reason}\"").unwrap();
    }
    ledger::check("encodings", &text);
}

/// The suite uses labels where the Encoding Standard has names.
fn encoding_name(label: &str) -> String {
    match label.to_ascii_lowercase().as_str() {
        "iso-8859-1" => "windows-1252".to_owned(),
        other => other.to_owned(),
    }
}

fn split<'bytes>(bytes: &'bytes [u8], separator: &[u8]) -> Vec<&'bytes [u8]> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while at + separator.len() <= bytes.len() {
        if bytes[at..].starts_with(separator) {
            parts.push(&bytes[from..at]);
            // The separator's first line end may end another separator.
            from = at + separator.len();
            at = from - 1;
        }
        at += 1;
    }
    parts.push(&bytes[from.min(bytes.len())..]);
    parts
}

/// Bytes, what a transport says, the encoding, and the text of the page.
fn check(bytes: &[u8], hint: Option<&str>, encoding: &str, text: &str) {
    let mut options = ParseOptions::default();
    options.encoding_hint = hint.map(str::to_owned);
    let parsed = parse(bytes, &options).unwrap();
    assert_eq!(parsed.encoding, encoding, "{text}");
    assert_eq!(parsed.document.text_content(NodeId::DOCUMENT), text);
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text);
    assert!(!unmappable, "{text} cannot be written in {label}");
    bytes.into_owned()
}

#[test]
fn a_declared_encoding_is_used() {
    let samples = [
        ("shift_jis", "Shift_JIS", "次の列車は九時です"),
        ("euc-jp", "EUC-JP", "次の列車は九時です"),
        ("iso-2022-jp", "ISO-2022-JP", "次の列車は九時です"),
        ("windows-1252", "windows-1252", "Café “crème” – 4 €"),
        ("iso-8859-1", "windows-1252", "Café"),
        ("gbk", "GBK", "下一班车九点开"),
        ("gb2312", "GBK", "下一班车九点开"),
        ("gb18030", "gb18030", "下一班车九点开 😀"),
        ("big5", "Big5", "下一班車九點開"),
        ("euc-kr", "EUC-KR", "다음 열차는 아홉 시"),
        ("koi8-r", "KOI8-R", "следующий поезд"),
        ("windows-1251", "windows-1251", "следующий поезд"),
        ("windows-1256", "windows-1256", "القطار القادم"),
        ("iso-8859-8-i", "ISO-8859-8-I", "הרכבת הבאה"),
        ("utf8", "UTF-8", "Grüße 😀"),
    ];
    for (label, encoding, text) in samples {
        for page in [
            format!("<meta charset={label}><p>{text}"),
            format!("<META Http-Equiv = 'Content-Type' CONTENT='text/html;CHARSET = {label} '><p>{text}"),
            format!("<?xml version='1.0' encoding='{label}'?><p>{text}"),
            format!("<head><!-- {} --><meta charset=\"{label}\"><p>{text}", "-".repeat(3000)),
        ] {
            check(&encoded(label, &page), None, encoding, text);
        }
        check(&encoded(label, text), Some(label), encoding, text);
        check(&encoded(label, text), Some(&format!("text/html; Charset=\"{label}\"; x=y")), encoding, text);
        // The transport is believed more than the page.
        check(&encoded(label, &format!("<meta charset=ibm866><p>{text}")), Some(label), encoding, text);
    }
}

#[test]
fn a_byte_order_mark_is_believed_most() {
    let text = "<meta charset=koi8-r><p>Größe";
    let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    check(&marked, Some("shift_jis"), "UTF-8", "Größe");
    let units = || text.encode_utf16();
    let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
    check(&little, Some("shift_jis"), "UTF-16LE", "Größe");
    let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
    check(&big, None, "UTF-16BE", "Größe");
    // Without a mark, and with half a character at the end.
    let bare: Vec<u8> = units().flat_map(u16::to_le_bytes).chain([b'x']).collect();
    check(&bare, None, "UTF-16LE", "Größe\u{fffd}");
}

#[test]
fn what_declares_nothing_or_nonsense_is_looked_at() {
    check("<p>Größe 😀".as_bytes(), None, "UTF-8", "Größe 😀");
    check(b"<meta charset=nonsense><p>Gr\xf6\xdfe, sch\xf6n", None, "windows-1252", "Größe, schön");
    check(b"<meta charset=utf-16><p>plain", None, "UTF-8", "plain");
    check(b"<meta charset=x-user-defined><p>\x80", None, "windows-1252", "€");
    check(b"<p>\x41\xff", Some("x-user-defined"), "x-user-defined", "A\u{f7ff}");
    check(
        &encoded("shift_jis", "<p>電車の時刻表を確認してください"),
        None,
        "Shift_JIS",
        "電車の時刻表を確認してください",
    );
    check(
        &encoded("windows-1251", "<p>Следующий поезд отправляется в девять часов"),
        None,
        "windows-1251",
        "Следующий поезд отправляется в девять часов",
    );
    check(&encoded("iso-2022-jp", "<p>次の列車は九時です"), None, "ISO-2022-JP", "次の列車は九時です");
    // A declaration in a comment, or of another name, is none.
    check("<!-- <meta charset=koi8-r> --><metadata charset=koi8-r><p>ä".as_bytes(), None, "UTF-8", "ä");
}

#[test]
fn bytes_that_no_encoding_has_become_replacement_characters() {
    let parsed = parse(b"<meta charset=utf-8><p>a\xc3\xff\xed\xa0\x80b\xf0\x9f", &ParseOptions::default()).unwrap();
    let text = parsed.document.text_content(NodeId::DOCUMENT);
    assert!(text.starts_with("a\u{fffd}") && text.contains('b') && text.ends_with('\u{fffd}'), "{text:?}");
    assert_eq!(parsed.diagnostics.len(), 1);
    // An encoding that the standard decodes as nothing, for safety.
    let parsed = parse(b"<meta charset=iso-2022-kr><p>secret", &ParseOptions::default()).unwrap();
    assert_eq!(parsed.document.text_content(NodeId::DOCUMENT), "\u{fffd}");
}
