//! CSS selectors over a [`Document`] (Selectors Level 4).

mod atom;
mod element;
mod grammar;
mod pseudo_class;

use cssparser::Parser as CssParser;
use selectors::SelectorList;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode as MatchingQuirks,
    SelectorCaches,
};
use selectors::matching::matches_selector_list;
use selectors::parser::SelectorParseErrorKind;

use crate::document::{Document, NodeId, QuirksMode};
use crate::error::Error;

pub(crate) use atom::fold_hash;
pub(crate) use element::Matcher;
pub(crate) use grammar::{Grammar, NESTING_LIMIT, SelectorParser, Weight};
pub(crate) use pseudo_class::{PseudoClass, PseudoElement};

/// The longest selector that is read, in bytes.
const MAX_BYTES: usize = 64 << 10;

/// Steps that a search may take for each node of the document, besides a fixed number.
const STEPS_PER_NODE: u64 = 100;
const STEPS: u64 = 4_000_000;

/// A list of selectors, such as `main, [role=main] > p`.
///
/// ```
/// use snapshot_core::document::NodeId;
/// use snapshot_core::parse::{ParseOptions, parse_html};
/// use snapshot_core::selector::Selector;
///
/// let document = parse_html("<ul><li>Faro<li class=open>Onda</ul>", &ParseOptions::default())?.document;
/// let selector = Selector::parse("li:not(.open), li:nth-child(2)")?;
/// let found = selector.select(&document, NodeId::DOCUMENT);
/// assert_eq!(found.iter().map(|&node| document.text_content(node)).collect::<Vec<_>>(), ["Faro", "Onda"]);
/// # Ok::<(), snapshot_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Selector {
    text: String,
    list: SelectorList<Grammar>,
}

impl std::fmt::Debug for Selector {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Selector").field(&self.text).finish()
    }
}

impl PartialEq for Selector {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl Selector {
    /// Reads a list of selectors.
    ///
    /// # Errors
    /// [`Error::InvalidSelector`] with the place, also when the selector is too long or too
    /// deeply nested to be matched in reasonable time.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let invalid = |reason: String| {
            let selector = match text.char_indices().nth(200) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text.to_owned(),
            };
            Error::InvalidSelector { selector, reason }
        };
        if text.len() > MAX_BYTES {
            return Err(invalid(format!("it is longer than {MAX_BYTES} bytes")));
        }
        let mut input = CssParser::new(text);
        input.set_nested_block_limit(NESTING_LIMIT);
        let parser = SelectorParser { nested: false, sheet: false };
        let list = parser.parse_list(&mut input).map_err(|error| {
            let column = input.current_source_location().column;
            invalid(format!("{} before column {column}", describe(&error)))
        })?;
        if list.slice().iter().any(|selector| Weight::of(selector).within(0).is_none()) {
            return Err(invalid("it has too many parts".to_owned()));
        }
        Ok(Self { text: text.to_owned(), list })
    }

    /// The selector as given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The elements below `root` within its tree that match, in document order. Shadow roots and
    /// frames are trees of their own; `:scope` is `root`, if it is an element.
    ///
    /// A selector that would take unreasonably long finds what it found until then.
    pub fn select(&self, document: &Document, root: NodeId) -> Vec<NodeId> {
        let limit = STEPS + STEPS_PER_NODE.saturating_mul(document.len() as u64);
        let matcher = Matcher::new(document, limit);
        let mut caches = SelectorCaches::default();
        let mut context = matching_context(&mut caches, MatchingMode::Normal, quirks_of(document, root));
        if document.is_element(root) {
            context.scope_element = Some(selectors::Element::opaque(&matcher.element(root)));
        }
        document
            .descendants(root)
            .filter(|&node| document.is_element(node))
            .take_while(|_| !matcher.is_exhausted())
            .filter(|&node| matches_selector_list(&self.list, matcher.element(node), &mut context))
            .collect()
    }
}

impl std::str::FromStr for Selector {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

/// Whether classes and ids of the tree match without regard to case. The document keeps the
/// mode of the outermost page; a frame's page is looked up by its doctype.
pub(crate) fn quirks_of(document: &Document, root: NodeId) -> MatchingQuirks {
    let mut root = document.root(root);
    while document.kind(root) != crate::document::NodeKind::Document {
        let Some(host) = document.host(root) else { break };
        root = document.root(host);
    }
    let full = if root == NodeId::DOCUMENT {
        document.quirks_mode() == QuirksMode::Full
    } else {
        let srcdoc =
            document.host(root).is_some_and(|host| document.has_attribute(host, crate::document::name::SRCDOC));
        !srcdoc && document.children(root).all(|child| document.kind(child) != crate::document::NodeKind::Doctype)
    };
    if full { MatchingQuirks::Quirks } else { MatchingQuirks::NoQuirks }
}

/// What each match of one tree is made with.
pub(crate) fn matching_context<'caches>(
    caches: &'caches mut SelectorCaches,
    mode: MatchingMode,
    quirks: MatchingQuirks,
) -> MatchingContext<'caches, Grammar> {
    MatchingContext::new(mode, None, caches, quirks, NeedsSelectorFlags::No, MatchingForInvalidation::No)
}

fn describe(error: &cssparser::ParseError<SelectorParseErrorKind>) -> &'static str {
    use cssparser::{BasicParseErrorKind, ParseErrorKind};
    match &error.kind {
        ParseErrorKind::Custom(kind) => match kind {
            SelectorParseErrorKind::EmptySelector => "a selector is missing",
            SelectorParseErrorKind::DanglingCombinator => "a combinator has nothing after it",
            SelectorParseErrorKind::UnsupportedPseudoClassOrElement => "a pseudo-class or pseudo-element is not known",
            SelectorParseErrorKind::ClassNeedsIdent => "a class name is missing",
            SelectorParseErrorKind::ExpectedNamespace => "a namespace prefix is not declared",
            SelectorParseErrorKind::BadValueInAttr
            | SelectorParseErrorKind::NoQualifiedNameInAttributeSelector
            | SelectorParseErrorKind::UnexpectedTokenInAttributeSelector
            | SelectorParseErrorKind::ExpectedBarInAttr
            | SelectorParseErrorKind::InvalidQualNameInAttr => "an attribute selector is malformed",
            _ => "unexpected text",
        },
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => "the selector ends too early",
        ParseErrorKind::Basic(BasicParseErrorKind::TooManyNestedBlocks) => "the selector is too deeply nested",
        ParseErrorKind::Basic(_) => "unexpected text",
    }
}

#[cfg(test)]
mod tests;
