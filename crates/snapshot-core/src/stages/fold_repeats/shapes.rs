//! What each element consists of, in a form that is quick to compare.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::semantics::Role;

/// The shape of each node of a draft, addressed by [`NodeId`].
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    shapes: Vec<Shape>,
}

/// What stands in a node, itself included. Sets of kinds are kept as bits, so that two nodes are
/// compared in a step however large they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    /// The kinds of elements.
    pub(crate) kinds: u128,
    /// The kind of the node itself, wrappers around a single element taken off.
    pub(crate) top: u64,
    /// The names of buttons and their like.
    pub(crate) controls: u128,
    /// Bytes of text that is not blank.
    pub(crate) text: u32,
    /// Targets, headings and text blocks.
    pub(crate) lines: u32,
    /// Targets.
    pub(crate) targets: u32,
    /// Whether something in it is ticked, chosen, open, focused or not accepted.
    pub(crate) has_state: bool,
    /// Whether it holds something to type into, or a choice to make.
    pub(crate) has_field: bool,
    /// Text that runs directly in the node.
    own_text: u32,
}

impl Shapes {
    /// Looks at every node once.
    pub(crate) fn compute(draft: &Draft<'_>) -> Self {
        let document = draft.document();
        let mut shapes = vec![Shape::default(); document.len()];
        let nodes: Vec<NodeId> = document.composed_descendants(NodeId::DOCUMENT).collect();
        // How many children say something, and the top of the last of these seen.
        let mut speaking = vec![(0u32, 0u64); document.len()];
        for &node in nodes.iter().rev() {
            let mut shape = shapes[node.index()];
            match document.kind(node) {
                NodeKind::Text => shape.text = length(document.text(node)),
                NodeKind::Element => add_element(draft, node, speaking[node.index()], &mut shape),
                _ => {}
            }
            shapes[node.index()] = shape;
            let Some(parent) = document.composed_parent(node) else { continue };
            let above = &mut shapes[parent.index()];
            above.kinds |= shape.kinds;
            above.controls |= shape.controls;
            above.text = above.text.saturating_add(shape.text);
            above.lines = above.lines.saturating_add(shape.lines);
            above.targets = above.targets.saturating_add(shape.targets);
            above.has_state |= shape.has_state;
            above.has_field |= shape.has_field;
            if document.is_text(node) {
                above.own_text = above.own_text.saturating_add(shape.text);
            }
            if !shape.is_empty() {
                let (count, top) = &mut speaking[parent.index()];
                *count += 1;
                *top = shape.top;
            }
        }
        Self { shapes }
    }

    /// The shape of a node.
    pub(crate) fn of(&self, node: NodeId) -> Shape {
        self.shapes.get(node.index()).copied().unwrap_or_default()
    }
}

impl Shape {
    /// Whether there is nothing to read or to operate: a rule, a spacer, a divider.
    pub(crate) fn is_empty(&self) -> bool {
        self.text == 0 && self.targets == 0
    }

    /// Whether two nodes look like entries of one list: the same at the top, and most of what is
    /// in one is in the other.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let common = (self.kinds & other.kinds).count_ones();
        let all = (self.kinds | other.kinds).count_ones();
        self.top == other.top && common * 5 >= all * 3
    }

    /// Whether the node is text to be read in full rather than an entry of a list.
    pub(crate) fn is_prose(&self) -> bool {
        self.own_text > 160
    }
}

fn add_element(draft: &Draft<'_>, node: NodeId, (speaking, inner): (u32, u64), shape: &mut Shape) {
    let role = draft.role(node);
    let is_target = draft.is_target(node);
    let own = kind(draft.document(), node, role, is_target);
    let is_wrapper = matches!(role, None | Some(Role::Generic)) && !is_target && speaking == 1 && shape.own_text == 0;
    shape.top = if is_wrapper && inner != 0 { inner } else { own };
    if !is_wrapper {
        shape.kinds |= 1 << (own % 128);
    }
    shape.targets = shape.targets.saturating_add(u32::from(is_target));
    let references = draft.page().references();
    shape.lines = shape.lines.saturating_add(u32::from(references.line_number(node).is_some()));
    let states = draft.states(node);
    shape.has_state |= states.selected
        || states.active
        || states.invalid
        || states.expanded == Some(true)
        || states.checked != crate::semantics::Tristate::False
        || states.pressed != crate::semantics::Tristate::False
        || draft.document().attribute(node, name::ARIA_CURRENT).is_some_and(|value| value != "false");
    shape.has_field |= is_field(draft.document(), node, role);
    if is_target && role.is_some_and(|role| role != Role::Link) && !draft.name(node).is_empty() {
        shape.controls |= 1 << (hash(&(role, draft.name(node))) % 128);
    }
    if shape.text == 0 && !is_target {
        // A picture is read by its name.
        let name = draft.name(node);
        if !name.is_empty() && role == Some(Role::Img) {
            shape.text = length(name);
        }
    }
}

/// Something to type into, or to choose from a few.
fn is_field(document: &Document, node: NodeId, role: Option<Role>) -> bool {
    const FIELDS: &[Name] = &[name::TEXTAREA, name::SELECT];
    let field_role = matches!(
        role,
        Some(
            Role::TextBox
                | Role::SearchBox
                | Role::ComboBox
                | Role::ListBox
                | Role::SpinButton
                | Role::Slider
                | Role::Radio
        )
    );
    field_role || document.html_name(node).is_some_and(|name| FIELDS.contains(&name))
}

fn kind(document: &Document, node: NodeId, role: Option<Role>, is_target: bool) -> u64 {
    hash(&(document.local_name(node), role, is_target)).max(1)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    // The low bits of this hash are weak.
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}

/// The bytes of the text that are not white space.
fn length(text: &str) -> u32 {
    let bytes = if text.is_ascii() {
        // Counted without a branch for each.
        text.bytes().map(|byte| usize::from(!matches!(byte, b' ' | b'\t'..=b'\r'))).sum()
    } else {
        text.split_whitespace().map(str::len).sum::<usize>()
    };
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
