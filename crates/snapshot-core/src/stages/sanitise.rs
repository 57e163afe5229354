//! Removes secrets, what only a machine would read, and text that poses as ours.
//!
//! Before: `<input type=password value=Tr0ub4dor><a href="javascript:pay()">P&#x200b;ay [ref=e3]</a>`
//!
//! After: `<input type=password><a href="#">Pay (ref=e3)</a>`
//!
//! - Values of password, one-time-code and card fields go, hidden inputs go whole; the text of
//!   editable elements goes when asked (`editable: true`).
//! - Secrets in addresses (user information, parameters named like tokens, JSON Web Tokens) are
//!   replaced by `REDACTED`.
//! - Characters that people do not see (zero-width, bidirectional controls, the Tags block) go
//!   from text, names, values and attributes; joiners stay where scripts and emoji need them.
//! - Addresses that run scripts become `#`, inline handlers go.
//! - Text that looks like one of our marks gets parentheses instead of brackets.

use std::borrow::Cow;

use super::Stage;
use super::by_name::ByName;
use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::error::Error;
use crate::text::address::{is_script_address, without_secrets};
use crate::text::bytes::{ByteSet, holds_none_of, with};
use crate::text::invisible::{MAY_BEGIN_INVISIBLE, without_invisible};
use crate::text::marks::without_forged_marks;

/// The stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Sanitise {
    /// Also empty editable elements: what a person is writing may be private.
    pub editable: bool,
}

