//! The debugging protocol of Chromium: commands with answers, and events, over a pair of pipes to
//! a browser of our own or a WebSocket to the user's.
//!
//! Answers stay JSON values: the protocol grows with every release, and what we do not know must
//! not break what we do.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::Error;

/// The longest message that the browser may send. A capture of the largest page that the core
/// reads is about a third of this.
const LONGEST_MESSAGE: usize = 512 << 20;

/// Events kept for a reader that is late. Who falls behind further is told that some are lost.
const EVENTS: usize = 4096;

/// How long a command may take unless the caller says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// The session that it comes from; empty for the browser itself.
    pub session: String,
    /// `Page.frameNavigated` and the like.
    pub method: String,
    /// Its parameters.
    pub params: Value,
}

/// A connection to a browser. Clones share it.
#[derive(Clone, Debug)]
pub struct Connection {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    outgoing: mpsc::UnboundedSender<String>,
    pending: Mutex<BTreeMap<u64, oneshot::Sender<Value>>>,
    events: broadcast::Sender<Event>,
    next: AtomicU64,
}

impl Connection {
    /// Connects to the address that a browser gives for debugging, `ws://127.0.0.1:…`.
    ///
    /// # Errors
    /// [`Error::BrowserStart`] when nobody answers there.
    pub async fn open(address: &str) -> Result<Self, Error> {
        let config =
            WebSocketConfig::default().max_message_size(Some(LONGEST_MESSAGE)).max_frame_size(Some(LONGEST_MESSAGE));
        let (socket, _) = tokio_tungstenite::connect_async_with_config(address, Some(config), true)
            .await
            .map_err(|error| Error::BrowserStart { reason: format!("{address}: {error}") })?;
        let (mut sink, mut stream) = socket.split();
        let (connection, mut waiting) = Self::new();
        tokio::spawn(async move {
            while let Some(message) = waiting.recv().await {
                if sink.send(Message::text(message)).await.is_err() {
                    break;
                }
            }
        });
        let reader = Reader(Arc::downgrade(&connection.shared));
        tokio::spawn(async move {
            while let Some(Ok(message)) = stream.next().await {
                if let Message::Text(text) = message
                    && !reader.take_in(&text)
                {
                    break;
                }
            }
        });
        Ok(connection)
    }

    /// Speaks over pipes: messages end with a zero byte.
    pub(super) fn over_pipes(
        mut to_browser: impl AsyncWrite + Unpin + Send + 'static,
        from_browser: impl AsyncRead + Unpin + Send + 'static,
    ) -> Self {
        let (connection, mut waiting) = Self::new();
        tokio::spawn(async move {
            while let Some(message) = waiting.recv().await {
                let mut bytes = message.into_bytes();
                bytes.push(0);
                if to_browser.write_all(&bytes).await.is_err() || to_browser.flush().await.is_err() {
                    break;
                }
            }
        });
        let reader = Reader(Arc::downgrade(&connection.shared));
        tokio::spawn(async move {
            let mut from_browser = BufReader::with_capacity(1 << 16, from_browser);
            loop {
                let mut message = Vec::new();
                let limit = u64::try_from(LONGEST_MESSAGE).unwrap_or(u64::MAX);
                let read = (&mut from_browser).take(limit).read_until(0, &mut message).await;
                // What ends without its zero is broken off, or longer than we read.
                if read.is_err() || message.pop() != Some(0) {
                    break;
                }
                if !reader.take_in(&String::from_utf8_lossy(&message)) {
                    break;
                }
            }
        });
        connection
    }

    /// A connection, and what is to be sent over it.
    fn new() -> (Self, mpsc::UnboundedReceiver<String>) {
        let (outgoing, waiting) = mpsc::unbounded_channel();
        let (events, _) = broadcast::channel(EVENTS);
        let shared =
            Arc::new(Shared { outgoing, pending: Mutex::new(BTreeMap::new()), events, next: AtomicU64::new(1) });
        (Self { shared }, waiting)
    }

    /// Sends a command to a session (the browser itself when it is empty) and waits for the answer.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Timeout`] after 30 s, [`Error::BrowserGone`].
    pub async fn send(&self, session: &str, method: &str, params: Value) -> Result<Value, Error> {
        self.send_within(session, method, params, PATIENCE).await
    }

    /// As [`send`](Self::send), with another limit of time.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn send_within(
        &self,
        session: &str,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, Error> {
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        self.shared.lock_pending().insert(id, sender);
        let mut command = json!({ "id": id, "method": method, "params": params });
        if !session.is_empty() {
            command["sessionId"] = session.into();
        }
        if self.shared.outgoing.send(command.to_string()).is_err() {
            return Err(Error::BrowserGone);
        }
        let mut answer = match tokio::time::timeout(limit, receiver).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => return Err(Error::BrowserGone),
            Err(_) => {
                self.shared.lock_pending().remove(&id);
                return Err(Error::Timeout { method: method.to_owned(), limit });
            }
        };
        if let Some(error) = answer.get("error") {
            let message = error.get("message").and_then(Value::as_str).unwrap_or("no reason given").to_owned();
            return Err(Error::Refused { method: method.to_owned(), message });
        }
        Ok(answer.get_mut("result").map(Value::take).unwrap_or_default())
    }

    /// All events from now on.
    pub fn events(&self) -> Events {
        Events(self.shared.events.subscribe())
    }
}

/// Who reads for a connection. It must not keep the connection alive that its owners have dropped.
struct Reader(Weak<Shared>);

impl Reader {
    /// Takes in a message; says whether anybody is left who wants one.
    fn take_in(&self, text: &str) -> bool {
        let Some(shared) = self.0.upgrade() else { return false };
        shared.take_in(text);
        true
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            // Who still waits learns that no answer will come.
            shared.lock_pending().clear();
        }
    }
}

/// Events as they come.
#[derive(Debug)]
pub struct Events(broadcast::Receiver<Event>);

impl Events {
    /// Waits for the next event; none when the browser is gone. Who is very late misses some: of
    /// those that are waited for here the next tells as much.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            match self.0.recv().await {
                Ok(event) => return Some(event),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl Shared {
    fn take_in(&self, text: &str) {
        let Ok(mut message) = serde_json::from_str::<Value>(text) else { return };
        if let Some(id) = message.get("id").and_then(Value::as_u64) {
            if let Some(sender) = self.lock_pending().remove(&id) {
                // Who asked may have stopped waiting.
                let _ = sender.send(message);
            }
            return;
        }
        let word = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (session, method) = (word("sessionId"), word("method"));
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        // Nobody may be listening.
        let _ = self.events.send(Event { session, method, params });
    }

    fn lock_pending(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, oneshot::Sender<Value>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
