//! Scripts: what a person would do, line by line, in the words of snapshots.
//!
//! | line | what it does |
//! | --- | --- |
//! | `task …` | begins a task; when one of its lines fails, the rest of it is passed over |
//! | `open PATH` | goes to an address of the app |
//! | `click WORDS` | clicks the first thing whose line in the snapshot begins with these words, `link "Books"`; a role alone is a thing without a name |
//! | `click WORDS > WORDS` | the same, but only behind the first words; so with the next two |
//! | `type WORDS = TEXT`, `select WORDS = OPTION` | fills in a field, chooses from a list |
//! | `see WORDS`, `see-not WORDS` | what the snapshot must say, must not say |
//! | `rows QUERY = VALUES` | what the app's database must hold: rows by `;`, values by `\|` |

use std::path::Path;

use snapshot_agent::action::Action;
use snapshot_agent::session::{Look, Session};
use snapshot_core::tokens;

/// Where a script is run.
pub(crate) struct Place<'place> {
    /// The app's address.
    pub(crate) url: String,
    /// Its database.
    pub(crate) database: &'place Path,
    /// An interpreter that can read it.
    pub(crate) python: &'place Path,
}

/// How a task went.
pub(crate) struct Outcome {
    pub(crate) task: String,
    /// The line that failed, and why.
    pub(crate) failure: Option<String>,
}

/// Does a script.
pub(crate) async fn run(script: &str, session: &mut Session, place: &Place<'_>) -> anyhow::Result<Vec<Outcome>> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(task) = line.strip_prefix("task ") {
            outcomes.push(Outcome { task: task.to_owned(), failure: None });
            continue;
        }
        let Some(current) = outcomes.last_mut().filter(|outcome| outcome.failure.is_none()) else { continue };
        if let Err(reason) = step(line, session, place).await? {
            let text = session.seen().map(|sight| sight.text.clone()).unwrap_or_default();
            current.failure = Some(format!("{line}\n    {reason}\nthe page says\n{text}"));
        }
    }
    Ok(outcomes)
}

async fn step(line: &str, session: &mut Session, place: &Place<'_>) -> anyhow::Result<Result<(), String>> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    if verb == "open" {
        let url = format!("{}{rest}", place.url);
        return Ok(session.act(&Action::Navigate { url }).await?.map(drop));
    }
    if verb == "rows" {
        let Some((query, wanted)) = rest.rsplit_once(" = ") else { return Ok(Err("there is no `=`".to_owned())) };
        let found = rows(place, query)?;
        return Ok(if found == wanted { Ok(()) } else { Err(format!("the database holds {found}")) });
    }
    let look = Look {
        representation: "ax".to_owned(),
        scope: None,
        budget: None,
        encoding: tokens::find("chars4")?,
        task: String::new(),
    };
    let text = session.look(&look).await?.text.clone();
    let says = |words: &str| text.contains(words);
    let (words, value) = match verb {
        "type" | "select" => rest.split_once(" = ").unwrap_or((rest, "")),
        _ => (rest, ""),
    };
    let action = match verb {
        "see" => return Ok(if says(rest) { Ok(()) } else { Err("it does not say so".to_owned()) }),
        "see-not" => return Ok(if says(rest) { Err("it does say so".to_owned()) } else { Ok(()) }),
        "click" => id(&text, words).map(|reference| Action::Click { reference }),
        "type" => {
            let text = id(&text, words);
            text.map(|reference| Action::Type { reference, text: value.to_owned(), submit: false })
        }
        "select" => id(&text, words).map(|reference| Action::Select { reference, option: value.to_owned() }),
        _ => return Ok(Err(format!("there is no verb {verb:?}"))),
    };
    match action {
        Some(action) => Ok(session.act(&action).await?.map(drop)),
        None => Ok(Err(format!("nothing on the page is called {words}"))),
    }
}

/// The id in the first line that says these words from its beginning, as a person would read it.
fn id(text: &str, words: &str) -> Option<String> {
    let (text, words) = match words.split_once(" > ") {
        Some((around, words)) => (text.get(text.find(around)?..)?, words),
        None => (text, words),
    };
    text.lines().find_map(|line| {
        let said = line.trim_start().strip_prefix("- ")?.trim_start_matches('\'');
        let behind = said.strip_prefix(words)?;
        // A role alone is not followed by a name.
        let fits = if words.contains('"') { behind.starts_with([' ', ':']) } else { behind.starts_with(" [") };
        if !fits {
            return None;
        }
        let (_, id) = behind.split_once("[ref=")?;
        Some(id.split_once(']')?.0.to_owned())
    })
}

/// What the app's database answers to a query.
fn rows(place: &Place<'_>, query: &str) -> anyhow::Result<String> {
    let program = "import sqlite3, sys\n\
        rows = sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()\n\
        print(';'.join('|'.join(str(value) for value in row) for row in rows))";
    let output =
        std::process::Command::new(place.python).args(["-c", program]).arg(place.database).arg(query).output()?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
