//! From the list of nodes to a [`Document`] with the live state of forms, and what else the
//! browser knew beside it.

use super::{ACTION_EVENTS, Capture, CapturedFacts, CapturedKind, CapturedNode, FORMAT, VERSION};
use crate::document::{AttributeNamespace, Document, Name, Namespace, NodeId, ShadowMode, name};
use crate::error::{Diagnostic, Error};
use crate::parse::{Limits, Parsed};

/// Builds the document of a capture.
///
/// # Errors
/// [`Error::InvalidCapture`] when it is no capture that we can read, [`Error::TooManyNodes`].
pub(crate) fn build(capture: &Capture, limits: &Limits) -> Result<Parsed, Error> {
    if capture.format != FORMAT || capture.version != VERSION {
        return Err(invalid(format!(
            "it says format {:?}, version {}; version {VERSION} of {FORMAT:?} can be read",
            capture.format, capture.version
        )));
    }
    if capture.nodes.len() > limits.nodes {
        return Err(Error::TooManyNodes { limit: limits.nodes });
    }
    let mut builder = Builder {
        limits,
        page: Parsed::empty(0),
        facts: CapturedFacts::default(),
        places: Vec::with_capacity(capture.nodes.len()),
        dropped_attributes: 0,
        flattened: 0,
    };
    for (index, node) in capture.nodes.iter().enumerate() {
        let place = builder.add(index, node)?;
        builder.places.push(place);
    }
    builder.link(capture);
    builder.report();
    builder.page.captured = Some(builder.facts);
    Ok(builder.page)
}

/// Where a captured node went.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    /// Levels above it, those of the documents around its frame included.
    depth: usize,
    /// What its children are appended to: itself, or what is above it past the limit of depth.
    home: NodeId,
    /// Whether its children are not wanted: the text of a field whose live value is known.
    closed: bool,
}

struct Builder<'capture> {
    limits: &'capture Limits,
    page: Parsed,
    facts: CapturedFacts,
    places: Vec<Place>,
    dropped_attributes: usize,
    flattened: usize,
}

impl Builder<'_> {
    fn add(&mut self, index: usize, captured: &CapturedNode) -> Result<Place, Error> {
        let above = match captured.parent {
            None if index == 0 && captured.kind == CapturedKind::Document => {
                return Ok(Place { node: NodeId::DOCUMENT, depth: 0, home: NodeId::DOCUMENT, closed: false });
            }
            None => return Err(invalid("its first node, and no other, is the page's document".to_owned())),
            Some(parent) => *self
                .places
                .get(parent)
                .ok_or_else(|| invalid(format!("node {index} stands before its parent, node {parent}")))?,
        };
        let document = &mut self.page.document;
        let root = match captured.kind {
            CapturedKind::Document => document.attach_frame(above.node),
            CapturedKind::OpenShadowRoot => document.attach_shadow_root(above.node, ShadowMode::Open),
            CapturedKind::ClosedShadowRoot => document.attach_shadow_root(above.node, ShadowMode::Closed),
            CapturedKind::Element => return Ok(self.element(captured, above)),
            CapturedKind::Text | CapturedKind::Doctype if above.closed => return Ok(above),
            CapturedKind::Text => {
                let text = document.create_text(&captured.text);
                document.append(above.home, text);
                return Ok(Place { node: text, home: above.home, ..above });
            }
            CapturedKind::Doctype => {
                let doctype = document.create_doctype(&captured.text);
                document.append(above.home, doctype);
                return Ok(Place { node: doctype, home: above.home, ..above });
            }
        };
        let root = root.ok_or_else(|| invalid(format!("node {index} is a root, but its parent is no element")))?;
        if captured.kind == CapturedKind::Document && !captured.name.is_empty() {
            self.page.frame_urls.insert(root, captured.name.clone());
        }
        Ok(Place { node: root, depth: above.depth, home: root, closed: false })
    }

    fn element(&mut self, captured: &CapturedNode, above: Place) -> Place {
        let document = &mut self.page.document;
        let namespace = match captured.namespace.as_str() {
            "svg" => Namespace::Svg,
            "math" => Namespace::MathMl,
            _ => Namespace::Html,
        };
        let element_name = document.intern(&captured.name);
        let node = document.create_element(element_name, namespace);
        let live = LiveState::of(captured, element_name);
        for (attribute, value) in captured.attributes.iter().take(self.limits.attributes) {
            let attribute = document.intern(attribute);
            if value.len() > self.limits.attribute_bytes {
                self.dropped_attributes += 1;
            } else if !live.replaces(attribute) {
                document.push_attribute(node, attribute, attribute_namespace(document, attribute, namespace), value);
            }
        }
        self.dropped_attributes += captured.attributes.len().saturating_sub(self.limits.attributes);
        for (attribute, value) in live.attributes() {
            document.set_attribute(node, attribute, value);
        }
        document.append(above.home, node);
        if let Some(text) = live.text {
            let text = document.create_text(text);
            document.append(node, text);
        }
        self.note_facts(captured, node);
        let depth = above.depth + 1;
        let too_deep = depth >= self.limits.depth;
        self.flattened += usize::from(too_deep && depth > self.limits.depth);
        Place { node, depth, home: if too_deep { above.home } else { node }, closed: live.text.is_some() }
    }

    fn note_facts(&mut self, captured: &CapturedNode, node: NodeId) {
        let facts = &mut self.facts;
        if let Some(id) = captured.backend_node_id {
            facts.backend_node_ids.insert(node, id);
        }
        if let Some(bounds) = captured.bounds {
            facts.bounds.insert(node, bounds);
        }
        if !captured.generated.is_empty() {
            facts.generated.insert(node, captured.generated.clone());
        }
        if captured.listeners.iter().any(|event| ACTION_EVENTS.contains(&event.as_str())) {
            facts.listening.insert(node);
        }
        facts.styles.insert(node, captured.style.clone());
    }

    /// What refers from node to node.
    fn link(&mut self, capture: &Capture) {
        let node_at = |index: usize| self.places.get(index).map(|place| place.node);
        let facts = &mut self.facts;
        facts.active = capture.active.and_then(node_at);
        for (place, captured) in self.places.iter().zip(&capture.nodes) {
            if let Some(cover) = captured.covered_by.and_then(node_at) {
                facts.covers.insert(place.node, cover);
            }
        }
    }

    fn report(&mut self) {
        let mut say = |count: usize, what: String| {
            if count > 0 {
                self.page.diagnostics.push(Diagnostic::warning(format!("{count} {what}")));
            }
        };
        say(self.dropped_attributes, "attributes past the limits were left out".to_owned());
        say(self.flattened, format!("elements below level {} were attached above it", self.limits.depth));
    }
}

