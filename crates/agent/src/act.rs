//! Does what an action says in the browser.
//!
//! An element is found by the browser's own id, which the source map carries; what has gone is an
//! error that names what is there, never another element. Before a click the browser is asked
//! what lies at the point: an element that something covers is not clicked through.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Error;
use crate::action::Action;
use crate::browser::Tab;
use crate::capture::process::parts_of;
use crate::keys::Key;

/// What an action came to, in words for the model.
pub(crate) type Outcome = Result<String, String>;

/// An element to act on.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The browser's own id, with the number of its process.
    pub(crate) backend_node_id: u64,
    /// `button "Add"`, for messages.
    pub(crate) label: String,
}

/// Does things on one tab.
pub(crate) struct Hands<'tab> {
    pub(crate) tab: &'tab Tab,
}

impl Hands<'_> {
    /// Does what needs nothing but the page: what leads elsewhere, or asks who may, is its caller's.
    pub(crate) async fn act(&self, action: &Action, target: Option<&Target>) -> Outcome {
        match (action, target) {
            (Action::Click { .. }, Some(target)) => self.click(target).await,
            (Action::Type { text, submit, .. }, Some(target)) => self.fill(target, text, *submit).await,
            (Action::Select { option, .. }, Some(target)) => self.select(target, option).await,
            (Action::Hover { .. }, Some(target)) => self.hover(target).await,
            (Action::Scroll { .. }, Some(target)) => self.scroll(target).await,
            (Action::Press { key }, _) => self.press(&Key::read(key)?).await,
            (Action::Back, _) => self.back().await,
            (Action::Wait { seconds }, _) => {
                let seconds = if seconds.is_finite() { seconds.clamp(0.0, 30.0) } else { 0.0 };
                tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
                Ok(format!("waited {seconds} s"))
            }
            _ => Err("this cannot be done here".to_owned()),
        }
    }

    pub(crate) async fn click(&self, target: &Target) -> Outcome {
        let point = self.reach(target).await?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": point.0, "y": point.1, "button": "left", "clickCount": 1 });
            self.send("Input.dispatchMouseEvent", event).await?;
        }
        Ok(format!("clicked {}", target.label))
    }

    pub(crate) async fn hover(&self, target: &Target) -> Outcome {
        self.reach(target).await?;
        Ok(format!("the pointer is over {}", target.label))
    }

    pub(crate) async fn focus(&self, target: &Target) -> Outcome {
        self.ask(target, "DOM.focus")
            .await
            .map_err(|error| format!("{} cannot have the focus: {error}", target.label))?;
        Ok(format!("{} has the focus", target.label))
    }

    /// The element's box in the page, once it is in view: left, top, width, height.
    pub(crate) async fn clip(&self, target: &Target) -> Result<[f64; 4], String> {
        self.scroll(target).await?;
        let model = self.ask(target, "DOM.getBoxModel").await;
        let model = model.map_err(|_| format!("{} has no box that could be shown", target.label))?;
        let metrics = self.send("Page.getLayoutMetrics", json!({})).await?;
        let number = |value: &Value| value.as_f64().unwrap_or_default();
        let view = &metrics["cssVisualViewport"];
        let corner = &model["model"]["border"];
        let (left, top) = self.offset_of(target).await?;
        Ok([
            number(&corner[0]) + left + number(&view["pageX"]),
            number(&corner[1]) + top + number(&view["pageY"]),
            number(&model["model"]["width"]).clamp(1.0, 4000.0),
            number(&model["model"]["height"]).clamp(1.0, 4000.0),
        ])
    }

    pub(crate) async fn scroll(&self, target: &Target) -> Outcome {
        self.ask(target, "DOM.scrollIntoViewIfNeeded").await?;
        Ok(format!("{} is in view", target.label))
    }

    pub(crate) async fn fill(&self, target: &Target, text: &str, submit: bool) -> Outcome {
        self.ask(target, "DOM.focus").await.map_err(|error| format!("{} takes no text: {error}", target.label))?;
        // What is there is selected, so that the text replaces it as if it had been typed over.
        // Dates, times, colours and ranges are made of parts that take no such text: these are
        // set as a whole, in the form that HTML gives them.
        let selected = self
            .call(
                target,
                "function(text) { if (this.disabled || this.readOnly) return false; \
                 if (this instanceof HTMLInputElement && /^(date|time|month|week|datetime-local|color|range)$/.test(this.type)) { \
                 Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(this, text); \
                 const taken = this.value !== '' || text === ''; \
                 this.dispatchEvent(new Event('input', { bubbles: true })); \
                 this.dispatchEvent(new Event('change', { bubbles: true })); return taken ? 'set' : this.type; } \
                 if (typeof this.select === 'function') { this.select(); return true; } \
                 if (this.isContentEditable) { getSelection().selectAllChildren(this); return true; } \
                 return false; }",
                &[text],
            )
            .await?;
        let is_set = match selected {
            Value::Bool(true) => false,
            Value::String(told) if told == "set" => true,
            Value::String(kind) => {
                let form = match kind.as_str() {
                    "date" => "2026-01-31",
                    "time" => "14:05",
                    "month" => "2026-01",
                    "week" => "2026-W05",
                    "color" => "#1a2b3c",
                    "range" => "a number",
                    _ => "2026-01-31T14:05",
                };
                return Err(format!("{} does not take {text:?}; write it like {form}", target.label));
            }
            _ => return Err(format!("{} takes no text now", target.label)),
        };
        if is_set {
            // Nothing is left to be typed.
        } else if text.is_empty() {
            self.press(&Key::read("Delete")?).await?;
        } else {
            self.send("Input.insertText", json!({ "text": text })).await?;
        }
        if submit {
            self.press(&Key::read("Enter")?).await?;
        }
        Ok(format!("{} holds the text{}", target.label, if submit { ", Enter was pressed" } else { "" }))
    }

    /// Types a secret: into this element and no other, in a world of scripts of our own, where the
    /// page has not put functions of its own in the way. On screen it is covered.
    pub(crate) async fn fill_secret(&self, target: &Target, text: &str, submit: bool) -> Outcome {
        let frames = self.send("Page.getFrameTree", json!({})).await?;
        let world = json!({ "frameId": frames["frameTree"]["frame"]["id"], "worldName": "snapshot-agent" });
        let world = self.send("Page.createIsolatedWorld", world).await?;
        // Only the page itself is asked, whose process is the first.
        let (_, id) = parts_of(target.backend_node_id);
        let node = json!({ "backendNodeId": id, "executionContextId": world["executionContextId"] });
        let resolved = self
            .send("DOM.resolveNode", node)
            .await
            .map_err(|_| format!("{} is not on the page any more", target.label))?;
        let call = json!({
            "objectId": resolved["object"]["objectId"], "returnByValue": true, "userGesture": true,
            "functionDeclaration": FILL_SECRET, "arguments": [{ "value": text }]
        });
        // What the browser says of a call may hold what it was called with.
        let called = self.send("Runtime.callFunctionOn", call).await.map_err(|_| "it could not be typed".to_owned())?;
        if called["result"]["value"] != Value::Bool(true) {
            return Err(format!("{} takes no secret; only fields for text do", target.label));
        }
        if submit {
            self.ask(target, "DOM.focus").await?;
            self.press(&Key::read("Enter")?).await?;
        }
        Ok(format!("{} holds the secret{}", target.label, if submit { ", Enter was pressed" } else { "" }))
    }

    /// Chooses a file for a field.
    pub(crate) async fn upload(&self, target: &Target, path: &Path) -> Outcome {
        let (process, id) = parts_of(target.backend_node_id);
        self.tab
            .send_to_process(process, "DOM.setFileInputFiles", json!({ "files": [path], "backendNodeId": id }))
            .await
            .map_err(|error| format!("{} takes no file: {error}", target.label))?;
        Ok(format!("{} holds the file", target.label))
    }

    pub(crate) async fn select(&self, target: &Target, option: &str) -> Outcome {
        let chosen = self
            .call(
                target,
                "function(wanted) { if (!(this instanceof HTMLSelectElement)) return 'no drop-down'; \
                 const fold = text => text.trim().replace(/\\s+/g, ' '); \
                 const all = [...this.options]; \
                 const found = all.find(o => fold(o.label || o.text) === fold(wanted)) || all.find(o => o.value === wanted); \
                 if (!found) return all.slice(0, 30).map(o => JSON.stringify(fold(o.label || o.text))).join(', '); \
                 if (found.disabled || this.disabled) return 'disabled'; \
                 if (this.multiple) found.selected = true; else this.value = found.value, this.selectedIndex = found.index; \
                 this.dispatchEvent(new Event('input', { bubbles: true })); \
                 this.dispatchEvent(new Event('change', { bubbles: true })); return true; }",
                &[option],
            )
            .await?;
        match chosen {
            Value::Bool(true) => Ok(format!("{option:?} is chosen in {}", target.label)),
            Value::String(reason) if reason == "no drop-down" => {
                Err(format!("{} is no drop-down; click it and choose from what appears", target.label))
            }
            Value::String(reason) if reason == "disabled" => Err(format!("{option:?} cannot be chosen now")),
            Value::String(options) => Err(format!("{} has no option {option:?}; it has {options}", target.label)),
            _ => Err(format!("{} did not answer", target.label)),
        }
    }

    /// Gives a file to a field for files.
    pub(crate) async fn give_file(&self, target: &Target, file: &Path) -> Outcome {
        let takes = "function() { return this instanceof HTMLInputElement && this.type === 'file' && !this.disabled; }";
        if self.call::<&str>(target, takes, &[]).await? != Value::Bool(true) {
            return Err(format!("{} takes no file", target.label));
        }
        let (process, id) = parts_of(target.backend_node_id);
        let params = json!({ "files": [file.to_string_lossy()], "backendNodeId": id });
        self.tell(process, "DOM.setFileInputFiles", params).await?;
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(format!("{} holds {name}", target.label))
    }

    pub(crate) async fn press(&self, key: &Key) -> Outcome {
        for event in key.events() {
            self.send("Input.dispatchKeyEvent", event).await?;
        }
        Ok(format!("pressed {key}"))
    }

    pub(crate) async fn back(&self) -> Outcome {
        let history = self.send("Page.getNavigationHistory", json!({})).await?;
        let current = history["currentIndex"].as_u64().unwrap_or_default();
        let entries = history["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
        let before = usize::try_from(current).ok().and_then(|current| entries.get(current.checked_sub(1)?));
        // The tab was opened empty; there is nothing to go back to before the first page.
        match before.filter(|entry| entry["url"] != "about:blank") {
            None => Err("there is no page before this one".to_owned()),
            Some(entry) => {
                self.send("Page.navigateToHistoryEntry", json!({ "entryId": entry["id"] })).await?;
                Ok("went back".to_owned())
            }
        }
    }

    /// Brings the element into view and moves the pointer to a place of it that nothing covers:
    /// its middle, else where it looks out.
    async fn reach(&self, target: &Target) -> Result<(f64, f64), String> {
        self.ask(target, "DOM.scrollIntoViewIfNeeded")
            .await
            .map_err(|error| format!("{} cannot be brought into view: {error}", target.label))?;
        let quads = self.resting_quads(target).await?;
        let points = points(&quads);
        let Some(&middle) = points.first() else {
            return Err(format!("{} has no box that could be clicked", target.label));
        };
        let hit = self
            .call(
                target,
                "function(points) { \
                 const label = this.closest && this.closest('label'); \
                 const reaches = (x, y) => { let hit = document.elementFromPoint(x, y); \
                 while (hit && hit.shadowRoot) { const inner = hit.shadowRoot.elementFromPoint(x, y); \
                   if (!inner || inner === hit) break; hit = inner; } \
                 if (!hit) return 'nothing'; \
                 for (let e = hit; e; e = e.parentNode || e.host) if (e === this || (label && e === label)) return true; \
                 for (let e = this; e; e = e.parentNode || e.host) if (e === hit) return true; \
                 if (this.labels && [...this.labels].some(l => l.contains(hit))) return true; \
                 return hit.localName + (hit.id ? '#' + hit.id : '') + ' ' + JSON.stringify((hit.innerText || '').trim().slice(0, 60)); }; \
                 const place = points.findIndex(([x, y]) => reaches(x, y) === true); \
                 return place < 0 ? reaches(...points[0]) : place; }",
                &[&points],
            )
            .await;
        let point = match hit {
            // In a frame the point is not the frame's own; what lies there cannot be asked this way.
            Ok(Value::String(over)) if self.is_in_page(target).await => {
                return Err(format!("{} is covered by {over}; deal with that first", target.label));
            }
            Ok(Value::Number(place)) => {
                let place = place.as_u64().and_then(|place| usize::try_from(place).ok());
                place.and_then(|place| points.get(place)).copied().unwrap_or(middle)
            }
            _ => middle,
        };
        let (left, top) = self.offset_of(target).await?;
        let point = (point.0 + left, point.1 + top);
        self.send("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": point.0, "y": point.1 })).await?;
        Ok(point)
    }

    /// The element's boxes once they do not move any more: a click on what slides by hits what
    /// slides after it.
    async fn resting_quads(&self, target: &Target) -> Result<Value, String> {
        let mut last = self.ask(target, "DOM.getContentQuads").await?;
        for _ in 0..MOVES {
            tokio::time::sleep(FRAMES).await;
            let next = self.ask(target, "DOM.getContentQuads").await?;
            if next == last {
                break;
            }
            last = next;
        }
        Ok(last)
    }

    /// Whether the element lies in the page itself, not in a frame.
    async fn is_in_page(&self, target: &Target) -> bool {
        let asked =
            self.call::<&str>(target, "function() { return this.ownerDocument === document && window === top; }", &[]);
        asked.await == Ok(Value::Bool(true))
    }

    /// Calls a function of ours with the element as `this`.
    async fn call<T: serde::Serialize>(
        &self,
        target: &Target,
        function: &str,
        arguments: &[T],
    ) -> Result<Value, String> {
        let (process, _) = parts_of(target.backend_node_id);
        let resolved = self
            .ask(target, "DOM.resolveNode")
            .await
            .map_err(|_| format!("{} is not on the page any more", target.label))?;
        let object = resolved["object"]["objectId"].clone();
        let arguments: Vec<Value> = arguments.iter().map(|argument| json!({ "value": argument })).collect();
        let called = self
            .tell(
                process,
                "Runtime.callFunctionOn",
                json!({
                    "objectId": object, "functionDeclaration": function, "arguments": arguments,
                    "returnByValue": true, "userGesture": true
                }),
            )
            .await;
        // Let the page have its element back; whether that works makes no difference.
        let _ = self.tell(process, "Runtime.releaseObject", json!({ "objectId": object })).await;
        Ok(called?["result"]["value"].clone())
    }

    /// How far the frame of an element, if it has a process of its own, stands from the top left of
    /// the window: what a process tells of places it tells of its own part.
    async fn offset_of(&self, target: &Target) -> Result<(f64, f64), String> {
        let (mut left, mut top) = (0.0, 0.0);
        let (mut process, _) = parts_of(target.backend_node_id);
        let frames = self.tab.remote_frames();
        // There are no more levels than frames.
        for _ in 0..frames.len() {
            let Some(frame) = frames.iter().find(|frame| frame.number == process) else { break };
            let owner = self.tab.owner_of(&frame.frame).await;
            let (around, id) = owner.ok_or_else(|| format!("the frame of {} is gone", target.label))?;
            let quads = self.tell(around, "DOM.getContentQuads", json!({ "backendNodeId": id })).await?;
            let number = |place: usize| quads["quads"][0][place].as_f64().unwrap_or_default();
            left += number(0);
            top += number(1);
            process = around;
        }
        Ok((left, top))
    }

    /// Sends a command about an element to the process that it lives in.
    async fn ask(&self, target: &Target, method: &str) -> Result<Value, String> {
        let (process, id) = parts_of(target.backend_node_id);
        self.tell(process, method, json!({ "backendNodeId": id })).await
    }

    /// Sends a command to the page.
    async fn send(&self, method: &str, params: Value) -> Result<Value, String> {
        self.tell(0, method, params).await
    }

    async fn tell(&self, process: u32, method: &str, params: Value) -> Result<Value, String> {
        self.tab.send_to_process(process, method, params).await.map_err(|error| match error {
            Error::Refused { message, .. } => message,
            other => other.to_string(),
        })
    }
}

