//! html5ever's tokenizer and tree builder, building into our arena.

use html5ever::interface::{ElementFlags, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, QualName, TokenizerResult, ns};

use super::depth::flatten;
use super::guard::Guard;
use super::selected_content;
use super::sink::ArenaSink;
use super::tag_limits::TagLimits;
use super::{Limits, ParseOptions, Parsed};
use crate::document::{Document, Namespace, NodeId};
use crate::error::{Diagnostic, Error};

/// What a parse of one document obeys.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) limits: Limits,
    pub(super) scripting: bool,
    pub(super) srcdoc: bool,
    /// The page is what Chromium wrote into an MHTML file: there a shadow root's template has the
    /// attribute `shadowmode`, the name that `shadowrootmode` had before it was standardised.
    pub(super) mhtml: bool,
    pub(super) budget: Budget,
}

/// How much the document may hold when a parse is done. Each node, attribute and character has
/// its bytes in the source, except where unclosed formatting elements are opened again in each
/// paragraph; that multiplication is what the budget bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) nodes: usize,
    pub(super) attributes: usize,
    pub(super) text_bytes: usize,
}

impl Settings {
    /// The settings for parsing `source_bytes` more into a document.
    pub(super) fn new(options: &ParseOptions, document: &Document, source_bytes: usize) -> Self {
        const ALLOWANCE: usize = 1 << 16;
        let more = source_bytes.saturating_add(ALLOWANCE);
        Self {
            limits: options.limits,
            scripting: options.scripting,
            srcdoc: false,
            mhtml: false,
            budget: Budget {
                nodes: options.limits.nodes.min(document.len().saturating_add(more)),
                attributes: document.attribute_count().saturating_add(more),
                text_bytes: document.text_bytes().saturating_add(more.saturating_mul(8)),
            },
        }
    }
}

/// Parses `text` as a document whose root is `root`, a document node of `parsed.document`.
pub(super) fn parse_into(parsed: &mut Parsed, root: NodeId, text: &str, settings: &Settings) -> Result<(), Error> {
    let sink = ArenaSink::new(std::mem::take(&mut parsed.document), root, settings);
    let builder = TreeBuilder::new(sink, builder_options(settings));
    run(parsed, builder, TokenizerOpts::default(), root, text, settings)
}

/// Parses `text` as the content of an element of this name; the nodes become children of `root`.
pub(super) fn parse_fragment_into(
    parsed: &mut Parsed,
    root: NodeId,
    text: &str,
    (namespace, context): (Namespace, &str),
    settings: &Settings,
) -> Result<(), Error> {
    let sink = ArenaSink::new(std::mem::take(&mut parsed.document), root, settings);
    let namespace = match namespace {
        Namespace::Html => ns!(html),
        Namespace::Svg => ns!(svg),
        Namespace::MathMl => ns!(mathml),
    };
    let name = QualName::new(None, namespace, LocalName::from(context));
    let mut flags = ElementFlags::default();
    flags.template = name.ns == ns!(html) && context == "template";
    let is_form = name.ns == ns!(html) && context == "form";
    let element = sink.create_element(name, Vec::new(), flags);
    let form = is_form.then(|| element.clone());
    let builder = TreeBuilder::new_for_fragment(sink, element, form, builder_options(settings));
    let state = builder.tokenizer_state_for_context_elem(settings.scripting);
    let tokenizer_options = TokenizerOpts { initial_state: Some(state), ..TokenizerOpts::default() };
    run(parsed, builder, tokenizer_options, root, text, settings)?;
    // The builder works below an element that stands for the context.
    let document = &mut parsed.document;
    let stand_in = document.children(root).find(|&child| document.is_element(child));
    if let Some(stand_in) = stand_in {
        document.unwrap(stand_in);
    }
    Ok(())
}

fn builder_options(settings: &Settings) -> TreeBuilderOpts {
    TreeBuilderOpts {
        scripting_enabled: settings.scripting,
        iframe_srcdoc: settings.srcdoc,
        ..TreeBuilderOpts::default()
    }
}

fn run(
    parsed: &mut Parsed,
    builder: TreeBuilder<super::sink::Handle, ArenaSink>,
    tokenizer_options: TokenizerOpts,
    root: NodeId,
    text: &str,
    settings: &Settings,
) -> Result<(), Error> {
    let tags = TagLimits::scan(text, &settings.limits);
    let tokenizer = Tokenizer::new(Guard::new(builder, settings), tokenizer_options);
    let queue = BufferQueue::default();
    for piece in tags.pieces(text) {
        queue.push_back(StrTendril::from_slice(piece));
    }
    // The tokenizer pauses for a browser to run a script or to change the encoding; we do neither.
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    let guard = tokenizer.sink;
    let sink = guard.builder.sink;
    let over_budget = sink.over_budget.get();
    let targets = sink.selected_content.into_inner();
    parsed.document = sink.document.into_inner();
    if over_budget {
        return Err(Error::TooManyNodes { limit: settings.budget.nodes });
    }
    tags.report(&mut parsed.diagnostics);
    selected_content::fill(&mut parsed.document, &targets, settings.budget.nodes);
    let flattened = flatten(&mut parsed.document, root, settings.limits.depth);
    if flattened || guard.limited.get() {
        parsed.diagnostics.push(Diagnostic::warning(format!(
            "elements nested deeper than {} levels were attached to the last allowed ancestor",
            settings.limits.depth
        )));
    }
    if guard.formatting_dropped.get() {
        parsed.diagnostics.push(Diagnostic::warning(
            "formatting elements that were opened and never closed were left out where too many were open at once",
        ));
    }
    if parsed.document.overflowed() {
        parsed.diagnostics.push(Diagnostic::warning("text past 4 GiB was dropped"));
    }
    Ok(())
}
