//! What the agent sees: the page as captured, written down within its budget.

use std::collections::BTreeMap;

use snapshot_core::capture::Capture;
use snapshot_core::source_map::{Entry, Statistics};
use snapshot_core::tokens::Encoding;
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, representations};

use crate::Error;
use crate::act::Target;

/// How pages are written for the model.
#[derive(Clone, Debug)]
pub struct View {
    /// The representation's name.
    pub representation: String,
    /// The most tokens of one snapshot.
    pub budget: usize,
    /// How they are counted.
    pub encoding: &'static Encoding,
    /// What the agent is to do.
    pub task: String,
}

/// A page as the agent sees it.
#[derive(Debug)]
pub struct Sight {
    /// The page with its ids.
    pub page: Page,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The snapshot's text.
    pub text: String,
    /// What the page consists of.
    pub statistics: Statistics,
    /// How many elements were left out for want of tokens.
    pub left_out: usize,
    entries: BTreeMap<String, Entry>,
}

impl View {
    /// Writes a captured page. An element of the page before keeps its id.
    ///
    /// # Errors
    /// Those of the library.
    pub fn look(&self, capture: &Capture, before: Option<&Page>) -> Result<Sight, Error> {
        let mut page = Page::from_capture(capture, &PageOptions::default())?;
        if let Some(before) = before {
            page = page.continuing(before);
        }
        let snapshot = self.pipeline()?.with_budget(self.budget, self.encoding).run(&page)?;
        // Ids of what was left out stay valid; the whole page says what they stand for.
        let whole = self.pipeline()?.run(&page)?;
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        for entry in whole.map.entries.into_iter().chain(snapshot.map.entries) {
            if let Some(reference) = entry.reference.clone() {
                entries.insert(reference, entry);
            }
        }
        Ok(Sight {
            url: capture.url.clone(),
            title: title(&page),
            text: snapshot.text,
            statistics: snapshot.statistics,
            left_out: snapshot.elided.iter().map(|elided| elided.count).sum(),
            entries,
            page,
        })
    }

    /// Writes what a snapshot has left out, by its ids.
    ///
    /// # Errors
    /// Those of the library.
    pub fn expand(&self, sight: &Sight, ids: std::ops::RangeInclusive<u32>) -> Result<String, Error> {
        let pipeline = self.pipeline()?.with_expanded([ids]).with_budget(self.budget, self.encoding);
        Ok(pipeline.run(&sight.page)?.text)
    }

    fn pipeline(&self) -> Result<Pipeline, Error> {
        let kind = representations::find(&self.representation)?;
        let mut options = representations::WriteOptions::default();
        options.references = Some(representations::ReferencePolicy::Targets);
        options.urls = representations::UrlPolicy::Relative;
        Ok(Pipeline::new(&Recipe::preset("navigate")?, kind.name)?.with_options(options).with_task(&self.task))
    }
}

impl Sight {
    /// The element behind an id.
    ///
    /// # Errors
    /// Says in words for the model that there is none, and which ids are nearest.
    pub(crate) fn target(&self, reference: &str) -> Result<Target, String> {
        let reference = reference.trim().trim_matches(['[', ']']);
        let reference = if reference.starts_with('e') { reference.to_owned() } else { format!("e{reference}") };
        let Some(entry) = self.entries.get(&reference) else {
            return Err(format!("there is no {reference} on this page; {}", self.nearest(&reference)));
        };
        let label = format!("{} {:?}", entry.role.as_deref().unwrap_or(&entry.tag), entry.name);
        match entry.backend_node_id {
            Some(backend_node_id) => Ok(Target { backend_node_id, label }),
            None => Err(format!("{label} cannot be found in the browser")),
        }
    }

    /// Names the elements whose ids are closest.
    fn nearest(&self, reference: &str) -> String {
        let number = |reference: &str| reference.strip_prefix('e').and_then(|digits| digits.parse::<u32>().ok());
        let wanted = number(reference).unwrap_or_default();
        let mut known: Vec<(u32, &Entry)> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.actionable)
            .filter_map(|(reference, entry)| Some((number(reference)?, entry)))
            .collect();
        known.sort_by_key(|(number, _)| number.abs_diff(wanted));
        let names: Vec<String> = known
            .iter()
            .take(3)
            .map(|(number, entry)| {
                format!("e{number} {} {:?}", entry.role.as_deref().unwrap_or(&entry.tag), entry.name)
            })
            .collect();
        if names.is_empty() {
            "nothing on it can be acted on".to_owned()
        } else {
            format!("nearest are {}", names.join(", "))
        }
    }
}

fn title(page: &Page) -> String {
    use snapshot_core::document::{NodeId, name};
    let document = page.document();
    let title = document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, name::TITLE));
    let text = title.map(|title| document.text_content(title)).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
