//! Windows that pages open. None stays: each is closed before it has asked for anything, and the
//! tab that the agent looks at is told where it would have led.

use serde_json::{Value, json};

use super::devtools::Connection;
use crate::Error;

/// Has `window.open` lead on in the same window. A window that a script opens shares its process
/// with the page, which would stand still as long as the window waits to be closed. What finds
/// another way to open one meets [`refuse`].
pub(super) const OPEN_IN_PLACE: &str = "(() => { const here = window; \
    Object.defineProperty(window, 'open', { configurable: false, writable: false, value: address => { \
      if (address !== undefined && address !== '') here.location.assign(address); return null; } }); })()";

/// Closes whatever a page opens from now on. What nobody has opened, such as a tab of the user's
/// or one of ours, goes on as if we were not there.
pub(super) async fn refuse(connection: &Connection) -> Result<(), Error> {
    let mut events = connection.events();
    let closer = connection.clone();
    tokio::spawn(async move {
        while let Some(event) = events.next().await {
            if !event.session.is_empty() || event.method != "Target.attachedToTarget" {
                continue;
            }
            // One that does not answer must not hold up the next.
            let connection = closer.clone();
            tokio::spawn(async move { settle(&connection, &event.params).await });
        }
    });
    let filter = json!([{ "type": "page" }]);
    let params = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter });
    connection.send("", "Target.setAutoAttach", params).await?;
    Ok(())
}

/// Closes a window that a page has opened; lets any other go on.
async fn settle(connection: &Connection, attached: &Value) {
    let target = &attached["targetInfo"];
    let session = attached["sessionId"].as_str().unwrap_or_default();
    // Whatever fails has failed because the window is gone.
    if !target["openerId"].is_string() {
        let _ = connection.send(session, "Runtime.runIfWaitingForDebugger", json!({})).await;
        return;
    }
    // It is closed while it waits: once it went on, its first request could not be held.
    let _ = connection.send("", "Target.closeTarget", json!({ "targetId": target["targetId"] })).await;
}
