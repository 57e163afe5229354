//! The runs of a page that are done.
//!
//! They lie behind each other, so that thousands of them cost no more memory and time than what
//! they hold.

use super::run::{Link, Mark, Run};
use crate::document::NodeId;

/// What a run that is done holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'outline> {
    /// See [`Run::text`].
    pub(super) text: &'outline str,
    /// See [`Run::marks`].
    pub(super) marks: &'outline [Mark],
    /// See [`Run::links`].
    pub(super) links: &'outline [Link],
    /// See [`Run::sources`].
    pub(super) sources: &'outline [(usize, NodeId)],
}

/// All runs of a page that are done, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Runs {
    text: String,
    marks: Vec<Mark>,
    links: Vec<Link>,
    sources: Vec<(usize, NodeId)>,
    /// Where each run ends in these.
    ends: Vec<Ends>,
}

/// The number of a run that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunId(u32);

#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    text: usize,
    marks: usize,
    links: usize,
    sources: usize,
}

impl Runs {
    /// Takes what the run holds, so that it can be used for another.
    pub(super) fn keep(&mut self, run: &mut Run) -> RunId {
        self.text.push_str(&run.text);
        self.marks.append(&mut run.marks);
        self.links.append(&mut run.links);
        self.sources.append(&mut run.sources);
        run.clear();
        self.ends.push(Ends {
            text: self.text.len(),
            marks: self.marks.len(),
            links: self.links.len(),
            sources: self.sources.len(),
        });
        RunId(u32::try_from(self.ends.len() - 1).unwrap_or(u32::MAX))
    }

    pub(super) fn content(&self, run: RunId) -> Option<Content<'_>> {
        let at = run.0 as usize;
        let end = self.ends.get(at)?;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        Some(Content {
            text: self.text.get(start.text..end.text)?,
            marks: self.marks.get(start.marks..end.marks)?,
            links: self.links.get(start.links..end.links)?,
            sources: self.sources.get(start.sources..end.sources)?,
        })
    }
}
