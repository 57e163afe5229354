//! What chance makes of pages, through our parser and through html5ever with its reference DOM:
//! tokens and trees are the same.
//!
//! `FUZZ_INPUTS` says how many inputs to try (and `FUZZ_SEED` where to begin), for example
//! `FUZZ_INPUTS=10000000 cargo test --release -p snapshot-tests --test differential -- --nocapture`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use html5ever::interface::ElementFlags;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{LocalName, QualName, ns};
use markup5ever_rcdom::{Handle, RcDom};
use snapshot_core::document::{Namespace, NodeId};
use snapshot_core::parse::{ParseOptions, parse_fragment, parse_html};
use snapshot_tests::hostile_html::{Random, mutation, pieces, tags};
use snapshot_tests::html5lib::dump;
use snapshot_tests::{files_below, is_html, project_root, shared};

#[path = "tokenizer/recorder.rs"]
mod recorder;
#[path = "tree_construction/reference.rs"]
mod reference;
#[path = "../../crates/snapshot-core/src/parse/tokenizer/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the crate's own module, of which its parser uses all")]
mod tokenizer;

use recorder::run_reference;
use reference::dump_reference;

/// What every run tries; a few seconds without optimisation.
const INPUTS: u64 = 20_000;

const STATES: &[State] = &[
    State::Data,
    State::Data,
    State::Data,
    State::RawData(RawKind::Rcdata),
    State::RawData(RawKind::Rawtext),
    State::RawData(RawKind::ScriptData),
    State::Plaintext,
    State::CdataSection,
];

const CONTEXTS: &[(Namespace, &str)] = &[
    (Namespace::Html, "div"),
    (Namespace::Html, "table"),
    (Namespace::Html, "tr"),
    (Namespace::Html, "td"),
    (Namespace::Html, "select"),
    (Namespace::Html, "title"),
    (Namespace::Html, "textarea"),
    (Namespace::Html, "style"),
    (Namespace::Html, "script"),
    (Namespace::Html, "noscript"),
    (Namespace::Html, "plaintext"),
    (Namespace::Html, "template"),
    (Namespace::Html, "html"),
    (Namespace::Html, "head"),
    (Namespace::Html, "body"),
    (Namespace::Html, "frameset"),
    (Namespace::Html, "tbody"),
    (Namespace::Html, "caption"),
    (Namespace::Html, "colgroup"),
    (Namespace::Html, "option"),
    (Namespace::Html, "p"),
    (Namespace::Svg, "svg"),
    (Namespace::Svg, "foreignObject"),
    (Namespace::Svg, "desc"),
    (Namespace::MathMl, "math"),
    (Namespace::MathMl, "mi"),
    (Namespace::MathMl, "annotation-xml"),
];

#[test]
fn tokens_are_those_of_the_reference() {
    let pages = pages();
    for_each_input(&pages, |random, text| {
        let state = random.pick(STATES);
        let last_start_tag = random.pick(&["", "title", "script", "style", "textarea", "xmp"]);
        let ours = recorder::ours(text, state, last_start_tag, true);
        let theirs = recorder::reference(text, state, last_start_tag, true);
        (ours != theirs).then(|| format!("{state:?} {last_start_tag}\nours      {ours:?}\nreference {theirs:?}"))
    });
}

#[test]
fn trees_are_those_of_the_reference() {
    let pages = pages();
    for_each_input(&pages, |random, text| {
        // The reference DOM knows no declarative shadow roots and fills select's copies otherwise.
        if ["shadowroot", "selectedcontent"].iter().any(|word| text.to_ascii_lowercase().contains(word)) {
            return None;
        }
        let mut options = ParseOptions::default();
        options.scripting = random.once_in(2);
        let context = random.once_in(4).then(|| random.pick(CONTEXTS));
        let parsed = match context {
            Some(context) => parse_fragment(text, context, &options),
            None => parse_html(text, &options),
        }
        .expect("a small text parses");
        parsed.document.assert_invariants();
        let ours = dump(&parsed.document, NodeId::DOCUMENT);
        let theirs = reference_tree(text, context, options.scripting);
        (ours != theirs).then(|| format!("{context:?} {}\nours\n{ours}\nreference\n{theirs}", options.scripting))
    });
}

/// Pages to mutate: our own and, where they are, those beside the project.
fn pages() -> Vec<String> {
    let mut files = files_below(&project_root().join("corpora"));
    files.extend(shared("corpora").iter().flat_map(|corpora| files_below(corpora)));
    files.retain(|file| is_html(file));
    let pages = files.iter().map(|file| String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned());
    pages.filter(|page| !page.is_empty()).collect()
}

#[allow(clippy::disallowed_methods, reason = "the switch of the test run")]
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Makes the inputs and stops at the first for which `difference` finds one. An input depends on
/// nothing but its number, the seed and, for mutations, the pages.
fn for_each_input(pages: &[String], difference: impl Fn(&mut Random, &str) -> Option<String>) {
    let inputs = setting("FUZZ_INPUTS", INPUTS);
    let seed = setting("FUZZ_SEED", 0);
    let mut bytes = 0;
    for number in 0..inputs {
        let mut random = Random::new((seed << 40) + number);
        let text = match random.below(4) {
            0 => {
                let page = &pages[random.below(pages.len())];
                mutation(&mut random, page, 400)
            }
            1 => pieces(&mut random, 12),
            _ => tags(&mut random, 40),
        };
        bytes += text.len();
        if let Some(difference) = difference(&mut random, &text) {
            panic!("input {number} of seed {seed}: {text:?}\n{difference}");
        }
    }
    println!("{inputs} inputs of seed {seed}, {bytes} bytes: no difference");
}

/// Leaves errors out, since the reference tree builder forgets at an error that a line feed behind
/// `<pre>` is to be ignored.
struct WithoutErrors(TreeBuilder<Handle, RcDom>);

impl TokenSink for WithoutErrors {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        match token {
            Token::ParseError(_) => TokenSinkResult::Continue,
            token => self.0.process_token(token, line),
        }
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn reference_tree(text: &str, context: Option<(Namespace, &str)>, scripting: bool) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let builder_options = TreeBuilderOpts { scripting_enabled: scripting, ..TreeBuilderOpts::default() };
    let mut options = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let dom = RcDom::default();
    let Some((namespace, name)) = context else {
        let sink = run_reference(text, WithoutErrors(TreeBuilder::new(dom, builder_options)), options);
        return dump_reference(&sink.0.sink.document);
    };
    let namespace = match namespace {
        Namespace::Svg => ns!(svg),
        Namespace::MathMl => ns!(mathml),
        _ => ns!(html),
    };
    let mut flags = ElementFlags::default();
    flags.template = name == "template";
    let element = dom.create_element(QualName::new(None, namespace, LocalName::from(name)), Vec::new(), flags);
    let builder = TreeBuilder::new_for_fragment(dom, element, None, builder_options);
    options.initial_state = Some(builder.tokenizer_state_for_context_elem(scripting));
    let sink = run_reference(text, WithoutErrors(builder), options);
    let root = sink.0.sink.document.children.borrow()[0].clone();
    dump_reference(&root)
}
