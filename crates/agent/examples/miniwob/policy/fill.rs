//! Rules that fill in forms.

use snapshot_agent::action::Action;

use super::words::{between, numbers, ordinal, quoted};
use super::{Plan, Task, click, fill, press, steps};
use crate::reader::{Item, Kind};

/// "Enter the username … and the password … into the text fields and press login."
pub(crate) fn login(task: &Task) -> Option<Plan> {
    task.utterance.contains("the password \"").then_some(())?;
    // What stands in the way is sent away first.
    if let Some(cancel) = task.click_named("Cancel") {
        return Some(Plan::Now(cancel));
    }
    let texts = quoted(task.utterance);
    let fields: Vec<&Item> = task.of(Kind::Field).collect();
    let mut plan: Vec<Option<Action>> =
        fields.iter().enumerate().map(|(place, field)| fill(field, texts.get(place).or(texts.last())?)).collect();
    plan.push(task.submit());
    steps(plan)
}

/// "Enter 09/10/2012 as the date and hit submit.", into a field for dates.
pub(crate) fn date(task: &Task) -> Option<Plan> {
    let (month, day, year) = american(between(task.utterance, "Enter ", " as the date")?)?;
    let field = task.of(Kind::Field).next()?;
    steps([fill(field, &format!("{year:04}-{month:02}-{day:02}")), task.submit()])
}

/// "Enter 8:22 AM as the time and press submit.", into a field for times.
pub(crate) fn time(task: &Task) -> Option<Plan> {
    let text = between(task.utterance, "Enter ", " as the time")?;
    let (hour, minute) = match numbers(text).as_slice() {
        [hour, minute] => (hour % 12 + if text.ends_with("PM") { 12 } else { 0 }, *minute),
        _ => return None,
    };
    steps([fill(task.of(Kind::Field).next()?, &format!("{hour:02}:{minute:02}")), task.submit()])
}

