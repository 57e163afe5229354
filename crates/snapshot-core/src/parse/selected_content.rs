//! `<selectedcontent>`: shows the chosen option's content again in the select's button (HTML
//! Standard, "maybe clone an option into selectedcontent").

use rustc_hash::FxHashSet;

use crate::document::{Document, NodeId, NodeKind, name};

/// Copies the chosen option's content into each of `targets`, the `<selectedcontent>` elements of
/// a parse in the order in which they were made. To be called when all options are complete: what
/// is chosen last is what a reader sees. Stops where the document would pass `node_limit`.
pub(super) fn fill(document: &mut Document, targets: &[NodeId], node_limit: usize) {
    let mut filled = FxHashSet::default();
    for &target in targets {
        let select = document.ancestors(target).find(|&above| document.is_html(above, name::SELECT));
        let Some(select) = select.filter(|&select| !document.has_attribute(select, name::MULTIPLE)) else { continue };
        if !filled.insert(select) {
            continue;
        }
        let Some(option) = chosen_option(document, select) else { continue };
        if document.ancestors(target).any(|above| above == option) {
            continue;
        }
        if document.descendants(option).count() > node_limit.saturating_sub(document.len()) {
            return;
        }
        while let Some(child) = document.first_child(target) {
            document.detach(child);
        }
        copy_children(document, option, target);
    }
}

/// The last option that the page selects, else the first that can be chosen.
fn chosen_option(document: &Document, select: NodeId) -> Option<NodeId> {
    let mut options = document.descendants(select).filter(|&node| document.is_html(node, name::OPTION));
    let selected = options.clone().filter(|&option| document.has_attribute(option, name::SELECTED)).last();
    selected.or_else(|| options.find(|&option| !document.has_attribute(option, name::DISABLED)))
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
