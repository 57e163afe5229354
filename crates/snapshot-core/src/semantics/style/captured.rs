//! Styles as a browser had computed them: nothing is matched, nothing inherited.

use super::computed::{Computed, Flag};
use super::declaration::{Texts, parse_value};
use super::property::Property;
use super::{Display, PseudoContent, Styles, user_agent};
use crate::capture::CapturedFacts;
use crate::document::{Document, NodeId, name};

/// A box of at most so many pixels shows nothing of what it cuts off.
const TINY: f64 = 1.0;

/// The styles of a captured page.
pub(super) fn styles(document: &Document, facts: &CapturedFacts) -> Styles {
    let mut texts = Texts::default();
    let mut styles =
        Styles { computed: vec![Computed::INITIAL; document.len()], is_complete: true, ..Styles::default() };
    for node in document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)) {
        let computed = match document.html_name(node) {
            // They have no box of their own even where they can be used: the browser shows a
            // drop-down's options when it opens, an image map's areas by the image.
            Some(name::OPTION | name::OPTGROUP | name::AREA) => user_agent::style(document, node, &Computed::INITIAL),
            _ => computed(document, facts, node, &mut texts),
        };
        styles.computed[node.index()] = computed;
        if let Some(generated) = facts.generated.get(&node) {
            for (table, text) in [(&mut styles.before, &generated.before), (&mut styles.after, &generated.after)] {
                if !text.is_empty() {
                    table.insert(node, PseudoContent { text: text.clone(), display: Display::Inline });
                }
            }
        }
    }
    styles
}

fn computed(document: &Document, facts: &CapturedFacts, node: NodeId, texts: &mut Texts) -> Computed {
    let mut computed = Computed::INITIAL;
    for (property_name, value) in facts.styles.get(&node).into_iter().flatten() {
        for &property in Property::of_name(property_name) {
            if let Some(value) = parse_value(property, property_name, value, texts) {
                computed.apply(property, value, &Computed::INITIAL, &Computed::INITIAL);
            }
        }
    }
    if user_agent::is_never_shown(document, node) {
        computed.display.display = Display::None;
    }
    if let Some(&[left, top, width, height]) = facts.bounds.get(&node) {
        // A box without any extent has nothing of its own that could be out of sight.
        let has_extent = width > 0.0 && height > 0.0;
        computed.set(Flag::FarMargin, has_extent && (left + width <= 0.0 || top + height <= 0.0));
        computed.set(Flag::TinyWidth, width <= TINY);
        computed.set(Flag::TinyHeight, height <= TINY);
    }
    computed
}
