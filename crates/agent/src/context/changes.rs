//! What stands in the place of a snapshot that is not shown any more.

use std::fmt::Write as _;

use snapshot_core::diff::{self, Edit};

use crate::perceive::Sight;

/// Bytes of changes that are worth their place; more would be a snapshot again.
const LONGEST: usize = 1200;

/// What stands there.
pub(super) enum Instead {
    /// Words of ours.
    Note(String),
    /// Lines of the page, each with a sign before it.
    Changes(String),
}

impl Instead {
    /// The text for the model; `fenced` makes page text fit for it.
    pub(super) fn written(&self, fenced: impl FnOnce(&str) -> String) -> String {
        match self {
            Self::Note(note) => note.clone(),
            Self::Changes(changes) => format!("Changes from the page before:\n{}", fenced(changes)),
        }
    }
}

/// What changed since the page before, or a note that something is missing here.
pub(super) fn instead(before: Option<&Sight>, sight: &Sight) -> Instead {
    let note = format!("Its snapshot of {} lines is not shown any more.", sight.text.lines().count());
    let Some(before) = before.filter(|before| before.snapshot.representation == sight.snapshot.representation) else {
        return Instead::Note(note);
    };
    if before.text == sight.text {
        return Instead::Note("The page was the same.".to_owned());
    }
    let delta = diff::between(&before.snapshot, &sight.snapshot);
    if delta.whole.is_some() {
        return Instead::Note(note);
    }
    let mut kept: Vec<[usize; 2]> = Vec::new();
    let mut added = Vec::new();
    for edit in &delta.edits {
        match edit {
            Edit::Keep(range) => kept.push(*range),
            Edit::Insert(text) => added.push(text.as_str()),
            _ => {}
        }
    }
    kept.sort_unstable();
    let (mut removed, mut from) = (Vec::new(), 0);
    for [start, end] in kept.into_iter().chain([[before.snapshot.text.len(); 2]]) {
        removed.push(before.snapshot.text.get(from..start).unwrap_or_default());
        from = from.max(end);
    }
    let mut changes = String::new();
    for (sign, texts) in [('-', removed), ('+', added)] {
        for line in texts.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().is_empty()) {
            let _ = writeln!(changes, "{sign} {}", line.trim());
        }
    }
    if changes.is_empty() {
        return Instead::Note("On the page things only moved.".to_owned());
    }
    if changes.len() > LONGEST {
        return Instead::Note(format!("{note} It differed from the one before in {} lines.", changes.lines().count()));
    }
    Instead::Changes(changes.trim_end().to_owned())
}
