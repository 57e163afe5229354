//! Remembers how many tokens short words have: a page says the same few thousand again and again.

use std::cell::RefCell;

/// Words of at most this many bytes are remembered; they and their count take 16 bytes.
pub(super) const LONGEST: usize = 14;

/// Slots of a table: 1 MiB.
const SLOTS: usize = 1 << 16;

/// Counts by word; a word whose slot is taken by another is counted anew.
pub(super) struct Words {
    slots: Box<[u128]>,
}

thread_local! {
    /// A table for each vocabulary.
    static WORDS: RefCell<Vec<Words>> = const { RefCell::new(Vec::new()) };
}

/// A word as a number: its bytes, and in the highest byte its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word(u128);

impl Word {
    /// A word of a text, which the text's further bytes make faster to read; nothing when it is
    /// too long.
    #[inline]
    pub(super) fn of(text: &str, word: &str) -> Option<Self> {
        let length = word.len();
        if length > LONGEST {
            return None;
        }
        let start = (word.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        let following = text.as_bytes().get(start..).and_then(<[u8]>::first_chunk::<16>);
        let bytes = match following {
            Some(bytes) => u128::from_le_bytes(*bytes) & ((1 << (8 * length)) - 1),
            None => {
                let mut bytes = [0; 16];
                bytes[..length].copy_from_slice(word.as_bytes());
                u128::from_le_bytes(bytes)
            }
        };
        Some(Self(bytes | (length as u128) << 124))
    }

    #[inline]
    fn slot(self) -> usize {
        let bytes = self.0.to_le_bytes();
        let half = |at: usize| bytes[at..at + 8].iter().rev().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
        let mixed = (half(0) ^ half(8).rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        usize::try_from(mixed >> 48).unwrap_or_default() % SLOTS
    }
}

/// The bits of a slot that hold the count; a word has no more tokens than bytes.
const COUNT_SHIFT: u32 = 120;
const COUNT: u128 = 0xf << COUNT_SHIFT;

/// Gives access to the table of a vocabulary, by the vocabulary's number.
pub(super) fn with_words<Output>(number: usize, run: impl FnOnce(&mut Words) -> Output) -> Output {
    WORDS.with_borrow_mut(|tables| {
        while tables.len() <= number {
            tables.push(Words { slots: vec![0; SLOTS].into_boxed_slice() });
        }
        run(&mut tables[number])
    })
}

impl Words {
    /// The tokens of a word, counted by `count` unless they are known.
    #[inline]
    pub(super) fn count(&mut self, word: Word, count: impl FnOnce() -> usize) -> usize {
        let slot = &mut self.slots[word.slot()];
        if *slot & !COUNT == word.0 {
            return usize::try_from((*slot & COUNT) >> COUNT_SHIFT).unwrap_or_default();
        }
        let counted = count();
        *slot = word.0 | (counted as u128) << COUNT_SHIFT & COUNT;
        counted
    }
}
