//! Names of tags and attributes, as atoms of html5ever.

use html5ever::LocalName;

/// Names up to this length are their own atom; making one costs nothing.
const INLINE: usize = 7;

const SLOTS: usize = 256;

/// Finds the atoms of long names without asking the table that all threads share: the last one
/// seen in each slot is kept.
pub(super) struct Names {
    slots: Vec<LocalName>,
    lowered: String,
}

impl Default for Names {
    fn default() -> Self {
        Self { slots: vec![LocalName::default(); SLOTS], lowered: String::new() }
    }
}

impl Names {
    /// The atom of a name that holds no upper-case letters and no NUL.
    pub(super) fn atom(&mut self, name: &str) -> LocalName {
        if name.len() <= INLINE {
            return LocalName::from(name);
        }
        let Some(slot) = self.slots.get_mut(slot(name.as_bytes())) else { return LocalName::from(name) };
        if **slot != *name {
            *slot = LocalName::from(name);
        }
        slot.clone()
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

/// A slot by length, beginning and end, which is where long names differ.
fn slot(name: &[u8]) -> usize {
    let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let mixed = word(name.first_chunk()) ^ word(name.last_chunk()).rotate_left(23) ^ name.len() as u64;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % SLOTS
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
}
