//! The loop: see, ask, act, wait until the page is quiet, again.

mod acting;
mod progress;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use progress::{Progress, REPEATS_ENDED, REPEATS_TOLD, UNUSABLE_ENDED};
use snapshot_core::tokens::Encoding;

pub use progress::RunLimits;

use crate::act::SETTLE;
use crate::action::Action;
use crate::browser::Tab;
use crate::context::{Compaction, Context, History, Telling};
use crate::model::{AnyModel, Failure, Message, Model, ModelError, Reply, Usage};
use crate::perceive::{Sight, View};
use crate::secrets::Secrets;
use crate::stable::settle;
use crate::trace::{Step, Trace};
use crate::{Error, routing, screenshot};

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
    /// The model could not answer, or not in a way that could be used.
    Model(String),
}

/// What a run cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub ending: Ending,
    /// How often the model was asked.
    pub steps: usize,
    /// Tokens that it was asked with, by our count.
    pub tokens: usize,
    /// Tokens as the models count them, where they tell.
    pub usage: Usage,
}

/// What is not the same for every run, and need not be said.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// What the model may have typed without seeing it.
    pub secrets: Secrets,
    /// When old turns are summed up; never without.
    pub compaction: Option<Compaction>,
    /// Who sums them up; the model itself without.
    pub compactor: Option<AnyModel>,
    /// Files that may be uploaded; the model knows their names, not their folders.
    pub uploads: Vec<PathBuf>,
}

impl Settings {
    /// The names of the files that may be uploaded.
    fn upload_names(&self) -> impl Iterator<Item = &str> {
        self.uploads.iter().filter_map(|path| path.file_name()?.to_str())
    }

    /// The file of this name.
    fn upload(&self, name: &str) -> Result<&Path, String> {
        let named = self.uploads.iter().find(|path| path.file_name().is_some_and(|known| known == name));
        named.map(PathBuf::as_path).ok_or_else(|| {
            let names: Vec<&str> = self.upload_names().collect();
            format!("{name:?} may not be uploaded; the user has named {names:?}")
        })
    }
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
    /// The rest.
    pub settings: Settings,
}

/// A step on its way: what is written down of it, and what is told of it.
struct Turn {
    step: Step,
    sight: Sight,
}

