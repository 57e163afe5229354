//! A vocabulary of byte pair encoding: tokens by their bytes, and the merging of pairs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::layout::{self, NONE, PLACE, RANK};

/// The tables of a vocabulary as `build.rs` lays them out. A token is known by its rank: what is
/// merged first has the lowest.
#[derive(Debug)]
pub(super) struct Tables {
    /// The tokens in the order of ranks: the length of each in a byte, and its own bytes.
    pub(super) tokens: &'static [u8],
    /// The two tokens that each is merged from, in three bytes each.
    pub(super) halves: &'static [[u8; 6]],
    /// An open-addressed table of the tokens by their bytes: bits of the hash, then
    /// where in `tokens` the bytes begin; 0 where there is none.
    pub(super) slots: &'static [[u8; 4]],
    /// An open-addressed table of the tokens by the two that they are merged from: bits of the
    /// hash, then the rank and 1; 0 where there is none.
    ///
    /// Merging need look for no other pairs. Where a pair spells a token, all merges so far of its
    /// bytes are those of these bytes alone, and the last of them makes the token from the halves
    /// that `build.rs` found in the same way.
    pub(super) merges: &'static [[u8; 4]],
    /// A bit for some values of the hash of pairs: where it is not set, no such pair is in the
    /// table. This is small enough to stay close to the processor, and most pairs are in none.
    pub(super) filter: &'static [u8],
}

/// A vocabulary with what its first use finds out.
pub(super) struct Vocabulary {
    tables: &'static Tables,
    /// The token of each byte.
    bytes: [u32; 256],
    /// The token of each pair of bytes: merging begins with all pairs of a piece.
    pairs: Vec<u32>,
}

impl Vocabulary {
    /// Looks up all pairs of bytes, which takes less than a millisecond.
    pub(super) fn new(tables: &'static Tables) -> Self {
        let mut vocabulary = Self { tables, bytes: [NONE; 256], pairs: vec![NONE; 1 << 16] };
        // Bytes have the first ranks.
        let mut place = 1;
        for rank in 0..256 {
            let Some(&[byte]) = vocabulary.token(place) else { break };
            vocabulary.bytes[usize::from(byte)] = rank;
            place += 2;
        }
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                let tokens = [first, second].map(|byte| vocabulary.bytes[usize::from(byte)]);
                vocabulary.pairs[pair(first, second)] = vocabulary.merged(tokens[0], tokens[1]);
            }
        }
        vocabulary
    }

    /// The number of tokens of a piece that the pattern does not cut further.
    pub(super) fn count(&self, piece: &[u8]) -> usize {
        if piece.len() <= 1 || self.has(piece) {
            return piece.len().min(1);
        }
        if piece.len() <= SHORT { self.count_short(piece) } else { self.count_long(piece, WINDOW) }
    }

    /// The bytes of the token that begin at `place`.
    #[inline]
    fn token(&self, place: usize) -> Option<&'static [u8]> {
        let length = usize::from(*self.tables.tokens.get(place - 1)?);
        self.tables.tokens.get(place..place + length)
    }

    /// Whether these bytes are a token.
    fn has(&self, bytes: &[u8]) -> bool {
        if bytes.len() > usize::from(u8::MAX) {
            return false;
        }
        let slots = self.tables.slots;
        let (mut slot, tag) = layout::token_slot(bytes, slots.len());
        loop {
            let found = u32::from_le_bytes(slots[slot]);
            if found == 0 {
                return false;
            }
            if found & !PLACE == tag && self.token((found & PLACE) as usize) == Some(bytes) {
                return true;
            }
            slot = (slot + 1) & (slots.len() - 1);
        }
    }

    /// The two tokens that a token is merged from. Bytes have none.
    fn halves(&self, rank: u32) -> Option<(u32, u32)> {
        let &[low, middle, high, second @ ..] = self.tables.halves.get(rank as usize)?;
        let first = u32::from_le_bytes([low, middle, high, 0]);
        let [low, middle, high] = second;
        (first != NONE).then_some((first, u32::from_le_bytes([low, middle, high, 0])))
    }

    /// The token that two are merged to, [`NONE`] where they are not.
    #[inline]
    fn merged(&self, first: u32, second: u32) -> u32 {
        let merges = self.tables.merges;
        let (mut slot, tag, bit) = layout::merge_slot(first, second, merges.len());
        if self.tables.filter[bit / 8] >> (bit % 8) & 1 == 0 {
            return NONE;
        }
        loop {
            let found = u32::from_le_bytes(merges[slot]);
            if found == 0 {
                return NONE;
            }
            let rank = (found & RANK).wrapping_sub(1);
            if found & !RANK == tag && self.halves(rank) == Some((first, second)) {
                return rank;
            }
            slot = (slot + 1) & (merges.len() - 1);
        }
    }

    /// Merges the pair of the least rank until there is none, looking at all pairs each time.
    fn count_short(&self, piece: &[u8]) -> usize {
        // By the place where a part begins: its token, and above the place in the lower bits the
        // rank of what it and the next part would be merged to.
        let mut tokens = [NONE; SHORT];
        let mut ranks = [u32::MAX; SHORT];
        for (at, &byte) in (0..).zip(piece) {
            tokens[at] = self.bytes[usize::from(byte)];
        }
        let ranks = &mut ranks[..piece.len()];
        let ranked = |rank: u32, at: usize| rank << SHORT_BITS | u32::try_from(at).unwrap_or_default();
        for (at, bytes) in piece.windows(2).enumerate() {
            ranks[at] = ranked(self.pairs[pair(bytes[0], bytes[1])], at);
        }
        // A bit for each place where a part begins.
        let mut starts = (1_u64 << piece.len()) - 1;
        loop {
            let least = ranks.iter().copied().min().unwrap_or(u32::MAX);
            if least >> SHORT_BITS == NONE {
                return starts.count_ones() as usize;
            }
            let at = (least & ((1 << SHORT_BITS) - 1)) as usize;
            tokens[at] = least >> SHORT_BITS;
            let behind = starts & (u64::MAX << at << 1);
            let taken = behind.trailing_zeros() as usize;
            starts &= !(1 << taken);
            ranks[taken] = u32::MAX;
            let next = (behind & behind.wrapping_sub(1)).trailing_zeros() as usize;
            let rank = if next < piece.len() { self.merged(tokens[at], tokens[next]) } else { NONE };
            ranks[at] = ranked(rank, at);
            let before = starts & ((1 << at) - 1);
            if before != 0 {
                let before = before.ilog2() as usize;
                ranks[before] = ranked(self.merged(tokens[before], tokens[at]), before);
            }
        }
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
        // So far.
        let mut tokens: Vec<Token> = Vec::new();
        let mut at = 0_usize;
        let mut window = at_once;
        loop {
            let end = piece.len().min(at.saturating_add(window));
            let found = merging.tokens(self, &piece[at..end]);
            if let (Some(&before), Some(first)) = (tokens.last(), found.first())
                && !self.are_neighbours(before.rank, first.rank)
            {
                tokens.pop();
                at -= before.length();
                window *= 2;
                continue;
            }
            if end == piece.len() {
                return tokens.len() + found.len();
            }
            let kept = found.len().saturating_sub(UNSURE).max(1);
            tokens.extend(&found[..kept]);
            at += found[..kept].iter().map(|token| token.length()).sum::<usize>();
            window = at_once;
        }
    }

    /// Whether merging leaves the border between two tokens. It does unless a pair across it, of
    /// the parts that the tokens are made from, would have been merged before the tokens were made.
    fn are_neighbours(&self, mut left: u32, mut right: u32) -> bool {
        // What has a lower rank would have been merged.
        let mut limit = NONE;
        loop {
            if self.merged(left, right) < limit {
                return false;
            }
            // Takes back the later of the two merges; of equals the first one was done first.
            match (self.halves(left), self.halves(right)) {
                (None, None) => return true,
                (Some((_, half)), other) if other.is_none() || left > right => {
                    limit = left;
                    left = half;
                }
                (_, Some((half, _))) => {
                    limit = right + 1;
                    right = half;
                }
                (Some(_), None) => return false,
            }
        }
    }
}

