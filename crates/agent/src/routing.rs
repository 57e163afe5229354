//! Which form of a page suits which task, and when words are not enough.

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
