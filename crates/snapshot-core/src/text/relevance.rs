//! How much a text has to do with a task, by the words they share (BM25).
//!
//! Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
//! weighted fields; no network, no model.

use rustc_hash::FxHashMap;

use super::words::words;

/// How fast more of the same word stops to count.
const SATURATION: f64 = 1.2;

/// How much longer texts are held back.
const LENGTH_WEIGHT: f64 = 0.6;

/// What a word counts that is only kin to one of the task's.
const KIN: f64 = 0.4;

/// Words of which fewer letters are alike are no kin.
const LEAST_COMMON: usize = 4;

/// The words of a task.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    terms: FxHashMap<String, usize>,
    /// The terms by their first letters.
    beginnings: FxHashMap<String, Vec<(String, usize)>>,
    language: String,
}

/// How often a text has each word of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    /// Word and weighted count, only of those that occur.
    counts: Vec<(usize, f64)>,
    length: f64,
}

/// A query and how telling each of its words is among the texts of a page.
#[derive(Clone, Debug)]
pub(crate) struct Ranking {
    query: Query,
    weights: Vec<f64>,
    average_length: f64,
}

impl Query {
    /// The words of a task about a page in a language. A task is often put in English whatever
    /// the page's language, so its words are taken by the rules of both.
    pub(crate) fn new(task: &str, language: &str) -> Self {
        let mut terms = FxHashMap::default();
        for rules in [language, "en"] {
            words(task, rules, |word| {
                let next = terms.len();
                terms.entry(word.to_owned()).or_insert(next);
            });
        }
        let mut beginnings: FxHashMap<String, Vec<(String, usize)>> = FxHashMap::default();
        #[allow(clippy::iter_over_hash_type, reason = "sorted right behind")]
        let mut sorted: Vec<(&String, &usize)> = terms.iter().collect();
        sorted.sort_unstable();
        for (term, &at) in sorted {
            if let Some(beginning) = beginning(term) {
                beginnings.entry(beginning.to_owned()).or_default().push((term.clone(), at));
            }
        }
        Self { terms, beginnings, language: language.to_owned() }
    }

    /// The term that a word is kin to, and how much it counts for it: all if it is the same, a
    /// part if most of both is ("dental" and "dentist").
    fn kin(&self, word: &str) -> Option<(usize, f64)> {
        if let Some(&term) = self.terms.get(word) {
            return Some((term, 1.0));
        }
        let kin = self.beginnings.get(beginning(word)?)?;
        let common = |term: &str| term.chars().zip(word.chars()).take_while(|(first, second)| first == second).count();
        kin.iter()
            .map(|(term, at)| (common(term), term.chars().count().max(word.chars().count()), *at))
            .filter(|&(common, length, _)| common * 9 >= length * 5)
            .max_by_key(|&(common, _, at)| (common, std::cmp::Reverse(at)))
            .map(|(_, _, at)| (at, KIN))
    }

    /// Counts the query's words in texts of different weight.
    pub(crate) fn profile<'text>(&self, fields: impl IntoIterator<Item = (f64, &'text str)>) -> Profile {
        let mut profile = Profile::default();
        for (weight, text) in fields {
            words(text, &self.language, |word| {
                profile.length += weight;
                if let Some((term, share)) = self.kin(word) {
                    match profile.counts.iter_mut().find(|(known, _)| *known == term) {
                        Some((_, count)) => *count += weight * share,
                        None => profile.counts.push((term, weight * share)),
                    }
                }
            });
        }
        profile
    }
}

impl Ranking {
    /// Weighs the words by how few of the texts have them.
    pub(crate) fn new(query: Query, profiles: &[Profile]) -> Self {
        let mut having = vec![0u32; query.terms.len()];
        for &(term, _) in profiles.iter().flat_map(|profile| &profile.counts) {
            if let Some(having) = having.get_mut(term) {
                *having += 1;
            }
        }
        let all = count(profiles.len());
        let weights = having
            .iter()
            .map(|&having| logarithm(1.0 + (all - f64::from(having) + 0.5) / (f64::from(having) + 0.5)))
            .collect();
        let length: f64 = profiles.iter().map(|profile| profile.length).sum();
        Self { query, weights, average_length: (length / all.max(1.0)).max(1.0) }
    }

    /// The score of a text; 0 when it shares no word with the task.
    pub(crate) fn score(&self, profile: &Profile) -> f64 {
        let length = 1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * profile.length / self.average_length;
        let score = |&(term, count): &(usize, f64)| {
            self.weights.get(term).copied().unwrap_or_default() * count * (SATURATION + 1.0)
                / (count + SATURATION * length)
        };
        profile.counts.iter().map(score).sum()
    }

    /// The words that are weighed.
    pub(crate) fn query(&self) -> &Query {
        &self.query
    }
}

/// The first letters of a word that is longer than these.
fn beginning(word: &str) -> Option<&str> {
    let (end, _) = word.char_indices().nth(LEAST_COMMON)?;
    word.get(..end)
}

/// The logarithm to base 2, straight between powers of two: the same on every machine.
fn logarithm(value: f64) -> f64 {
    const FRACTION_BITS: u32 = 52;
    let bits = value.max(1.0).to_bits();
    let exponent = (bits >> FRACTION_BITS) & 0x7ff;
    let fraction = f64::from_bits((bits & ((1 << FRACTION_BITS) - 1)) | (1023 << FRACTION_BITS));
    f64::from(u32::try_from(exponent).unwrap_or_default()) - 1023.0 + fraction - 1.0
}

fn count(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'text>(task: &str, language: &str, texts: &[&'text str]) -> &'text str {
        let query = Query::new(task, language);
        let profiles: Vec<Profile> = texts.iter().map(|text| query.profile([(1.0, *text)])).collect();
        let ranking = Ranking::new(query, &profiles);
        let best = profiles
            .iter()
            .zip(texts)
            .max_by(|first, second| ranking.score(first.0).total_cmp(&ranking.score(second.0)));
        best.expect("there are texts").1
    }

    #[test]
    fn rare_words_tell_more_than_common_ones() {
        let texts = ["the cart", "the ferry to the island", "the sorting of the stories", "the the the the", "the map"];
        assert_eq!(best("Open the story", "en", &texts), "the sorting of the stories");
        assert_eq!(best("the ferries", "en", &texts), "the ferry to the island");
        let texts = ["Ask the bakery", "Fram Dental", "See the menu"];
        assert_eq!(best("dentist's message", "en", &texts), "Fram Dental");
    }

    #[test]
    fn the_language_of_the_page_and_of_the_task_may_differ() {
        let texts = ["Termin am 21. November absagen", "Behandlung ändern", "Öffnungszeiten"];
        assert_eq!(best("Cancel the appointment on 21 November", "de", &texts), texts[0]);
        assert_eq!(best("die Behandlungen", "de", &texts), texts[1]);
        assert_eq!(best("支払い方法を変える", "ja", &["配送先", "お支払い方法", "商品"]), "お支払い方法");
    }

    #[test]
    fn logarithms_are_right_at_powers_of_two() {
        for (value, wanted) in [(1.0, 0.0), (2.0, 1.0), (8.0, 3.0), (12.0, 3.5), (0.1, 0.0)] {
            assert!((logarithm(value) - wanted).abs() < 1e-12, "{value}");
        }
    }
}
