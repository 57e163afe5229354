//! Putting a text together from pieces of another one.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHasher};

use super::Edit;

/// What `after` consists of: pieces of `before`, wherever they stood, and new text. Linear in
/// the length of both.
pub(super) fn edits(before: &str, after: &str) -> Vec<Edit> {
    let source = Segments::of(before);
    let target = Segments::of(after);
    let index = source.index();
    let mut edits = Edits { before, after, list: Vec::new(), inserted: 0 };
    let mut at = 0;
    // The segment of the source behind the last piece that was kept.
    let mut expected = 0;
    while at < target.ranges.len() {
        let nearby = expected..(expected + NEARBY).min(source.ranges.len());
        let elsewhere = index.places(&target, at);
        let mut best = (0, 0);
        for candidate in nearby.chain(elsewhere) {
            let length = source.common_run(candidate, &target, at);
            if length > best.1 {
                best = (candidate, length);
            }
        }
        let (from, length) = best;
        let run = target.bytes(at, length);
        if run.len() >= LEAST_COPY || (length > 0 && from == expected) {
            edits.keep(source.bytes(from, length), run.clone());
            expected = from + length;
            at += length;
        } else {
            at += 1;
        }
    }
    edits.finish()
}

/// How many segments behind the last kept piece are tried: there most texts go on after a change.
const NEARBY: usize = 8;

/// How many places are remembered at which the same segments begin.
const PLACES: usize = 8;

/// Pieces below this many bytes are not worth fetching from elsewhere.
const LEAST_COPY: usize = 24;

/// Segments longer than this are cut at tags and words.
const LONG_SEGMENT: usize = 80;

/// Where segments stand.
#[derive(Default)]
struct Index {
    /// By a segment and the one behind it: the first few places.
    in_pairs: FxHashMap<(u64, u64), Vec<usize>>,
    /// By a segment, if it stands in one place only.
    alone: FxHashMap<u64, Option<usize>>,
}

impl Index {
    fn places(&self, target: &Segments<'_>, at: usize) -> impl Iterator<Item = usize> + '_ {
        let key = target.key(at);
        let in_pairs = self.in_pairs.get(&key).into_iter().flatten().copied();
        in_pairs.chain(self.alone.get(&key.0).copied().flatten())
    }
}

struct Segments<'text> {
    text: &'text str,
    ranges: Vec<Range<usize>>,
    hashes: Vec<u64>,
}

impl<'text> Segments<'text> {
    fn of(text: &'text str) -> Self {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let end = start + line.len();
            let mut from = start;
            if line.len() > LONG_SEGMENT {
                // Tags begin a segment, and so does a word when the segment has become long.
                for (at, byte) in line.bytes().enumerate().skip(1) {
                    let here = start + at;
                    if byte == b'<' || (byte == b' ' && here - from >= LONG_SEGMENT) {
                        ranges.push(from..here);
                        from = here;
                    }
                }
            }
            ranges.push(from..end);
            start = end;
        }
        let hashes = ranges
            .iter()
            .map(|range| {
                let mut hasher = FxHasher::default();
                hasher.write(text.get(range.clone()).unwrap_or("").as_bytes());
                hasher.finish()
            })
            .collect();
        Self { text, ranges, hashes }
    }

    /// Numbers of the segment and the one behind it.
    fn key(&self, at: usize) -> (u64, u64) {
        let hash = |at: usize| self.hashes.get(at).copied().unwrap_or_default();
        (hash(at), hash(at + 1))
    }

    fn index(&self) -> Index {
        let mut index = Index::default();
        for at in 0..self.ranges.len() {
            let key = self.key(at);
            index.alone.entry(key.0).and_modify(|place| *place = None).or_insert(Some(at));
            let places = index.in_pairs.entry(key).or_default();
            if places.len() < PLACES {
                places.push(at);
            }
        }
        index
    }

    /// How many segments from `at` on are those of the other text from `other_at` on.
    fn common_run(&self, at: usize, other: &Self, other_at: usize) -> usize {
        let mine = self.ranges.iter().skip(at);
        let theirs = other.ranges.iter().skip(other_at);
        mine.zip(theirs)
            .enumerate()
            .take_while(|(step, (mine, theirs))| {
                self.hashes.get(at + step) == other.hashes.get(other_at + step)
                    && self.text.get((*mine).clone()) == other.text.get((*theirs).clone())
            })
            .count()
    }

    fn bytes(&self, at: usize, length: usize) -> Range<usize> {
        let start = self.ranges.get(at).map_or(0, |range| range.start);
        let end = (at + length).checked_sub(1).and_then(|last| self.ranges.get(last)).map_or(start, |range| range.end);
        start..end.max(start)
    }
}

