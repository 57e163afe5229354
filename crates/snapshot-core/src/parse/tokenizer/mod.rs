//! Text to tokens: the tokenization stage of the HTML Standard (section 13.2.5), for input that is
//! all there.
//!
//! The states of the standard read a character at a time. Here a function reads a whole construct
//! (a run of text, a tag, a comment) by searching for the few bytes that end it, and hands the sink
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

use std::hash::Hash;

use memchr::memchr;

use attributes::AttributeList;
pub(super) use attributes::Attributes;
pub(super) use doctype::Doctype;
use names::Names;
pub(super) use tags::StartTag;

/// Takes the tokens, and knows what only a tree builder can know.
pub(super) trait Sink {
    /// A name of a tag or an attribute.
    type Name: Copy + Eq + Hash;

    /// The name spelt like this.
    fn name(&mut self, text: &str) -> Self::Name;

    /// Whether the name is spelt like this.
    fn spells(&self, name: Self::Name, text: &str) -> bool;

    /// Takes a start tag and says how to read on.
    fn start_tag(&mut self, tag: StartTag<'_, Self::Name>) -> Content;

    fn end_tag(&mut self, name: Self::Name);

    /// Takes some characters, not none. Neighbours may come in pieces.
    fn characters(&mut self, text: &str);

    /// Takes a NUL character in content, which means different things in different places.
    fn nul(&mut self);

    fn comment(&mut self, text: &str);

    fn doctype(&mut self, doctype: &Doctype);

    /// Takes the end, which comes once.
    fn end_of_file(&mut self);

    /// Whether `<![CDATA[` begins a CDATA section: whether the adjusted current node is there and
    /// not in the namespace of HTML.
    fn is_in_foreign_content(&self) -> bool;
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
        at: 0,
        content: options.content,
        last_start_tag: options.last_start_tag,
        names: Names::new(),
        attributes: AttributeList::new(),
        scratch: String::new(),
        limits: *options,
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
struct Tokenizer<'source, S: Sink> {
    sink: S,
    text: &'source str,
    bytes: &'source [u8],
    at: usize,
    content: Content,
    last_start_tag: &'source str,
    names: Names<S::Name>,
    attributes: AttributeList<S::Name>,
    /// Where text is put together that the source does not hold as it is.
    scratch: String,
    limits: Options<'source>,
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
        self.sink.end_of_file();
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
}

/// White space between the parts of a tag. (Carriage returns are gone from the source.)
#[inline]
fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0c)
}
