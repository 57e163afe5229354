//! Runs of alike siblings.

use super::shapes::{Shape, Shapes};
use crate::document::{Document, Name, NodeId, name};
use crate::draft::Draft;

/// Entries of one list, in order.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Each entry: siblings that belong together (often one; a row and its detail row; an entry
    /// and the rule behind it).
    pub(crate) items: Vec<Vec<NodeId>>,
}

/// More kinds of entries than this beside each other are no list.
const MOST_KINDS: usize = 8;

/// The most siblings that make one entry.
const LONGEST_PERIOD: usize = 4;

/// The runs among the children of a node, of at least `least` entries each.
pub(crate) fn find(draft: &Draft<'_>, shapes: &Shapes, parent: NodeId, least: usize) -> Vec<Run> {
    if draft.document().children(parent).nth(least.saturating_sub(1)).is_none() {
        return Vec::new();
    }
    let children = children(draft, shapes, parent);
    let speaking: Vec<usize> = (0..children.len()).filter(|&at| !children[at].separates).collect();
    if speaking.len() < least {
        return Vec::new();
    }
    let labels = labels(speaking.iter().map(|&at| &children[at]));
    let mut runs = Vec::new();
    let mut start = 0;
    while start + least <= labels.len() {
        let Some((period, end)) = longest(&labels, start, least) else {
            start += 1;
            continue;
        };
        let items = (start..end).step_by(period).map(|entry| {
            // Separators belong to the entry before them; those behind the last one to none.
            let next = entry + period;
            let behind = if next < end { speaking[next] } else { speaking[next - 1] + 1 };
            children[speaking[entry]..behind].iter().map(|child| child.node).collect()
        });
        runs.push(Run { items: items.collect() });
        start = end;
    }
    runs
}

struct Child {
    node: NodeId,
    shape: Shape,
    /// Says nothing itself and stands between entries.
    separates: bool,
    /// Can be no part of a list.
    breaks: bool,
}

fn children(draft: &Draft<'_>, shapes: &Shapes, parent: NodeId) -> Vec<Child> {
    let document = draft.document();
    document
        .children(parent)
        .map(|node| {
            let shape = shapes.of(node);
            let is_element = document.is_element(node);
            // "|" and "·" and "," between links.
            let separates =
                if is_element { shape.is_empty() } else { shape.text <= 3 && draft.elision_note(node).is_none() };
            let breaks = !separates && (!is_element || is_content(document, node) || shape.is_prose());
            Child { node, shape, separates, breaks }
        })
        .collect()
}

/// Elements of running text and of the page's frame, which are never entries of a list.
fn is_content(document: &Document, node: NodeId) -> bool {
    const CONTENT: &[Name] = &[
        name::P,
        name::H1,
        name::H2,
        name::H3,
        name::H4,
        name::H5,
        name::H6,
        name::PRE,
        name::BLOCKQUOTE,
        name::MAIN,
        name::HEADER,
        name::FOOTER,
        name::NAV,
        name::BODY,
        name::HEAD,
        name::THEAD,
        name::TBODY,
        name::TFOOT,
        name::CAPTION,
        name::LEGEND,
        name::SUMMARY,
        name::TD,
        name::TH,
    ];
    document.html_name(node).is_some_and(|name| CONTENT.contains(&name))
}

/// A number for each child: the same for those that are alike, one of its own for each that is
/// like none of the first few kinds or can be no part of a list.
fn labels<'child>(children: impl Iterator<Item = &'child Child>) -> Vec<usize> {
    let mut heads: Vec<Shape> = Vec::new();
    children
        .enumerate()
        .map(|(at, Child { shape, breaks, .. })| {
            if *breaks {
                return MOST_KINDS + at;
            }
            if let Some(label) = heads.iter().position(|head| head.is_like(shape)) {
                return label;
            }
            if heads.len() < MOST_KINDS {
                heads.push(*shape);
                return heads.len() - 1;
            }
            MOST_KINDS + at
        })
        .collect()
}

/// The longest repetition that begins at `start`: how many siblings make an entry, and where the
/// repetition ends.
fn longest(labels: &[usize], start: usize, least: usize) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    for period in 1..=LONGEST_PERIOD {
        // Most siblings that are no list are told by their first few.
        if start + period * least > labels.len() {
            break;
        }
        let repeated = (start + period..labels.len()).take_while(|&at| labels[at] == labels[at - period]).count();
        let entries = (period + repeated) / period;
        let end = start + entries * period;
        if entries >= least && best.is_none_or(|(_, longest)| end > longest) {
            best = Some((period, end));
        }
    }
    best
}
