//! What lies over the elements that a person would click: asked from the browser's own hit test,
//! which knows of stacking, clipping, rounded corners and closed shadow roots.
//!
//! Only what is in the window can be asked about, and only in the page itself; nothing is said of
//! the rest. An element is covered when none of its places is free: one of which a corner looks
//! out can be clicked there.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::json;
use snapshot_core::capture::{ACTION_EVENTS, Capture, CapturedKind, CapturedNode};

use crate::browser::Tab;

/// The most elements that are asked about: more are not acted on in one window.
const ELEMENTS: usize = 400;

/// Where in a box is asked, in shares of its sides: the middle, and if that is covered the rest.
const MIDDLE: (f64, f64) = (0.5, 0.5);
const AROUND: [(f64, f64); 8] =
    [(0.1, 0.1), (0.5, 0.1), (0.9, 0.1), (0.1, 0.5), (0.9, 0.5), (0.1, 0.9), (0.5, 0.9), (0.9, 0.9)];

/// Elements that can be operated by themselves.
const CONTROLS: &[&str] = &["a", "area", "button", "input", "select", "summary", "textarea"];

/// Notes in a capture of the tab what lies over what. `places` leads from the browser's ids to
/// the nodes of the capture.
pub(super) async fn note(tab: &Tab, capture: &mut Capture, places: &BTreeMap<u64, usize>) {
    let window = Window { scroll: capture.scroll, size: capture.viewport };
    let candidates: Vec<usize> = (0..capture.nodes.len())
        .filter(|&place| is_candidate(&capture.nodes, place) && window.shows(&capture.nodes[place]))
        .take(ELEMENTS)
        .collect();
    let middles = join_all(candidates.iter().map(|&place| hit(tab, &window, &capture.nodes[place], MIDDLE))).await;
    let mut covered = Vec::new();
    for (&place, middle) in candidates.iter().zip(middles) {
        let over = |hit: Option<u64>| {
            let hit = *places.get(&hit?)?;
            (!is_related(&capture.nodes, place, hit)).then_some(hit)
        };
        let Some(cover) = over(middle) else { continue };
        let around = AROUND.iter().map(|&share| hit(tab, &window, &capture.nodes[place], share));
        if join_all(around).await.into_iter().all(|hit| over(hit).is_some()) {
            covered.push((place, element_at(&capture.nodes, cover)));
        }
    }
    for (place, cover) in covered {
        capture.nodes[place].covered_by = Some(cover);
    }
}

/// What of the page the window shows.
struct Window {
    scroll: [f64; 2],
    size: [f64; 2],
}

impl Window {
    /// The part of a box that is in the window, from its top left: left, top, width, height.
    fn part(&self, bounds: [f64; 4]) -> [f64; 4] {
        let [x, y, width, height] = bounds;
        let (left, top) = ((x - self.scroll[0]).max(0.0), (y - self.scroll[1]).max(0.0));
        let right = (x - self.scroll[0] + width).min(self.size[0]);
        let bottom = (y - self.scroll[1] + height).min(self.size[1]);
        [left, top, right - left, bottom - top]
    }

    /// Whether enough of an element is in the window to ask about it.
    fn shows(&self, node: &CapturedNode) -> bool {
        let is_seen = node.style.get("visibility").is_none_or(|value| value == "visible");
        node.bounds.is_some_and(|bounds| {
            let [_, _, width, height] = self.part(bounds);
            is_seen && width >= 3.0 && height >= 3.0
        })
    }
}

/// Whether a person may want to click it, and it is in the page itself.
fn is_candidate(nodes: &[CapturedNode], place: usize) -> bool {
    let node = &nodes[place];
    let says = |name: &str| node.attributes.iter().any(|(attribute, _)| attribute == name);
    node.kind == CapturedKind::Element
        && (CONTROLS.contains(&node.name.as_str())
            || ["role", "tabindex", "onclick", "contenteditable"].into_iter().any(says)
            || node.listeners.iter().any(|event| ACTION_EVENTS.contains(&event.as_str())))
        && !matches!(node.name.as_str(), "html" | "body")
        && ancestors(nodes, place).filter(|&above| nodes[above].kind == CapturedKind::Document).count() == 1
}