/// The time of two frames, and how often a box is looked at while it moves: a second and a half.
const FRAMES: Duration = Duration::from_millis(34);
const MOVES: usize = 44;

/// Where in a box is looked, in shares of its sides: the middle first.
const SHARES: [f64; 5] = [0.5, 0.25, 0.75, 0.08, 0.92];

/// Places in the boxes that have an area, the middle of the first of them first.
fn points(quads: &Value) -> Vec<(f64, f64)> {
    let boxes = quads["quads"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut points = Vec::new();
    for quad in boxes.iter().take(8) {
        let corners: Vec<f64> = quad.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let Ok([x1, y1, x2, y2, x3, y3, x4, y4]) = <[f64; 8]>::try_from(corners) else { continue };
        let area = ((x1 * y2 - x2 * y1) + (x2 * y3 - x3 * y2) + (x3 * y4 - x4 * y3) + (x4 * y1 - x1 * y4)).abs() / 2.0;
        if area < 1.0 {
            continue;
        }
        for down in SHARES {
            for along in SHARES {
                let between = |one: f64, two: f64, three: f64, four: f64| {
                    let (above, below) = (one + (two - one) * along, four + (three - four) * along);
                    above + (below - above) * down
                };
                points.push((between(x1, x2, x3, x4), between(y1, y2, y3, y4)));
            }
        }
    }
    points
}

/// Puts a text into a field as if it had been typed over, and covers it.
const FILL_SECRET: &str = "function(text) { \
    const kind = this instanceof HTMLTextAreaElement ? HTMLTextAreaElement : this instanceof HTMLInputElement ? HTMLInputElement : null; \
    if (!kind || this.disabled || this.readOnly) return false; \
    if (kind === HTMLInputElement && !['text', 'password', 'email', 'tel', 'number', 'search', 'url'].includes(this.type)) return false; \
    if (this.type !== 'password') this.style.setProperty('-webkit-text-security', 'disc', 'important'); \
    this.focus(); \
    Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(this, text); \
    this.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText' })); \
    this.dispatchEvent(new Event('change', { bubbles: true })); \
    return true; }";

/// How long pages are given to come to rest behind an action.
pub(crate) const SETTLE: Duration = Duration::from_secs(8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_point_is_the_middle_of_the_first_box_with_an_area() {
        let quads = json!({ "quads": [[5, 5, 5, 5, 5, 5, 5, 5], [0, 0, 10, 0, 10, 4, 0, 4]] });
        let found = points(&quads);
        assert_eq!(found[0], (5.0, 2.0));
        assert_eq!(found.len(), 25);
        assert!(found.iter().all(|&(x, y)| x > 0.0 && x < 10.0 && y > 0.0 && y < 4.0));
        assert!(points(&json!({ "quads": [] })).is_empty());
        assert!(points(&json!({ "quads": [[1, 2, 3]] })).is_empty());
    }
}
