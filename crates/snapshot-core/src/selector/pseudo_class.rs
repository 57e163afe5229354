//! Pseudo-classes that ask about state, and pseudo-elements.
//!
//! A saved page has no pointer, no focus, no history and runs no scripts; pseudo-classes that
//! need these match nothing (HTML Standard, "Pseudo-classes").

use super::element::Matcher;
use crate::document::{Document, Name, NodeId, name};

/// A pseudo-class that is not about the element's place in the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PseudoClass {
    AnyLink,
    Checked,
    Default,
    Defined,
    Direction(Box<str>),
    Disabled,
    Enabled,
    Indeterminate,
    Invalid,
    Lang(Box<[Box<str>]>),
    Open,
    Optional,
    PlaceholderShown,
    ReadOnly,
    ReadWrite,
    Required,
    Valid,
    /// Known, but never true of a saved page: `:hover`, `:focus`, `:visited`.
    Never,
}

/// A pseudo-element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PseudoElement {
    Before,
    After,
    /// Known, of no interest to a reader: `::selection`, `::placeholder`.
    Other,
}

const PSEUDO_CLASSES: &[(&str, PseudoClass)] = &[
    ("any-link", PseudoClass::AnyLink),
    ("link", PseudoClass::AnyLink),
    ("-webkit-any-link", PseudoClass::AnyLink),
    ("checked", PseudoClass::Checked),
    ("default", PseudoClass::Default),
    ("defined", PseudoClass::Defined),
    ("disabled", PseudoClass::Disabled),
    ("enabled", PseudoClass::Enabled),
    ("indeterminate", PseudoClass::Indeterminate),
    ("invalid", PseudoClass::Invalid),
    ("open", PseudoClass::Open),
    ("optional", PseudoClass::Optional),
    ("placeholder-shown", PseudoClass::PlaceholderShown),
    ("read-only", PseudoClass::ReadOnly),
    ("read-write", PseudoClass::ReadWrite),
    ("required", PseudoClass::Required),
    ("valid", PseudoClass::Valid),
];

/// Known to Chromium and never true of a page that nobody touches.
const NEVER: &[&str] = &[
    "active",
    "active-view-transition",
    "autofill",
    "blank",
    "corner-present",
    "current",
    "decrement",
    "double-button",
    "end",
    "focus",
    "focus-visible",
    "focus-within",
    "fullscreen",
    "future",
    "horizontal",
    "hover",
    "in-range",
    "increment",
    "modal",
    "no-button",
    "out-of-range",
    "past",
    "paused",
    "picture-in-picture",
    "playing",
    "popover-open",
    "single-button",
    "start",
    "target",
    "target-current",
    "target-within",
    "user-invalid",
    "user-valid",
    "vertical",
    "visited",
    "window-inactive",
    "xr-overlay",
    "-internal-autofill-selected",
    "-webkit-autofill",
    "-webkit-drag",
    "-webkit-full-page-media",
    "-webkit-full-screen",
    "-webkit-full-screen-ancestor",
];

impl PseudoClass {
    /// The pseudo-class of this name, if Chromium knows it.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        if let Some((_, class)) = PSEUDO_CLASSES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            return Some(class.clone());
        }
        NEVER.iter().any(|known| known.eq_ignore_ascii_case(name)).then_some(Self::Never)
    }

    pub(super) fn name(&self) -> &'static str {
        PSEUDO_CLASSES.iter().find(|(_, class)| class == self).map_or("hover", |(name, _)| name)
    }

    /// Whether the element is in the state.
    pub(super) fn matches(&self, matcher: &Matcher<'_>, node: NodeId) -> bool {
        let document = matcher.document;
        let has = |attribute| document.has_attribute(node, attribute);
        match self {
            Self::Never => false,
            Self::AnyLink => is_link(document, node),
            Self::Checked => is_checked(document, node),
            Self::Default => {
                (is_checkable(document, node) && has(name::CHECKED))
                    || (document.is_html(node, name::OPTION) && has(name::SELECTED))
                    || is_submit_button(matcher, node)
            }
            Self::Defined => is_defined(document, node),
            Self::Direction(direction) => computed_direction(matcher, node).eq_ignore_ascii_case(direction),
            Self::Disabled => can_be_disabled(document, node) && is_disabled(matcher, node),
            Self::Enabled => can_be_disabled(document, node) && !is_disabled(matcher, node),
            Self::Indeterminate => document.is_html(node, name::PROGRESS) && !has(name::VALUE),
            Self::Lang(languages) => {
                language(matcher, node).is_some_and(|own| languages.iter().any(|range| covers(range, own)))
            }
            Self::Open => matches!(document.html_name(node), Some(name::DETAILS | name::DIALOG)) && has(name::OPEN),
            Self::Required => is_field(document, node) && has(name::REQUIRED),
            Self::Optional => is_field(document, node) && !has(name::REQUIRED),
            Self::PlaceholderShown => {
                has(name::PLACEHOLDER)
                    && match document.html_name(node) {
                        Some(name::INPUT) => {
                            is_text_input(document, node)
                                && document.attribute(node, name::VALUE).unwrap_or("").is_empty()
                        }
                        Some(name::TEXTAREA) => document.text_content(node).is_empty(),
                        _ => false,
                    }
            }
            Self::ReadWrite => is_read_write(matcher, node),
            Self::ReadOnly => !is_read_write(matcher, node),
            Self::Invalid => can_be_validated(matcher, node) && is_missing(document, node),
            Self::Valid => can_be_validated(matcher, node) && !is_missing(document, node),
        }
    }
}

