//! Keeps the elements most relevant to a task.
//!
//! Before: `<h2>Opening hours</h2><p>Daily from 10.</p><h2>Tickets</h2><p>From 8 euro.</p>`
//!
//! After: `<!-- … 2 more, e0–e1 --><h2>Tickets</h2><p>From 8 euro.</p>`, for the task "what does a
//! ticket cost" and `keep: 2`
//!
//! Relevant is what shares telling words with the task, and what stands beside it: the row, the
//! card, the label of a field. Everything that holds a kept element stays around it, and the
//! heading above it stays too. No network is used.

use super::Stage;
use crate::budget::{Interest, UnitKind, Units, keep_only};
use crate::draft::Draft;
use crate::error::{Diagnostic, Error};

/// The stage.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Extract {
    /// What the snapshot is wanted for. The pipeline's own task when it is empty.
    pub task: String,
    /// How many elements are kept.
    pub keep: usize,
}

impl Default for Extract {
    fn default() -> Self {
        Self { task: String::new(), keep: 20 }
    }
}

/// The most notes in the text on what was left out.
const MOST_NOTES: usize = 12;

impl Stage for Extract {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        if !self.task.is_empty() {
            draft.set_task(&self.task);
        }
        let Some(interest) = draft.relevance() else {
            draft.diagnose(Diagnostic::warning("`extract` was given no task and kept everything"));
            return Ok(());
        };
        let before = Units::find(draft);
        let chosen = self.choose(&before, &interest);
        if !chosen.contains(&true) {
            draft.diagnose(Diagnostic::warning("no element shares a word with the task; `extract` kept everything"));
            return Ok(());
        }
        keep_only(draft, &before, chosen, "extracted", Some(MOST_NOTES));
        Ok(())
    }
}

impl Extract {
    fn choose(&self, units: &Units, interest: &Interest) -> Vec<bool> {
        let mut ranked: Vec<(f32, usize)> =
            units.list().iter().enumerate().map(|(at, unit)| (interest.near(unit.node), at)).collect();
        ranked.retain(|&(score, _)| score > 0.0);
        ranked.sort_by(|first, second| second.0.total_cmp(&first.0).then(first.1.cmp(&second.1)));
        let mut chosen = vec![false; units.list().len()];
        for (_, at) in ranked.into_iter().take(self.keep) {
            chosen[at] = true;
        }
        // With each goes the heading under which it stands.
        let mut wanted = false;
        for (at, unit) in units.list().iter().enumerate().rev() {
            wanted |= chosen[at];
            if unit.kind == UnitKind::Heading {
                chosen[at] = wanted;
                wanted = false;
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions, Pipeline, Recipe};

    fn check(html: &str, task: &str, keep: &str, wanted: &[&str], unwanted: &[&str]) {
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let recipe = Recipe::default().stage("extract", [("task", task), ("keep", keep)]);
        let snapshot = Pipeline::new(&recipe, "html").and_then(|pipeline| pipeline.run(&page)).expect("converts");
        for text in wanted {
            assert!(snapshot.text.contains(text), "{text} in {}", snapshot.text);
        }
        for text in unwanted {
            assert!(!snapshot.text.contains(text), "{text} in {}", snapshot.text);
        }
    }

    #[test]
    fn what_the_task_is_about_stays_with_its_row_and_heading() {
        let page = "<h2>Opening hours</h2><p>Daily from 10 to 18.</p><h2>Tickets</h2>\
            <table><tr><td>Adults</td><td>8 euro</td></tr><tr><td>Children</td><td>4 euro</td></tr></table><p>Imprint";
        check(page, "the price for children", "2", &["Tickets", "Children", "4 euro", "<tr>"], &["Imprint", "Daily"]);
        check(page, "nothing that is here", "2", &["Imprint", "Daily"], &["…"]);
    }
}
