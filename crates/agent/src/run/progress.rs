//! What a run has used, what it must not pass, and whether it goes in circles.

use std::time::{Duration, Instant};

use crate::model::Usage;

/// How often the model may do the same on an unchanged page before it is told, and before the run
/// ends.
pub(super) const REPEATS_TOLD: usize = 3;
pub(super) const REPEATS_ENDED: usize = 5;

/// How many replies in a row may be of no use before the run ends.
pub(super) const UNUSABLE_ENDED: usize = 5;

/// What a run must not pass.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Times that the model is asked.
    pub steps: usize,
    /// Time in all.
    pub time: Duration,
    /// Tokens that models read and write, in all.
    pub tokens: usize,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { steps: 50, time: Duration::from_secs(600), tokens: 1_000_000 }
    }
}

/// What was used so far.
#[derive(Debug)]
pub(super) struct Progress {
    begun: Instant,
    limits: RunLimits,
    pub(super) steps: usize,
    /// Tokens that models were asked with, by our count.
    pub(super) prompt_tokens: usize,
    /// Tokens in all, by the larger of our count and theirs.
    pub(super) tokens: usize,
    pub(super) usage: Usage,
    pub(super) unusable: usize,
    pub(super) narrowed: usize,
    pub(super) repeats: Repeats,
}

impl Progress {
    pub(super) fn new(limits: RunLimits) -> Self {
        Self {
            begun: Instant::now(),
            limits,
            steps: 0,
            prompt_tokens: 0,
            tokens: 0,
            usage: Usage::default(),
            unusable: 0,
            narrowed: 0,
            repeats: Repeats::default(),
        }
    }

    /// The time that is left.
    pub(super) fn left(&self) -> Duration {
        self.limits.time.saturating_sub(self.begun.elapsed())
    }

    /// The limit that is reached, when a prompt of so many tokens would be sent.
    pub(super) fn limit(&self, prompt: usize) -> Option<String> {
        if self.steps >= self.limits.steps {
            Some(format!("{} steps", self.limits.steps))
        } else if self.left().is_zero() {
            Some(format!("{} s", self.limits.time.as_secs_f64()))
        } else if self.tokens + prompt > self.limits.tokens {
            Some(format!("{} tokens", self.limits.tokens))
        } else {
            None
        }
    }

    /// Adds what an answer cost.
    pub(super) fn spend(&mut self, prompt: usize, written: usize, usage: Option<Usage>) {
        let usage = usage.unwrap_or_default();
        let size = |tokens: u64| usize::try_from(tokens).unwrap_or(usize::MAX);
        self.prompt_tokens += prompt;
        let cost = prompt.max(size(usage.input)).saturating_add(written.max(size(usage.output)));
        self.tokens = self.tokens.saturating_add(cost);
        self.usage.input = self.usage.input.saturating_add(usage.input);
        self.usage.cached = self.usage.cached.saturating_add(usage.cached);
        self.usage.output = self.usage.output.saturating_add(usage.output);
    }

    /// What the model is told of its limits; nothing before three quarters are used.
    pub(super) fn warning(&self) -> String {
        if self.steps * 4 < self.limits.steps * 3 {
            return String::new();
        }
        match self.limits.steps - self.steps {
            0 | 1 => "This is the last step: end with done.".to_owned(),
            left => format!("{left} steps are left of {}.", self.limits.steps),
        }
    }
}

/// The same reply on an unchanged page, counted.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    last: String,
    count: usize,
}

impl Repeats {
    pub(super) fn add(&mut self, reply: &str, unchanged: bool) -> usize {
        if unchanged && self.last == reply {
            self.count += 1;
        } else {
            self.count = usize::from(unchanged);
            reply.clone_into(&mut self.last);
        }
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_counted_on_unchanged_pages_only() {
        let mut repeats = Repeats::default();
        let counts: Vec<usize> = [("a", true), ("a", true), ("a", false), ("a", true), ("b", true), ("b", true)]
            .into_iter()
            .map(|(reply, unchanged)| repeats.add(reply, unchanged))
            .collect();
        assert_eq!(counts, [1, 2, 0, 1, 1, 2]);
    }

    #[test]
    fn the_larger_count_of_tokens_is_held_against_the_limit() {
        let mut progress = Progress::new(RunLimits { tokens: 100, ..RunLimits::default() });
        assert_eq!(progress.limit(100), None);
        progress.spend(40, 1, Some(Usage { input: 60, cached: 50, output: 5 }));
        assert_eq!((progress.tokens, progress.prompt_tokens), (65, 40));
        assert_eq!(progress.limit(35), None);
        assert_eq!(progress.limit(36).as_deref(), Some("100 tokens"));
        progress.spend(0, 0, Some(Usage { input: u64::MAX, cached: 0, output: 1 }));
        assert!(progress.limit(0).is_some());
    }

    #[test]
    fn the_model_is_warned_towards_the_end() {
        let mut progress = Progress::new(RunLimits { steps: 8, ..RunLimits::default() });
        let mut warnings = Vec::new();
        for steps in [0, 5, 6, 7] {
            progress.steps = steps;
            warnings.push(progress.warning());
        }
        assert_eq!(warnings, ["", "", "2 steps are left of 8.", "This is the last step: end with done."]);
    }
}
