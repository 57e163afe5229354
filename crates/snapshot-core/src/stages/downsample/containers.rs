//! Merging containers into what is around them.

use super::classes::{CONTAINERS, CUSTOM_ELEMENT, PLAIN_INLINE, TEXT};
use crate::document::{Document, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::semantics::{Role, Visibility};

/// Merges the share of levels of containers.
pub(super) fn merge(draft: &mut Draft<'_>, share: f64) {
    let plan = Plan::make(draft);
    // From the outside in, so that each child moves once for its own parent only.
    for &(node, inline) in plan.order.iter().filter(|(node, _)| share > plan.places[node.index()]) {
        if !inline || draft.page().semantics().style(node).display.is_block() {
            keep_apart(draft.document_mut(), node);
        }
        let survivor = survivor(draft.document(), node);
        draft.merge_into(node, survivor, "a wrapper that says nothing by itself");
    }
}

/// The element around; those that are merged themselves are gone already.
fn survivor(document: &Document, node: NodeId) -> NodeId {
    let parent = document.composed_parent(node);
    parent
        .and_then(|parent| if document.is_element(parent) { Some(parent) } else { document.host(parent) })
        .unwrap_or(node)
}

/// Stays whatever the share.
const NEVER: f64 = 2.0;

/// Goes with any share: inline elements without a meaning.
const AT_ONCE: f64 = 0.0;

/// From which share on each element is merged: when the share is larger than its place.
struct Plan {
    places: Vec<f64>,
    /// What may be merged, in document order, and whether it is inline.
    order: Vec<(NodeId, bool)>,
    /// The containers among it.
    containers: Vec<Option<Container>>,
}

#[derive(Clone, Copy)]
struct Container {
    node: NodeId,
    rating: f64,
    /// Its place before its children were looked at.
    place: f64,
}

/// How many wrappers a higher rated element takes the place of at most.
const MOST_CLIMBED: usize = 8;

/// What the children of an element need to know of it.
#[derive(Clone, Copy)]
struct Around {
    /// How many levels of containers and text there are; 0 where a container begins a level that
    /// stays.
    level: u32,
    /// In preformatted text only what shapes a line may go.
    preformatted: bool,
    /// Nothing here may be touched.
    closed: bool,
}

impl Plan {
    fn make(draft: &Draft<'_>) -> Self {
        let document = draft.document();
        let mut plan =
            Self { places: vec![NEVER; document.len()], order: Vec::new(), containers: vec![None; document.len()] };
        let outside = Around { level: 0, preformatted: false, closed: false };
        let mut around = vec![outside; document.len()];
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let above = document.composed_parent(node).map_or(outside, |parent| around[parent.index()]);
            around[node.index()] = if document.is_element(node) {
                plan.consider(draft, node, above)
            } else {
                Around { level: 0, ..above }
            };
        }
        plan
    }

    fn consider(&mut self, draft: &Draft<'_>, node: NodeId, above: Around) -> Around {
        let document = draft.document();
        let mut inner = Around { level: 0, ..above };
        inner.closed |= document.has_attribute(node, name::CONTENTEDITABLE);
        match document.html_name(node) {
            Some(name::PRE | name::TEXTAREA | name::LISTING | name::XMP) => inner.preformatted = true,
            Some(text) if TEXT.contains(&text) && !draft.is_target(node) => inner.level = above.level.max(1),
            _ => {}
        }
        let Some(html) = document.html_name(node).filter(|_| !above.closed) else { return inner };
        let listed = CONTAINERS.iter().find(|(container, _)| *container == html).map(|&(_, rating)| rating);
        if !is_mergeable(draft, node) {
            // A container with a name or role of its own stays, as a level among others.
            if listed.is_some() && !draft.is_target(node) {
                inner.level = above.level + 1;
            }
            return inner;
        }
        if PLAIN_INLINE.contains(&html) {
            if above.preformatted || !is_beside_inline(document, node) {
                self.places[node.index()] = AT_ONCE;
                self.order.push((node, true));
            }
            return above;
        }
        let made_up = || document.local_name(node).contains('-').then_some(CUSTOM_ELEMENT);
        let Some(rating) = listed.or_else(made_up).filter(|_| !above.preformatted) else { return inner };
        let level = above.level + 1;
        let mut place = if level == 1 { NEVER } else { share_of_level(level - 2) };
        // A higher rated child takes the place of the wrapper around it, which goes in its stead;
        // the place of what always stays only if it is all that is in there.
        let mut alone = true;
        let mut inside = node;
        for _ in 0..MOST_CLIMBED {
            let Some(wrapper) = document.parent(inside).and_then(|parent| self.containers[parent.index()]) else {
                break;
            };
            alone = alone && is_only_content(document, inside);
            if rating <= wrapper.rating || (wrapper.place >= NEVER && !alone) {
                break;
            }
            self.places[wrapper.node.index()] = place;
            place = wrapper.place;
            inside = wrapper.node;
        }
        self.containers[node.index()] = Some(Container { node, rating, place });
        self.places[node.index()] = place;
        self.order.push((node, false));
        inner.level = level;
        inner
    }
}

