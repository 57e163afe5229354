//! MHTML: one file with a page, its frames and its style sheets (RFC 2557, as browsers write it).

use std::borrow::Cow;
use std::collections::BTreeMap;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Encoding, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::html::{Settings, parse_into};
use super::{ParseOptions, Parsed, encoding, frames};
use crate::document::{Document, NodeId, name};
use crate::error::{Diagnostic, Error};

/// The most parts that are looked at; a page has some hundreds at most.
const MAX_PARTS: usize = 100_000;

/// Whether the bytes begin with mail headers of a multipart message rather than with markup.
pub(super) fn looks_like_mhtml(bytes: &[u8]) -> bool {
    const HEAD: usize = 4096;
    let head = &bytes[..bytes.len().min(HEAD)];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches(['\r', '\n', ' ', '\t']);
    let mut multipart = false;
    for line in text.lines().take_while(|line| !line.is_empty()) {
        let continued = line.starts_with([' ', '\t']);
        let header = line.split_once(':').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
        if !continued && !header {
            return false;
        }
        multipart |= line.to_ascii_lowercase().contains("multipart/related");
        multipart |= line.to_ascii_lowercase().starts_with("snapshot-content-location:");
    }
    multipart
}

/// Parses the first HTML part as the page and hangs the parts that its frames refer to on them.
pub(super) fn parse(bytes: &[u8], options: &ParseOptions) -> Result<Parsed, Error> {
    let message = MessageParser::default().parse(bytes).ok_or(Error::NoHtmlPart)?;
    let parts = Parts::read(&message);
    let start = parts.start(&message).ok_or(Error::NoHtmlPart)?;
    let page = parts.html(start).ok_or(Error::NoHtmlPart)?;
    let mut parsed = Parsed {
        encoding: page.encoding,
        url: message
            .header_raw("Snapshot-Content-Location")
            .map(|value| value.trim().to_owned())
            .or_else(|| page.location.map(str::to_owned)),
        style_sheets: parts.style_sheets(),
        diagnostics: page.diagnostics,
        ..Parsed::empty(page.text.len())
    };
    let settings = Settings { mhtml: true, ..Settings::new(options, &parsed.document, page.text.len()) };
    parse_into(&mut parsed, NodeId::DOCUMENT, &page.text, &settings)?;
    attach_frames(&mut parsed, &parts, start, options)?;
    frames::parse_srcdoc_frames(&mut parsed, NodeId::DOCUMENT, options)?;
    parsed.document.shrink_to_fit();
    Ok(parsed)
}

/// Hangs each frame's part on it. A part that refers to itself, directly or around a corner, is
/// not followed again on the same chain; and all frames together have no more source than a few
/// times the file, however often they show the same part.
fn attach_frames(parsed: &mut Parsed, parts: &Parts<'_>, start: usize, options: &ParseOptions) -> Result<(), Error> {
    let mut source_left = parts.raw.len().saturating_mul(4).saturating_add(1 << 20);
    let mut waiting = vec![(NodeId::DOCUMENT, vec![start])];
    while let Some((root, chain)) = waiting.pop() {
        let base = parts.location(chain.last().copied());
        for host in frame_elements(&parsed.document, root) {
            let Some(source) = parsed.document.attribute(host, name::SRC).map(|source| source.trim().to_owned()) else {
                continue;
            };
            let Some(part) = parts.find(&source, base) else { continue };
            if chain.contains(&part) {
                parsed
                    .diagnostics
                    .push(Diagnostic::warning("a frame shows a page that it is part of; it was left empty").at(host));
                continue;
            }
            if chain.len() > options.limits.frame_depth {
                let message =
                    format!("frames nested deeper than {} levels were left empty", options.limits.frame_depth);
                parsed.diagnostics.push(Diagnostic::warning(message).at(host));
                continue;
            }
            let Some(page) = parts.html(part) else { continue };
            let Some(left) = source_left.checked_sub(page.text.len()) else {
                let message = "frames show the same parts too often; this one and those after it were left empty";
                parsed.diagnostics.push(Diagnostic::warning(message).at(host));
                return Ok(());
            };
            source_left = left;
            let Some(frame) = parsed.document.attach_frame(host) else { continue };
            let settings = Settings { mhtml: true, ..Settings::new(options, &parsed.document, page.text.len()) };
            parse_into(parsed, frame, &page.text, &settings)?;
            if let Some(location) = page.location {
                parsed.frame_urls.insert(frame, location.to_owned());
            }
            let mut inner = chain.clone();
            inner.push(part);
            waiting.push((frame, inner));
        }
    }
    Ok(())
}

