//! What is left out of an item, or left out as a whole, when its children are known.

use std::borrow::Cow;

use super::absorb;
use super::build::Builder;
use super::tree::Child;
use crate::document::NodeId;
use crate::semantics::Role;

impl Builder<'_, '_> {
    /// Leaves out the name that stands below, or the text below that stands in the name.
    pub(super) fn drop_repetition(&mut self, index: usize, absorber: Option<usize>) {
        let Some(item) = self.output.items.get(index) else { return };
        let target = self.view.draft.is_target(item.node);
        let named = !item.name.is_empty();
        let children = self.output.children(item);
        let lone_text = children.iter().all(|child| matches!(child, Child::Run(_)));
        if named
            && !target
            && !lone_text
            && absorb::is_named_by_content(item.role)
            && absorb::is_repeated_below(&self.output, item, &item.name)
        {
            if let Some(item) = self.output.items.get_mut(index) {
                item.name = Cow::Borrowed("");
            }
            return;
        }
        for at in item.children.clone() {
            if self.is_said(index, absorber, at) {
                self.silence_run(index, at);
            }
        }
    }

    /// Whether the child is text that the item's own name says exactly, or that the name of the
    /// target or heading around it says among other things.
    fn is_said(&self, index: usize, absorber: Option<usize>, child: usize) -> bool {
        let Some(Child::Run(run)) = self.output.children.get(child) else { return false };
        let text = self.output.run_text(run);
        let name = |item: usize| self.output.items.get(item).map(|item| &*item.name);
        name(index).is_some_and(|own| !own.is_empty() && own == text)
            || absorber.and_then(name).is_some_and(|outer| absorb::says(outer, text))
    }

    /// Empties a run. The phrase elements that began and ended in it are said by the item's line.
    fn silence_run(&mut self, index: usize, at: usize) {
        let Some(Child::Run(run)) = self.output.children.get(at) else { return };
        let run = run.clone();
        let marks = self.output.run_marks(&run).to_vec();
        let mut depth = 0i32;
        let balanced = marks.iter().all(|mark| {
            depth += if mark.opens.is_some() { 1 } else { -1 };
            depth >= 0
        }) && depth == 0;
        let Some(item) = self.output.items.get_mut(index) else { return };
        let Some(Child::Run(run)) = self.output.children.get_mut(at) else { return };
        run.text.end = run.text.start;
        if balanced {
            run.marks.end = run.marks.start;
            item.absorbed.extend(marks.iter().filter_map(|mark| mark.opens));
        } else {
            let empty = run.text.start;
            let range = run.marks.clone();
            for mark in self.output.marks.get_mut(range).unwrap_or_default() {
                mark.at = empty;
            }
        }
    }

    /// Whether the item is structure around nothing, or a heading that says nothing. Cells stay,
    /// since they keep their column; so do lists and the like that the page itself has empty,
    /// since they may be filled later.
    pub(super) fn is_empty_structure(&self, index: usize) -> bool {
        let Some(item) = self.output.items.get(index) else { return false };
        let captured = self.view.draft.page().document();
        let was_empty = || {
            item.node.index() < captured.len()
                && captured.shadow_root(item.node).is_none()
                && captured
                    .children(item.node)
                    .all(|node| !captured.is_element(node) && captured.text(node).trim().is_empty())
        };
        item.name.is_empty()
            && item.reference.is_none()
            && item.children.is_empty()
            && self.output.is_leaf(item)
            && !self.view.draft.is_target(item.node)
            && (item.role == Role::Heading
                || absorb::is_structure(item.role) && (absorb::dissolves(item.role) || !was_empty()))
    }

    /// The item below a group that has neither name nor state and holds nothing else, such as
    /// the summary of closed details; it stands for the group.
    pub(super) fn only_child_of_group(&mut self, index: usize) -> Option<usize> {
        let item = self.output.items.get(index)?;
        let bare = item.role == Role::Group
            && item.name.is_empty()
            && item.reference.is_none()
            && !item.states.disabled
            && !self.view.draft.is_target(item.node);
        let &[Child::Item(child)] = self.output.children(item) else { return None };
        if !bare {
            return None;
        }
        let node = item.node;
        let absorbed = self.output.items.get_mut(index).map(|item| std::mem::take(&mut item.absorbed))?;
        self.absorb(child, node);
        self.output.items.get_mut(child)?.absorbed.extend(absorbed);
        Some(child)
    }

    /// Lets the name of the target or heading around an item stand for the item, when it says
    /// all that the item would.
    pub(super) fn dissolve(&mut self, index: usize, around: usize, absorber: Option<usize>) -> bool {
        let Some(item) = self.output.items.get(index) else { return false };
        if self.view.draft.is_target(item.node)
            || !absorb::dissolves(item.role)
            || !self
                .output
                .children(item)
                .iter()
                .all(|child| matches!(child, Child::Run(run) if run.text.is_empty() && run.marks.is_empty()))
        {
            return false;
        }
        let outer = absorber.and_then(|absorber| self.output.items.get(absorber));
        let said_by_outer = outer.is_some_and(|outer| absorb::says(&outer.name, &item.name));
        // A caption names its table, a figure caption its figure.
        let said_by_parent = item.role == Role::Caption
            && self.output.items.get(around).is_some_and(|parent| !item.name.is_empty() && parent.name == item.name);
        let heir = match absorber {
            Some(absorber) if said_by_outer => absorber,
            _ if said_by_parent => around,
            _ => return false,
        };
        let node = item.node;
        let absorbed =
            self.output.items.get_mut(index).map(|item| std::mem::take(&mut item.absorbed)).unwrap_or_default();
        self.absorb(heir, node);
        if let Some(heir) = self.output.items.get_mut(heir) {
            heir.absorbed.extend(absorbed);
        }
        true
    }

    pub(super) fn absorb(&mut self, item: usize, node: NodeId) {
        if let Some(item) = self.output.items.get_mut(item) {
            item.absorbed.push(node);
        }
    }

    /// Puts neighbouring options without states into one line.
    pub(super) fn join_options(&mut self, index: usize) {
        let Some(children) = self.output.items.get(index).map(|item| item.children.clone()) else { return };
        let first = children.start;
        let children: Vec<Child> = self.output.children.drain(children).collect();
        let mut joined: Vec<Child> = Vec::new();
        for child in children {
            match child {
                Child::Item(option) if self.is_plain_option(option) => match joined.last_mut() {
                    Some(Child::Options(options)) => options.push(option),
                    _ => joined.push(Child::Options(vec![option])),
                },
                child if self.output.takes_line(&child) => joined.push(child),
                _ => {}
            }
        }
        self.output.children.extend(joined);
        if let Some(item) = self.output.items.get_mut(index) {
            item.children = first..self.output.children.len();
        }
    }

    fn is_plain_option(&self, index: usize) -> bool {
        self.output.items.get(index).is_some_and(|item| {
            item.role == Role::Option
                && !item.name.is_empty()
                && item.reference.is_none()
                && super::states::marks(&item.states).next().is_none()
                && self.output.is_leaf(item)
        })
    }
}
