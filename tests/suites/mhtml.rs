//! MHTML as browsers write it and as nobody should: transfer encodings, line ends, frames,
//! shadow roots, style sheets, loops and broken files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::fmt::Write as _;

use snapshot_core::Error;
use snapshot_core::document::{NodeId, name};
use snapshot_core::parse::{ParseOptions, Parsed, parse};
use snapshot_tests::html5lib::dump;
use snapshot_tests::{files_below, has_extension, shared};

/// One part of a file: header lines and body.
struct Part<'text>(&'text str, &'text str);

fn message(parts: &[Part<'_>]) -> String {
    let mut text = String::from(
        "From: <Saved by Blink>\nSnapshot-Content-Location: https://harbour.example/timetable\nSubject: Ferry\n\
         MIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype=\"text/html\";\n\tboundary=\"--frontier--\"\n\n\n",
    );
    for Part(headers, body) in parts {
        write!(text, "----frontier--\n{headers}\n\n{body}\n").unwrap();
    }
    text.push_str("----frontier----\n");
    text
}

fn read(text: &str) -> Parsed {
    let parsed = parse(text.as_bytes(), &ParseOptions::default()).unwrap();
    parsed.document.assert_invariants();
    let crlf = parse(text.replace('\n', "\r\n").as_bytes(), &ParseOptions::default()).unwrap();
    assert_eq!(dump(&parsed.document, NodeId::DOCUMENT), dump(&crlf.document, NodeId::DOCUMENT), "line ends matter");
    assert_eq!(all_text(&parsed), all_text(&crlf));
    assert_eq!(parsed.style_sheets.len(), crlf.style_sheets.len());
    parsed
}

/// The text of the page with its frames in place, blanks and line ends collapsed.
fn all_text(parsed: &Parsed) -> String {
    let document = &parsed.document;
    let text: String = document
        .composed_descendants(NodeId::DOCUMENT)
        .filter(|&node| document.is_text(node))
        .map(|node| format!("{} ", document.text(node)))
        .collect();
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

fn frames(parsed: &Parsed) -> usize {
    let document = &parsed.document;
    document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.frame(node).is_some()).count()
}

#[test]
fn transfer_encodings_are_undone() {
    for (headers, body) in [
        (
            "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable",
            "<meta charset=3Dutf-8><p>Caf=C3=A9 at =\npier 3",
        ),
        (
            "content-type: TEXT/HTML; charset=\"utf-8\"\nCONTENT-TRANSFER-ENCODING: Quoted-Printable",
            "<p>Caf=c3=a9 at pier 3",
        ),
        ("Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64", "PHA+Q2Fmw6kg\nYXQgcGllciAz"),
        ("Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit", "<p>Café at pier 3"),
        ("Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: binary", "<p>Café at pier 3"),
        ("Content-Type: application/xhtml+xml; charset=utf-8", "<p>Café at pier 3"),
        (
            "Content-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable",
            "<p>Caf=E9 at pier 3",
        ),
        (
            "Content-Type: text/html;\n charset=windows-1252\nContent-Transfer-Encoding: quoted-printable",
            "<p>Caf=E9 at pier 3",
        ),
    ] {
        let parsed = read(&message(&[Part(headers, body)]));
        assert_eq!(all_text(&parsed), "Café at pier 3", "{headers}");
        assert_eq!(parsed.url.as_deref(), Some("https://harbour.example/timetable"));
    }
}

#[test]
fn frames_are_found_by_content_id_and_by_address() {
    let parsed = read(&message(&[
        Part(
            "Content-Type: text/html\nContent-Location: https://harbour.example/timetable",
            "<p>Top<iframe src=\"cid:frame-1@mhtml.blink\"></iframe><iframe src=\"ads/banner.html\"></iframe>\
             <iframe src=\"https://other.example/gone\"></iframe><iframe srcdoc=\"<p>inline\" src=\"cid:frame-1@mhtml.blink\"></iframe>",
        ),
        Part(
            "Content-Type: text/html\nContent-ID: <frame-1@mhtml.blink>\nContent-Location: https://maps.example/embed",
            "<p>Map<iframe src=\"cid:frame-2@mhtml.blink\"></iframe>",
        ),
        Part("Content-Type: text/html\nContent-ID: <frame-2@mhtml.blink>", "<p>Legend"),
        Part("Content-Type: text/html\nContent-Location: https://harbour.example/ads/banner.html", "<p>Banner"),
    ]));
    assert_eq!(all_text(&parsed), "Top Map Legend Banner inline");
    assert_eq!(frames(&parsed), 4);
    let urls: Vec<_> = parsed.frame_urls.values().map(String::as_str).collect();
    assert_eq!(urls, ["https://maps.example/embed", "https://harbour.example/ads/banner.html"]);
}

#[test]
fn a_frameset_shows_its_frames() {
    let parsed = read(&message(&[
        Part(
            "Content-Type: text/html",
            "<frameset cols=\"1,2\"><frame src=\"cid:a@x\"><frame src=\"cid:b@x\"></frameset>",
        ),
        Part("Content-Type: text/html\nContent-ID: <a@x>", "<p>Left"),
        Part("Content-Type: text/html\nContent-ID: <b@x>", "<p>Right"),
    ]));
    assert_eq!(all_text(&parsed), "Left Right");
}

#[test]
fn shadow_roots_are_read_under_their_old_and_new_name() {
    for mode in ["shadowmode=\"open\"", "shadowmode=\"closed\" shadowdelegatesfocus", "shadowrootmode=\"Open\""] {
        let parsed = read(&message(&[Part(
            "Content-Type: text/html",
            &format!("<x-berth><template {mode}><b>in</b></template>light</x-berth>"),
        )]));
        let document = &parsed.document;
        assert!(document.descendants(NodeId::DOCUMENT).any(|node| document.shadow_root(node).is_some()), "{mode}");
        assert_eq!(all_text(&parsed), "in light");
    }
    // Only MHTML has the old name.
    let parsed =
        parse(b"<x-berth><template shadowmode=open><b>in</b></template>light</x-berth>", &ParseOptions::default());
    assert_eq!(all_text(&parsed.unwrap()), "light");
}

#[test]
fn loops_end() {
    let page = |target: &str| format!("<p>x<iframe src=\"cid:{target}\"></iframe>");
    let alone = read(&message(&[Part("Content-Type: text/html\nContent-ID: <a@x>", &page("a@x"))]));
    assert_eq!(all_text(&alone), "x");
    let two = read(&message(&[
        Part("Content-Type: text/html\nContent-ID: <a@x>", &page("b@x")),
        Part("Content-Type: text/html\nContent-ID: <b@x>", &page("a@x")),
    ]));
    assert_eq!(all_text(&two), "x x");
    assert!(two.diagnostics.iter().any(|diagnostic| diagnostic.message.contains("part of")));
    // A thousand that each show the next end at the limit of frames within frames.
    let bodies: Vec<(String, String)> = (0..1000)
        .map(|number| {
            (format!("Content-Type: text/html\nContent-ID: <{number}@x>"), page(&format!("{}@x", number + 1)))
        })
        .collect();
    let parts: Vec<_> = bodies.iter().map(|(headers, body)| Part(headers, body)).collect();
    assert_eq!(frames(&read(&message(&parts))), ParseOptions::default().limits.frame_depth);
    // Each part shows the next ten times: ten to the power of eight without a bound.
    let bodies: Vec<(String, String)> = (0..10)
        .map(|number| {
            let frame = format!("<p>{}<iframe src=\"cid:{}@x\"></iframe>", "text ".repeat(1000), number + 1);
            (format!("Content-Type: text/html\nContent-ID: <{number}@x>"), frame.repeat(10))
        })
        .collect();
    let parts: Vec<_> = bodies.iter().map(|(headers, body)| Part(headers, body)).collect();
    let parsed = read(&message(&parts));
    assert!(parsed.document.text_content(NodeId::DOCUMENT).len() >= 50_000);
    assert!(parsed.diagnostics.iter().any(|diagnostic| diagnostic.message.contains("too often")));
}

#[test]
fn style_sheets_are_found_by_the_addresses_that_pages_use() {
    let parsed = read(&message(&[
        Part(
            "Content-Type: text/html",
            "<link rel=stylesheet href=\"cid:css-1@mhtml.blink\"><link rel=stylesheet href=\"https://harbour.example/a.css\">",
        ),
        Part(
            "Content-Type: text/css\nContent-Transfer-Encoding: quoted-printable\nContent-Location: cid:css-1@mhtml.blink",
            "p { color: =\nred }",
        ),
        Part(
            "Content-Type: text/css\nContent-Location: https://harbour.example/a.css",
            "@charset \"utf-8\";\n.gone { display: none }",
        ),
        Part("Content-Type: text/css\nContent-ID: <css-3@mhtml.blink>", ".by-id { top: 0 }"),
    ]));
    let sheet = |address: &str| parsed.style_sheets.get(address).map(|text| text.trim().to_owned());
    assert_eq!(sheet("cid:css-1@mhtml.blink").unwrap(), "p { color: red }");
    assert!(sheet("https://harbour.example/a.css").unwrap().ends_with(".gone { display: none }"));
    assert_eq!(sheet("cid:css-3@mhtml.blink").unwrap(), ".by-id { top: 0 }");
}

#[test]
fn the_start_parameter_names_the_page() {
    let text = message(&[
        Part("Content-Type: text/html\nContent-ID: <other@x>", "<p>Other"),
        Part("Content-Type: text/html\nContent-ID: <page@x>", "<p>Page"),
    ]);
    assert_eq!(all_text(&read(&text)), "Other");
    assert_eq!(all_text(&read(&text.replace("\ttype=", "\tstart=\"<page@x>\";\n\ttype="))), "Page");
}

#[test]
fn files_without_a_page_say_so() {
    let images = message(&[Part("Content-Type: image/png\nContent-Transfer-Encoding: base64", "iVBORw0KGgo=")]);
    let wrong_boundary = message(&[Part("Content-Type: text/html", "<p>x")])
        .replace("boundary=\"--frontier--\"", "boundary=\"elsewhere\"");
    for text in [images, wrong_boundary, message(&[])] {
        assert!(matches!(parse(text.as_bytes(), &ParseOptions::default()), Err(Error::NoHtmlPart)), "{text}");
    }
}

#[test]
fn a_file_that_breaks_off_gives_what_it_has() {
    let whole = message(&[Part("Content-Type: text/html", "<p>First</p><p>Second</p>")]);
    let end = whole.find("</p><p>Second").unwrap();
    assert_eq!(all_text(&read(&whole[..end])), "First");
}

#[test]
fn ten_thousand_parts_and_deep_nesting_take_no_time() {
    let start = std::time::Instant::now();
    let headers: Vec<String> =
        (0..10_000).map(|number| format!("Content-Type: text/html\nContent-ID: <{number}@x>")).collect();
    let body: String = (1..10_000).fold(String::new(), |mut body, number| {
        let _ = write!(body, "<iframe src=\"cid:{number}@x\"></iframe>");
        body
    });
    let parts: Vec<_> =
        headers.iter().enumerate().map(|(at, headers)| Part(headers, if at == 0 { &body } else { "<p>x" })).collect();
    assert_eq!(frames(&read(&message(&parts))), 9_999);
    let mut nested = message(&[]);
    nested.truncate(nested.len() - "----frontier----\n".len());
    for level in 0..20_000 {
        write!(nested, "----frontier--\nContent-Type: multipart/related; boundary=\"--frontier--\"; x={level}\n\n")
            .unwrap();
    }
    let _ = parse(nested.as_bytes(), &ParseOptions::default());
    let mut messages = message(&[]);
    messages.truncate(messages.len() - "----frontier----\n".len());
    messages.push_str(
        &"----frontier--\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=\"--frontier--\"\n\n"
            .repeat(20_000),
    );
    let _ = parse(messages.as_bytes(), &ParseOptions::default());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn files_that_browsers_saved_are_read() {
    let Some(folder) = shared("corpora/mhtml") else { return };
    let files: Vec<_> = files_below(&folder).into_iter().filter(|file| has_extension(file, "mhtml")).collect();
    assert!(!files.is_empty());
    for file in &files {
        let shown = file.display();
        let bytes = std::fs::read(file).unwrap();
        let parsed = parse(&bytes, &ParseOptions::default()).unwrap_or_else(|error| panic!("{shown}: {error}"));
        parsed.document.assert_invariants();
        assert!(all_text(&parsed).len() > 100, "{shown} has no text");
        assert!(parsed.url.is_some(), "{shown} has no address");
        let document = &parsed.document;
        let mut sheets = 0;
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let source = document.attribute(node, name::SRC).unwrap_or("");
            if document.is_html(node, name::IFRAME) && source.starts_with("cid:") {
                assert!(document.frame(node).is_some(), "{shown}: nothing in the frame {source}");
            }
            let sheet = document.attribute(node, name::REL).is_some_and(|rel| rel.eq_ignore_ascii_case("stylesheet"));
            let address = document.attribute(node, name::HREF).unwrap_or("");
            if document.is_html(node, name::LINK) && sheet {
                sheets += usize::from(parsed.style_sheets.contains_key(address));
                assert!(
                    !address.starts_with("cid:") || parsed.style_sheets.contains_key(address),
                    "{shown}: {address}"
                );
            }
        }
        assert!(sheets > 0, "{shown} has no style sheet");
        let twin = file.with_file_name(format!("{}-lf.mhtml", file.file_stem().unwrap().display()));
        if let Ok(twin) = std::fs::read(twin) {
            let twin = parse(&twin, &ParseOptions::default()).unwrap();
            let tree = |parsed: &Parsed| dump(&parsed.document, NodeId::DOCUMENT).replace("\r\n", "\n");
            assert_eq!(tree(&parsed), tree(&twin), "{shown}");
        }
    }
}
