//! A first look at the bytes of a text, of which most have none of what is looked for.

/// For each byte, whether it is one of those looked for.
pub(crate) type ByteSet = [bool; 256];

/// The set with these bytes too.
pub(crate) const fn with(mut set: ByteSet, mut bytes: &[u8]) -> ByteSet {
    while let [byte, rest @ ..] = bytes {
        set[*byte as usize] = true;
        bytes = rest;
    }
    set
}

/// Where the first byte of the set stands.
#[inline]
pub(crate) fn find(text: &[u8], set: &ByteSet) -> Option<usize> {
    let is_wanted = |&byte: &u8| set[byte as usize];
    if text.first().is_some_and(is_wanted) {
        return Some(0);
    }
    // Without a branch for each byte.
    let is_clean = |chunk: &[u8; 16]| !chunk.iter().fold(false, |found, byte| found | is_wanted(byte));
    let (chunks, rest) = text.as_chunks();
    let clean = chunks.iter().take_while(|chunk| is_clean(chunk)).count();
    // The rest is looked at together with what is before it.
    if clean == chunks.len() && (rest.is_empty() || text.last_chunk().is_some_and(is_clean)) {
        return None;
    }
    let at = clean * 16;
    text[at..].iter().position(is_wanted).map(|offset| at + offset)
}

/// Whether no byte of the set is in the text.
#[inline]
pub(crate) fn holds_none_of(text: &str, set: &ByteSet) -> bool {
    find(text.as_bytes(), set).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_of_a_set_is_found_wherever_it_stands() {
        let set = with([false; 256], b"x");
        for length in 0..80 {
            let mut text = vec![b'a'; length];
            assert_eq!(find(&text, &set), None);
            for at in (0..length).rev() {
                text[at] = b'x';
                assert_eq!(find(&text, &set), Some(at));
            }
        }
    }
}
