//! How a model fails, which failures pass by themselves, and how long to wait for that.

use std::time::Duration;

use crate::secrets::printable;

/// A model cannot answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model cannot answer: {reason}")]
pub struct ModelError {
    /// Of which kind the failure is.
    pub failure: Failure,
    /// What happened and what to do about it, in one line.
    pub reason: String,
}

impl ModelError {
    /// A failure in words, which lose whatever a terminal could take for a command.
    pub fn new(failure: Failure, reason: impl AsRef<str>) -> Self {
        Self { failure, reason: printable(reason.as_ref(), LONGEST_REASON) }
    }
}

/// Providers answer errors with whole pages.
const LONGEST_REASON: usize = 600;

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The messages are longer than the model can read: fewer may be answered.
    TooLong,
    /// The request was refused, and will be again: a wrong key, an unknown model, no credit.
    Refused,
    /// The service did not answer, however often it was asked.
    Unavailable,
    /// There was an answer, but none that could be read: asking again with a word may help.
    Unreadable,
}

/// How long a model is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patience {
    /// For one attempt.
    pub attempt: Duration,
    /// For bytes to arrive within an attempt.
    pub silence: Duration,
    /// For an answer in all, attempts and pauses between them together.
    pub total: Duration,
    /// How often to ask again.
    pub retries: usize,
    /// The pause before the first retry; each is twice as long as the one before.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            attempt: Duration::from_secs(120),
            silence: Duration::from_secs(90),
            total: Duration::from_secs(240),
            retries: 3,
            pause: Duration::from_millis(800),
        }
    }
}

impl Patience {
    /// The same with all times a share of what they are, for tests.
    #[must_use]
    pub fn scaled(mut self, share: f64) -> Self {
        for time in [&mut self.attempt, &mut self.silence, &mut self.total, &mut self.pause] {
            *time = time.mul_f64(share.clamp(0.0, 1.0));
        }
        self
    }

    /// The pause before a retry, counted from 0: what the service asks for, or twice the last one.
    /// Up to a quarter is added by chance, so that many agents do not come back at once.
    pub(super) fn pause_before(&self, retry: usize, asked_for: Option<Duration>) -> Duration {
        let doubled = self.pause.saturating_mul(1 << retry.min(16));
        let mut chance = [0];
        // Without chance the pause is merely not spread.
        let _ = getrandom::fill(&mut chance);
        let spread = doubled.mul_f64(f64::from(chance[0]) / 1024.0);
        asked_for.unwrap_or(doubled) + spread
    }
}

/// What to make of an answer with this status: none where the service may answer later.
pub(super) fn of_status(status: u16, body: &str) -> Option<Failure> {
    let body = body.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
    match status {
        400 | 413 | 422 if says(TOO_LONG) => Some(Failure::TooLong),
        413 => Some(Failure::TooLong),
        // Out of credit looks like too many requests, and does not pass.
        429 if says(&["insufficient_quota", "billing_hard_limit"]) => Some(Failure::Refused),
        408 | 409 | 425 | 429 | 500.. => None,
        _ => Some(Failure::Refused),
    }
}

/// How providers say that the messages are too long.
const TOO_LONG: &[&str] = &[
    "context_length",
    "context length",
    "context window",
    "prompt is too long",
    "input is too long",
    "input length",
    "too many tokens",
    "maximum number of tokens",
    "exceeds the maximum",
    "exceed context",
    "request_too_large",
];

/// What to do about a status, in words.
pub(super) fn advice(status: u16) -> &'static str {
    match status {
        401 | 403 => "; check the key",
        402 => "; check the account",
        404 => "; check --model and --endpoint",
        300..=399 => "; give the address that it leads to with --endpoint: keys do not follow redirects",
        413 => "; the messages are too long for it",
        429 => "; it wants fewer requests",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_told_apart() {
        for (status, body, failure) in [
            (400, r#"{"error":{"code":"context_length_exceeded"}}"#, Some(Failure::TooLong)),
            (400, "prompt is too long: 210000 tokens > 200000 maximum", Some(Failure::TooLong)),
            (400, "messages: roles must alternate", Some(Failure::Refused)),
            (401, "", Some(Failure::Refused)),
            (302, "", Some(Failure::Refused)),
            (413, "", Some(Failure::TooLong)),
            (429, "slow down", None),
            (429, r#"{"error":{"code":"insufficient_quota"}}"#, Some(Failure::Refused)),
            (500, "", None),
            (529, "overloaded_error", None),
        ] {
            assert_eq!(of_status(status, body), failure, "{status} {body}");
        }
    }

    #[test]
    fn pauses_double_and_heed_the_service() {
        let patience = Patience::default();
        for retry in 0..3 {
            let pause = patience.pause_before(retry, None);
            let doubled = patience.pause * (1 << retry);
            assert!(pause >= doubled && pause <= doubled.mul_f64(1.25), "{retry}: {pause:?}");
        }
        assert!(patience.pause_before(0, Some(Duration::from_secs(7))) >= Duration::from_secs(7));
        assert!(patience.pause_before(usize::MAX, None) > Duration::ZERO);
    }
}
