//! Which form of a page suits which task, when words are not enough, and what to show a model that
//! does not get on.

use snapshot_core::document::NodeId;

use crate::perceive::{Sight, View};

/// The share of the window from which on what cannot be read carries the page.
const CARRIES_PAGE: f64 = 0.2;

/// What is shown after so many replies in a row that were of no use: first more of the page, then
/// all that its elements say, then a picture with the ids in it as well.
pub(crate) fn escalated(view: &View, unusable: usize) -> View {
    let mut view = view.clone();
    if unusable >= 2 {
        view.budget = view.budget.saturating_mul(2);
    }
    if unusable >= 3 {
        "html".clone_into(&mut view.representation);
    }
    view
}

/// Whether so many replies of no use call for a picture.
pub(crate) fn calls_for_picture(unusable: usize) -> bool {
    unusable >= 4
}

/// Whether a good part of the window is drawn and not written: a canvas, or a frame whose page
/// could not be captured.
pub(crate) fn is_drawn(sight: &Sight, viewport: (u32, u32)) -> bool {
    let document = sight.page.document();
    let window = f64::from(viewport.0) * f64::from(viewport.1);
    document.composed_descendants(NodeId::DOCUMENT).any(|node| {
        let drawn = match document.local_name(node) {
            "canvas" => true,
            "iframe" | "embed" | "object" => document.frame(node).is_none(),
            _ => false,
        };
        drawn && sight.page.bounds(node).is_some_and(|[_, _, width, height]| width * height >= window * CARRIES_PAGE)
    })
}

/// Words that ask for reading.
const READING: &[&str] = &[
    "summarise",
    "summarize",
    "summary",
    "read ",
    "explain",
    "what does",
    "what is",
    "what are",
    "who ",
    "when ",
    "why ",
    "how many",
    "how much",
    "tell me",
    "describe",
    "extract",
    "translate",
    "quote",
];

/// Words that ask for doing. They outweigh the others: reading goes with any form, doing wants ids.
const DOING: &[&str] = &[
    "click", "buy", "order", "book", "fill", "enter", "type", "submit", "send", "sign", "log in", "login", "log out",
    "register", "add ", "remove", "delete", "change", "update", "set ", "select", "choose", "pay", "reserve", "cancel",
    "upload", "create", "search", "filter", "sort", "open ", "go to", "find ", "move", "edit", "save",
];

/// The representation for a task: Markdown where it only asks for reading, else the accessibility
/// tree.
pub fn representation_for(task: &str) -> &'static str {
    let task = format!("{} ", task.to_lowercase());
    let asks = |words: &[&str]| words.iter().any(|word| task.contains(word));
    if asks(READING) && !asks(DOING) { "markdown" } else { "ax" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_task_decides_on_the_form() {
        for (task, form) in [
            ("Summarise the article.", "markdown"),
            ("How many moons does the table name?", "markdown"),
            ("What is the price of the cheapest tea? Add it to the basket.", "ax"),
            ("Book a table for two.", "ax"),
            ("", "ax"),
        ] {
            assert_eq!(representation_for(task), form, "{task}");
        }
    }
}
