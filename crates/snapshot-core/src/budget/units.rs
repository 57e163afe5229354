//! What a snapshot can do without, one by one: the targets, headings and text blocks of a draft
//! and the text that belongs to each.

use rustc_hash::FxHashSet;

use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::flat_tree::FlatTree;
use crate::semantics::{Reason, Role, Visibility, is_replaced};

/// The units of a draft, in the order in which they are read, and the unit that each node belongs
/// to.
#[derive(Clone, Debug)]
pub(crate) struct Units {
    nodes: Vec<NodeId>,
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
    /// Anything else that stands by itself: a picture, metadata.
    Other,
    /// What the page has put out of sight.
    Hidden,
}

const NOWHERE: u32 = u32::MAX;

impl Units {
    /// Finds them.
    pub(crate) fn find(draft: &Draft<'_>) -> Self {
        let document = draft.document();
        let tree = FlatTree::new(document);
        let wrappers = wrappers(draft, &tree);
        let nodes = document.composed_descendants(NodeId::DOCUMENT).collect();
        let mut units = Self { nodes, list: Vec::new(), homes: vec![NOWHERE; document.len()] };
        for (position, &node) in tree.nodes().iter().enumerate().skip(1) {
            let around = tree.parent_position(position).and_then(|parent| units.home(tree.node(parent)));
            let place = match around.and_then(|around| units.list.get(around)) {
                None => Place::Open,
                Some(unit) if unit.kind == UnitKind::Hidden => Place::Hidden,
                Some(unit) if unit.kind != UnitKind::Target => Place::Block,
                Some(unit) if wrappers.contains(&unit.node) => Place::Open,
                Some(_) => Place::Target,
            };
            // Rules and line breaks between things go with neither of them.
            let parts =
                place == Place::Open && matches!(document.html_name(node), Some(name::BR | name::HR | name::WBR));
            let around = around.filter(|_| !parts);
            let home = match kind(draft, node, place) {
                Some(kind) => {
                    let above = around.and_then(|around| {
                        let unit = units.list.get(around)?;
                        let may_go_alone = matches!(unit.kind, UnitKind::Text | UnitKind::Hidden);
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

    /// All nodes of the draft, in the order of the source.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// All units.
    pub(crate) fn list(&self) -> &[Unit] {
        &self.list
    }

    /// The unit that the node is.
    pub(crate) fn at(&self, node: NodeId) -> Option<usize> {
        self.home(node).filter(|&home| self.list.get(home).is_some_and(|unit| unit.node == node))
    }

    /// The unit of running text that a link stands in.
    pub(crate) fn around_link(&self, draft: &Draft<'_>, at: usize) -> Option<usize> {
        /// Text around links is running text from this many bytes on.
        const RUNNING: usize = 60;
        let link = self.list.get(at)?;
        if link.kind != UnitKind::Target || draft.role(link.node) != Some(Role::Link) {
            return None;
        }
        let document = draft.document();
        let around = self.home(document.composed_parent(link.node)?)?;
        let text = self.list.get(around).filter(|text| text.kind == UnitKind::Text)?;
        let length: usize = text.content.iter().take(8).map(|&text| document.text(text).trim_ascii().len()).sum();
        (length > RUNNING).then_some(around)
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

/// Where a node stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In nothing that shows it as part of itself.
    Open,
    /// In a text or heading.
    Block,
    /// In a target that is one thing, with all that is in it.
    Target,
    /// In what the page has put out of sight.
    Hidden,
}

fn kind(draft: &Draft<'_>, node: NodeId, place: Place) -> Option<UnitKind> {
    let document = draft.document();
    if draft.elision_note(node).is_some() {
        return Some(UnitKind::Note);
    }
    let semantics = draft.page().semantics();
    let open = place == Place::Open;
    match document.kind(node) {
        NodeKind::Element => {
            if draft.is_target(node) && semantics.visibility(node) == Visibility::Visible {
                Some(UnitKind::Target)
            } else if place == Place::Hidden {
                // Nobody can act on it; what has lines of its own can go for itself.
                let has_lines =
                    draft.is_target(node) || draft.role(node) == Some(Role::Heading) || semantics.is_text_block(node);
                has_lines.then_some(UnitKind::Hidden)
            } else if is_hidden(draft, node) && !document.is_html(node, name::TITLE) {
                Some(UnitKind::Hidden)
            } else if place == Place::Target {
                None
            } else if draft.page().references().line_number(node).is_some() {
                Some(if draft.role(node) == Some(Role::Heading) { UnitKind::Heading } else { UnitKind::Text })
            } else if document.is_html(node, name::TITLE) && open {
                Some(UnitKind::Title)
            } else {
                (open && stands_alone(document, node)).then_some(UnitKind::Other)
            }
        }
        NodeKind::Text => (open && !document.text(node).trim().is_empty()).then_some(UnitKind::Other),
        NodeKind::Comment => Some(UnitKind::Other),
        _ => None,
    }
}

/// Targets that only stand around other things, such as a part of the page that listens for
/// clicks: what is in them has lines of its own and can go for itself.
fn wrappers(draft: &Draft<'_>, tree: &FlatTree) -> FxHashSet<NodeId> {
    /// With fewer nodes in it a target is one thing; an entry is named by what is in it, which
    /// may be more.
    const LARGE: usize = 24;
    const LARGE_ENTRY: usize = 120;
    let document = draft.document();
    let semantics = draft.page().semantics();
    let mut wrappers = FxHashSet::default();
    // How many nodes before each position have lines of their own.
    let mut before = Vec::with_capacity(tree.len() + 1);
    let mut count = 0usize;
    for &node in tree.nodes() {
        before.push(count);
        let has_line = document.is_element(node)
            && (draft.page().references().line_number(node).is_some() || stands_alone(document, node));
        count += usize::from(has_line);
    }
    before.push(count);
    for (position, &node) in tree.nodes().iter().enumerate() {
        if !draft.is_target(node) {
            continue;
        }
        let end = tree.end(position);
        // What only becomes a button because it listens for clicks is not made like one.
        let least = match semantics.role(node) {
            None
            | Some(
                Role::Generic
                | Role::Group
                | Role::Region
                | Role::Article
                | Role::Main
                | Role::Form
                | Role::Figure
                | Role::List
                | Role::Navigation
                | Role::Complementary
                | Role::Banner
                | Role::ContentInfo
                | Role::TabPanel
                | Role::Dialog,
            ) => LARGE,
            Some(Role::Row | Role::ListItem | Role::TreeItem | Role::GridCell | Role::Cell) => LARGE_ENTRY,
            Some(_) => usize::MAX,
        };
        if end - position > least && before[end] > before[position + 1] {
            wrappers.insert(node);
        }
    }
    wrappers
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
