//! Contestants that do the same work in turns, so that what disturbs the machine disturbs all.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Who takes part: a name and the work on one page of the set.
pub(crate) struct Contestant<'work, Page> {
    pub(crate) name: String,
    work: Box<dyn FnMut(&Page) + 'work>,
}

impl<'work, Page> Contestant<'work, Page> {
    /// `work` returns what it made, so that it cannot be left out; dropping it is part of the time.
    pub(crate) fn new<T>(name: impl Into<String>, mut work: impl FnMut(&Page) -> T + 'work) -> Self {
        let work = Box::new(move |page: &Page| {
            black_box(work(black_box(page)));
        });
        Self { name: name.into(), work }
    }
}

/// The median time of each contestant for all pages, in their order.
///
/// In each round and for each page the contestants run one after the other. A first round warms
/// up and does not count.
pub(crate) fn run<Page>(pages: &[Page], rounds: usize, contestants: &mut [Contestant<'_, Page>]) -> Vec<Duration> {
    let mut times = vec![Vec::with_capacity(rounds); contestants.len()];
    for round in 0..=rounds {
        let mut sums = vec![Duration::ZERO; contestants.len()];
        for page in pages {
            for (sum, contestant) in sums.iter_mut().zip(contestants.iter_mut()) {
                let begun = Instant::now();
                (contestant.work)(page);
                *sum += begun.elapsed();
            }
        }
        if round > 0 {
            for (times, sum) in times.iter_mut().zip(sums) {
                times.push(sum);
            }
        }
    }
    times.into_iter().map(median).collect()
}

/// Each contestant's time as a multiple of the first one's.
pub(crate) fn ratios_to_first<'names, Page>(
    contestants: &'names [Contestant<'_, Page>],
    times: &[Duration],
) -> impl Iterator<Item = (&'names str, f64)> {
    let first = times.first().copied().unwrap_or_default();
    let times = times.to_vec();
    contestants.iter().zip(times).map(move |(contestant, time)| (contestant.name.as_str(), ratio(time, first)))
}

/// The middle of the values; zero of none.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// One time as a multiple of another.
pub(crate) fn ratio(time: Duration, of: Duration) -> f64 {
    time.as_secs_f64() / of.as_secs_f64().max(f64::MIN_POSITIVE)
}
