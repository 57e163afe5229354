//! Rules that find what to click.

use snapshot_agent::action::Action;

use super::words::{between, numbers, ordinal, quoted, same};
use super::{Plan, Task, click, steps};
use crate::reader::{Item, Kind};

/// "Click on the numbers in ascending order."
pub(crate) fn ascending_numbers(task: &Task) -> Option<Plan> {
    task.utterance.contains("numbers in ascending order").then_some(())?;
    let mut cards = numbered(task);
    cards.sort_by_key(|(number, _)| *number);
    steps(cards.into_iter().map(|(_, item)| click(item)))
}

/// "Find and pick the card with the greatest number, then press submit."
pub(crate) fn greatest(task: &Task) -> Option<Plan> {
    task.utterance.contains("greatest number").then_some(())?;
    let (_, card) = numbered(task).into_iter().max_by_key(|(number, _)| *number)?;
    steps([click(card), task.submit()])
}

/// What has a number for its name and can be clicked.
fn numbered<'items>(task: &'items Task) -> Vec<(i64, &'items Item)> {
    task.items
        .iter()
        .filter(|item| item.id.is_some())
        .filter_map(|item| Some((item.name.trim().parse().ok()?, item)))
        .collect()
}

/// "Select Jinny>Lynett": menus open under the pointer.
pub(crate) fn menu_path(task: &Task) -> Option<Plan> {
    let path: Vec<&str> = task.utterance.strip_prefix("Select ")?.split('>').collect();
    let last = path.last()?;
    let is_menu = task.items.iter().any(|item| item.word == "menuitem" || item.word == "UL");
    (path.len() > 1 || is_menu).then_some(())?;
    if let Some(item) = task.named(last) {
        return click(item).map(Plan::Now);
    }
    let open = path.iter().rev().find_map(|part| task.named(part))?;
    Some(Plan::Now(Action::Hover { reference: open.id.clone()? }))
}

/// "Expand the section below and click submit."
pub(crate) fn expand_and_submit(task: &Task) -> Option<Plan> {
    task.utterance.contains("Expand the section below").then_some(())?;
    let section = task.items.iter().find(|item| item.name.starts_with("Section"))?;
    let is_open = !section.is_closed();
    if is_open {
        let button = task.of(Kind::Button).find(|item| same(&item.name, "Submit"))?;
        return click(button).map(Plan::Now);
    }
    steps([click(section), Some(Action::Wait { seconds: 0.3 })])
}

/// "Find and click on the folder or file named …": folders open by the sign before them.
pub(crate) fn folder_tree(task: &Task) -> Option<Plan> {
    let name = between(task.utterance, "folder or file named \"", "\"")?;
    let mut shown = task.items.iter().filter(|item| same(&item.name, name));
    if let Some(item) = shown.rfind(|item| item.id.is_some()) {
        return click(item).map(Plan::Now);
    }
    let signs = task.items.iter().filter(|item| item.name.is_empty() && matches!(item.word.as_str(), "button" | "DIV"));
    signs.filter_map(click).find(|open| !task.has_done(open)).map(Plan::Now)
}

/// "Find Ana in the contact book and click on their phone number."
pub(crate) fn contact(task: &Task) -> Option<Plan> {
    let name = between(task.utterance, "Find ", " in the contact book")?;
    let property = ["phone", "email", "address"].into_iter().find(|word| {
        task.utterance.ends_with(&format!("{word}.")) || task.utterance.contains(&format!("{word} number"))
    })?;
    if !task.items.iter().any(|item| same(&item.name, name)) {
        return task.click_named(">").map(Plan::Now);
    }
    let label = task.items.iter().position(|item| item.name.to_lowercase().starts_with(&format!("{property}:")))?;
    task.items[label + 1..].iter().find_map(click).map(Plan::Now)
}

/// "Use the textbox to enter … and press Search, then find and click the 5th search result."
pub(crate) fn search_result(task: &Task) -> Option<Plan> {
    let wanted = ordinal(between(task.utterance, "click the ", " search result")?)?;
    let search = quoted(task.utterance).first().copied()?;
    let field = super::fill(task.of(Kind::Field).next()?, search)?;
    let go = task.click_named("Search")?;
    if !task.has_done(&go) {
        return Some(Plan::Steps(vec![field, go]));
    }
    // Three on a page, told apart from the page's numbers, which stand last.
    let (page, place) = ((wanted - 1) / 3, (wanted - 1) % 3);
    let links: Vec<&Item> = task.of(Kind::Link).collect();
    let turn = links.iter().find(|item| item.name == (page + 1).to_string()).and_then(|item| click(item));
    match turn {
        Some(turn) if page > 0 && !task.has_done(&turn) => Some(Plan::Now(turn)),
        _ => click(links.get(place)?).map(Plan::Now),
    }
}

/// "Buy the ticket with the shortest duration."
pub(crate) fn ticket(task: &Task) -> Option<Plan> {
    let wish = between(task.utterance, "Buy the ticket with the ", ".")?;
    let mut said = String::new();
    let mut tickets = Vec::new();
    for item in &task.items {
        if let Some(price) = item.name.strip_prefix("Book for $") {
            let minutes = match numbers(&said).as_slice() {
                [.., hours, minutes] => hours * 60 + minutes,
                _ => return None,
            };
            tickets.push((price.trim().parse::<i64>().ok()?, minutes, item));
            said.clear();
        } else {
            said.push(' ');
            said.push_str(&item.name);
        }
    }
    let best = match wish {
        "cheapest cost" => tickets.iter().min_by_key(|(price, ..)| *price),
        "most expensive cost" => tickets.iter().max_by_key(|(price, ..)| *price),
        "shortest duration" => tickets.iter().min_by_key(|(_, minutes, _)| *minutes),
        "longest duration" => tickets.iter().max_by_key(|(_, minutes, _)| *minutes),
        _ => None,
    };
    click(best?.2).map(Plan::Now)
}