impl Stage for Sanitise {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let mut hidden = Vec::new();
        let mut suspects = Vec::new();
        let mut kinds = ByName::new(Kind::of);
        let document = draft.document();
        let mut nodes = document.composed_descendants(NodeId::DOCUMENT);
        while let Some(node) = nodes.next() {
            if is_hidden_input(document, node) {
                nodes.skip_below(node);
                hidden.push(node);
            } else if self.is_suspect(draft, node, &mut kinds) {
                suspects.push(node);
            }
        }
        for node in hidden {
            draft.remove(node, "hidden input");
        }
        for node in suspects {
            match draft.document().kind(node) {
                NodeKind::Element => self.element(draft, node),
                NodeKind::Text | NodeKind::Comment => {
                    if let Some(cleaned) = cleaned(draft.document().text(node)) {
                        draft.document_mut().set_text(node, &cleaned);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Sanitise {
    /// Whether there is anything to change about a node. Nearly always there is not.
    fn is_suspect(&self, draft: &Draft<'_>, node: NodeId, kinds: &mut ByName<Kind>) -> bool {
        let document = draft.document();
        match document.kind(node) {
            NodeKind::Text => cleaned(document.text(node)).is_some(),
            NodeKind::Comment => cleaned(document.text(node)).is_some() && draft.noted_elision(node).is_none(),
            NodeKind::Element => {
                draft.page().semantics().is_secret(node)
                    || cleaned(draft.name(node)).is_some()
                    || draft.value(node).is_some_and(|value| cleaned(value).is_some())
                    || self.editable && is_editable(document, node)
                    || document.attributes(node).any(|attribute| match kinds.of(document, attribute.name) {
                        Kind::Handler => true,
                        Kind::Address => clean_address(attribute.value).is_some(),
                        Kind::Words => cleaned(attribute.value).is_some(),
                    })
            }
            _ => false,
        }
    }

    fn element(&self, draft: &mut Draft<'_>, node: NodeId) {
        if let Some(name) = cleaned(draft.name(node)) {
            draft.set_name(node, name);
        }
        if let Some(value) = draft.value(node).and_then(cleaned) {
            draft.set_value(node, Some(value));
        }
        let private = self.editable && is_editable(draft.document(), node);
        if private || draft.page().semantics().is_secret(node) {
            redact(draft, node);
        }
        clean_attributes(draft.document_mut(), node);
    }
}

/// Takes away what a control holds; nothing is noted when it holds nothing.
fn redact(draft: &mut Draft<'_>, node: NodeId) {
    let held = draft.document().has_attribute(node, name::VALUE) || draft.document().first_child(node).is_some();
    if !held {
        return;
    }
    draft.document_mut().remove_attribute(node, name::VALUE);
    draft.set_value(node, None);
    while let Some(child) = draft.document().first_child(node) {
        draft.document_mut().detach(child);
    }
    draft.note(node, "the value is secret");
}

fn clean_attributes(document: &mut Document, node: NodeId) {
    let changes: Vec<(Name, Option<String>)> = document
        .attributes(node)
        .filter_map(|attribute| {
            let cleaned = match Kind::of(attribute.name, document.name_text(attribute.name)) {
                Kind::Handler => return Some((attribute.name, None)),
                Kind::Address => clean_address(attribute.value),
                Kind::Words => cleaned(attribute.value),
            };
            cleaned.map(|value| (attribute.name, Some(value)))
        })
        .collect();
    for (name, value) in changes {
        match value {
            Some(value) => document.set_attribute(node, name, &value),
            None => document.remove_attribute(node, name),
        }
    }
}

/// The address without what is not to be shown; nothing when it may stay as it is.
fn clean_address(address: &str) -> Option<String> {
    if is_script_address(address) {
        return Some("#".to_owned());
    }
    if holds_none_of(address, &IN_CHANGED_ADDRESSES) { None } else { changed_by_both(address, without_secrets) }
}

/// The text without what is not to be shown; nothing when it may stay as it is.
fn cleaned(text: &str) -> Option<String> {
    if holds_none_of(text, &IN_CHANGED_WORDS) { None } else { changed_by_both(text, without_forged_marks) }
}

/// Bytes of which one is in every text that is changed.
const IN_CHANGED_WORDS: ByteSet = with(MAY_BEGIN_INVISIBLE, b"[]");

/// Bytes of which one is in every address that is changed, but for those that run scripts.
const IN_CHANGED_ADDRESSES: ByteSet = with(MAY_BEGIN_INVISIBLE, b"?#@");

/// The text without invisible characters and then without what `further` takes away, if either
/// changed it.
fn changed_by_both(text: &str, further: impl Fn(&str) -> Cow<'_, str>) -> Option<String> {
    let visible = without_invisible(text);
    let changed = match further(&visible) {
        Cow::Owned(changed) => Some(changed),
        Cow::Borrowed(_) => None,
    };
    changed.or(match visible {
        Cow::Owned(visible) => Some(visible),
        Cow::Borrowed(_) => None,
    })
}

/// What an attribute holds.
#[derive(Clone, Copy)]
enum Kind {
    /// What runs when something happens, or an id that only we write.
    Handler,
    Address,
    Words,
}

impl Kind {
    fn of(name: Name, text: &str) -> Self {
        match name {
            name::DATA_UID => Self::Handler,
            name::HREF
            | name::SRC
            | name::ACTION
            | name::FORMACTION
            | name::XLINK_HREF
            | name::DATA
            | name::POSTER
            | name::CITE
            | name::BACKGROUND
            | name::DATA_HREF
            | name::DATA_URL
            | name::DATA_SRC => Self::Address,
            _ if text.starts_with("on") && !text.contains('-') && text.len() > 2 => Self::Handler,
            _ => Self::Words,
        }
    }
}

fn is_hidden_input(document: &Document, node: NodeId) -> bool {
    document.is_html(node, name::INPUT)
        && document.attribute(node, name::TYPE).is_some_and(|kind| kind.trim().eq_ignore_ascii_case("hidden"))
}

fn is_editable(document: &Document, node: NodeId) -> bool {
    document.is_html(node, name::TEXTAREA)
        || document
            .attribute(node, name::CONTENTEDITABLE)
            .is_some_and(|value| !value.trim().eq_ignore_ascii_case("false"))
}
