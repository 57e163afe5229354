//! Drops what no reader needs.
//!
//! Before: `<script>…</script><!-- row --><svg><title>Cart</title><path d="…"/></svg>`
//!
//! After: `<svg><title>Cart</title></svg>`
//!
//! Scripts, styles, comments, metadata and the drawing instructions of SVG go; what they draw
//! keeps its label. A tracking pixel goes; of a `data:` URL only its media type stays. The page's
//! title stays.

use std::borrow::Cow;

use super::Stage;
use super::by_name::ByName;
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
        let mut noisy = Vec::new();
        let mut traits = ByName::new(Traits::of);
        draft.prune(|document, node| {
            let reason = noise(document, node);
            if reason.is_none() && has_noise(document, node, &mut traits) {
                noisy.push(node);
            }
            reason.map(Cow::Borrowed)
        });
        for node in noisy {
            strip_attributes(draft.document_mut(), node, &mut traits);
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
        (Namespace::Html, name::TD) if is_line_numbers(document, node) => Some("line numbers"),
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

/// Whether a cell does nothing but count the lines of the code in the cell behind it.
fn is_line_numbers(document: &Document, node: NodeId) -> bool {
    let mut siblings = std::iter::successors(document.next_sibling(node), |&next| document.next_sibling(next));
    let Some(code) = siblings.find(|&next| document.is_element(next)) else { return false };
    let is_code = |inner: NodeId| matches!(document.html_name(inner), Some(name::PRE | name::CODE));
    if !document.descendants(code).take(8).any(is_code) || !document.descendants(node).take(8).any(is_code) {
        return false;
    }
    let text = document.text_content(node);
    let mut numbers = text.split_whitespace().map(str::parse::<u32>).peekable();
    let Some(Ok(first)) = numbers.peek().cloned() else { return false };
    numbers.zip(first..).all(|(number, wanted)| number == Ok(wanted))
}

fn is_pixel_only(document: &Document, node: NodeId) -> bool {
    document.descendants(node).all(|inner| match document.kind(inner) {
        NodeKind::Text => document.text(inner).trim().is_empty(),
        NodeKind::Element => is_pixel(document, inner) || document.is_html(inner, name::IFRAME),
        _ => true,
    })
}

/// What holds for all attributes of a name.
#[derive(Clone, Copy)]
struct Traits {
    /// Only browsers and scripts read them.
    noise: bool,
    /// Only browsers and scripts read them on a part of a drawing.
    noise_in_svg: bool,
    address: bool,
}

impl Traits {
    fn of(name: Name, text: &str) -> Self {
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
        let kept_in_svg = matches!(name, name::ROLE | name::HREF | name::XLINK_HREF | name::ID | name::CLASS);
        Self {
            noise: NOISE.contains(&name)
                || FRAMEWORK_PREFIXES.iter().any(|prefix| text.starts_with(prefix))
                || (text.starts_with("on") && !text.contains('-'))
                || text.starts_with("xmlns"),
            noise_in_svg: !kept_in_svg && !text.starts_with("aria-"),
            address: matches!(name, name::SRC | name::HREF | name::XLINK_HREF | name::DATA | name::POSTER),
        }
    }

    fn is_noise(self, svg: bool) -> bool {
        self.noise || svg && self.noise_in_svg
    }
}

/// Whether the element has attributes to drop or to shorten.
fn has_noise(document: &Document, node: NodeId, traits: &mut ByName<Traits>) -> bool {
    let svg = document.namespace(node) == Some(Namespace::Svg);
    document.attributes(node).any(|attribute| {
        let traits = traits.of(document, attribute.name);
        traits.is_noise(svg) || traits.address && shortened_data_url(attribute.value).is_some()
    })
}

fn strip_attributes(document: &mut Document, node: NodeId, traits: &mut ByName<Traits>) {
    let svg = document.namespace(node) == Some(Namespace::Svg);
    let data_urls: Vec<(Name, String)> = document
        .attributes(node)
        .filter(|attribute| traits.of(document, attribute.name).address)
        .filter_map(|attribute| Some((attribute.name, shortened_data_url(attribute.value)?)))
        .collect();
    for (name, value) in data_urls {
        document.set_attribute(node, name, &value);
    }
    let dropped: Vec<Name> = document
        .attributes(node)
        .map(|attribute| attribute.name)
        .filter(|&name| traits.of(document, name).is_noise(svg))
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

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions, Pipeline, Recipe};

    #[test]
    fn lines_of_code_are_not_counted() {
        let check = |numbers: &str, stays: bool| {
            let html = format!("<table><tr><td><pre>{numbers}</pre><td><pre><code>a\nb\nc</code></pre></table>");
            let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
            let pipeline = Pipeline::new(&Recipe::default().stage("prune-noise", []), "html").expect("exists");
            let text = pipeline.run(&page).expect("runs").text;
            assert_eq!(text.contains(numbers), stays, "{text}");
        };
        check("1\n2\n3", false);
        check("41\n42\n43", false);
        check("3\n1\n2", true);
        check("0 of 3", true);
    }
}