impl PseudoElement {
    /// The pseudo-element of this name, if Chromium knows it.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        const OTHER: &[&str] = &[
            "backdrop",
            "checkmark",
            "column",
            "cue",
            "details-content",
            "file-selector-button",
            "first-letter",
            "first-line",
            "grammar-error",
            "marker",
            "picker-icon",
            "placeholder",
            "scroll-marker",
            "scroll-marker-group",
            "search-text",
            "selection",
            "spelling-error",
            "target-text",
            "view-transition",
        ];
        if name.eq_ignore_ascii_case("before") {
            Some(Self::Before)
        } else if name.eq_ignore_ascii_case("after") {
            Some(Self::After)
        } else if OTHER.iter().any(|known| known.eq_ignore_ascii_case(name))
            || name.get(.."-webkit-".len()).is_some_and(|prefix| prefix.eq_ignore_ascii_case("-webkit-"))
        {
            Some(Self::Other)
        } else {
            None
        }
    }
}

/// Whether the element is a hyperlink.
pub(super) fn is_link(document: &Document, node: NodeId) -> bool {
    (matches!(document.html_name(node), Some(name::A | name::AREA)) && document.has_attribute(node, name::HREF))
        || (document.is_svg(node, name::A)
            && (document.has_attribute(node, name::HREF) || document.has_attribute(node, name::XLINK_HREF)))
}

fn has_type(document: &Document, node: NodeId, types: &[&str]) -> bool {
    let own = document.attribute(node, name::TYPE).unwrap_or("").trim();
    types.iter().any(|known| known.eq_ignore_ascii_case(own))
}

fn is_checkable(document: &Document, node: NodeId) -> bool {
    document.is_html(node, name::INPUT) && has_type(document, node, &["checkbox", "radio"])
}

fn is_submit_button(matcher: &Matcher<'_>, node: NodeId) -> bool {
    let document = matcher.document;
    let submits = match document.html_name(node) {
        Some(name::BUTTON) => !has_type(document, node, &["button", "reset"]),
        Some(name::INPUT) => has_type(document, node, &["submit", "image"]),
        _ => false,
    };
    submits && ancestors(matcher, node).any(|above| document.is_html(above, name::FORM))
}

fn is_checked(document: &Document, node: NodeId) -> bool {
    if document.is_html(node, name::OPTION) {
        return document.has_attribute(node, name::SELECTED);
    }
    is_checkable(document, node) && document.has_attribute(node, name::CHECKED)
}

/// Custom elements are undefined until a script defines them; one with a shadow root has been.
fn is_defined(document: &Document, node: NodeId) -> bool {
    !(document.html_name(node).is_some() && document.local_name(node).contains('-'))
        || document.shadow_root(node).is_some()
}

fn can_be_disabled(document: &Document, node: NodeId) -> bool {
    const CAN: &[Name] =
        &[name::BUTTON, name::INPUT, name::SELECT, name::TEXTAREA, name::OPTGROUP, name::OPTION, name::FIELDSET];
    document.html_name(node).is_some_and(|name| CAN.contains(&name))
}

/// HTML Standard, "concept-fe-disabled" and its kin for options and fieldsets.
fn is_disabled(matcher: &Matcher<'_>, node: NodeId) -> bool {
    let document = matcher.document;
    if document.has_attribute(node, name::DISABLED) {
        return true;
    }
    match document.html_name(node) {
        Some(name::OPTION) => document.parent(node).is_some_and(|parent| {
            document.is_html(parent, name::OPTGROUP) && document.has_attribute(parent, name::DISABLED)
        }),
        Some(name::OPTGROUP) => false,
        _ => {
            let mut below = node;
            for above in ancestors(matcher, node) {
                if document.is_html(above, name::FIELDSET)
                    && document.has_attribute(above, name::DISABLED)
                    && !is_first_legend(matcher, below)
                {
                    return true;
                }
                below = above;
            }
            false
        }
    }
}

