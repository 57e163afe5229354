//! Remembers how many tokens words have: a page says the same few thousand again and again, and
//! to merge the bytes of one takes longer than to cut and look up dozens.

use std::cell::RefCell;

/// The sets of a vocabulary's tables, 2 MiB together.
const SETS: [usize; 3] = [26 << 10, 4 << 10, 1 << 10];

/// So many words are looked up at once.
pub(super) const AT_ONCE: usize = 64;

/// Counts by word.
pub(super) struct Words {
    /// Words of up to 14 bytes, which nearly all are.
    short: Table<2, 3>,
    /// Words of up to 30 bytes.
    long: Table<4, 1>,
    /// Those of up to 62 are sentences of a language that does not space its words: many occur
    /// once in a page, but a page is counted more than once.
    longest: Table<8, 1>,
    /// The words that are looked up, where in the table, and what was found.
    looked_up: [(Slot<2>, usize); AT_ONCE],
    missed: [usize; AT_ONCE],
    counts: [u32; AT_ONCE],
}

thread_local! {
    /// Tables for each vocabulary.
    static WORDS: RefCell<Vec<Words>> = const { RefCell::new(Vec::new()) };
}

/// Gives access to the tables of a vocabulary, by the vocabulary's number.
pub(super) fn with_words<Output>(number: usize, run: impl FnOnce(&mut Words) -> Output) -> Output {
    WORDS.with_borrow_mut(|tables| {
        while tables.len() <= number {
            tables.push(Words::new(SETS));
        }
        run(&mut tables[number])
    })
}

impl Words {
    fn new([short, long, longest]: [usize; 3]) -> Self {
        Self {
            short: Table::new(short),
            long: Table::new(long),
            longest: Table::new(longest),
            looked_up: [(Slot([0; 2]), 0); AT_ONCE],
            missed: [0; AT_ONCE],
            counts: [0; AT_ONCE],
        }
    }

    /// The tokens of the words of a text that follow one another from `start` on and end at `ends`,
    /// counted by `count` where they are not known.
    #[inline]
    pub(super) fn count(
        &mut self,
        text: &[u8],
        start: usize,
        ends: &[usize],
        count: impl Fn(&[u8]) -> usize,
    ) -> &[u32] {
        let mut word_start = start;
        for (&end, (word, at)) in ends.iter().zip(&mut self.looked_up) {
            *word = Slot::of(text, word_start, end).unwrap_or(NO_WORD);
            *at = self.short.set(word);
            word_start = end;
        }
        let mut missed = 0;
        for (number, ((word, at), counted)) in self.looked_up[..ends.len()].iter().zip(&mut self.counts).enumerate() {
            let first = Slot(self.short.first[*at]);
            *counted = first.tokens();
            self.missed[missed] = number;
            missed += usize::from(!first.is(word));
        }
        for &number in &self.missed[..missed] {
            let word_start = if number == 0 { start } else { ends[number - 1] };
            let piece = &text[word_start..ends[number]];
            let count = || u32::try_from(count(piece)).unwrap_or(u32::MAX);
            let (word, at) = &self.looked_up[number];
            self.counts[number] = if *word != NO_WORD {
                self.short.count(*at, word, count)
            } else if let Some(word) = Slot::of(text, word_start, ends[number]) {
                self.long.count(self.long.set(&word), &word, count)
            } else if let Some(word) = Slot::of(text, word_start, ends[number]) {
                self.longest.count(self.longest.set(&word), &word, count)
            } else {
                count()
            };
        }
        &self.counts[..ends.len()]
    }
}

/// What no slot holds.
const NO_WORD: Slot<2> = Slot([u64::MAX; 2]);

/// A word: its bytes, its length in the last byte but one, and in the last one its count of
/// tokens where it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot<const HALVES: usize>([u64; HALVES]);

/// Where the length and the count stand in the last eight bytes.
const LENGTH_SHIFT: u32 = 48;
const COUNT_SHIFT: u32 = 56;

impl<const HALVES: usize> Slot<HALVES> {
    /// The longest word that has room.
    const LONGEST: usize = 8 * HALVES - 2;

