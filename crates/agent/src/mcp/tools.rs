//! The tools: the table that clients read, and what each does with a session.

use std::fmt::Write as _;
use std::time::Duration;

use super::arguments::{Asked, Call, TabAction, Then};
use super::{Answer, ServerOptions};
use crate::Error;
use crate::action::{Action, Tool};
use crate::perceive::Sight;
use crate::session::{Look, Session};

const REF: (&str, &str, bool, &str) = ("ref", "string", true, "the element's id in the snapshot, such as e12");
const OPTIONAL_REF: (&str, &str, bool, &str) = ("ref", "string", false, "an element's id in the snapshot");
const THEN: (&str, &str, bool, &str) = (
    "then",
    "string",
    false,
    "what to show behind it: nothing (the default), delta (what changed since the last snapshot), snapshot",
);

/// All tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "navigate",
        description: "Open an address in the current tab.",
        parameters: &[("url", "string", true, "the address, absolute or relative to the page"), THEN],
    },
    Tool {
        name: "snapshot",
        description: "See the page as text with an id for each element that can be acted on.",
        parameters: &[
            ("representation", "string", false, "ax (accessibility tree), list (numbered lines), markdown, html"),
            ("scope", "string", false, "a CSS selector of the only part that is wanted"),
            ("budget", "integer", false, "the most tokens"),
            ("task", "string", false, "what you want to do; what is relevant to it is left out last"),
            ("delta", "boolean", false, "tell only what changed since the last snapshot of the same kind"),
        ],
    },
    Tool {
        name: "expand",
        description: "See what a snapshot has left out.",
        parameters: &[("refs", "string", true, "the ids that the snapshot names, such as e41-e77")],
    },
    Tool {
        name: "find",
        description: "Search the whole page for a text and see the lines with it, ids included; cheaper than a snapshot of a long page.",
        parameters: &[("text", "string", true, "the text, in any case")],
    },
    Tool { name: "click", description: "Click an element.", parameters: &[REF, THEN] },
    Tool {
        name: "type",
        description: "Replace what a field holds.",
        parameters: &[
            REF,
            ("text", "string", true, "the new text"),
            ("submit", "boolean", false, "press Enter behind it"),
            THEN,
        ],
    },
    Tool {
        name: "select",
        description: "Choose an option of a drop-down.",
        parameters: &[REF, ("option", "string", true, "what the option says"), THEN],
    },
    Tool {
        name: "press",
        description: "Press a key, where the focus is or in an element.",
        parameters: &[("key", "string", true, "Enter, Escape, Tab, ArrowDown, Control+a, …"), OPTIONAL_REF, THEN],
    },
    Tool { name: "hover", description: "Move the pointer over an element.", parameters: &[REF, THEN] },
    Tool {
        name: "scroll",
        description: "Bring an element into view, or scroll the page.",
        parameters: &[
            OPTIONAL_REF,
            ("pages", "number", false, "how many heights of the window, 1 unless given; negative is up"),
            THEN,
        ],
    },
    Tool { name: "back", description: "Go back to the page before.", parameters: &[THEN] },
    Tool {
        name: "wait",
        description: "Wait for a time, or until a text is there or gone.",
        parameters: &[
            ("seconds", "number", false, "at most so long, up to 30; 10 unless given"),
            ("text", "string", false, "wait until the page shows this"),
            ("gone", "string", false, "wait until the page does not show this any more"),
            THEN,
        ],
    },
    Tool {
        name: "tabs",
        description: "List, open, select or close tabs.",
        parameters: &[
            ("action", "string", false, "list (the default), open, select, close"),
            ("tab", "integer", false, "the tab's number, to select or close it"),
            ("url", "string", false, "what to open in the new tab"),
        ],
    },
    Tool {
        name: "screenshot",
        description: "See the window, the whole page or one element as a picture.",
        parameters: &[OPTIONAL_REF, ("whole_page", "boolean", false, "also what lies outside the window")],
    },
    Tool { name: "close", description: "Close the browser.", parameters: &[] },
];

/// Those that change nothing.
pub(super) const ONLY_LOOK: &[&str] = &["snapshot", "expand", "find", "screenshot"];

