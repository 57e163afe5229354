//! What the elements of a page mean, computed once on the page as captured.
//!
//! Roles and names follow HTML-AAM, WAI-ARIA and accname; visibility and interactivity carry
//! the reason for each verdict. Stages and representations read this and re-derive nothing.

mod column_labels;
mod ids;
pub mod interactivity;
mod labels;
pub mod names;
mod replaced;
pub mod roles;
mod secrets;
pub mod states;
pub mod style;
mod values;
pub mod visibility;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use interactivity::Evidence;
pub(crate) use replaced::is_replaced;
pub use roles::Role;
pub use states::{States, Tristate};
pub use visibility::{Reason, Visibility};

use crate::capture::CapturedFacts;
use crate::document::{Document, NodeId};
use crate::flat_tree::FlatTree;

/// The meaning of each node of one document, addressed by [`NodeId`].
#[derive(Clone, Debug)]
pub struct Semantics {
    flat_tree: FlatTree,
    styles: style::Styles,
    visibility: visibility::Visibilities,
    roles: roles::Roles,
    names: names::Names,
    states: states::StateTable,
    evidence: Vec<Evidence>,
    labels: labels::Labels,
    text_blocks: Vec<bool>,
    covers: BTreeMap<NodeId, NodeId>,
}

impl Semantics {
    /// Computes all of it. What a browser has told of the page goes before what can be computed.
    pub(crate) fn compute(
        document: &Document,
        external: &style::ExternalSheets<'_>,
        captured: Option<&CapturedFacts>,
    ) -> Self {
        let flat_tree = FlatTree::for_accessibility(document);
        let nodes = flat_tree.composed(document);
        let ids = ids::Ids::collect(document, &nodes);
        let styles = match captured {
            Some(facts) => style::Styles::captured(document, facts),
            None => style::Styles::compute_in(document, &nodes, external),
        };
        let visibility = visibility::Visibilities::compute_in(document, &nodes, &styles);
        let roles = roles::Roles::compute(document, &flat_tree, &ids);
        let labels = labels::Labels::find(document, &flat_tree, &ids);
        let active = captured.and_then(|facts| facts.active);
        let states = states::StateTable::compute(document, &flat_tree, &roles.exposed, &labels, active);
        let names = names::Names::compute(&names::Sources {
            document,
            flat_tree: &flat_tree,
            ids: &ids,
            labels: &labels,
            styles: &styles,
            visibility: &visibility,
            roles: &roles,
            states: &states,
        });
        let mut evidence = interactivity::compute(document, &flat_tree, &styles, &visibility, &roles.exposed, &labels);
        let mut covers = BTreeMap::new();
        if let Some(facts) = captured {
            interactivity::add_listeners(document, &flat_tree, &facts.listening, &mut evidence);
            covers.clone_from(&facts.covers);
        }
        let text_blocks = text_blocks(document, &flat_tree, &styles, &visibility, &evidence);
        Self { flat_tree, styles, visibility, roles, names, states, evidence, labels, text_blocks, covers }
    }

    /// The accessibility flat tree of the page as captured.
    pub fn flat_tree(&self) -> &FlatTree {
        &self.flat_tree
    }

    /// The element's role. `None` for elements that are presentational or not exposed, and for
    /// nodes that are no element.
    #[inline]
    pub fn role(&self, id: NodeId) -> Option<Role> {
        self.roles.exposed.get(id.index()).copied().flatten()
    }

    /// Whether the node is taken out of the accessibility tree, with all below it, by
    /// `aria-hidden` on it or above it. A page may still show it.
    pub fn is_aria_hidden(&self, id: NodeId) -> bool {
        self.roles.aria_hidden.get(id.index()).copied().unwrap_or_default()
    }

    /// The accessible name, white space folded; empty where there is none.
    #[inline]
    pub fn name(&self, id: NodeId) -> &str {
        self.names.name(id)
    }

    /// The accessible description; empty where there is none.
    #[inline]
    pub fn description(&self, id: NodeId) -> &str {
        self.names.description(id)
    }

    /// States and properties, those that the element's role has.
    pub fn states(&self, id: NodeId) -> States {
        self.states_as(id, self.role(id))
    }

    /// The states that the element would have in another role.
    pub fn states_as(&self, id: NodeId, role: Option<Role>) -> States {
        self.states.states(id).of_role(role)
    }

