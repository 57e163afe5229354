//! How each element takes part in the flow of text, and what its subtree holds.

use crate::document::{Document, Name, Namespace, NodeId, name};
use crate::draft::Draft;
use crate::flat_tree::FlatTree;
use crate::semantics::Role;
use crate::semantics::style::{Display, is_block_by_name};

/// What stands somewhere below a node, and what all ask about the node itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Holds(u8);

impl Holds {
    /// An element on lines of its own.
    pub(super) const BLOCK: Self = Self(1);
    pub(super) const TABLE: Self = Self(1 << 1);
    /// A heading, list, quote, code block or the like: more than running text.
    pub(super) const STRUCTURE: Self = Self(1 << 2);
    /// Something to click or type into.
    pub(super) const TARGET: Self = Self(1 << 3);
    pub(super) const HEADING: Self = Self(1 << 4);
    /// A picture.
    pub(super) const IMAGE: Self = Self(1 << 5);
    /// The node itself is an element on lines of its own.
    pub(super) const IS_BLOCK: Self = Self(1 << 6);
    /// The node itself is an element that is never shown, nor anything in it.
    pub(super) const IS_SKIPPED: Self = Self(1 << 7);

    pub(super) fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// For each position of a flat tree, what its subtree holds, itself left out.
pub(super) fn holds(draft: &Draft<'_>, tree: &FlatTree) -> Vec<Holds> {
    let document = draft.document();
    let mut holds = vec![Holds::default(); tree.len()];
    for position in (1..tree.len()).rev() {
        let node = tree.node(position);
        let Some(parent) = tree.parent_position(position) else { continue };
        if !document.is_element(node) {
            continue;
        }
        if is_skipped(document, node) {
            holds[position] = holds[position].or(Holds::IS_SKIPPED);
            continue;
        }
        let mut own = holds[position];
        if is_atomic(document, node) {
            own = Holds::default();
        }
        if is_block(draft, node, own) {
            own = own.or(Holds::BLOCK);
            holds[position] = holds[position].or(Holds::IS_BLOCK);
        }
        own = match document.html_name(node) {
            Some(name::TABLE) => own.or(Holds::TABLE).or(Holds::STRUCTURE),
            Some(element) if holds_more(element) => own.or(Holds::STRUCTURE),
            Some(name::IMG) => own.or(Holds::IMAGE),
            _ => own,
        };
        if is_heading(draft, node) {
            own = own.or(Holds::HEADING).or(Holds::STRUCTURE);
        }
        if draft.is_target(node) {
            own = own.or(Holds::TARGET);
        }
        holds[parent] = holds[parent].or(own);
    }
    holds
}

/// Whether the element is a heading.
pub(super) fn is_heading(draft: &Draft<'_>, node: NodeId) -> bool {
    let native = matches!(
        draft.document().html_name(node),
        Some(name::H1 | name::H2 | name::H3 | name::H4 | name::H5 | name::H6)
    );
    draft.role(node) == Some(Role::Heading) || (native && !draft.document().has_attribute(node, name::ROLE))
}

/// Whether the element, whose subtree holds `holds`, stands on lines of its own.
fn is_block(draft: &Draft<'_>, node: NodeId, holds: Holds) -> bool {
    let document = draft.document();
    if document.namespace(node) != Some(Namespace::Html) {
        return false;
    }
    if document.html_name(node).is_some_and(is_always_block) {
        return true;
    }
    if is_atomic(document, node) || matches!(document.html_name(node), Some(name::IMG | name::BR | name::WBR)) {
        return false;
    }
    if is_heading(draft, node) {
        return true;
    }
    match draft.page().semantics().style(node).display {
        Display::Contents => false,
        // Hidden by style and yet written, because no stage took it out: by its name.
        Display::None => is_block_by_name(document, node),
        display if display.is_block() => true,
        _ => holds.any(Holds::BLOCK),
    }
}

/// Elements that run along with the text as one piece, whatever is inside.
pub(super) fn is_atomic(document: &Document, node: NodeId) -> bool {
    match document.namespace(node) {
        Some(Namespace::MathMl) => true,
        Some(Namespace::Html) => matches!(
            document.html_name(node),
            Some(
                name::BUTTON | name::SELECT | name::TEXTAREA | name::INPUT | name::METER | name::PROGRESS | name::RUBY
            )
        ),
        _ => false,
    }
}

/// Elements that are never shown, nor anything in them.
pub(super) fn is_skipped(document: &Document, node: NodeId) -> bool {
    let Some(element) = document.name(node) else { return false };
    match document.namespace(node) {
        Some(Namespace::Html) => matches!(
            element,
            name::HEAD
                | name::TITLE
                | name::SCRIPT
                | name::STYLE
                | name::TEMPLATE
                | name::META
                | name::LINK
                | name::BASE
                | name::DATALIST
                | name::PARAM
                | name::SOURCE
                | name::TRACK
                | name::NOFRAMES
                | name::NOEMBED
                | name::RP
                | name::COL
                | name::COLGROUP
        ),
        Some(Namespace::Svg) => matches!(
            element,
            name::TITLE
                | name::DESC
                | name::METADATA
                | name::STYLE
                | name::SCRIPT
                | name::DEFS
                | name::SYMBOL
                | name::CLIP_PATH
        ),
        _ => false,
    }
}

/// Elements that Markdown has a block for.
fn is_always_block(element: Name) -> bool {
    matches!(
        element,
        name::HTML
            | name::BODY
            | name::P
            | name::BLOCKQUOTE
            | name::PRE
            | name::XMP
            | name::LISTING
            | name::PLAINTEXT
            | name::HR
            | name::OL
            | name::UL
            | name::MENU
            | name::DIR
            | name::LI
            | name::TABLE
            | name::CAPTION
            | name::THEAD
            | name::TBODY
            | name::TFOOT
            | name::TR
            | name::TD
            | name::TH
            | name::DL
            | name::DT
            | name::DD
    )
}

/// Elements that hold more than running text, and those with a line of their own right.
fn holds_more(element: Name) -> bool {
    matches!(
        element,
        name::UL
            | name::OL
            | name::DL
            | name::PRE
            | name::BLOCKQUOTE
            | name::HR
            | name::FORM
            | name::SECTION
            | name::ARTICLE
    )
}

/// Whether the element is something of its own: a paragraph, a heading, a list, a table.
pub(super) fn is_structure(draft: &Draft<'_>, node: NodeId) -> bool {
    let own = draft.document().html_name(node).is_some_and(|element| {
        matches!(element, name::P | name::LI | name::TABLE | name::DT | name::DD | name::DETAILS)
            || (holds_more(element) && element != name::SECTION)
    });
    own || is_heading(draft, node)
}
