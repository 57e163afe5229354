//! From a page to a snapshot: the stages in order, then the representation.

mod together;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::{ControlFlow, RangeInclusive};

use crate::batch::run_in_order;
use crate::budget::{self, Budget};
use crate::document::{Document, NodeId};
use crate::draft::{Change, Draft, Elision};
use crate::error::{Diagnostic, Error};
use crate::locate::Locator;
use crate::page::Page;
use crate::recipe::{Recipe, Step};
use crate::representations::{self, RepresentationKind, View, WriteOptions};
use crate::source_map::{
    DiagnosticEntry, Elided, LedgerRow, MAX_LOCATOR_BYTES, SourceMap, Statistics, VERSION, diagnostic_entry, source_map,
};
use crate::stages::{self, Stage};
use crate::tokens::{self, Encoding, TokenCounter};
use crate::writer::{Records, Writer};

/// A recipe made ready to run on any number of pages, from any number of threads.
///
/// ```
/// use snapshot_core::{Page, PageOptions, Pipeline, Recipe};
///
/// let page = Page::read(b"<p hidden>Staff only</p><p>Open to all</p>", &PageOptions::default())?;
/// let pipeline = Pipeline::new(&Recipe::preset("navigate")?, "html")?;
/// let snapshot = pipeline.run(&page)?;
/// assert!(snapshot.text.contains("<p>Open to all</p>"));
/// assert!(!snapshot.text.contains("Staff only"));
/// # Ok::<(), snapshot_core::Error>(())
/// ```
pub struct Pipeline {
    steps: Vec<PipelineStep>,
    representation: &'static RepresentationKind,
    options: WriteOptions,
    ledger: Option<&'static dyn TokenCounter>,
    budget: Option<Budget>,
    task: Option<String>,
    expanded: Vec<RangeInclusive<u32>>,
    text_only: bool,
}

impl std::fmt::Debug for Pipeline {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stages: Vec<_> = self.steps.iter().map(|step| step.stage_name).collect();
        formatter
            .debug_struct("Pipeline")
            .field("stages", &stages)
            .field("representation", &self.representation.name)
            .finish_non_exhaustive()
    }
}

/// A step of the recipe with the stage that was made for it.
struct PipelineStep {
    step: Step,
    stage_name: &'static str,
    stage: Box<dyn Stage>,
}

/// A page written down.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// The text.
    pub text: String,
    /// The representation's name.
    pub representation: &'static str,
    /// The way back to each element.
    pub map: SourceMap,
    /// What the page consists of.
    pub statistics: Statistics,
    /// What was left out and can be asked for.
    pub elided: Vec<Elided>,
    /// How often the page was written: more than once only to keep a ledger or a budget.
    pub renders: usize,
    /// What each stage did; empty unless asked for.
    pub ledger: Vec<LedgerRow>,
    /// What each stage removed or changed, and why.
    pub changes: Vec<Change>,
    /// What the caller may want to know.
    pub diagnostics: Vec<DiagnosticEntry>,
}

impl Pipeline {
    /// Makes the recipe's stages. `representation` is used unless the recipe names one itself.
    ///
    /// # Errors
    /// [`Error::UnknownName`] and [`Error::InvalidRecipe`] when the recipe cannot be met.
    pub fn new(recipe: &Recipe, representation: &str) -> Result<Self, Error> {
        let steps = recipe
            .steps()
            .iter()
            .map(|step| {
                let kind = stages::find(step.name())?;
                let stage = kind.build(step.options().clone())?;
                Ok(PipelineStep { step: step.clone(), stage_name: kind.name, stage })
            })
            .collect::<Result<_, Error>>()?;
        let budget = match recipe.budget() {
            Some(budget) => Some(Budget { tokens: budget.tokens, encoding: tokens::find(&budget.encoding)? }),
            None => None,
        };
        Ok(Self {
            steps,
            representation: representations::find(recipe.representation().unwrap_or(representation))?,
            options: WriteOptions::default(),
            ledger: None,
            budget,
            task: None,
            expanded: Vec::new(),
            text_only: false,
        })
    }

