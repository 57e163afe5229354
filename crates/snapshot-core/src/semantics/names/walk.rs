//! The algorithm over subtrees (accname 1.2, section 4.3.2), without recursion: references from
//! one element to others are tasks on a stack.

use super::embedded::{Embedded, embedded};
use super::native::{self, Alternative};
use super::text::{Budget, Joined};
use super::{Sources, aria_label, filled};
use crate::document::{Name, NodeId, name};
use crate::semantics::roles::Role;
use crate::semantics::style::{Display, PseudoContent};

/// Gathers the text of subtrees, for one element after the other.
pub(super) struct Walk<'page> {
    pub(super) sources: Sources<'page>,
    pub(super) budget: Budget,
    /// The element whose name or description is computed.
    named: NodeId,
    tasks: Vec<Task>,
    /// The roots of the tasks that have been begun.
    active: Vec<NodeId>,
    open: Vec<Open<'page>>,
    /// What has been read for the element, behind the names that are done.
    pub(super) text: Joined,
    /// The number of the element that is named, and the number at which each node was last
    /// referred to from inside: such a node is not read again as content.
    turn: u32,
    referred: Vec<u32>,
}

/// A subtree to read.
#[derive(Clone, Copy)]
pub(super) struct Task {
    root: NodeId,
    /// The position to look at next, and the one behind the subtree.
    next: usize,
    end: usize,
    /// The number of elements that are open around it, and of tasks it was begun from.
    open: usize,
    depth: usize,
    is_begun: bool,
    purpose: Purpose,
    /// The subtree is read although it is hidden, since it was asked for by name.
    reads_hidden: bool,
    /// It was asked for by `aria-labelledby` or its kin; further ones are not followed.
    by_reference: bool,
}

impl Task {
    /// Whether the other subtree is part of this one.
    pub(super) fn contains(&self, other: &Self) -> bool {
        self.next <= other.next && other.end <= self.end
    }
}

/// Why a subtree is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// For its root, of which all but its content is known to say nothing.
    Content,
    /// For another element, to which the root adds what any element would.
    Reference,
    /// The same, by `aria-labelledby` or its kin.
    AriaReference,
}

/// An element whose end has not been reached.
struct Open<'page> {
    end: usize,
    is_apart: bool,
    /// Speaks when nothing in the element has, since the text was this long.
    title: Option<&'page str>,
    length: usize,
    after: Option<&'page PseudoContent>,
}

/// How far references may lead from one element to the next: a label that contains a control
/// with a label that contains a control.
const MAX_DEPTH: usize = 8;

impl<'page> Walk<'page> {
    pub(super) fn new(sources: &Sources<'page>) -> Self {
        Self {
            sources: *sources,
            budget: Budget::of(sources.document, sources.flat_tree),
            named: NodeId::DOCUMENT,
            tasks: Vec::new(),
            active: Vec::new(),
            open: Vec::new(),
            text: Joined::default(),
            turn: 0,
            referred: vec![0; sources.document.len()],
        }
    }

    /// Begins with another element.
    pub(super) fn begin(&mut self, named: NodeId) {
        self.budget.begin();
        self.text.begin();
        self.named = named;
        self.turn += 1;
    }

    /// The task to read the subtree of `root`. Of a hidden subtree that was asked for all is read,
    /// of a shown one not what is hidden in it.
    pub(super) fn task(&self, root: NodeId, purpose: Purpose) -> Task {
        let position = self.sources.flat_tree.position(root);
        let (next, end) = position.map_or((0, 0), |at| (at, self.sources.flat_tree.end(at)));
        let by_reference = purpose == Purpose::AriaReference;
        let is_asked_for = by_reference || root == self.named;
        Task {
            root,
            next,
            end,
            open: 0,
            depth: 0,
            is_begun: false,
            purpose,
            reads_hidden: is_asked_for && self.sources.is_hidden(root),
            by_reference,
        }
    }

    /// Reads the content of the element that is named.
    pub(super) fn gather_content(&mut self) {
        match self.only_text() {
            Some(text) => {
                self.text.begin();
                // A step to the element and one to the text.
                if self.budget.spend(1) && self.budget.spend(1) {
                    self.push(text);
                }
            }
            None => {
                let task = self.task(self.named, Purpose::Content);
                self.gather(std::iter::once(task));
            }
        }
    }

