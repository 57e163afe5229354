//! Tabs, what was last seen of each, and actions on them: what clients without a loop of their
//! own drive, the MCP server, end-to-end tests and benchmarks.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::{Value, json};
use snapshot_core::representations::{self, ReferencePolicy, UrlPolicy, WriteOptions};
use snapshot_core::tokens::Encoding;
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, Snapshot};

use crate::Error;
use crate::act::{Hands, Outcome, SETTLE};
use crate::action::Action;
use crate::browser::{Browser, Tab};
use crate::keys::Key;
use crate::origins::Origins;
use crate::perceive::{Sight, number};
use crate::stable::settle;

/// For how long nothing may go over the network behind an action.
const QUIET: Duration = Duration::from_millis(150);

/// The most tabs that may be open; who needs more has forgotten some.
const TABS: usize = 20;

/// How a page is to be written.
#[derive(Clone, Debug)]
pub struct Look {
    /// The representation's name.
    pub representation: String,
    /// CSS selectors of the parts that are wanted; the whole page when there are none.
    pub scope: Option<String>,
    /// The most tokens.
    pub budget: Option<usize>,
    /// How they are counted.
    pub encoding: &'static Encoding,
    /// What is to be done; what is relevant to it is left out last.
    pub task: String,
}

impl Look {
    /// Whether two snapshots that were taken like this can be told apart line by line.
    fn is_like(&self, other: &Self) -> bool {
        self.representation == other.representation
            && self.scope == other.scope
            && self.budget == other.budget
            && self.encoding.name == other.encoding.name
            && self.task == other.task
    }
}

/// A browser with tabs, one of them current.
#[derive(Debug)]
pub struct Session {
    browser: Browser,
    origins: Option<Origins>,
    tabs: Vec<OpenTab>,
    current: usize,
    next_number: u32,
}

#[derive(Debug)]
struct OpenTab {
    /// By which the tab is known; never used again.
    number: u32,
    tab: Tab,
    seen: Option<Seen>,
}

/// What was last seen of a tab.
#[derive(Debug)]
struct Seen {
    sight: Sight,
    look: Look,
    snapshot: Snapshot,
}

/// A tab in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabLine {
    /// By which it is selected.
    pub number: u32,
    /// Whether actions go to it.
    pub current: bool,
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
}