    /// Sets how to write.
    #[must_use]
    pub fn with_options(mut self, options: WriteOptions) -> Self {
        self.options = options;
        self
    }

    /// Keeps a ledger in the snapshots, with tokens counted by `counter`. It costs one more
    /// writing for each stage that changes anything.
    #[must_use]
    pub fn with_ledger(mut self, counter: &'static dyn TokenCounter) -> Self {
        self.ledger = Some(counter);
        self
    }

    /// Sets the most tokens of `encoding` that a snapshot's text may have. What does not fit is
    /// left out, the least useful first, and listed in [`Snapshot::elided`]; a larger number never
    /// shows fewer targets.
    ///
    /// ```
    /// use snapshot_core::{Page, PageOptions, Pipeline, Recipe, tokens};
    ///
    /// let page = "<h1>Teas</h1>".to_owned() + &"<p>Leaves, picked by hand and dried.</p><a href=/buy>Buy</a>".repeat(90);
    /// let page = Page::read(page.as_bytes(), &PageOptions::default())?;
    /// let encoding = tokens::find("o200k_base")?;
    /// let pipeline = Pipeline::new(&Recipe::preset("navigate")?, "ax")?.with_budget(256, encoding);
    /// let snapshot = pipeline.run(&page)?;
    /// assert!(encoding.counter.count(&snapshot.text) <= 256);
    /// assert!(!snapshot.elided.is_empty());
    /// # Ok::<(), snapshot_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_budget(mut self, tokens: usize, encoding: &'static Encoding) -> Self {
        self.budget = Some(Budget { tokens, encoding });
        self
    }

    /// Says in words what the snapshot is wanted for. What is relevant to it is the last to be
    /// left out.
    #[must_use]
    pub fn with_task(mut self, task: impl Into<String>) -> Self {
        self.task = Some(task.into()).filter(|task| !task.trim().is_empty());
        self
    }

    /// Writes only the elements with these ids and what holds them: what another snapshot of the
    /// page has left out. Stages that leave things out to save tokens are passed over.
    #[must_use]
    pub fn with_expanded(mut self, ids: impl IntoIterator<Item = RangeInclusive<u32>>) -> Self {
        self.expanded = ids.into_iter().collect();
        self
    }

    /// Leaves the source map empty, for callers that want nothing but the text: three locators for
    /// each element can be many times as long as the text on a page that is nested deeply.
    #[must_use]
    pub fn text_only(mut self) -> Self {
        self.text_only = true;
        self
    }

    /// The representation that is written.
    pub fn representation(&self) -> &'static RepresentationKind {
        self.representation
    }

    /// Converts one page.
    ///
    /// # Errors
    /// Those of the stages: options that this page cannot meet.
    pub fn run(&self, page: &Page) -> Result<Snapshot, Error> {
        let mut draft = self.new_draft(page);
        let mut ledger = Vec::new();
        let mut tokens = self.ledger.map(|counter| counter.count(self.write(&draft, false).text()));
        for step in self.steps() {
            let changes = draft.changes().len();
            let elements = if self.ledger.is_some() { count_elements(draft.document()) } else { 0 };
            step.apply(&mut draft)?;
            if let (Some(counter), Some(before)) = (self.ledger, tokens) {
                let unchanged = draft.changes().len() == changes;
                let after = if unchanged { before } else { counter.count(self.write(&draft, false).text()) };
                ledger.push(LedgerRow {
                    stage: step.stage_name.to_owned(),
                    elements,
                    removed: elements.saturating_sub(count_elements(draft.document())),
                    tokens_before: before,
                    tokens_after: after,
                });
                tokens = Some(after);
            }
        }
        Ok(Snapshot { ledger, ..self.write_snapshot(Cow::Owned(draft)) })
    }

    /// The page's draft before the first stage.
    fn new_draft<'page>(&self, page: &'page Page) -> Draft<'page> {
        let mut draft = Draft::new(page);
        if let Some(task) = &self.task {
            draft.set_task(task);
        }
        draft
    }

    /// The steps to take: without those that leave something out where that is asked for.
    fn steps(&self) -> impl Iterator<Item = &PipelineStep> {
        let takes_all = self.expanded.is_empty();
        self.steps.iter().filter(move |step| takes_all || !stages::ELIDING.contains(&step.stage_name))
    }

    /// Writes what the stages have left. A draft that is lent is copied only where more of it has
    /// to go.
    fn write_snapshot(&self, mut draft: Cow<'_, Draft<'_>>) -> Snapshot {
        let page = draft.page();
        let mut renders = 0;
        if !self.expanded.is_empty() {
            budget::expand(draft.to_mut(), &self.expanded);
        }
        let (draft, writer) = match self.budget {
            Some(budget) => {
                let fitted = budget::fit(draft.into_owned(), budget, self.representation.containers, |draft, terse| {
                    self.write(draft, terse)
                });
                renders += fitted.renders;
                (Cow::Owned(fitted.draft), fitted.writer)
            }
            None => {
                renders += 1;
                let writer = self.write(&draft, false);
                (draft, writer)
            }
        };
        let (text, written) = writer.finish();
        let locator = LazyCell::new(|| Locator::new(page.document()));
        let (map, left_out) = if self.text_only {
            (SourceMap { version: VERSION, entries: Vec::new() }, 0)
        } else {
            source_map(&draft, &locator, &written)
        };
        let left_out = (left_out > 0).then(|| {
            let limit = MAX_LOCATOR_BYTES >> 20;
            Diagnostic::warning(format!(
                "{left_out} elements are not in the source map: all locators together would be longer than {limit} MiB"
            ))
        });
        let diagnostics = page.diagnostics().iter().chain(draft.diagnostics()).chain(&left_out);
        let diagnostics = diagnostics.map(|diagnostic| diagnostic_entry(diagnostic, &locator)).collect();
        Snapshot {
            text,
            representation: self.representation.name,
            map,
            statistics: page.statistics(),
            elided: draft.elisions().iter().map(elided).collect(),
            renders,
            ledger: Vec::new(),
            diagnostics,
            changes: match draft {
                Cow::Owned(mut draft) => draft.take_changes(),
                Cow::Borrowed(draft) => draft.changes().to_vec(),
            },
        }
    }

    /// Runs `convert` on each input, in parallel on rayon's threads, and gives the results to
    /// `done` in the order of the inputs, one at a time. `done` says whether to go on; after a
    /// [`ControlFlow::Break`] no further input is begun.
    ///
    /// At most a few inputs per thread are begun and not yet done, so memory
    /// does not grow with the number of inputs, and a slow page holds up the others only when
    /// all of these wait for it. The results do not depend on the number of threads.
    pub fn run_batch<Input, Output>(
        &self,
        inputs: &[Input],
        convert: impl Fn(&Self, &Input) -> Output + Sync,
        done: impl FnMut(&Input, Output) -> ControlFlow<()> + Send,
    ) where
        Input: Sync,
        Output: Send,
    {
        run_in_order(inputs, |input| convert(self, input), done);
    }

    fn write(&self, draft: &Draft<'_>, terse: bool) -> Writer {
        let mut writer = Writer::recording(match self.budget {
            Some(_) => Records::Texts,
            None if self.text_only => Records::Nothing,
            None => Records::Elements,
        });
        let references = self.options.references.unwrap_or(self.representation.references);
        let options = WriteOptions {
            // What is asked for by id is wanted whole.
            whole_texts: self.options.whole_texts || !self.expanded.is_empty(),
            terse: terse || self.options.terse,
            ..self.options.clone()
        };
        let view = View { draft, options: &options, references };
        self.representation.representation.write(&view, &mut writer);
        writer
    }
}

impl PipelineStep {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        draft.begin_stage(self.stage_name);
        self.stage.apply(draft)?;
        if cfg!(debug_assertions) {
            draft.document().assert_invariants();
        }
        Ok(())
    }
}

fn elided(elision: &Elision) -> Elided {
    Elided {
        refs: [format!("e{}", elision.first), format!("e{}", elision.last)],
        count: elision.count,
        reason: elision.reason.to_owned(),
    }
}

fn count_elements(document: &Document) -> usize {
    document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)).count()
}
