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
use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::error::Error;
use crate::text::address::{is_script_address, without_secrets};
use crate::text::invisible::without_invisible;
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
        let mut kept = Vec::new();
        draft.prune(|document, node| {
            if is_hidden_input(document, node) {
                return Some("hidden input".into());
            }
            kept.push(node);
            None
        });
        for node in kept {
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
            let text = document.name_text(attribute.name);
            let handler = text.starts_with("on") && !text.contains('-') && text.len() > 2;
            if handler || attribute.name == name::DATA_UID {
                return Some((attribute.name, None));
            }
            let cleaned =
                if is_address(attribute.name) { clean_address(attribute.value) } else { cleaned(attribute.value) };
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
    changed_by_both(address, without_secrets)
}

/// The text without what is not to be shown; nothing when it may stay as it is.
fn cleaned(text: &str) -> Option<String> {
    changed_by_both(text, without_forged_marks)
}

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

fn is_address(name: Name) -> bool {
    matches!(
        name,
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
            | name::DATA_SRC
    )
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
