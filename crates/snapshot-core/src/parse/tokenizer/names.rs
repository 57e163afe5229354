//! Names of tags and attributes, as atoms of html5ever.

use html5ever::LocalName;

/// The longest name of which a [`Slot`] holds everything.
const SHORT: usize = 7;

const SLOTS: usize = 128;

/// Finds the atoms of names that came before without making them again, and those of long names
/// without asking the table that all threads share: each slot keeps the name seen last.
pub(super) struct Names {
    slots: Vec<Slot>,
    lowered: String,
}

#[derive(Clone)]
struct Slot {
    word: u64,
    length: usize,
    atom: LocalName,
}

impl Default for Names {
    fn default() -> Self {
        let empty = Slot { word: 0, length: 0, atom: LocalName::default() };
        Self { slots: vec![empty; SLOTS], lowered: String::new() }
    }
}

impl Names {
    /// The atom of a name that holds no upper-case letters and no NUL.
    #[inline]
    pub(super) fn atom(&mut self, name: &str) -> LocalName {
        let (word, length) = (word(name.as_bytes()), name.len());
        let mixed = (word ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        let Some(slot) = self.slots.get_mut(mixed as usize % SLOTS) else { return LocalName::from(name) };
        let same = slot.word == word && slot.length == length && (length <= SHORT || *slot.atom == *name);
        if !same {
            *slot = Slot { word, length, atom: LocalName::from(name) };
        }
        slot.atom.clone()
    }

    /// The atom of a name as it is written: ASCII letters are lowered, NULs replaced.
    pub(super) fn atom_as_written(&mut self, name: &str) -> LocalName {
        let mut lowered = std::mem::take(&mut self.lowered);
        lowered.clear();
        lowered.extend(name.chars().map(|character| match character {
            '\0' => char::REPLACEMENT_CHARACTER,
            _ => character.to_ascii_lowercase(),
        }));
        let atom = self.atom(&lowered);
        self.lowered = lowered;
        atom
    }
}

/// The beginning and the end of a name: all of it together with its length, if it is short.
#[inline]
fn word(name: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        return u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(23);
    }
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    match name {
        [] => 0,
        [first, .., last] => u64::from(*first) | u64::from(name[name.len() / 2]) << 8 | u64::from(*last) << 16,
        [only] => u64::from(*only),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lowered_in_ascii_alone() {
        let mut names = Names::default();
        for (written, expected) in
            [("DIV", "div"), ("ÉTÉ", "ÉtÉ"), ("a\0b", "a\u{fffd}b"), ("FigCaption-Long", "figcaption-long"), ("", "")]
        {
            assert_eq!(names.atom_as_written(written), LocalName::from(expected));
            assert_eq!(names.atom(expected), LocalName::from(expected));
        }
    }

    #[test]
    fn names_that_look_alike_are_told_apart() {
        let mut names = Names::default();
        for _ in 0..2 {
            for name in [
                "a",
                "aa",
                "aaa",
                "aaaa",
                "aaaaa",
                "aaaaaaa",
                "aaaaaaaa",
                "aba",
                "aab",
                "abcdcba",
                "data-id-x-data-id",
                "data-id-y-data-id",
            ] {
                assert_eq!(names.atom(name), LocalName::from(name));
            }
        }
    }
}
