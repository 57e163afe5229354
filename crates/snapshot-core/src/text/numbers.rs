//! Numbers as text.

/// Appends a number in decimal digits: the formatting of the standard library takes several times
/// as long, and every id and place in a locator is one.
pub(crate) fn push_number(out: &mut String, number: u32) {
    // A number of 32 bits has ten digits at most.
    let mut digits = [0_u8; 10];
    let mut start = digits.len();
    let mut rest = number;
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.push_str(std::str::from_utf8(&digits[start..]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_does() {
        for number in (0..2_000).chain([9_999, 10_000, 1_000_000_007, u32::MAX - 1, u32::MAX]) {
            let mut out = String::from("e");
            push_number(&mut out, number);
            assert_eq!(out, format!("e{number}"));
        }
    }
}
