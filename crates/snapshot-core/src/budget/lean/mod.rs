//! The first steps of the ladder, which cost little that a reader would miss: shorter addresses,
//! no attributes that only browsers read, no endless names, nothing said twice, and nothing
//! around what stands well by itself.

mod addresses;
mod attributes;
mod beside;
mod native;
mod pictures;
mod roles;
mod said;
mod shadows;
mod tags;
mod targets;
mod trim;
mod wrappers;

use crate::document::{Name, NodeId, name};
use crate::draft::Draft;
use crate::representations::Containers;
use crate::semantics::Role;
use crate::stages::fold_white_space;
use crate::text::pieces::piece_ends;

pub(super) use wrappers::merge_wrappers;

/// Longer attribute values and names are cut.
const LONGEST_NAME: usize = 160;

/// Longer values of controls are cut.
const LONGEST_VALUE: usize = 400;

/// How much of its content's text the name of a target repeats when that stands below it.
const LONGEST_REPETITION: usize = 28;

/// Takes the first of the steps, after which the page still has its own form.
pub(crate) fn make_light(draft: &mut Draft<'_>, containers: Containers) {
    if containers == Containers::Tags {
        // Nothing else writes white space that nobody sees.
        fold_white_space(draft);
    }
    let nodes = elements(draft);
    if containers == Containers::Tags {
        // Nor attributes as they are.
        attributes::drop_attributes(draft.document_mut(), &nodes);
    }
    let origin = draft.page().url().map(|url| url.origin().ascii_serialization());
    for &node in &nodes {
        addresses::shorten_addresses(draft, node, origin.as_deref());
        attributes::shorten_texts(draft.document_mut(), node);
        if let Some(cut) = draft.value(node).and_then(|value| shortened(value, LONGEST_VALUE)) {
            draft.set_value(node, Some(cut));
        }
        if let Some(cut) = shortened(draft.name(node), LONGEST_NAME) {
            draft.set_name(node, cut);
        }
    }
    merge_wrappers(draft, containers);
}

/// Takes all of the steps. Which of what only holds other elements can stand for nothing depends
/// on how `containers` are written.
pub(crate) fn make_lean(draft: &mut Draft<'_>, containers: Containers) {
    make_light(draft, containers);
    let nodes = elements(draft);
    for &node in &nodes {
        if draft.is_target(node) && !draft.name(node).is_empty() {
            for attribute in [name::PLACEHOLDER, name::ARIA_PLACEHOLDER] {
                draft.document_mut().remove_attribute(node, attribute);
            }
        }
    }
    targets::merge_entries(draft);
    shorten_repetitions(draft, &nodes);
    if containers == Containers::Tags {
        shadows::flatten_shadow_trees(draft);
    }
    said::drop_repetitions(draft, containers);
    beside::drop_echoes(draft, containers);
    match containers {
        Containers::Roles => roles::merge_roles(draft),
        Containers::Tags => tags::merge_tags(draft),
        Containers::Unwritten | Containers::Marks => {}
    }
    merge_wrappers(draft, containers);
}

fn elements(draft: &Draft<'_>) -> Vec<NodeId> {
    let document = draft.document();
    document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)).collect()
}

/// Cuts or drops names that repeat what stands below.
fn shorten_repetitions(draft: &mut Draft<'_>, nodes: &[NodeId]) {
    let document = draft.document();
    let mut holds_lines = vec![false; document.len()];
    for &node in nodes.iter().rev() {
        let Some(parent) = document.composed_parent(node) else { continue };
        holds_lines[parent.index()] |=
            holds_lines[node.index()] || draft.page().references().line_number(node).is_some();
    }
    for &node in nodes {
        let repeats = holds_lines[node.index()]
            && draft.is_target(node)
            && matches!(
                draft.role(node),
                Some(Role::Row | Role::ListItem | Role::TreeItem | Role::Article | Role::Generic | Role::GridCell)
                    | None
            );
        if let Some(cut) = shortened(draft.name(node), LONGEST_REPETITION).filter(|_| repeats) {
            draft.set_name(node, cut);
        }
        if holds_lines[node.index()] {
            forget_content_name(draft, node);
        }
    }
}

