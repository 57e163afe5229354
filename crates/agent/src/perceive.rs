//! What the agent sees: the page as captured, written down within its budget.

use std::collections::BTreeMap;

use snapshot_core::capture::Capture;
use snapshot_core::document::{NodeId, name};
use snapshot_core::source_map::{Entry, Statistics};
use snapshot_core::tokens::Encoding;
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, Snapshot, representations};

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
    /// Whether the page holds a secret that was typed into it, and must not be photographed.
    pub(crate) shows_secret: bool,
    /// The snapshot as the library gives it, for what changes on the page later.
    pub(crate) snapshot: Snapshot,
    /// What the snapshot shows, by its ids.
    shown: BTreeMap<u32, Entry>,
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
        self.write(page, &capture.url)
    }

    /// Writes a page, with its ids as they are.
    ///
    /// # Errors
    /// Those of the library.
    pub fn write(&self, page: Page, url: &str) -> Result<Sight, Error> {
        let snapshot = self.pipeline()?.with_budget(self.budget, self.encoding).run(&page)?;
        Ok(Sight::new(page, url, snapshot))
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
    /// A page and what was written of it.
    pub(crate) fn new(page: Page, url: &str, snapshot: Snapshot) -> Self {
        let shown = snapshot.map.entries.iter();
        Self {
            url: url.to_owned(),
            title: title(&page),
            text: snapshot.text.clone(),
            statistics: snapshot.statistics,
            left_out: snapshot.elided.iter().map(|elided| elided.count).sum(),
            shown: shown.filter_map(|entry| Some((number(entry.reference.as_deref()?)?, entry.clone()))).collect(),
            shows_secret: false,
            snapshot,
            page,
        }
    }

    /// The element behind an id.
    ///
    /// # Errors
    /// Says in words for the model that there is none, and which ids are nearest.
    pub(crate) fn target(&self, reference: &str) -> Result<Target, String> {
        // What was left out for want of tokens is on the page all the same, and its id stays valid.
        let node = number(reference).and_then(|number| self.page.references().node(number));
        let Some(node) = node else {
            return Err(format!("there is no {reference} on this page; {}", self.nearest(reference)));
        };
        let label = self.label(node);
        match self.page.backend_node_id(node) {
            Some(backend_node_id) => Ok(Target { backend_node_id, label }),
            None => Err(format!("{label} cannot be found in the browser")),
        }
    }

    /// Whether the element lies in the page's own document, through shadow roots but no frames.
    pub(crate) fn is_in_own_document(&self, reference: &str) -> bool {
        let document = self.page.document();
        let Some(mut node) = number(reference).and_then(|number| self.page.references().node(number)) else {
            return false;
        };
        loop {
            let root = document.root(node);
            match document.host(root) {
                None => return root == NodeId::DOCUMENT,
                Some(host) if document.frame(host) == Some(root) => return false,
                Some(host) => node = host,
            }
        }
    }

    /// The element's role and name, as the snapshot says them where it shows the element.
    fn label(&self, node: NodeId) -> String {
        let semantics = self.page.semantics();
        match self.page.references().number(node).and_then(|number| self.shown.get(&number)) {
            Some(entry) => label(entry),
            None => {
                let role = semantics.role(node).map(snapshot_core::semantics::Role::as_str);
                format!("{} {:?}", role.unwrap_or(self.page.document().local_name(node)), semantics.name(node))
            }
        }
    }

    /// Names the elements whose ids are closest.
    fn nearest(&self, reference: &str) -> String {
        let wanted = number(reference).unwrap_or_default();
        let mut known: Vec<(&u32, &Entry)> = self.shown.iter().filter(|(_, entry)| entry.actionable).collect();
        known.sort_by_key(|(number, _)| number.abs_diff(wanted));
        let names: Vec<String> =
            known.iter().take(3).map(|(number, entry)| format!("e{number} {}", label(entry))).collect();
        if names.is_empty() {
            "nothing on it can be acted on".to_owned()
        } else {
            format!("nearest are {}", names.join(", "))
        }
    }
}

/// The number of an id: `e12`, `12`, `[12]`.
pub(crate) fn number(reference: &str) -> Option<u32> {
    let bare = reference.trim().trim_matches(['[', ']']);
    bare.strip_prefix('e').unwrap_or(bare).parse().ok()
}

fn label(entry: &Entry) -> String {
    format!("{} {:?}", entry.role.as_deref().unwrap_or(&entry.tag), entry.name)
}

fn title(page: &Page) -> String {
    let document = page.document();
    let title = document.descendants(NodeId::DOCUMENT).find(|&node| document.is_html(node, name::TITLE));
    let text = title.map(|title| document.text_content(title)).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
