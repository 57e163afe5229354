//! The loop: see, ask, act, wait until the page is quiet, again.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use snapshot_core::tokens::Encoding;

use crate::Error;
use crate::act::{Hands, SETTLE};
use crate::action::Action;
use crate::browser::Tab;
use crate::context::{Context, History};
use crate::keys::Key;
use crate::model::{Message, Model, ModelError};
use crate::perceive::{Sight, View, number};
use crate::stable::settle;
use crate::trace::{Step, Trace};

/// How often the model may do the same on an unchanged page before it is told, and before the run
/// ends.
const REPEATS_TOLD: usize = 3;
const REPEATS_ENDED: usize = 5;

/// What a run must not pass.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Times that the model is asked.
    pub steps: usize,
    /// Time in all.
    pub time: Duration,
    /// Tokens that the model is asked with, in all.
    pub tokens: usize,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { steps: 50, time: Duration::from_secs(600), tokens: 1_000_000 }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The model says that it is done.
    Done {
        /// Its answer.
        answer: String,
        /// Whether it did what it was asked to.
        success: bool,
    },
    /// A limit was passed; this says which.
    Limit(String),
    /// The same was done over and over.
    Loop,
    /// The model could not answer.
    Model(String),
}

/// What a run cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub ending: Ending,
    /// How often the model was asked.
    pub steps: usize,
    /// Tokens that it was asked with.
    pub tokens: usize,
}

/// A run on one tab.
pub struct Run<'run, M> {
    /// The tab, on the page to begin with.
    pub tab: &'run Tab,
    /// Who decides.
    pub model: &'run mut M,
    /// How pages are written.
    pub view: View,
    /// How much of the past the model sees.
    pub history: History,
    /// What must not be passed.
    pub limits: RunLimits,
    /// Where it is written down.
    pub trace: Trace,
}

