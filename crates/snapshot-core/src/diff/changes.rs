//! What became of the elements that carry an id.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::pipeline::Snapshot;
use crate::source_map::Entry;

/// One element that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ElementChange {
    /// What happened.
    pub kind: Kind,
    /// The id, `e12`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The role; that of the later snapshot unless the element is gone.
    pub role: Option<String>,
    /// The name; that of the later snapshot unless the element is gone.
    pub name: String,
}

/// What can happen to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// It is new.
    Added,
    /// Its role, its name or what is written of it is another.
    Changed,
    /// It stands elsewhere among those that stayed.
    Moved,
    /// It is gone.
    Removed,
}

/// An element in a snapshot: where it stands and what is written of it itself.
struct Place<'snapshot> {
    entry: &'snapshot Entry,
    around: Option<&'snapshot str>,
    own_text: &'snapshot str,
}

/// The changes: of those that are there in the order of the later snapshot, then those gone.
pub(super) fn changes(before: &Snapshot, after: &Snapshot) -> Vec<ElementChange> {
    let (earlier, later) = (places(before), places(after));
    let by_reference: BTreeMap<&str, usize> =
        earlier.iter().enumerate().map(|(at, (reference, _))| (*reference, at)).collect();
    let stayed: Vec<Option<usize>> = later.iter().map(|(reference, _)| by_reference.get(reference).copied()).collect();
    let in_order = longest_increasing(&stayed);
    let mut changes = Vec::new();
    let mut is_there = vec![false; earlier.len()];
    for (at, (reference, place)) in later.iter().enumerate() {
        let before = stayed.get(at).copied().flatten().and_then(|at| {
            if let Some(there) = is_there.get_mut(at) {
                *there = true;
            }
            earlier.get(at)
        });
        let kind = match before {
            None => Some(Kind::Added),
            Some((_, before))
                if before.entry.role != place.entry.role
                    || before.entry.name != place.entry.name
                    || before.own_text != place.own_text =>
            {
                Some(Kind::Changed)
            }
            Some((_, before)) if before.around != place.around || !in_order.get(at).copied().unwrap_or(true) => {
                Some(Kind::Moved)
            }
            Some(_) => None,
        };
        changes.extend(kind.map(|kind| change(kind, reference, place.entry)));
    }
    let gone = earlier.iter().zip(is_there).filter(|(_, is_there)| !is_there);
    changes.extend(gone.map(|((reference, place), _)| change(Kind::Removed, reference, place.entry)));
    changes
}

fn change(kind: Kind, reference: &str, entry: &Entry) -> ElementChange {
    ElementChange { kind, reference: reference.to_owned(), role: entry.role.clone(), name: entry.name.clone() }
}

/// The elements with an id, in output order.
fn places(snapshot: &Snapshot) -> Vec<(&str, Place<'_>)> {
    let mut places = Vec::new();
    let mut open: Vec<(usize, &str)> = Vec::new();
    let entries = &snapshot.map.entries;
    for (at, entry) in entries.iter().enumerate() {
        let [start, end] = entry.span;
        while open.last().is_some_and(|&(ended, _)| ended <= start && ended < end.max(start + 1)) {
            open.pop();
        }
        let Some(reference) = entry.reference.as_deref() else { continue };
        let around = open.last().map(|&(_, reference)| reference);
        // What the element writes before the first that is written inside it.
        let inner = entries.get(at + 1).map(|next| next.span[0]).filter(|next| (start..end).contains(next));
        let own_text = snapshot.text.get(start..inner.unwrap_or(end)).unwrap_or("").trim();
        places.push((reference, Place { entry, around, own_text }));
        open.push((end, reference));
    }
    places
}

/// Marks the longest rising run of places, gaps allowed: those that kept their order. In
/// n log n (patience sorting).
fn longest_increasing(places: &[Option<usize>]) -> Vec<bool> {
    // For each length of a run its smallest last place; and for each place the one before it.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; places.len()];
    for (at, place) in places.iter().enumerate() {
        let Some(place) = *place else { continue };
        let length = ends.partition_point(|&(end, _)| end < place);
        before[at] = length.checked_sub(1).and_then(|shorter| ends.get(shorter)).map(|&(_, at)| at);
        match ends.get_mut(length) {
            Some(end) => *end = (place, at),
            None => ends.push((place, at)),
        }
    }
    let mut in_order = vec![false; places.len()];
    let mut last = ends.last().map(|&(_, at)| at);
    while let Some(at) = last {
        in_order[at] = true;
        last = before[at];
    }
    in_order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_that_can_have_moved_have_moved() {
        assert_eq!(longest_increasing(&[Some(0), Some(3), Some(1), None, Some(2)]), [true, false, true, false, true]);
        assert_eq!(longest_increasing(&[]), Vec::<bool>::new());
    }
}
