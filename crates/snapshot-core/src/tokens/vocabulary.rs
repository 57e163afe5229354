//! A vocabulary of byte pair encoding: tokens by their bytes, and the merging of pairs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Tokens and their ranks, addressed by their bytes.
pub(super) struct Vocabulary {
    /// The tokens as `build.rs` lays them out: the length of each in one byte, its rank in three,
    /// then its bytes.
    tokens: &'static [u8],
    /// An open-addressed table: the upper bits of the hash, then where in `tokens` the bytes
    /// begin; 0 where there is none.
    slots: Vec<u32>,
    /// The rank of each pair of bytes: merging begins with all pairs of a piece.
    pairs: Vec<u32>,
}

/// Both vocabularies take less than 2 to the power of 22 bytes.
const PLACE_BITS: u32 = 22;
const PLACE: u32 = (1 << PLACE_BITS) - 1;

/// What stands before a token's bytes.
const HEAD: usize = 4;

/// A rank that no token has: the pair cannot be merged.
const NONE: u32 = u32::MAX;

impl Vocabulary {
    /// Makes the tables of a vocabulary of so many tokens, some milliseconds' work.
    pub(super) fn new(tokens: &'static [u8], size: usize) -> Self {
        let slots = vec![0; (2 * size).next_power_of_two()];
        let mut vocabulary = Self { tokens, slots, pairs: vec![NONE; 1 << 16] };
        let mut place = HEAD;
        while let Some((rank, token)) = vocabulary.token(place) {
            if let &[first, second] = token {
                vocabulary.pairs[pair(first, second)] = rank;
            }
            let (mut slot, tag) = vocabulary.slot(token);
            while vocabulary.slots[slot] != 0 {
                slot = (slot + 1) & (vocabulary.slots.len() - 1);
            }
            vocabulary.slots[slot] = tag | u32::try_from(place).unwrap_or_default() & PLACE;
            place += token.len() + HEAD;
        }
        vocabulary
    }

    /// The number of tokens of a piece that the pattern does not cut further.
    pub(super) fn count(&self, piece: &[u8]) -> usize {
        if piece.len() <= 1 || self.rank(piece) != NONE {
            return piece.len().min(1);
        }
        if piece.len() <= SHORT { self.count_short(piece) } else { self.count_long(piece) }
    }

    /// Rank and bytes of the token whose bytes begin at `place`.
    #[inline]
    fn token(&self, place: usize) -> Option<(u32, &'static [u8])> {
        let &[length, low, middle, high] = self.tokens.get(place - HEAD..)?.first_chunk::<HEAD>()?;
        let bytes = self.tokens.get(place..place + usize::from(length))?;
        Some((u32::from_le_bytes([low, middle, high, 0]), bytes))
    }

    /// Where to look for a token in the table, and the part of its hash that is kept there.
    #[inline]
    fn slot(&self, bytes: &[u8]) -> (usize, u32) {
        let hash = hash(bytes);
        let slot = usize::try_from(hash >> 32).unwrap_or_default() & (self.slots.len() - 1);
        (slot, u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default() & !PLACE)
    }

    fn rank(&self, bytes: &[u8]) -> u32 {
        if bytes.len() > usize::from(u8::MAX) {
            return NONE;
        }
        let (mut slot, tag) = self.slot(bytes);
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return NONE;
            }
            if found & !PLACE == tag
                && let Some((rank, token)) = self.token((found & PLACE) as usize)
                && token == bytes
            {
                return rank;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
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

    /// The same with the pairs in a heap, so that it stays n log n. Places take four bytes, since
    /// the processor's caches are what long runs wait for; nobody counts 4 GiB without a cut.
    fn count_long(&self, piece: &[u8]) -> usize {
        let Ok(length) = u32::try_from(piece.len()) else {
            let (first, second) = piece.split_at(piece.len() / 2);
            return self.count(first) + self.count(second);
        };
        // The part behind each part, and the one before; by where they begin.
        let mut next: Vec<u32> = (1..=length).collect();
        let mut previous: Vec<u32> = (0..length).map(|at| at.wrapping_sub(1)).collect();
        let mut ranks = vec![NONE; piece.len()];
        // The rank and the place of each pair that can be merged.
        let mut pairs = Vec::with_capacity(piece.len());
        for ((at, bytes), rank) in (0..).zip(piece.windows(2)).zip(&mut ranks) {
            *rank = self.pairs[pair(bytes[0], bytes[1])];
            if *rank != NONE {
                pairs.push(Reverse((*rank, at)));
            }
        }
        let mut heap = BinaryHeap::from(pairs);
        let mut parts = piece.len();
        while let Some(Reverse((rank, place))) = heap.pop() {
            let at = place as usize;
            if ranks[at] != rank {
                // Something else has happened to the pair.
                continue;
            }
            let merged = next[at] as usize;
            ranks[merged] = NONE;
            next[at] = next[merged];
            if let Some(behind) = previous.get_mut(next[at] as usize) {
                *behind = place;
            }
            parts -= 1;
            for first in [place, previous[at]] {
                let start = first as usize;
                let Some(slot) = ranks.get_mut(start) else { continue };
                let end = next.get(next[start] as usize).map(|&end| end as usize);
                *slot = end.map_or(NONE, |end| self.rank(&piece[start..end]));
                if *slot != NONE {
                    heap.push(Reverse((*slot, first)));
                }
            }
        }
        parts
    }
}

/// The place of a pair of bytes in a table.
fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// The longest piece for which looking at all pairs is faster than a heap.
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
