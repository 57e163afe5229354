//! Which elements listen to which events, as the browser knows it: shadow roots included, and
//! whatever framework added them.

use std::collections::BTreeMap;

use serde_json::json;

use crate::browser::Tab;

/// The kinds of events by the browser's id of the listening node. Empty when the browser does
/// not say, since a page can be used without.
pub(super) async fn find(tab: &Tab, session: Option<&str>) -> BTreeMap<u64, Vec<String>> {
    ask(tab, session).await.unwrap_or_default()
}

async fn ask(tab: &Tab, session: Option<&str>) -> Option<BTreeMap<u64, Vec<String>>> {
    let send = async |method: &str, params| match session {
        Some(session) => tab.send_to(session, method, params).await,
        None => tab.send(method, params).await,
    };
    let document = send("Runtime.evaluate", json!({ "expression": "document" })).await.ok()?;
    let object = document["result"]["objectId"].as_str()?.to_owned();
    let found = send("DOMDebugger.getEventListeners", json!({ "objectId": object, "depth": -1, "pierce": true })).await;
    let _ = send("Runtime.releaseObject", json!({ "objectId": object })).await;
    let found = found.ok()?;
    let mut listeners: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for listener in found["listeners"].as_array()? {
        if let (Some(node), Some(kind)) = (listener["backendNodeId"].as_u64(), listener["type"].as_str()) {
            let kinds = listeners.entry(node).or_default();
            if !kinds.iter().any(|known| known == kind) {
                kinds.push(kind.to_owned());
            }
        }
    }
    Some(listeners)
}
