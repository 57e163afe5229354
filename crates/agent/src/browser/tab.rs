//! One tab: navigation, frames in other processes, dialogs and downloads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::devtools::{Connection, Event, Events};
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
    /// Requests that have no answer yet.
    requests: BTreeSet<String>,
    /// When the page last began or ended something: a request, a navigation, a load.
    last_activity: Option<Instant>,
    loaded: bool,
    main_frame: String,
    /// Dialogs that were answered, for the model to be told.
    dialogs: Vec<String>,
    /// Addresses that were refused.
    refused: Vec<String>,
    /// Addresses of windows that the page wanted to open.
    windows: Vec<String>,
}

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
            state.loaded = false;
            state.requests.clear();
            state.last_activity = Some(Instant::now());
        }
        let answer = self.send("Page.navigate", json!({ "url": url })).await?;
        if let Some(reason) = answer["errorText"].as_str().filter(|reason| !reason.is_empty()) {
            self.lock().loaded = true;
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
                if state.loaded && state.requests.is_empty() && rests {
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

    /// Closes the tab.
    pub async fn close(self) {
        let _ = self.connection.send("", "Target.closeTarget", json!({ "targetId": self.target })).await;
    }

    /// Has every document asked for before it is fetched.
    async fn guard(&self) -> Result<(), Error> {
        if self.origins.is_some() {
            self.send("Fetch.enable", documents()).await?;
        }
        Ok(())
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
                    let is_ours =
                        event.session == own || state.frames.values().any(|frame| frame.session == event.session);
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
                        let guarded = origins.is_some();
                        tokio::spawn(async move { prepare_frame(&connection, &session, guarded).await });
                    }
                    "Target.attachedToTarget" => {
                        // A worker runs as it would without us.
                        let session = event.params["sessionId"].as_str().unwrap_or_default().to_owned();
                        let _ = connection.send(&session, "Runtime.runIfWaitingForDebugger", json!({})).await;
                    }
                    "Page.windowOpen" => {
                        let url = event.params["url"].as_str().unwrap_or_default().to_owned();
                        let allowed = origins.as_ref().is_none_or(|origins| origins.allows(&url));
                        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                        if allowed { state.windows.push(url) } else { state.refused.push(url) }
                    }
                    "Fetch.requestPaused" => {
                        let url = event.params["request"]["url"].as_str().unwrap_or_default();
                        let allowed = origins.as_ref().is_none_or(|origins| origins.allows(url));
                        let id = &event.params["requestId"];
                        let (method, params) = if allowed {
                            ("Fetch.continueRequest", json!({ "requestId": id }))
                        } else {
                            state.lock().unwrap_or_else(PoisonError::into_inner).refused.push(url.to_owned());
                            // What is broken off leaves the page that is shown where it is.
                            ("Fetch.failRequest", json!({ "requestId": id, "errorReason": "Aborted" }))
                        };
                        let _ = connection.send(&event.session, method, params).await;
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
    fn note(&mut self, event: &Event, own: &str) {
        let text = |key: &str| event.params[key].as_str().unwrap_or_default().to_owned();
        match event.method.as_str() {
            // A redirect is told as a request of the same number.
            "Network.requestWillBeSent" => {
                self.requests.insert(text("requestId"));
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                self.requests.remove(&text("requestId"));
            }
            // What the page before had asked for, nobody waits for any more.
            "Page.frameNavigated" if event.session == own && event.params["frame"]["parentId"].is_null() => {
                self.requests.clear();
            }
            "Page.frameStartedNavigating" if text("frameId") == self.main_frame => self.loaded = false,
            "Page.loadEventFired" if event.session == own => self.loaded = true,
            // What was broken off or came to nothing never fires a load.
            "Page.frameStoppedLoading" if text("frameId") == self.main_frame => self.loaded = true,
            "Page.javascriptDialogOpening" => self.dialogs.push(format!("{}: {}", text("type"), text("message"))),
            "Target.attachedToTarget" if event.params["targetInfo"]["type"] == "iframe" => {
                let frame = event.params["targetInfo"]["targetId"].as_str().unwrap_or_default().to_owned();
                self.frames_seen += 1;
                let remote = RemoteFrame { frame: frame.clone(), session: text("sessionId"), number: self.frames_seen };
                self.frames.insert(frame, remote);
            }
            "Target.detachedFromTarget" => {
                let session = text("sessionId");
                self.frames.retain(|_, known| known.session != session);
            }
            _ => return,
        }
        self.last_activity = Some(Instant::now());
    }
}

/// The requests that are asked about: documents, of the page and of frames.
fn documents() -> Value {
    json!({ "patterns": [{ "urlPattern": "*", "resourceType": "Document" }] })
}

async fn prepare_frame(connection: &Connection, session: &str, guarded: bool) {
    if guarded && connection.send(session, "Fetch.enable", documents()).await.is_err() {
        // What cannot be guarded stays as it is, waiting.
        return;
    }
    for (method, params) in [
        ("Page.enable", json!({})),
        ("Network.enable", json!({})),
        ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": OPEN_IN_PLACE, "runImmediately": true })),
        ("Target.setAutoAttach", json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true })),
        ("Runtime.runIfWaitingForDebugger", json!({})),
    ] {
        // The frame may be gone by now.
        let _ = connection.send(session, method, params).await;
    }
}
