//! `var()`: custom properties, as far as values that we read refer to them (CSS Variables 1).

/// The longest value that substitution may make, and the deepest chain that it follows.
const MAX_BYTES: usize = 8 << 10;
const MAX_DEPTH: usize = 16;

/// Calls the closure with the name of each custom property that the value refers to.
pub(super) fn each_name(value: &str, mut see: impl FnMut(&str)) {
    let mut rest = value;
    while let Some(start) = find_call(rest) {
        rest = rest.get(start..).unwrap_or("");
        let end = rest.find([',', ')']).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or("").trim();
        if name.starts_with("--") {
            see(name);
        }
    }
}

/// The value with each `var()` replaced; nothing when one is not defined and has no fallback.
pub(super) fn substitute<'custom>(value: &str, lookup: &dyn Fn(&str) -> Option<&'custom str>) -> Option<String> {
    substitute_within(value, lookup, MAX_DEPTH)
}

fn substitute_within<'custom>(
    value: &str,
    lookup: &dyn Fn(&str) -> Option<&'custom str>,
    depth: usize,
) -> Option<String> {
    if depth == 0 || value.len() > MAX_BYTES {
        return None;
    }
    let mut written = String::new();
    let mut rest = value;
    while let Some(start) = find_call(rest) {
        let call = start - "var(".len();
        written.push_str(rest.get(..call)?);
        let inside = rest.get(start..)?;
        let end = closing(inside);
        let arguments = inside.get(..end)?;
        rest = inside.get(end + 1..).unwrap_or("");
        let (name, fallback) = match arguments.split_once(',') {
            Some((name, fallback)) => (name.trim(), Some(fallback)),
            None => (arguments.trim(), None),
        };
        let replacement = match lookup(name) {
            Some(found) => substitute_within(found, lookup, depth - 1),
            None => None,
        };
        let replacement = match (replacement, fallback) {
            (Some(replacement), _) => replacement,
            (None, Some(fallback)) => substitute_within(fallback, lookup, depth - 1)?,
            (None, None) => return None,
        };
        written.push_str(replacement.trim());
        if written.len() > MAX_BYTES {
            return None;
        }
    }
    written.push_str(rest);
    Some(written)
}

/// The place behind the next `var(`.
fn find_call(value: &str) -> Option<usize> {
    let wanted = b"var(";
    value
        .as_bytes()
        .windows(wanted.len())
        .position(|window| window.eq_ignore_ascii_case(wanted))
        .map(|at| at + wanted.len())
}

/// The place of the parenthesis that closes the call, or the end.
fn closing(inside: &str) -> usize {
    let mut depth = 1usize;
    for (position, byte) in inside.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return position;
                }
            }
            _ => {}
        }
    }
    inside.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_replaced_with_values_or_their_fallback() {
        let lookup = |name: &str| match name {
            "--shown" => Some("block"),
            "--chain" => Some("var(--shown)"),
            "--loop" => Some("var(--loop)"),
            _ => None,
        };
        let check = |value: &str, expected: Option<&str>| {
            assert_eq!(substitute(value, &lookup).as_deref(), expected, "{value:?}");
        };
        check("var(--shown)", Some("block"));
        check("var( --chain )", Some("block"));
        check("var(--missing, none)", Some("none"));
        check("var(--missing, var(--shown, none))", Some("block"));
        check("VAR(--missing)", None);
        check("var(--loop)", None);
        check("var(--loop, none)", Some("none"));
        check("var(--shown", Some("block"));
    }
}
