//! Leaves out of a draft what a selection does not keep.

use super::lean::{forget_content_name, shortened};
use super::pieces::{LEAD, Piece};
use super::plan::Selection;
use super::units::{Unit, UnitKind, Units};
use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::{Draft, Elision};

/// Takes out what is not kept, cuts texts, and puts notes where most is missing.
pub(crate) fn apply(draft: &mut Draft<'_>, units: &Units, pieces: &[Piece], selection: &Selection) {
    let nodes = units.nodes();
    let mut kept = kept_nodes(draft, units, selection);
    let unlinked = keep_words(draft, units, selection, &mut kept);
    let mut changed = vec![false; draft.document().len()];
    cut_texts(draft, units, pieces, selection, &mut changed);
    for (at, unit) in units.list().iter().enumerate() {
        if selection.units[at] && !selection.addresses[at] {
            hide_address(draft, unit.node);
        }
    }
    if let Some(most) = selection.notes {
        let gaps = gaps(draft, units, selection, &kept);
        note_gaps(draft, gaps, most, selection.reason);
    }
    let document = draft.document();
    let is_held = |&node: &NodeId| document.composed_parent(node).is_some_and(|parent| kept[parent.index()]);
    let held: Vec<NodeId> = nodes.iter().copied().filter(is_held).collect();
    for &node in &held {
        if !kept[node.index()] {
            if let Some(parent) = draft.document().composed_parent(node) {
                changed[parent.index()] = true;
            }
            draft.remove(node, selection.reason);
        }
    }
    for link in unlinked {
        draft.document_mut().unwrap(link);
    }
    for &node in held.iter().rev() {
        if changed[node.index()]
            && let Some(parent) = draft.document().composed_parent(node)
        {
            changed[parent.index()] = true;
        }
    }
    for &node in held.iter().filter(|&&node| kept[node.index()] && changed[node.index()]) {
        // Its name would bring back all that is no longer written below it.
        forget_content_name(draft, node);
    }
}

/// Of each node whether it stays: what belongs to a kept unit, and all that holds it.
fn kept_nodes(draft: &Draft<'_>, units: &Units, selection: &Selection) -> Vec<bool> {
    let nodes = units.nodes();
    let (document, page) = (draft.document(), draft.page().document());
    let mut kept = vec![false; document.len()];
    kept[NodeId::DOCUMENT.index()] = true;
    for &node in nodes.iter().rev() {
        // A slot shows children of its host, which have been looked at already.
        let shows = document.is_html(node, name::SLOT)
            && document.host(document.root(node)).is_some_and(|host| kept[host.index()]);
        let home = units.home(node).filter(|&unit| selection.units[unit]);
        // A text or heading is there for what is in it.
        let is_part = |unit: usize| {
            let Unit { node: top, kind, .. } = units.list()[unit];
            let stands = !matches!(kind, UnitKind::Text | UnitKind::Heading);
            (top == node && (stands || page.first_child(node).is_none())) || Units::is_content(document, node)
        };
        if shows || home.is_some_and(is_part) || kept[node.index()] {
            kept[node.index()] = true;
            if let Some(parent) = document.composed_parent(node) {
                kept[parent.index()] = true;
            }
        }
    }
    // The frame of a page is read back even when it is not written, and a row keeps the cells
    // in front of a kept one, or its columns would shift.
    for &node in nodes {
        let holder = document.composed_parent(node).is_some_and(|parent| kept[parent.index()]);
        let frame = matches!(document.html_name(node), Some(name::HTML | name::HEAD | name::BODY | name::FRAMESET));
        // A root cannot be taken off its host, only emptied.
        let root = !matches!(document.kind(node), NodeKind::Element | NodeKind::Text | NodeKind::Comment);
        // The space between two kept neighbours keeps their words apart; of several the first.
        let is_kept = |sibling: NodeId| kept[sibling.index()] && !document.is_blank_text(sibling);
        let following = || std::iter::successors(document.next_sibling(node), |&next| document.next_sibling(next));
        let space = document.is_blank_text(node)
            && document.previous_sibling(node).is_some_and(is_kept)
            && following().find(|&next| !document.is_blank_text(next)).is_some_and(is_kept);
        if holder && (frame || root || space) {
            kept[node.index()] = true;
        }
    }
    for &row in nodes {
        if !document.is_html(row, name::TR) || !kept[row.index()] {
            continue;
        }
        let cells: Vec<NodeId> = document.element_children(row).collect();
        let last = cells.iter().rposition(|cell| kept[cell.index()]).unwrap_or_default();
        for cell in cells.into_iter().take(last) {
            // A cell that is a target is no empty column.
            if units.at(cell).is_none_or(|unit| units.list()[unit].kind == UnitKind::Text) {
                kept[cell.index()] = true;
            }
        }
    }
    kept
}

