//! Counts that are made once for each line.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::tokens::Encoding;

/// Counts texts that have most of their lines in common.
#[derive(Debug)]
pub(crate) struct Counting {
    encoding: &'static Encoding,
    lines: RefCell<FxHashMap<Box<str>, usize>>,
}

/// Longer stretches are hardly met twice and not remembered.
const LONGEST_REMEMBERED: usize = 400;

impl Counting {
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        Self { encoding, lines: RefCell::default() }
    }

    /// The tokens of a text, exactly.
    pub(crate) fn count(&self, text: &str) -> usize {
        if !self.encoding.counter.is_additive() {
            return self.encoding.counter.count(text);
        }
        let mut sum = 0;
        let mut start = 0;
        for (at, _) in text.match_indices('\n') {
            if can_be_cut(&text[at + 1..]) {
                sum += self.stretch(&text[start..=at]);
                start = at + 1;
            }
        }
        sum + self.stretch(&text[start..])
    }

    /// Whether a text costs at most so many tokens. No more of it is counted than that takes; a
    /// token is at least a byte.
    pub(crate) fn fits(&self, text: &str, most: usize) -> bool {
        if text.len() <= most {
            return true;
        }
        if !self.encoding.counter.is_additive() {
            return self.encoding.counter.count(text) <= most;
        }
        let mut sum = 0;
        let mut start = 0;
        for (at, _) in text.match_indices('\n') {
            if can_be_cut(&text[at + 1..]) {
                sum += self.stretch(&text[start..=at]);
                if sum > most {
                    return false;
                }
                start = at + 1;
            }
        }
        sum + self.stretch(&text[start..]) <= most
    }

    fn stretch(&self, text: &str) -> usize {
        if text.len() > LONGEST_REMEMBERED {
            return self.encoding.counter.count(text);
        }
        if let Some(&count) = self.lines.borrow().get(text) {
            return count;
        }
        let count = self.encoding.counter.count(text);
        self.lines.borrow_mut().insert(text.into(), count);
        count
    }
}

/// Whether counts before and after a line end add up, by what follows it.
fn can_be_cut(rest: &str) -> bool {
    let next = rest.bytes().find(|byte| *byte != b' ');
    next.is_some_and(|next| next.is_ascii_graphic() && next != b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembered_counts_are_exact() {
        let lines =
            ["- link \"Add\" [ref=e3]:\n", "  - /url: /cart\n", "\n", "é\n", "/x\n", "    \n", "日本 a\n", "\t-\n"];
        for name in ["o200k_base", "cl100k_base", "chars4"] {
            let encoding = crate::tokens::find(name).expect("in the table");
            let counting = Counting::new(encoding);
            for at in 0..lines.len().pow(3) {
                let text = [lines[at % 8], lines[at / 8 % 8], lines[at / 64]].concat();
                let count = encoding.counter.count(&text);
                assert_eq!(counting.count(&text), count, "{text:?}");
                assert!(counting.fits(&text, count) && (count == 0 || !counting.fits(&text, count - 1)), "{text:?}");
            }
        }
    }
}
