//! Gives controls that are made of other elements the role that they play.
//!
//! Before: `<div onclick="pay()">Pay</div>`
//!
//! After: `<div onclick="pay()">Pay</div>`, which is a button
//!
//! An element without a role that a person can operate, by a handler, the tab order or a
//! pointer, becomes a `button`; a `link` when it holds an address; a `checkbox`, `switch` or the
//! like when its states say so; the control that it stands for when it is the label of one that
//! is not shown. With `patterns`, cells that count days become buttons too, although nothing but
//! their order says that they can be clicked. The element itself stays as it is.

use rustc_hash::FxHashMap;

use super::Stage;
use crate::document::{Document, NodeId, name};
use crate::draft::Draft;
use crate::error::Error;
use crate::semantics::{Evidence, Role};

/// The stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Rectify {
    /// Whether to take patterns alone for evidence.
    pub patterns: bool,
}

/// Longer text is content in a control and not its name.
const LONGEST_NAME: usize = 120;

/// So many cells that count up make a calendar.
const SHORTEST_RUN: usize = 7;

impl Stage for Rectify {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let is_plain = |draft: &Draft<'_>, node| matches!(draft.role(node), None | Some(Role::Generic));
        let nodes = draft.document().composed_descendants(NodeId::DOCUMENT);
        let unclear: Vec<NodeId> = nodes.filter(|&node| draft.is_target(node) && is_plain(draft, node)).collect();
        for node in unclear {
            rectify(draft, node);
        }
        if self.patterns {
            for run in day_runs(draft) {
                let reason = format!("one of {} cells that count days, so a button", run.len());
                for cell in run {
                    name_by_text(draft, cell);
                    draft.set_role(cell, Role::Button);
                    draft.note(cell, reason.clone());
                }
            }
        }
        Ok(())
    }
}

/// Gives a target without a role the one that its evidence speaks for.
fn rectify(draft: &mut Draft<'_>, node: NodeId) {
    let evidence = draft.page().semantics().evidence(node);
    if evidence.contains(Evidence::CONTENTEDITABLE) {
        draft.set_role(node, Role::TextBox);
        draft.note(node, "its content can be edited, so a textbox");
        return;
    }
    if evidence.contains(Evidence::LABEL)
        && let Some(control) = draft.page().semantics().labelled_control(node)
        && let Some(role) = draft.role(control).or_else(|| native_role(draft.document(), control))
    {
        name_by_text(draft, node);
        draft.set_role(node, role);
        draft.note(node, format!("label of a {} that is not shown, so it stands for it", role.as_str()));
        return;
    }
    let words: Vec<_> = evidence.words().collect();
    let has = |attribute| draft.document().has_attribute(node, attribute);
    let role = if has(name::DATA_HREF) || has(name::DATA_URL) {
        Role::Link
    } else if has(name::ARIA_CHECKED) {
        Role::Checkbox
    } else if evidence.contains(Evidence::NATIVE) {
        // Media with controls of their own are no buttons.
        return;
    } else {
        Role::Button
    };
    name_by_text(draft, node);
    draft.set_role(node, role);
    draft.note(node, format!("operable by its {}, so a {}", words.join(" and "), role.as_str()));
}

/// The role of a control that has none because it is not shown.
fn native_role(document: &Document, control: NodeId) -> Option<Role> {
    let kind = document.attribute(control, name::TYPE).unwrap_or("").to_ascii_lowercase();
    match document.html_name(control)? {
        name::INPUT => Some(match kind.as_str() {
            "checkbox" => Role::Checkbox,
            "radio" => Role::Radio,
            "file" | "submit" | "button" | "reset" | "image" => Role::Button,
            _ => Role::TextBox,
        }),
        name::BUTTON => Some(Role::Button),
        name::SELECT => Some(Role::ComboBox),
        name::TEXTAREA => Some(Role::TextBox),
        _ => None,
    }
}

