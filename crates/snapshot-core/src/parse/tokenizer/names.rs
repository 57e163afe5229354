//! Names of tags and attributes, in the form that the sink gives them.

use super::Sink;

/// The longest name of which a [`Slot`] holds everything.
const SHORT: usize = 7;

const SLOTS: usize = 256;

/// Finds names that came before without asking the sink again, or only whether a long one is the
/// same: each slot keeps the name seen last.
pub(super) struct Names<N> {
    slots: Vec<Slot<N>>,
    lowered: String,
}

#[derive(Clone, Copy)]
struct Slot<N> {
    word: u64,
    length: usize,
    name: Option<N>,
}

impl<N: Copy> Names<N> {
    pub(super) fn new() -> Self {
        Self { slots: vec![Slot { word: 0, length: 0, name: None }; SLOTS], lowered: String::new() }
    }

    /// The name spelt like this, with no upper-case letters and no NUL.
    #[inline]
    pub(super) fn name<S: Sink<Name = N>>(&mut self, sink: &mut S, text: &str) -> N {
        let (word, length) = (word(text.as_bytes()), text.len());
        let mixed = (word ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        let Some(slot) = self.slots.get_mut(mixed as usize % SLOTS) else { return sink.name(text) };
        match slot.name {
            Some(name)
                if slot.word == word && slot.length == length && (length <= SHORT || sink.spells(name, text)) =>
            {
                name
            }
            _ => {
                let name = sink.name(text);
                *slot = Slot { word, length, name: Some(name) };
                name
            }
        }
    }

    /// The name as it is written: ASCII letters are lowered, NULs replaced.
    pub(super) fn name_as_written<S: Sink<Name = N>>(&mut self, sink: &mut S, text: &str) -> N {
        let mut lowered = std::mem::take(&mut self.lowered);
        lowered.clear();
        lowered.extend(text.chars().map(|character| match character {
            '\0' => char::REPLACEMENT_CHARACTER,
            _ => character.to_ascii_lowercase(),
        }));
        let name = self.name(sink, &lowered);
        self.lowered = lowered;
        name
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