impl<M: Model> Run<'_, M> {
    /// Runs until the model is done or a limit is passed.
    ///
    /// # Errors
    /// When the browser is gone or the trace cannot be written. What a page or the model does
    /// wrong is told to the model.
    pub async fn run(mut self) -> Result<Report, Error> {
        let begun = Instant::now();
        let mut context = Context::new(&self.view.task, self.history);
        let mut tokens = 0;
        let mut steps = 0;
        let mut repeats = Repeats::default();
        let (mut seen_at, mut sight) = (Instant::now(), self.see(None).await?);
        context.see(&sight, None, &nonce()?);
        let ending = loop {
            if steps == self.limits.steps {
                break Ending::Limit(format!("{steps} steps"));
            }
            if begun.elapsed() >= self.limits.time {
                break Ending::Limit(format!("{} s", self.limits.time.as_secs()));
            }
            let messages = context.messages();
            let prompt_tokens = count(self.view.encoding, &messages);
            if tokens + prompt_tokens > self.limits.tokens {
                break Ending::Limit(format!("{} tokens", self.limits.tokens));
            }
            tokens += prompt_tokens;
            steps += 1;
            let mut step = Step::begin(steps, &sight, &messages);
            step.prompt_tokens = prompt_tokens;
            step.snapshot_tokens = self.view.encoding.counter.count(&sight.text);
            if self.trace.is_kept() {
                (step.screenshot, step.marks) = crate::screenshot::take(self.tab, &sight).await;
            }
            step.milliseconds[0] = milliseconds(seen_at);
            let asked_at = Instant::now();
            let left = self.limits.time.saturating_sub(begun.elapsed());
            let reply = match tokio::time::timeout(left, self.model.answer(&messages)).await {
                Ok(Ok(reply)) => reply,
                Ok(Err(ModelError(reason))) => {
                    step.outcome.clone_from(&reason);
                    step.failed = true;
                    self.trace.add(&step)?;
                    break Ending::Model(reason);
                }
                Err(_) => break Ending::Limit(format!("{} s", self.limits.time.as_secs())),
            };
            step.milliseconds[1] = milliseconds(asked_at);
            step.answered(&reply);
            context.answered(&reply.text);
            let acted_at = Instant::now();
            let action = Action::read(&reply.text);
            if let Ok(Action::Done { answer, success }) = &action {
                step.outcome = format!("done: {answer}");
                step.failed = !success;
                self.trace.add(&step)?;
                break Ending::Done { answer: answer.clone(), success: *success };
            }
            let outcome = match action {
                Ok(action) => self.act(&action, &sight).await?,
                Err(reason) => Err(reason),
            };
            let followed = self.follow_windows().await;
            step.failed = outcome.is_err();
            step.outcome = match outcome {
                Ok(done) => done,
                Err(reason) => format!("that did not work: {reason}"),
            };
            step.milliseconds[2] = milliseconds(acted_at);
            seen_at = Instant::now();
            let before = sight;
            sight = self.see(Some(&before)).await?;
            let mut outcome = format!("Step {steps}: {}.", step.outcome);
            for dialog in self.tab.take_dialogs() {
                let _ = write!(outcome, " The page showed a dialog, which was dismissed: {dialog:?}.");
            }
            outcome.push_str(&followed);
            for address in self.tab.take_refused() {
                let _ = write!(outcome, " The page wanted to open {address:?}, which is not allowed.");
            }
            let same = repeats.add(&reply.text, sight.text == before.text);
            if same >= REPEATS_TOLD {
                outcome.push_str(" The same was done before and changed nothing: do something else.");
            }
            step.outcome.clone_from(&outcome);
            self.trace.add(&step)?;
            if same >= REPEATS_ENDED {
                break Ending::Loop;
            }
            context.see(&sight, Some(outcome), &nonce()?);
        };
        Ok(Report { ending, steps, tokens })
    }

    /// Goes where the page wanted to open a window: the agent looks at one tab.
    async fn follow_windows(&self) -> String {
        // The page has the time of a task to say what it wants.
        tokio::time::sleep(Duration::from_millis(50)).await;
        let Some(url) = self.tab.take_windows().pop() else { return String::new() };
        match self.tab.navigate(&url, SETTLE).await {
            Ok(()) => format!(" It opened {url:?}, which is shown now; back leads to the page before."),
            Err(error) => format!(" It wanted to open {url:?}, but {error}."),
        }
    }

    /// Waits until the page is at rest and looks at it.
    async fn see(&self, before: Option<&Sight>) -> Result<Sight, Error> {
        let capture = settle(self.tab, SETTLE).await?;
        self.view.look(&capture, before.map(|sight| &sight.page))
    }

    /// Does what the action says. The outer error is the end of the run, the inner one is for the
    /// model.
    async fn act(&self, action: &Action, sight: &Sight) -> Result<Result<String, String>, Error> {
        let hands = Hands { tab: self.tab };
        let target = match action.reference().map(|reference| sight.target(reference)) {
            Some(Err(reason)) => return Ok(Err(reason)),
            Some(Ok(target)) => Some(target),
            None => None,
        };
        Ok(match (action, &target) {
            (Action::Click { .. }, Some(target)) => hands.click(target).await,
            (Action::Type { text, submit, .. }, Some(target)) => hands.fill(target, text, *submit).await,
            (Action::Select { option, .. }, Some(target)) => hands.select(target, option).await,
            (Action::Hover { .. }, Some(target)) => hands.hover(target).await,
            (Action::Scroll { .. }, Some(target)) => hands.scroll(target).await,
            (Action::Press { key }, _) => match Key::read(key) {
                Ok(key) => hands.press(&key).await,
                Err(reason) => Err(reason),
            },
            (Action::Navigate { url }, _) => {
                let url = url::Url::parse(&sight.url).and_then(|base| base.join(url)).map(String::from);
                match url {
                    Ok(url) => self
                        .tab
                        .navigate(&url, SETTLE)
                        .await
                        .map_or_else(|error| Err(error.to_string()), |()| Ok(format!("opened {url}"))),
                    Err(error) => Err(format!("{error}; give an address such as https://shop.example/")),
                }
            }
            (Action::Back, _) => hands.back().await,
            (Action::Wait { seconds }, _) => {
                let seconds = if seconds.is_finite() { seconds.clamp(0.0, 30.0) } else { 0.0 };
                tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
                Ok(format!("waited {seconds} s"))
            }
            (Action::Expand { refs }, _) => match ids(refs) {
                Some(ids) => Ok(self.view.expand(sight, ids)?),
                None => Err(format!("{refs:?} are no ids; give them as the snapshot does, such as e41-e77")),
            },
            _ => Err("this cannot be done here".to_owned()),
        })
    }
}

/// The same reply on an unchanged page, counted.
#[derive(Debug, Default)]
struct Repeats {
    last: String,
    count: usize,
}

impl Repeats {
    fn add(&mut self, reply: &str, unchanged: bool) -> usize {
        if unchanged && self.last == reply {
            self.count += 1;
        } else {
            self.count = usize::from(unchanged);
            reply.clone_into(&mut self.last);
        }
        self.count
    }
}

/// A stretch of ids, `e41-e77`, or one id.
fn ids(text: &str) -> Option<std::ops::RangeInclusive<u32>> {
    let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
    Some(number(first)?..=number(last)?).filter(|ids| ids.start() <= ids.end())
}

fn count(encoding: &Encoding, messages: &[Message]) -> usize {
    messages.iter().map(|message| encoding.counter.count(&message.text)).sum()
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// A number of 128 bits that no page can know.
fn nonce() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::Io(std::io::Error::other(error.to_string())))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
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
    fn ids_are_read_as_snapshots_write_them() {
        assert_eq!(ids("e41–e77"), Some(41..=77));
        assert_eq!(ids("[7]"), Some(7..=7));
        assert_eq!(ids("e9-e3"), None);
        assert_eq!(ids("all"), None);
    }
}
