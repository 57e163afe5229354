//! Counting tokens, the unit that a model's user pays in.
//!
//! Counts of the two vocabularies are additive at a cut after a newline whose next character
//! other than white space is ASCII and not `/`: neither encoding makes a token across it.

mod classes;
mod layout;
mod pretokens;
mod vocabulary;
mod windows;
mod words;

use std::ops::ControlFlow;
use std::sync::LazyLock;

use crate::error::Error;
use pretokens::{Pattern, Pretokens};
use vocabulary::{Tables, Vocabulary};

/// Counts the tokens of a text in one encoding.
pub trait TokenCounter: Send + Sync {
    /// The number of tokens of `text`, special tokens read as plain text. Never panics, whatever
    /// the text.
    fn count(&self, text: &str) -> usize;

    /// The tokens of each part of a text that is cut at `ends`, which rise to its length. A token
    /// belongs to the part that its last bytes are in, as exactly as the encoding tells, so that
    /// the parts add up to the whole. Unless a counter knows better, each part is counted alone.
    fn count_parts(&self, text: &str, ends: &[usize]) -> Vec<usize> {
        let starts = std::iter::once(&0).chain(ends);
        starts.zip(ends).map(|(&start, &end)| text.get(start..end).map_or(0, |part| self.count(part))).collect()
    }

    /// Whether a text has at most so many tokens: no more of it need be looked at than that takes.
    fn fits(&self, text: &str, most: usize) -> bool {
        self.count(text) <= most
    }
}

/// A row of the table of encodings.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Encoding {
    /// The name on the command line and in the envelope.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The counter. The first count of a real vocabulary loads it.
    pub counter: &'static dyn TokenCounter,
}

impl std::fmt::Debug for Encoding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

/// All encodings; the first is the one that is used when nobody says.
pub const ENCODINGS: &[Encoding] = &[
    Encoding {
        name: "o200k_base",
        summary: "the vocabulary of GPT-4o and later OpenAI models, exact",
        counter: &BytePairs { number: 0, pattern: Pattern::O200k, vocabulary: &O200K },
    },
    Encoding {
        name: "cl100k_base",
        summary: "the vocabulary of GPT-4 and GPT-3.5, exact",
        counter: &BytePairs { number: 1, pattern: Pattern::Cl100k, vocabulary: &CL100K },
    },
    Encoding {
        name: "chars4",
        summary: "an estimate that needs no vocabulary: a token for every four characters",
        counter: &FourCharacters,
    },
];

/// The encoding of this name.
///
/// # Errors
/// [`Error::UnknownName`] with the names that exist.
///
/// ```
/// let encoding = snapshot_core::tokens::find("o200k_base")?;
/// assert_eq!(encoding.counter.count("Add to basket"), 3);
/// # Ok::<(), snapshot_core::Error>(())
/// ```
pub fn find(name: &str) -> Result<&'static Encoding, Error> {
    ENCODINGS.iter().find(|encoding| encoding.name == name).ok_or_else(|| Error::UnknownName {
        kind: "encoding",
        name: name.to_owned(),
        known: ENCODINGS.iter().map(|encoding| encoding.name).collect::<Vec<_>>().join(", "),
    })
}

/// An estimate that needs no vocabulary: a token for every four characters, rounded up.
#[derive(Clone, Copy, Debug, Default)]
pub struct FourCharacters;

impl TokenCounter for FourCharacters {
    fn count(&self, text: &str) -> usize {
        text.chars().count().div_ceil(4)
    }
}

/// The tables of a vocabulary, which `build.rs` makes.
macro_rules! vocabulary {
    ($name:literal) => {{
        static TABLES: Tables = Tables {
            tokens: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_tokens")),
            halves: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_halves")).as_chunks().0,
            slots: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_slots")).as_chunks().0,
            merges: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_merges")).as_chunks().0,
            filter: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_filter")),
        };
        LazyLock::new(|| Vocabulary::new(&TABLES))
    }};
}

static O200K: LazyLock<Vocabulary> = vocabulary!("o200k_base");
static CL100K: LazyLock<Vocabulary> = vocabulary!("cl100k_base");

/// A byte pair encoding.
struct BytePairs {
    /// That of its table of words.
    number: usize,
    pattern: Pattern,
    vocabulary: &'static LazyLock<Vocabulary>,
}

