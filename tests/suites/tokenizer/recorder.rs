//! Runs our tokenizer and html5ever's on the same text and writes down what they say.

use std::cell::RefCell;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use crate::tokenizer::{Content, Doctype, Options, Sink, StartTag, tokenize};

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
    records: Vec<Record>,
    /// Whether to answer start tags as a tree builder does.
    answers: bool,
    foreign: bool,
    /// The names that our tokenizer asked for.
    names: Vec<String>,
}

impl Recorder {
    /// A sink that answers start tags as a tree builder does, or one that only listens.
    fn new(answers: bool) -> Self {
        Self { answers, ..Self::default() }
    }

    fn push_characters(&mut self, text: &str) {
        match self.records.last_mut() {
            Some(Record::Characters(before)) => before.push_str(text),
            _ => self.records.push(Record::Characters(text.to_owned())),
        }
    }

    fn push_start_tag(&mut self, name: &str, attributes: Vec<(String, String)>, self_closing: bool) -> Content {
        self.records.push(Record::StartTag(name.to_owned(), attributes, self_closing));
        if !self.answers {
            return Content::Data;
        }
        match name {
            "svg" | "math" => self.foreign = true,
            _ if self.foreign => {}
            "title" | "textarea" => return Content::Rcdata,
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => return Content::Rawtext,
            "script" => return Content::ScriptData,
            "plaintext" => return Content::Plaintext,
            _ => {}
        }
        Content::Data
    }

    fn push_end_tag(&mut self, name: &str) {
        self.records.push(Record::EndTag(name.to_owned()));
        self.foreign &= !matches!(name, "svg" | "math");
    }
}

impl Sink for Recorder {
    type Name = usize;

    fn name(&mut self, text: &str) -> usize {
        self.names.iter().position(|name| name == text).unwrap_or_else(|| {
            self.names.push(text.to_owned());
            self.names.len() - 1
        })
    }

    fn spells(&self, name: usize, text: &str) -> bool {
        self.names[name] == text
    }

    fn start_tag(&mut self, tag: StartTag<'_, usize>) -> Content {
        let name = self.names[tag.name].clone();
        let attributes = tag.attributes.iter().map(|(name, value)| (self.names[name].clone(), value.to_owned()));
        let attributes = attributes.collect();
        self.push_start_tag(&name, attributes, tag.self_closing)
    }

    fn end_tag(&mut self, name: usize) {
        let name = self.names[name].clone();
        self.push_end_tag(&name);
    }

    fn characters(&mut self, text: &str) {
        self.push_characters(text);
    }

    fn nul(&mut self) {
        self.push_characters("\0");
    }

    fn comment(&mut self, text: &str) {
        self.records.push(Record::Comment(text.to_owned()));
    }

    fn doctype(&mut self, doctype: &Doctype) {
        let Doctype { name, public_id, system_id, force_quirks } = doctype;
        self.records.push(Record::Doctype(name.clone(), public_id.clone(), system_id.clone(), *force_quirks));
    }

    fn end_of_file(&mut self) {
        self.records.push(Record::EndOfFile);
    }

    fn is_in_foreign_content(&self) -> bool {
        self.foreign
    }
}

/// Lets html5ever's tokenizer write down what it says.
struct ReferenceRecorder(RefCell<Recorder>);

impl TokenSink for ReferenceRecorder {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let text = |text: Option<StrTendril>| text.map(|text| text.to_string());
        let mut recorder = self.0.borrow_mut();
        match token {
            Token::ParseError(_) => {}
            // html5ever has tokens without characters at the ends of CDATA sections.
            Token::CharacterTokens(text) if text.is_empty() => {}
            Token::CharacterTokens(text) => recorder.push_characters(&text),
            Token::NullCharacterToken => recorder.push_characters("\0"),
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                let attributes =
                    tag.attrs.iter().map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()));
                return match recorder.push_start_tag(&tag.name, attributes.collect(), tag.self_closing) {
                    Content::Rcdata => TokenSinkResult::RawData(RawKind::Rcdata),
                    Content::Rawtext => TokenSinkResult::RawData(RawKind::Rawtext),
                    Content::ScriptData => TokenSinkResult::RawData(RawKind::ScriptData),
                    Content::Plaintext => TokenSinkResult::Plaintext,
                    Content::Data | Content::CdataSection => TokenSinkResult::Continue,
                };
            }
            Token::TagToken(tag) => recorder.push_end_tag(&tag.name),
            Token::CommentToken(text) => recorder.comment(&text),
            Token::DoctypeToken(doctype) => recorder.records.push(Record::Doctype(
                text(doctype.name),
                text(doctype.public_id),
                text(doctype.system_id),
                doctype.force_quirks,
            )),
            Token::EOFToken => recorder.end_of_file(),
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.borrow().foreign
    }
}

/// What our tokenizer says.
pub(crate) fn ours(text: &str, state: State, last_start_tag: &str, answers: bool) -> Vec<Record> {
    let options =
        Options { content: content(state), last_start_tag, attributes: usize::MAX, attribute_bytes: usize::MAX };
    tokenize(text, Recorder::new(answers), &options).sink.records
}

/// The content model that belongs to a state of html5ever's tokenizer.
fn content(state: State) -> Content {
    match state {
        State::RawData(RawKind::Rcdata) => Content::Rcdata,
        State::RawData(RawKind::Rawtext) => Content::Rawtext,
        State::RawData(_) => Content::ScriptData,
        State::Plaintext => Content::Plaintext,
        State::CdataSection => Content::CdataSection,
        _ => Content::Data,
    }
}

/// What html5ever's tokenizer says, byte order marks included: it would drop them behind scripts.
pub(crate) fn reference(text: &str, state: State, last_start_tag: &str, answers: bool) -> Vec<Record> {
    let options = TokenizerOpts {
        discard_bom: false,
        initial_state: Some(state),
        last_start_tag_name: Some(last_start_tag.to_owned()).filter(|name| !name.is_empty()),
        ..TokenizerOpts::default()
    };
    let recorder = ReferenceRecorder(RefCell::new(Recorder::new(answers)));
    run_reference(text, recorder, options).0.into_inner().records
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
