//! A vocabulary of byte pair encoding: tokens by their bytes, and the merging of pairs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Tokens, addressed by their bytes.
pub(super) struct Vocabulary {
    /// The tokens as `build.rs` lays them out: [`HEAD`] bytes that say what a token is, and its
    /// own bytes.
    tokens: &'static [u8],
    /// An open-addressed table: the upper bits of the hash, then where in `tokens` the bytes
    /// begin; 0 where there is none.
    slots: Vec<u32>,
    /// The rank of each pair of bytes: merging begins with all pairs of a piece.
    pairs: Vec<u32>,
}

/// A token of the vocabulary.
#[derive(Clone, Copy, Debug)]
struct Token {
    /// What is merged first has the lowest.
    rank: u32,
    /// In bytes.
    length: u8,
    /// The length of the first of the two tokens that it is merged from; 0 for bytes, and for
    /// tokens that merging never comes to.
    split: u8,
}

impl Token {
    fn length(self) -> usize {
        usize::from(self.length)
    }
}

/// Both vocabularies take less than 2 to the power of 22 bytes.
const PLACE_BITS: u32 = 22;
const PLACE: u32 = (1 << PLACE_BITS) - 1;

/// What stands before a token's bytes: its length, three bytes of rank, its split.
const HEAD: usize = 5;

/// A rank that no token has: the pair cannot be merged.
const NONE: u32 = u32::MAX;

impl Vocabulary {
    /// Makes the tables of a vocabulary of so many tokens, some milliseconds' work.
    pub(super) fn new(tokens: &'static [u8], size: usize) -> Self {
        let slots = vec![0; (2 * size).next_power_of_two()];
        let mut vocabulary = Self { tokens, slots, pairs: vec![NONE; 1 << 16] };
        let mut place = HEAD;
        while let Some((token, bytes)) = vocabulary.token(place) {
            if let &[first, second] = bytes {
                vocabulary.pairs[pair(first, second)] = token.rank;
            }
            let (mut slot, tag) = vocabulary.slot(bytes);
            while vocabulary.slots[slot] != 0 {
                slot = (slot + 1) & (vocabulary.slots.len() - 1);
            }
            vocabulary.slots[slot] = tag | u32::try_from(place).unwrap_or_default() & PLACE;
            place += bytes.len() + HEAD;
        }
        vocabulary
    }

    /// The number of tokens of a piece that the pattern does not cut further.
    pub(super) fn count(&self, piece: &[u8]) -> usize {
        if piece.len() <= 1 || self.find(piece).is_some() {
            return piece.len().min(1);
        }
        if piece.len() <= SHORT { self.count_short(piece) } else { self.count_long(piece, WINDOW) }
    }

    /// The token whose bytes begin at `place`, and these.
    #[inline]
    fn token(&self, place: usize) -> Option<(Token, &'static [u8])> {
        let &[length, low, middle, high, split] = self.tokens.get(place - HEAD..)?.first_chunk::<HEAD>()?;
        let bytes = self.tokens.get(place..place + usize::from(length))?;
        Some((Token { rank: u32::from_le_bytes([low, middle, high, 0]), length, split }, bytes))
    }

    /// Where to look for a token in the table, and the part of its hash that is kept there.
    #[inline]
    fn slot(&self, bytes: &[u8]) -> (usize, u32) {
        let hash = hash(bytes);
        let slot = usize::try_from(hash >> 32).unwrap_or_default() & (self.slots.len() - 1);
        (slot, u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default() & !PLACE)
    }

