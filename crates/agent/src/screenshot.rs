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
