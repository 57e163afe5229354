//! What a guarded tab may ask the network for: every request of its page, its frames and its
//! workers is held until our list of origins has been asked.
//!
//! What speaks in other ways than by requests is shut off in every document and worker before
//! any script of theirs runs: sockets that documents open are held to the list, workers have none,
//! and nobody has peer connections, or workers that outlive their page.

use serde_json::{Value, json};

use super::devtools::{Connection, Event};
use crate::origins::Origins;

/// Runs before any script of a document; `RULES` stands for the origins of sockets.
const SHUT_OFF: &str = "(() => { for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', \
    'WebSocketStream', 'SharedWorker']) { try { Object.defineProperty(window, name, { value: undefined, \
    configurable: false, writable: false }); } catch {} } delete Navigator.prototype.serviceWorker; \
    const rules = RULES; if (rules === null) return; const Address = URL, Refusal = DOMException, construct = Reflect.construct; \
    const allows = text => { const asked = new Address(text, location.href); \
      const protocol = asked.protocol.replace('http', 'ws'), host = asked.hostname.replace(/\\.$/, ''); \
      for (let i = 0; i < rules.length; i++) { const rule = rules[i]; if (rule[0] === protocol && rule[2] === asked.port \
        && (rule[1] === host || (rule[3] && ('.' + host).endsWith('.' + rule[1])))) return true; } return false; }; \
    const guarded = new Proxy(WebSocket, { construct(target, given, made) { const text = String(given[0]); \
      if (!allows(text)) throw new Refusal('refused', 'SecurityError'); \
      return construct(target, given.length > 1 ? [text, given[1]] : [text], made); } }); \
    WebSocket.prototype.constructor = guarded; \
    Object.defineProperty(window, 'WebSocket', { value: guarded, configurable: false, writable: false }); })()";

/// The script that shuts off what a document of a guarded tab must not have.
pub(super) fn shut_off(origins: &Origins) -> String {
    let rules = origins.sockets().map_or(Value::Null, Value::from);
    SHUT_OFF.replace("RULES", &rules.to_string())
}

/// The same in a worker, with sockets.
const NO_SOCKETS: &str = "for (const name of ['WebSocket', 'WebTransport', 'RTCPeerConnection', 'WebSocketStream']) { \
    try { Object.defineProperty(self, name, { value: undefined, configurable: false, writable: false }); } catch {} }";

/// Has all requests of a session held.
pub(super) async fn hold_requests(connection: &Connection, session: &str) -> Result<(), crate::Error> {
    let patterns = json!({ "patterns": [{ "urlPattern": "*" }] });
    connection.send(session, "Fetch.enable", patterns).await.map(drop)
}

/// What was refused: a document, or a part of a page.
pub(super) enum Refused {
    Document(String),
    Part(String),
}

/// Lets a held request go on or breaks it off; says what was refused.
pub(super) async fn decide(connection: &Connection, event: &Event, origins: &Origins) -> Option<Refused> {
    let params = &event.params;
    let id = &params["requestId"];
    let url = params["request"]["url"].as_str().unwrap_or_default();
    let is_document = params["resourceType"] == "Document";
    let (method, arguments, refused) = if is_document && origins.allows(url) || !is_document && origins.allows_part(url)
    {
        ("Fetch.continueRequest", json!({ "requestId": id }), None)
    } else {
        // What is broken off leaves the page that is shown where it is.
        let refused = if is_document { Refused::Document(url.to_owned()) } else { Refused::Part(url.to_owned()) };
        ("Fetch.failRequest", json!({ "requestId": id, "errorReason": "Aborted" }), Some(refused))
    };
    // Whoever asked may be gone.
    let _ = connection.send(&event.session, method, arguments).await;
    refused
}

/// Prepares a worker that waits to begin. One that cannot be guarded stays as it is, waiting.
pub(super) async fn prepare_worker(connection: &Connection, session: &str, kind: &str, guarded: bool) {
    if guarded {
        let shut = json!({ "expression": NO_SOCKETS });
        // What it asks for passes by the frame that has begun it, which holds it; only workers of
        // other kinds, which a guarded document cannot begin, have requests of their own.
        let is_own = hold_requests(connection, session).await.is_ok();
        if (kind != "worker" && !is_own) || connection.send(session, "Runtime.evaluate", shut).await.is_err() {
            return;
        }
        let params = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        // Not every kind of worker can begin others.
        let _ = connection.send(session, "Target.setAutoAttach", params).await;
    }
    let _ = connection.send(session, "Runtime.runIfWaitingForDebugger", json!({})).await;
}
