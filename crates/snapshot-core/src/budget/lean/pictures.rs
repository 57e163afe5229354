//! What is there to be looked at.

use crate::document::{NodeId, name};
use crate::draft::Draft;

/// Takes out drawings and pictures that say nothing, or what the control around them is called by
/// anyway.
pub(super) fn drop_pictures(draft: &mut Draft<'_>, nodes: &[NodeId]) {
    for &node in nodes {
        let document = draft.document();
        let is_drawing = document.is_svg(node, name::SVG);
        if !(is_drawing || document.is_html(node, name::IMG)) || draft.is_target(node) {
            continue;
        }
        if document.parent(node).is_none() {
            continue;
        }
        let is_said = is_drawing
            && document
                .ancestors(node)
                .take(4)
                .find(|&above| draft.is_target(above))
                .is_some_and(|target| document.has_attribute(target, name::ARIA_LABEL));
        let words = draft.name(node).to_owned();
        if words.is_empty() || is_said {
            draft.document_mut().detach(node);
        } else if is_drawing && !document.descendants(node).any(|below| draft.is_target(below)) {
            say_name(draft, node, &words);
        }
    }
}

/// Lets the name of a drawing stand in its place where text runs, and in an attribute elsewhere.
fn say_name(draft: &mut Draft<'_>, drawing: NodeId, words: &str) {
    let document = draft.document();
    let runs = document
        .composed_parent(drawing)
        .is_some_and(|parent| draft.is_target(parent) || draft.page().semantics().is_text_block(parent));
    if runs {
        let is_apart = |text: Option<NodeId>, is_apart: fn(&str) -> bool| {
            text.is_none_or(|text| document.is_text(text) && is_apart(document.text(text)))
        };
        let before = is_apart(document.previous_sibling(drawing), |text| text.ends_with(char::is_whitespace));
        let behind = is_apart(document.next_sibling(drawing), |text| text.starts_with(char::is_whitespace));
        let [before, behind] = [before, behind].map(|is_apart| if is_apart { "" } else { " " });
        let text = draft.document_mut().create_text(&[before, words, behind].concat());
        draft.document_mut().insert_before(drawing, text);
        draft.remove(drawing, "its name stands for it");
    } else {
        let drawn: Vec<NodeId> = document.children(drawing).collect();
        for part in drawn {
            draft.document_mut().detach(part);
        }
        draft.document_mut().set_attribute(drawing, name::ARIA_LABEL, words);
    }
}

/// Takes out what the page's makers keep from those who have it read to them: initials beside a
/// name, dots, arrows. What is long is more than that.
pub(super) fn drop_decoration(draft: &mut Draft<'_>, nodes: &[NodeId]) {
    const LONGEST: usize = 40;
    const MOST_INSIDE: usize = 16;
    let page = draft.page().document();
    for &node in nodes {
        let is_decoration = node.index() < page.len()
            && page.attribute(node, name::ARIA_HIDDEN).is_some_and(|value| value.trim() == "true")
            && draft.document().is_element(node)
            && draft.document().parent(node).is_some();
        if !is_decoration || draft.is_target(node) {
            continue;
        }
        let document = draft.document();
        let inside: Vec<NodeId> = document.descendants(node).take(MOST_INSIDE + 1).collect();
        let length: usize = inside.iter().map(|&below| document.text(below).trim().len()).sum();
        if inside.len() <= MOST_INSIDE && length <= LONGEST && !inside.iter().any(|&below| draft.is_target(below)) {
            // The words around keep apart.
            let space = draft.document_mut().create_text(" ");
            draft.document_mut().insert_before(node, space);
            draft.document_mut().detach(node);
        }
    }
}
