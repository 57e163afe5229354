//! Bytes to [`Document`]: any saved page, broken or hostile, in linear time.

mod depth;
mod encoding;
mod frames;
mod html;
mod markdown;
mod mhtml;
mod selected_content;
mod tokenizer;
mod tree_builder;

use std::collections::BTreeMap;

use crate::capture::CapturedFacts;
use crate::document::{Document, Namespace, NodeId};
use crate::error::{Diagnostic, Error};

pub use markdown::parse_markdown;

/// How to read a page.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ParseOptions {
    /// What must not be passed.
    pub limits: Limits,
    /// What the input is written in.
    pub format: InputFormat,
    /// The encoding that a transport named (the `charset` of a `Content-Type` header, or an
    /// encoding label). A byte order mark is stronger, everything else weaker.
    pub encoding_hint: Option<String>,
    /// Parse as a browser with scripts does: the content of `noscript` is text, not elements.
    pub scripting: bool,
}

/// What an input is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum InputFormat {
    /// HTML or MHTML, told apart by the first bytes. Markdown is never guessed: any text is
    /// Markdown.
    #[default]
    Auto,
    /// HTML, whatever the bytes look like.
    Html,
    /// CommonMark with GitHub's extensions.
    Markdown,
}

/// What hostile input must not pass; the defaults are generous for real pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of input. Passing it is [`Error::InputTooLarge`]. Default 64 MiB.
    pub input_bytes: usize,
    /// Nodes of all documents of the page. Passing it is [`Error::TooManyNodes`]. Default 5 M.
    pub nodes: usize,
    /// Levels of nesting; deeper elements attach to the last allowed ancestor, as in browsers.
    /// Default 512.
    pub depth: usize,
    /// Attributes of one element; the rest is dropped with a diagnostic. Default 1,024.
    pub attributes: usize,
    /// Bytes of one attribute value; a longer one is dropped with a diagnostic. Default 1 MiB.
    pub attribute_bytes: usize,
    /// Frames within frames. Deeper ones stay empty, with a diagnostic. Default 8.
    pub frame_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            input_bytes: 64 << 20,
            nodes: 5_000_000,
            depth: 512,
            attributes: 1024,
            attribute_bytes: 1 << 20,
            frame_depth: 8,
        }
    }
}

/// A page as read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The tree, frames and shadow roots included.
    pub document: Document,
    /// The name of the encoding that the bytes were read with, as the Encoding Standard spells it.
    pub encoding: &'static str,
    /// The address that an MHTML file was saved from.
    pub url: Option<String>,
    /// Style sheets that came with an MHTML file, by their address.
    pub style_sheets: BTreeMap<String, String>,
    /// The addresses of frames' documents where the source tells them (MHTML).
    pub frame_urls: BTreeMap<NodeId, String>,
    /// What was dropped or guessed.
    pub diagnostics: Vec<Diagnostic>,
    /// What a browser has told besides the tree.
    pub(crate) captured: Option<CapturedFacts>,
}

/// Reads a saved page: HTML in any encoding, or MHTML.
///
/// # Errors
/// [`Error::EmptyInput`], [`Error::NotAPage`], [`Error::NoHtmlPart`] when there is no page in the
/// bytes; [`Error::InputTooLarge`], [`Error::TooManyNodes`] when a limit was passed. Broken HTML
/// is not an error.
///
/// ```
/// use snapshot_core::document::NodeId;
/// use snapshot_core::parse::{ParseOptions, parse};
///
/// let parsed = parse(b"<p>Caf\xe9 <b>open", &ParseOptions::default())?;
/// assert_eq!(parsed.encoding, "windows-1252");
/// assert_eq!(parsed.document.text_content(NodeId::DOCUMENT), "Café open");
/// # Ok::<(), snapshot_core::Error>(())
/// ```
pub fn parse(bytes: &[u8], options: &ParseOptions) -> Result<Parsed, Error> {
    check_input(bytes, &options.limits)?;
    if options.format == InputFormat::Auto && mhtml::looks_like_mhtml(bytes) {
        return mhtml::parse(bytes, options);
    }
    let decoded = encoding::decode(bytes, options.encoding_hint.as_deref());
    let mut parsed = match options.format {
        InputFormat::Markdown => parse_markdown(&decoded.text, options)?,
        InputFormat::Auto | InputFormat::Html => parse_html(&decoded.text, options)?,
    };
    parsed.encoding = decoded.encoding;
    parsed.diagnostics.splice(0..0, decoded.diagnostics);
    Ok(parsed)
}

