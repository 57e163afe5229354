//! Which sentences of a text say most: TextRank with the parameters of D2Snap.
//!
//! A sentence is compared with the [`NEIGHBOURS`] before and behind it, so the time is linear in
//! the length of the text; up to that many sentences it is TextRank to the letter.

use super::sentences::words;

/// How many sentences on each side a sentence is compared with.
pub const NEIGHBOURS: usize = 32;

const DAMPING: f64 = 0.75;
const LEAST_SIMILARITY: f64 = 0.1;
const MOST_ROUNDS: usize = 20;
const TOLERANCE: f64 = 1e-4;

/// The rank of each sentence, highest for the one that shares most with the others.
#[allow(clippy::cast_precision_loss, reason = "counts of words and sentences are small")]
pub fn rank(sentences: &[&str]) -> Vec<f64> {
    let vectors: Vec<Words> = sentences.iter().map(|sentence| Words::of(sentence)).collect();
    let mut edges: Vec<(usize, usize, f64)> = Vec::new();
    let mut degrees = vec![0.0; sentences.len()];
    for (first, vector) in vectors.iter().enumerate() {
        for (second, other) in vectors.iter().enumerate().skip(first + 1).take(NEIGHBOURS) {
            let similarity = vector.cosine(other);
            if similarity > LEAST_SIMILARITY {
                edges.push((first, second, similarity));
                degrees[first] += similarity;
                degrees[second] += similarity;
            }
        }
    }
    let mut ranks = vec![1.0; sentences.len()];
    for _ in 0..MOST_ROUNDS {
        let mut next = vec![1.0 - DAMPING; sentences.len()];
        for &(first, second, similarity) in &edges {
            next[second] += DAMPING * similarity / degrees[first] * ranks[first];
            next[first] += DAMPING * similarity / degrees[second] * ranks[second];
        }
        let change: f64 = ranks.iter().zip(&next).map(|(before, after)| f64::abs(before - after)).sum();
        ranks = next;
        if change < TOLERANCE * sentences.len() as f64 {
            break;
        }
    }
    ranks
}

/// How many of `count` sentences stay when the share `ratio` of them goes: at least one.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the product lies between zero and the count"
)]
pub fn kept(count: usize, ratio: f64) -> usize {
    let rounded = (count as f64 * (1.0 - ratio) + 0.5).floor() as usize;
    rounded.clamp(1, count.max(1))
}

/// The order in which sentences stay, the last to go first. Those of a higher class go only when
/// none of a lower one is left; within a class those of a lower rank go first, the later of two
/// equals before the earlier.
pub fn order(sentences: &[&str], classes: &[u8]) -> Vec<usize> {
    let ranks = rank(sentences);
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let class = |at: usize| classes.get(at).copied().unwrap_or(0);
    // Sums of the same numbers in another order may differ in the last digits, which must not
    // decide: equal to a millionth is equal.
    #[allow(clippy::cast_possible_truncation, reason = "ranks are far below this")]
    let rounded: Vec<i64> = ranks.iter().map(|rank| (rank * 1e6).round() as i64).collect();
    order.sort_by(|&first, &second| {
        class(second).cmp(&class(first)).then(rounded[second].cmp(&rounded[first])).then(first.cmp(&second))
    });
    order
}

/// Which sentences stay: the first `keep` of the order, and those that must. What stays with a
/// smaller `keep` also stays with a larger one.
pub fn select(order: &[usize], must: &[bool], keep: usize) -> Vec<bool> {
    let mut stays = vec![false; order.len()];
    for (stays, must) in stays.iter_mut().zip(must) {
        *stays = *must;
    }
    for &at in order.iter().take(keep) {
        stays[at] = true;
    }
    stays
}

/// The words of a sentence, counted.
struct Words {
    counts: Vec<(u64, u32)>,
    length: f64,
}

impl Words {
    fn of(sentence: &str) -> Self {
        let mut all = Vec::new();
        words(sentence, |word| all.push(word));
        all.sort_unstable();
        let mut counts: Vec<(u64, u32)> = Vec::new();
        for word in all {
            match counts.last_mut() {
                Some((last, count)) if *last == word => *count += 1,
                _ => counts.push((word, 1)),
            }
        }
        let length = counts.iter().map(|&(_, count)| f64::from(count) * f64::from(count)).sum::<f64>();
        Self { counts, length }
    }

    fn cosine(&self, other: &Self) -> f64 {
        let (mut first, mut second) = (self.counts.iter().peekable(), other.counts.iter().peekable());
        let mut product = 0.0;
        while let (Some(&&(left, left_count)), Some(&&(right, right_count))) = (first.peek(), second.peek()) {
            match left.cmp(&right) {
                std::cmp::Ordering::Less => first.next(),
                std::cmp::Ordering::Greater => second.next(),
                std::cmp::Ordering::Equal => {
                    product += f64::from(left_count) * f64::from(right_count);
                    first.next();
                    second.next()
                }
            };
        }
        if product > 0.0 { product / (self.length * other.length).sqrt() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_that_shares_words_with_others_ranks_higher() {
        let ranks = rank(&["Red apples are sweet.", "Sweet apples are red.", "Cars need fuel."]);
        assert!(ranks[0] > ranks[2] && ranks[1] > ranks[2], "{ranks:?}");
        let ranks = rank(&["Кот ест рыбу.", "Снег белый.", "Кот любит рыбу."]);
        assert!(ranks[0] > ranks[1] && ranks[2] > ranks[1], "{ranks:?}");
    }

    #[test]
    fn what_stays_is_nested() {
        let sentences = ["One two.", "Two three.", "Three four.", "Five.", "Six two three."];
        let mut before = vec![true; sentences.len()];
        for keep in (1..=sentences.len()).rev() {
            let order = order(&sentences, &[0, 2, 0, 1, 0]);
            let stays = select(&order, &[false; 5], keep);
            assert_eq!(stays.iter().filter(|stays| **stays).count(), keep);
            assert!(stays.iter().zip(&before).all(|(now, before)| *before || !now));
            before = stays;
        }
        assert!(before[1], "the highest class stays longest");
        assert_eq!(select(&[0, 1, 2, 3], &[false, false, true, true], 1), [true, false, true, true]);
    }

    #[test]
    fn at_least_one_sentence_is_kept() {
        assert_eq!((kept(5, 0.0), kept(5, 1.0), kept(5, 0.9), kept(0, 0.5), kept(2, 0.3)), (5, 1, 1, 1, 1));
    }
}
