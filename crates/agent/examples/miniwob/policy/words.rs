//! Words in instructions.

/// What stands between two pieces of a text.
pub(crate) fn between<'text>(text: &'text str, before: &str, behind: &str) -> Option<&'text str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(behind)?.0)
}

/// The texts in double quotes.
pub(crate) fn quoted(text: &str) -> Vec<&str> {
    // A quote that closes is followed by no letter.
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('"') {
        let Some((inside, after)) = behind.split_once('"') else { break };
        found.push(inside);
        rest = after;
    }
    found
}

/// Whether two names are the same for a reader.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

/// `3rd` is 3.
pub(crate) fn ordinal(text: &str) -> Option<usize> {
    text.split(|character: char| !character.is_alphanumeric()).find_map(|word| {
        let digits = word.len().checked_sub(2)?;
        let (number, ending) = word.split_at_checked(digits)?;
        matches!(ending, "st" | "nd" | "rd" | "th").then(|| number.parse().ok())?
    })
}

/// All whole numbers, signs minded.
pub(crate) fn numbers(text: &str) -> Vec<i64> {
    text.split(|character: char| !character.is_ascii_digit() && character != '-')
        .filter_map(|word| word.parse().ok())
        .collect()
}
