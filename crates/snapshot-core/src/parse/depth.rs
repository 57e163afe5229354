//! The last word on depth: no element of a parsed page lies deeper than the limit.

use crate::document::{Document, NodeId};

/// Moves elements below `root` that lie deeper than `limit` levels behind the ancestor that is at
/// the limit, with what follows them in it, so that all text stays in its order. Says whether
/// anything had to move. Each node moves at most once. All nodes below `root` are from `first` on.
///
/// The tree builder has dealt with deep pages before; what is left for this are the misnestings that
/// lengthen the tree without lengthening the stack of open elements.
pub(super) fn flatten(document: &mut Document, root: NodeId, first: usize, limit: usize) -> bool {
    document.may_be_deeper(root, first, limit) && flatten_deep(document, root, limit)
}

fn flatten_deep(document: &mut Document, root: NodeId, limit: usize) -> bool {
    let limit = limit.max(1);
    let mut moved = false;
    let mut tops = vec![(root, 0)];
    while let Some((top, top_level)) = tops.pop() {
        let (mut node, mut level) = (top, top_level);
        // Without a stack: down to the first child, else on to what follows.
        loop {
            if let Some(child) = document.first_child(node) {
                (node, level) = (child, level + 1);
            } else {
                while node != top && document.next_sibling(node).is_none() {
                    let Some(parent) = document.parent(node) else { break };
                    (node, level) = (parent, level - 1);
                }
                match document.next_sibling(node) {
                    Some(next) if node != top => node = next,
                    _ => break,
                }
            }
            if level >= limit {
                moved |= move_elements_out(document, node);
            }
            if document.has_attached_trees() {
                // The contents of templates cannot leave them. They go on one level below, and the
                // limit on open elements keeps that short.
                let attached = [document.template_contents(node), document.shadow_root(node)];
                tops.extend(attached.into_iter().flatten().map(|attached| (attached, level.min(limit - 1))));
            }
        }
    }
    moved
}

fn move_elements_out(document: &mut Document, node: NodeId) -> bool {
    let Some(first) = document.element_children(node).next() else { return false };
    let mut next = Some(first);
    let mut behind = node;
    while let Some(child) = next {
        next = document.next_sibling(child);
        match document.next_sibling(behind) {
            Some(sibling) => document.insert_before(sibling, child),
            None => {
                if let Some(parent) = document.parent(behind) {
                    document.append(parent, child);
                }
            }
        }
        behind = child;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Namespace, name};

    #[test]
    fn what_lies_too_deep_moves_up_in_order() {
        let mut document = Document::new();
        let mut parent = NodeId::DOCUMENT;
        for level in 0..5 {
            let element = document.create_element(name::DIV, Namespace::Html);
            document.append(parent, element);
            let before = document.create_text(&format!("<{level}"));
            document.append(element, before);
            parent = element;
        }
        let mut node = Some(parent);
        let mut level = 4;
        while let Some(element) = node.filter(|&node| document.is_element(node)) {
            let after = document.create_text(&format!("{level}>"));
            document.append(element, after);
            node = document.parent(element);
            level -= 1;
        }
        let text = document.text_content(NodeId::DOCUMENT);
        assert!(flatten(&mut document, NodeId::DOCUMENT, 1, 3));
        document.assert_invariants();
        assert_eq!(document.text_content(NodeId::DOCUMENT), text);
        let deepest = document.descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node));
        assert_eq!(deepest.map(|node| document.ancestors(node).count()).max(), Some(3));
        assert!(!flatten(&mut document, NodeId::DOCUMENT, 1, 3));
    }
}
