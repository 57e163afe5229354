//! Plain rules in place of a model. A rule looks at the instruction and at the text of the
//! snapshot, nothing else, and says what it would do from here on; the first step that has not
//! been done yet is taken. Rules are by kind of wording, not by page, and tried in order.

mod click;
mod compute;
mod fill;
mod words;

use snapshot_agent::action::Action;

use crate::reader::{Item, Kind};

/// What the rules know.
pub(crate) struct Task<'task> {
    /// The instruction.
    pub(crate) utterance: &'task str,
    /// The page in reading order, without the instruction.
    pub(crate) items: Vec<Item>,
    /// What was done.
    pub(crate) done: &'task [Action],
}

/// What a rule says.
pub(crate) enum Plan {
    /// These in order, as far as they have not been done.
    Steps(Vec<Action>),
    /// This, even when it was done before.
    Now(Action),
}

type Rule = fn(&Task) -> Option<Plan>;

/// The rules; special wordings before general ones.
const RULES: &[Rule] = &[
    click::ascending_numbers,
    click::menu_path,
    click::expand_and_submit,
    click::folder_tree,
    click::contact,
    click::search_result,
    click::ticket,
    click::order,
    click::odd_or_even,
    click::greatest,
    click::link_behind_sections,
    click::widget,
    click::pie,
    fill::login,
    fill::date,
    fill::time,
    fill::calendar,
    fill::slider,
    fill::spinner,
    fill::autocomplete,
    fill::radio_and_number,
    fill::dropdown_and_button,
    fill::copy,
    fill::focus,
    fill::scroll_down,
    fill::movie,
    compute::word_of_paragraph,
    compute::last_word,
    compute::table_value,
    compute::table_form,
    compute::algebra,
    compute::arithmetic,
    compute::shown_text,
    compute::generate_number,
    compute::guess_number,
    compute::price_below,
    fill::text,
    fill::select_and_submit,
    click::sequence,
];

/// The next action; none where no rule knows what to do.
pub(crate) fn next(task: &Task) -> Option<Action> {
    match RULES.iter().find_map(|rule| rule(task))? {
        Plan::Now(action) => Some(action),
        Plan::Steps(steps) => {
            let mut left = task.done.to_vec();
            steps.into_iter().find(|step| match left.iter().position(|done| done == step) {
                Some(place) => {
                    left.remove(place);
                    false
                }
                None => true,
            })
        }
    }
}

impl Task<'_> {
    /// What is called this: a control before anything else that has an id.
    pub(crate) fn named(&self, name: &str) -> Option<&Item> {
        let is_control = |item: &&Item| !matches!(item.kind, Kind::Text | Kind::Other);
        let named = || self.items.iter().filter(|item| item.id.is_some() && words::same(&item.name, name));
        named().find(is_control).or_else(|| named().next())
    }

    pub(crate) fn click_named(&self, name: &str) -> Option<Action> {
        click(self.named(name)?)
    }

    /// The button that hands in.
    pub(crate) fn submit(&self) -> Option<Action> {
        ["Submit", "Search", "Login", "OK"].iter().find_map(|name| self.click_named(name))
    }

    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.kind == kind)
    }

    /// All that the page says.
    pub(crate) fn text(&self) -> String {
        self.items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The field with this label: by its name, or by the text before it.
    pub(crate) fn field(&self, label: &str) -> Option<&Item> {
        let label = label.to_lowercase();
        let mut before = String::new();
        for item in &self.items {
            if item.kind == Kind::Field {
                let known = if item.name.is_empty() { &before } else { &item.name };
                if known.to_lowercase().contains(&label) {
                    return Some(item);
                }
                before.clear();
            } else if !item.name.is_empty() {
                before.clone_from(&item.name);
            }
        }
        None
    }

    pub(crate) fn has_done(&self, action: &Action) -> bool {
        self.done.contains(action)
    }
}

pub(crate) fn click(item: &Item) -> Option<Action> {
    Some(Action::Click { reference: item.id.clone()? })
}

pub(crate) fn fill(item: &Item, text: &str) -> Option<Action> {
    Some(Action::Type { reference: item.id.clone()?, text: text.to_owned(), submit: false })
}

pub(crate) fn press(key: &str) -> Action {
    Action::Press { key: key.to_owned() }
}

/// Steps that are all known.
pub(crate) fn steps(steps: impl IntoIterator<Item = Option<Action>>) -> Option<Plan> {
    steps.into_iter().collect::<Option<Vec<_>>>().map(Plan::Steps)
}
