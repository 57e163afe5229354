//! What a snapshot can do without, one by one: the targets, headings and text blocks of a draft
//! and the text that belongs to each.

use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::flat_tree::FlatTree;
use crate::semantics::{Reason, Role, Visibility, is_replaced};

/// The units of a draft, in the order in which they are read, and the unit that each node belongs
/// to.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    list: Vec<Unit>,
    homes: Vec<u32>,
}

/// Something that is written or left out as a whole, apart from what stands below it that is a
/// unit of its own.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) node: NodeId,
    pub(crate) kind: UnitKind,
    /// The nearest target or heading around it, without which it cannot stand.
    pub(crate) above: Option<usize>,
    /// Its texts, and the options of a list, in order.
    pub(crate) content: Vec<NodeId>,
}

/// What a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitKind {
    /// Something to operate.
    Target,
    /// A heading that is not also a target.
    Heading,
    /// Text.
    Text,
    /// The page's title.
    Title,
    /// A note on what has been left out before.
    Note,
    /// Anything else that stands by itself: a picture, hidden text, metadata.
    Other,
}

const NOWHERE: u32 = u32::MAX;

impl Units {
    /// Finds them.
    pub(crate) fn find(draft: &Draft<'_>) -> Self {
        let document = draft.document();
        let tree = FlatTree::new(document);
        let mut units = Self { list: Vec::new(), homes: vec![NOWHERE; document.len()] };
        for (position, &node) in tree.nodes().iter().enumerate().skip(1) {
            let around = tree.parent_position(position).and_then(|parent| units.home(tree.node(parent)));
            let unit_around = around.and_then(|around| units.list.get(around));
            let home = match kind(draft, node, unit_around) {
                Some(kind) => {
                    let above = around.and_then(|around| {
                        let unit = units.list.get(around)?;
                        let may_go_alone = unit.kind == UnitKind::Text || is_hidden(draft, unit.node);
                        if may_go_alone { unit.above } else { Some(around) }
                    });
                    units.list.push(Unit { node, kind, above, content: Vec::new() });
                    Some(units.list.len() - 1)
                }
                None => around,
            };
            let Some(home) = home else { continue };
            if let Some(slot) = units.homes.get_mut(node.index()) {
                *slot = u32::try_from(home).unwrap_or(NOWHERE);
            }
            if (document.is_text(node) || document.is_html(node, name::OPTION))
                && let Some(unit) = units.list.get_mut(home)
                && (unit.node != node || document.is_text(node))
                && !document.parent(node).is_some_and(|parent| document.is_html(parent, name::OPTION))
            {
                unit.content.push(node);
            }
        }
        units
    }

    /// All units.
    pub(crate) fn list(&self) -> &[Unit] {
        &self.list
    }

    /// The unit that the node is.
    pub(crate) fn at(&self, node: NodeId) -> Option<usize> {
        self.home(node).filter(|&home| self.list.get(home).is_some_and(|unit| unit.node == node))
    }

    /// Whether the node stays and goes with the unit that is its home: text, pictures, line
    /// breaks, options; not what holds them, which stays as long as it holds anything.
    pub(crate) fn is_content(document: &Document, node: NodeId) -> bool {
        match document.kind(node) {
            NodeKind::Text => !document.text(node).trim().is_empty(),
            NodeKind::Element => {
                document.html_name(node).is_none_or(|name| {
                    matches!(name, name::BR | name::HR | name::WBR | name::OPTION | name::OPTGROUP | name::AREA)
                }) || stands_alone(document, node)
            }
            _ => false,
        }
    }

    /// The unit that the node is or stands in; nothing for what stands in none.
    pub(crate) fn home(&self, node: NodeId) -> Option<usize> {
        self.homes.get(node.index()).filter(|&&home| home != NOWHERE).map(|&home| home as usize)
    }
}

fn kind(draft: &Draft<'_>, node: NodeId, around: Option<&Unit>) -> Option<UnitKind> {
    let inside_unit = around.is_some();
    let in_target = around.is_some_and(|unit| unit.kind == UnitKind::Target);
    let document = draft.document();
    if draft.elision_note(node).is_some() {
        return Some(UnitKind::Note);
    }
    let semantics = draft.page().semantics();
    match document.kind(node) {
        NodeKind::Element => {
            if draft.is_target(node) && semantics.visibility(node) == Visibility::Visible {
                Some(UnitKind::Target)
            } else if is_hidden(draft, node) && !document.is_html(node, name::TITLE) {
                // What is not shown goes as a whole, whatever it holds: nobody can act on it.
                (!around.is_some_and(|unit| is_hidden(draft, unit.node))).then_some(UnitKind::Other)
            } else if in_target {
                // What stands in a target is part of it.
                None
            } else if draft.page().references().line_number(node).is_some() {
                Some(if draft.role(node) == Some(Role::Heading) { UnitKind::Heading } else { UnitKind::Text })
            } else if document.is_html(node, name::TITLE) && !inside_unit {
                Some(UnitKind::Title)
            } else {
                (!inside_unit && stands_alone(document, node)).then_some(UnitKind::Other)
            }
        }
        NodeKind::Text => (!inside_unit && !document.text(node).trim().is_empty()).then_some(UnitKind::Other),
        NodeKind::Comment => Some(UnitKind::Other),
        _ => None,
    }
}

/// Whether the page has put the element out of sight; what browsers never show, such as metadata, is
/// not meant.
fn is_hidden(draft: &Draft<'_>, node: NodeId) -> bool {
    match draft.page().semantics().visibility(node) {
        Visibility::Visible => false,
        Visibility::Invisible(reason) | Visibility::NotRendered(reason) => reason != Reason::Element,
    }
}

/// Elements that show something, or say something to a browser, although no text stands in them.
fn stands_alone(document: &Document, node: NodeId) -> bool {
    const UNSEEN: &[Name] = &[name::SCRIPT, name::STYLE, name::TEMPLATE, name::LINK, name::META, name::BASE];
    match document.html_name(node) {
        Some(name::IFRAME) => document.frame(node).is_none(),
        Some(name::OPTION) => true,
        Some(name) => UNSEEN.contains(&name) || is_replaced(document, node),
        None => is_replaced(document, node),
    }
}