    /// The token of these bytes.
    fn find(&self, bytes: &[u8]) -> Option<Token> {
        if bytes.len() > usize::from(u8::MAX) {
            return None;
        }
        let (mut slot, tag) = self.slot(bytes);
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return None;
            }
            if found & !PLACE == tag
                && let Some((token, its_bytes)) = self.token((found & PLACE) as usize)
                && its_bytes == bytes
            {
                return Some(token);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    fn rank(&self, bytes: &[u8]) -> u32 {
        self.find(bytes).map_or(NONE, |token| token.rank)
    }

    /// Merges the pair of the least rank until there is none, looking at all pairs each time.
    fn count_short(&self, piece: &[u8]) -> usize {
        // Where the parts begin, and the rank of each together with the next.
        let mut starts = [0_usize; SHORT + 1];
        let mut ranks = [NONE; SHORT + 1];
        let mut parts = piece.len();
        for (at, start) in starts.iter_mut().enumerate().take(parts + 1) {
            *start = at;
        }
        for (rank, bytes) in ranks.iter_mut().zip(piece.windows(2)) {
            *rank = self.pairs[pair(bytes[0], bytes[1])];
        }
        while parts > 1 {
            let Some((at, &least)) = ranks[..parts - 1].iter().enumerate().min_by_key(|&(_, rank)| rank) else { break };
            if least == NONE {
                break;
            }
            starts.copy_within(at + 2..=parts, at + 1);
            ranks.copy_within(at + 1..parts, at);
            parts -= 1;
            let rank = |first: usize| {
                if first + 1 < parts { self.rank(&piece[starts[first]..starts[first + 2]]) } else { NONE }
            };
            ranks[at] = rank(at);
            if at > 0 {
                ranks[at - 1] = rank(at - 1);
            }
        }
        parts
    }

    /// Merges a long piece in windows of so many bytes, so that the time is linear in its length.
    /// What the last tokens of a window are may depend on what follows it, so the next one begins
    /// before these.
    ///
    /// What merging gives for the whole is the one way to cut it into tokens in which every two
    /// neighbours are what merging gives for their bytes. Windows that are not joined by such
    /// neighbours begin earlier and end later until they are.
    fn count_long(&self, piece: &[u8], at_once: usize) -> usize {
        let mut merging = Merging::default();
        // Of each token so far.
        let mut lengths: Vec<u8> = Vec::new();
        let mut at = 0_usize;
        let mut window = at_once;
        loop {
            let end = piece.len().min(at.saturating_add(window));
            let found = merging.tokens(self, &piece[at..end]);
            if let (Some(&before), Some(&first)) = (lengths.last(), found.first())
                && !self.are_neighbours(&piece[at - usize::from(before)..], before.into(), first.into())
            {
                lengths.pop();
                at -= usize::from(before);
                window *= 2;
                continue;
            }
            if end == piece.len() {
                return lengths.len() + found.len();
            }
            let kept = found.len().saturating_sub(UNSURE).max(1);
            lengths.extend(&found[..kept]);
            at += found[..kept].iter().map(|&length| usize::from(length)).sum::<usize>();
            window = at_once;
        }
    }

    /// Whether merging leaves the border between the two tokens of these lengths that a text
    /// begins with. It does unless a pair across it, of the parts that the tokens are made from,
    /// would have been merged before the tokens were made.
    fn are_neighbours(&self, text: &[u8], at: usize, second: usize) -> bool {
        let (Some(mut left), Some(mut right)) = (self.find(&text[..at]), self.find(&text[at..at + second])) else {
            return false;
        };
        // What has a lower rank would have been merged.
        let mut limit = NONE;
        loop {
            let across = self.find(&text[at - left.length()..at + right.length()]);
            if across.is_some_and(|across| across.rank < limit && across.split == left.length) {
                return false;
            }
            // Takes back the later of the two merges; of equals the first one was done first.
            let is_left = right.length == 1 || left.length > 1 && left.rank > right.rank;
            let part = if is_left {
                limit = left.rank;
                &text[at - (left.length() - usize::from(left.split))..at]
            } else {
                limit = right.rank + 1;
                &text[at..at + usize::from(right.split)]
            };
            if left.length == 1 && right.length == 1 {
                return true;
            }
            let Some(part) = self.find(part) else { return false };
            if is_left {
                left = part;
            } else {
                right = part;
            }
        }
    }
}

/// So many bytes of a long piece are merged at once: the arrays for them stay close to the
/// processor. They hold far more tokens than [`UNSURE`] (the longest has 128 bytes), so that each
/// window gets ahead of where the one before began.
const WINDOW: usize = 4096;

/// How many tokens at the end of a window are found again with what follows.
const UNSURE: usize = 4;

/// The merging of pairs with a heap; its arrays are used for one window after another.
#[derive(Default)]
struct Merging {
    /// The part behind each part, and the one before; by where they begin.
    next: Vec<u32>,
    previous: Vec<u32>,
    /// The rank of each part together with the next.
    ranks: Vec<u32>,
    /// The ranks and places of pairs, also of some that are merged.
    pairs: BinaryHeap<Reverse<(u32, u32)>>,
    lengths: Vec<u8>,
}

impl Merging {
    /// The lengths of the tokens of a piece: merges the pair of the least rank until there is none.
    fn tokens(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> &[u8] {
        let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
        self.next.clear();
        self.next.extend(1..=length);
        self.previous.clear();
        self.previous.extend((0..length).map(|at| at.wrapping_sub(1)));
        self.ranks.clear();
        self.ranks.extend(piece.windows(2).map(|bytes| vocabulary.pairs[pair(bytes[0], bytes[1])]));
        self.ranks.push(NONE);
        let pairs = self.ranks.iter().zip(0..).filter(|&(&rank, _)| rank != NONE);
        let mut heap = std::mem::take(&mut self.pairs).into_vec();
        heap.clear();
        heap.extend(pairs.map(|(&rank, at)| Reverse((rank, at))));
        self.pairs = BinaryHeap::from(heap);
        while let Some(Reverse((rank, place))) = self.pairs.pop() {
            let at = place as usize;
            if self.ranks[at] != rank {
                // Something else has happened to the pair.
                continue;
            }
            let merged = self.next[at] as usize;
            self.ranks[merged] = NONE;
            self.next[at] = self.next[merged];
            if let Some(behind) = self.previous.get_mut(self.next[at] as usize) {
                *behind = place;
            }
            for first in [place, self.previous[at]] {
                let start = first as usize;
                let Some(slot) = self.ranks.get_mut(start) else { continue };
                let end = self.next.get(self.next[start] as usize).map(|&end| end as usize);
                *slot = end.map_or(NONE, |end| vocabulary.rank(&piece[start..end]));
                if *slot != NONE {
                    self.pairs.push(Reverse((*slot, first)));
                }
            }
        }
        self.lengths.clear();
        let mut start = 0;
        while let Some(&end) = self.next.get(start as usize) {
            self.lengths.push(u8::try_from(end - start).unwrap_or(u8::MAX));
            start = end;
        }
        &self.lengths
    }
}

/// The place of a pair of bytes in a table.
fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// The longest piece for which looking at all pairs is faster.
const SHORT: usize = 48;

/// Mixes eight bytes at a time.
#[inline]
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    let mut mix = |word: u64| hash = (hash.rotate_left(29) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        mix(u64::from_le_bytes(*word));
    }
    if !rest.is_empty() {
        mix(rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    }
    hash ^ hash >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_any_size_give_what_merging_all_at_once_gives() {
        let alphabets: [&[&str]; 9] = [
            &["a"],
            &[" ", "\t", "\n"],
            &["-", "="],
            &["\u{3000}", "\u{a0}"],
            &["e", "t", "a", "o", "i", "n", "s", "h", "r"],
            &["ing", "tion", "the", "s", "er"],
            &["語", "日", "本", "の", "購", "入"],
            &["😀", "👩", "\u{200d}"],
            &["ä", "и", "ع", "x"],
        ];
        let mut state = 7_u64;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or_default() % below
        };
        for vocabulary in [&*super::super::O200K, &*super::super::CL100K] {
            let mut merging = Merging::default();
            for round in 0..180 {
                let alphabet = alphabets[round % alphabets.len()];
                let piece: String = (0..1 + random(4000)).map(|_| alphabet[random(alphabet.len())]).collect();
                let whole = merging.tokens(vocabulary, piece.as_bytes()).len();
                for at_once in [1024, 1500, 2100] {
                    assert_eq!(vocabulary.count_long(piece.as_bytes(), at_once), whole, "{at_once} of {piece:?}");
                }
            }
        }
    }
}
