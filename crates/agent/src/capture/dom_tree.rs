//! The tree itself, as the browser's own tools see it: open and closed shadow roots, frames.
//!
//! `DOM.getFlattenedDocument` gives it as a list, so that reading it does not recurse however
//! deep a page is; `DOM.getDocument` nests as deep as the page. `DOMSnapshot` shows the tree with
//! slots filled, from which the page's own tree cannot be had back.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use snapshot_core::capture::{CapturedKind, CapturedNode};

use crate::Error;
use crate::browser::Tab;

const METHOD: &str = "DOM.getFlattenedDocument";

/// Node types (DOM Standard, "nodeType").
const ELEMENT: i64 = 1;
const TEXT: i64 = 3;
const DOCUMENT: i64 = 9;
const DOCTYPE: i64 = 10;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    node_id: i64,
    #[serde(default)]
    parent_id: Option<i64>,
    backend_node_id: u64,
    node_type: i64,
    #[serde(default)]
    local_name: String,
    #[serde(default)]
    node_name: String,
    #[serde(default)]
    node_value: String,
    #[serde(default)]
    attributes: Vec<String>,
    #[serde(rename = "isSVG", default)]
    is_svg: bool,
    #[serde(default)]
    shadow_root_type: String,
    #[serde(rename = "documentURL", default)]
    document_url: String,
    #[serde(default)]
    shadow_roots: Vec<Self>,
    #[serde(default)]
    content_document: Option<Box<Self>>,
}

/// The nodes of one process in document order, parents named by their place in the list. The
/// first is its document.
pub(super) async fn take(tab: &Tab, session: Option<&str>) -> Result<Vec<CapturedNode>, Error> {
    let params = json!({ "depth": -1, "pierce": true });
    let answer = match session {
        Some(session) => tab.send_to(session, METHOD, params).await?,
        None => tab.send(METHOD, params).await?,
    };
    read(answer)
}

fn read(mut answer: Value) -> Result<Vec<CapturedNode>, Error> {
    let unreadable = |reason: String| Error::Answer { method: METHOD.to_owned(), reason };
    let nodes = answer.get_mut("nodes").map(Value::take).unwrap_or_default();
    let nodes: Vec<Node> = serde_json::from_value(nodes).map_err(|error| unreadable(error.to_string()))?;
    let mut children: BTreeMap<i64, Vec<Node>> = BTreeMap::new();
    let mut root = None;
    for node in nodes {
        match node.parent_id {
            Some(parent) => children.entry(parent).or_default().push(node),
            None if node.node_type == DOCUMENT => root = Some(node),
            None => {}
        }
    }
    let root = root.ok_or_else(|| unreadable("it has no document".to_owned()))?;
    let mut list = Vec::new();
    let mut waiting: Vec<(Node, Option<usize>)> = vec![(root, None)];
    while let Some((mut node, parent)) = waiting.pop() {
        let Some(mut captured) = captured(&mut node) else { continue };
        captured.parent = parent;
        let place = list.len();
        list.push(captured);
        let below = waiting.len();
        waiting.extend(node.shadow_roots.into_iter().map(|root| (root, Some(place))));
        waiting.extend(node.content_document.map(|document| (*document, Some(place))));
        waiting.extend(children.remove(&node.node_id).into_iter().flatten().map(|child| (child, Some(place))));
        waiting[below..].reverse();
    }
    Ok(list)
}

/// The node without its place; nothing for comments and for what the browser builds inside
/// controls.
fn captured(node: &mut Node) -> Option<CapturedNode> {
    let mut captured = CapturedNode { backend_node_id: Some(node.backend_node_id), ..CapturedNode::default() };
    match node.node_type {
        ELEMENT => {
            captured.name = std::mem::take(&mut node.local_name);
            // HTML elements are told in capitals, those of other languages as they are written.
            let is_html = !node.node_name.chars().any(|character| character.is_ascii_lowercase());
            if node.is_svg {
                captured.namespace = "svg".to_owned();
            } else if !is_html {
                captured.namespace = "math".to_owned();
            }
            let mut attributes = std::mem::take(&mut node.attributes).into_iter();
            while let (Some(name), Some(value)) = (attributes.next(), attributes.next()) {
                captured.attributes.push((name, value));
            }
        }
        TEXT => {
            captured.kind = CapturedKind::Text;
            captured.text = std::mem::take(&mut node.node_value);
        }
        DOCTYPE => {
            captured.kind = CapturedKind::Doctype;
            captured.text = std::mem::take(&mut node.node_name);
        }
        DOCUMENT => {
            captured.kind = CapturedKind::Document;
            captured.name = std::mem::take(&mut node.document_url);
        }
        _ => {
            captured.kind = match node.shadow_root_type.as_str() {
                "open" => CapturedKind::OpenShadowRoot,
                "closed" => CapturedKind::ClosedShadowRoot,
                _ => return None,
            };
        }
    }
    Some(captured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_put_in_document_order_with_roots_before_children() {
        let node = |id: i64, parent: i64, kind: i64, name: &str| json!({ "nodeId": id, "parentId": parent, "backendNodeId": id, "nodeType": kind, "nodeName": name.to_uppercase(), "localName": name });
        let mut host = node(4, 3, 1, "my-card");
        host["shadowRoots"] = json!([
            { "nodeId": 5, "backendNodeId": 5, "nodeType": 11, "shadowRootType": "closed" },
            { "nodeId": 50, "backendNodeId": 50, "nodeType": 11, "shadowRootType": "user-agent" }
        ]);
        // The browser lists children before their parents.
        let nodes = json!([
            node(6, 5, 1, "p"),
            node(51, 50, 1, "div"),
            node(7, 4, 3, "#text"),
            host,
            node(8, 3, 1, "b"),
            node(3, 1, 1, "html"),
            json!({ "nodeId": 1, "backendNodeId": 1, "nodeType": 9, "documentURL": "https://a.example/" })
        ]);
        let list = read(json!({ "nodes": nodes })).expect("is read");
        let told: Vec<(CapturedKind, &str, Option<usize>)> =
            list.iter().map(|node| (node.kind, node.name.as_str(), node.parent)).collect();
        assert_eq!(
            told,
            [
                (CapturedKind::Document, "https://a.example/", None),
                (CapturedKind::Element, "html", Some(0)),
                (CapturedKind::Element, "my-card", Some(1)),
                (CapturedKind::ClosedShadowRoot, "", Some(2)),
                (CapturedKind::Element, "p", Some(3)),
                (CapturedKind::Text, "", Some(2)),
                (CapturedKind::Element, "b", Some(1)),
            ]
        );
    }

    #[test]
    fn an_answer_without_a_document_is_an_error() {
        let error = read(json!({ "nodes": [] })).expect_err("is empty").to_string();
        assert!(error.contains("no document"), "{error}");
    }
}
