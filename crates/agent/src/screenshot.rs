//! A picture of what the agent sees, and where in it the elements with ids are.

use serde_json::{Value, json};
use snapshot_core::document::NodeId;

use crate::browser::Tab;
use crate::perceive::Sight;

/// The window's picture as JPEG in base64, and for each id left, top, width and height in
/// hundredths of the picture. Nothing when the browser does not answer: a run goes on without.
pub(crate) async fn take(tab: &Tab, sight: &Sight) -> (String, Vec<(String, [f64; 4])>) {
    let shot = tab.send("Page.captureScreenshot", json!({ "format": "jpeg", "quality": 60 })).await;
    let metrics = tab.send("Page.getLayoutMetrics", json!({})).await;
    let (Ok(shot), Ok(metrics)) = (shot, metrics) else { return (String::new(), Vec::new()) };
    let view = &metrics["cssLayoutViewport"];
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    let (left, top) = (number(&view["pageX"]), number(&view["pageY"]));
    let (width, height) = (number(&view["clientWidth"]).max(1.0), number(&view["clientHeight"]).max(1.0));
    let document = sight.page.document();
    let mut marks = Vec::new();
    for node in document.descendants(NodeId::DOCUMENT).filter(|&node| sight.page.semantics().is_actionable(node)) {
        let (Some(number), Some([x, y, w, h])) = (sight.page.references().number(node), sight.page.bounds(node)) else {
            continue;
        };
        let inside = x + w > left && y + h > top && x < left + width && y < top + height;
        if inside && w > 0.0 && h > 0.0 {
            let share = |offset: f64, whole: f64| offset / whole * 100.0;
            let place = [share(x - left, width), share(y - top, height), share(w, width), share(h, height)];
            marks.push((format!("e{number}"), place));
        }
    }
    (shot["data"].as_str().unwrap_or_default().to_owned(), marks)
}

/// The picture with the ids drawn in it, for a model that is to see them. The browser draws, in a
/// world of scripts of its own, of which the page sees nothing; without it there is no picture.
pub(crate) async fn with_marks(tab: &Tab, picture: &str, marks: &[(String, [f64; 4])]) -> Option<String> {
    let frames = tab.send("Page.getFrameTree", json!({})).await.ok()?;
    let world = json!({ "frameId": frames["frameTree"]["frame"]["id"], "worldName": "snapshot-agent" });
    let world = tab.send("Page.createIsolatedWorld", world).await.ok()?;
    let call = json!({
        "functionDeclaration": DRAW, "executionContextId": world["executionContextId"], "awaitPromise": true,
        "returnByValue": true, "arguments": [{ "value": picture }, { "value": marks }]
    });
    let drawn = tab.send("Runtime.callFunctionOn", call).await.ok()?;
    drawn["result"]["value"].as_str().filter(|drawn| !drawn.is_empty()).map(str::to_owned)
}

/// Boxes with ids over a picture; an id stands above its box where there is room.
const DRAW: &str = "async function(data, marks) { \
    const bytes = Uint8Array.from(atob(data), character => character.charCodeAt(0)); \
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })); \
    const canvas = new OffscreenCanvas(image.width, image.height); \
    const pen = canvas.getContext('2d'); \
    pen.drawImage(image, 0, 0); \
    pen.font = 'bold 12px monospace'; pen.textBaseline = 'top'; pen.lineWidth = 2; pen.strokeStyle = '#d4380d'; \
    for (const [id, [left, top, width, height]] of marks) { \
        const x = left / 100 * image.width, y = top / 100 * image.height; \
        pen.strokeRect(x, y, width / 100 * image.width, height / 100 * image.height); \
        const above = y >= 14 ? y - 14 : y; \
        pen.fillStyle = '#d4380d'; pen.fillRect(x, above, pen.measureText(id).width + 4, 14); \
        pen.fillStyle = '#fff'; pen.fillText(id, x + 2, above + 1); } \
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.7 }); \
    const drawn = new Uint8Array(await blob.arrayBuffer()); \
    let text = ''; \
    for (let at = 0; at < drawn.length; at += 8192) text += String.fromCharCode(...drawn.subarray(at, at + 8192)); \
    return btoa(text); }";