/// Keeps the words of links that go without them; these links.
fn keep_words(draft: &Draft<'_>, units: &Units, selection: &Selection, kept: &mut [bool]) -> Vec<NodeId> {
    let document = draft.document();
    let mut links = Vec::new();
    for (unit, _) in units.list().iter().zip(&selection.words).filter(|&(_, &stays)| stays) {
        let is_shown = document.parent(unit.node).is_some_and(|parent| kept[parent.index()]);
        if is_shown && !kept[unit.node.index()] {
            kept[unit.node.index()] = true;
            for below in document.descendants(unit.node) {
                kept[below.index()] = true;
            }
            links.push(unit.node);
        }
    }
    links
}

/// Cuts the texts of kept units down to their kept pieces, and empties those of the cells that
/// only keep their place.
fn cut_texts(draft: &mut Draft<'_>, units: &Units, pieces: &[Piece], selection: &Selection, changed: &mut [bool]) {
    let mut next = 0;
    for (at, unit) in units.list().iter().enumerate() {
        let first = next;
        while pieces.get(next).is_some_and(|piece| piece.unit == at) {
            next += 1;
        }
        if !selection.units[at] {
            continue;
        }
        let dropped: Vec<&Piece> =
            (first..next).filter(|&piece| !selection.pieces[piece]).filter_map(|piece| pieces.get(piece)).collect();
        if dropped.is_empty() {
            continue;
        }
        changed[unit.node.index()] = true;
        cut_text(draft, unit, &dropped);
        let name = draft.name(unit.node);
        if let Some(cut) = shortened(name, LEAD) {
            draft.set_name(unit.node, cut);
        }
    }
}

fn cut_text(draft: &mut Draft<'_>, unit: &Unit, dropped: &[&Piece]) {
    let options = dropped.iter().filter(|piece| draft.document().is_html(piece.node, name::OPTION)).count();
    let mut said = false;
    let mut in_gap = false;
    let mut next = 0;
    for &node in &unit.content {
        let first = next;
        while dropped.get(next).is_some_and(|piece| piece.node == node) {
            next += 1;
        }
        if first == next {
            in_gap &= draft.document().text(node).trim().is_empty();
            continue;
        }
        if draft.document().is_html(node, name::OPTION) {
            // The first that goes says for how many it stands.
            if said {
                draft.remove(node, "budget");
            } else {
                said = true;
                say_how_many(draft, node, options);
            }
            continue;
        }
        let text = draft.document().text(node).to_owned();
        let mut cut = String::new();
        let mut at = 0;
        for piece in &dropped[first..next] {
            if piece.start > at {
                cut.push_str(&text[at..piece.start]);
                in_gap = false;
            }
            if !in_gap {
                cut.truncate(cut.trim_end().len());
                cut.push_str(if cut.is_empty() { "…" } else { " …" });
                in_gap = true;
            }
            at = piece.end;
        }
        if at < text.len() {
            if in_gap && !text[at..].starts_with(char::is_whitespace) && !cut.is_empty() {
                cut.push(' ');
            }
            in_gap &= text[at..].trim().is_empty();
            cut.push_str(&text[at..]);
        }
        if cut.trim().is_empty() {
            remove_empty(draft.document_mut(), node, unit.node);
        } else {
            draft.document_mut().set_text(node, &cut);
        }
    }
}

fn say_how_many(draft: &mut Draft<'_>, option: NodeId, count: usize) {
    let children: Vec<NodeId> = draft.document().children(option).collect();
    for child in children {
        draft.document_mut().detach(child);
    }
    let label = format!("… {count} more");
    let text = draft.document_mut().create_text(&label);
    draft.document_mut().append(option, text);
    draft.set_name(option, label);
}

/// Takes a text out, and what held nothing else up to the unit.
fn remove_empty(document: &mut Document, node: NodeId, unit: NodeId) {
    let mut empty = node;
    while empty != unit {
        let parent = document.parent(empty);
        document.detach(empty);
        match parent {
            Some(parent) if document.first_child(parent).is_none() && document.shadow_root(parent).is_none() => {
                empty = parent;
            }
            _ => return,
        }
    }
}