    /// The control that the `label` element belongs to.
    pub fn labelled_control(&self, label: NodeId) -> Option<NodeId> {
        self.labels.control(label)
    }

    /// What the control holds now; `None` where there is no value, and for secrets.
    pub fn value(&self, id: NodeId) -> Option<&str> {
        self.states.value(id)
    }

    /// Whether the control holds a secret (password, one-time code, card data).
    pub fn is_secret(&self, id: NodeId) -> bool {
        self.states.is_secret(id)
    }

    /// Whether the page shows the element or text node, and if not why.
    #[inline]
    pub fn visibility(&self, id: NodeId) -> Visibility {
        self.visibility.of(id)
    }

    /// The visibility verdict's reason as a sentence part: "display: none by rule `.menu ul`".
    pub fn visibility_reason(&self, id: NodeId) -> Option<Cow<'static, str>> {
        self.visibility.explain(id, &self.styles)
    }

    /// Computed styles of the whole page, generated text among them.
    pub fn styles(&self) -> &style::Styles {
        &self.styles
    }

    /// Computed style properties that matter to reading.
    #[inline]
    pub fn style(&self, id: NodeId) -> style::Style {
        self.styles.of(id)
    }

    /// Why the element may be acted on; empty when nothing says so.
    #[inline]
    pub fn evidence(&self, id: NodeId) -> Evidence {
        self.evidence.get(id.index()).copied().unwrap_or_default()
    }

    /// Whether a person would take the element for something to click or type into, disabled or
    /// not.
    #[inline]
    pub fn is_target(&self, id: NodeId) -> bool {
        !self.evidence(id).is_empty()
    }

    /// Whether an agent can act on the element: a target that is shown, not disabled, and not
    /// under something else.
    pub fn is_actionable(&self, id: NodeId) -> bool {
        self.is_target(id)
            && self.visibility(id) == Visibility::Visible
            && !self.states(id).disabled
            && self.covered_by(id).is_none()
    }

    /// What lies over the element, so that a click would not reach it. Only a browser can tell.
    pub fn covered_by(&self, id: NodeId) -> Option<NodeId> {
        self.covers.get(&id).copied()
    }

    /// Whether text runs directly in the element: a paragraph, a cell, a `div` with words in it.
    /// Text inside a target belongs to the target.
    pub fn is_text_block(&self, id: NodeId) -> bool {
        self.text_blocks.get(id.index()).copied().unwrap_or_default()
    }
}

/// Marks, for each text, the nearest block around it, unless a target comes first.
///
/// What a closed `details` would not show if it were open either belongs to no block: a browser
/// lays it out neither way, and what it then tells of its blocks is not to be relied on.
fn text_blocks(
    document: &Document,
    flat_tree: &FlatTree,
    styles: &style::Styles,
    visibility: &visibility::Visibilities,
    evidence: &[Evidence],
) -> Vec<bool> {
    /// The block that text at a position of the flat tree would belong to, and whether that is in
    /// a closed `details`.
    #[derive(Clone, Copy, Default)]
    struct Home {
        block: Option<NodeId>,
        is_closed: bool,
    }
    let mut blocks = vec![false; document.len()];
    let mut homes: Vec<Home> = Vec::with_capacity(flat_tree.len());
    for (position, &node) in flat_tree.nodes().iter().enumerate() {
        let mut home = flat_tree.parent_position(position).map_or(Home::default(), |parent| homes[parent]);
        if document.is_element(node) {
            let display = styles.of(node).display;
            home.is_closed |= visibility.of(node) == Visibility::NotRendered(Reason::ClosedDetails);
            if !evidence[node.index()].is_empty() || home.is_closed && display == style::Display::None {
                home.block = None;
            } else if display.is_block() {
                home.block = Some(node);
            }
        } else if let Some(block) = home.block
            && !blocks[block.index()]
            && document.is_text(node)
            && !is_blank(document.text(node))
        {
            blocks[block.index()] = true;
        }
        homes.push(home);
    }
    blocks
}

/// Whether the text is white space only, which the first character that is not a blank of ASCII
/// nearly always tells.
fn is_blank(text: &str) -> bool {
    let rest = text.trim_ascii_start();
    rest.is_empty() || !rest.starts_with(|first: char| first.is_ascii_graphic()) && rest.trim().is_empty()
}
