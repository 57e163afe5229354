//! The algorithm over a subtree (accname 1.2, section 4.3.2), without recursion: references from
//! one element to others are tasks on a stack.

use super::embedded::{Embedded, embedded};
use super::labels::Labels;
use super::native::{self, Alternative};
use super::text::{Budget, Joined};
use super::{Sources, aria_label, filled};
use crate::document::{Name, NodeId, name};
use crate::semantics::roles::Role;
use crate::semantics::style::Display;

/// Computes names, one after the other.
pub(super) struct Walk<'page> {
    sources: Sources<'page>,
    labels: &'page Labels,
    budget: Budget,
    tasks: Vec<Task>,
    open: Vec<Open<'page>>,
    text: Joined,
}

/// A subtree whose text is being gathered.
struct Task {
    root: NodeId,
    /// The position to look at next, and the one behind the subtree.
    next: usize,
    end: usize,
    /// How many elements were open when it began.
    open: usize,
    purpose: Purpose,
    /// The subtree is read although it is hidden, since it was asked for by name.
    reads_hidden: bool,
    /// Somewhere above is an `aria-labelledby`; those inside it are not followed.
    by_reference: bool,
}

/// Why a subtree is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// For the name of its root, of which all else is known to say nothing.
    OwnContent,
    /// For the name of another element, to which the root adds as any element would.
    Reference,
}

/// An element whose end has not been reached.
struct Open<'page> {
    end: usize,
    node: NodeId,
    is_apart: bool,
    /// Speaks when nothing in the element has, since the text was this long.
    title: Option<&'page str>,
    length: usize,
}

/// How deep references may lead from one element to another: labels that contain controls with
/// labels that contain controls.
const MAX_TASKS: usize = 8;

impl<'page> Walk<'page> {
    pub(super) fn new(sources: &Sources<'page>, labels: &'page Labels, budget: Budget) -> Self {
        let text = Joined::default();
        Self { sources: *sources, labels, budget, tasks: Vec::new(), open: Vec::new(), text }
    }

    /// The element's name.
    pub(super) fn name(&mut self, node: NodeId, from_content: bool) -> Joined {
        let Sources { document, ids, .. } = self.sources;
        self.budget.begin();
        let by_reference = self.referenced(ids.labelled_by(node).collect());
        if !by_reference.is_empty() {
            return by_reference;
        }
        if let Some(label) = aria_label(document, node) {
            return self.folded(label);
        }
        for &alternative in native::alternatives(document, node) {
            let text = match alternative {
                Alternative::Labels => self.labels_of(node),
                Alternative::Child(_) => match native::child_of(document, node, alternative) {
                    Some(child) => self.gather(vec![self.task(child, Purpose::OwnContent, false)]),
                    None => continue,
                },
                _ => match native::text_of(document, node, alternative) {
                    Some(text) if matches!(alternative, Alternative::Whole(_)) => return self.folded(text),
                    Some(text) => self.folded(text),
                    None => continue,
                },
            };
            if !text.is_empty() {
                return text;
            }
        }
        if from_content {
            let reads_hidden = self.sources.is_hidden(node);
            let text = self.gather(vec![Task { reads_hidden, ..self.task(node, Purpose::OwnContent, false) }]);
            if !text.is_empty() {
                return text;
            }
        }
        let title = self.title(node).filter(|_| !self.sources.role(node).is_some_and(Role::prohibits_name));
        title.map_or_else(Joined::default, |title| self.folded(title))
    }

    /// The element's description, given its name: what it refers to, what its author says, or a
    /// title that is not its name (accname 1.2, section 4.3.3).
    pub(super) fn description(&mut self, node: NodeId, name: &Joined) -> Joined {
        let Sources { document, ids, .. } = self.sources;
        self.budget.begin();
        if let Some(list) = document.attribute(node, name::ARIA_DESCRIBEDBY) {
            let text = self.referenced(ids.references(node, list).collect());
            if !text.is_empty() {
                return text;
            }
        }
        let written = filled(document, node, name::ARIA_DESCRIPTION).or_else(|| self.title(node));
        let text = written.map_or_else(Joined::default, |text| self.folded(text));
        if text.as_str() == name.as_str() { Joined::default() } else { text }
    }