/// Takes the name off an element that is no target and has it only from what stands below it.
pub(super) fn forget_content_name(draft: &mut Draft<'_>, node: NodeId) {
    const NAMING: &[Name] = &[name::ARIA_LABEL, name::ARIA_LABELLEDBY, name::TITLE, name::ALT];
    let by_content = matches!(
        draft.role(node),
        Some(
            Role::Row
                | Role::Cell
                | Role::GridCell
                | Role::ColumnHeader
                | Role::RowHeader
                | Role::ListItem
                | Role::TreeItem
                | Role::Article
                | Role::Generic
                | Role::Group
                | Role::Term
                | Role::Definition
                | Role::Tooltip
        ) | None
    );
    if by_content
        && !draft.name(node).is_empty()
        && !draft.is_target(node)
        && !NAMING.iter().any(|&attribute| draft.document().has_attribute(node, attribute))
    {
        draft.set_name(node, String::new());
    }
}

/// The beginning of the text with a mark behind it, if the text is longer than `longest` bytes.
pub(crate) fn shortened(text: &str, longest: usize) -> Option<String> {
    if text.len() <= longest {
        return None;
    }
    let end = piece_ends(text, longest).next().unwrap_or_default();
    (end < text.len()).then(|| format!("{}…", text[..end].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::representations::{ReferencePolicy, View, WriteOptions, find};
    use crate::writer::Writer;
    use crate::{Page, PageOptions};

    /// The page's body made lean and written in a representation.
    fn lean(body: &str, representation: &str) -> String {
        let page = Page::read(body.as_bytes(), &PageOptions::default()).expect("reads");
        let kind = find(representation).expect("is there");
        let mut draft = Draft::new(&page);
        make_lean(&mut draft, kind.containers);
        let options = WriteOptions { terse: true, ..WriteOptions::default() };
        let mut writer = Writer::default();
        let view = View { draft: &draft, options: &options, references: ReferencePolicy::None };
        kind.representation.write(&view, &mut writer);
        let text = writer.finish().0;
        text.strip_prefix("<!DOCTYPE html>").unwrap_or(&text).trim_end().to_owned()
    }

    #[test]
    fn what_stands_beside_something_that_says_the_same_goes() {
        for (body, wanted) in [
            // The words in front of a field, and behind it.
            ("<div>Auto-assign:</div><button role=switch aria-label=Auto-assign></button>", "- switch \"Auto-assign\""),
            ("<input type=checkbox aria-label=Urgent><div>Urgent</div>", "- checkbox \"Urgent\""),
            // A part of a sentence is none.
            ("<p>Press <b>Go</b> <button>Go</button> now", "- text: Press Go\n- button \"Go\"\n- text: now"),
            // A picture and its caption.
            ("<p>Paid<p><img alt=Paid src=p.png>", "- paragraph: Paid"),
            // What is called as the heading in front of it.
            (
                "<h2 id=h>Hours</h2><table aria-labelledby=h><tr><td>Mon<td>9",
                "- heading \"Hours\" [level=2]\n- table:\n  - row: Mon | 9",
            ),
            ("<table><caption>Fares</caption><tr><td>Day<td>9", "- table \"Fares\":\n  - row: Day | 9"),
        ] {
            assert_eq!(lean(body, "ax"), wanted, "{body}");
        }
    }

    #[test]
    fn an_entry_that_holds_one_target_of_its_name_goes() {
        let tree = "<ul role=tree><li role=treeitem tabindex=0 STATE><a href=/sent>Sent</a></ul>";
        let plain = lean(&tree.replace("STATE", ""), "ax");
        assert!(plain.contains("link \"Sent\"") && !plain.contains("treeitem"), "{plain}");
        let chosen = lean(&tree.replace("STATE", "aria-selected=true"), "ax");
        assert!(chosen.contains("treeitem \"Sent\""), "{chosen}");
    }

    #[test]
    fn html_says_in_its_own_elements_what_roles_say() {
        for (body, wanted) in [
            (
                "<div role=navigation aria-label=Site><span role=heading aria-level=3>Ads</span><a href=/x>X</a></div>",
                "<nav aria-label=Site><h3>Ads</h3><a href=/x>X</a></nav>",
            ),
            ("<div role=button>Archive</div>", "<button>Archive</button>"),
            // In a link the parser would not leave it where it is.
            ("<a href=/x>Open <span role=button>×</span></a>", "<a href=/x>Open <span role=button>×</span></a>"),
            ("<input type=submit value=Go>", "<input type=submit value=Go>"),
            (
                "<p>10\u{a0}km from <a href=/w>https://www.way.example › map</a>",
                "<p>10 km from <a href=/w>way.example › map</a>",
            ),
            ("<p>Sold <svg role=img><title>Sold out</title><text>7</text></svg>", "<p>Sold Sold out"),
            ("<ruby>平常<rt>へいじょう</rt></ruby>どおり", "平常どおり"),
        ] {
            assert_eq!(lean(body, "html").trim_end(), wanted, "{body}");
        }
    }
}
