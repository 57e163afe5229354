//! Elements and attributes of HTML that only lay out what is in them.

use super::{native, pictures, trim};
use crate::document::{Document, Name, NodeId, NodeKind, QuirksMode, name};
use crate::draft::Draft;
use crate::semantics::Role;
use crate::semantics::style::Display;

/// Boxes that can go when nothing but other elements stands in them.
const BOXES: &[Name] = &[
    name::DIV,
    name::SECTION,
    name::ARTICLE,
    name::FIGURE,
    name::CENTER,
    name::MAIN,
    name::FORM,
    name::SPAN,
    name::DL,
    name::FIELDSET,
];

/// Elements of running text that can go without the text.
const PLAIN_PHRASES: &[Name] = &[
    name::SPAN,
    name::FONT,
    name::SMALL,
    name::BIG,
    name::B,
    name::STRONG,
    name::I,
    name::EM,
    name::U,
    name::TIME,
    name::TT,
    name::BDI,
    name::CITE,
    name::VAR,
    name::ABBR,
    name::DATA,
    name::CODE,
    name::KBD,
    name::SAMP,
    name::DFN,
    name::MARK,
];

/// Elements of which there can be any number in a paragraph.
const PHRASING: &[Name] = &[
    name::A,
    name::ABBR,
    name::B,
    name::BDI,
    name::BDO,
    name::BIG,
    name::BR,
    name::BUTTON,
    name::CITE,
    name::CODE,
    name::DATA,
    name::DEL,
    name::DFN,
    name::EM,
    name::FONT,
    name::I,
    name::IMG,
    name::INPUT,
    name::INS,
    name::KBD,
    name::LABEL,
    name::MARK,
    name::METER,
    name::OUTPUT,
    name::PROGRESS,
    name::Q,
    name::S,
    name::SAMP,
    name::SELECT,
    name::SMALL,
    name::SPAN,
    name::STRONG,
    name::SUB,
    name::SUP,
    name::TEXTAREA,
    name::TIME,
    name::TT,
    name::U,
    name::VAR,
    name::WBR,
];

/// The text without what only a browser needs: where lines must not break, how the site is asked
/// whose address it shows. Nothing where that is all the same.
fn plainer(text: &str) -> Option<String> {
    const NO_BREAK_SPACE: char = '\u{a0}';
    let shown = text.trim_start();
    let site = shown.strip_prefix("https://").or_else(|| shown.strip_prefix("http://"));
    let site = site.map(|site| site.strip_prefix("www.").unwrap_or(site)).filter(|site| site.len() > 3);
    if site.is_none() && !text.contains(NO_BREAK_SPACE) {
        return None;
    }
    let before = &text[..text.len() - shown.len()];
    Some([before, site.unwrap_or(shown)].concat().replace(NO_BREAK_SPACE, " "))
}

/// Takes off what only lays out: boxes, list marks, emphasis; text keeps apart in paragraphs.
pub(super) fn merge_tags(draft: &mut Draft<'_>) {
    let nodes: Vec<NodeId> = draft.document().composed_descendants(NodeId::DOCUMENT).collect();
    for &node in &nodes {
        if draft.document().is_element(node) {
            trim::trim_attributes(draft, node);
        } else if let Some(text) = plainer(draft.document().text(node)) {
            draft.document_mut().set_text(node, &text);
        }
    }
    pictures::drop_decoration(draft, &nodes);
    pictures::drop_pictures(draft, &nodes);
    shorten_doctype(draft, &nodes);
    native::use_native_elements(draft, &nodes);
    let phrasing = phrasing_only(draft.document(), &nodes);
    let speaking = speaking(draft, &nodes);
    for &node in &nodes {
        let Some(tag) = draft.document().html_name(node) else { continue };
        if !can_go(draft, node) {
            continue;
        }
        if matches!(tag, name::UL | name::OL) {
            merge_list(draft, node, &phrasing, &speaking);
        } else if speaking[node.index()] && is_box(draft, node, tag) && !is_in_line(draft.document(), node) {
            if phrasing[node.index()] && can_be_paragraph(draft.document(), node) {
                draft.document_mut().rename(node, name::P);
            }
        } else if (PLAIN_PHRASES.contains(&tag) || is_box(draft, node, tag)) && stays_apart(draft.document(), node) {
            unwrap(draft, node);
        }
    }
}

