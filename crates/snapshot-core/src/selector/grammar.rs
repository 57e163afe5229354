//! The selectors that we read: CSS Selectors 4 as Chromium has it, without user interaction.

use cssparser::{CowRcStr, ParseError, Parser as CssParser, ToCss, match_ignore_ascii_case};
use selectors::parser::{
    self, Component, NonTSPseudoClass, ParseRelative, Selector as ParsedSelector, SelectorImpl, SelectorList,
    SelectorParseErrorKind,
};

use super::atom::{Atom, AttributeValue};
use super::pseudo_class::{PseudoClass, PseudoElement};

/// The types of the `selectors` crate, filled in for our documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Grammar;

impl SelectorImpl for Grammar {
    type ExtraMatchingData<'a> = ();
    type AttrValue = AttributeValue;
    type Identifier = Atom;
    type LocalName = Atom;
    type NamespaceUrl = Atom;
    type NamespacePrefix = Atom;
    type BorrowedNamespaceUrl = Atom;
    type BorrowedLocalName = Atom;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = PseudoElement;
}

/// Blocks within blocks, in selectors and in style sheets. Deeper ones are dropped: reading and
/// matching recurse by them.
pub(crate) const NESTING_LIMIT: u8 = 32;

/// The most compounds and simple selectors that one selector may come to, with what `&` stands
/// for counted each time. Real ones have some dozens.
const WEIGHT_LIMIT: usize = 4096;

/// The most compounds in a row: matching recurses by them.
const LENGTH_LIMIT: usize = 256;

/// Reads selectors: those of style sheets, or those that a user gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectorParser {
    /// Whether `&` is allowed (CSS Nesting).
    pub(crate) nested: bool,
    /// Whether the selector stands in a style sheet, where pseudo-elements and shadow trees
    /// have their place.
    pub(crate) sheet: bool,
}

impl SelectorParser {
    /// Reads a list of selectors up to the end of the input.
    pub(crate) fn parse_list<'i>(
        &self,
        input: &mut CssParser<'i>,
    ) -> Result<SelectorList<Grammar>, ParseError<SelectorParseErrorKind>> {
        let relative = if self.nested { ParseRelative::ForNesting } else { ParseRelative::No };
        SelectorList::parse(self, input, relative)
    }
}

impl<'i> parser::Parser<'i> for SelectorParser {
    type Impl = Grammar;
    type Error = SelectorParseErrorKind;

    fn parse_slotted(&self) -> bool {
        self.sheet
    }

    fn parse_part(&self) -> bool {
        self.sheet
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_host(&self) -> bool {
        self.sheet
    }

    fn parse_parent_selector(&self) -> bool {
        self.nested
    }

    fn is_is_alias(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("-webkit-any")
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<PseudoClass, ParseError<SelectorParseErrorKind>> {
        PseudoClass::from_name(name).ok_or_else(unsupported)
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        input: &mut CssParser<'i>,
        _after_part: bool,
    ) -> Result<PseudoClass, ParseError<SelectorParseErrorKind>> {
        let word = |input: &mut CssParser<'i>| -> Result<Box<str>, ParseError<SelectorParseErrorKind>> {
            let word: &CowRcStr<'i> = input.expect_ident_or_string()?;
            Ok(word.as_ref().into())
        };
        match_ignore_ascii_case! { name,
            "lang" => Ok(PseudoClass::Lang(input.parse_comma_separated(word)?.into())),
            "dir" => Ok(PseudoClass::Direction(word(input)?)),
            "state" => {
                word(input)?;
                Ok(PseudoClass::Never)
            },
            "host-context" if self.sheet => {
                while input.next().is_ok() {}
                Ok(PseudoClass::Never)
            },
            _ => Err(unsupported()),
        }
    }

    fn parse_pseudo_element(&self, name: &str) -> Result<PseudoElement, ParseError<SelectorParseErrorKind>> {
        PseudoElement::from_name(name).filter(|_| self.sheet).ok_or_else(unsupported)
    }

    fn parse_functional_pseudo_element(
        &self,
        name: &str,
        input: &mut CssParser<'i>,
    ) -> Result<PseudoElement, ParseError<SelectorParseErrorKind>> {
        let known = [
            "cue",
            "highlight",
            "view-transition-group",
            "view-transition-image-pair",
            "view-transition-old",
            "view-transition-new",
            "picker",
            "scroll-button",
            "cue-region",
        ];
        if !self.sheet || !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return Err(unsupported());
        }
        while input.next().is_ok() {}
        Ok(PseudoElement::Other)
    }

