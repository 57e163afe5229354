//! How the tables of a vocabulary are laid out: `build.rs` makes them by these rules, and
//! [`Vocabulary`](super::vocabulary::Vocabulary) looks things up by them.

/// Where a rank is expected and there is none: the pair cannot be merged.
pub(super) const NONE: u32 = 0x00ff_ffff;

/// A slot of the table of tokens has some bits of the hash, then where in the list of tokens
/// the bytes begin. Both vocabularies take less than 2 to the power of 22 bytes.
pub(super) const PLACE: u32 = (1 << 22) - 1;

/// A slot of the table of merges has some bits of the hash, then the rank and 1.
pub(super) const RANK: u32 = (1 << 18) - 1;

/// A bit for some values of the hash of pairs: where it is not set, no such pair is merged.
pub(super) const FILTER_BITS: usize = 1 << 21;

/// Where to look for a token in an open-addressed table of so many slots, and the part of its hash
/// that is kept there.
#[inline]
pub(super) fn token_slot(bytes: &[u8], slots: usize) -> (usize, u32) {
    let hash = hash(bytes);
    let slot = usize::try_from(hash >> 32).unwrap_or_default() & (slots - 1);
    (slot, u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default() & !PLACE)
}

/// Where to look for a pair of tokens in an open-addressed table of so many slots, the part of its
/// hash that is kept there, and its bit in the filter.
#[inline]
pub(super) fn merge_slot(first: u32, second: u32, slots: usize) -> (usize, u32, usize) {
    let hash = (u64::from(first) << 32 | u64::from(second)).wrapping_mul(FACTOR);
    let upper = |bits: u32| usize::try_from(hash >> (u64::BITS - bits)).unwrap_or_default();
    let tag = u32::try_from(hash >> 20 & u64::from(u32::MAX)).unwrap_or_default() & !RANK;
    (upper(slots.ilog2()), tag, upper(FILTER_BITS.ilog2()))
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes eight bytes at a time.
#[inline]
fn hash(bytes: &[u8]) -> u64 {
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