/// Names the element by its text, if it has no name and holds nothing but a few words. What
/// holds more keeps it as content.
fn name_by_text(draft: &mut Draft<'_>, node: NodeId) {
    if !draft.name(node).is_empty() {
        return;
    }
    let mut text = String::new();
    let document = draft.document();
    for inner in document.composed_descendants(node) {
        if document.is_text(inner) {
            text.push_str(document.text(inner));
        } else if document.is_element(inner) {
            if draft.is_target(inner) || draft.role(inner) == Some(Role::Heading) {
                return;
            }
            if draft.role(inner) == Some(Role::Img) {
                text.push_str(draft.name(inner));
            }
            let inline = draft.page().semantics().style(inner).display == crate::semantics::style::Display::Inline;
            if !inline {
                text.push(' ');
            }
        }
        if text.len() > 4 * LONGEST_NAME {
            return;
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    if words.chars().count() <= LONGEST_NAME {
        draft.set_name(node, words);
    }
}

/// Runs of cells, each of the same kind and place as the one before it, whose texts are numbers
/// that count up from day to day.
fn day_runs(draft: &Draft<'_>) -> Vec<Vec<NodeId>> {
    let document = draft.document();
    let mut runs: Vec<Vec<NodeId>> = Vec::new();
    // The run that is growing below each grid (the parent of the cells' parent), and its last day.
    let mut growing: FxHashMap<NodeId, (usize, u32)> = FxHashMap::default();
    let mut in_target = vec![false; document.len()];
    for node in document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)) {
        let above = document.composed_parent(node);
        in_target[node.index()] = draft.is_target(node) || above.is_some_and(|above| in_target[above.index()]);
        if in_target[node.index()] {
            continue;
        }
        let Some(day) = day(document, node) else { continue };
        let Some(grid) = document.parent(node).and_then(|row| document.parent(row)) else { continue };
        match growing.get_mut(&grid) {
            Some((run, last)) if *last + 1 == day && is_alike(document, runs.get(*run), node) => {
                *last = day;
                if let Some(run) = runs.get_mut(*run) {
                    run.push(node);
                }
            }
            _ => {
                growing.insert(grid, (runs.len(), day));
                runs.push(vec![node]);
            }
        }
    }
    runs.retain(|run| run.len() >= SHORTEST_RUN);
    runs
}

fn is_alike(document: &Document, run: Option<&Vec<NodeId>>, node: NodeId) -> bool {
    run.and_then(|run| run.last()).is_some_and(|&last| document.name(last) == document.name(node))
}

/// The day of the month that is all the element says, in an element of its own.
fn day(document: &Document, node: NodeId) -> Option<u32> {
    let only = document.first_child(node).filter(|&child| document.next_sibling(child).is_none())?;
    let text = document.is_text(only).then(|| document.text(only).trim())?;
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|day| is_number && (1..=31).contains(day))
}

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions, Pipeline, Recipe};

    fn ax(html: &str, options: &str) -> String {
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let recipe = Recipe::from_list(options).expect("recipe");
        Pipeline::new(&recipe, "ax").and_then(|pipeline| pipeline.run(&page)).expect("converts").text
    }

    #[test]
    fn operable_elements_get_the_role_that_they_play() {
        for (html, expected) in [
            ("<div onclick='pay()'>Pay</div>", "- button \"Pay\" [ref=e0]\n"),
            ("<span tabindex=0 aria-pressed=true>Bold</span>", "- button \"Bold\" [pressed] [ref=e0]\n"),
            ("<span tabindex=0 aria-checked=mixed>All</span>", "- checkbox \"All\" [checked=mixed] [ref=e0]\n"),
            ("<div data-href=/x onclick='go()'>More</div>", "- link \"More\" [ref=e0]\n"),
            (
                "<label><input type=checkbox checked style='display:none'>Gift</label>",
                "- checkbox \"Gift\" [checked] [ref=e0]\n",
            ),
            (
                "<div onclick='open()'><h2>Tea</h2><button>Buy</button></div>",
                "- button [ref=e0]:\n  - heading \"Tea\" [level=2]\n  - button \"Buy\" [ref=e2]\n",
            ),
        ] {
            assert_eq!(ax(html, "prune-hidden,rectify"), expected, "{html}");
        }
    }

    #[test]
    fn days_become_buttons_only_when_patterns_count() {
        let week: String = (3..10).map(|day| format!("<td>{day}</td>")).collect();
        let html = format!("<table><tr>{week}</tr></table>");
        assert!(!ax(&html, "rectify").contains("button"));
        let text = ax(&html, "rectify{patterns=true}");
        assert!(text.contains("- button \"3\" [ref="), "{text}");
        assert_eq!(text.matches("[ref=").count(), 7, "{text}");
    }
}