    /// A word of a text, which the text's further bytes make faster to read; nothing when it is
    /// too long.
    #[inline]
    fn of(text: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end - start;
        if length > Self::LONGEST {
            return None;
        }
        let mut halves = [0; HALVES];
        let following = text.get(start..start + 8 * HALVES).unwrap_or_default().as_chunks::<8>().0;
        if following.is_empty() {
            for (half, bytes) in halves.iter_mut().zip(text[start..end].chunks(8)) {
                *half = bytes.iter().rev().fold(0, |half, &byte| half << 8 | u64::from(byte));
            }
        } else {
            for (place, (half, bytes)) in halves.iter_mut().zip(following).enumerate() {
                *half = u64::from_le_bytes(*bytes) & FIRST_BYTES[length.saturating_sub(8 * place).min(8)];
            }
        }
        halves[HALVES - 1] |= (length as u64) << LENGTH_SHIFT;
        Some(Self(halves))
    }

    /// A number below `sets` that depends on all bytes.
    #[inline]
    fn set(&self, sets: usize) -> usize {
        let folded = self.0.iter().fold(0, |folded: u64, half| folded.rotate_left(29) ^ half);
        let mixed = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        usize::try_from((mixed * sets as u64) >> 32).unwrap_or_default()
    }

    /// Whether this is the word, which has no count yet.
    #[inline]
    fn is(&self, word: &Self) -> bool {
        let mut difference = 0;
        for (place, (half, other)) in self.0.iter().zip(&word.0).enumerate() {
            let differing = half ^ other;
            difference |= if place == HALVES - 1 { differing & ((1 << COUNT_SHIFT) - 1) } else { differing };
        }
        difference == 0
    }

    #[inline]
    fn tokens(&self) -> u32 {
        u32::try_from(self.0[HALVES - 1] >> COUNT_SHIFT).unwrap_or_default()
    }

    /// The word with its count: it has no more tokens than bytes.
    fn with_tokens(mut self, tokens: u32) -> Self {
        self.0[HALVES - 1] |= u64::from(tokens) << COUNT_SHIFT;
        self
    }
}

/// By a number of bytes, these lowest bytes of eight.
const FIRST_BYTES: [u64; 9] = {
    let mut masks = [u64::MAX; 9];
    let mut count = 0;
    while count < 8 {
        masks[count] = (1 << (8 * count)) - 1;
        count += 1;
    }
    masks
};

/// Sets of slots, those of a set in the order of last use: the last one makes place for a new word.
struct Table<const HALVES: usize, const MORE: usize> {
    /// The first slot of each set: close together, most of what a page says stays near the
    /// processor.
    first: Vec<[u64; HALVES]>,
    /// The further slots of each set.
    more: Vec<[[u64; HALVES]; MORE]>,
}

impl<const HALVES: usize, const MORE: usize> Table<HALVES, MORE> {
    fn new(sets: usize) -> Self {
        Self { first: vec![[0; HALVES]; sets], more: vec![[[0; HALVES]; MORE]; sets] }
    }

    /// The number of a word's set.
    #[inline]
    fn set(&self, word: &Slot<HALVES>) -> usize {
        word.set(self.first.len())
    }

    /// The tokens of the word of a set, counted by `count` unless they are known.
    fn count(&mut self, set: usize, word: &Slot<HALVES>, count: impl FnOnce() -> u32) -> u32 {
        let (first, more) = (&mut self.first[set], &mut self.more[set]);
        if !Slot(*first).is(word) {
            let place = more.iter().position(|&slot| Slot(slot).is(word));
            let found = place.map_or_else(|| word.with_tokens(count()).0, |place| more[place]);
            more[..=place.unwrap_or(MORE - 1)].rotate_right(1);
            more[0] = std::mem::replace(first, found);
        }
        Slot(*first).tokens()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_again_until_others_take_their_place() {
        let text: String = (0..400).map(|number| format!("{number} ")).collect();
        let text = text.as_bytes();
        let ones = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'1').count();
        let mut words = Words::new([3, 2, 1]);
        for length in 1..70 {
            for start in 0..length {
                let ends: Vec<usize> = (start..=text.len()).step_by(length).skip(1).collect();
                for (starts, ends) in [&[start], &ends[..]].concat().chunks(AT_ONCE).zip(ends.chunks(AT_ONCE)) {
                    let counts = words.count(text, starts[0], ends, ones);
                    let expected = starts.iter().zip(ends).map(|(&start, &end)| ones(&text[start..end]));
                    assert!(expected.eq(counts.iter().map(|&count| count as usize)), "{starts:?} {ends:?}");
                }
                let last = [text.len()];
                let known = words.count(text, text.len() - length, &last, ones).to_vec();
                let again = words.count(text, text.len() - length, &last, |_| 99).to_vec();
                assert_eq!(known == again, length <= Slot::<8>::LONGEST, "{length}");
            }
        }
    }
}
