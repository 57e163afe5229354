//! Runs our tokenizer and html5ever's on the same text and writes down what they say.

use std::cell::{Cell, RefCell};

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use crate::tokenizer::{Content, Options, Sink, tokenize};

/// One token in the form that both tokenizers' outputs are compared in. Neighbouring characters
/// are one token, an end tag is its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Record {
    /// Text.
    Characters(String),
    /// Name, attributes in their order, whether the tag closes itself.
    StartTag(String, Vec<(String, String)>, bool),
    /// Name.
    EndTag(String),
    /// Text.
    Comment(String),
    /// Name, public and system identifier, whether the page is in quirks mode.
    Doctype(Option<String>, Option<String>, Option<String>, bool),
    /// The end, which comes once.
    EndOfFile,
}

/// A sink that writes everything down.
#[derive(Default)]
pub(crate) struct Recorder {
    records: RefCell<Vec<Record>>,
    /// Whether to answer start tags as a tree builder does.
    answers: bool,
    foreign: Cell<bool>,
}

impl Recorder {
    /// A sink that answers start tags as a tree builder does, or one that only listens.
    pub(crate) fn new(answers: bool) -> Self {
        Self { answers, ..Self::default() }
    }

    fn characters(&self, text: &str) {
        let mut records = self.records.borrow_mut();
        match records.last_mut() {
            Some(Record::Characters(before)) => before.push_str(text),
            _ => records.push(Record::Characters(text.to_owned())),
        }
    }

    fn start_tag(&self, tag: &Tag) -> TokenSinkResult<()> {
        let attributes =
            tag.attrs.iter().map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()));
        let record = Record::StartTag(tag.name.to_string(), attributes.collect(), tag.self_closing);
        self.records.borrow_mut().push(record);
        if !self.answers {
            return TokenSinkResult::Continue;
        }
        match &*tag.name {
            "svg" | "math" => self.foreign.set(true),
            _ if self.foreign.get() => {}
            "title" | "textarea" => return TokenSinkResult::RawData(RawKind::Rcdata),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => return TokenSinkResult::RawData(RawKind::Rawtext),
            "script" => return TokenSinkResult::RawData(RawKind::ScriptData),
            "plaintext" => return TokenSinkResult::Plaintext,
            "meta" => return TokenSinkResult::EncodingIndicator(StrTendril::from("utf-8")),
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn end_tag(&self, tag: &Tag) -> TokenSinkResult<()> {
        self.records.borrow_mut().push(Record::EndTag(tag.name.to_string()));
        match &*tag.name {
            "svg" | "math" => self.foreign.set(false),
            "script" if self.answers => return TokenSinkResult::Script(()),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Sink for Recorder {}

impl TokenSink for Recorder {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let text = |text: Option<StrTendril>| text.map(|text| text.to_string());
        let record = match token {
            Token::ParseError(_) => return TokenSinkResult::Continue,
            Token::CharacterTokens(text) => {
                // html5ever has tokens without characters at the ends of CDATA sections.
                if !text.is_empty() {
                    self.characters(&text);
                }
                return TokenSinkResult::Continue;
            }
            Token::NullCharacterToken => {
                self.characters("\0");
                return TokenSinkResult::Continue;
            }
            Token::TagToken(tag) => {
                return if tag.kind == TagKind::StartTag { self.start_tag(&tag) } else { self.end_tag(&tag) };
            }
            Token::CommentToken(text) => Record::Comment(text.to_string()),
            Token::DoctypeToken(doctype) => Record::Doctype(
                text(doctype.name),
                text(doctype.public_id),
                text(doctype.system_id),
                doctype.force_quirks,
            ),
            Token::EOFToken => Record::EndOfFile,
        };
        self.records.borrow_mut().push(record);
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.foreign.get()
    }
}

/// What our tokenizer says.
pub(crate) fn ours(text: &str, state: State, last_start_tag: &str, answers: bool) -> Vec<Record> {
    let options =
        Options { content: Content::from(state), last_start_tag, attributes: usize::MAX, attribute_bytes: usize::MAX };
    tokenize(text, Recorder::new(answers), &options).sink.records.into_inner()
}

/// What html5ever's tokenizer says, byte order marks included: it would drop them behind scripts.
pub(crate) fn reference(text: &str, state: State, last_start_tag: &str, answers: bool) -> Vec<Record> {
    let options = TokenizerOpts {
        discard_bom: false,
        initial_state: Some(state),
        last_start_tag_name: Some(last_start_tag.to_owned()).filter(|name| !name.is_empty()),
        ..TokenizerOpts::default()
    };
    run_reference(text, Recorder::new(answers), options).records.into_inner()
}

/// Lets html5ever's tokenizer feed a sink.
pub(crate) fn run_reference<S: TokenSink>(text: &str, sink: S, options: TokenizerOpts) -> S {
    let tokenizer = Tokenizer::new(sink, options);
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(text));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink
}