impl BytePairs {
    /// Hands the pieces that the pattern cuts a text into to `take`, some at a time: where they
    /// end, and how many tokens each has. Stops when that says so.
    ///
    /// To cut some and then to look these up lets the processor wait for many places of the table
    /// at once.
    fn count_pieces(&self, text: &str, mut take: impl FnMut(&[usize], &[u32]) -> ControlFlow<()>) {
        words::with_words(self.number, |words| {
            let mut pieces = Pretokens::of(text, self.pattern);
            let mut ends = [0; words::AT_ONCE];
            let mut start = 0;
            loop {
                let found = pieces.next_ends(&mut ends);
                let ends = &ends[..found];
                let Some(&end) = ends.last() else { return };
                let counts = words.count(text.as_bytes(), start, ends, |piece| self.vocabulary.count(piece));
                if take(ends, counts).is_break() {
                    return;
                }
                start = end;
            }
        });
    }
}

impl TokenCounter for BytePairs {
    fn count(&self, text: &str) -> usize {
        let mut tokens = 0;
        self.count_pieces(text, |_, counts| {
            tokens += sum(counts);
            ControlFlow::Continue(())
        });
        tokens
    }

    fn count_parts(&self, text: &str, ends: &[usize]) -> Vec<usize> {
        let mut tokens = vec![0; ends.len()];
        let mut part = 0;
        self.count_pieces(text, |piece_ends, counts| {
            for (&at, &count) in piece_ends.iter().zip(counts) {
                while ends.get(part).is_some_and(|&end| end < at) {
                    part += 1;
                }
                if let Some(tokens) = tokens.get_mut(part) {
                    *tokens += count as usize;
                }
            }
            ControlFlow::Continue(())
        });
        tokens
    }