/// A token and its length in bytes.
#[derive(Clone, Copy, Debug)]
struct Token {
    rank: u32,
    length: u32,
}

impl Token {
    fn length(self) -> usize {
        self.length as usize
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
    /// The token of each part.
    parts: Vec<u32>,
    /// The rank of each part together with the next.
    ranks: Vec<u32>,
    /// The ranks and places of pairs, also of some that are merged.
    pairs: BinaryHeap<Reverse<(u32, u32)>>,
    tokens: Vec<Token>,
}

impl Merging {
    /// The tokens of a piece: merges the pair of the least rank until there is none.
    fn tokens(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> &[Token] {
        let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
        self.next.clear();
        self.next.extend(1..=length);
        self.previous.clear();
        self.previous.extend((0..length).map(|at| at.wrapping_sub(1)));
        self.parts.clear();
        self.parts.extend(piece.iter().map(|&byte| vocabulary.bytes[usize::from(byte)]));
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
            self.parts[at] = rank;
            self.next[at] = self.next[merged];
            if let Some(behind) = self.previous.get_mut(self.next[at] as usize) {
                *behind = place;
            }
            for first in [place, self.previous[at]] {
                let start = first as usize;
                let Some(slot) = self.ranks.get_mut(start) else { continue };
                let second = self.parts.get(self.next[start] as usize);
                *slot = second.map_or(NONE, |&second| vocabulary.merged(self.parts[start], second));
                if *slot != NONE {
                    self.pairs.push(Reverse((*slot, first)));
                }
            }
        }
        self.tokens.clear();
        let mut start = 0;
        while let Some(&end) = self.next.get(start as usize) {
            self.tokens.push(Token { rank: self.parts[start as usize], length: end - start });
            start = end;
        }
        &self.tokens
    }
}

/// The place of a pair of bytes in a table.
fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// The longest piece for which looking at all pairs is faster.
const SHORT: usize = 48;

/// Enough for a place in a short piece.
const SHORT_BITS: u32 = 6;

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
