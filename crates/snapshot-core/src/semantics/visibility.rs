//! What the page shows, and for what it does not, why.
//!
//! The verdicts are those of a browser that has the page open without scripts. Three kinds of
//! elements count as shown although they have no box of their own, since a person can use them:
//! the options of a drop-down, the areas of an image map, and what is only concealed
//! ([`Concealment`](super::style::Concealment)).

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::column_labels;
use super::style::{Display, HidingProperty, Origin, Styles};
use crate::document::{Document, NodeId, NodeKind, name};
use crate::flat_tree::Slots;

/// Whether a node is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Visibility {
    /// Shown.
    #[default]
    Visible,
    /// Takes its place but is not shown; what is below it may be (`visibility: hidden`). With
    /// [`Reason::Inert`] it is shown, but nobody can reach it.
    Invisible(Reason),
    /// Neither it nor anything below it is shown.
    NotRendered(Reason),
}

/// Why a node is not shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// An element that browsers never show: `script`, `head`, `template` and their kin.
    Element,
    /// The `hidden` attribute.
    HiddenAttribute,
    /// The `style` attribute, or an attribute of SVG that is a property.
    InlineStyle,
    /// A rule of one of the page's style sheets.
    StyleRule,
    /// Inside a closed `details`.
    ClosedDetails,
    /// A `dialog` that is not open.
    ClosedDialog,
    /// A popover that is not shown.
    ClosedPopover,
    /// `input type=hidden`.
    HiddenInput,
    /// Inert: shown perhaps, but out of reach.
    Inert,
    /// Inside an element whose content is not shown (`content-visibility: hidden`,
    /// `hidden=until-found`).
    ContentVisibility,
    /// A child of a shadow host that no slot shows.
    Unslotted,
    /// Repeats the header of its column in a cell, which style sheets show on narrow screens only;
    /// the page's sheets are not at hand.
    ColumnLabel,
    /// What a player, a canvas, a frame or a gauge holds for browsers that do not know it.
    Fallback,
    /// Something above it is not shown.
    Inherited,
}

/// The verdicts of one document.
#[derive(Clone, Debug, Default)]
pub struct Visibilities {
    verdicts: Vec<Visibility>,
}

impl Visibilities {
    /// Judges every node of the composed tree.
    pub fn compute(document: &Document, styles: &Styles) -> Self {
        let nodes: Vec<NodeId> = document.composed_descendants(NodeId::DOCUMENT).collect();
        Self::compute_in(document, &nodes, styles)
    }

    /// The same, given the nodes below the document in composed order.
    pub(crate) fn compute_in(document: &Document, nodes: &[NodeId], styles: &Styles) -> Self {
        let slots = Slots::assign(document);
        let mut verdicts = vec![Visibility::Visible; document.len()];
        // Whether each element may show only some of its content.
        let mut selective = vec![false; document.len()];
        let mut summaries = Summaries::default();
        let column_labels = if styles.lacks_sheets() { column_labels::find(document) } else { FxHashSet::default() };
        for &node in nodes {
            let Some(parent) = document.composed_parent(node) else { continue };
            let slot = slots.slot_of(node);
            let above = slot.unwrap_or(parent);
            let from_above = verdicts[above.index()];
            let is_element = document.is_element(node);
            if is_element {
                selective[node.index()] = is_selective(document, styles, node);
            }
            if from_above == Visibility::Visible && !selective[above.index()] && !selective[parent.index()] {
                // As it is with nearly all nodes: nothing but itself can hide it.
                if is_element {
                    verdicts[node.index()] = if column_labels.contains(&node) {
                        Visibility::NotRendered(Reason::ColumnLabel)
                    } else {
                        judge(document, styles, node, from_above)
                    };
                }
                continue;
            }
            let is_light_child = document.shadow_root(parent).is_some() && document.host(node).is_none();
            verdicts[node.index()] = if matches!(from_above, Visibility::NotRendered(_)) {
                Visibility::NotRendered(Reason::Inherited)
            } else if is_light_child && slot.is_none() {
                Visibility::NotRendered(Reason::Unslotted)
            } else if let Some(reason) = hides_content(document, styles, above, node, &mut summaries) {
                Visibility::NotRendered(reason)
            } else if column_labels.contains(&node) {
                Visibility::NotRendered(Reason::ColumnLabel)
            } else if is_element {
                judge(document, styles, node, from_above)
            } else {
                match from_above {
                    Visibility::Visible => Visibility::Visible,
                    // A frame that is not shown does not show its page either.
                    Visibility::Invisible(Reason::Inert) => Visibility::Invisible(Reason::Inert),
                    _ if document.kind(node) == NodeKind::Document => Visibility::NotRendered(Reason::Inherited),
                    _ => Visibility::Invisible(Reason::Inherited),
                }
            };
        }
        Self { verdicts }
    }

    /// The verdict on a node.
    pub fn of(&self, id: NodeId) -> Visibility {
        self.verdicts.get(id.index()).copied().unwrap_or_default()
    }

