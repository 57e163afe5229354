//! What is said twice, or says nothing: a heading around a link of the same words, the label of
//! a control that has its words for a name, dots and dashes between links.

use crate::document::{Document, Name, NodeId, name};
use crate::draft::Draft;
use crate::representations::Containers;
use crate::semantics::Role;
use crate::text::spacing::without_blanks;
use crate::text::words::is_separating;

/// Headings and labels with more nodes in them than this are left as they are.
const MOST_INSIDE: usize = 64;

/// Lets one say it.
pub(super) fn drop_repetitions(draft: &mut Draft<'_>, containers: Containers) {
    let nodes: Vec<NodeId> = draft.document().composed_descendants(NodeId::DOCUMENT).collect();
    let mut in_target = vec![None; draft.document().len()];
    for &node in &nodes {
        let above = draft.document().composed_parent(node);
        in_target[node.index()] = above.and_then(|parent| {
            if draft.is_target(parent) { Some(parent) } else { in_target.get(parent.index()).copied().flatten() }
        });
    }
    for &node in &nodes {
        let target = in_target[node.index()];
        if draft.document().html_name(node) == Some(name::RUBY) {
            drop_readings(draft, node);
        } else if draft.document().is_text(node) {
            if target.is_none()
                && is_separator(draft.document().text(node))
                && !is_kept_as_typed(draft.document(), node)
            {
                draft.document_mut().set_text(node, " ");
            }
        } else if draft.role(node) == Some(Role::Heading) && !draft.is_target(node) {
            // In Markdown a heading costs no more than its mark.
            if containers != Containers::Marks
                && let Some(survivor) = target.or_else(|| lone_target(draft, node))
                && draft.document().shadow_root(node).is_none()
                && !draft.name(survivor).is_empty()
            {
                keep_apart(draft.document_mut(), node);
                draft.merge_into(node, survivor, "its target says the same");
            }
        } else if draft.document().is_html(node, name::LABEL)
            && let Some(control) = draft.page().semantics().labelled_control(node)
            && in_target.get(control.index()).copied().flatten() == target
        {
            drop_label(draft, node, control);
        }
    }
}

/// Puts blanks around what is in a block that will be taken off.
fn keep_apart(document: &mut Document, block: NodeId) {
    if let Some(first) = document.first_child(block) {
        let space = document.create_text(" ");
        document.insert_before(first, space);
        let space = document.create_text(" ");
        document.append(block, space);
    }
}

/// Takes out how the words of an annotation are read aloud (HTML Standard, "the ruby element").
fn drop_readings(draft: &mut Draft<'_>, ruby: NodeId) {
    let document = draft.document();
    let is_reading = |child: NodeId| matches!(document.html_name(child), Some(name::RT | name::RP));
    let (readings, words): (Vec<NodeId>, Vec<NodeId>) = document.children(ruby).partition(|&child| is_reading(child));
    let says_words = words.iter().any(|&child| !document.is_blank_text(child));
    if !says_words || readings.is_empty() || draft.is_target(ruby) {
        return;
    }
    for reading in readings {
        draft.remove(reading, "the words that it is read by stay");
    }
    draft.document_mut().unwrap(ruby);
}

/// The target in an element that holds nothing else that is read out.
pub(super) fn lone_target(draft: &Draft<'_>, node: NodeId) -> Option<NodeId> {
    let document = draft.document();
    let mut found = None;
    let mut inside = document.descendants(node);
    let mut seen = 0;
    while let Some(below) = inside.next() {
        seen += 1;
        if seen > MOST_INSIDE {
            return None;
        }
        if draft.is_target(below) {
            if found.replace(below).is_some() {
                return None;
            }
            inside.skip_children(below);
        } else if draft.page().semantics().is_aria_hidden(below) {
            inside.skip_children(below);
        } else if !document.text(below).trim().is_empty()
            || draft.role(below) == Some(Role::Heading)
            || document.shadow_root(below).is_some()
        {
            return None;
        }
    }
    found
}

/// Takes out the words of a label that are its control's name, which is written with the control.
fn drop_label(draft: &mut Draft<'_>, label: NodeId, control: NodeId) {
    if draft.is_target(label) || draft.document().shadow_root(label).is_some() {
        return;
    }
    if !draft.is_target(control) || draft.name(control).is_empty() || !draft.document().is_connected(control) {
        return;
    }
    let document = draft.document();
    let mut texts = Vec::new();
    let mut words = String::new();
    let mut inside = document.descendants(label);
    while let Some(below) = inside.next() {
        if texts.len() > MOST_INSIDE {
            return;
        }
        if draft.is_target(below) {
            inside.skip_children(below);
        } else if document.is_text(below) {
            words.push_str(document.text(below));
            texts.push(below);
        }
    }
    let squeeze = |text: &str| -> String { without_blanks(text).collect() };
    if words.trim().is_empty() || !squeeze(draft.name(control)).contains(&squeeze(&words)) {
        return;
    }
    for text in texts {
        draft.document_mut().detach(text);
    }
    draft.merge_into(label, control, "its control says the same");
}

/// Whether there are only signs that people put between words or around them.
fn is_separator(text: &str) -> bool {
    !text.trim().is_empty()
        && text.chars().all(|character| {
            character.is_whitespace() || is_separating(character) || matches!(character, '(' | ')' | '[' | ']')
        })
}

fn is_kept_as_typed(document: &Document, text: NodeId) -> bool {
    const TYPED: &[Name] = &[
        name::PRE,
        name::CODE,
        name::KBD,
        name::SAMP,
        name::TEXTAREA,
        name::OPTION,
        name::SCRIPT,
        name::STYLE,
        name::TITLE,
        name::TD,
        name::TH,
    ];
    document
        .ancestors(text)
        .take(8)
        .any(|above| document.html_name(above).is_none_or(|above| TYPED.contains(&above)) && document.is_element(above))
}
