//! From a tab to the core's capture: the browser's own tree of each process, stitched together,
//! with styles, boxes, the state of forms and the listeners of its elements.

mod dom_snapshot;
mod dom_tree;
mod listeners;
mod occlusion;
pub(crate) mod process;

use std::collections::BTreeMap;

use serde_json::json;
use snapshot_core::capture::{Capture, FORMAT, VERSION};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

use crate::Error;
use crate::browser::{RemoteFrame, Tab};

/// Captures the page of a tab, with the frames that run in processes of their own, and what lies
/// over what.
///
/// # Errors
/// Those of the connection, and [`Error::Answer`] when the browser's answers have not the form
/// that we know.
pub async fn capture(tab: &Tab) -> Result<Capture, Error> {
    let mut capture = capture_tree(tab).await?;
    note_covers(tab, &mut capture).await;
    Ok(capture)
}

/// A captured page as HTML that a browser or `snapshot convert` can open: shadow roots as
/// declarative ones, what has been typed as values, frames in place.
///
/// # Errors
/// Those of the library.
pub fn page_html(capture: &Capture) -> Result<String, Error> {
    let page = Page::from_capture(capture, &PageOptions::default())?;
    Ok(Pipeline::new(&Recipe::from_list("none")?, "html")?.text_only().run(&page)?.text)
}

/// Notes what lies over what, which only a page at rest is worth.
pub(crate) async fn note_covers(tab: &Tab, capture: &mut Capture) {
    let mut places: BTreeMap<u64, usize> = BTreeMap::new();
    for (place, node) in capture.nodes.iter().enumerate() {
        if let Some(id) = node.backend_node_id {
            places.entry(id).or_insert(place);
        }
    }
    // Without it the browser has no answer; what fails is only not known.
    if tab.send("DOM.enable", json!({})).await.is_ok() {
        occlusion::note(tab, capture, &places).await;
        let _ = tab.send("DOM.disable", json!({})).await;
    }
}

/// The page itself, without what lies over what.
pub(crate) async fn capture_tree(tab: &Tab) -> Result<Capture, Error> {
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
        for frame in waiting {
            match host_of(tab, &frame.frame, &places).await {
                Some(host) => append(tab, Some(&frame), Some(host), &mut capture, &mut places).await?,
                None => later.push(frame),
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
    frame: Option<&RemoteFrame>,
    host: Option<usize>,
    capture: &mut Capture,
    places: &mut BTreeMap<u64, usize>,
) -> Result<(), Error> {
    let session = frame.map(|frame| frame.session.as_str());
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
            node.listeners = listeners.remove(&id).unwrap_or_default();
            let id = process::id_of(frame.map_or(0, |frame| frame.number), id);
            node.backend_node_id = Some(id);
            places.insert(id, capture.nodes.len());
        }
        capture.nodes.push(node);
    }
    Ok(())
}

/// The place of the element that holds a frame, once the document around it is there.
async fn host_of(tab: &Tab, frame: &str, places: &BTreeMap<u64, usize>) -> Option<usize> {
    let (number, owner) = tab.owner_of(frame).await?;
    places.get(&process::id_of(number, owner)).copied()
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
