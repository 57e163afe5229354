//! Code blocks: their text, language and fences.

use crate::document::{Document, NodeId, name};
use crate::flat_tree::FlatTree;

/// A fence that cannot be mistaken for a line of the code.
pub(super) fn fence(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}

/// The characters of preformatted text; breaks and blocks begin lines.
pub(super) fn text(
    document: &Document,
    tree: &FlatTree,
    position: usize,
    is_block: &dyn Fn(usize) -> bool,
    is_skipped: &dyn Fn(NodeId) -> bool,
) -> String {
    let mut text = String::new();
    let mut ends: Vec<usize> = Vec::new();
    let mut at = position + 1;
    let line = |text: &mut String| {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    };
    while at < tree.end(position) {
        while ends.pop_if(|end| *end <= at).is_some() {
            line(&mut text);
        }
        let node = tree.node(at);
        if document.is_text(node) {
            text.push_str(document.text(node));
        } else if is_skipped(node) {
            at = tree.end(at);
            continue;
        } else if document.is_html(node, name::BR) {
            text.push('\n');
        } else if is_block(at) {
            line(&mut text);
            ends.push(tree.end(at));
        }
        at += 1;
    }
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The language that classes or attributes of the block or its code name: `language-rust`,
/// `lang-rust`, `highlight-source-rust`, `data-lang="rust"`, `brush: rust`.
pub(super) fn language(document: &Document, tree: &FlatTree, position: usize) -> String {
    let node = tree.node(position);
    let inner = tree.children(node).find(|&child| document.is_html(child, name::CODE));
    let outer = tree.parent(node);
    let outer_of_outer = outer.and_then(|outer| tree.parent(outer));
    inner
        .into_iter()
        .chain([node])
        .chain(outer)
        .chain(outer_of_outer)
        .filter(|&node| document.is_element(node))
        .find_map(|node| language_of(document, node))
        .unwrap_or_default()
}

fn language_of(document: &Document, node: NodeId) -> Option<String> {
    let attributes = ["data-lang", "data-language"];
    let named = attributes
        .iter()
        .find_map(|attribute| document.attribute(node, document.find_name(attribute)?))
        .filter(|language| is_language(language));
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let mut classes = document.attribute(node, name::CLASS)?.split_ascii_whitespace();
    while let Some(class) = classes.next() {
        if let Some(brush) = class.strip_prefix("brush:") {
            let brush = if brush.is_empty() { classes.next().unwrap_or("") } else { brush };
            let brush = brush.trim_end_matches(';');
            return is_language(brush).then(|| brush.to_owned());
        }
        let language = ["language-", "lang-", "highlight-source-"].iter().find_map(|prefix| class.strip_prefix(prefix));
        let text = class.strip_prefix("highlight-text-").and_then(|rest| rest.split('-').next());
        if let Some(language) = language.or(text).filter(|language| is_language(language)) {
            return Some(language.to_owned());
        }
    }
    None
}

/// Whether the word may stand behind a fence.
fn is_language(word: &str) -> bool {
    (1..=40).contains(&word.len())
        && !word.contains(|character: char| character <= ' ' || matches!(character, '`' | '\\' | '&' | '<'))
}