    /// The content of the element that is named, if that is one text alone, as it often is.
    fn only_text(&self) -> Option<&'page str> {
        let Sources { document, flat_tree, styles, .. } = self.sources;
        let position = flat_tree.position(self.named)?;
        let text = *flat_tree.nodes().get(position + 1).filter(|_| flat_tree.end(position) == position + 2)?;
        let is_shown = document.is_text(text) && !self.sources.is_hidden(text) && !self.sources.is_hidden(self.named);
        let is_generated = styles.before(self.named).is_some() || styles.after(self.named).is_some();
        (is_shown && !is_generated).then(|| document.text(text))
    }

    /// Reads subtrees in turn; their texts are kept apart.
    pub(super) fn gather(&mut self, tasks: impl DoubleEndedIterator<Item = Task>) {
        self.text.begin();
        self.tasks.extend(tasks.rev());
        while let Some(task) = self.tasks.last_mut() {
            let (next, end, open) = (task.next, task.end, task.open);
            if !std::mem::replace(&mut task.is_begun, true) {
                self.active.push(task.root);
            }
            while self.open.len() > open && self.open.last().is_some_and(|open| open.end <= next || next >= end) {
                self.close();
            }
            if next >= end {
                self.tasks.pop();
                self.active.pop();
                self.text.separate();
            } else if self.budget.spend(1) {
                self.step(next);
            } else {
                break;
            }
        }
        self.tasks.clear();
        self.active.clear();
        self.open.clear();
    }

    /// Looks at one node and moves the task behind it or into it.
    fn step(&mut self, position: usize) {
        let Sources { document, flat_tree, .. } = self.sources;
        let node = flat_tree.node(position);
        let Some(task) = self.tasks.last_mut() else { return };
        task.next = position + 1;
        let task = *task;
        let is_root = task.root == node;
        let is_heard = task.reads_hidden || !self.sources.is_hidden(node);
        if document.is_text(node) {
            if is_heard {
                self.push(document.text(node));
            }
            return;
        }
        if !document.is_element(node) {
            return;
        }
        let element = document.html_name(node);
        let is_silent = if task.reads_hidden { is_never_read(element) } else { self.sources.is_subtree_hidden(node) };
        if is_silent || !is_root && self.has_been_read(node, task.by_reference) {
            if node == self.named {
                // The place of a control in its own label.
                self.text.separate();
            }
            return self.skip(position);
        }
        if element == Some(name::BR) {
            self.text.separate();
        }
        let speaks = is_heard && !(is_root && task.purpose == Purpose::Content);
        if speaks && self.speak(node, position, &task) {
            return;
        }
        if element == Some(name::LABEL) {
            // The control that it labels need not say it again.
            self.referred[node.index()] = self.turn;
        }
        let adds_content = self.sources.role(node).is_none_or(Role::adds_content_to_names) && !is_replaced(element);
        if is_root || adds_content {
            self.enter(node, position, speaks, !task.reads_hidden);
        } else {
            self.enter(node, position, speaks, false);
            self.skip(position);
        }
    }

    /// Lets an element say its own text in place of its content; false when it has none.
    fn speak(&mut self, node: NodeId, position: usize, task: &Task) -> bool {
        let Sources { document, ids, .. } = self.sources;
        let may_refer = task.depth < MAX_DEPTH;
        let list_length = document.attribute(node, name::ARIA_LABELLEDBY).map_or(0, str::len);
        if !task.by_reference && may_refer && self.budget.spend(list_length) {
            let references: Vec<NodeId> = ids.labelled_by(node).collect();
            if !references.is_empty() {
                self.skip(position);
                self.refer(references, Purpose::AriaReference, task);
                return true;
            }
        }
        // An element that refers to itself is not embedded in anything.
        let value = if node == self.named { Embedded::No } else { embedded(&self.sources, node, &mut self.budget) };
        match value {
            Embedded::No => {}
            Embedded::Value(value) => {
                self.say(value);
                self.skip(position);
                return true;
            }
            Embedded::Options(options) => {
                self.skip(position);
                self.text.separate();
                if may_refer {
                    self.refer(options, Purpose::Reference, task);
                }
                return true;
            }
            Embedded::OwnContent => {
                self.enter(node, position, false, !task.reads_hidden);
                return true;
            }
        }
        if self.sources.role(node).is_none() {
            return false;
        }
        if let Some(label) = aria_label(document, node) {
            self.say(label);
            self.skip(position);
            return true;
        }
        for &alternative in native::alternatives(document, node) {
            let elements: Vec<NodeId> = match alternative {
                Alternative::Expansion => continue,
                Alternative::Labels => self.unread_labels(node),
                Alternative::Child(_) => native::child_of(document, node, alternative).into_iter().collect(),
                _ => match native::text_of(document, node, alternative) {
                    Some(text) => {
                        self.say(&text);
                        self.skip(position);
                        return true;
                    }
                    None => continue,
                },
            };
            let is_circular = elements.iter().any(|&element| self.active.contains(&element));
            if may_refer && !elements.is_empty() && !is_circular {
                self.skip(position);
                self.refer(elements, Purpose::Reference, task);
                return true;
            }
        }
        false
    }

    /// The labels of a control inside the element that is named, those left out whose text is
    /// in the name already.
    fn unread_labels(&mut self, control: NodeId) -> Vec<NodeId> {
        let labels = self.sources.labels.of(control);
        if !self.budget.spend(labels.len()) {
            return Vec::new();
        }
        labels.iter().copied().filter(|label| self.referred[label.index()] != self.turn).collect()
    }

    /// Reads other elements before going on with the task.
    fn refer(&mut self, elements: Vec<NodeId>, purpose: Purpose, from: &Task) {
        self.text.separate();
        for element in elements.into_iter().rev() {
            self.referred[element.index()] = self.turn;
            let task = self.task(element, purpose);
            self.tasks.push(Task {
                open: self.open.len(),
                depth: from.depth + 1,
                reads_hidden: from.reads_hidden || task.reads_hidden,
                by_reference: from.by_reference || task.by_reference,
                ..task
            });
        }
    }

    /// Adds a text that is not content and so stands apart from it.
    fn say(&mut self, text: &str) {
        self.text.separate();
        self.push(text);
        self.text.separate();
    }

    fn push(&mut self, text: &str) {
        if self.budget.spend(text.len()) {
            self.text.push(text);
        }
    }

    /// Moves the task behind the subtree.
    fn skip(&mut self, position: usize) {
        let end = self.sources.flat_tree.end(position);
        if let Some(task) = self.tasks.last_mut() {
            task.next = end;
        }
    }

    /// Moves into an element: its title speaks if it may and nothing else does, and what style
    /// sheets write around its content is part of it when it is shown.
    fn enter(&mut self, node: NodeId, position: usize, speaks: bool, is_shown: bool) {
        let display = self.sources.styles.of(node).display;
        let role = self.sources.role(node);
        let is_apart =
            display.is_block() || display == Display::InlineBlock || role.is_some_and(Role::stands_apart_in_names);
        let may_have_title = speaks && role.is_some_and(|role| !role.prohibits_name());
        let title = if may_have_title { filled(self.sources.document, node, name::TITLE) } else { None };
        if is_apart {
            self.text.separate();
        }
        let length = self.text.len();
        let styles = self.sources.styles;
        let (before, after) = if is_shown { (styles.before(node), styles.after(node)) } else { (None, None) };
        self.open.push(Open { end: self.sources.flat_tree.end(position), is_apart, title, after, length });
        self.push_generated(before);
    }

    /// Leaves the innermost element.
    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.push_generated(open.after);
        if let Some(title) = open.title
            && self.text.len() == open.length
        {
            self.say(title);
        }
        if open.is_apart {
            self.text.separate();
        }
    }

    fn push_generated(&mut self, content: Option<&PseudoContent>) {
        let Some(content) = content else { return };
        let is_apart = content.display.is_block() || content.display == Display::InlineBlock;
        if is_apart {
            self.text.separate();
        }
        self.push(&content.text);
        if is_apart {
            self.text.separate();
        }
    }

    /// Whether an element has had its turn: it is what is named and this is its own label, or a
    /// task is reading it further up, or something inside has referred to it.
    fn has_been_read(&self, node: NodeId, by_reference: bool) -> bool {
        node == self.named && !by_reference || self.referred[node.index()] == self.turn || self.active.contains(&node)
    }
}

/// Elements whose text is not for reading, not even when it is asked for.
fn is_never_read(element: Option<Name>) -> bool {
    matches!(element, Some(name::SCRIPT | name::STYLE | name::TEMPLATE | name::NOEMBED | name::NOFRAMES))
}

/// Elements that show something else than what is in them.
fn is_replaced(element: Option<Name>) -> bool {
    matches!(element, Some(name::IFRAME | name::FRAME | name::VIDEO | name::AUDIO | name::OBJECT))
}