fn frame_elements(document: &Document, root: NodeId) -> Vec<NodeId> {
    document
        .composed_descendants(root)
        .filter(|&node| document.is_html(node, name::IFRAME) || document.is_html(node, name::FRAME))
        .filter(|&node| document.frame(node).is_none() && !document.has_attribute(node, name::SRCDOC))
        .collect()
}

/// A part read as a page.
struct HtmlPart<'message> {
    text: String,
    encoding: &'static str,
    location: Option<&'message str>,
    diagnostics: Vec<Diagnostic>,
}

/// The message's parts, found by address or by content id.
struct Parts<'message> {
    raw: &'message [u8],
    parts: Vec<&'message MessagePart<'message>>,
    by_address: BTreeMap<String, usize>,
}

impl<'message> Parts<'message> {
    fn read(message: &'message Message<'message>) -> Self {
        let parts: Vec<_> = message.parts.iter().take(MAX_PARTS).collect();
        let mut by_address = BTreeMap::new();
        for (number, part) in parts.iter().enumerate() {
            if matches!(part.body, PartType::Multipart(_)) {
                continue;
            }
            if let Some(id) = part.content_id() {
                by_address.entry(format!("cid:{}", id.trim_matches(['<', '>']))).or_insert(number);
            }
            if let Some(location) = part.content_location() {
                by_address.entry(location.trim().to_owned()).or_insert(number);
            }
        }
        Self { raw: &message.raw_message, parts, by_address }
    }

    /// The part that the message's `start` parameter names, else the first HTML part.
    fn start(&self, message: &Message<'_>) -> Option<usize> {
        let named = message
            .content_type()
            .and_then(|content_type| content_type.attribute("start"))
            .and_then(|id| self.by_address.get(&format!("cid:{}", id.trim_matches(['<', '>']))).copied());
        named.or_else(|| (0..self.parts.len()).find(|&number| self.is_html(number)))
    }

    fn is_html(&self, number: usize) -> bool {
        let kind = self.media_type(number);
        matches!(kind.as_str(), "text/html" | "application/xhtml+xml")
    }

    fn media_type(&self, number: usize) -> String {
        let content_type = self.parts.get(number).and_then(|part| part.content_type());
        content_type.map_or_else(String::new, |content_type| {
            format!("{}/{}", content_type.ctype(), content_type.subtype().unwrap_or("")).to_ascii_lowercase()
        })
    }

    fn location(&self, number: Option<usize>) -> Option<&'message str> {
        self.parts.get(number?).and_then(|part| part.content_location()).map(str::trim)
    }

    /// The part at an address as written in a page, or as it is relative to that page.
    fn find(&self, address: &str, base: Option<&str>) -> Option<usize> {
        if address.is_empty() {
            return None;
        }
        self.by_address.get(address).copied().or_else(|| {
            let absolute = url::Url::parse(base?).ok()?.join(address).ok()?;
            self.by_address.get(absolute.as_str()).copied()
        })
    }

    fn html(&self, number: usize) -> Option<HtmlPart<'message>> {
        if !self.is_html(number) {
            return None;
        }
        let part = self.parts.get(number)?;
        let location = part.content_location().map(str::trim);
        let charset = part.content_type().and_then(|content_type| content_type.attribute("charset"));
        let bytes = self.bytes(part);
        let decoded = encoding::decode(&bytes, charset);
        let (text, encoding, diagnostics) = (decoded.text.into_owned(), decoded.encoding, decoded.diagnostics);
        Some(HtmlPart { text, encoding, location, diagnostics })
    }

    /// The part's bytes with the transfer encoding undone and nothing else: which characters they
    /// stand for is decided as for any page. (What mail-parser offers as text has been decoded by
    /// a charset that it falls back on when none is named.)
    fn bytes(&self, part: &MessagePart<'message>) -> Cow<'message, [u8]> {
        let raw = self.raw.get(part.offset_body as usize..part.offset_end as usize).unwrap_or(&[]);
        let decoded = match part.encoding {
            Encoding::None => return Cow::Borrowed(raw),
            Encoding::QuotedPrintable => quoted_printable_decode(raw),
            Encoding::Base64 => base64_decode(raw),
        };
        Cow::Owned(decoded.unwrap_or_else(|| part.contents().to_vec()))
    }

    fn style_sheets(&self) -> BTreeMap<String, String> {
        self.by_address
            .iter()
            .filter(|&(_, &number)| self.media_type(number) == "text/css")
            .filter_map(|(address, &number)| {
                let part = self.parts.get(number)?;
                let charset = part.content_type().and_then(|content_type| content_type.attribute("charset"));
                let bytes = self.bytes(part);
                let text = encoding::decode(&bytes, charset.or(Some("utf-8"))).text.into_owned();
                Some((address.clone(), text))
            })
            .collect()
    }
}