struct Edits<'text> {
    before: &'text str,
    after: &'text str,
    list: Vec<Edit>,
    /// Up to where the later text is done.
    inserted: usize,
}

impl Edits<'_> {
    /// Keeps a piece that stands at `source` before and at `target` after, and what surrounds it
    /// alike in both.
    fn keep(&mut self, source: Range<usize>, target: Range<usize>) {
        let floor = match self.list.last() {
            Some(Edit::Keep([_, end])) if *end <= source.start => *end,
            _ => 0,
        };
        let grown = common_suffix(
            self.before.get(floor..source.start).unwrap_or(""),
            self.after.get(self.inserted..target.start).unwrap_or(""),
        );
        let (start, target_start) = (source.start - grown, target.start - grown);
        // The last kept piece may go on into what would have been inserted.
        if let Some(Edit::Keep([_, end])) = self.list.last_mut() {
            let more = common_prefix(
                self.before.get(*end..start.max(*end)).unwrap_or(""),
                self.after.get(self.inserted..target_start).unwrap_or(""),
            );
            *end += more;
            self.inserted += more;
        }
        self.insert_up_to(target_start);
        if let Some(Edit::Keep([_, end])) = self.list.last_mut()
            && *end == start
        {
            *end = source.end;
        } else {
            self.list.push(Edit::Keep([start, source.end]));
        }
        self.inserted = target.end;
    }

    fn insert_up_to(&mut self, end: usize) {
        if let Some(text) = self.after.get(self.inserted..end).filter(|text| !text.is_empty()) {
            self.list.push(Edit::Insert(text.to_owned()));
        }
        self.inserted = end;
    }

    fn finish(mut self) -> Vec<Edit> {
        self.insert_up_to(self.after.len());
        self.list
    }
}

fn common_prefix(first: &str, second: &str) -> usize {
    first.chars().zip(second.chars()).take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum()
}

fn common_suffix(first: &str, second: &str) -> usize {
    first
        .chars()
        .rev()
        .zip(second.chars().rev())
        .take_while(|(left, right)| left == right)
        .map(|(left, _)| left.len_utf8())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rebuild(before: &str, list: &[Edit]) -> String {
        list.iter()
            .map(|edit| match edit {
                Edit::Keep([start, end]) => before[*start..*end].to_owned(),
                Edit::Insert(text) => text.clone(),
            })
            .collect()
    }

    fn check(before: &str, after: &str, most_edits: usize, most_inserted: usize) {
        let list = edits(before, after);
        assert_eq!(rebuild(before, &list), after);
        let inserted: usize = list.iter().map(|edit| if let Edit::Insert(text) = edit { text.len() } else { 0 }).sum();
        assert!(list.len() <= most_edits && inserted <= most_inserted, "{list:?}");
    }

    #[test]
    fn what_is_alike_is_kept() {
        let lines: Vec<String> =
            (0..40).map(|number| format!("- link \"Shelf number {number}\" [ref=e{number}]\n")).collect();
        let text = lines.concat();
        check(&text, &text, 1, 0);
        check(&text, "", 0, 0);
        check("", &text, 1, text.len());
        check(&text, &text.replace("number 7\"", "number ä\""), 3, 8);
        let mut moved = lines.clone();
        let line = moved.remove(3);
        moved.insert(30, line);
        check(&text, &moved.concat(), 5, 8);
        let html = text.replace("\n", "").replace("- ", "<li>");
        check(&html, &html.replace("number 7\"", "number 8\""), 3, 8);
    }

    #[test]
    fn repetition_costs_linear_time() {
        let before = "- listitem:\n".repeat(100_000);
        let after = "- listitem:\n".repeat(90_000) + "- x\n" + &"- listitem:\n".repeat(20_000);
        check(&before, &after, 6, 64);
    }
}
