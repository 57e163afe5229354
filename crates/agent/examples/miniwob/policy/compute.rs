//! Rules that read something off the page and work it out.

use snapshot_agent::action::Action;

use super::words::{between, numbers, ordinal};
use super::{Plan, Task, fill, steps};
use crate::reader::Kind;

/// "Find the 4th word in the paragraph, type that into the textbox and press Submit."
pub(crate) fn word_of_paragraph(task: &Task) -> Option<Plan> {
    let place = ordinal(between(task.utterance, "Find the ", " word in the paragraph")?)?;
    let paragraph = task.items.iter().find(|item| item.kind == Kind::Text || item.word == "P")?;
    let word = paragraph.name.split_whitespace().nth(place - 1)?;
    let word = word.trim_end_matches(['.', ',']);
    steps([fill(task.of(Kind::Field).next()?, word), task.submit()])
}

/// "Find the last word in the text area, enter it into the text field and hit Submit."
pub(crate) fn last_word(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Find the last word in the text area").then_some(())?;
    let mut fields = task.of(Kind::Field);
    let word = fields.next()?.value.split_whitespace().last()?.to_owned();
    steps([fill(fields.next()?, &word), task.submit()])
}

/// "Enter the value of Gender into the text field and press Submit."
pub(crate) fn table_value(task: &Task) -> Option<Plan> {
    let label = between(task.utterance, "Enter the value of ", " into the text field")?;
    steps([fill(task.of(Kind::Field).next()?, &value_of(task, label)?), task.submit()])
}

/// "Enter the value that corresponds with each label into the form and submit when done."
pub(crate) fn table_form(task: &Task) -> Option<Plan> {
    task.utterance.contains("value that corresponds with each label").then_some(())?;
    let mut plan = Vec::new();
    let mut label = String::new();
    for item in &task.items {
        match item.kind {
            Kind::Field => {
                // In the tree texts that follow one another are one; the label ends it.
                let name = if item.name.is_empty() { &label } else { &item.name };
                let name = name.trim().trim_end_matches(':');
                let known = (1..=4).rev().find_map(|count| {
                    let words: Vec<&str> = name.split(' ').collect();
                    value_of(task, &words[words.len().checked_sub(count)?..].join(" "))
                });
                plan.push(fill(item, &known?));
            }
            _ if !item.name.is_empty() => label.clone_from(&item.name),
            _ => {}
        }
    }
    plan.push(task.submit());
    steps(plan)
}

/// What stands behind a label in a table: the next line of a list, the next word of a text.
fn value_of(task: &Task, label: &str) -> Option<String> {
    if let Some(place) = task.items.iter().position(|item| item.name == label) {
        return Some(task.items.get(place + 1)?.name.clone());
    }
    let text = task.items.iter().find_map(|item| item.name.split_once(&format!("{label} ")))?.1;
    text.split_whitespace().next().map(str::to_owned)
}

/// "Solve for x": `x + 2 = 43`, `5 - x = 2`, with `x =` before the field.
pub(crate) fn algebra(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Solve for x").then_some(())?;
    let text = task.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let equals = words.iter().position(|word| *word == "=")?;
    let result: i64 = words.get(equals + 1)?.parse().ok()?;
    let [left, operator, right] = words.get(equals.checked_sub(3)?..equals)? else { return None };
    let (left, right) = (left.parse::<i64>().ok(), right.parse::<i64>().ok());
    let x = match (left, *operator, right) {
        (None, "+", Some(known)) | (Some(known), "+", None) => result - known,
        (None, "-", Some(known)) => result + known,
        (Some(known), "-", None) => known - result,
        (None, "x" | "*", Some(known)) | (Some(known), "x" | "*", None) => result / known,
        _ => return None,
    };
    steps([fill(task.of(Kind::Field).next()?, &x.to_string()), task.submit()])
}

/// "Solve the math problem": `2 x 4 =`
pub(crate) fn arithmetic(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Solve the math problem").then_some(())?;
    let text = task.text();
    let problem = text.split('=').next()?;
    let words: Vec<&str> = problem.split_whitespace().collect();
    let [left, operator, right] = words.get(words.len().checked_sub(3)?..)? else { return None };
    let (left, right): (i64, i64) = (left.parse().ok()?, right.parse().ok()?);
    let result = match *operator {
        "+" => left + right,
        "-" => left - right,
        "x" | "*" => left * right,
        _ => return None,
    };
    steps([fill(task.of(Kind::Field).next()?, &result.to_string()), task.submit()])
}

/// "Type the text below into the text field and press Submit.": letters that are set askew.
pub(crate) fn shown_text(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Type the text below").then_some(())?;
    let shown = task.items.iter().take_while(|item| item.kind != Kind::Field);
    let text: String =
        shown.flat_map(|item| item.name.chars()).filter(|character| !character.is_whitespace()).collect();
    steps([fill(task.of(Kind::Field).next()?, &text), task.submit()])
}

/// "Generate a number greater than 3, then press submit."
pub(crate) fn generate_number(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Generate a").then_some(())?;
    let limit = numbers(task.utterance).first().copied();
    let shown = task.items.iter().find_map(|item| item.name.trim().parse::<i64>().ok());
    let fits = shown.is_some_and(|number| match (task.utterance, limit) {
        (wish, Some(limit)) if wish.contains("less than") => number < limit,
        (wish, Some(limit)) if wish.contains("greater than") => number > limit,
        (wish, _) if wish.contains("odd") => number % 2 != 0,
        _ => number % 2 == 0,
    });
    if fits { task.submit().map(Plan::Now) } else { task.click_named("Generate").map(Plan::Now) }
}

/// "Guess the number between 0-9 and press Submit.": halving what the answers leave.
pub(crate) fn guess_number(task: &Task) -> Option<Plan> {
    task.utterance.starts_with("Guess the number").then_some(())?;
    let field = task.of(Kind::Field).next()?;
    let submit = task.submit()?;
    // Each guess was typed and handed in; its answer is told until the next.
    let guesses: Vec<i64> = task
        .done
        .iter()
        .filter_map(|done| match done {
            Action::Type { text, .. } => text.parse().ok(),
            _ => None,
        })
        .collect();
    if matches!(task.done.last(), Some(Action::Type { .. })) {
        return Some(Plan::Now(submit));
    }
    let text = task.text();
    let (mut low, mut high) = (0, 9);
    for (place, &guess) in guesses.iter().enumerate() {
        // The answer to a guess that is not the last lies in which way the next one went.
        let higher = match guesses.get(place + 1) {
            Some(&next) => next > guess,
            None => text.contains("higher"),
        };
        if higher { low = guess + 1 } else { high = guess - 1 }
    }
    fill(field, &((low + high) / 2).to_string()).map(Plan::Now)
}

/// "Buy HLW stock when the price is less than $47.10."
pub(crate) fn price_below(task: &Task) -> Option<Plan> {
    let (_, limit) = task.utterance.split_once("stock when the price is less than $")?;
    let limit: f64 = limit.trim_end_matches('.').parse().ok()?;
    let text = task.text();
    let (_, price) = text.split_once("Stock price:$")?;
    let price = price.split_whitespace().next()?.parse().ok().filter(|price: &f64| *price < limit);
    match price {
        Some(_) => task.click_named("Buy").map(Plan::Now),
        None => Some(Plan::Now(Action::Wait { seconds: 0.1 })),
    }
}
