//! Which text of a page is visible, and whether a rendering shows it once and in order.
//!
//! Deliberate rewrites are folded away on both sides: white space, characters that nobody sees
//! (`sanitise` drops them) and square brackets (`sanitise` turns those of forged marks into round
//! ones). Formulas may be written as the TeX that the page has for them and are not drawn twice, marks of footnotes and
//! the ways back from notes are Markdown's own. What is added is the name of what shows no text
//! (a picture, a control, an icon), a control's value, and the punctuation around these.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use snapshot_core::Page;
use snapshot_core::document::{Document, NodeId, name};
use snapshot_core::flat_tree::FlatTree;
use snapshot_core::semantics::Visibility;

/// A text of the page, folded.
struct Run {
    text: String,
    /// Whether it must come out; otherwise something may stand for it.
    needed: bool,
}

/// The visible text nodes in order.
pub(crate) fn text_nodes(page: &Page) -> Vec<NodeId> {
    let document = page.document();
    let tree = FlatTree::new(document);
    let mut texts = Vec::new();
    let mut position = 0;
    while position < tree.len() {
        let node = tree.node(position);
        if is_control(document, node) {
            position = tree.end(position);
            continue;
        }
        if document.is_text(node) && page.semantics().visibility(node) == Visibility::Visible {
            texts.push(node);
        }
        position += 1;
    }
    texts
}

/// Controls whose content is their value and choices.
fn is_control(document: &Document, node: NodeId) -> bool {
    matches!(document.html_name(node), Some(name::SELECT | name::TEXTAREA | name::DATALIST))
}

/// Whether `shown` has every visible text of the page once and in order.
pub(crate) fn check(page: &Page, shown: &str) -> Result<(), String> {
    let shown = folded(shown);
    let mut cursor = 0;
    let mut left = counts(&shown);
    for run in runs(page) {
        let rest = &shown[cursor..];
        let found = if run.needed { rest.find(&run.text) } else { rest.starts_with(&run.text).then_some(0) };
        match found {
            Some(at) => {
                cursor += at + run.text.len();
                take(&mut left, &run.text);
            }
            None if !run.needed => {}
            None => {
                let near: String = shown[cursor..].chars().take(60).collect();
                return Err(format!("{:?} is missing behind {near:?}", run.text));
            }
        }
    }
    let mut added = counts(&additions(page));
    for (character, count) in &left {
        let free = matches!(character, '(' | ')' | '"' | '-' | '$' | '`' | '^' | ':');
        let allowed = added.remove(character).unwrap_or(0);
        if !free && *count > allowed {
            return Err(format!("{character:?} comes out {} times more often than on the page", count - allowed));
        }
    }
    Ok(())
}

fn counts(text: &str) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    for character in text.chars() {
        *counts.entry(character).or_default() += 1;
    }
    counts
}

fn take(counts: &mut BTreeMap<char, usize>, text: &str) {
    for character in text.chars() {
        if let Some(count) = counts.get_mut(&character) {
            *count = count.saturating_sub(1);
        }
    }
}

fn runs(page: &Page) -> Vec<Run> {
    let document = page.document();
    let notes = note_links(document);
    let texts = text_nodes(page);
    let run = |&node: &NodeId| {
        let text = folded(document.text(node));
        let replaced = document.ancestors(node).any(|above| {
            notes.contains(&above)
                || document.local_name(above) == "math"
                || (document.attribute(above, name::ARIA_HIDDEN) == Some("true") && has_formula_beside(document, above))
        });
        (!text.is_empty()).then_some(Run { text, needed: !replaced })
    };
    texts.iter().filter_map(run).collect()
}

/// Whether a formula stands beside the element, which draws it once more for the eye.
fn has_formula_beside(document: &Document, node: NodeId) -> bool {
    document
        .parent(node)
        .is_some_and(|parent| document.descendants(parent).take(8).any(|inner| document.local_name(inner) == "math"))
}

/// Links from a `sup` (or marked as such) to a place in the page, and links back to where one of
/// those stands.
fn note_links(document: &Document) -> BTreeSet<NodeId> {
    let fragment = |node: NodeId| {
        document.attribute(node, name::HREF).and_then(|href| href.trim().strip_prefix('#')).filter(|id| !id.is_empty())
    };
    let links: Vec<NodeId> = document
        .composed_descendants(NodeId::DOCUMENT)
        .filter(|&node| document.is_html(node, name::A) && fragment(node).is_some())
        .collect();
    let marked = |node: NodeId| {
        document.attribute(node, name::ROLE).is_some_and(|role| role.starts_with("doc-"))
            || document
                .attributes(node)
                .any(|attribute| document.name_text(attribute.name).starts_with("data-footnote"))
    };
    let is_reference =
        |node: NodeId| marked(node) || document.ancestors(node).take(3).any(|above| document.is_html(above, name::SUP));
    let mut places = BTreeSet::new();
    for &link in links.iter().filter(|&&link| is_reference(link)) {
        let around = std::iter::once(link).chain(document.ancestors(link).take(3));
        places.extend(around.filter_map(|node| document.attribute(node, name::ID)));
    }
    links
        .iter()
        .copied()
        .filter(|&link| is_reference(link) || fragment(link).is_some_and(|id| places.contains(id)))
        .flat_map(|link| {
            std::iter::once(link)
                .chain(document.ancestors(link).take(1).filter(|&above| document.is_html(above, name::SUP)))
        })
        .collect()
}

/// All that may be added, as one text.
fn additions(page: &Page) -> String {
    let document = page.document();
    let semantics = page.semantics();
    let tree = FlatTree::new(document);
    // For each position, whether visible text stands below it.
    let mut says = vec![false; tree.len()];
    for position in (1..tree.len()).rev() {
        let node = tree.node(position);
        let own = document.is_text(node)
            && semantics.visibility(node) == Visibility::Visible
            && !document.text(node).trim().is_empty();
        if (own || says[position])
            && let Some(parent) = tree.parent_position(position)
        {
            says[parent] = true;
        }
    }
    let mut added = String::new();
    let mut notes = 0usize;
    for (position, &node) in tree.nodes().iter().enumerate() {
        if !document.is_element(node) {
            continue;
        }
        if !says[position] || is_control(document, node) {
            added.push_str(semantics.name(node));
            added.push_str(document.attribute(node, name::TITLE).unwrap_or(""));
            added.push_str(document.attribute(node, name::ALT).unwrap_or(""));
            added.push_str(semantics.value(node).unwrap_or(""));
        }
        match document.local_name(node) {
            "input" => added.push('x'),
            "svg" => added.push_str(semantics.name(node)),
            "math" => {
                let tex = document.find_name("alttext").and_then(|alttext| document.attribute(node, alttext));
                added.push_str(tex.unwrap_or(""));
                added.push_str(&document.text_content(node));
            }
            "a" => notes += usize::from(document.attribute(node, name::HREF).is_some_and(|href| href.starts_with('#'))),
            _ => {}
        }
    }
    // Notes are numbered anew.
    for number in 1..=notes {
        added.push_str(&number.to_string());
        added.push_str(&number.to_string());
    }
    folded(&added)
}

/// The text without what deliberate rewrites change.
fn folded(text: &str) -> String {
    text.chars()
        .filter(|&character| !character.is_whitespace() && !is_invisible(character))
        .map(|character| match character {
            '[' => '(',
            ']' => ')',
            other => other,
        })
        .collect()
}

/// Controls, and what Unicode lets be ignored by default ("Default_Ignorable_Code_Point").
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}