/// Does what was asked for. The outer error is the browser's, the inner one is for who has asked.
pub(super) async fn call(
    session: &mut Session,
    options: &ServerOptions,
    call: &Call,
) -> Result<Result<Answer, String>, Error> {
    let (action, then) = match call {
        Call::Navigate { url, then } => (Action::Navigate { url: url.clone() }, *then),
        Call::Back { then } => (Action::Back, *then),
        Call::Click { reference, then } => (Action::Click { reference: reference.clone() }, *then),
        Call::Hover { reference, then } => (Action::Hover { reference: reference.clone() }, *then),
        Call::Type { reference, text, submit, then } => {
            (Action::Type { reference: reference.clone(), text: text.clone(), submit: *submit }, *then)
        }
        Call::Select { reference, option, then } => {
            (Action::Select { reference: reference.clone(), option: option.clone() }, *then)
        }
        Call::Press { key, reference, then } => match reference {
            Some(reference) => {
                let outcome = session.press_in(reference, key).await?;
                return behind(session, options, outcome, *then).await;
            }
            None => (Action::Press { key: key.clone() }, *then),
        },
        Call::Scroll { reference, pages, then } => match reference {
            Some(reference) => (Action::Scroll { reference: reference.clone() }, *then),
            None => {
                let outcome = session.scroll_by(pages.unwrap_or(1.0)).await?;
                return behind(session, options, outcome, *then).await;
            }
        },
        Call::Wait { seconds, text, gone, then } => {
            let seconds = seconds.filter(|seconds| seconds.is_finite()).unwrap_or(10.0).clamp(0.0, 30.0);
            let limit = Duration::from_secs_f64(seconds);
            let outcome = match (text, gone) {
                (Some(text), _) => session.wait_for_text(text, true, limit).await?,
                (None, Some(gone)) => session.wait_for_text(gone, false, limit).await?,
                (None, None) => session.act(&Action::Wait { seconds }).await?,
            };
            return behind(session, options, outcome, *then).await;
        }
        Call::Expand { refs } => {
            let outcome = session.act(&Action::Expand { refs: refs.clone() }).await?;
            return Ok(match outcome {
                Ok(text) => Ok(Answer::Text(fenced(&text)?)),
                Err(reason) => Err(reason),
            });
        }
        Call::Snapshot(asked) => return Ok(Ok(Answer::Text(snapshot(session, options, asked).await?))),
        Call::Find { text } => {
            let found = session.find(text, &look(options, &Asked::default())?).await?;
            return Ok(Ok(Answer::Text(fenced(&found)?)));
        }
        Call::Tabs { action, tab, url } => return tabs(session, *action, *tab, url.as_deref()).await,
        Call::Screenshot { reference, whole_page } => {
            return Ok(session.screenshot(reference.as_deref(), *whole_page).await?.map(Answer::Picture));
        }
        Call::Close {} => return Ok(Err("there is nothing to close".to_owned())),
    };
    let outcome = session.act(&action).await?;
    behind(session, options, outcome, then).await
}

/// What became of an action, and the page behind it if that is wanted.
async fn behind(
    session: &mut Session,
    options: &ServerOptions,
    outcome: Result<String, String>,
    then: Then,
) -> Result<Result<Answer, String>, Error> {
    let mut text = match outcome {
        Ok(done) => done,
        Err(reason) => return Ok(Err(reason)),
    };
    if then != Then::Nothing {
        let asked = Asked { delta: then == Then::Delta, ..Asked::default() };
        text.push('\n');
        text.push_str(&snapshot(session, options, &asked).await?);
    }
    Ok(Ok(Answer::Text(text)))
}

async fn snapshot(session: &mut Session, options: &ServerOptions, asked: &Asked) -> Result<String, Error> {
    let look = look(options, asked)?;
    if asked.delta {
        let (changes, sight) = session.look_for_changes(&look).await?;
        return Ok(headline(sight) + &fenced(&changes)?);
    }
    let sight = session.look(&look).await?;
    Ok(headline(sight) + &fenced(&sight.text)?)
}

fn look(options: &ServerOptions, asked: &Asked) -> Result<Look, Error> {
    let representation = asked.representation.clone().unwrap_or_else(|| options.representation.clone());
    Ok(Look {
        // Whether it exists is said before the page is captured.
        representation: snapshot_core::representations::find(&representation)?.name.to_owned(),
        scope: asked.scope.clone(),
        budget: Some(asked.budget.unwrap_or(options.budget)),
        encoding: options.encoding,
        task: asked.task.clone().unwrap_or_default(),
    })
}

fn headline(sight: &Sight) -> String {
    let mut text = format!("Page: {:?} at {}\n", sight.title, sight.url);
    let statistics = &sight.statistics;
    let _ = write!(
        text,
        "It has {} elements, {} links, {} things to act on, {} images, {} frames.",
        statistics.elements, statistics.links, statistics.interactive, statistics.images, statistics.iframes
    );
    if sight.left_out > 0 {
        let _ = write!(text, " {} elements were left out; expand shows them.", sight.left_out);
    }
    text.push('\n');
    text
}

/// What a page says, between marks that it cannot know.
fn fenced(text: &str) -> Result<String, Error> {
    let nonce = nonce()?;
    Ok(format!("<page {nonce}>\n{}\n</page {nonce}>", text.trim_end()))
}

fn nonce() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::Io(std::io::Error::other(error.to_string())))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn tabs(
    session: &mut Session,
    action: TabAction,
    tab: Option<u32>,
    url: Option<&str>,
) -> Result<Result<Answer, String>, Error> {
    let missing = || "tell the tab's number; without an action, tabs lists them".to_owned();
    let mut outcome = match (action, tab) {
        (TabAction::List, _) => Ok(String::new()),
        (TabAction::Open, _) => session.add_tab().await?,
        (TabAction::Select, Some(tab)) => session.select_tab(tab).await,
        (TabAction::Close, Some(tab)) => session.close_tab(tab).await?,
        (TabAction::Select | TabAction::Close, None) => Err(missing()),
    };
    if let (TabAction::Open, Ok(opened), Some(url)) = (action, &outcome, url) {
        let opened = opened.clone();
        outcome = session.act(&Action::Navigate { url: url.to_owned() }).await?.map(|done| format!("{opened}; {done}"));
    }
    let mut text = match outcome {
        Ok(done) if done.is_empty() => done,
        Ok(done) => done + "\n",
        Err(reason) => return Ok(Err(reason)),
    };
    for line in session.tabs().await {
        let mark = if line.current { " (current)" } else { "" };
        let _ = writeln!(text, "tab {}{mark}: {:?} at {}", line.number, line.title, line.url);
    }
    Ok(Ok(Answer::Text(text)))
}
