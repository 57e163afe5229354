//! Counts that stop as soon as they are known to be too high.

use crate::tokens::Encoding;

/// Counts texts in one encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting {
    encoding: &'static Encoding,
}

impl Counting {
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        Self { encoding }
    }

    /// The tokens of a text, exactly.
    pub(crate) fn count(self, text: &str) -> usize {
        self.encoding.counter.count(text)
    }

    /// The tokens of each part of a text that is cut at `ends`.
    pub(crate) fn count_parts(self, text: &str, ends: &[usize]) -> Vec<usize> {
        self.encoding.counter.count_parts(text, ends)
    }

    /// Whether a text costs at most so many tokens. No more of it is counted than that takes; a
    /// token is at least a byte.
    pub(crate) fn fits(self, text: &str, most: usize) -> bool {
        if text.len() <= most {
            return true;
        }
        if !self.encoding.counter.is_additive() {
            return self.count(text) <= most;
        }
        let mut sum = 0;
        let mut start = 0;
        while let Some(end) = cut_after(text, start + AT_ONCE) {
            sum += self.count(&text[start..end]);
            if sum > most {
                return false;
            }
            start = end;
        }
        sum + self.count(&text[start..]) <= most
    }
}

/// So many bytes, and what remains of their last line, are counted before the sum is looked at.
const AT_ONCE: usize = 4096;

/// The first place from `from` on, behind a line end, where counts add up.
fn cut_after(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = from;
    loop {
        let cut = from + memchr::memchr(b'\n', bytes.get(from..)?)? + 1;
        if can_be_cut(&text[cut..]) {
            return Some(cut);
        }
        from = cut;
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
    fn counts_are_exact_wherever_they_stop() {
        let lines =
            ["- link \"Add\" [ref=e3]:\n", "  - /url: /cart\n", "\n", "é\n", "/x\n", "    \n", "日本 a\n", "\t-\n"];
        for name in ["o200k_base", "cl100k_base", "chars4"] {
            let encoding = crate::tokens::find(name).expect("in the table");
            let counting = Counting::new(encoding);
            for at in 0..lines.len().pow(3) {
                let text = [lines[at % 8], &lines[at / 8 % 8].repeat(AT_ONCE / 8), lines[at / 64]].concat();
                let count = encoding.counter.count(&text);
                assert_eq!(counting.count(&text), count, "{text:?}");
                assert!(counting.fits(&text, count) && (count == 0 || !counting.fits(&text, count - 1)), "{text:?}");
            }
        }
    }
}
