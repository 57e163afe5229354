//! Dropping the attributes that say least.

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::attribute_rating;
use crate::document::{Document, Name, NodeId, name};
use crate::draft::Draft;
use crate::semantics::{Evidence, Role};

/// Drops attributes rated lower than `least` from every element.
pub(super) fn threshold(draft: &mut Draft<'_>, least: f64) {
    let mut ratings: FxHashMap<Name, f64> = FxHashMap::default();
    let needed = needed_ids(draft.document());
    let nodes: Vec<NodeId> = draft.document().composed_descendants(NodeId::DOCUMENT).collect();
    for node in nodes {
        let document = draft.document();
        let mut drops = Vec::new();
        let mut shortened = Vec::new();
        for attribute in document.attributes(node) {
            let rating = *ratings
                .entry(attribute.name)
                .or_insert_with(|| attribute_rating(&document.name_text(attribute.name).to_ascii_lowercase()));
            if rating >= least {
                continue;
            }
            match fate(draft, node, attribute.name, attribute.value) {
                Fate::Stays => {}
                Fate::Shortens if attribute.value.len() <= SOME_HANDLER.len() => {}
                Fate::Shortens => shortened.push(attribute.name),
                Fate::Goes if attribute.name == name::ID && needed.contains(attribute.value) => {}
                Fate::Goes => drops.push(attribute.name),
            }
        }
        if drops.is_empty() && shortened.is_empty() {
            continue;
        }
        // A link without its address is one by its role only.
        let mut becomes_role = false;
        if drops.contains(&name::HREF) && is_link_by_address(draft, node) {
            let address = document.attribute(node, name::HREF).map_or(0, str::len);
            becomes_role = draft.role(node) == Some(Role::Link) && address > "role=\"link\"".len();
            if !becomes_role {
                drops.retain(|&attribute| attribute != name::HREF);
            }
        }
        if drops.is_empty() && shortened.is_empty() {
            continue;
        }
        let document = draft.document_mut();
        document.retain_attributes(node, |attribute, _| !drops.contains(&attribute));
        for &attribute in &shortened {
            document.set_attribute(node, attribute, SOME_HANDLER);
        }
        if becomes_role {
            document.set_attribute(node, name::ROLE, "link");
        }
        draft.note(node, format!("{} attributes rated below {least:.2}", drops.len() + shortened.len()));
    }
}

/// Whether the element can be operated because it has an address.
fn is_link_by_address(draft: &Draft<'_>, node: NodeId) -> bool {
    draft.is_target(node) && !draft.page().semantics().evidence(node).contains(Evidence::ROLE)
}

enum Fate {
    Goes,
    /// That it has a value says something, the value does not.
    Shortens,
    Stays,
}

/// What becomes of an attribute that is rated too low. It stays where the element would be
/// another one without it.
fn fate(draft: &Draft<'_>, node: NodeId, attribute: Name, value: &str) -> Fate {
    let document = draft.document();
    let html = document.html_name(node);
    let stays = match attribute {
        name::ROLE => value
            .split_ascii_whitespace()
            .filter_map(|token| Role::from_token(&token.to_ascii_lowercase()))
            .any(|role| role != Role::Generic),
        name::TYPE => html == Some(name::INPUT) && !value.eq_ignore_ascii_case("text"),
        name::CONTENTEDITABLE | name::CONTROLS | name::XLINK_HREF => draft.is_target(node),
        name::HREF => html == Some(name::BASE) || !matches!(html, Some(name::A | name::LINK)) && draft.is_target(node),
        name::TABINDEX => is_operated_by_attributes(draft, node),
        name::ALT => !value.trim().is_empty() && matches!(html, Some(name::IMG | name::AREA | name::INPUT)),
        name::ARIA_HIDDEN | name::ARIA_OWNS | name::COLSPAN | name::ROWSPAN | name::SLOT | name::CHARSET => true,
        name::START => html == Some(name::OL),
        name::OPEN => matches!(html, Some(name::DETAILS | name::DIALOG)),
        name::NAME => html == Some(name::SLOT),
        name::ARIA_LABEL | name::TITLE | name::PLACEHOLDER => is_only_label(draft, node, value),
        name::VALUE => html == Some(name::INPUT) && is_only_label(draft, node, value),
        name::LABEL => matches!(html, Some(name::OPTION | name::OPTGROUP | name::TRACK)),
        _ if is_handler(document.name_text(attribute)) && is_operated_by_attributes(draft, node) => {
            return Fate::Shortens;
        }
        _ => false,
    };
    if stays { Fate::Stays } else { Fate::Goes }
}

/// What stands for the code of a handler.
const SOME_HANDLER: &str = "1";

/// `onclick` and kin, those of frameworks too: `@click`, `ng-click`, `(click)`.
fn is_handler(attribute: &str) -> bool {
    attribute.starts_with("on") || attribute.contains("click")
}

/// Whether only handlers or the tab order show that the element can be operated.
fn is_operated_by_attributes(draft: &Draft<'_>, node: NodeId) -> bool {
    let evidence = draft.page().semantics().evidence(node);
    draft.is_target(node) && !evidence.contains(Evidence::NATIVE) && !evidence.contains(Evidence::ROLE)
}

/// Whether the value is what the element is called, and the text in it does not say so too.
fn is_only_label(draft: &Draft<'_>, node: NodeId, value: &str) -> bool {
    let document = draft.document();
    let name = draft.name(node);
    let mut label = value.split_whitespace();
    if name.is_empty() || !name.split_whitespace().all(|word| label.next() == Some(word)) || label.next().is_some() {
        return false;
    }
    let mut text = String::new();
    for below in document.descendants(node).take(MOST_VISITED) {
        text.push_str(document.text(below));
        text.push(' ');
        if text.len() > MOST_TEXT {
            break;
        }
    }
    if draft.is_target(node) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        !text.to_lowercase().contains(&name.to_lowercase())
    } else {
        text.trim().is_empty()
    }
}

/// How far to look for text that says what a label says.
const MOST_VISITED: usize = 64;
const MOST_TEXT: usize = 1024;

/// The ids by which the page is put together: those in `aria-owns`, and those that links within
/// the page lead to, such as footnotes.
fn needed_ids(document: &Document) -> FxHashSet<String> {
    let mut ids = FxHashSet::default();
    for node in document.composed_descendants(NodeId::DOCUMENT) {
        if let Some(owned) = document.attribute(node, name::ARIA_OWNS) {
            ids.extend(owned.split_ascii_whitespace().map(str::to_owned));
        }
        if let Some((_, fragment)) = document.attribute(node, name::HREF).and_then(|address| address.split_once('#')) {
            ids.insert(fragment.to_owned());
        }
    }
    ids
}