/// Whether the element only puts what is in it together. The head and the foot of an article are
/// no landmarks.
fn is_box(draft: &Draft<'_>, node: NodeId, tag: Name) -> bool {
    BOXES.contains(&tag)
        || matches!(tag, name::HEADER | name::FOOTER | name::HGROUP)
            && matches!(draft.role(node), None | Some(Role::Generic | Role::Group))
}

/// Whether the element says nothing itself.
fn can_go(draft: &Draft<'_>, node: NodeId) -> bool {
    const KEEPING: &[Name] = &[
        name::ARIA_LABEL,
        name::TITLE,
        name::SLOT,
        name::HIDDEN,
        name::INERT,
        name::CONTENTEDITABLE,
        name::POPOVER,
        name::DISABLED,
        name::ID,
        name::ROLE,
    ];
    let document = draft.document();
    !draft.is_target(node)
        && document.parent(node).is_some()
        && document.shadow_root(node).is_none()
        && draft.elision_note(node).is_none()
        && !document.attributes(node).any(|attribute| KEEPING.contains(&attribute.name))
}

/// Whether the parser puts what is in the element into what is around it, and nothing there runs
/// into it.
fn stays_apart(document: &Document, node: NodeId) -> bool {
    const PARTS: &[Name] = &[
        name::LI,
        name::DT,
        name::DD,
        name::LEGEND,
        name::SUMMARY,
        name::CAPTION,
        name::FIGCAPTION,
        name::TR,
        name::TD,
        name::TH,
        name::TBODY,
        name::OPTION,
    ];
    const CLOSED: &[Name] = &[
        name::TABLE,
        name::TBODY,
        name::THEAD,
        name::TFOOT,
        name::TR,
        name::UL,
        name::OL,
        name::SELECT,
        name::H1,
        name::H2,
        name::H3,
        name::H4,
        name::H5,
        name::H6,
        name::P,
    ];
    let inline = document.html_name(node).is_some_and(|tag| PLAIN_PHRASES.contains(&tag));
    let parent = document.parent(node).and_then(|parent| document.html_name(parent));
    let has_part =
        document.children(node).any(|child| document.html_name(child).is_some_and(|child| PARTS.contains(&child)));
    !has_part && (inline || parent.is_none_or(|parent| !CLOSED.contains(&parent)))
}

/// Whether the element is a span in a paragraph: a blank keeps its words apart as well.
fn is_in_line(document: &Document, node: NodeId) -> bool {
    document.is_html(node, name::SPAN) && !can_be_paragraph(document, node)
}

/// Takes the element off; what is not part of a line keeps apart from what stands beside it.
fn unwrap(draft: &mut Draft<'_>, node: NodeId) {
    let inline = draft.page().semantics().style(node).display == Display::Inline;
    let document = draft.document();
    // A text that ends or begins with a blank keeps apart already.
    let joins = |neighbour: Option<NodeId>, is_apart: fn(&str) -> bool| {
        neighbour.is_some_and(|neighbour| runs_along(document, neighbour) && !is_apart(document.text(neighbour)))
    };
    let before = joins(document.previous_sibling(node), |text| text.ends_with(char::is_whitespace));
    let after = joins(document.next_sibling(node), |text| text.starts_with(char::is_whitespace));
    if !inline && document.first_child(node).is_some_and(|child| runs_along(document, child)) {
        for (is_wanted, behind) in [(before, false), (after, true)] {
            if !is_wanted {
                continue;
            }
            let space = draft.document_mut().create_text(" ");
            if behind {
                draft.document_mut().append(node, space);
            } else if let Some(first) = draft.document().first_child(node) {
                draft.document_mut().insert_before(first, space);
            }
        }
    }
    draft.document_mut().unwrap(node);
}

/// Whether the node is text, or an element that text can run into.
fn runs_along(document: &Document, node: NodeId) -> bool {
    match document.kind(node) {
        NodeKind::Text => true,
        NodeKind::Element => document.html_name(node).is_some_and(|tag| PHRASING.contains(&tag)),
        _ => false,
    }
}