    /// The text of elements that an attribute lists, those that are hidden included.
    fn referenced(&mut self, elements: Vec<NodeId>) -> Joined {
        let tasks = elements.into_iter().map(|element| Task {
            reads_hidden: self.sources.is_hidden(element),
            ..self.task(element, Purpose::Reference, true)
        });
        let tasks = tasks.collect();
        self.gather(tasks)
    }

    fn labels_of(&mut self, control: NodeId) -> Joined {
        let labels = self.labels.of(control);
        let tasks = labels.iter().map(|&label| self.task(label, Purpose::Reference, false)).collect();
        self.open.push(Open { end: usize::MAX, node: control, is_apart: false, title: None, length: 0 });
        let text = self.gather(tasks);
        self.open.clear();
        text
    }

    fn task(&self, root: NodeId, purpose: Purpose, by_reference: bool) -> Task {
        let position = self.sources.flat_tree.position(root);
        let (next, end) = position.map_or((0, 0), |at| (at, self.sources.flat_tree.end(at)));
        Task { root, next, end, open: 0, purpose, reads_hidden: false, by_reference }
    }

    fn folded(&mut self, text: &str) -> Joined {
        let mut joined = Joined::default();
        if self.budget.spend(text.len()) {
            joined.push(text);
        }
        joined
    }

