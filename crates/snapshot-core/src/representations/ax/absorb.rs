//! What a line already says, so that it need not be said again below it.

use super::tree::{AxTree, Child, Item};
use crate::semantics::Role;

/// Longer names are compared as a whole only, so that no page can make the search for its
/// pieces expensive.
const LONGEST_SEARCHED: usize = 1024;

/// The most items looked at to see whether they repeat a name.
const MOST_COMPARED: usize = 4096;

/// Whether the name says the text, as words of their own.
pub(super) fn says(name: &str, text: &str) -> bool {
    if text.is_empty() || name == text {
        return true;
    }
    if name.len() > LONGEST_SEARCHED || text.len() > name.len() {
        return false;
    }
    name.match_indices(text).any(|(at, _)| {
        let before = name[..at].chars().next_back();
        let after = name[at + text.len()..].chars().next();
        !joins(before, text.chars().next()) && !joins(text.chars().next_back(), after)
    })
}

fn joins(left: Option<char>, right: Option<char>) -> bool {
    left.is_some_and(char::is_alphanumeric) && right.is_some_and(char::is_alphanumeric)
}

/// Roles whose own meaning is lost when their text is said by the name of the target or heading
/// around them: a paragraph in a link is no paragraph to anyone.
pub(super) fn dissolves(role: Role) -> bool {
    is_phrase(role)
        || matches!(
            role,
            Role::Paragraph
                | Role::Img
                | Role::Figure
                | Role::Caption
                | Role::Deletion
                | Role::Insertion
                | Role::Generic
        )
}

/// Roles of parts of a sentence.
pub(super) fn is_phrase(role: Role) -> bool {
    matches!(
        role,
        Role::Strong | Role::Emphasis | Role::Code | Role::Mark | Role::Subscript | Role::Superscript | Role::Time
    )
}

/// Roles whose name is only the sum of what is below them, and need not be written when that is
/// written.
pub(super) fn is_named_by_content(role: Role) -> bool {
    matches!(
        role,
        Role::Row
            | Role::Cell
            | Role::GridCell
            | Role::ColumnHeader
            | Role::RowHeader
            | Role::ListItem
            | Role::Heading
            | Role::TreeItem
            | Role::Article
            | Role::Generic
    )
}

/// Roles of what is there to hold something.
pub(super) fn is_structure(role: Role) -> bool {
    is_phrase(role)
        || matches!(
            role,
            Role::Article
                | Role::Banner
                | Role::Blockquote
                | Role::Caption
                | Role::Complementary
                | Role::ContentInfo
                | Role::Definition
                | Role::Deletion
                | Role::Feed
                | Role::Figure
                | Role::Form
                | Role::Generic
                | Role::Group
                | Role::Insertion
                | Role::List
                | Role::ListItem
                | Role::Log
                | Role::Main
                | Role::Menu
                | Role::Navigation
                | Role::Note
                | Role::Paragraph
                | Role::Region
                | Role::Search
                | Role::Status
                | Role::Table
                | Role::TabList
                | Role::TabPanel
                | Role::Term
                | Role::Toolbar
        )
}

/// Whether what is written below the item is its name, letter for letter but for white space.
pub(super) fn is_repeated_below(tree: &AxTree<'_>, item: &Item<'_>, name: &str) -> bool {
    let mut rest = name;
    let mut stack: Vec<std::slice::Iter<'_, Child>> = vec![tree.children(item).iter()];
    let mut compared = 0;
    let mut matches = |text: &str| {
        let left = without_words(rest, text);
        rest = left.unwrap_or(rest);
        left.is_some()
    };
    while let Some(children) = stack.last_mut() {
        let Some(child) = children.next() else {
            stack.pop();
            continue;
        };
        compared += 1;
        if compared > MOST_COMPARED {
            return false;
        }
        match child {
            Child::Run(run) if !matches(tree.run_text(run)) => return false,
            Child::Run(_) => {}
            Child::Options(_) | Child::Note(_) => return false,
            Child::Item(index) => {
                let Some(child) = tree.items.get(*index) else { return false };
                // A field adds its value to a name around it, and its own name when it is empty.
                match &child.value {
                    Some(value) if !matches(value) => return false,
                    Some(_) => {}
                    None if child.name.is_empty() => stack.push(tree.children(child).iter()),
                    None if !matches(&child.name) => return false,
                    None => {}
                }
            }
        }
    }
    rest.trim_start().is_empty()
}

/// What is left of `text` behind `words`, if it begins with these letter for letter but for white
/// space.
fn without_words<'text>(text: &'text str, words: &str) -> Option<&'text str> {
    if let Some(rest) = text.trim_start().strip_prefix(words) {
        return Some(rest);
    }
    let mut rest = text.chars();
    let is_next = |wanted| rest.by_ref().find(|character| !character.is_whitespace()) == Some(wanted);
    let all = words.chars().filter(|character| !character.is_whitespace()).all(is_next);
    all.then_some(rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_off_whatever_white_space_is_between() {
        for (text, words, rest) in [
            ("one two", "one", Some(" two")),
            (" one two", "onet", Some("wo")),
            ("one two", " o ne t wo ", Some("")),
            ("one", "one two", None),
            ("", "", Some("")),
        ] {
            assert_eq!(without_words(text, words), rest, "{text} / {words}");
        }
    }

    #[test]
    fn a_name_says_whole_words_only() {
        for (name, text, expected) in [
            ("New invoice", "invoice", true),
            ("New invoice", "voice", false),
            ("New invoice", "New", true),
            ("10 items", "1", false),
            ("日本語 入門", "日本語", true),
            ("a", "", true),
        ] {
            assert_eq!(says(name, text), expected, "{name} / {text}");
        }
    }
}