/// Of each node whether text runs in it that belongs to no target and no block inside it.
fn speaking(draft: &Draft<'_>, nodes: &[NodeId]) -> Vec<bool> {
    let document = draft.document();
    let semantics = draft.page().semantics();
    let mut speaking = vec![false; document.len()];
    let mut in_target = vec![false; document.len()];
    for &node in nodes {
        let Some(parent) = document.composed_parent(node) else { continue };
        in_target[node.index()] = in_target[parent.index()] || draft.is_target(parent);
    }
    for &node in nodes.iter().rev() {
        let own = speaking[node.index()] || (document.is_text(node) && !document.text(node).trim().is_empty());
        if in_target[node.index()] || draft.is_target(node) {
            speaking[node.index()] = false;
        } else if own
            && !(document.is_element(node) && semantics.is_text_block(node))
            && let Some(parent) = document.composed_parent(node)
        {
            speaking[parent.index()] = true;
        }
    }
    for &node in nodes {
        speaking[node.index()] &= semantics.is_text_block(node);
    }
    speaking
}

/// Of each node whether it can stand in a paragraph with all that is in it.
fn phrasing_only(document: &Document, nodes: &[NodeId]) -> Vec<bool> {
    let mut phrasing = vec![true; document.len()];
    for &node in nodes.iter().rev() {
        let own = match document.kind(node) {
            NodeKind::Text => true,
            NodeKind::Element => document.html_name(node).is_some_and(|tag| PHRASING.contains(&tag)),
            _ => false,
        };
        if (!own || !phrasing[node.index()])
            && let Some(parent) = document.composed_parent(node)
        {
            phrasing[parent.index()] = false;
        }
    }
    phrasing
}

pub(super) fn can_be_paragraph(document: &Document, node: NodeId) -> bool {
    const AROUND: &[Name] = &[
        name::BODY,
        name::DIV,
        name::SECTION,
        name::ARTICLE,
        name::ASIDE,
        name::HEADER,
        name::FOOTER,
        name::MAIN,
        name::NAV,
        name::FORM,
        name::FIELDSET,
        name::FIGURE,
        name::CENTER,
        name::TD,
        name::TH,
        name::DETAILS,
        name::DIALOG,
    ];
    document.parent(node).and_then(|parent| document.html_name(parent)).is_some_and(|parent| AROUND.contains(&parent))
}

/// Makes paragraphs of a list's entries, or nothing of those without text, where all allow it.
fn merge_list(draft: &mut Draft<'_>, list: NodeId, phrasing: &[bool], speaking: &[bool]) {
    let document = draft.document();
    let entries: Vec<NodeId> = document.children(list).collect();
    // The numbers of a list are part of what its texts say.
    let numbered = document.is_html(list, name::OL);
    let fits = can_be_paragraph(document, list)
        && entries.iter().all(|&entry| {
            document.is_html(entry, name::LI)
                && can_go(draft, entry)
                && (!speaking[entry.index()] || (phrasing[entry.index()] && !numbered))
                && stays_apart_in_list(document, entry)
        });
    if !fits {
        return;
    }
    for entry in entries {
        if speaking[entry.index()] {
            draft.document_mut().rename(entry, name::P);
        } else {
            draft.document_mut().unwrap(entry);
        }
    }
    draft.document_mut().unwrap(list);
}

fn stays_apart_in_list(document: &Document, entry: NodeId) -> bool {
    document
        .children(entry)
        .all(|child| document.html_name(child).is_none_or(|child| !matches!(child, name::LI | name::DT | name::DD)))
}

/// Says no more in the doctype than a parser asks of it.
fn shorten_doctype(draft: &mut Draft<'_>, nodes: &[NodeId]) {
    // In quirks mode a table may stand in a paragraph.
    if draft.document().quirks_mode() == QuirksMode::Full {
        return;
    }
    for &node in nodes {
        if draft.document().kind(node) == NodeKind::Doctype && draft.document().parent(node) == Some(NodeId::DOCUMENT) {
            draft.document_mut().set_text(node, "html");
        }
    }
}
