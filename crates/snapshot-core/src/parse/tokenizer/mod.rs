//! Text to tokens for html5ever's tree builder: the tokenization stage of the HTML Standard
//! (section 13.2.5), for input that is all there.
//!
//! The states of the standard read a character at a time. Here a function reads a whole construct
//! (a run of text, a tag, a comment) by searching for the few bytes that end it, and hands out
//! stretches of the source instead of copies; a character is only looked at where it can matter.
//! Everything is linear in the source, whatever it holds: each function consumes what it has
//! searched, or stops after a bounded number of bytes.
//!
//! Parse errors are not reported: the trees do not depend on them and nobody reads them.

mod attributes;
mod characters;
mod comments;
mod doctype;
mod names;
mod raw_text;
mod references;
mod source;
mod tags;

use std::ops::Range;

use html5ever::Attribute;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{Tag, Token, TokenSink, TokenSinkResult};
use memchr::memchr;

use names::Names;
use source::Window;

/// What a token can hold, with room for what it keeps beside the text.
const MAX_TOKEN_BYTES: usize = u32::MAX as usize - (1 << 16);

/// A sink that lets the tokenizer have back what it is done with.
pub(super) trait Sink: TokenSink {
    /// An empty list of attributes, best one whose memory is there already.
    fn spare_attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }
}

/// How a tokenizer begins, and what it leaves out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options<'text> {
    /// What the source begins with; anything but [`Content::Data`] is for fragments.
    pub(super) content: Content,
    /// The start tag before the source, whose end tag ends raw text.
    pub(super) last_start_tag: &'text str,
    /// Attributes of one tag; those behind are left out. Duplicates count.
    pub(super) attributes: usize,
    /// Bytes of one attribute, name and quotes included; a longer one is left out.
    pub(super) attribute_bytes: usize,
}

/// How the source is to be read; the tree builder changes it after some start tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// Markup.
    Data,
    /// Text with character references, as in `<title>`.
    Rcdata,
    /// Text as it is, as in `<style>`.
    Rawtext,
    /// A script, in which `<!--` can hide an end tag.
    ScriptData,
    /// Text to the end of the source.
    Plaintext,
    /// A CDATA section of SVG or MathML.
    CdataSection,
}

impl From<State> for Content {
    /// The content model that belongs to a tokenizer state that a tree builder asks for.
    fn from(state: State) -> Self {
        match state {
            State::RawData(kind) => kind.into(),
            State::Plaintext => Self::Plaintext,
            State::CdataSection => Self::CdataSection,
            _ => Self::Data,
        }
    }
}

impl From<RawKind> for Content {
    fn from(kind: RawKind) -> Self {
        match kind {
            RawKind::Rcdata => Self::Rcdata,
            RawKind::Rawtext => Self::Rawtext,
            RawKind::ScriptData | RawKind::ScriptDataEscaped(_) => Self::ScriptData,
        }
    }
}

/// What is left when all is read.
#[derive(Debug)]
pub(super) struct Tokenized<S> {
    /// The sink, which has had its end of file.
    pub(super) sink: S,
    /// The number of start tags with attributes past the limit.
    pub(super) tags_with_too_many_attributes: usize,
    /// The number of attributes that were too long.
    pub(super) attributes_too_long: usize,
}

/// Reads all of `text` and feeds the sink, whose answers it obeys. It does not wait for scripts.
pub(super) fn tokenize<S: Sink>(text: &str, sink: S, options: &Options<'_>) -> Tokenized<S> {
    let text = source::with_line_feeds(text);
    let mut tokenizer = Tokenizer {
        sink,
        text: &text,
        bytes: text.as_bytes(),
        window: Window::default(),
        at: 0,
        content: options.content,
        last_start_tag: options.last_start_tag,
        names: Names::default(),
        scratch: String::new(),
        attribute_limit: options.attributes,
        attribute_bytes: options.attribute_bytes,
        tags_with_too_many_attributes: 0,
        attributes_too_long: 0,
    };
    tokenizer.run();
    Tokenized {
        sink: tokenizer.sink,
        tags_with_too_many_attributes: tokenizer.tags_with_too_many_attributes,
        attributes_too_long: tokenizer.attributes_too_long,
    }
}

/// The state of one run. The position never lies behind the end of the source.
struct Tokenizer<'source, S> {
    sink: S,
    text: &'source str,
    bytes: &'source [u8],
    window: Window,
    at: usize,
    content: Content,
    last_start_tag: &'source str,
    names: Names,
    /// Where text is put together that the source does not hold as it is.
    scratch: String,
    attribute_limit: usize,
    attribute_bytes: usize,
    tags_with_too_many_attributes: usize,
    attributes_too_long: usize,
}

impl<S: Sink> Tokenizer<'_, S> {
    fn run(&mut self) {
        while self.at < self.bytes.len() {
            match self.content {
                Content::Data => self.data(),
                Content::Rcdata => self.rcdata(),
                Content::Rawtext => self.rawtext(),
                Content::ScriptData => self.script_data(),
                Content::Plaintext => self.plaintext(),
                Content::CdataSection => self.cdata_section(),
            }
        }
        self.emit(Token::EOFToken);
        self.sink.end();
    }

    /// Emits a token to which the tree builder has nothing to say. Lines are only needed for
    /// errors, which are not reported.
    #[inline(always)]
    fn emit(&self, token: Token) {
        let _ = self.sink.process_token(token, 1);
    }

    /// Emits a tag and obeys the answer. Where a browser would run a script or change the
    /// encoding, reading simply goes on.
    #[inline(always)]
    fn emit_tag(&mut self, tag: Tag, name: Range<usize>) {
        self.content = match self.sink.process_token(Token::TagToken(tag), 1) {
            TokenSinkResult::RawData(kind) => {
                self.last_start_tag = self.text.get(name).unwrap_or_default();
                kind.into()
            }
            TokenSinkResult::Plaintext => Content::Plaintext,
            TokenSinkResult::Continue | TokenSinkResult::Script(_) | TokenSinkResult::EncodingIndicator(_) => {
                Content::Data
            }
        };
    }

    /// The first place of the byte from `from` on.
    fn find(&self, byte: u8, from: usize) -> Option<usize> {
        memchr(byte, self.rest(from)).map(|offset| from + offset)
    }

    #[inline]
    fn rest(&self, from: usize) -> &[u8] {
        self.bytes.get(from..).unwrap_or_default()
    }

    /// The byte at a place; nothing at the end of the source.
    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn starts_with_ignoring_case(&self, at: usize, word: &str) -> bool {
        self.bytes.get(at..at + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// The first place from `from` on that holds no white space.
    #[inline]
    fn behind_white_space(&self, from: usize) -> usize {
        let mut at = from;
        while self.byte(at).is_some_and(is_white_space) {
            at += 1;
        }
        at
    }

    /// A stretch of the source, which must begin and end between characters.
    #[inline]
    fn span(&mut self, range: Range<usize>) -> StrTendril {
        self.window.span(self.text, range)
    }
}

/// White space between the parts of a tag. (Carriage returns are gone from the source.)
#[inline]
fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0c)
}
