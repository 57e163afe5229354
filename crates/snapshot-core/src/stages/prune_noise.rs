//! Drops what no reader needs.
//!
//! Before: `<script>…</script><!-- row --><svg><title>Cart</title><path d="…"/></svg>`
//!
//! After: `<svg><title>Cart</title></svg>`
//!
//! Scripts, styles, comments, metadata and the drawing instructions of SVG go; what they draw
//! keeps its label. A tracking pixel goes; of a `data:` URL only its media type stays. The page's
//! title stays.

use super::Stage;
use crate::document::{Document, Name, Namespace, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::error::Error;

/// The stage; it has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PruneNoise {}

impl Stage for PruneNoise {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let mut kept = Vec::new();
        draft.prune(|document, node| {
            let reason = noise(document, node);
            if reason.is_none() && document.is_element(node) {
                kept.push(node);
            }
            reason.map(str::to_owned)
        });
        for node in kept {
            strip_attributes(draft.document_mut(), node);
        }
        Ok(())
    }
}

/// Why the node says nothing to a reader, if it does not.
fn noise(document: &Document, node: NodeId) -> Option<&'static str> {
    match document.kind(node) {
        NodeKind::Comment | NodeKind::ProcessingInstruction => return Some("comment"),
        NodeKind::Element => {}
        _ => return None,
    }
    match (document.namespace(node)?, document.name(node)?) {
        (_, name::SCRIPT) => Some("script"),
        (_, name::STYLE) => Some("style sheet"),
        (Namespace::Html, name::LINK | name::META | name::BASE) => Some("metadata"),
        (Namespace::Html, name::TEMPLATE) => Some("template"),
        (Namespace::Html, name::NOSCRIPT) if is_pixel_only(document, node) => Some("tracking pixel"),
        (Namespace::Html, name::IMG) if is_pixel(document, node) => Some("tracking pixel"),
        (Namespace::Svg, element) if !SVG_KEPT.contains(&element) => Some("drawing instruction"),
        _ => None,
    }
}

/// What can carry a label or a link inside SVG; `g` and `symbol` only hold these together.
const SVG_KEPT: &[Name] = &[
    name::SVG,
    name::TITLE,
    name::DESC,
    name::TEXT,
    name::TSPAN,
    name::TEXT_PATH,
    name::A,
    name::G,
    name::FOREIGN_OBJECT,
    name::SWITCH,
    name::IMAGE,
];

fn is_pixel(document: &Document, node: NodeId) -> bool {
    let tiny = |attribute| {
        document
            .attribute(node, attribute)
            .and_then(|size| size.trim().trim_end_matches("px").parse::<f32>().ok())
            .is_some_and(|size| size <= 1.0)
    };
    tiny(name::WIDTH) && tiny(name::HEIGHT) && document.attribute(node, name::ALT).unwrap_or("").trim().is_empty()
}

fn is_pixel_only(document: &Document, node: NodeId) -> bool {
    document.descendants(node).all(|inner| match document.kind(inner) {
        NodeKind::Text => document.text(inner).trim().is_empty(),
        NodeKind::Element => is_pixel(document, inner) || document.is_html(inner, name::IFRAME),
        _ => true,
    })
}

/// Attributes that only browsers and scripts read.
fn strip_attributes(document: &mut Document, node: NodeId) {
    let svg = document.namespace(node) == Some(Namespace::Svg);
    let data_urls: Vec<(Name, String)> = document
        .attributes(node)
        .filter(|attribute| {
            matches!(attribute.name, name::SRC | name::HREF | name::XLINK_HREF | name::DATA | name::POSTER)
        })
        .filter_map(|attribute| Some((attribute.name, shortened_data_url(attribute.value)?)))
        .collect();
    for (name, value) in data_urls {
        document.set_attribute(node, name, &value);
    }
    let dropped: Vec<Name> = document
        .attributes(node)
        .filter(|attribute| is_noise_attribute(document.name_text(attribute.name), attribute.name, svg))
        .map(|attribute| attribute.name)
        .collect();
    if !dropped.is_empty() {
        document.retain_attributes(node, |name, _| !dropped.contains(&name));
    }
}

/// `data:image/png;base64,AAAA…` is `data:image/png` to a reader.
fn shortened_data_url(url: &str) -> Option<String> {
    let trimmed = url.trim_start();
    let scheme = trimmed.get(..5)?;
    if !scheme.eq_ignore_ascii_case("data:") {
        return None;
    }
    let end = trimmed.find([';', ',']).unwrap_or(trimmed.len()).min(64);
    let media_type = trimmed.get(5..end).unwrap_or("");
    (trimmed.len() > end).then(|| format!("data:{media_type},"))
}

fn is_noise_attribute(text: &str, name: Name, svg: bool) -> bool {
    const NOISE: &[Name] = &[
        name::STYLE,
        name::INTEGRITY,
        name::NONCE,
        name::CROSSORIGIN,
        name::SRCSET,
        name::SIZES,
        name::LOADING,
        name::DECODING,
        name::ITEMPROP,
        name::ITEMSCOPE,
        name::ITEMTYPE,
        name::ITEMID,
        name::ITEMREF,
        name::SRCDOC,
    ];
    /// What frameworks write for themselves.
    const FRAMEWORK_PREFIXES: &[&str] = &[
        "_ng",
        "ng-version",
        "ng-reflect",
        "data-v-",
        "data-react",
        "data-server-rendered",
        "data-ved",
        "jsaction",
        "jscontroller",
        "jsname",
        "jsmodel",
        "jslog",
        "jsshadow",
        "jsdata",
        "svelte-",
    ];
    NOISE.contains(&name)
        || FRAMEWORK_PREFIXES.iter().any(|prefix| text.starts_with(prefix))
        || (text.starts_with("on") && !text.contains('-'))
        || text.starts_with("xmlns")
        || (svg
            && !matches!(name, name::ROLE | name::HREF | name::XLINK_HREF | name::ID | name::CLASS)
            && !text.starts_with("aria-"))
}
