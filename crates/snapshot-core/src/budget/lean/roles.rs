//! Roles that take a line only to hold other lines.

use crate::document::{Name, NodeId, name};
use crate::draft::Draft;
use crate::semantics::Role;

/// How far above a heading what it names is looked for.
const MOST_ABOVE: usize = 6;

/// Lets what only holds other elements stand for nothing: lists and their items, groups, cards
/// and regions without a name of their own. The text of each keeps apart from that of the next;
/// cells of a row stand in one line, and so does a sentence with all its parts.
pub(super) fn merge_roles(draft: &mut Draft<'_>) {
    name_signs(draft);
    let document = draft.document();
    let nodes: Vec<NodeId> = document.composed_descendants(NodeId::DOCUMENT).collect();
    let mut holds_lines = vec![false; document.len()];
    let mut named_by_heading = vec![false; document.len()];
    for &node in nodes.iter().rev() {
        let is_heading = draft.role(node) == Some(Role::Heading);
        if is_heading {
            let name = draft.name(node);
            for above in document.ancestors(node).take(MOST_ABOVE) {
                named_by_heading[above.index()] |= draft.name(above) == name;
            }
        }
        if let Some(parent) = document.composed_parent(node) {
            holds_lines[parent.index()] |= holds_lines[node.index()] || is_heading || draft.is_target(node);
        }
    }
    let merged: Vec<NodeId> = nodes
        .into_iter()
        .filter(|&node| is_merged(draft, node, holds_lines[node.index()], named_by_heading[node.index()]))
        .collect();
    for node in merged {
        let is_cell = draft.role(node).is_some_and(|role| CELLS.contains(&role));
        draft.set_role(node, Role::Generic);
        draft.set_name(node, String::new());
        if is_cell {
            set_apart(draft, node);
        }
    }
}

/// Lets the name of a sign (an arrow called "to", five stars) stand in its place among the words,
/// where it takes no line of its own.
fn name_signs(draft: &mut Draft<'_>) {
    let document = draft.document();
    let nodes: Vec<NodeId> = document.composed_descendants(NodeId::DOCUMENT).collect();
    for node in nodes {
        let document = draft.document();
        if draft.role(node) != Some(Role::Generic) || draft.is_target(node) || draft.name(node).is_empty() {
            continue;
        }
        let Some(text) = document.first_child(node).filter(|&child| document.next_sibling(child).is_none()) else {
            continue;
        };
        let words = document.text(text);
        if !words.trim().is_empty() && !words.chars().any(char::is_alphanumeric) {
            let name = draft.name(node).to_owned();
            draft.document_mut().set_text(text, &name);
            draft.set_name(node, String::new());
        }
    }
}

const CELLS: &[Role] = &[Role::Cell, Role::GridCell, Role::RowHeader, Role::ColumnHeader];

fn is_merged(draft: &Draft<'_>, node: NodeId, holds_lines: bool, named_by_heading: bool) -> bool {
    const HOLDERS: &[Role] = &[
        Role::List,
        Role::Article,
        Role::Figure,
        Role::Group,
        Role::Form,
        Role::Main,
        Role::Region,
        Role::Feed,
        Role::Definition,
        Role::Term,
        Role::TabPanel,
    ];
    /// Those in which text often runs alone, and is then kept apart by their line.
    const BLOCKS: &[Role] = &[Role::ListItem, Role::Paragraph, Role::Blockquote];
    /// Parts of a sentence whose words say all that they say.
    const PHRASES: &[Role] = &[Role::Time, Role::Strong, Role::Emphasis, Role::Mark, Role::Code];
    const NAMING: &[Name] = &[name::ARIA_LABEL, name::ARIA_LABELLEDBY];
    let document = draft.document();
    let Some(role) = draft.role(node) else { return false };
    if draft.is_target(node) {
        return false;
    }
    if CELLS.contains(&role) {
        return !NAMING.iter().any(|&attribute| document.has_attribute(node, attribute));
    }
    if PHRASES.contains(&role) {
        return true;
    }
    let holds = HOLDERS.contains(&role)
        || (BLOCKS.contains(&role) && (holds_lines || !draft.page().semantics().is_text_block(node)));
    holds && (draft.name(node).is_empty() || role == Role::Article || named_by_heading)
}

/// Puts a bar in front of a cell's text, so that it stays apart from that of the cell before.
fn set_apart(draft: &mut Draft<'_>, cell: NodeId) {
    let before = draft.document().previous_sibling(cell);
    // Behind a target a line of its own begins anyway.
    if before.is_none_or(|before| matches!(leading_text(draft, before), Leading::Target)) {
        return;
    }
    if let Leading::Text(text) = leading_text(draft, cell) {
        let marked = format!("| {}", draft.document().text(text).trim_start());
        draft.document_mut().set_text(text, &marked);
    }
}

/// What stands first in a cell.
enum Leading {
    Text(NodeId),
    Target,
    Nothing,
}

fn leading_text(draft: &Draft<'_>, cell: NodeId) -> Leading {
    let document = draft.document();
    for below in document.descendants(cell) {
        if draft.is_target(below) {
            return Leading::Target;
        }
        if !document.text(below).trim().is_empty() {
            return Leading::Text(below);
        }
    }
    Leading::Nothing
}