/// "Order one of each item: …"; "Order 2 items that are vegan".
pub(crate) fn order(task: &Task) -> Option<Plan> {
    let mut wanted = Vec::new();
    // A dish begins with its name and ends with its plus.
    let mut dishes: Vec<(String, Action)> = Vec::new();
    let mut said = String::new();
    for item in &task.items {
        match item.name.as_str() {
            "+" => dishes.push((std::mem::take(&mut said), click(item)?)),
            "-" => {}
            _ if item.word == "heading" || item.word == "H2" => said.clear(),
            name => {
                said.push_str(name);
                said.push(' ');
            }
        }
    }
    if let Some((_, names)) = task.utterance.split_once("Order one of each item: ") {
        for name in names.split(", ") {
            wanted.push(dishes.iter().find(|(dish, _)| dish.starts_with(name.trim())).map(|(_, plus)| plus.clone()));
        }
    } else {
        let rest = task.utterance.strip_prefix("Order ")?;
        let (count, kind) = rest.split_once(" items that are ")?;
        let count: usize = count.parse().ok()?;
        let fit = dishes.iter().filter(|(dish, _)| dish.split([' ', ',']).any(|word| word == kind));
        wanted.extend(fit.take(count).map(|(_, plus)| Some(plus.clone())));
        // Too few of a kind: some are ordered twice.
        while wanted.len() < count {
            wanted.push(wanted.first().cloned()?);
        }
    }
    wanted.push(task.click_named("Order!"));
    steps(wanted)
}

/// "Mark the numbers below as odd or even": the number stands between both buttons.
pub(crate) fn odd_or_even(task: &Task) -> Option<Plan> {
    task.utterance.contains("as odd or even").then_some(())?;
    let mut marks = Vec::new();
    for row in task.items.windows(3) {
        if let [odd, number, even] = row
            && (odd.name.as_str(), even.name.as_str()) == ("Odd", "Even")
        {
            let number: i64 = number.name.trim().parse().ok()?;
            marks.push(click(if number % 2 == 0 { even } else { odd }));
        }
    }
    marks.push(task.submit());
    steps(marks)
}

/// "… find and click on the link …", perhaps behind tabs or sections.
pub(crate) fn link_behind_sections(task: &Task) -> Option<Plan> {
    let name = between(task.utterance, "on the link \"", "\"")?;
    if let Some(link) = task.named(name) {
        return click(link).map(Plan::Now);
    }
    let closed = task.items.iter().filter(|item| item.is_closed() && !item.name.is_empty());
    closed.filter_map(click).find(|open| !task.has_done(open)).map(Plan::Now)
}

/// "Click on a "checkbox" widget."
pub(crate) fn widget(task: &Task) -> Option<Plan> {
    let kind = between(task.utterance, "Click on a \"", "\" widget")?;
    let is_it = |item: &&Item| match kind {
        "button" => item.kind == Kind::Button,
        "checkbox" => item.kind == Kind::Checkbox,
        "radio" => item.kind == Kind::Radio,
        "textarea" => item.word == "TEXTAREA" || item.is("multiline"),
        "text" => item.kind == Kind::Field && item.word != "TEXTAREA" && !item.is("multiline"),
        _ => false,
    };
    click(task.items.iter().find(is_it)?).map(Plan::Now)
}

/// "Expand the pie menu below and click on the item labeled …"
pub(crate) fn pie(task: &Task) -> Option<Plan> {
    task.utterance.contains("pie menu").then_some(())?;
    let plus = task.click_named("+")?;
    if !task.has_done(&plus) {
        return Some(Plan::Now(plus));
    }
    task.click_named(quoted(task.utterance).first()?).map(Plan::Now)
}

/// "Click button ONE, wait 2 seconds, then click button TWO."; "Click on the "Ok" button."; "Click
/// on Tab #2."; "Click the button."
pub(crate) fn sequence(task: &Task) -> Option<Plan> {
    let mut plan = Vec::new();
    for clause in task.utterance.trim_end_matches('.').split(", ") {
        let clause = clause.trim().trim_start_matches("and ").trim_start_matches("then ");
        if let Some(seconds) = between(clause, "wait ", " second") {
            plan.push(Some(Action::Wait { seconds: seconds.parse().ok()? }));
            continue;
        }
        let name = match quoted(clause).first() {
            // What closes a dialog is drawn as a cross and named for what it does.
            Some(&"x") => "Close",
            Some(name) => name,
            None => {
                let rest = clause.trim_start_matches("Click ").trim_start_matches("click ");
                let rest = rest.trim_start_matches("on ").trim_start_matches("the ").trim_start_matches("button");
                rest.trim_end_matches("button").trim()
            }
        };
        if name.is_empty() {
            plan.push(click(task.of(Kind::Button).next()?));
        } else {
            let found = task.items.iter().filter(|item| item.name.eq_ignore_ascii_case(name));
            plan.push(task.click_named(name).or_else(|| found.filter_map(click).next()));
        }
    }
    steps(plan)
}