    fn fits(&self, text: &str, most: usize) -> bool {
        // A token is a byte at least.
        if text.len() <= most {
            return true;
        }
        let mut tokens = 0;
        self.count_pieces(text, |_, counts| {
            tokens += sum(counts);
            if tokens <= most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        tokens <= most
    }
}

fn sum(counts: &[u32]) -> usize {
    counts.iter().map(|&count| count as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oracle(encoding: &str) -> &'static tiktoken_rs::CoreBPE {
        match encoding {
            "o200k_base" => tiktoken_rs::o200k_base_singleton(),
            _ => tiktoken_rs::cl100k_base_singleton(),
        }
    }

    fn check(text: &str) {
        for name in ["o200k_base", "cl100k_base"] {
            let counted = find(name).expect("in the table").counter.count(text);
            let expected = oracle(name).encode_ordinary(text).len();
            assert_eq!(counted, expected, "{name} of {:?}", text.chars().take(200).collect::<String>());
        }
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let text = "- link \"Add to basket\" [ref=e3]:\n  - text: 日本語 and 東京\n";
        let ends: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        for name in ["o200k_base", "cl100k_base"] {
            let counter = find(name).expect("in the table").counter;
            assert_eq!(counter.count_parts(text, &ends).iter().sum::<usize>(), counter.count(text), "{name}");
            assert_eq!(counter.count_parts(text, &[8, text.len()]), [3, counter.count(text) - 3], "{name}");
            assert_eq!(counter.count_parts("", &[]), [0; 0], "{name}");
        }
    }

    #[test]
    fn a_text_fits_where_its_count_does() {
        // Words that have been met before, words that have not, and long ones.
        let long = "Donaudampfschifffahrtsgesellschaft ".repeat(3);
        for text in ["", "a", "the cat and the dog", "Quokka Xylitol\n\n", "日本語 and 東京", "   ", &long] {
            for encoding in ENCODINGS {
                for _ in 0..2 {
                    let tokens = encoding.counter.count(text);
                    for most in tokens.saturating_sub(2)..tokens + 3 {
                        assert_eq!(
                            encoding.counter.fits(text, most),
                            tokens <= most,
                            "{} {most} {text:?}",
                            encoding.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn counts_are_those_of_the_reference() {
        for text in [
            "",
            " ",
            "Hello, world!",
            "- link \"Add\" [ref=e12]:\n  - /url: /cart?item=3&size=xl\n",
            "It's we'll they'RE I'M can'T",
            "1234567 12 3.14159 2026-11-30T10:46:00Z",
            "Füße, Ærøskøbing, İstanbul, ǅungla, e\u{301}",
            "お支払い方法を選択してください。購入する",
            "선택한 상품을 장바구니에 담기",
            "أضف إلى السلة  ١٢٣",
            "👩‍👩‍👧‍👦 🇩🇰 ✅️ 😀😀",
            "<|endoftext|><|fim_prefix|> <|start|>",
            "a\r\n\r\n  b\n \t\n/c\n   //d\n\u{3000}\u{a0}x \u{2028}y",
            "\0\u{1}\u{7f}\u{9b}\u{feff}\u{e000}\u{10ffff}\u{e0041}",
            "ThisIsCamelCase_and_snake_case-AND-KEBAB!!!...///",
        ] {
            check(text);
        }
    }

    #[test]
    fn counts_of_whole_pages_are_those_of_the_reference() {
        let corpora = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
        let mut pages = 0;
        for folder in std::fs::read_dir(corpora).expect("the project has pages").flatten() {
            if let Ok(text) = std::fs::read_to_string(folder.path().join("page.html")) {
                check(&text);
                pages += 1;
            }
        }
        assert!(pages >= 16, "only {pages} pages were found");
    }

    #[test]
    fn counts_of_all_short_texts_are_those_of_the_reference() {
        let shapes =
            ["a", "B", "'", "s", "l", "1", " ", "\t", "\n", "\r", "/", "-", "é", "\u{a0}", "ſ", "漢", "\u{301}"];
        let count = shapes.len();
        for number in 0..count.pow(4) {
            let text: String = (0..4).map(|place| shapes[number / count.pow(place) % count]).collect();
            check(&text);
        }
        // Longer ones at random: a linear congruential generator, so that they are always the same.
        let mut state = 1_u64;
        for _ in 0..50_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(shapes[usize::try_from(state >> 33).unwrap_or_default() % count]);
            }
            check(&text);
        }
    }

    #[test]
    fn hostile_runs_do_not_panic_and_cost_tokens_in_proportion() {
        let long = [" ", "\t", "\u{3000}", "a", "😀"].map(|shape| (shape, 2_000_000));
        let shorter = ["\u{a0}", "\n", "/", "e\u{301}", "<|endoftext|>", "'s", "qz7"].map(|shape| (shape, 200_000));
        for name in ["o200k_base", "cl100k_base"] {
            let counter = find(name).expect("in the table").counter;
            for (shape, bytes) in long.into_iter().chain(shorter) {
                let half = shape.repeat(bytes / shape.len() / 2);
                let (once, twice) = (counter.count(&half), counter.count(&(half.clone() + &half)));
                assert!(once > 0 && once <= half.len(), "{name}: {shape:?}");
                assert!(twice.abs_diff(2 * once) <= 2, "{name}: {shape:?}: {once} and {twice}");
            }
        }
    }

    #[test]
    fn counts_add_up_at_line_ends_before_ascii() {
        let lines =
            ["a b", "  - link", "é", "  é", "- x  ", "\t", "", "'s", "  'll", "/x", "12", "  34", "日本", "!\t"];
        for name in ["o200k_base", "cl100k_base"] {
            let counter = find(name).expect("in the table").counter;
            for first in lines {
                for second in lines {
                    let next = second.trim_start().chars().next();
                    if next.is_none_or(|next| !next.is_ascii() || next == '/') {
                        continue;
                    }
                    let (first, second) = (format!("{first}\n"), format!("{second}\n"));
                    let whole = counter.count(&format!("{first}{second}"));
                    assert_eq!(whole, counter.count(&first) + counter.count(&second), "{name}: {first:?} + {second:?}");
                }
            }
        }
    }

    #[test]
    fn counting_needs_little_stack() {
        let counter = find("o200k_base").expect("in the table").counter;
        let count = move || counter.count(&"stack and words ".repeat(10_000));
        let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(count).expect("starts");
        assert!(thread.join().expect("does not overflow") > 10_000);
    }

    #[test]
    fn the_estimate_rounds_up() {
        assert_eq!(FourCharacters.count(""), 0);
        assert_eq!(FourCharacters.count("öäüß!"), 2);
    }

    #[test]
    fn an_unknown_encoding_names_the_known_ones() {
        let error = find("gpt2").expect_err("not in the table").to_string();
        assert!(error.contains("o200k_base, cl100k_base, chars4"), "{error}");
    }
}
