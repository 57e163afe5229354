//! The named character references of HTML (13.5).

use std::fmt::Write as _;

use markup5ever::data::NAMED_ENTITIES;

/// A Rust array of names, each with the one or two characters that it stands for, in order.
pub(crate) fn table() -> String {
    // The table of others holds all beginnings of names too, with zeros.
    let character = |number: u32| char::from_u32(number).filter(|&found| found != '\0');
    let named = NAMED_ENTITIES
        .entries()
        .filter_map(|(name, &(first, second))| Some((*name, character(first)?, character(second))));
    let mut entries: Vec<_> = named.collect();
    entries.sort_unstable();
    let mut text = String::from("[\n");
    for entry in entries {
        let _ = writeln!(text, "{entry:?},");
    }
    text + "]"
}