/// Leaves out the addresses of all links.
pub(crate) fn hide_addresses(draft: &mut Draft<'_>) {
    let nodes: Vec<NodeId> = draft.document().composed_descendants(NodeId::DOCUMENT).collect();
    for node in nodes {
        hide_address(draft, node);
    }
}

fn hide_address(draft: &mut Draft<'_>, node: NodeId) {
    if draft.document().has_attribute(node, name::HREF) {
        draft.set_address(node, None);
        // It stays a link.
        draft.document_mut().set_attribute(node, name::HREF, "");
    }
}

/// A stretch of ids that are all left out.
struct Gap {
    first: u32,
    last: u32,
    count: usize,
    /// The node taken out in whose place a note can stand.
    place: Option<NodeId>,
}

fn gaps(draft: &Draft<'_>, units: &Units, selection: &Selection, kept: &[bool]) -> Vec<Gap> {
    let document = draft.document();
    let mut gaps: Vec<Gap> = Vec::new();
    let mut open = false;
    // The topmost node taken out around each, as long as it can hold a note.
    let mut place = None;
    for &node in units.nodes() {
        if !kept[node.index()]
            && let Some(parent) = document.parent(node).filter(|parent| kept[parent.index()])
        {
            place = takes_note(document, parent).then_some(node);
        }
        let Some(unit) = units.at(node) else { continue };
        let (numbers, missing) = match draft.noted_elision(node) {
            Some(noted) => ((noted.first, noted.last, noted.count), !selection.units[unit]),
            None => match draft.page().references().line_number(node) {
                Some(number) => ((number, number, 1), !selection.units[unit]),
                None => continue,
            },
        };
        if !missing {
            open = false;
            continue;
        }
        if !open {
            gaps.push(Gap { first: numbers.0, last: numbers.1, count: 0, place: None });
            open = true;
        }
        if let Some(gap) = gaps.last_mut() {
            gap.first = gap.first.min(numbers.0);
            gap.last = gap.last.max(numbers.1);
            gap.count += numbers.2;
            gap.place = gap.place.or(place.filter(|_| !kept[node.index()]));
        }
    }
    gaps
}

/// Whether a comment may stand in the element.
fn takes_note(document: &Document, parent: NodeId) -> bool {
    const TAKES_NONE: &[Name] = &[
        name::HTML,
        name::HEAD,
        name::TITLE,
        name::TEXTAREA,
        name::SELECT,
        name::OPTGROUP,
        name::OPTION,
        name::SCRIPT,
        name::STYLE,
        name::NOSCRIPT,
        name::IFRAME,
        name::FRAMESET,
        name::XMP,
        name::NOEMBED,
        name::NOFRAMES,
        name::PLAINTEXT,
    ];
    document.is_element(parent)
        && document.shadow_root(parent).is_none()
        && document.html_name(parent).is_some_and(|name| !TAKES_NONE.contains(&name))
}

/// Notes the largest gaps in their place and all others together at the end.
fn note_gaps(draft: &mut Draft<'_>, gaps: Vec<Gap>, most: usize, reason: &'static str) {
    let mut by_size: Vec<usize> = (0..gaps.len()).collect();
    by_size.sort_by_key(|&gap| (gaps[gap].place.is_none(), std::cmp::Reverse(gaps[gap].count), gap));
    let mut noted = vec![false; gaps.len()];
    let all_fit = gaps.len() <= most + 1 && gaps.iter().all(|gap| gap.place.is_some());
    let most = if all_fit { gaps.len() } else { most };
    for &gap in by_size.iter().take(most) {
        noted[gap] = gaps[gap].place.is_some();
    }
    let mut rest: Option<Elision> = None;
    for (gap, noted) in gaps.into_iter().zip(noted) {
        let elision = Elision { first: gap.first, last: gap.last, count: gap.count, reason };
        match gap.place.filter(|_| noted) {
            Some(place) => draft.add_note(place, elision),
            None => {
                rest = Some(match rest {
                    None => elision,
                    Some(rest) => Elision {
                        first: rest.first.min(elision.first),
                        last: rest.last.max(elision.last),
                        count: rest.count + elision.count,
                        reason,
                    },
                });
            }
        }
    }
    if let Some(rest) = rest {
        let document = draft.document();
        let root = document.element_children(NodeId::DOCUMENT).next();
        let body = root.and_then(|root| {
            document
                .element_children(root)
                .filter(|&child| matches!(document.html_name(child), Some(name::BODY | name::FRAMESET)))
                .last()
        });
        draft.append_note(
            body.filter(|&body| document.is_html(body, name::BODY)).or(root).unwrap_or(NodeId::DOCUMENT),
            rest,
        );
    }
}
