//! The way from any place in a snapshot back to the element, and the envelope it travels in.
//!
//! The JSON form of these types is a contract (version 1): fields are added, never renamed.

use serde::{Deserialize, Serialize};

use crate::document::{NodeId, name};
use crate::draft::Draft;
use crate::error::{Diagnostic, Level};
use crate::locate::{Locator, Trail};
use crate::page::Page;
use crate::semantics::Role;
use crate::writer::Written;

/// The version of the source map that is written.
pub const VERSION: u32 = 1;

/// Every element that was written, in output order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SourceMap {
    /// [`VERSION`].
    pub version: u32,
    /// The elements.
    pub entries: Vec<Entry>,
}

/// One element in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Entry {
    /// The id that stands in the text, `e12`; none when none was written.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// Places among element siblings from the document down, `/0/1/2`; `$shadow0` and `$frame`
    /// step into shadow roots and frames.
    pub path: String,
    /// A CSS selector that matches this element alone in its tree.
    pub selector: String,
    /// An XPath that matches this element alone in its tree.
    pub xpath: String,
    /// The element's name.
    pub tag: String,
    /// Its role in the accessibility tree, if it has one.
    pub role: Option<String>,
    /// Its accessible name; empty where it has none.
    pub name: String,
    /// Whether an agent can act on it now.
    pub actionable: bool,
    /// Why it is taken for something to act on.
    pub evidence: Vec<String>,
    /// The bytes of the text that stand for it and what it contains: start and end.
    pub span: [usize; 2],
    /// Paths of the elements that were merged into it.
    pub merged: Vec<String>,
    /// Selectors of the frames around it, outermost first.
    pub frame: Vec<String>,
    /// Selectors of the shadow hosts around it within its frame, outermost first.
    pub shadow: Vec<String>,
    /// The browser's own id of the element, for pages captured from a browser.
    pub backend_node_id: Option<u64>,
}

/// What was left out of a snapshot although the page shows it, and the ids to ask for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Elided {
    /// The first and the last id.
    pub refs: [String; 2],
    /// How many elements.
    pub count: usize,
    /// Which step left them out.
    pub reason: String,
}

/// What a stage cost and saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LedgerRow {
    /// The stage's name.
    pub stage: String,
    /// Elements before it ran.
    pub elements: usize,
    /// Elements it removed.
    pub removed: usize,
    /// Tokens of the snapshot if the stages before it had been all.
    pub tokens_before: usize,
    /// Tokens of the snapshot if it had been the last.
    pub tokens_after: usize,
}

/// A [`Diagnostic`] as it stands in the envelope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DiagnosticEntry {
    /// `info` or `warning`.
    pub level: String,
    /// A sentence for a person.
    pub message: String,
    /// The path of the element it is about, if it is about one.
    pub path: Option<String>,
}

/// What the page consists of, counted on the page as captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Links.
    pub links: usize,
    /// Elements that can be acted on.
    pub interactive: usize,
    /// Frames.
    pub iframes: usize,
    /// Shadow roots.
    pub shadow_roots: usize,
    /// Images.
    pub images: usize,
    /// Elements, those in shadow roots and frames included.
    pub elements: usize,
}

impl Statistics {
    /// Counts what a page consists of.
    pub(crate) fn of(page: &Page) -> Self {
        let (document, semantics) = (page.document(), page.semantics());
        let mut statistics = Self::default();
        for node in page.references().nodes() {
            statistics.elements += 1;
            statistics.interactive += usize::from(semantics.is_actionable(node));
            statistics.links += usize::from(semantics.role(node) == Some(Role::Link));
            statistics.shadow_roots += usize::from(document.shadow_root(node).is_some());
            match document.html_name(node) {
                Some(name::IFRAME | name::FRAME) => statistics.iframes += 1,
                Some(name::IMG) => statistics.images += 1,
                _ => {}
            }
        }
        statistics
    }
}

/// The most bytes that all locators of one map may have together. Real pages need a few; a page
/// of nothing but nesting has elements times depth.
pub(crate) const MAX_LOCATOR_BYTES: usize = 64 << 20;

/// Makes map entries of what a writer recorded, up to [`MAX_LOCATOR_BYTES`], and says how many
/// there was no room for.
pub(crate) fn source_map(draft: &Draft<'_>, locator: &Locator<'_>, written: &[Written]) -> (SourceMap, usize) {
    let mut merged: Vec<(NodeId, NodeId)> = draft.merged().to_vec();
    merged.sort_by_key(|&(survivor, _)| survivor);
    let captured = draft.page().document().len();
    let mut trail = Trail::new(locator);
    let mut entries = Vec::with_capacity(written.len());
    let mut bytes = 0;
    let mut left_out = 0;
    let mut written = written.iter().filter(|written| written.node.index() < captured);
    for written in written.by_ref() {
        trail.lead_to(written.node);
        let entry = entry(draft, locator, &trail, written, &merged);
        bytes += entry.path.len() + entry.selector.len() + entry.xpath.len();
        if bytes > MAX_LOCATOR_BYTES {
            left_out = 1;
            break;
        }
        entries.push(entry);
    }
    left_out += written.count();
    (SourceMap { version: VERSION, entries }, left_out)
}

fn entry(
    draft: &Draft<'_>,
    locator: &Locator<'_>,
    trail: &Trail<'_, '_>,
    written: &Written,
    merged: &[(NodeId, NodeId)],
) -> Entry {
    let node = written.node;
    let semantics = draft.page().semantics();
    let selectors = |hosts: Vec<NodeId>| hosts.into_iter().map(|host| locator.selector(host)).collect();
    let first = merged.partition_point(|&(survivor, _)| survivor < node);
    Entry {
        reference: written.reference.map(|number| format!("e{number}")),
        path: trail.path().to_owned(),
        selector: trail.selector().to_owned(),
        xpath: trail.xpath().to_owned(),
        tag: draft.page().document().local_name(node).to_owned(),
        role: draft.role(node).map(|role| role.as_str().to_owned()),
        name: draft.name(node).to_owned(),
        actionable: draft.is_actionable(node),
        evidence: semantics.evidence(node).words().map(str::to_owned).collect(),
        span: [written.span.start, written.span.end],
        merged: merged[first..]
            .iter()
            .take_while(|&&(survivor, _)| survivor == node)
            .map(|&(_, absorbed)| locator.path(absorbed))
            .collect(),
        frame: selectors(locator.frame_hosts(node)),
        shadow: selectors(locator.shadow_hosts(node)),
        backend_node_id: draft.page().backend_node_id(node),
    }
}

/// A diagnostic with its element named by path.
pub(crate) fn diagnostic_entry(diagnostic: &Diagnostic, locator: &Locator<'_>) -> DiagnosticEntry {
    DiagnosticEntry {
        level: match diagnostic.level {
            Level::Info => "info",
            Level::Warning => "warning",
        }
        .to_owned(),
        message: diagnostic.message.clone(),
        path: diagnostic.node.map(|node| locator.path(node)),
    }
}
