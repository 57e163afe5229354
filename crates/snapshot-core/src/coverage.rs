//! Coverage: the share of tasks that can be done with what a snapshot shows. No model is asked.
//!
//! A task names the elements to act on and the text that must be readable to do it. It is covered
//! when each target is written, named, and leads back to the right element, and when all of its
//! evidence can be read.

use std::fmt;

use serde::Deserialize;

use crate::document::{Name, NodeId, name};
use crate::locate::Locator;
use crate::page::{Page, PageOptions};
use crate::pipeline::Snapshot;
use crate::selector::Selector;

/// What a `tasks.toml` beside a page holds. Any format that serde reads will do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TaskFile {
    /// The page's file, in the same folder.
    pub page: String,
    /// The address that the page was saved from.
    pub url: String,
    /// What kind of page it is, for people.
    pub kind: String,
    /// The page's language, as in `lang`.
    pub language: String,
    /// What an agent would be asked to do.
    #[serde(rename = "task")]
    pub tasks: Vec<Task>,
}

/// Something to do on a page.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Task {
    /// Unique in the file.
    pub id: String,
    /// What a person would say.
    pub goal: String,
    /// Selectors of the elements to act on, each of one element; ` >>> ` steps into a shadow root
    /// or frame.
    pub targets: Vec<String>,
    /// Text that must be readable.
    pub evidence: Vec<String>,
}

/// What a snapshot lacks for a task.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// A target's selector leads to no single element of the page: the task is wrong.
    Selector(String),
    /// This target is not written.
    Target(String),
    /// This target is written without the name that it has.
    Name(String),
    /// This text cannot be read.
    Evidence(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector(fault) => formatter.write_str(fault),
            Self::Target(target) => write!(formatter, "target {target}"),
            Self::Name(target) => write!(formatter, "name of {target}"),
            Self::Evidence(text) => write!(formatter, "{text:?}"),
        }
    }
}

/// Measures snapshots of one page.
///
/// ```
/// use snapshot_core::coverage::{Coverage, TaskFile};
/// use snapshot_core::{Page, PageOptions, Pipeline, Recipe};
///
/// let page = Page::read(b"<h1>Till</h1><p>Two teas, 5 euro<p><button id=pay>Pay</button>", &PageOptions::default())?;
/// let tasks: TaskFile = yaml_serde::from_str(
///     "{page: till.html, url: https://till.example/, kind: till, language: en,
///       task: [{id: pay, goal: Pay the teas., targets: ['#pay'], evidence: [5 euro]}]}",
/// ).expect("is a task file");
/// let snapshot = Pipeline::new(&Recipe::preset("navigate")?, "ax")?.run(&page)?;
/// let coverage = Coverage::new(&page);
/// assert_eq!(coverage.of(&snapshot).missing(&tasks.tasks[0]), None);
/// # Ok::<(), snapshot_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Coverage<'page> {
    page: &'page Page,
    locator: Locator<'page>,
}

impl<'page> Coverage<'page> {
    /// Looks at snapshots of this page.
    pub fn new(page: &'page Page) -> Self {
        Self { page, locator: Locator::new(page.document()) }
    }

    /// Looks at one snapshot, which must have its source map.
    pub fn of<'snapshot>(&'snapshot self, snapshot: &'snapshot Snapshot) -> SnapshotCoverage<'snapshot> {
        SnapshotCoverage { coverage: self, snapshot, readable: readable(snapshot) }
    }
}

/// One snapshot under the eyes of [`Coverage`].
#[derive(Debug)]
pub struct SnapshotCoverage<'snapshot> {
    coverage: &'snapshot Coverage<'snapshot>,
    snapshot: &'snapshot Snapshot,
    readable: String,
}

impl SnapshotCoverage<'_> {
    /// What the snapshot lacks for a task; nothing when the task can be done.
    ///
    /// A target must be written, with its name if it has one in the page, and its entry in the
    /// source map must lead to the right element. Evidence is readable when its words stand in
    /// the text in order and close together.
    pub fn missing(&self, task: &Task) -> Option<Missing> {
        let page = self.coverage.page;
        for target in &task.targets {
            let node = match find(page, target) {
                Ok(node) => node,
                Err(fault) => return Some(Missing::Selector(fault)),
            };
            let path = self.coverage.locator.path(node);
            let mut entries = self.snapshot.map.entries.iter();
            match entries.find(|entry| entry.path == path || entry.merged.contains(&path)) {
                None => return Some(Missing::Target(target.clone())),
                Some(entry) if entry.name.is_empty() && !page.semantics().name(node).is_empty() => {
                    return Some(Missing::Name(target.clone()));
                }
                Some(_) => {}
            }
        }
        let unread = task.evidence.iter().find(|evidence| !can_be_read(&self.readable, evidence));
        unread.map(|evidence| Missing::Evidence(evidence.clone()))
    }
}

/// The element that a chain of selectors leads to; ` >>> ` steps into a shadow root or frame.
///
/// # Errors
/// Says which step matches nothing, or more than one element.
pub fn find(page: &Page, chain: &str) -> Result<NodeId, String> {
    let document = page.document();
    let mut root = NodeId::DOCUMENT;
    let mut found = None;
    for step in chain.split(" >>> ") {
        if let Some(host) = found {
            root = document
                .shadow_root(host)
                .or_else(|| document.frame(host))
                .ok_or(format!("{chain}: nothing inside"))?;
        }
        let selector = Selector::parse(step).map_err(|error| error.to_string())?;
        match selector.select(document, root).as_slice() {
            [node] => found = Some(*node),
            nodes => return Err(format!("{chain}: {step} matches {} elements", nodes.len())),
        }
    }
    found.ok_or(format!("{chain}: empty"))
}

/// Attributes whose value a reader of HTML sees.
const SHOWN: &[Name] =
    &[name::VALUE, name::PLACEHOLDER, name::ALT, name::TITLE, name::ARIA_LABEL, name::LABEL, name::HREF];

/// The words that a reader of the snapshot sees, in lower case, one space between them.
fn readable(snapshot: &Snapshot) -> String {
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