impl Session {
    /// Opens a tab in a browser. With `origins` its documents come from there or not at all.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn start(browser: Browser, origins: Option<Origins>) -> Result<Self, Error> {
        let mut session = Self { browser, origins, tabs: Vec::new(), current: 0, next_number: 1 };
        // The first tab is below any limit.
        let _ = session.add_tab().await?;
        Ok(session)
    }

    /// Looks at the page once it is at rest. Elements keep the ids they had.
    ///
    /// # Errors
    /// Those of the browser and of the library.
    pub async fn look(&mut self, look: &Look) -> Result<&Sight, Error> {
        let pipeline = pipeline(look)?;
        let page = self.capture().await?;
        let snapshot = pipeline.run(&page.1)?;
        Ok(self.keep(page, look, snapshot))
    }

    /// Looks at the page, and tells what has changed since the last look of the same kind; the
    /// whole snapshot where that is not clearly shorter, or where there was no such look.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn look_for_changes(&mut self, look: &Look) -> Result<(String, &Sight), Error> {
        let pipeline = pipeline(look)?;
        let page = self.capture().await?;
        let snapshot = pipeline.run(&page.1)?;
        let before = self.open_tab()?.seen.as_ref().filter(|seen| seen.look.is_like(look));
        let text = match before {
            None => snapshot.text.clone(),
            Some(seen) if seen.snapshot.text == snapshot.text => "nothing has changed\n".to_owned(),
            Some(seen) => crate::changes::describe(&seen.snapshot, &snapshot),
        };
        Ok((text, self.keep(page, look, snapshot)))
    }

    /// What was last seen of the current tab.
    pub fn seen(&self) -> Option<&Sight> {
        self.open_tab().ok()?.seen.as_ref().map(|seen| &seen.sight)
    }

    /// Does something. The outer error is the browser's, the inner one is for who has asked.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn act(&mut self, action: &Action) -> Result<Outcome, Error> {
        let open = self.open_tab()?;
        let sight = open.seen.as_ref().map(|seen| &seen.sight);
        let target = match (action.reference(), sight) {
            (None, _) => None,
            (Some(_), None) => return Ok(Err("nothing has been seen of this page yet; take a snapshot".to_owned())),
            (Some(reference), Some(sight)) => match sight.target(reference) {
                Ok(target) => Some(target),
                Err(reason) => return Ok(Err(reason)),
            },
        };
        let hands = Hands { tab: &open.tab };
        let outcome = match action {
            Action::Navigate { url } => self.navigate(url).await,
            Action::Expand { refs } => return self.expand(refs),
            _ => hands.act(action, target.as_ref()).await,
        };
        let told = self.aftermath().await?;
        Ok(match outcome {
            Ok(done) => Ok(done + &told),
            Err(reason) => Err(reason + &told),
        })
    }

    /// Gives an element the focus and presses a key there.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn press_in(&mut self, reference: &str, key: &str) -> Result<Outcome, Error> {
        let open = self.open_tab()?;
        let Some(seen) = &open.seen else {
            return Ok(Err("nothing has been seen of this page yet; take a snapshot".to_owned()));
        };
        let pressed = match (seen.sight.target(reference), Key::read(key)) {
            (Ok(target), Ok(key)) => {
                let hands = Hands { tab: &open.tab };
                match hands.focus(&target).await {
                    Ok(_) => hands.press(&key).await.map(|done| format!("{done} in {}", target.label)),
                    Err(reason) => Err(reason),
                }
            }
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
        };
        let told = self.aftermath().await?;
        Ok(pressed.map(|done| done + &told))
    }

    /// Gives a file to a field for files. Which files may be given is the caller's to decide.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn upload(&mut self, reference: &str, file: &std::path::Path) -> Result<Outcome, Error> {
        let open = self.open_tab()?;
        let Some(seen) = &open.seen else {
            return Ok(Err("nothing has been seen of this page yet; take a snapshot".to_owned()));
        };
        let given = match seen.sight.target(reference) {
            Ok(target) => (Hands { tab: &open.tab }).give_file(&target, file).await,
            Err(reason) => Err(reason),
        };
        let told = self.aftermath().await?;
        Ok(given.map(|done| done + &told))
    }

    /// Scrolls the window by so many of its heights; down when positive.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn scroll_by(&mut self, pages: f64) -> Result<Outcome, Error> {
        let pages = if pages.is_finite() { pages.clamp(-100.0, 100.0) } else { 0.0 };
        let expression = format!(
            "(() => {{ const page = document.scrollingElement || document.documentElement; \
             page.scrollBy({{ top: innerHeight * {pages}, behavior: 'instant' }}); \
             return [page.scrollTop / innerHeight, (page.scrollHeight - page.scrollTop - innerHeight) / innerHeight]; }})()"
        );
        let at = self.evaluate(&expression).await?;
        let part = |place: usize| at[place].as_f64().unwrap_or_default().max(0.0);
        Ok(Ok(format!("scrolled; {:.1} pages are above the window and {:.1} below", part(0), part(1))))
    }

    /// Waits until the page shows a text, or does not any more, at most `limit`.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn wait_for_text(&mut self, text: &str, shown: bool, limit: Duration) -> Result<Outcome, Error> {
        let wanted = folded(text);
        let begun = tokio::time::Instant::now();
        loop {
            let expression = "document.body ? document.body.innerText : ''";
            // Between two pages there is none to ask.
            let said = self.evaluate(expression).await.ok();
            let holds = said.is_some_and(|said| folded(said.as_str().unwrap_or_default()).contains(&wanted));
            if holds == shown {
                return Ok(Ok(format!("{text:?} is {}", if shown { "there" } else { "gone" })));
            }
            if begun.elapsed() >= limit {
                let seconds = limit.as_secs_f64();
                let state = if shown { "has not appeared" } else { "is still there" };
                return Ok(Err(format!("{text:?} {state} after {seconds} s")));
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The lines of the whole page, written as an accessibility tree without a budget, that
    /// contain a text, each under the lines that hold it.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn find(&mut self, text: &str, look: &Look) -> Result<String, Error> {
        let whole = Look { representation: "ax".to_owned(), scope: None, budget: None, ..look.clone() };
        let page = self.capture().await?;
        let snapshot = pipeline(&whole)?.run(&page.1)?;
        let found = crate::changes::find(&snapshot.text, text);
        self.keep(page, &whole, snapshot);
        Ok(found)
    }

    /// The window's picture, or that of an element: PNG in base64.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn screenshot(&mut self, reference: Option<&str>, whole: bool) -> Result<Result<String, String>, Error> {
        let open = self.open_tab()?;
        let mut params = json!({ "format": "png", "captureBeyondViewport": whole });
        if let Some(reference) = reference {
            let target = match open.seen.as_ref().map(|seen| seen.sight.target(reference)) {
                None => return Ok(Err("nothing has been seen of this page yet; take a snapshot".to_owned())),
                Some(Err(reason)) => return Ok(Err(reason)),
                Some(Ok(target)) => target,
            };
            match (Hands { tab: &open.tab }).clip(&target).await {
                Ok([x, y, width, height]) => {
                    params["clip"] = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
                }
                Err(reason) => return Ok(Err(reason)),
            }
        }
        let shot = open.tab.send("Page.captureScreenshot", params).await?;
        Ok(Ok(shot["data"].as_str().unwrap_or_default().to_owned()))
    }

    /// The tabs in the order in which they were opened.
    pub async fn tabs(&self) -> Vec<TabLine> {
        let mut lines = Vec::new();
        for (place, open) in self.tabs.iter().enumerate() {
            let (title, url) = headline(&open.tab).await;
            lines.push(TabLine { number: open.number, current: place == self.current, title, url });
        }
        lines
    }

    /// Opens a tab and makes it the current one.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn add_tab(&mut self) -> Result<Outcome, Error> {
        if self.tabs.len() >= TABS {
            return Ok(Err(format!("{TABS} tabs are open, which is the limit; close one first")));
        }
        let tab = self.browser.open_tab(self.origins.clone()).await?;
        self.tabs.push(OpenTab { number: self.next_number, tab, seen: None });
        self.current = self.tabs.len() - 1;
        self.next_number += 1;
        Ok(Ok(format!("tab {} is open", self.next_number - 1)))
    }

    /// Makes a tab the current one.
    pub async fn select_tab(&mut self, number: u32) -> Outcome {
        self.current = self.place_of(number)?;
        if let Ok(open) = self.open_tab() {
            // Pages in the background stand still.
            let _ = open.tab.send("Page.bringToFront", json!({})).await;
        }
        Ok(format!("tab {number} is shown"))
    }

    /// Closes a tab. The last one gives way to an empty one.
    ///
    /// # Errors
    /// Those of the browser.
    pub async fn close_tab(&mut self, number: u32) -> Result<Outcome, Error> {
        let place = match self.place_of(number) {
            Ok(place) => place,
            Err(reason) => return Ok(Err(reason)),
        };
        self.tabs.remove(place).tab.close().await;
        if self.tabs.is_empty() {
            let added = self.add_tab().await?;
            return Ok(added.map(|opened| format!("tab {number} is closed, the last one; {opened}")));
        }
        if self.current > place || self.current == self.tabs.len() {
            self.current -= 1;
        }
        if let Ok(open) = self.open_tab() {
            let _ = open.tab.send("Page.bringToFront", json!({})).await;
        }
        Ok(Ok(format!("tab {number} is closed")))
    }

    /// The number of the current tab.
    pub fn current_tab(&self) -> u32 {
        self.tabs.get(self.current).map_or(0, |open| open.number)
    }

    /// The current tab itself.
    ///
    /// # Errors
    /// [`Error::BrowserGone`] when there is none.
    pub fn tab(&self) -> Result<&Tab, Error> {
        Ok(&self.open_tab()?.tab)
    }

    /// Ends the browser if it is ours.
    pub async fn close(self) {
        self.browser.close().await;
    }

    async fn navigate(&self, url: &str) -> Outcome {
        let tab = self.tab().map_err(|error| error.to_string())?;
        let (_, here) = headline(tab).await;
        let base = url::Url::parse(&here).ok();
        let options = url::Url::options();
        let url = match options.base_url(base.as_ref()).parse(url) {
            Ok(url) => String::from(url),
            Err(error) => return Err(format!("{error}; give an address such as https://shop.example/")),
        };
        match tab.navigate(&url, SETTLE).await {
            Ok(()) => Ok(format!("opened {url}")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Writes what the last snapshot has left out.
    fn expand(&self, refs: &str) -> Result<Outcome, Error> {
        let Some(seen) = &self.open_tab()?.seen else {
            return Ok(Err("nothing has been seen of this page yet; take a snapshot".to_owned()));
        };
        let Some(ids) = ids(refs) else {
            return Ok(Err(format!("{refs:?} are no ids; give them as the snapshot does, such as e41-e77")));
        };
        let pipeline = pipeline(&Look { scope: None, ..seen.look.clone() })?.with_expanded([ids]);
        Ok(Ok(pipeline.run(&seen.sight.page)?.text))
    }

    /// What an action has brought about beside itself. A window that the page wanted to open is
    /// opened in the tab.
    async fn aftermath(&self) -> Result<String, Error> {
        let tab = self.tab()?;
        // The page has the time of a task to say what it wants.
        tokio::time::sleep(Duration::from_millis(40)).await;
        tab.wait_until_quiet(QUIET, SETTLE).await;
        let mut told = String::new();
        if let Some(url) = tab.take_windows().pop() {
            let _ = match tab.navigate(&url, SETTLE).await {
                Ok(()) => write!(told, "; it opened {url:?}, which is shown now, back leads to the page before"),
                Err(error) => write!(told, "; it wanted to open {url:?}, but {error}"),
            };
        }
        for dialog in tab.take_dialogs() {
            let _ = write!(told, "; the page showed a dialog, which was answered: {dialog:?}");
        }
        for address in tab.take_refused() {
            let _ = write!(told, "; the page wanted {address:?}, which is not allowed");
        }
        let parts = tab.take_refused_parts();
        if !parts.is_empty() {
            let _ = write!(told, "; parts of the page from {} were refused", parts.join(", "));
        }
        Ok(told)
    }

    /// The page with the ids it had, and its address.
    async fn capture(&self) -> Result<(String, Page), Error> {
        let open = self.open_tab()?;
        let capture = settle(&open.tab, SETTLE).await?;
        let mut page = Page::from_capture(&capture, &PageOptions::default())?;
        if let Some(seen) = &open.seen {
            page = page.continuing(&seen.sight.page);
        }
        Ok((capture.url, page))
    }

    fn keep(&mut self, (url, page): (String, Page), look: &Look, snapshot: Snapshot) -> &Sight {
        let sight = Sight::new(page, &url, snapshot.clone());
        let seen = Seen { sight, look: look.clone(), snapshot };
        // There is always a current tab.
        let open = &mut self.tabs[self.current];
        &open.seen.insert(seen).sight
    }

    async fn evaluate(&self, expression: &str) -> Result<Value, Error> {
        let params = json!({ "expression": expression, "returnByValue": true });
        let mut evaluated = self.tab()?.send("Runtime.evaluate", params).await?;
        Ok(evaluated["result"]["value"].take())
    }

    fn open_tab(&self) -> Result<&OpenTab, Error> {
        self.tabs.get(self.current).ok_or(Error::BrowserGone)
    }

    fn place_of(&self, number: u32) -> Result<usize, String> {
        self.tabs.iter().position(|open| open.number == number).ok_or_else(|| {
            let known: Vec<String> = self.tabs.iter().map(|open| open.number.to_string()).collect();
            format!("there is no tab {number}; open are {}", known.join(", "))
        })
    }
}

/// A tab's title and address.
async fn headline(tab: &Tab) -> (String, String) {
    let params = json!({ "expression": "[document.title, location.href]", "returnByValue": true });
    let told = tab.send("Runtime.evaluate", params).await.unwrap_or_default();
    let text = |place: usize| told["result"]["value"][place].as_str().unwrap_or_default().to_owned();
    (text(0), text(1))
}

fn pipeline(look: &Look) -> Result<Pipeline, Error> {
    let kind = representations::find(&look.representation)?;
    let mut recipe = Recipe::preset(if kind.name == "markdown" { "read" } else { "navigate" })?;
    if let Some(selector) = &look.scope {
        let selector = serde_json::to_string(selector).unwrap_or_default();
        recipe = recipe.stage_first("scope", [("selector", selector.as_str()), ("strict", "true")]);
    }
    let mut options = WriteOptions::default();
    options.references = Some(ReferencePolicy::Targets);
    options.urls = UrlPolicy::Relative;
    let mut pipeline = Pipeline::new(&recipe, kind.name)?.with_options(options).with_task(&look.task);
    if let Some(budget) = look.budget {
        pipeline = pipeline.with_budget(budget, look.encoding);
    }
    Ok(pipeline)
}

/// A stretch of ids, `e41-e77`, or one id.
fn ids(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
    Some(number(first)?..=number(last)?).filter(|ids| ids.start() <= ids.end())
}

/// A text as readers compare it: without case, with single spaces.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
