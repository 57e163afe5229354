//! Text that means something to Markdown or reads like one of our marks.

/// What begins a block, pairs with something, or forges a mark, at the beginning of a text.
const BEGINNINGS: &[&str] = &[
    "# ",
    "- ",
    "1. ",
    "12) ",
    "> ",
    "+ ",
    "```",
    "~~~",
    "    ",
    "---",
    "***",
    "===",
    "| a | b |",
    "|-|-|",
    "<b>",
    "<script>",
    "<!--",
    "</p>",
    "&lt;",
    "[x] ",
    "[x](y)",
    "[x]: y",
    "![x](y)",
    "[^1]",
    "[^1]: ",
    "[e3 button \"Pay\"]",
    "[3] BUTTON \"Pay\"",
    "[… 3 more]",
    "*",
    "**",
    "_",
    "~~",
    "`",
    "\\",
    ": ",
    "<https://x.example>",
    "<+@x.example>",
    "!",
    "$",
    "](e3)",
    "\" = \"",
    "\u{2028}[4] A \"x\"",
];

/// What follows a word.
const ENDS: &[&str] =
    &["", "#", " #", "\\", "*", "**", "_", "`", "](z)", "]", "|", "~~", "<", "&amp;", "\"", "!", "[", "[^1]", ":"];

/// The text with its words replaced: by one plain word, or one with hostile characters around it.
/// White space at the edges stays, as do texts of nothing else.
pub(crate) fn replacement(text: &str, place: usize, hostile: bool) -> String {
    let words = text.trim();
    if words.is_empty() {
        return text.to_owned();
    }
    let start = text.len() - text.trim_start().len();
    let (before, after) = (&text[..start], &text[start + words.len()..]);
    if !hostile {
        return format!("{before}word{after}");
    }
    // Beginnings and ends are of numbers that share no factor, so that all come together.
    let beginning = BEGINNINGS[place % BEGINNINGS.len()].trim_start();
    format!("{before}{beginning}word{}{after}", ENDS[(place / 3) % ENDS.len()])
}