    fn namespace_for_prefix(&self, prefix: &Atom) -> Option<Atom> {
        // Style sheets rarely declare prefixes; the customary ones are understood without.
        match prefix.text() {
            "svg" => Some(Atom::from("http://www.w3.org/2000/svg")),
            "html" | "xhtml" => Some(Atom::from("http://www.w3.org/1999/xhtml")),
            "math" => Some(Atom::from("http://www.w3.org/1998/Math/MathML")),
            "xlink" => Some(Atom::from("http://www.w3.org/1999/xlink")),
            _ => None,
        }
    }
}

fn unsupported() -> ParseError<SelectorParseErrorKind> {
    ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)
}

/// What one selector costs to match, at worst, in simple selectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Weight {
    simple: usize,
    parents: usize,
}

impl Weight {
    /// The weight of a selector as written, before `&` is filled in.
    pub(crate) fn of(selector: &ParsedSelector<Grammar>) -> Self {
        let mut weight = Self::default();
        let mut waiting: Vec<&ParsedSelector<Grammar>> = vec![selector];
        while let Some(selector) = waiting.pop() {
            if selector.len() > LENGTH_LIMIT {
                return Self { simple: usize::MAX, parents: 0 };
            }
            for component in selector.iter_raw_match_order() {
                weight.simple += 1;
                match component {
                    Component::ParentSelector => weight.parents += 1,
                    Component::Is(list) | Component::Where(list) | Component::Negation(list) => {
                        waiting.extend(list.slice());
                    }
                    Component::Has(list) => waiting.extend(list.iter().map(|relative| &relative.selector)),
                    Component::NthOf(data) => waiting.extend(data.selectors()),
                    Component::Host(Some(selector)) | Component::Slotted(selector) => waiting.push(selector),
                    _ => {}
                }
            }
        }
        weight
    }

    /// The weight once each `&` stands for selectors of the weight `parent`; nothing when that
    /// is more than we are ready to match.
    pub(crate) fn within(self, parent: usize) -> Option<usize> {
        let total = self.parents.checked_mul(parent)?.checked_add(self.simple)?;
        (total <= WEIGHT_LIMIT).then_some(total)
    }
}

impl parser::PseudoElement for PseudoElement {
    fn accepts_state_pseudo_classes(&self) -> bool {
        true
    }

    fn valid_after_slotted(&self) -> bool {
        true
    }

    fn valid_after_before_or_after(&self) -> bool {
        *self == Self::Other
    }

    fn is_before_or_after(&self) -> bool {
        matches!(self, Self::Before | Self::After)
    }
}

impl ToCss for PseudoElement {
    fn to_css<W: std::fmt::Write>(&self, destination: &mut W) -> std::fmt::Result {
        destination.write_str(match self {
            Self::Before => "::before",
            Self::After => "::after",
            Self::Other => "::other",
        })
    }
}

impl NonTSPseudoClass for PseudoClass {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        *self == Self::Never
    }
}

impl ToCss for PseudoClass {
    fn to_css<W: std::fmt::Write>(&self, destination: &mut W) -> std::fmt::Result {
        match self {
            Self::Lang(languages) => {
                destination.write_str(":lang(")?;
                for (number, language) in languages.iter().enumerate() {
                    if number > 0 {
                        destination.write_str(", ")?;
                    }
                    cssparser::serialize_string(language, destination)?;
                }
                destination.write_str(")")
            }
            Self::Direction(direction) => write!(destination, ":dir({direction})"),
            other => write!(destination, ":{}", other.name()),
        }
    }
}