/// Reads HTML that is already text.
///
/// # Errors
/// As [`parse`].
pub fn parse_html(text: &str, options: &ParseOptions) -> Result<Parsed, Error> {
    check_size(text.len(), &options.limits)?;
    let mut parsed = Parsed::empty(text.len());
    let settings = html::Settings::new(options, &parsed.document, text.len());
    html::parse_into(&mut parsed, NodeId::DOCUMENT, text, &settings)?;
    frames::parse_srcdoc_frames(&mut parsed, NodeId::DOCUMENT, options)?;
    parsed.document.shrink_to_fit();
    Ok(parsed)
}

/// Reads HTML as the content of an element: what `innerHTML` makes of it (HTML Standard, "parsing
/// HTML fragments"). The nodes are children of the document node; there is no `html`, `head` or
/// `body` that the text does not name.
///
/// # Errors
/// As [`parse_html`].
///
/// ```
/// use snapshot_core::document::{Namespace, NodeId};
/// use snapshot_core::parse::{ParseOptions, parse_fragment};
///
/// let parsed = parse_fragment("<td>Pier 3<td>Noon", (Namespace::Html, "tr"), &ParseOptions::default())?;
/// assert_eq!(parsed.document.children(NodeId::DOCUMENT).count(), 2);
/// # Ok::<(), snapshot_core::Error>(())
/// ```
pub fn parse_fragment(text: &str, context: (Namespace, &str), options: &ParseOptions) -> Result<Parsed, Error> {
    check_size(text.len(), &options.limits)?;
    let mut parsed = Parsed::empty(text.len());
    let settings = html::Settings::new(options, &parsed.document, text.len());
    html::parse_fragment_into(&mut parsed, NodeId::DOCUMENT, text, context, &settings)?;
    frames::parse_srcdoc_frames(&mut parsed, NodeId::DOCUMENT, options)?;
    parsed.document.shrink_to_fit();
    Ok(parsed)
}

impl Parsed {
    /// A page without content, with room for that of a source of this many bytes.
    pub(crate) fn empty(source_bytes: usize) -> Self {
        let mut document = Document::new();
        document.reserve_for_input(source_bytes);
        Self {
            document,
            encoding: "UTF-8",
            url: None,
            style_sheets: BTreeMap::new(),
            frame_urls: BTreeMap::new(),
            diagnostics: Vec::new(),
            captured: None,
        }
    }
}

fn check_size(bytes: usize, limits: &Limits) -> Result<(), Error> {
    if bytes > limits.input_bytes {
        return Err(Error::InputTooLarge { actual: bytes, limit: limits.input_bytes });
    }
    Ok(())
}

fn check_input(bytes: &[u8], limits: &Limits) -> Result<(), Error> {
    /// How files begin that people give by mistake.
    const SIGNATURES: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF87a", "a GIF image"),
        (b"GIF89a", "a GIF image"),
        (b"%PDF-", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive or office document"),
        (b"\x1f\x8b", "gzip-compressed data"),
        (b"(\xb5\x2f\xfd", "zstd-compressed data"),
        (b"bplist00", "a binary property list (Safari web archive)"),
        (b"wOFF", "a font"),
        (b"wOF2", "a font"),
        (b"\x7fELF", "a program"),
        (b"\x00asm", "a WebAssembly module"),
        (b"SQLite format 3\0", "a SQLite database"),
        (b"OggS", "an Ogg media file"),
        (b"ID3", "an MP3 file"),
    ];
    check_size(bytes.len(), limits)?;
    if bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)) {
        return Err(Error::EmptyInput);
    }
    let riff = bytes.starts_with(b"RIFF") && bytes.get(8..12).is_some_and(|kind| kind == b"WEBP");
    if riff {
        return Err(Error::NotAPage { kind: "a WebP image" });
    }
    match SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)) {
        Some((_, kind)) => Err(Error::NotAPage { kind }),
        None => Ok(()),
    }
}
