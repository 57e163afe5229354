//! `snapshot explain`: what each stage cost and saved, and why each element stayed or went.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::Context;
use snapshot_core::document::{Document, NodeId, NodeKind};
use snapshot_core::draft::Change;
use snapshot_core::locate::Locator;
use snapshot_core::{Page, Snapshot};

use crate::arguments::ExplainArguments;
use crate::failure::catching_panics;
use crate::inputs::Input;
use crate::settings::Settings;
use crate::table::{Align, columns};
use crate::terminal::{one_line, print};

/// How many characters of a name are shown.
const NAME_WIDTH: usize = 40;

pub(crate) fn run(arguments: &ExplainArguments) -> anyhow::Result<()> {
    let settings = Settings::new(&arguments.conversion)?.with_ledger();
    let input = Input::new(&arguments.input);
    let explained = catching_panics(|| {
        let page = settings.reader.read(&input)?;
        let snapshot = settings.pipeline.run(&page)?;
        let tokens = settings.encoding.counter.count(&snapshot.text);
        let explanation = Explanation { page: &page, snapshot: &snapshot, locator: Locator::new(page.document()) };
        let mut text = format!("{tokens} tokens ({}) as {}\n", settings.encoding.name, snapshot.representation);
        explanation.ledger(&mut text);
        if arguments.all {
            explanation.every_change(&mut text)?;
        } else {
            explanation.kinds_of_changes(&mut text)?;
        }
        explanation.targets(&mut text)?;
        for diagnostic in &snapshot.diagnostics {
            writeln!(text, "\n{}: {}", diagnostic.level, one_line(&diagnostic.message))?;
        }
        Ok(text)
    });
    print(&explained.with_context(|| input.name.clone())?)
}

struct Explanation<'page> {
    page: &'page Page,
    snapshot: &'page Snapshot,
    locator: Locator<'page>,
}

impl Explanation<'_> {
    fn ledger(&self, text: &mut String) {
        let mut rows =
            vec![["stage", "elements", "removed", "tokens before", "tokens after"].map(str::to_owned).to_vec()];
        rows.extend(self.snapshot.ledger.iter().map(|row| {
            let numbers = [row.elements, row.removed, row.tokens_before, row.tokens_after];
            std::iter::once(row.stage.clone()).chain(numbers.map(|number| number.to_string())).collect()
        }));
        if rows.len() > 1 {
            text.push('\n');
            let right = Align::Right;
            text.push_str(&columns(&[Align::Left, right, right, right, right], &rows));
        }
    }

    /// What went or was changed, one line for each reason, with the first element as an example.
    fn kinds_of_changes(&self, text: &mut String) -> std::fmt::Result {
        let mut kinds: BTreeMap<(usize, bool, &str), (usize, NodeId)> = BTreeMap::new();
        let stages = self.stages();
        for change in &self.snapshot.changes {
            let stage = stages.iter().position(|&stage| stage == change.stage).unwrap_or(stages.len());
            let kind = kinds.entry((stage, !change.removed, &*change.reason)).or_insert((0, change.node));
            kind.0 += 1;
        }
        for (removed, title) in [(true, "went"), (false, "changed")] {
            let mut rows = vec![["stage", title, "why", "first of them"].map(str::to_owned).to_vec()];
            rows.extend(kinds.iter().filter(|((_, kept, _), _)| *kept != removed).map(
                |((stage, _, reason), (count, first))| {
                    let stage = stages.get(*stage).copied().unwrap_or_default();
                    vec![stage.to_owned(), count.to_string(), one_line(reason).into_owned(), self.place(*first)]
                },
            ));
            if rows.len() > 1 {
                writeln!(
                    text,
                    "\n{}",
                    columns(&[Align::Left, Align::Right, Align::Left, Align::Left], &rows).trim_end()
                )?;
            }
        }
        Ok(())
    }

    fn every_change(&self, text: &mut String) -> std::fmt::Result {
        let mut rows = vec![["stage", "", "why", "element"].map(str::to_owned).to_vec()];
        rows.extend(self.snapshot.changes.iter().map(|change: &Change| {
            let what = if change.removed { "went" } else { "changed" };
            vec![
                change.stage.to_owned(),
                what.to_owned(),
                one_line(&change.reason).into_owned(),
                self.place(change.node),
            ]
        }));
        if rows.len() > 1 {
            writeln!(text, "\n{}", columns(&[Align::Left; 4], &rows).trim_end())?;
        }
        Ok(())
    }

    /// Everything on the page that can be acted on: what makes it so, and whether it was written.
    fn targets(&self, text: &mut String) -> std::fmt::Result {
        let (document, semantics) = (self.page.document(), self.page.semantics());
        let written: BTreeSet<&str> = self.snapshot.map.entries.iter().map(|entry| entry.path.as_str()).collect();
        let removed: BTreeMap<NodeId, &Change> =
            self.snapshot.changes.iter().filter(|change| change.removed).map(|change| (change.node, change)).collect();
        let mut rows = vec![["target", "role", "name", "because", "fate", "element"].map(str::to_owned).to_vec()];
        let elements = document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node));
        for node in elements.filter(|&node| !semantics.evidence(node).is_empty()) {
            let fate = match removal(document, &removed, node) {
                Some(change) => format!("went in {}: {}", change.stage, change.reason),
                None if written.contains(self.locator.path(node).as_str()) => "stayed".to_owned(),
                None => "stayed, not written by this representation".to_owned(),
            };
            rows.push(vec![
                self.page.references().number(node).map(|number| format!("e{number}")).unwrap_or_default(),
                semantics.role(node).map(|role| role.as_str().to_owned()).unwrap_or_default(),
                shortened(&one_line(semantics.name(node))),
                semantics.evidence(node).words().collect::<Vec<_>>().join(", "),
                one_line(&fate).into_owned(),
                self.place(node),
            ]);
        }
        if rows.len() > 1 {
            writeln!(text, "\n{}", columns(&[Align::Left; 6], &rows).trim_end())?;
        }
        Ok(())
    }

    /// The stages in the order in which they ran.
    fn stages(&self) -> Vec<&str> {
        self.snapshot.ledger.iter().map(|row| row.stage.as_str()).collect()
    }

    /// A node's path and what it is.
    fn place(&self, node: NodeId) -> String {
        let document = self.page.document();
        let kind = match document.kind(node) {
            NodeKind::Element => shortened(&one_line(document.local_name(node))),
            NodeKind::Text => "text".to_owned(),
            NodeKind::Comment => "comment".to_owned(),
            _ => "node".to_owned(),
        };
        let place = if document.is_element(node) { Some(node) } else { document.composed_parent(node) };
        let path = place.map(|place| self.locator.path(place)).unwrap_or_default();
        if document.is_element(node) { format!("{path} {kind}") } else { format!("{path} ({kind} in it)") }
    }
}

/// Why the element is gone: the change that took it or something around it.
fn removal<'change>(
    document: &Document,
    removed: &BTreeMap<NodeId, &'change Change>,
    node: NodeId,
) -> Option<&'change Change> {
    let mut at = Some(node);
    while let Some(node) = at {
        if let Some(change) = removed.get(&node) {
            return Some(change);
        }
        at = document.composed_parent(node);
    }
    None
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME_WIDTH {
        return name.to_owned();
    }
    name.chars().take(NAME_WIDTH - 1).chain(['…']).collect()
}
