//! What the browser has made of each node: style, box, live value. `DOMSnapshot.captureSnapshot`
//! gives it in columns with a table of strings, over the tree with slots filled.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::json;
use snapshot_core::capture::{CapturedKind, CapturedNode, GeneratedText, STYLE_PROPERTIES};

use crate::Error;
use crate::browser::Tab;

const METHOD: &str = "DOMSnapshot.captureSnapshot";

/// The answer of the browser. Numbers that stand for strings are places in `strings`, −1 where
/// there is none.
#[derive(Debug, Deserialize)]
struct DomSnapshot {
    documents: Vec<DocumentSnapshot>,
    strings: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DocumentSnapshot {
    nodes: NodeColumns,
    layout: LayoutColumns,
    #[serde(default)]
    scroll_offset_x: f64,
    #[serde(default)]
    scroll_offset_y: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeColumns {
    parent_index: Vec<i64>,
    backend_node_id: Vec<u64>,
    #[serde(default)]
    text_value: Sparse,
    #[serde(default)]
    input_value: Sparse,
    #[serde(default)]
    input_checked: SparseFlags,
    #[serde(default)]
    option_selected: SparseFlags,
    #[serde(default)]
    pseudo_type: Sparse,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LayoutColumns {
    node_index: Vec<usize>,
    styles: Vec<Vec<i64>>,
    bounds: Vec<[f64; 4]>,
}

/// Values of few nodes.
#[derive(Debug, Default, Deserialize)]
struct Sparse {
    index: Vec<usize>,
    value: Vec<i64>,
}

/// Nodes of which something holds.
#[derive(Debug, Default, Deserialize)]
struct SparseFlags {
    index: Vec<usize>,
}

/// What is known of the nodes of one process, by the browser's own ids.
#[derive(Debug, Default)]
pub(super) struct Rendering {
    nodes: BTreeMap<u64, Rendered>,
    /// How far the page is scrolled.
    pub(super) scroll: [f64; 2],
}

/// What is known of a node.
#[derive(Debug, Default)]
struct Rendered {
    style: BTreeMap<String, String>,
    bounds: Option<[f64; 4]>,
    generated: GeneratedText,
    value: Option<String>,
    checked: bool,
}

/// Asks a process: that of the page, or of a frame by its session.
pub(super) async fn take(tab: &Tab, session: Option<&str>) -> Result<Rendering, Error> {
    let properties: Vec<&str> =
        STYLE_PROPERTIES.iter().map(|(property, _)| *property).chain(std::iter::once("content")).collect();
    let params = json!({ "computedStyles": properties, "includeDOMRects": true });
    let answer = match session {
        Some(session) => tab.send_to(session, METHOD, params).await?,
        None => tab.send(METHOD, params).await?,
    };
    let snapshot: DomSnapshot = serde_json::from_value(answer)
        .map_err(|error| Error::Answer { method: METHOD.to_owned(), reason: error.to_string() })?;
    let mut rendering = Rendering::default();
    if let Some(page) = snapshot.documents.first() {
        rendering.scroll = [page.scroll_offset_x, page.scroll_offset_y];
    }
    for document in &snapshot.documents {
        rendering.add(document, &snapshot.strings);
    }
    Ok(rendering)
}

impl Rendering {
    /// Tells an element what the browser has made of it.
    pub(super) fn describe(&mut self, node: &mut CapturedNode) {
        if node.kind != CapturedKind::Element {
            return;
        }
        let rendered = node.backend_node_id.and_then(|id| self.nodes.remove(&id));
        let is_rendered = rendered.is_some();
        let rendered = rendered.unwrap_or_default();
        node.style = rendered.style;
        node.bounds = rendered.bounds;
        node.generated = rendered.generated;
        node.value = rendered.value;
        if matches!(node.name.as_str(), "input" | "option") {
            node.checked = Some(rendered.checked);
        }
        // What is in no slot is not even looked at by the browser.
        if !is_rendered {
            node.style.insert("display".to_owned(), "none".to_owned());
        }
    }

    fn add(&mut self, document: &DocumentSnapshot, strings: &[String]) {
        let nodes = &document.nodes;
        let string = |place: i64| {
            usize::try_from(place).ok().and_then(|place| strings.get(place)).map(String::as_str).unwrap_or_default()
        };
        let mut layout = BTreeMap::new();
        for (place, &node) in document.layout.node_index.iter().enumerate() {
            layout.entry(node).or_insert(place);
        }
        let has_box_inside = has_box_inside(nodes, &layout);
        let checked: BTreeSet<usize> =
            nodes.input_checked.index.iter().chain(&nodes.option_selected.index).copied().collect();
        let mut values: BTreeMap<usize, i64> = BTreeMap::new();
        for column in [&nodes.input_value, &nodes.text_value] {
            values.extend(column.index.iter().copied().zip(column.value.iter().copied()));
        }
        for (index, &id) in nodes.backend_node_id.iter().enumerate() {
            let mut rendered = Rendered {
                value: values.get(&index).map(|&value| string(value).to_owned()),
                checked: checked.contains(&index),
                ..Rendered::default()
            };
            if let Some(&place) = layout.get(&index) {
                rendered.bounds = document.layout.bounds.get(place).copied();
                let styles = document.layout.styles.get(place).map(Vec::as_slice).unwrap_or_default();
                for (&(property, initial), &value) in STYLE_PROPERTIES.iter().zip(styles) {
                    let value = string(value);
                    if value != initial && !value.is_empty() {
                        rendered.style.insert(property.to_owned(), value.to_owned());
                    }
                }
            } else {
                // Without a box of its own it is dissolved into its children, or not there at all.
                let display = if has_box_inside.get(index) == Some(&true) { "contents" } else { "none" };
                rendered.style.insert("display".to_owned(), display.to_owned());
            }
            self.nodes.insert(id, rendered);
        }
        let pseudo = &nodes.pseudo_type;
        for (&index, &kind) in pseudo.index.iter().zip(&pseudo.value) {
            let styles = layout.get(&index).and_then(|&place| document.layout.styles.get(place));
            let content = styles.and_then(|styles| styles.get(STYLE_PROPERTIES.len()));
            let text = content.map(|&content| quoted(string(content))).unwrap_or_default();
            let parent = nodes.parent_index.get(index).and_then(|&parent| usize::try_from(parent).ok());
            let parent = parent.and_then(|parent| nodes.backend_node_id.get(parent));
            match (parent.and_then(|parent| self.nodes.get_mut(parent)), string(kind)) {
                (Some(element), "before") => element.generated.before = text,
                (Some(element), "after") => element.generated.after = text,
                _ => {}
            }
        }
    }
}

/// For each node, whether anything below it has a box.
fn has_box_inside(nodes: &NodeColumns, layout: &BTreeMap<usize, usize>) -> Vec<bool> {
    let mut inside = vec![false; nodes.backend_node_id.len()];
    // Children come after their parents, so one pass from the end reaches every ancestor.
    for index in (0..inside.len()).rev() {
        let has_box = layout.contains_key(&index) || inside[index];
        let parent = nodes.parent_index.get(index).and_then(|&parent| usize::try_from(parent).ok());
        if let Some(above) = parent.filter(|_| has_box).and_then(|parent| inside.get_mut(parent)) {
            *above = true;
        }
    }
    inside
}

/// The strings of a computed `content`, such as `"★ " counter(n)`; what follows a `/` is the
/// text that stands for them.
fn quoted(content: &str) -> String {
    let mut text = String::new();
    let mut characters = content.chars();
    let mut inside = false;
    while let Some(character) = characters.next() {
        match character {
            '"' => inside = !inside,
            '\\' if inside => text.extend(characters.next()),
            '/' if !inside => text.clear(),
            // An address between brackets is a picture, or the name of a counter.
            '(' if !inside => while characters.next().is_some_and(|character| character != ')') {},
            character if inside => text.push(character),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_text_is_what_stands_in_quotes() {
        for (content, text) in [
            ("normal", ""),
            ("\"★ \"", "★ "),
            ("counter(n) \". \"", ". "),
            ("\"a \\\"b\\\"\"", "a \"b\""),
            ("url(\"x.png\") / \"alt\"", "alt"),
            ("url(\"http://a.example/x.png\") \"next\"", "next"),
        ] {
            assert_eq!(quoted(content), text, "{content}");
        }
    }

    #[test]
    fn what_has_no_box_but_boxes_inside_is_dissolved() {
        let document = DocumentSnapshot {
            nodes: NodeColumns {
                parent_index: vec![-1, 0, 1, 0],
                backend_node_id: vec![10, 11, 12, 13],
                text_value: Sparse::default(),
                input_value: Sparse { index: vec![2], value: vec![0] },
                input_checked: SparseFlags::default(),
                option_selected: SparseFlags::default(),
                pseudo_type: Sparse::default(),
            },
            layout: LayoutColumns {
                node_index: vec![0, 2],
                styles: vec![vec![1], vec![-1]],
                bounds: vec![[0.0; 4]; 2],
            },
            scroll_offset_x: 0.0,
            scroll_offset_y: 0.0,
        };
        let mut rendering = Rendering::default();
        rendering.add(&document, &["typed".to_owned(), "block".to_owned()]);
        let mut display = |id: u64| {
            let mut node = CapturedNode { backend_node_id: Some(id), ..CapturedNode::default() };
            rendering.describe(&mut node);
            (node.style.get("display").cloned().unwrap_or_default(), node.value.unwrap_or_default())
        };
        let none = String::new;
        assert_eq!(display(10), ("block".to_owned(), none()));
        assert_eq!(display(11), ("contents".to_owned(), none()));
        assert_eq!(display(12), (none(), "typed".to_owned()));
        assert_eq!(display(13), ("none".to_owned(), none()));
        assert_eq!(display(99), ("none".to_owned(), none()));
    }
}
