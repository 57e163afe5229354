//! Dropping the attributes that say least.

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::attribute_rating;
use crate::document::{Document, Name, NodeId, name};
use crate::draft::Draft;
use crate::semantics::{Evidence, Role};

/// Drops attributes rated lower than `least` from every element.
pub(super) fn threshold(draft: &mut Draft<'_>, least: f64) {
    let mut ratings: FxHashMap<Name, f64> = FxHashMap::default();
    let owned = owned_ids(draft.document());
    let nodes: Vec<NodeId> = draft.document().composed_descendants(NodeId::DOCUMENT).collect();
    for node in nodes {
        let document = draft.document();
        let mut drops = Vec::new();
        let mut empties = Vec::new();
        for attribute in document.attributes(node) {
            let rating = *ratings
                .entry(attribute.name)
                .or_insert_with(|| attribute_rating(&document.name_text(attribute.name).to_ascii_lowercase()));
            if rating >= least {
                continue;
            }
            match fate(draft, node, attribute.name, attribute.value) {
                Fate::Stays => {}
                Fate::Empties if attribute.value.is_empty() => {}
                Fate::Empties => empties.push(attribute.name),
                Fate::Goes if attribute.name == name::ID && owned.contains(attribute.value) => {}
                Fate::Goes => drops.push(attribute.name),
            }
        }
        if drops.is_empty() && empties.is_empty() {
            continue;
        }
        let address = drops.contains(&name::HREF).then(|| document.attribute(node, name::HREF).map_or(0, str::len));
        let stays_link = address.is_some_and(|length| needs_role(draft, node) && length > "role=\"link\"".len());
        if address.is_some() && needs_role(draft, node) && !stays_link {
            drops.retain(|&attribute| attribute != name::HREF);
        }
        if drops.is_empty() && empties.is_empty() {
            continue;
        }
        let document = draft.document_mut();
        document.retain_attributes(node, |attribute, _| !drops.contains(&attribute));
        for &attribute in &empties {
            document.set_attribute(node, attribute, "");
        }
        if stays_link {
            document.set_attribute(node, name::ROLE, "link");
        }
        draft.note(node, format!("{} attributes rated below {least:.2}", drops.len() + empties.len()));
    }
}

/// A link without its address is one by its role only.
fn needs_role(draft: &Draft<'_>, node: NodeId) -> bool {
    draft.is_target(node) && draft.role(node) == Some(Role::Link)
}

enum Fate {
    Goes,
    /// That it is there says something, its value does not.
    Empties,
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
        _ if document.name_text(attribute).starts_with("on") && is_operated_by_attributes(draft, node) => {
            return Fate::Empties;
        }
        _ => false,
    };
    if stays { Fate::Stays } else { Fate::Goes }
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

/// The ids that stand in `aria-owns`, by which the tree is put together.
fn owned_ids(document: &Document) -> FxHashSet<String> {
    document
        .composed_descendants(NodeId::DOCUMENT)
        .filter_map(|node| document.attribute(node, name::ARIA_OWNS))
        .flat_map(|ids| ids.split_ascii_whitespace().map(str::to_owned))
        .collect()
}