/// What a form control holds now, which HTML writes down as attributes or text.
struct LiveState<'captured> {
    value: Option<&'captured str>,
    checked: Option<(Name, bool)>,
    text: Option<&'captured str>,
}

impl<'captured> LiveState<'captured> {
    fn of(captured: &'captured CapturedNode, element: Name) -> Self {
        let value = captured.value.as_deref();
        // The value of a button, checkbox or file field is not what somebody typed.
        let kind = captured.attributes.iter().find(|(attribute, _)| attribute == "type").map(|(_, kind)| kind.as_str());
        let holds_text = !matches!(
            kind.map(str::to_ascii_lowercase).as_deref(),
            Some("checkbox" | "radio" | "file" | "submit" | "reset" | "button" | "image" | "hidden")
        );
        Self {
            value: value.filter(|_| element == name::INPUT && holds_text),
            checked: match element {
                name::INPUT => captured.checked.map(|checked| (name::CHECKED, checked)),
                name::OPTION => captured.checked.map(|chosen| (name::SELECTED, chosen)),
                _ => None,
            },
            text: value.filter(|_| element == name::TEXTAREA),
        }
    }

    /// Whether the attribute as written gives way to the live state.
    fn replaces(&self, attribute: Name) -> bool {
        (attribute == name::VALUE && self.value.is_some())
            || self.checked.is_some_and(|(checked, _)| checked == attribute)
    }

    fn attributes(&self) -> impl Iterator<Item = (Name, &'captured str)> {
        let value = self.value.filter(|value| !value.is_empty()).map(|value| (name::VALUE, value));
        let checked = self.checked.filter(|(_, checked)| *checked).map(|(attribute, _)| (attribute, ""));
        value.into_iter().chain(checked)
    }
}

/// The namespace that a parser would give the attribute (HTML Standard, "adjust foreign
/// attributes").
fn attribute_namespace(document: &Document, attribute: Name, element: Namespace) -> AttributeNamespace {
    if element == Namespace::Html {
        return AttributeNamespace::None;
    }
    match document.name_text(attribute).split_once(':') {
        Some(("xlink", _)) => AttributeNamespace::XLink,
        Some(("xml", _)) => AttributeNamespace::Xml,
        Some(("xmlns", _)) => AttributeNamespace::Xmlns,
        _ if document.name_text(attribute) == "xmlns" => AttributeNamespace::Xmlns,
        _ => AttributeNamespace::None,
    }
}

fn invalid(reason: String) -> Error {
    Error::InvalidCapture { reason }
}
