//! One tab: navigation, frames in other processes, dialogs and downloads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::devtools::{Connection, Event, Events};
use super::guard::{self, Refused};
use super::windows::OPEN_IN_PLACE;
use crate::Error;
use crate::origins::Origins;

/// A tab under our control.
#[derive(Debug)]
pub struct Tab {
    connection: Connection,
    target: String,
    session: String,
    state: Arc<Mutex<State>>,
    viewport: (u32, u32),
    /// Where documents may come from; anywhere when there is none.
    origins: Option<Arc<Origins>>,
}

/// What events have told.
#[derive(Debug, Default)]
struct State {
    /// Frames in processes of their own, by frame id.
    frames: BTreeMap<String, RemoteFrame>,
    /// How many of them there have been.
    frames_seen: u32,
    /// Sessions of workers.
    workers: BTreeSet<String>,
    /// Requests that have no answer yet.
    requests: BTreeMap<String, Request>,
    /// How often an address, without its query, was asked for since the page began.
    asked: BTreeMap<String, usize>,
    /// When the page last began or ended something: a request, a navigation, a load.
    last_activity: Option<Instant>,
    loaded: Option<Instant>,
    main_frame: String,
    /// Dialogs that were answered, for the model to be told.
    dialogs: Vec<String>,
    /// Addresses that were refused.
    refused: Vec<String>,
    /// Origins from which parts of pages were refused.
    refused_parts: BTreeSet<String>,
    /// Addresses of windows that the page wanted to open.
    windows: Vec<String>,
}

/// A request under way.
#[derive(Debug)]
struct Request {
    since: Instant,
    /// Whether the page asks for the same over and over.
    is_poll: bool,
}

/// How long after its load a page may take before what never ends is not waited for any more,
/// requests that stay open and addresses that are asked over and over.
const GRACE: Duration = Duration::from_millis(2500);

/// How long a request may then be under way.
const OPEN: Duration = Duration::from_secs(2);

/// How often an address is asked for by a page that does not poll it.
const POLLS: usize = 5;

/// A frame in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteFrame {
    /// The browser's id of the frame.
    pub frame: String,
    /// Where commands about it go.
    pub session: String,
    /// Its number in this tab, from 1, never used again: browser ids of nodes are given out by
    /// each process for itself.
    pub number: u32,
}