/// The van der Corput sequence, base 2: however many levels there are, and whatever the share,
/// those whose number is below the share are about that share of them, evenly spread. The first
/// is one half.
fn share_of_level(level: u32) -> f64 {
    f64::from((level + 1).reverse_bits()) / 2f64.powi(32)
}

/// Whether nothing but the wrapping would be lost.
fn is_mergeable(draft: &Draft<'_>, node: NodeId) -> bool {
    let document = draft.document();
    let semantics = draft.page().semantics();
    let plain_role = matches!(
        draft.role(node),
        None | Some(
            Role::Generic
                | Role::Article
                | Role::Banner
                | Role::Complementary
                | Role::ContentInfo
                | Role::Group
                | Role::Main
                | Role::Navigation
                | Role::Note
                | Role::Region
                | Role::Search
        )
    );
    plain_role
        && !draft.is_target(node)
        && draft.name(node).is_empty()
        && semantics.description(node).is_empty()
        // Words that name a control would else become text of their own.
        && semantics.labelled_control(node).is_none()
        && semantics.visibility(node) == Visibility::Visible
        // What stands beside each other would else stand line by line.
        && !semantics.style(node).lays_in_row
        && document.shadow_root(node).is_none()
        && document.frame(node).is_none()
        && document.parent(node).is_some_and(|parent| document.shadow_root(parent).is_none())
        && ![name::ARIA_HIDDEN, name::ARIA_OWNS, name::SLOT]
            .iter()
            .any(|&attribute| document.has_attribute(node, attribute))
}

/// Whether the element touches another inline element without a meaning: their tags are then all
/// that holds the words in them apart.
fn is_beside_inline(document: &Document, node: NodeId) -> bool {
    let plain = |sibling: Option<NodeId>| {
        sibling.is_some_and(|sibling| {
            document.kind(sibling) == NodeKind::Comment
                || document.html_name(sibling).is_some_and(|html| PLAIN_INLINE.contains(&html))
        })
    };
    plain(document.previous_sibling(node)) || plain(document.next_sibling(node))
}

/// Whether there is nothing beside the element in its parent but white space.
fn is_only_content(document: &Document, node: NodeId) -> bool {
    const LOOK: usize = 4;
    let Some(parent) = document.parent(node) else { return false };
    document.children(parent).take(LOOK + 1).count() <= LOOK
        && document.children(parent).all(|child| child == node || document.is_blank_text(child))
}

/// Puts white space between the content of a block and what is beside it, where the block's
/// tags are all that holds two words or controls apart.
fn keep_apart(document: &mut Document, node: NodeId) {
    let (before, after) = (document.previous_sibling(node), document.next_sibling(node));
    let (first, last) = (document.first_child(node), document.last_child(node));
    if let (Some(before), Some(inside)) = (before, first.or(after))
        && touch(document, before, inside)
    {
        separate(document, before, inside, node, true);
    }
    if let (Some(last), Some(after)) = (last, after)
        && touch(document, last, after)
    {
        separate(document, last, after, node, false);
    }
}

/// Whether the end of one node would run into the start of the next.
fn touch(document: &Document, left: NodeId, right: NodeId) -> bool {
    let blank_end = document.is_text(left) && document.text(left).ends_with(char::is_whitespace);
    let blank_start = document.is_text(right) && document.text(right).starts_with(char::is_whitespace);
    !blank_end && !blank_start && !is_break(document, left) && !is_break(document, right)
}

/// Elements that stand on lines of their own in any style sheet. A block of the page's own style
/// is not among them: the snapshot does not tell it from an inline element.
fn is_break(document: &Document, node: NodeId) -> bool {
    document.html_name(node).is_some_and(|html| {
        CONTAINERS.iter().any(|(container, _)| *container == html)
            || matches!(
                html,
                name::ADDRESS
                    | name::BLOCKQUOTE
                    | name::BR
                    | name::DD
                    | name::DETAILS
                    | name::DIALOG
                    | name::DL
                    | name::DT
                    | name::FIELDSET
                    | name::FIGCAPTION
                    | name::FIGURE
                    | name::FORM
                    | name::H1
                    | name::H2
                    | name::H3
                    | name::H4
                    | name::H5
                    | name::H6
                    | name::HR
                    | name::LI
                    | name::OL
                    | name::P
                    | name::PRE
                    | name::TABLE
                    | name::UL
            )
    })
}

fn separate(document: &mut Document, left: NodeId, right: NodeId, node: NodeId, before: bool) {
    if document.is_text(left) {
        let text = format!("{} ", document.text(left));
        document.set_text(left, &text);
    } else if document.is_text(right) {
        let text = format!(" {}", document.text(right));
        document.set_text(right, &text);
    } else {
        let space = document.create_text(" ");
        if before {
            document.insert_before(node, space);
        } else {
            document.append(node, space);
        }
    }
}
