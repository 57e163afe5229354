//! Text to a tree in the arena: the tokenizer feeds the tree builder.

use super::depth::flatten;
use super::selected_content;
use super::tokenizer::{self, Tokenized};
use super::tree_builder::TreeBuilder;
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
    let first = parsed.document.len();
    let builder = TreeBuilder::new(std::mem::take(&mut parsed.document), root, settings);
    run(parsed, builder, (root, first), text, settings)
}

/// Parses `text` as the content of an element of this name; the nodes become children of `root`.
pub(super) fn parse_fragment_into(
    parsed: &mut Parsed,
    root: NodeId,
    text: &str,
    context: (Namespace, &str),
    settings: &Settings,
) -> Result<(), Error> {
    let first = parsed.document.len();
    let builder = TreeBuilder::for_fragment(std::mem::take(&mut parsed.document), root, context, settings);
    run(parsed, builder, (root, first), text, settings)?;
    // The builder works below an element that stands for the context.
    let document = &mut parsed.document;
    let stand_in = document.children(root).find(|&child| document.is_element(child));
    if let Some(stand_in) = stand_in {
        document.unwrap(stand_in);
    }
    Ok(())
}

/// Parses into the tree below `root`, all of whose nodes are to come from `first` on.
fn run(
    parsed: &mut Parsed,
    builder: TreeBuilder,
    (root, first): (NodeId, usize),
    text: &str,
    settings: &Settings,
) -> Result<(), Error> {
    let limits = &settings.limits;
    let options = tokenizer::Options {
        content: builder.first_content(),
        last_start_tag: "",
        attributes: limits.attributes,
        attribute_bytes: limits.attribute_bytes,
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tokenized = tokenizer::tokenize(text, builder, &options);
    report_attributes(&tokenized, limits, &mut parsed.diagnostics);
    let built = tokenized.sink.finish();
    parsed.document = built.document;
    if built.is_over_budget {
        return Err(Error::TooManyNodes { limit: settings.budget.nodes });
    }
    selected_content::fill(&mut parsed.document, &built.selected_content, settings.budget.nodes);
    let flattened = flatten(&mut parsed.document, root, first, limits.depth);
    if flattened || built.closed_early {
        parsed.diagnostics.push(Diagnostic::warning(format!(
            "elements nested deeper than {} levels were attached to the last allowed ancestor",
            limits.depth
        )));
    }
    if built.formatting_left_out {
        parsed.diagnostics.push(Diagnostic::warning(
            "formatting elements that were opened and never closed were left out where too many were open at once",
        ));
    }
    if parsed.document.overflowed() {
        parsed.diagnostics.push(Diagnostic::warning("text past 4 GiB was dropped"));
    }
    Ok(())
}

/// The design asks to refuse tags with too many attributes. Leaving out those past the limit keeps
/// the page useful and costs the same, so that is what happens, with a diagnostic.
fn report_attributes(tokenized: &Tokenized<TreeBuilder>, limits: &Limits, diagnostics: &mut Vec<Diagnostic>) {
    if tokenized.tags_with_too_many_attributes > 0 {
        diagnostics.push(Diagnostic::warning(format!(
            "{} tag(s) with more than {} attributes: the rest was left out",
            tokenized.tags_with_too_many_attributes, limits.attributes
        )));
    }
    if tokenized.attributes_too_long > 0 {
        diagnostics.push(Diagnostic::warning(format!(
            "{} attribute(s) longer than {} bytes were left out",
            tokenized.attributes_too_long, limits.attribute_bytes
        )));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_html;

    fn check(text: &str, limits: Limits, expected: &[&[(&str, &str)]], diagnostics: usize) {
        let options = ParseOptions { limits, ..ParseOptions::default() };
        let parsed = parse_html(text, &options).unwrap_or_else(|error| panic!("{text}: {error}"));
        let document = &parsed.document;
        let found: Vec<Vec<(&str, &str)>> = document
            .descendants(NodeId::DOCUMENT)
            .map(|node| document.attributes(node).map(|it| (document.name_text(it.name), it.value)).collect())
            .filter(|attributes: &Vec<_>| !attributes.is_empty())
            .collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(parsed.diagnostics.len(), diagnostics, "{text}");
    }

    #[test]
    fn attributes_past_the_limit_are_left_out_and_the_tag_still_ends() {
        let limits = Limits { attributes: 2, ..Limits::default() };
        check("<p a=1 b='>' c=\"x\" d>END", limits, &[&[("a", "1"), ("b", ">")]], 1);
        check("<p a b>ok<br/><i c = d e=f>", limits, &[&[("a", ""), ("b", "")], &[("c", "d"), ("e", "f")]], 0);
        check("<p a a=2 a=3 b>", limits, &[&[("a", "")]], 1);
        check("<svg><style><p a b c>", limits, &[&[("a", ""), ("b", "")]], 1);
        check("</p a b c><!-- <a b c d> --><script><a b c d></script><a b c d", limits, &[], 0);
    }

    #[test]
    fn a_long_attribute_is_left_out_alone() {
        let limits = Limits { attribute_bytes: 10, ..Limits::default() };
        check("<img src=data:0123456789 alt=Pier>", limits, &[&[("alt", "Pier")]], 1);
        check("<img a='&amp;' b='xx&amp;' a=2 b=3>", limits, &[&[("a", "&"), ("b", "3")]], 1);
    }
}