impl Tab {
    pub(super) async fn attach(
        connection: Connection,
        target: String,
        viewport: (u32, u32),
        origins: Option<Origins>,
    ) -> Result<Self, Error> {
        let events = connection.events();
        let attached =
            connection.send("", "Target.attachToTarget", json!({ "targetId": target, "flatten": true })).await?;
        let session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        // The page's own frame has the number of its target.
        let state = Arc::new(Mutex::new(State { main_frame: target.clone(), ..State::default() }));
        let tab = Self { connection, target, session, state, viewport, origins: origins.map(Arc::new) };
        tab.watch(events);
        tab.guard().await?;
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Network.enable", json!({})),
            ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": OPEN_IN_PLACE })),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": tab.shut_off() })),
            // A field for files opens no window of the system's that nobody could close.
            ("Page.setInterceptFileChooserDialog", json!({ "enabled": true })),
            // Nothing that a page offers is kept.
            ("Browser.setDownloadBehavior", json!({ "behavior": "deny" })),
            (
                "Emulation.setDeviceMetricsOverride",
                json!({ "width": viewport.0, "height": viewport.1, "deviceScaleFactor": 1, "mobile": false }),
            ),
            // A frame in a process of its own waits until it is guarded as well.
            ("Target.setAutoAttach", json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true })),
        ] {
            let session = if method.starts_with("Browser.") { "" } else { tab.session.as_str() };
            tab.connection.send(session, method, params).await?;
        }
        Ok(tab)
    }

    /// Sends a command to the page's own session.
    ///
    /// # Errors
    /// Those of the connection.
    pub async fn send(&self, method: &str, params: Value) -> Result<Value, Error> {
        self.connection.send(&self.session, method, params).await
    }

    /// Sends a command to the session of a frame that runs in a process of its own.
    ///
    /// # Errors
    /// Those of the connection.
    pub async fn send_to(&self, session: &str, method: &str, params: Value) -> Result<Value, Error> {
        self.connection.send(session, method, params).await
    }

    /// Width and height of the window's content, in CSS pixels.
    pub fn viewport(&self) -> (u32, u32) {
        self.viewport
    }

    /// Frames in processes of their own.
    pub fn remote_frames(&self) -> Vec<RemoteFrame> {
        self.lock().frames.values().cloned().collect()
    }

    /// Sends a command to the process of the page (0) or of one of its frames, by its number.
    ///
    /// # Errors
    /// Those of the connection; [`Error::Refused`] when the frame is gone.
    pub async fn send_to_process(&self, number: u32, method: &str, params: Value) -> Result<Value, Error> {
        if number == 0 {
            return self.send(method, params).await;
        }
        let session =
            self.lock().frames.values().find(|frame| frame.number == number).map(|frame| frame.session.clone());
        match session {
            Some(session) => self.send_to(&session, method, params).await,
            None => Err(Error::Refused { method: method.to_owned(), message: "the frame is gone".to_owned() }),
        }
    }

    /// The element that holds a frame: the number of its process, and its id there.
    pub(crate) async fn owner_of(&self, frame: &str) -> Option<(u32, u64)> {
        let others = self.remote_frames();
        for number in std::iter::once(0).chain(others.iter().map(|other| other.number)) {
            let owner = self.send_to_process(number, "DOM.getFrameOwner", json!({ "frameId": frame })).await;
            if let Some(id) = owner.ok().and_then(|owner| owner["backendNodeId"].as_u64()) {
                return Some((number, id));
            }
        }
        None
    }

    /// Goes to an address and waits until the page has loaded and is quiet, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Refused`] when the address cannot be reached.
    pub async fn navigate(&self, url: &str, limit: Duration) -> Result<(), Error> {
        // Not every address comes to be a request that could be asked about: `javascript:` does not.
        if self.origins.as_ref().is_some_and(|origins| !origins.allows(url)) {
            let message = "its origin is not allowed".to_owned();
            return Err(Error::Refused { method: format!("to open {url}"), message });
        }
        {
            let mut state = self.lock();
            state.loaded = None;
            state.forget_requests();
            state.last_activity = Some(Instant::now());
        }
        let answer = self.send("Page.navigate", json!({ "url": url })).await?;
        if let Some(reason) = answer["errorText"].as_str().filter(|reason| !reason.is_empty()) {
            self.lock().loaded = Some(Instant::now());
            return Err(Error::Refused { method: format!("to open {url}"), message: reason.to_owned() });
        }
        self.wait_until_quiet(Duration::from_millis(300), limit).await;
        Ok(())
    }

    /// Waits until the page has loaded and for `quiet` nothing has gone over the network, at most
    /// `limit`; says whether it came to rest.
    pub async fn wait_until_quiet(&self, quiet: Duration, limit: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            {
                let state = self.lock();
                let rests = state.last_activity.is_none_or(|last| last.elapsed() >= quiet);
                if state.loaded.is_some() && !state.waits() && rests {
                    return true;
                }
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        false
    }

    /// The dialogs that the page has shown since the last call. Each was dismissed, a `beforeunload`
    /// accepted, so that no page can hold the agent.
    pub fn take_dialogs(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().dialogs)
    }

    /// The addresses that the page wanted to open in windows of their own since the last call, as
    /// far as they are allowed. No window has been opened.
    pub fn take_windows(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().windows)
    }

    /// The addresses that the page has tried to open since the last call and was refused.
    pub fn take_refused(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().refused)
    }

    /// The origins from which pages have wanted parts of themselves since the last call and were
    /// refused: pictures, scripts, data.
    pub fn take_refused_parts(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().refused_parts).into_iter().collect()
    }

    /// Closes the tab.
    pub async fn close(self) {
        let _ = self.connection.send("", "Target.closeTarget", json!({ "targetId": self.target })).await;
    }

    /// Has every request held before it is sent.
    async fn guard(&self) -> Result<(), Error> {
        if self.origins.is_some() {
            guard::hold_requests(&self.connection, &self.session).await?;
        }
        Ok(())
    }

    /// What runs before any script of a document of a guarded tab.
    fn shut_off(&self) -> String {
        self.origins.as_deref().map(guard::shut_off).unwrap_or_default()
    }

    fn watch(&self, mut events: Events) {
        let state = Arc::downgrade(&self.state);
        let connection = self.connection.clone();
        let own = self.session.clone();
        let origins = self.origins.clone();
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                let Some(state) = state.upgrade() else { break };
                let is_ours = {
                    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    let is_ours = event.session == own
                        || state.frames.values().any(|frame| frame.session == event.session)
                        || state.workers.contains(&event.session);
                    if is_ours {
                        state.note(&event, &own);
                    }
                    is_ours
                };
                if !is_ours {
                    continue;
                }
                match event.method.as_str() {
                    "Page.javascriptDialogOpening" => {
                        let accept = event.params["type"] == "beforeunload";
                        let _ = connection
                            .send(&event.session, "Page.handleJavaScriptDialog", json!({ "accept": accept }))
                            .await;
                    }
                    "Target.attachedToTarget" if event.params["targetInfo"]["type"] == "iframe" => {
                        let session = event.params["sessionId"].as_str().unwrap_or_default().to_owned();
                        let connection = connection.clone();
                        let shut_off = origins.as_deref().map(guard::shut_off);
                        tokio::spawn(async move { prepare_frame(&connection, &session, shut_off).await });
                    }
                    "Target.attachedToTarget" => {
                        let session = event.params["sessionId"].as_str().unwrap_or_default().to_owned();
                        let connection = connection.clone();
                        let guarded = origins.is_some();
                        let kind = event.params["targetInfo"]["type"].as_str().unwrap_or_default().to_owned();
                        tokio::spawn(async move { guard::prepare_worker(&connection, &session, &kind, guarded).await });
                    }
                    "Page.windowOpen" => {
                        let url = event.params["url"].as_str().unwrap_or_default().to_owned();
                        let allowed = origins.as_ref().is_none_or(|origins| origins.allows(&url));
                        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                        if allowed { state.windows.push(url) } else { state.refused.push(url) }
                    }
                    "Fetch.requestPaused" => {
                        let Some(origins) = origins.clone() else { continue };
                        let connection = connection.clone();
                        let state = Arc::clone(&state);
                        // A page asks for many things at once; none waits for another.
                        tokio::spawn(async move {
                            let refused = guard::decide(&connection, &event, &origins).await;
                            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                            match refused {
                                Some(Refused::Document(url)) => state.refused.push(url),
                                Some(Refused::Part(url)) => {
                                    state.refused_parts.insert(origin_of(&url));
                                }
                                None => {}
                            }
                        });
                    }
                    _ => {}
                }
            }
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether an answer is under way that something may come of.
    fn waits(&self) -> bool {
        let is_late = self.is_late();
        self.requests.values().any(|request| !(is_late && (request.is_poll || request.since.elapsed() > OPEN)))
    }

    fn is_late(&self) -> bool {
        self.loaded.is_some_and(|loaded| loaded.elapsed() > GRACE)
    }

    fn forget_requests(&mut self) {
        self.requests.clear();
        self.asked.clear();
    }

    fn note(&mut self, event: &Event, own: &str) {
        let text = |key: &str| event.params[key].as_str().unwrap_or_default().to_owned();
        match event.method.as_str() {
            // A redirect is told as a request of the same number.
            "Network.requestWillBeSent" => {
                let url = event.params["request"]["url"].as_str().unwrap_or_default();
                let count = self.asked.entry(url.split('?').next().unwrap_or_default().to_owned()).or_default();
                *count += 1;
                let is_poll = *count > POLLS;
                self.requests.insert(text("requestId"), Request { since: Instant::now(), is_poll });
                if is_poll && self.is_late() {
                    return;
                }
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                let ended = self.requests.remove(&text("requestId"));
                if self.is_late() && ended.is_none_or(|request| request.is_poll) {
                    return;
                }
            }
            // What the page before had asked for, nobody waits for any more.
            "Page.frameNavigated" if event.session == own && event.params["frame"]["parentId"].is_null() => {
                self.forget_requests();
            }
            "Page.frameStartedNavigating" if text("frameId") == self.main_frame => self.loaded = None,
            "Page.loadEventFired" if event.session == own => self.loaded = Some(Instant::now()),
            // What was broken off or came to nothing never fires a load.
            "Page.frameStoppedLoading" if text("frameId") == self.main_frame => {
                self.loaded.get_or_insert_with(Instant::now);
            }
            "Page.javascriptDialogOpening" => self.dialogs.push(format!("{}: {}", text("type"), text("message"))),
            "Target.attachedToTarget" if event.params["targetInfo"]["type"] == "iframe" => {
                let frame = event.params["targetInfo"]["targetId"].as_str().unwrap_or_default().to_owned();
                self.frames_seen += 1;
                let remote = RemoteFrame { frame: frame.clone(), session: text("sessionId"), number: self.frames_seen };
                self.frames.insert(frame, remote);
            }
            "Target.attachedToTarget" => {
                self.workers.insert(text("sessionId"));
            }
            "Target.detachedFromTarget" => {
                let session = text("sessionId");
                self.workers.remove(&session);
                self.frames.retain(|_, known| known.session != session);
            }
            _ => return,
        }
        self.last_activity = Some(Instant::now());
    }
}

/// The origin of an address, or the address itself where it has none.
fn origin_of(address: &str) -> String {
    url::Url::parse(address).map_or_else(|_| address.to_owned(), |url| url.origin().ascii_serialization())
}

async fn prepare_frame(connection: &Connection, session: &str, shut_off: Option<String>) {
    if shut_off.is_some() && guard::hold_requests(connection, session).await.is_err() {
        // What cannot be guarded stays as it is, waiting.
        return;
    }
    let shut_off = shut_off.unwrap_or_default();
    for (method, params) in [
        ("Page.enable", json!({})),
        ("Network.enable", json!({})),
        ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": OPEN_IN_PLACE, "runImmediately": true })),
        ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": shut_off, "runImmediately": true })),
        ("Target.setAutoAttach", json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true })),
        ("Runtime.runIfWaitingForDebugger", json!({})),
    ] {
        // The frame may be gone by now.
        let _ = connection.send(session, method, params).await;
    }
}
