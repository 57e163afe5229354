//! Coverage: the share of tasks that can be done with what a snapshot shows. No model is asked.

use snapshot_core::document::{Name, NodeId, name};
use snapshot_core::locate::Locator;
use snapshot_core::{Page, PageOptions, Snapshot};

use crate::corpus::{Task, find};

/// What a snapshot lacks for a task; nothing when it can be done.
///
/// A target must be written, have a name or text of its own in the page, and its entry in the
/// source map must lead to the right element. Evidence is readable when its words stand in the
/// text in order and close together.
pub fn missing(page: &Page, locator: &Locator<'_>, task: &Task, snapshot: &Snapshot, readable: &str) -> Option<String> {
    for target in &task.targets {
        let node = match find(page, target) {
            Ok(node) => node,
            Err(fault) => return Some(fault),
        };
        let path = locator.path(node);
        let entry = snapshot.map.entries.iter().find(|entry| entry.path == path || entry.merged.contains(&path));
        match entry {
            None => return Some(format!("target {target}")),
            Some(entry) if entry.name.is_empty() && !page.semantics().name(node).is_empty() => {
                return Some(format!("name of {target}"));
            }
            Some(_) => {}
        }
    }
    task.evidence.iter().find(|evidence| !can_be_read(readable, evidence)).map(|evidence| format!("{evidence:?}"))
}

/// The words that a reader of the snapshot sees, in lower case, one space between them.
pub fn readable(snapshot: &Snapshot) -> String {
    if snapshot.representation != "html" {
        return words(&snapshot.text);
    }
    let Ok(page) = Page::read(snapshot.text.as_bytes(), &PageOptions::default()) else { return String::new() };
    let document = page.document();
    let mut text = String::new();
    for node in document.composed_descendants(NodeId::DOCUMENT) {
        text.push_str(document.text(node));
        for value in SHOWN.iter().filter_map(|&attribute| document.attribute(node, attribute)) {
            text.push(' ');
            text.push_str(value);
        }
        if document.is_element(node) {
            text.push(' ');
        }
    }
    words(&text)
}

/// Attributes whose value a reader of HTML sees.
const SHOWN: &[Name] =
    &[name::VALUE, name::PLACEHOLDER, name::ALT, name::TITLE, name::ARIA_LABEL, name::LABEL, name::HREF];

fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_alphanumeric() {
            words.extend(character.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    words
}

/// Whether the evidence's words stand in the text in order, each at most a line behind the one
/// before.
fn can_be_read(readable: &str, evidence: &str) -> bool {
    const CLOSE: usize = 160;
    let evidence = words(evidence);
    let mut wanted = evidence.split_whitespace();
    let Some(first) = wanted.next() else { return true };
    let rest: Vec<&str> = wanted.collect();
    readable.match_indices(first).any(|(start, _)| {
        let mut at = start + first.len();
        rest.iter().all(|word| {
            let mut end = (at + CLOSE + word.len()).min(readable.len());
            while !readable.is_char_boundary(end) {
                end += 1;
            }
            match readable[at..end].find(word) {
                Some(offset) => {
                    at += offset + word.len();
                    true
                }
                None => false,
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_words_in_order_and_close_together() {
        let text = words("- heading \"Sort by\" [level=2]\n- cell: 1,644\n  - link \"Reply\" [ref=e3]");
        for (evidence, wanted) in [("Sort by", true), ("1,644", true), ("1,645", false), ("Reply Sort", false)] {
            assert_eq!(can_be_read(&text, evidence), wanted, "{evidence}");
        }
    }
}