    fn title(&self, node: NodeId) -> Option<&'page str> {
        filled(self.sources.document, node, name::TITLE)
    }

    /// Reads the subtrees in turn; their texts are kept apart.
    fn gather(&mut self, mut tasks: Vec<Task>) -> Joined {
        self.text = Joined::default();
        tasks.reverse();
        for task in &mut tasks {
            task.open = self.open.len();
        }
        self.tasks = tasks;
        while let Some(task) = self.tasks.last() {
            let (next, end, open) = (task.next, task.end, task.open);
            while self.open.len() > open && self.open.last().is_some_and(|open| open.end <= next || next >= end) {
                self.close();
            }
            if next >= end {
                self.tasks.pop();
                self.text.separate();
            } else if self.budget.spend(1) {
                self.step(next);
            } else {
                break;
            }
        }
        self.tasks.clear();
        std::mem::take(&mut self.text)
    }

    /// Looks at one node and moves the task behind it or into it.
    fn step(&mut self, position: usize) {
        let Sources { document, flat_tree, .. } = self.sources;
        let node = flat_tree.node(position);
        let Some(task) = self.tasks.last_mut() else { return };
        task.next = position + 1;
        let (is_root, purpose, reads_hidden) = (task.root == node, task.purpose, task.reads_hidden);
        if document.is_text(node) {
            if reads_hidden || !self.sources.is_hidden(node) {
                self.push(document.text(node));
            }
            return;
        }
        if !document.is_element(node) {
            return;
        }
        let is_unread =
            if reads_hidden { is_never_read(document.html_name(node)) } else { self.sources.is_subtree_hidden(node) };
        if is_unread || !is_root && self.is_being_named(node) {
            return self.skip(position);
        }
        if document.is_html(node, name::BR) {
            self.text.separate();
        }
        let speaks = reads_hidden || !self.sources.is_hidden(node);
        if speaks && !(is_root && purpose == Purpose::OwnContent) && self.speak(node, position) {
            return;
        }
        self.open(node, position, !is_root && speaks || purpose == Purpose::Reference);
    }

    /// Lets an element say its own text in place of its content; false when it has none.
    fn speak(&mut self, node: NodeId, position: usize) -> bool {
        let Sources { document, ids, .. } = self.sources;
        let by_reference = self.tasks.last().is_some_and(|task| task.by_reference);
        let may_refer = self.tasks.len() < MAX_TASKS;
        let list_length = document.attribute(node, name::ARIA_LABELLEDBY).map_or(0, str::len);
        if !by_reference && may_refer && self.budget.spend(list_length) {
            let references: Vec<NodeId> = ids.labelled_by(node).collect();
            if !references.is_empty() {
                self.skip(position);
                self.refer(references, true);
                return true;
            }
        }
        match embedded(&self.sources, node, &mut self.budget) {
            Embedded::Value(value) => {
                self.say(value);
                self.skip(position);
                return true;
            }
            Embedded::Content(elements) => {
                self.skip(position);
                self.text.separate();
                if may_refer {
                    self.refer(elements, by_reference);
                }
                return true;
            }
            Embedded::OwnContent => {
                self.open(node, position, false);
                return true;
            }
            Embedded::No => {}
        }
        if let Some(label) = aria_label(document, node) {
            self.say(label);
            self.skip(position);
            return true;
        }
        if self.sources.role(node).is_none() {
            return false;
        }
        for &alternative in native::alternatives(document, node) {
            let elements: Vec<NodeId> = match alternative {
                Alternative::Labels if self.budget.spend(self.labels.of(node).len()) => self.labels.of(node).to_vec(),
                Alternative::Labels => Vec::new(),
                Alternative::Child(_) => native::child_of(document, node, alternative).into_iter().collect(),
                Alternative::Default(_) => Vec::new(),
                _ => match native::text_of(document, node, alternative) {
                    Some(text) => {
                        self.say(text);
                        self.skip(position);
                        return true;
                    }
                    None => continue,
                },
            };
            if !elements.is_empty() && may_refer && !elements.iter().any(|&element| self.is_being_named(element)) {
                self.skip(position);
                self.refer(elements, by_reference);
                return true;
            }
        }
        if is_replaced(document.html_name(node)) {
            if let Some(title) = self.title(node) {
                self.say(title);
            }
            self.skip(position);
            return true;
        }
        false
    }

    /// Reads other elements before going on.
    fn refer(&mut self, elements: Vec<NodeId>, by_reference: bool) {
        self.text.separate();
        let open = self.open.len();
        for element in elements.into_iter().rev() {
            let reads_hidden = by_reference && self.sources.is_hidden(element);
            let task = self.task(element, Purpose::Reference, by_reference);
            self.tasks.push(Task { open, reads_hidden, ..task });
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

    fn skip(&mut self, position: usize) {
        let end = self.sources.flat_tree.end(position);
        if let Some(task) = self.tasks.last_mut() {
            task.next = end;
        }
    }

    /// Goes into an element.
    fn open(&mut self, node: NodeId, position: usize, may_speak_by_title: bool) {
        let display = self.sources.styles.of(node).display;
        let is_apart = display.is_block() || display == Display::InlineBlock;
        let prohibited = self.sources.role(node).is_none_or(Role::prohibits_name);
        let title = if may_speak_by_title && !prohibited { self.title(node) } else { None };
        if is_apart {
            self.text.separate();
        }
        let length = self.text.len();
        self.open.push(Open { end: self.sources.flat_tree.end(position), node, is_apart, title, length });
    }

    /// Leaves the innermost element.
    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        if let Some(title) = open.title
            && self.text.len() == open.length
        {
            self.say(title);
        }
        if open.is_apart {
            self.text.separate();
        }
    }

    /// Whether the element's text is being gathered right now, here or further up.
    fn is_being_named(&self, node: NodeId) -> bool {
        self.tasks.iter().any(|task| task.root == node)
            || self.open.first().is_some_and(|open| open.end == usize::MAX && open.node == node)
    }
}

/// Elements whose text is not for reading, not even when it is asked for.
fn is_never_read(element: Option<Name>) -> bool {
    matches!(element, Some(name::SCRIPT | name::STYLE | name::TEMPLATE | name::NOEMBED | name::NOFRAMES))
}

/// Elements that show something else than what is in them.
fn is_replaced(element: Option<Name>) -> bool {
    matches!(element, Some(name::IFRAME | name::FRAME | name::VIDEO | name::AUDIO | name::METER | name::PROGRESS))
}