impl<M: Model> Run<'_, M> {
    /// Runs until the model is done or a limit is passed.
    ///
    /// # Errors
    /// When the browser is gone or the trace cannot be written. What a page or the model does
    /// wrong is told to the model.
    pub async fn run(mut self) -> Result<Report, Error> {
        let secrets = self.settings.secrets.clone();
        let mut context = Context::new(&self.view.task, self.history, self.model.takes_tools(), secrets);
        context.offer_files(self.settings.upload_names());
        let mut progress = Progress::new(self.limits);
        let ending = self.steps(&mut context, &mut progress).await;
        let words = match &ending {
            Ok(Ending::Done { answer, success: true }) => format!("done: {answer}"),
            Ok(Ending::Done { answer, success: false }) => format!("given up: {answer}"),
            Ok(Ending::Limit(limit)) => format!("ended at the limit of {limit}"),
            Ok(Ending::Loop) => "ended because the same was done over and over".to_owned(),
            Ok(Ending::Model(reason)) => format!("ended by the model: {reason}"),
            Err(error) => format!("broken off: {error}"),
        };
        self.trace.end(&context.shown(&words))?;
        let Progress { steps, prompt_tokens, usage, .. } = progress;
        Ok(Report { ending: ending?, steps, tokens: prompt_tokens, usage })
    }

    async fn steps(&mut self, context: &mut Context, progress: &mut Progress) -> Result<Ending, Error> {
        let mut seen_at = Instant::now();
        let mut sight = self.see(None, 0).await?;
        let picture = self.picture_for_model(&sight, 0).await;
        context.see(&sight, Telling { picture, nonce: &nonce()?, ..Telling::default() });
        loop {
            self.compact(context, progress).await;
            let messages = context.messages();
            let prompt_tokens = count(self.view.encoding, &messages);
            if let Some(limit) = progress.limit(prompt_tokens) {
                return Ok(Ending::Limit(limit));
            }
            progress.steps += 1;
            let mut step = Step::begin(progress.steps, &sight, &messages, |text| context.shown(text));
            step.prompt_tokens = prompt_tokens;
            step.snapshot_tokens = self.view.encoding.counter.count(&step.snapshot);
            if self.trace.is_kept() {
                (step.screenshot, step.marks) = self.picture(&sight).await;
            }
            step.milliseconds[0] = milliseconds(seen_at);
            let reply = match self.ask(&messages, &mut step, progress).await {
                Ok(reply) => reply,
                Err(error) => {
                    step.outcome = context.shown(&error.reason);
                    step.failed = true;
                    self.trace.add(&step)?;
                    match self.recover(&error, context, progress, &sight).await? {
                        Some(again) => sight = again,
                        None if progress.left().is_zero() => {
                            return Ok(Ending::Limit(format!("{} s", self.limits.time.as_secs_f64())));
                        }
                        None => return Ok(Ending::Model(error.reason)),
                    }
                    continue;
                }
            };
            context.answered(&reply);
            let turn = Turn { step, sight };
            seen_at = Instant::now();
            match self.take(&reply, turn, context, progress).await? {
                Taken::Ended(ending) => return Ok(ending),
                Taken::Seen(next) => sight = *next,
            }
        }
    }

    /// Asks the model, within the time that is left.
    async fn ask(
        &mut self,
        messages: &[Message],
        step: &mut Step,
        progress: &mut Progress,
    ) -> Result<Reply, ModelError> {
        let asked_at = Instant::now();
        let answer = tokio::time::timeout(progress.left(), self.model.answer(messages)).await;
        step.milliseconds[1] = milliseconds(asked_at);
        let answer = answer.unwrap_or_else(|_| {
            Err(ModelError::new(Failure::Unavailable, "it did not answer within the time of the run"))
        });
        let count = |text: &str| self.view.encoding.counter.count(text);
        let (written, usage) = answer.as_ref().map_or((0, None), |reply| (count(&reply.action()), reply.usage));
        progress.spend(step.prompt_tokens, written, usage);
        if let Ok(reply) = &answer {
            step.answered(&self.settings.secrets.redact_reply(reply));
        }
        answer
    }

    /// What can be done about a failure: tell less of what is too long, ask again with a word
    /// where the answer was of no use. Nothing where that would not help.
    async fn recover(
        &mut self,
        error: &ModelError,
        context: &mut Context,
        progress: &mut Progress,
        sight: &Sight,
    ) -> Result<Option<Sight>, Error> {
        match error.failure {
            Failure::TooLong if progress.narrowed < 3 => {
                progress.narrowed += 1;
                context.narrow();
                if progress.narrowed > 1 {
                    self.view.budget = (self.view.budget / 2).max(256);
                }
                let mut again = self.view.write(sight.page.clone(), &sight.url)?;
                again.shows_secret = sight.shows_secret;
                let outcome = Some("There was too much to read; less is shown.".to_owned());
                context.see(&again, Telling { outcome, before: Some(sight), nonce: &nonce()?, ..Telling::default() });
                Ok(Some(again))
            }
            Failure::Unreadable if progress.unusable + 1 < UNUSABLE_ENDED => {
                progress.unusable += 1;
                let view = routing::escalated(&self.view, progress.unusable);
                let mut again = view.write(sight.page.clone(), &sight.url)?;
                again.shows_secret = sight.shows_secret;
                let telling = Telling {
                    outcome: Some(format!("That was of no use: {}. Answer with one action.", error.reason)),
                    before: Some(sight),
                    nonce: &nonce()?,
                    picture: self.picture_for_model(&again, progress.unusable).await,
                    ..Telling::default()
                };
                context.see(&again, telling);
                Ok(Some(again))
            }
            _ => Ok(None),
        }
    }

    /// Does what a reply says, and looks at what came of it.
    async fn take(
        &mut self,
        reply: &Reply,
        turn: Turn,
        context: &mut Context,
        progress: &mut Progress,
    ) -> Result<Taken, Error> {
        let Turn { mut step, sight: before } = turn;
        let acted_at = Instant::now();
        let action = Action::value(&reply.action()).and_then(|mut value| {
            context.restore(&mut value);
            Action::from_value(value)
        });
        if let Ok(Action::Done { answer, success }) = &action {
            step.outcome = context.shown(&format!("done: {answer}"));
            step.failed = !success;
            self.trace.add(&step)?;
            let answer = self.settings.secrets.redact(answer).into_owned();
            return Ok(Taken::Ended(Ending::Done { answer, success: *success }));
        }
        let target = action.as_ref().map(|action| action.reference().map(|reference| before.target(reference)));
        let usable = matches!(target, Ok(None | Some(Ok(_))));
        progress.unusable = if usable { 0 } else { progress.unusable + 1 };
        let acted = match &action {
            Ok(action) => self.act(action, &before).await,
            Err(reason) => Ok(Err(reason.clone())),
        };
        let mut found = None;
        let seen = match acted {
            Ok(outcome) => {
                step.failed = outcome.is_err();
                match outcome {
                    Ok(acted) => (step.outcome, found) = (acted.words, acted.found),
                    Err(reason) => step.outcome = format!("that did not work: {reason}"),
                }
                let followed = self.follow_windows().await;
                step.milliseconds[2] = milliseconds(acted_at);
                self.see(Some(&before), progress.unusable).await.map(|seen| (seen, followed))
            }
            Err(error) => Err(error),
        };
        let (sight, followed) = match seen {
            Ok(seen) => seen,
            Err(error) => {
                step.outcome = context.shown(&error.to_string());
                step.failed = true;
                self.trace.add(&step)?;
                return Err(error);
            }
        };
        let mut outcome = format!("Step {}: {}.", progress.steps, step.outcome);
        for dialog in self.tab.take_dialogs() {
            let _ = write!(outcome, " The page showed a dialog, which was dismissed: {dialog:?}.");
        }
        outcome.push_str(&followed);
        for address in self.tab.take_refused() {
            let _ = write!(outcome, " The page wanted to open {address:?}, which is not allowed.");
        }
        let parts = self.tab.take_refused_parts();
        if !parts.is_empty() {
            let _ = write!(outcome, " Parts of the page from {} were refused.", parts.join(", "));
        }
        let same = progress.repeats.add(&reply.action(), sight.text == before.text);
        if same >= REPEATS_TOLD {
            outcome.push_str(" The same was done before and changed nothing: do something else.");
        }
        step.outcome = context.shown(&outcome);
        self.trace.add(&step)?;
        if progress.unusable >= UNUSABLE_ENDED {
            let reason = action.err().unwrap_or_default();
            return Ok(Taken::Ended(Ending::Model(format!(
                "{UNUSABLE_ENDED} replies in a row were of no use: {reason}"
            ))));
        }
        if same >= REPEATS_ENDED {
            return Ok(Taken::Ended(Ending::Loop));
        }
        if let Ok(Action::Plan { plan }) = &action {
            context.plan(plan);
        }
        let telling = Telling {
            outcome: Some(outcome),
            found,
            hint: progress.warning(),
            before: Some(&before),
            nonce: &nonce()?,
            picture: self.picture_for_model(&sight, progress.unusable).await,
        };
        context.see(&sight, telling);
        Ok(Taken::Seen(Box::new(sight)))
    }

    /// Has old turns summed up when they have become many. Without a summary they stay.
    async fn compact(&mut self, context: &mut Context, progress: &mut Progress) {
        let Some((messages, until)) = self.settings.compaction.and_then(|compaction| context.to_compact(&compaction))
        else {
            return;
        };
        let prompt = count(self.view.encoding, &messages);
        if progress.limit(prompt).is_some() {
            return;
        }
        let left = progress.left();
        let answer = match &mut self.settings.compactor {
            Some(model) => tokio::time::timeout(left, model.summarise(&messages)).await,
            None => tokio::time::timeout(left, self.model.summarise(&messages)).await,
        };
        let reply = answer.ok().and_then(Result::ok).unwrap_or_default();
        progress.spend(prompt, self.view.encoding.counter.count(&reply.text), reply.usage);
        let summary = context.shown(&reply.text);
        if summary.trim().is_empty() {
            // To be asked again at every step would cost more than what it saves.
            self.settings.compaction = None;
        } else {
            context.compacted(&summary, until);
        }
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
    async fn see(&self, before: Option<&Sight>, unusable: usize) -> Result<Sight, Error> {
        let capture = settle(self.tab, SETTLE).await?;
        let mut sight = routing::escalated(&self.view, unusable).look(&capture, before.map(|sight| &sight.page))?;
        let secrets = &self.settings.secrets;
        sight.shows_secret = !secrets.is_empty()
            && capture.nodes.iter().any(|node| {
                let values = node.attributes.iter().map(|(_, value)| value).chain(&node.value);
                [&node.text, &node.generated.before, &node.generated.after]
                    .into_iter()
                    .chain(values)
                    .any(|text| secrets.are_in(text))
            });
        Ok(sight)
    }

    /// A picture of the page, unless it would show a secret.
    async fn picture(&self, sight: &Sight) -> (String, Vec<(String, [f64; 4])>) {
        if sight.shows_secret { Default::default() } else { screenshot::take(self.tab, sight).await }
    }

    /// A picture with the ids in it, where the strategy or the page calls for one, or the model
    /// does not get on with words.
    async fn picture_for_model(&self, sight: &Sight, unusable: usize) -> Option<String> {
        let wanted = self.history.wants_pictures()
            || routing::calls_for_picture(unusable)
            || routing::is_drawn(sight, self.tab.viewport());
        if !wanted {
            return None;
        }
        let (picture, marks) = self.picture(sight).await;
        if picture.is_empty() { None } else { screenshot::with_marks(self.tab, &picture, &marks).await }
    }
}

/// What came of a reply.
enum Taken {
    Ended(Ending),
    Seen(Box<Sight>),
}

fn count(encoding: &Encoding, messages: &[Message]) -> usize {
    let count = |text: &str| encoding.counter.count(text);
    messages
        .iter()
        .map(|message| {
            let call = message.call.as_ref().map_or(0, |call| count(&call.name) + count(&call.arguments.to_string()));
            count(&message.text) + call
        })
        .sum()
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
