//! From a tab to the core's capture: the browser's own tree of each process, stitched together,
//! with styles, boxes, the state of forms and the listeners of its elements.

mod dom_snapshot;
mod dom_tree;
mod listeners;

use std::collections::BTreeMap;

use serde_json::json;
use snapshot_core::capture::{Capture, FORMAT, VERSION};

use crate::Error;
use crate::browser::Tab;

/// Captures the page of a tab, with the frames that run in processes of their own.
///
/// # Errors
/// Those of the connection, and [`Error::Answer`] when the browser's answers have not the form
/// that we know.
pub async fn capture(tab: &Tab) -> Result<Capture, Error> {
    let mut capture = Capture { format: FORMAT.to_owned(), version: VERSION, ..Capture::default() };
    let mut places: BTreeMap<u64, usize> = BTreeMap::new();
    append(tab, None, None, &mut capture, &mut places).await?;
    let (width, height) = tab.viewport();
    capture.viewport = [width.into(), height.into()];
    capture.url = capture.nodes.first().map(|document| document.name.clone()).unwrap_or_default();
    // Frames in frames come after the frames around them, in as many turns as there are levels.
    let mut waiting = tab.remote_frames();
    while !waiting.is_empty() {
        let before = waiting.len();
        let mut later = Vec::new();
        for (frame, session) in waiting {
            match host_of(tab, &frame, &places).await {
                Some(host) => append(tab, Some(&session), Some(host), &mut capture, &mut places).await?,
                None => later.push((frame, session)),
            }
        }
        if later.len() == before {
            break;
        }
        waiting = later;
    }
    capture.active = active_element(tab).await.and_then(|id| places.get(&id).copied());
    Ok(capture)
}

/// Appends the nodes of one process below the frame element that shows them.
async fn append(
    tab: &Tab,
    session: Option<&str>,
    host: Option<usize>,
    capture: &mut Capture,
    places: &mut BTreeMap<u64, usize>,
) -> Result<(), Error> {
    let send = async |method: &str, params| match session {
        Some(session) => tab.send_to(session, method, params).await,
        None => tab.send(method, params).await,
    };
    // Space between words is part of the page; without being asked the browser leaves it out.
    send("DOM.enable", json!({ "includeWhitespace": "all" })).await?;
    let nodes = dom_tree::take(tab, session).await?;
    let mut rendering = dom_snapshot::take(tab, session).await?;
    let mut listeners = listeners::find(tab, session).await;
    // The tools' view of the tree is not needed any more, and costs the browser something to keep.
    send("DOM.disable", json!({})).await?;
    if session.is_none() {
        capture.scroll = rendering.scroll;
    }
    let offset = capture.nodes.len();
    for mut node in nodes {
        node.parent = node.parent.map_or(host, |parent| Some(parent + offset));
        rendering.describe(&mut node);
        if let Some(id) = node.backend_node_id {
            places.insert(id, capture.nodes.len());
            node.listeners = listeners.remove(&id).unwrap_or_default();
        }
        capture.nodes.push(node);
    }
    Ok(())
}

/// The place of the element that holds a frame, once the document around it is there.
async fn host_of(tab: &Tab, frame: &str, places: &BTreeMap<u64, usize>) -> Option<usize> {
    let owner = tab.send("DOM.getFrameOwner", json!({ "frameId": frame })).await.ok()?;
    places.get(&owner["backendNodeId"].as_u64()?).copied()
}

/// The browser's id of the element that has the focus, in the page itself.
async fn active_element(tab: &Tab) -> Option<u64> {
    let expression = "(() => { let e = document.activeElement; \
        while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement; \
        return e === document.body ? null : e; })()";
    let evaluated = tab.send("Runtime.evaluate", json!({ "expression": expression })).await.ok()?;
    let object = evaluated["result"]["objectId"].as_str()?;
    let described = tab.send("DOM.describeNode", json!({ "objectId": object })).await.ok()?;
    described["node"]["backendNodeId"].as_u64()
}
