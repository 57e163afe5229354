//! Lays out tables of others, so that nothing has to be unpacked when a program starts: the
//! vocabularies that tokens are counted by as plain bytes, the character classes of the patterns
//! that cut text, and the names of characters in HTML.
//!
//! They come from crates that have no other part in the library: `tiktoken` has the vocabularies,
//! `regex-syntax` the Unicode tables that its patterns are matched by, `markup5ever` the names.

#[path = "build/character_references.rs"]
mod character_references;
#[path = "src/tokens/layout.rs"]
mod layout;

use std::error::Error;
use std::path::Path;

use regex_syntax::hir::{Class, HirKind};
use rustc_hash::FxHashMap;

/// The vocabularies and how many tokens each has, special ones left out.
const VOCABULARIES: [(&str, u32); 2] = [("o200k_base", 199_998), ("cl100k_base", 100_256)];

/// The classes, in the order of their bits in `src/tokens/classes.rs`. A character is in the first
/// that has it, and a sign if none has.
const CLASSES: [&str; 7] = [r"\p{Ll}", r"[\p{Lu}\p{Lt}]", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"[\r\n]", r"\s"];
const SIGN: u8 = 1 << 7;

/// Characters of a page of the table.
const PAGE: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/tokens/layout.rs");
    let folder = std::env::var("OUT_DIR")?;
    let folder = Path::new(&folder);
    for (name, size) in VOCABULARIES {
        for (part, bytes) in vocabulary(name, size)? {
            std::fs::write(folder.join(format!("{name}_{part}")), bytes)?;
        }
    }
    std::fs::write(folder.join("classes"), classes()?)?;
    std::fs::write(folder.join("character_references"), character_references::table())?;
    Ok(())
}

/// A table by its name.
type Part = (&'static str, Vec<u8>);

/// The tables of a vocabulary: `tokens` in the order of ranks, the length of each in one byte, then
/// its bytes. `halves`, the ranks of the two tokens that each is merged from, in three bytes each.
/// `slots` to find tokens by their bytes, `merges` to find them by their halves, and the `filter`
/// of the latter, as `layout.rs` says.
///
/// Bytes are merged from none (`NONE`). It would be an error if merging came to no other token, or
/// came to one in several ways: pairs are looked up by these halves alone.
fn vocabulary(name: &str, size: u32) -> Result<[Part; 5], Box<dyn Error>> {
    let encoding = tiktoken::get_encoding(name).ok_or("tiktoken does not have the vocabulary")?;
    let tokens: Vec<Vec<u8>> = (0..size).map(|rank| encoding.decode(&[rank])).collect();
    let ranks: FxHashMap<&[u8], u32> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let mut bytes = Vec::new();
    let mut halves = Vec::new();
    // At least a fifth of them stays free.
    let mut slots = vec![0; (tokens.len() * 5 / 4).next_power_of_two()];
    let mut merges = slots.clone();
    let mut filter = vec![0; layout::FILTER_BITS / 8];
    for (rank, token) in (0..size).zip(&tokens) {
        if token.is_empty() {
            return Err(format!("{name} has no token of rank {rank}").into());
        }
        bytes.push(u8::try_from(token.len())?);
        let (slot, tag) = layout::token_slot(token, slots.len());
        insert(&mut slots, slot, tag, u32::try_from(bytes.len())?, layout::PLACE)?;
        bytes.extend(token);
        let (first, second) = match halves_of(token, rank, &ranks) {
            Some(halves) => halves,
            None if token.len() == 1 => (layout::NONE, layout::NONE),
            None => return Err(format!("merging never comes to the token of rank {rank} in {name}").into()),
        };
        halves.extend(&first.to_le_bytes()[..3]);
        halves.extend(&second.to_le_bytes()[..3]);
        if first != layout::NONE {
            let (slot, tag, bit) = layout::merge_slot(first, second, merges.len());
            insert(&mut merges, slot, tag, rank + 1, layout::RANK)?;
            filter[bit / 8] |= 1 << (bit % 8);
        }
    }
    let flat = |slots: Vec<u32>| slots.into_iter().flat_map(u32::to_le_bytes).collect();
    let (slots, merges) = (flat(slots), flat(merges));
    Ok([("tokens", bytes), ("halves", halves), ("slots", slots), ("merges", merges), ("filter", filter)])
}

/// Puts a value and a tag above it into the first free slot from `slot` on.
fn insert(slots: &mut [u32], mut slot: usize, tag: u32, value: u32, most: u32) -> Result<(), Box<dyn Error>> {
    if value > most {
        return Err("a vocabulary is too large for the layout".into());
    }
    while slots[slot] != 0 {
        slot = (slot + 1) % slots.len();
    }
    slots[slot] = tag | value;
    Ok(())
}

/// The ranks of the two tokens that the last merge makes a token from.
fn halves_of(token: &[u8], rank: u32, ranks: &FxHashMap<&[u8], u32>) -> Option<(u32, u32)> {
    let mut starts: Vec<usize> = (0..=token.len()).collect();
    while starts.len() > 3 {
        let pairs = (0..starts.len() - 2).filter_map(|at| Some((*ranks.get(&token[starts[at]..starts[at + 2]])?, at)));
        match pairs.min() {
            Some((least, at)) if least < rank => starts.remove(at + 1),
            _ => return None,
        };
    }
    let middle = if token.len() < 2 { return None } else { starts[1] };
    Some((*ranks.get(&token[..middle])?, *ranks.get(&token[middle..])?))
}

/// The number of each page of characters in two bytes, then the pages, equal ones once: a byte of
/// class for each character.
fn classes() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut table = vec![SIGN; 0x11_0000];
    for (number, pattern) in CLASSES.iter().enumerate().rev() {
        let hir = regex_syntax::parse(pattern)?;
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else { return Err("a class was expected".into()) };
        for range in class.iter() {
            table[range.start() as usize..=range.end() as usize].fill(1 << number);
        }
    }
    let mut pages: Vec<&[u8]> = Vec::new();
    let mut bytes = Vec::new();
    for page in table.chunks(PAGE) {
        let number = pages.iter().position(|known| *known == page).unwrap_or_else(|| {
            pages.push(page);
            pages.len() - 1
        });
        bytes.extend(u16::try_from(number)?.to_le_bytes());
    }
    bytes.extend(pages.concat());
    Ok(bytes)
}
