//! `<selectedcontent>`: shows the chosen option's content again in the select's button (HTML
//! Standard, "maybe clone an option into selectedcontent").

use rustc_hash::FxHashMap;

use crate::document::{Document, NodeId, NodeKind, name};

/// What is known of the selects of a parse, so that no option costs a walk over its select.
#[derive(Debug, Default)]
pub(super) struct SelectedContent {
    /// Elements that were made and have not yet been looked at in their place.
    new: Vec<NodeId>,
    targets: FxHashMap<NodeId, NodeId>,
    first_options: FxHashMap<NodeId, NodeId>,
}

impl SelectedContent {
    /// Remembers a `<selectedcontent>` that was made.
    pub(super) fn made(&mut self, id: NodeId) {
        self.new.push(id);
    }

    /// Called when an option is complete.
    pub(super) fn option_ended(&mut self, document: &mut Document, option: NodeId) {
        if self.new.is_empty() && self.targets.is_empty() {
            return;
        }
        for target in self.new.drain(..) {
            for select in document.ancestors(target).filter(|&above| document.is_html(above, name::SELECT)) {
                self.targets.entry(select).or_insert(target);
            }
        }
        let select = document.ancestors(option).find(|&above| document.is_html(above, name::SELECT));
        let Some(select) = select.filter(|&select| !document.has_attribute(select, name::MULTIPLE)) else { return };
        let Some(&target) = self.targets.get(&select) else { return };
        // Without a word from the page the first option is the selected one.
        let first = *self.first_options.entry(select).or_insert_with(|| {
            document.descendants(select).find(|&node| document.is_html(node, name::OPTION)).unwrap_or(option)
        });
        let selected = first == option || document.has_attribute(option, name::SELECTED);
        if selected && !document.ancestors(target).any(|above| above == option) {
            while let Some(child) = document.first_child(target) {
                document.detach(child);
            }
            copy_children(document, option, target);
        }
    }
}

fn copy_children(document: &mut Document, from: NodeId, to: NodeId) {
    let mut open = vec![(from, to)];
    let sources: Vec<NodeId> = document.descendants(from).collect();
    for source in sources {
        let Some(copy) = copy_node(document, source) else { continue };
        let parent = document.parent(source);
        while open.len() > 1 && open.last().map(|&(source, _)| source) != parent {
            open.pop();
        }
        if let Some(&(_, to)) = open.last() {
            document.append(to, copy);
        }
        open.push((source, copy));
    }
}

fn copy_node(document: &mut Document, source: NodeId) -> Option<NodeId> {
    match document.kind(source) {
        NodeKind::Element => {
            let copy = document.create_element(document.name(source)?, document.namespace(source)?);
            let attributes: Vec<_> = document
                .attributes(source)
                .map(|attribute| (attribute.name, attribute.namespace, attribute.value.to_owned()))
                .collect();
            for (name, namespace, value) in attributes {
                document.push_attribute(copy, name, namespace, &value);
            }
            Some(copy)
        }
        NodeKind::Text => {
            let text = document.text(source).to_owned();
            Some(document.create_text(&text))
        }
        NodeKind::Comment => {
            let text = document.text(source).to_owned();
            Some(document.create_comment(&text))
        }
        _ => None,
    }
}
