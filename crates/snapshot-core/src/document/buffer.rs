//! Where the characters of a document lie.

use std::sync::Arc;

use super::node::{TextRange, TextRecord};

/// The characters of all texts and attribute values. Copies of a document share those that it had
/// when it was done, and have their own for what they add.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextBuffer {
    shared: Arc<String>,
    /// The length of `shared`, at hand for every look at a text.
    shared_length: usize,
    /// Comes behind `shared`.
    own: String,
}

impl TextBuffer {
    pub(crate) fn len(&self) -> usize {
        self.shared_length + self.own.len()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.shared.capacity() + self.own.capacity()
    }

    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.own.reserve(bytes);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.own.shrink_to_fit();
    }

    /// Lets copies made from now on share what there is.
    pub(crate) fn share(&mut self) {
        if self.shared.is_empty() {
            self.shared_length = self.own.len();
            self.shared = Arc::new(std::mem::take(&mut self.own));
        }
    }

    #[inline]
    pub(crate) fn get(&self, range: TextRange) -> Option<&str> {
        let (start, length) = (range.start as usize, range.length as usize);
        match start.checked_sub(self.shared_length) {
            Some(start) => self.own.get(start..start + length),
            None => self.shared.get(start..start + length),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, text: &str) -> TextRange {
        let range = TextRange { start: index(self.len()), length: index(text.len()) };
        self.own.push_str(text);
        range
    }

    /// Adds a text unless it is there already as far as `repeated` knows.
    #[inline]
    pub(crate) fn push_repeated(&mut self, text: &str, repeated: &mut RepeatedValues) -> TextRange {
        match repeated.find(self, text) {
            Ok(range) => range,
            Err(slot) => {
                let range = self.push(text);
                if let Some(slot) = slot {
                    *slot = range;
                }
                range
            }
        }
    }

    /// Adds to a text; linear in all that is ever added.
    pub(crate) fn append(&mut self, record: TextRecord, more: &str) -> TextRecord {
        let TextRange { start, length } = record.range;
        let grown = index(length as usize + more.len());
        if let Some(start) = (start as usize).checked_sub(self.shared_length) {
            let end = start + length as usize;
            let range = TextRange { start: record.range.start, length: grown };
            if end == self.own.len() {
                self.own.push_str(more);
                return TextRecord { range, capacity: grown };
            }
            if grown <= record.capacity {
                self.own.replace_range(end..end + more.len(), more);
                return TextRecord { range, capacity: record.capacity };
            }
        }
        // Moved to the end with as much room again, so that a node that keeps growing while
        // others grow too is copied a logarithmic number of times.
        let moved = index(self.len());
        match (start as usize).checked_sub(self.shared_length) {
            Some(start) => self.own.extend_from_within(start..start + length as usize),
            None => self.own.push_str(self.shared.get(start as usize..(start + length) as usize).unwrap_or("")),
        }
        self.own.push_str(more);
        self.own.extend(std::iter::repeat_n('\0', grown as usize));
        TextRecord { range: TextRange { start: moved, length: grown }, capacity: grown.saturating_mul(2) }
    }
}

/// Finds values again that were stored a while ago: pages say the same classes, types and the like
/// over and over. Each slot keeps the value seen last.
#[derive(Clone, Debug)]
pub(crate) struct RepeatedValues {
    slots: Vec<TextRange>,
}

impl RepeatedValues {
    const SLOTS: usize = 1024;

    /// A longer value is not looked for.
    const LONGEST: usize = 256;

    pub(crate) fn new() -> Self {
        Self { slots: vec![TextRange::default(); Self::SLOTS] }
    }

    /// Where the text lies already; else the slot that keeps where it will lie.
    #[inline]
    fn find(&mut self, buffer: &TextBuffer, text: &str) -> Result<TextRange, Option<&mut TextRange>> {
        if text.len() > Self::LONGEST {
            return Err(None);
        }
        let Some(slot) = self.slots.get_mut(slot_of(text.as_bytes()) % Self::SLOTS) else { return Err(None) };
        if slot.length as usize == text.len() && buffer.get(*slot) == Some(text) { Ok(*slot) } else { Err(Some(slot)) }
    }
}

/// A number by which values that differ mostly differ.
#[inline]
fn slot_of(text: &[u8]) -> usize {
    let word = match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(23),
        _ => text.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    #[allow(clippy::cast_possible_truncation, reason = "the upper half is what is well mixed")]
    let mixed = ((word ^ text.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize;
    mixed
}

/// A place in the buffer, which is kept smaller than 32 bits can say.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_what_there_was_and_grow_apart() {
        let mut first = TextBuffer::default();
        let range = first.push("salt");
        first.share();
        let mut second = first.clone();
        let record = TextRecord { range, capacity: range.length };
        let grown = second.append(record, " and pepper");
        let grown = second.append(grown, "!");
        assert_eq!(second.get(grown.range), Some("salt and pepper!"));
        assert_eq!((second.get(range), first.get(range)), (Some("salt"), Some("salt")));
        assert_eq!(first.len(), 4);
    }
}
