//! A page on its way to a snapshot: what stages edit and representations write.

mod elision;
mod overlay;

use std::borrow::Cow;
use std::sync::Arc;

use crate::budget::Interest;
use crate::document::{Document, NodeId, name};
use crate::error::Diagnostic;
use crate::page::Page;
use crate::semantics::{Role, States, Visibility};

use overlay::Overlay;

pub use elision::Elision;
pub(crate) use elision::FOLDED;

/// The working copy of a page. Its document starts as a copy of the captured one with the same
/// ids; its meaning is read from the page, with what stages have changed laid over it.
#[derive(Clone, Debug)]
pub struct Draft<'page> {
    page: &'page Page,
    document: Document,
    roles: Overlay<Role>,
    names: Overlay<String>,
    values: Overlay<Option<String>>,
    addresses: Overlay<Option<String>>,
    merged: Vec<(NodeId, NodeId)>,
    elisions: elision::Elisions,
    relevance: Option<Arc<Interest>>,
    changes: Vec<Change>,
    stage: &'static str,
    diagnostics: Vec<Diagnostic>,
}

/// Something that a stage did, for `explain`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The stage's name.
    pub stage: &'static str,
    /// The element or text.
    pub node: NodeId,
    /// What was done and why, as a sentence part.
    pub reason: Cow<'static, str>,
    /// Whether the node and all below it left the snapshot.
    pub removed: bool,
}

impl<'page> Draft<'page> {
    /// A draft that says all the page says.
    pub fn new(page: &'page Page) -> Self {
        Self {
            page,
            document: page.document().clone(),
            roles: Overlay::default(),
            names: Overlay::default(),
            values: Overlay::default(),
            addresses: Overlay::default(),
            merged: Vec::new(),
            elisions: elision::Elisions::default(),
            relevance: None,
            changes: Vec::new(),
            stage: "",
            diagnostics: Vec::new(),
        }
    }

    /// The page as captured.
    pub fn page(&self) -> &'page Page {
        self.page
    }

    /// The document as edited so far.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document, for edits that take nothing away; removals go through
    /// [`remove`](Self::remove) so that they can be explained.
    pub fn document_mut(&mut self) -> &mut Document {
        &mut self.document
    }

    /// Takes a node and all below it out, and says why.
    pub fn remove(&mut self, node: NodeId, reason: impl Into<Cow<'static, str>>) {
        self.document.detach(node);
        self.changes.push(Change { stage: self.stage, node, reason: reason.into(), removed: true });
    }

    /// Asks the closure about each node of the composed tree in order, and then removes those for
    /// which it gave a reason; what is below such a node is not asked about.
    pub fn prune(&mut self, mut judge: impl FnMut(&Document, NodeId) -> Option<Cow<'static, str>>) {
        let mut removed = Vec::new();
        let mut nodes = self.document.composed_descendants(NodeId::DOCUMENT);
        while let Some(node) = nodes.next() {
            if self.noted_elision(node).is_none()
                && let Some(reason) = judge(&self.document, node)
            {
                nodes.skip_below(node);
                removed.push((node, reason));
            }
        }
        for (node, reason) in removed {
            self.remove(node, reason);
        }
    }

    /// Says that a node was changed, and why.
    pub fn note(&mut self, node: NodeId, reason: impl Into<Cow<'static, str>>) {
        self.changes.push(Change { stage: self.stage, node, reason: reason.into(), removed: false });
    }

    /// Puts the node's children in its place; `survivor` stands for the node from now on.
    pub fn merge_into(&mut self, node: NodeId, survivor: NodeId, reason: impl Into<Cow<'static, str>>) {
        self.document.unwrap(node);
        self.merged.push((survivor, node));
        self.note(node, reason);
    }

    /// Takes a node and all below it out; `survivor` stands for the node from now on.
    pub fn remove_for(&mut self, node: NodeId, survivor: NodeId, reason: impl Into<Cow<'static, str>>) {
        self.merged.push((survivor, node));
        self.remove(node, reason);
    }

    /// Tells the caller something about the result.
    pub fn diagnose(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The element's role.
    pub fn role(&self, node: NodeId) -> Option<Role> {
        self.roles.get(node).copied().or_else(|| self.page.semantics().role(node))
    }

    /// Gives the element another role.
    pub fn set_role(&mut self, node: NodeId, role: Role) {
        self.roles.insert(node, role);
    }

    /// The element's accessible name.
    pub fn name(&self, node: NodeId) -> &str {
        self.names.get(node).map_or_else(|| self.page.semantics().name(node), String::as_str)
    }

    /// Gives the element another name.
    pub fn set_name(&mut self, node: NodeId, name: String) {
        self.names.insert(node, name);
    }

    /// What the control holds now.
    pub fn value(&self, node: NodeId) -> Option<&str> {
        match self.values.get(node) {
            Some(value) => value.as_deref(),
            None => self.page.semantics().value(node),
        }
    }

    /// Gives the control another value, or none.
    pub fn set_value(&mut self, node: NodeId, value: Option<String>) {
        self.values.insert(node, value);
    }

    /// States and properties.
    pub fn states(&self, node: NodeId) -> States {
        self.page.semantics().states_as(node, self.role(node))
    }

    /// The element's id.
    pub fn reference(&self, node: NodeId) -> Option<u32> {
        self.page.references().number(node)
    }

    /// Whether the element is something to click or type into.
    pub fn is_target(&self, node: NodeId) -> bool {
        self.page.semantics().is_target(node) || self.roles.get(node).is_some_and(|role| role.is_interactive())
    }

    /// Whether an agent can act on the element: a target that is shown and not disabled.
    pub fn is_actionable(&self, node: NodeId) -> bool {
        self.is_target(node)
            && self.page.semantics().visibility(node) == Visibility::Visible
            && !self.states(node).disabled
            && self.page.semantics().covered_by(node).is_none()
    }

    /// The link's address as the snapshot shows it: absolute where the page's address is known.
    pub fn address(&self, node: NodeId) -> Option<Cow<'_, str>> {
        if let Some(address) = self.addresses.get(node) {
            return address.as_deref().map(Cow::Borrowed);
        }
        let written = self.document.attribute(node, name::HREF)?;
        Some(self.page.resolve(node, written))
    }

    /// Gives the link another address to show, or none.
    pub fn set_address(&mut self, node: NodeId, address: Option<String>) {
        self.addresses.insert(node, address);
    }

    /// How relevant each element is to the task, when there is one.
    pub(crate) fn relevance(&self) -> Option<Arc<Interest>> {
        self.relevance.clone()
    }

    /// Says what the snapshot is wanted for.
    pub(crate) fn set_task(&mut self, task: &str) {
        self.relevance = Some(Arc::new(Interest::new(self, task)));
    }

    /// What has been done so far, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What has been done, taken out.
    pub(crate) fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// What has been reported so far.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The elements that stand for others: survivor and merged.
    pub fn merged(&self) -> &[(NodeId, NodeId)] {
        &self.merged
    }

    /// Makes copies cheap that are made from now on.
    pub(crate) fn share(&mut self) {
        self.roles.share();
        self.names.share();
        self.values.share();
        self.addresses.share();
    }

    pub(crate) fn begin_stage(&mut self, stage: &'static str) {
        self.stage = stage;
    }
}
