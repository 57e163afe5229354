//! Words that say what stands right beside them: the text in front of a field that is called the
//! same, the words under a picture, the caption of a table, a list that has its heading's name.

use super::targets::same_words;
use crate::document::{NodeId, name};
use crate::draft::Draft;
use crate::representations::Containers;
use crate::semantics::Role;
use crate::semantics::style::Display;

/// Longer texts are no names.
const LONGEST: usize = 200;

/// Blocks with more nodes in them than this are left as they are.
const MOST_INSIDE: usize = 32;

/// Of two neighbours in the order of reading that say the same, lets one say it: the target, the
/// heading, the table; of a picture and a text, the text.
pub(super) fn drop_echoes(draft: &mut Draft<'_>, containers: Containers) {
    let mut before: Option<Said> = None;
    for said in in_order(draft) {
        let Some(first) = before.replace(said) else { continue };
        if !is_echo(words(draft, first), words(draft, said)) {
            continue;
        }
        match (first.kind, said.kind) {
            (Kind::Text, Kind::Target) => drop_text(draft, first.node, said.node),
            (Kind::Picture, Kind::Text | Kind::Heading) => draft.remove(first.node, "the text beside it says the same"),
            (Kind::Text | Kind::Heading, Kind::Holder) => draft.set_name(said.node, String::new()),
            (Kind::Text | Kind::Heading, Kind::Picture) => {
                draft.remove(said.node, "the text beside it says the same");
                before = Some(first);
            }
            (Kind::Target, Kind::Text) => {
                drop_text(draft, said.node, first.node);
                before = Some(first);
            }
            // In HTML the caption is what names the table.
            (Kind::Holder, Kind::Text) if containers == Containers::Roles && is_caption(draft, said.node) => {
                drop_text(draft, said.node, first.node);
                before = Some(first);
            }
            _ => {}
        }
    }
}

/// Whether both say the same, as far as names can be told from longer texts.
fn is_echo(first: &str, second: &str) -> bool {
    first.len() <= LONGEST && second.len() <= LONGEST && same_words(unmarked(first), unmarked(second))
}

/// Something with words of its own.
#[derive(Clone, Copy)]
struct Said {
    node: NodeId,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Heading,
    Target,
    Picture,
    /// Something that holds other things and has a name.
    Holder,
}

/// All that says something, in the order of reading; what is in a target is said by it.
fn in_order(draft: &Draft<'_>) -> Vec<Said> {
    let document = draft.document();
    let mut said = Vec::new();
    let mut nodes = document.composed_descendants(NodeId::DOCUMENT);
    while let Some(node) = nodes.next() {
        if document.is_text(node) {
            if !document.text(node).trim().is_empty() {
                said.push(Said { node, kind: Kind::Text });
            }
            continue;
        }
        let kind = match draft.role(node) {
            _ if draft.is_target(node) => Kind::Target,
            Some(Role::Heading) => Kind::Heading,
            Some(Role::Img) => Kind::Picture,
            Some(role) if is_holder(role) && !draft.name(node).is_empty() => Kind::Holder,
            _ => continue,
        };
        if kind != Kind::Holder {
            nodes.skip_below(node);
        }
        said.push(Said { node, kind });
    }
    said
}

/// Roles that hold other things and are not called by what is in them.
fn is_holder(role: Role) -> bool {
    matches!(
        role,
        Role::Generic
            | Role::Group
            | Role::List
            | Role::Table
            | Role::Grid
            | Role::Region
            | Role::Navigation
            | Role::Complementary
            | Role::Form
            | Role::Figure
            | Role::RadioGroup
            | Role::TabList
            | Role::TabPanel
            | Role::Toolbar
            | Role::Menu
            | Role::Definition
    )
}

fn words<'draft>(draft: &'draft Draft<'_>, said: Said) -> &'draft str {
    if said.kind == Kind::Text { draft.document().text(said.node) } else { draft.name(said.node) }
}

/// The words without the marks that are put behind a label.
fn unmarked(words: &str) -> &str {
    words.trim_end_matches(|character: char| character.is_whitespace() || matches!(character, ':' | '*'))
}

fn is_caption(draft: &Draft<'_>, text: NodeId) -> bool {
    draft.document().parent(text).is_some_and(|parent| draft.role(parent) == Some(Role::Caption))
}

/// Takes a text out that is all its block says, with what holds nothing else; `survivor` says it.
fn drop_text(draft: &mut Draft<'_>, text: NodeId, survivor: NodeId) {
    let document = draft.document();
    let mut top = text;
    // Up to the block that the text runs in, or to what holds other things too.
    while let Some(parent) = document.parent(top).filter(|&parent| document.is_element(parent)) {
        let alone = document.children(parent).all(|child| child == top || document.is_blank_text(child));
        let placed = matches!(document.html_name(parent), Some(name::TD | name::TH | name::BODY | name::SLOT));
        if !alone || placed || draft.is_target(parent) || document.shadow_root(parent).is_some() {
            break;
        }
        top = parent;
    }
    if is_whole_block(draft, top, survivor) {
        draft.remove_for(top, survivor, "what stands beside it says the same");
    }
}

/// Whether no other text runs in the block that the node is in: it would be a part of a sentence.
fn is_whole_block(draft: &Draft<'_>, node: NodeId, survivor: NodeId) -> bool {
    let document = draft.document();
    let semantics = draft.page().semantics();
    let is_block = |node: NodeId| document.is_element(node) && semantics.style(node).display != Display::Inline;
    if is_block(node) {
        return true;
    }
    let Some(block) = document.ancestors(node).take(MOST_INSIDE).find(|&above| is_block(above)) else { return false };
    let mut inside = document.descendants(block);
    let mut seen = 0;
    while let Some(below) = inside.next() {
        seen += 1;
        if seen > MOST_INSIDE {
            return false;
        }
        if below == node || below == survivor || draft.is_target(below) {
            inside.skip_children(below);
        } else if document.is_text(below) && !document.text(below).trim().is_empty() {
            return false;
        }
    }
    true
}