fn american(text: &str) -> Option<(i64, i64, i64)> {
    match numbers(text).as_slice() {
        [month, day, year] => Some((*month, *day, *year)),
        _ => None,
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// "Select 12/09/2016 as the date and hit submit.", in a calendar that a field opens.
pub(crate) fn calendar(task: &Task) -> Option<Plan> {
    let (month, day, _) = american(between(task.utterance, "Select ", " as the date")?)?;
    let field = task.of(Kind::Field).next()?;
    if !field.value.is_empty() {
        return task.submit().map(Plan::Now);
    }
    let text = task.text();
    let Some(shown) = MONTHS.iter().position(|name| text.contains(name)) else {
        return click(field).map(Plan::Now);
    };
    let wanted = usize::try_from(month - 1).ok()?;
    if shown == wanted {
        return task.click_named(&day.to_string()).map(Plan::Now);
    }
    task.click_named(if shown > wanted { "Prev" } else { "Next" }).map(Plan::Now)
}

/// "Select 5 with the slider and hit Submit."; the same with a box to tick.
pub(crate) fn slider(task: &Task) -> Option<Plan> {
    let wanted: i64 = between(task.utterance, "Select ", " with the slider")?.parse().ok()?;
    let shown: i64 = task
        .items
        .iter()
        .filter(|item| !matches!(item.kind, Kind::Field))
        .find_map(|item| item.name.trim().parse().ok())?;
    let handle =
        task.items.iter().find(|item| item.name.is_empty() && matches!(item.word.as_str(), "button" | "SPAN"))?;
    let grip = click(handle)?;
    if !task.has_done(&grip) {
        return Some(Plan::Now(grip));
    }
    if shown != wanted {
        return Some(Plan::Now(press(if shown < wanted { "ArrowRight" } else { "ArrowLeft" })));
    }
    let mut plan = vec![];
    if let Some(place) = between(task.utterance, "click the ", " checkbox").and_then(ordinal) {
        plan.push(click(task.of(Kind::Checkbox).nth(place - 1)?));
    }
    plan.push(task.submit());
    steps(plan)
}

/// "Select -5 with the spinner and hit Submit."
pub(crate) fn spinner(task: &Task) -> Option<Plan> {
    let wanted = between(task.utterance, "Select ", " with the spinner")?;
    let field = task.of(Kind::Field).next()?;
    steps([fill(field, wanted), Some(press("Tab")), task.submit()])
}

/// "Enter an item that starts with … and ends with …"
pub(crate) fn autocomplete(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Enter an item that starts with").then_some(())?;
    let texts = quoted(task.utterance);
    let (start, end) = (*texts.first()?, texts.get(1).copied().unwrap_or_default());
    let field = task.of(Kind::Field).next()?;
    if field.value.len() > start.len() || (field.value == start && start.ends_with(end)) {
        return task.submit().map(Plan::Now);
    }
    let typed = fill(field, start)?;
    if !task.has_done(&typed) {
        return Some(Plan::Now(typed));
    }
    let offered = task.items.iter().filter(|item| item.name.starts_with(start) && item.name.ends_with(end));
    match offered.filter_map(click).next() {
        Some(choose) => Some(Plan::Now(choose)),
        None => Some(Plan::Now(Action::Wait { seconds: 0.4 })),
    }
}

/// "Check the 1st radio button and enter the number … into the 3rd textbox."
pub(crate) fn radio_and_number(task: &Task) -> Option<Plan> {
    let radio = ordinal(between(task.utterance, "Check the ", " radio button")?)?;
    let field = ordinal(between(task.utterance, "into the ", " textbox")?)?;
    let number = quoted(task.utterance).first().copied()?;
    steps([
        click(task.of(Kind::Radio).nth(radio - 1)?),
        fill(task.of(Kind::Field).nth(field - 1)?, number),
        task.submit(),
    ])
}

/// "Choose … from the dropdown, then click the button labeled …"
pub(crate) fn dropdown_and_button(task: &Task) -> Option<Plan> {
    let option = between(task.utterance, "Choose ", " from the dropdown")?;
    let button = quoted(task.utterance).first().copied()?;
    steps([choose(task, option), task.click_named(button)])
}

/// Chooses what some list offers.
fn choose(task: &Task, option: &str) -> Option<Action> {
    let list = task.of(Kind::Choice).find(|list| list.options.iter().any(|known| known == option))?;
    Some(Action::Select { reference: list.id.clone()?, option: option.to_owned() })
}

/// "Copy the text from the 2nd text area below and paste it into the text input": with the keys
/// that copy and paste, so that not a space is lost.
pub(crate) fn copy(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Copy the text").then_some(())?;
    let place = ordinal(task.utterance).unwrap_or(1);
    let (full, empty): (Vec<&Item>, Vec<&Item>) = task.of(Kind::Field).partition(|field| !field.value.is_empty());
    // Once the text is there, no field is empty.
    let Some(target) = empty.first() else { return task.submit().map(Plan::Now) };
    steps([
        click(full.get(place - 1)?),
        Some(press("Control+a")),
        Some(press("Control+c")),
        click(target),
        Some(press("Control+v")),
    ])
}

/// "Focus into the 3rd input textbox."
pub(crate) fn focus(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Focus into the").then_some(())?;
    let place = ordinal(task.utterance).unwrap_or(1);
    steps([click(task.of(Kind::Field).nth(place - 1)?)])
}

/// "Scroll the textarea to the bottom of the text hit submit."
pub(crate) fn scroll_down(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Scroll the textarea to the").then_some(())?;
    let key = if task.utterance.contains("to the top") { "Control+Home" } else { "Control+End" };
    steps([click(task.of(Kind::Field).next()?), Some(press(key)), task.submit()])
}

/// "Search for drama movies directed by Holloway from year 2011."
pub(crate) fn movie(task: &Task) -> Option<Plan> {
    let genre = between(task.utterance, "Search for ", " movies directed by ")?;
    let name = between(task.utterance, "directed by ", " from year")?;
    let (_, year) = task.utterance.trim_end_matches('.').split_once("from year ")?;
    let either = |labels: &[&str]| labels.iter().find_map(|label| task.field(label));
    steps([
        fill(either(&["Genre"])?, genre),
        fill(either(&["Director", "Name"])?, name),
        fill(either(&["Year"])?, year),
        task.submit(),
    ])
}

/// "Enter "IU" into the text field and press Submit."; "Type "ana" in all upper case letters …"
pub(crate) fn text(task: &Task) -> Option<Plan> {
    let begins = task.utterance.starts_with("Enter \"") || task.utterance.starts_with("Type \"");
    begins.then_some(())?;
    let mut text = quoted(task.utterance).first()?.to_string();
    if task.utterance.contains("upper case") {
        text = text.to_uppercase();
    } else if task.utterance.contains("lower case") {
        text = text.to_lowercase();
    }
    steps([fill(task.of(Kind::Field).next()?, &text), task.submit()])
}

/// "Select a, b and click Submit.": boxes, radio buttons, lists.
pub(crate) fn select_and_submit(task: &Task) -> Option<Plan> {
    let names = between(task.utterance, "Select ", " and click Submit")?;
    let names = names.trim_end_matches(" from the list").trim_end_matches(" from the scroll list");
    let mut plan = Vec::new();
    for name in names.split(", ").filter(|name| *name != "nothing") {
        match task.named(name) {
            // What is ticked already would be unticked.
            Some(item) if item.is("checked") => {}
            Some(item) => plan.push(click(item)),
            None => plan.push(choose(task, name)),
        }
    }
    plan.push(task.submit());
    steps(plan)
}