/// The node and what is above it.
fn ancestors(nodes: &[CapturedNode], place: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(place), |&place| nodes[place].parent)
}

/// Whether a click on one of them reaches the other: one holds the other, or a label of it does.
fn is_related(nodes: &[CapturedNode], element: usize, hit: usize) -> bool {
    if ancestors(nodes, hit).any(|above| above == element) || ancestors(nodes, element).any(|above| above == hit) {
        return true;
    }
    let id = attribute(&nodes[element], "id");
    let mut labels = ancestors(nodes, hit).filter(|&above| nodes[above].name == "label");
    labels.any(|label| {
        let names = id.is_some() && attribute(&nodes[label], "for") == id;
        names || ancestors(nodes, element).any(|above| above == label)
    })
}

fn attribute<'node>(node: &'node CapturedNode, name: &str) -> Option<&'node str> {
    node.attributes.iter().find(|(attribute, _)| attribute == name).map(|(_, value)| value.as_str())
}

/// The element around a text.
fn element_at(nodes: &[CapturedNode], place: usize) -> usize {
    ancestors(nodes, place).find(|&above| nodes[above].kind == CapturedKind::Element).unwrap_or(place)
}

/// The browser's id of what a click there would reach.
async fn hit(tab: &Tab, window: &Window, node: &CapturedNode, share: (f64, f64)) -> Option<u64> {
    let [left, top, width, height] = window.part(node.bounds?);
    // The protocol takes whole pixels.
    let point = |start: f64, size: f64, share: f64| (start + size * share).floor();
    let params = json!({ "x": whole(point(left, width, share.0)), "y": whole(point(top, height, share.1)) });
    tab.send("DOM.getNodeForLocation", params).await.ok()?["backendNodeId"].as_u64()
}

/// A place in the window, which is never as wide as that.
#[allow(clippy::cast_possible_truncation, reason = "clamped before")]
fn whole(number: f64) -> i64 {
    number.clamp(0.0, 1e6) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, name: &str, attributes: &[(&str, &str)]) -> CapturedNode {
        let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        CapturedNode { parent, name: name.to_owned(), attributes, ..CapturedNode::default() }
    }

    #[test]
    fn labels_and_what_holds_or_is_held_are_no_covers() {
        let document = CapturedNode { kind: CapturedKind::Document, ..CapturedNode::default() };
        let nodes = [
            document,
            node(Some(0), "label", &[]),
            node(Some(1), "input", &[("id", "a")]),
            node(Some(1), "span", &[]),
            node(Some(0), "label", &[("for", "a")]),
            node(Some(0), "div", &[]),
            node(Some(5), "b", &[]),
        ];
        assert!(is_related(&nodes, 2, 3), "in the same label");
        assert!(is_related(&nodes, 2, 4), "in a label that names it");
        assert!(is_related(&nodes, 5, 6) && is_related(&nodes, 6, 5));
        assert!(!is_related(&nodes, 2, 6));
    }

    #[test]
    fn a_box_is_asked_about_where_the_window_shows_it() {
        let window = Window { scroll: [0.0, 100.0], size: [200.0, 300.0] };
        assert_eq!(window.part([10.0, 50.0, 40.0, 80.0]), [10.0, 0.0, 40.0, 30.0]);
        let at = |bounds| CapturedNode { bounds: Some(bounds), ..CapturedNode::default() };
        assert!(window.shows(&at([10.0, 50.0, 40.0, 80.0])));
        assert!(!window.shows(&at([10.0, 500.0, 40.0, 80.0])));
        assert!(!window.shows(&at([10.0, 0.0, 40.0, 100.0])));
    }
}