    /// The verdict's reason in words; nothing for what is shown.
    pub fn explain(&self, id: NodeId, styles: &Styles) -> Option<Cow<'static, str>> {
        let (reason, property, value) = match self.of(id) {
            Visibility::Visible => return None,
            Visibility::Invisible(reason) => (reason, HidingProperty::Visibility, "visibility: hidden"),
            Visibility::NotRendered(reason) => (reason, HidingProperty::Display, "display: none"),
        };
        Some(match reason {
            Reason::Element => "an element that browsers do not show".into(),
            Reason::HiddenAttribute => "`hidden` attribute".into(),
            Reason::InlineStyle => match styles.origin(id, property) {
                Some(Origin::Hint) => format!("`{value}` by attribute").into(),
                _ => format!("`{value}` by inline style").into(),
            },
            Reason::StyleRule => match styles.origin(id, property) {
                Some(Origin::Rule(selector)) => format!("`{value}` by rule `{selector}`").into(),
                _ => format!("`{value}` by a style sheet rule").into(),
            },
            Reason::ClosedDetails => "inside closed `details`".into(),
            Reason::ClosedDialog => "`dialog` that is not open".into(),
            Reason::ClosedPopover => "popover that is not shown".into(),
            Reason::HiddenInput => "`input` of type `hidden`".into(),
            Reason::Inert => "inert".into(),
            Reason::ContentVisibility => "inside an element whose content is hidden".into(),
            Reason::Unslotted => "child of a shadow host that no slot shows".into(),
            Reason::ColumnLabel => "repeats its column's header for narrow screens".into(),
            Reason::Fallback => "fallback content".into(),
            Reason::Inherited => "inside something that is not shown".into(),
        })
    }
}

/// The first `summary` of each closed `details`, found while children pass by in order.
#[derive(Default)]
struct Summaries(FxHashMap<NodeId, NodeId>);

impl Summaries {
    fn is_first(&mut self, document: &Document, details: NodeId, child: NodeId) -> bool {
        document.is_html(child, name::SUMMARY) && *self.0.entry(details).or_insert(child) == child
    }
}

/// Whether the element may show only some of its content; see [`hides_content`].
fn is_selective(document: &Document, styles: &Styles, node: NodeId) -> bool {
    let by_name = matches!(
        document.html_name(node),
        Some(name::DETAILS | name::VIDEO | name::AUDIO | name::CANVAS | name::METER | name::PROGRESS | name::IFRAME)
    );
    by_name || styles.of(node).content_hidden || document.shadow_root(node).is_some()
}

/// Whether the element `above` shows nothing of its content, or not this node.
fn hides_content(
    document: &Document,
    styles: &Styles,
    above: NodeId,
    node: NodeId,
    summaries: &mut Summaries,
) -> Option<Reason> {
    match document.html_name(above) {
        Some(name::DETAILS) => {
            let closed = !document.has_attribute(above, name::OPEN);
            // Of a closed `details` only its first `summary` is shown.
            if closed && document.parent(node) == Some(above) && !summaries.is_first(document, above, node) {
                return Some(Reason::ClosedDetails);
            }
        }
        Some(name::VIDEO | name::AUDIO | name::CANVAS | name::METER | name::PROGRESS) => return Some(Reason::Fallback),
        Some(name::IFRAME) if document.host(node).is_none() => return Some(Reason::Fallback),
        _ => {}
    }
    if !document.is_element(above) {
        return None;
    }
    let style = styles.of(above);
    // It needs a box that can be sized without its content (CSS Containment 2).
    let applies = matches!(style.display, Display::Block | Display::InlineBlock);
    (style.content_hidden && applies).then_some(Reason::ContentVisibility)
}

fn judge(document: &Document, styles: &Styles, node: NodeId, from_above: Visibility) -> Visibility {
    let style = styles.of(node);
    if style.display == Display::None {
        return Visibility::NotRendered(match styles.origin(node, HidingProperty::Display) {
            Some(Origin::Attribute | Origin::Hint) => Reason::InlineStyle,
            Some(Origin::Rule(_)) => Reason::StyleRule,
            None => own_reason(document, node),
        });
    }
    if style.invisible {
        return Visibility::Invisible(match styles.origin(node, HidingProperty::Visibility) {
            Some(Origin::Attribute | Origin::Hint) => Reason::InlineStyle,
            Some(Origin::Rule(_)) => Reason::StyleRule,
            None => Reason::Inherited,
        });
    }
    if from_above == Visibility::Invisible(Reason::Inert) || document.has_attribute(node, name::INERT) {
        return Visibility::Invisible(Reason::Inert);
    }
    Visibility::Visible
}

/// Why the browser itself does not show the element.
fn own_reason(document: &Document, node: NodeId) -> Reason {
    match document.html_name(node) {
        Some(name::INPUT) if !document.has_attribute(node, name::HIDDEN) => Reason::HiddenInput,
        _ if document.has_attribute(node, name::HIDDEN) && document.html_name(node).is_some() => {
            Reason::HiddenAttribute
        }
        Some(name::DIALOG) if !document.has_attribute(node, name::POPOVER) => Reason::ClosedDialog,
        Some(_) if document.has_attribute(node, name::POPOVER) => Reason::ClosedPopover,
        _ => Reason::Element,
    }
}

#[cfg(test)]
mod tests;