fn is_first_legend(matcher: &Matcher<'_>, node: NodeId) -> bool {
    let document = matcher.document;
    let before = std::iter::successors(document.previous_sibling(node), |&sibling| document.previous_sibling(sibling));
    document.is_html(node, name::LEGEND)
        && before.inspect(|_| matcher.charge(1)).all(|sibling| !document.is_html(sibling, name::LEGEND))
}

/// The nodes above the node, each counted as a step.
fn ancestors<'matcher>(matcher: &'matcher Matcher<'_>, node: NodeId) -> impl Iterator<Item = NodeId> + 'matcher {
    matcher.document.ancestors(node).inspect(|_| matcher.charge(1))
}

/// The node and those above it, each counted as a step.
fn self_and_ancestors<'matcher>(
    matcher: &'matcher Matcher<'_>,
    node: NodeId,
) -> impl Iterator<Item = NodeId> + 'matcher {
    std::iter::once(node).chain(ancestors(matcher, node))
}

fn is_field(document: &Document, node: NodeId) -> bool {
    matches!(document.html_name(node), Some(name::INPUT | name::SELECT | name::TEXTAREA))
}

fn is_text_input(document: &Document, node: NodeId) -> bool {
    !has_type(
        document,
        node,
        &["hidden", "checkbox", "radio", "file", "submit", "image", "reset", "button", "range", "color"],
    )
}

fn is_read_write(matcher: &Matcher<'_>, node: NodeId) -> bool {
    let document = matcher.document;
    match document.html_name(node) {
        Some(name::INPUT) if !is_text_input(document, node) => false,
        Some(name::INPUT | name::TEXTAREA) => {
            !document.has_attribute(node, name::READONLY) && !is_disabled(matcher, node)
        }
        _ => self_and_ancestors(matcher, node)
            .find_map(|above| document.attribute(above, name::CONTENTEDITABLE))
            .is_some_and(|value| !value.trim().eq_ignore_ascii_case("false")),
    }
}

fn can_be_validated(matcher: &Matcher<'_>, node: NodeId) -> bool {
    let document = matcher.document;
    let is_exempt = is_disabled(matcher, node)
        || document.has_attribute(node, name::READONLY)
        || (document.is_html(node, name::INPUT) && has_type(document, node, &["hidden", "button", "reset"]));
    is_field(document, node) && !is_exempt
}

/// Whether a required field is empty: the one constraint that needs no parsing of values.
fn is_missing(document: &Document, node: NodeId) -> bool {
    if !document.has_attribute(node, name::REQUIRED) {
        return false;
    }
    match document.html_name(node) {
        Some(name::INPUT) if is_checkable(document, node) => !document.has_attribute(node, name::CHECKED),
        Some(name::INPUT) => document.attribute(node, name::VALUE).unwrap_or("").is_empty(),
        Some(name::TEXTAREA) => document.text_content(node).is_empty(),
        _ => false,
    }
}

fn language<'matcher>(matcher: &'matcher Matcher<'_>, node: NodeId) -> Option<&'matcher str> {
    let document = matcher.document;
    self_and_ancestors(matcher, node)
        .find_map(|above| document.attribute(above, name::LANG).or_else(|| document.attribute(above, name::XML_LANG)))
}

/// Whether a language range covers a language: `en` covers `en-GB`, `*-CH` covers `de-CH`
/// (RFC 4647, extended filtering).
fn covers(range: &str, language: &str) -> bool {
    if range.is_empty() || language.is_empty() {
        return range.is_empty() && language.is_empty();
    }
    let mut wanted = range.split('-');
    let mut parts = language.split('-');
    let (Some(first), Some(own)) = (wanted.next(), parts.next()) else { return false };
    if first != "*" && !first.eq_ignore_ascii_case(own) {
        return false;
    }
    for wanted in wanted.filter(|&wanted| wanted != "*") {
        loop {
            match parts.next() {
                Some(part) if part.eq_ignore_ascii_case(wanted) => break,
                // A single letter begins an extension, which is not skipped.
                Some(part) if part.len() > 1 => {}
                _ => return false,
            }
        }
    }
    true
}

fn computed_direction(matcher: &Matcher<'_>, node: NodeId) -> &'static str {
    let document = matcher.document;
    self_and_ancestors(matcher, node)
        .find_map(|above| match document.attribute(above, name::DIR)? {
            value if value.eq_ignore_ascii_case("rtl") => Some("rtl"),
            value if value.eq_ignore_ascii_case("ltr") => Some("ltr"),
            _ => None,
        })
        .unwrap_or("ltr")
}
