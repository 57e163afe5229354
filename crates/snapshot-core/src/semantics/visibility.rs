//! What the page shows, and for what it does not, why.

use super::style::{Display, Styles};
use crate::document::{Document, NodeId, NodeKind, name};

/// Whether a node is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Visibility {
    /// Shown.
    #[default]
    Visible,
    /// Takes its place but is not shown; what is below it may be (`visibility: hidden`).
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
    /// The `style` attribute.
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
        let mut verdicts = vec![Visibility::Visible; document.len()];
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let parent = document.composed_parent(node);
            let above = parent.map_or(Visibility::Visible, |parent| verdicts[parent.index()]);
            verdicts[node.index()] = match (above, document.kind(node)) {
                (Visibility::NotRendered(_), _) => Visibility::NotRendered(Reason::Inherited),
                (_, NodeKind::Element) => judge(document, styles, node),
                (Visibility::Invisible(_), _) => Visibility::Invisible(Reason::Inherited),
                _ => in_closed_details(document, node).unwrap_or_default(),
            };
        }
        Self { verdicts }
    }

    /// The verdict on a node.
    pub fn of(&self, id: NodeId) -> Visibility {
        self.verdicts.get(id.index()).copied().unwrap_or_default()
    }

    /// The verdict's reason in words; nothing for what is shown.
    pub fn explain(&self, id: NodeId, _styles: &Styles) -> Option<String> {
        let reason = match self.of(id) {
            Visibility::Visible => return None,
            Visibility::Invisible(reason) | Visibility::NotRendered(reason) => reason,
        };
        Some(
            match reason {
                Reason::Element => "an element that browsers do not show",
                Reason::HiddenAttribute => "`hidden` attribute",
                Reason::InlineStyle => "inline style",
                Reason::StyleRule => "style sheet rule",
                Reason::ClosedDetails => "inside closed `details`",
                Reason::ClosedDialog => "`dialog` that is not open",
                Reason::ClosedPopover => "popover that is not shown",
                Reason::HiddenInput => "`input` of type `hidden`",
                Reason::Inert => "inert",
                Reason::Inherited => "inside something that is not shown",
            }
            .to_owned(),
        )
    }
}

fn judge(document: &Document, styles: &Styles, node: NodeId) -> Visibility {
    let style = styles.of(node);
    if document.is_html(node, name::DIALOG) && !document.has_attribute(node, name::OPEN) {
        return Visibility::NotRendered(Reason::ClosedDialog);
    }
    if let Some(verdict) = in_closed_details(document, node) {
        return verdict;
    }
    if document.has_attribute(node, name::POPOVER) {
        return Visibility::NotRendered(Reason::ClosedPopover);
    }
    let input_type = document.attribute(node, name::TYPE).unwrap_or("");
    if document.is_html(node, name::INPUT) && input_type.eq_ignore_ascii_case("hidden") {
        return Visibility::NotRendered(Reason::HiddenInput);
    }
    if style.display == Display::None {
        return Visibility::NotRendered(if document.has_attribute(node, name::HIDDEN) {
            Reason::HiddenAttribute
        } else if document.has_attribute(node, name::STYLE) {
            Reason::InlineStyle
        } else {
            Reason::Element
        });
    }
    if style.invisible { Visibility::Invisible(Reason::InlineStyle) } else { Visibility::Visible }
}

/// Of a closed `details` only its first `summary` is shown.
fn in_closed_details(document: &Document, node: NodeId) -> Option<Visibility> {
    let details = document.parent(node).filter(|&parent| document.is_html(parent, name::DETAILS))?;
    if document.has_attribute(details, name::OPEN) {
        return None;
    }
    let summary = document.children(details).find(|&child| document.is_html(child, name::SUMMARY));
    (summary != Some(node)).then_some(Visibility::NotRendered(Reason::ClosedDetails))
}
