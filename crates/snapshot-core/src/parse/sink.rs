//! Receives what the tree builder decides and writes it into the arena.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{Attribute, ElemName, ElementFlags, NodeOrText, QuirksMode as Quirks, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace as AtomNamespace, QualName, local_name, ns};
use rustc_hash::FxHashMap;

use super::html::{Budget, Settings};
use crate::document::{AttributeNamespace, Document, Name, Namespace, NodeId, QuirksMode, ShadowMode, name};

/// How many names are kept at hand.
const NAME_SLOTS: usize = 512;

/// The sink of one parse.
pub(super) struct ArenaSink {
    pub(super) document: RefCell<Document>,
    root: NodeId,
    /// The names asked for last, each in a slot by its hash.
    names: RefCell<Vec<(LocalName, Name)>>,
    /// The shadow roots that templates were turned into.
    shadow_roots: RefCell<FxHashMap<NodeId, NodeId>>,
    /// The `<selectedcontent>` elements that were made.
    pub(super) selected_content: RefCell<Vec<NodeId>>,
    budget: Budget,
    attribute_limit: usize,
    /// A list of attributes that an element has been made from, for the next one.
    pub(super) spare_attributes: Cell<Vec<Attribute>>,
    /// Set when the budget is passed; the guard then feeds the builder nothing more.
    pub(super) over_budget: Cell<bool>,
    /// How many elements were made, which is the most that the stack of open elements grew by.
    pub(super) elements_made: Cell<usize>,
    /// The element made last.
    pub(super) last_made: Cell<NodeId>,
    /// The element whose name the builder asked for last; see [`Guard`](super::guard::Guard).
    pub(super) asked_for: Cell<NodeId>,
}

/// The tree builder's reference to a node; it carries the name, which the builder asks for all
/// the time, and is small, since the builder copies it as often.
#[derive(Clone)]
pub(super) struct Handle {
    pub(super) id: NodeId,
    namespace: &'static AtomNamespace,
    pub(super) local: LocalName,
}

static HTML: AtomNamespace = ns!(html);
static SVG: AtomNamespace = ns!(svg);
static MATHML: AtomNamespace = ns!(mathml);

/// The name as the tree builder wants it.
pub(super) struct HandleName<'handle>(&'handle Handle);

impl std::fmt::Debug for HandleName<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0.local)
    }
}

impl ElemName for HandleName<'_> {
    fn ns(&self) -> &AtomNamespace {
        self.0.namespace
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl ArenaSink {
    pub(super) fn new(document: Document, root: NodeId, settings: &Settings) -> Self {
        let names = vec![(local_name!("a"), name::A); NAME_SLOTS];
        Self {
            document: RefCell::new(document),
            root,
            names: RefCell::new(names),
            shadow_roots: RefCell::default(),
            selected_content: RefCell::default(),
            budget: settings.budget,
            attribute_limit: settings.limits.attributes,
            spare_attributes: Cell::default(),
            over_budget: Cell::new(false),
            elements_made: Cell::new(0),
            last_made: Cell::new(root),
            asked_for: Cell::new(root),
        }
    }

    /// The document's number of a name. The builder's names are asked for again and again.
    fn intern(&self, document: &mut Document, local: &LocalName) -> Name {
        let mut names = self.names.borrow_mut();
        let mixed = local.get_hash().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
        let Some((seen, name)) = names.get_mut(mixed as usize % NAME_SLOTS) else { return document.intern(local) };
        if seen != local {
            *name = document.intern(local);
            *seen = local.clone();
        }
        *name
    }

    /// The name and namespace of an attribute; a prefix that the builder has split off belongs
    /// to the name as it is written.
    fn attribute_name(&self, document: &mut Document, attribute: &QualName) -> (Name, AttributeNamespace) {
        let namespace = match attribute.ns {
            ns!() => return (self.intern(document, &attribute.local), AttributeNamespace::None),
            ns!(xlink) => AttributeNamespace::XLink,
            ns!(xml) => AttributeNamespace::Xml,
            ns!(xmlns) => AttributeNamespace::Xmlns,
            _ => AttributeNamespace::None,
        };
        let name = match attribute.prefix.as_deref().filter(|prefix| !prefix.is_empty()) {
            Some(prefix) => document.intern(&format!("{prefix}:{}", attribute.local)),
            None => self.intern(document, &attribute.local),
        };
        (name, namespace)
    }

    fn handle(&self, id: NodeId) -> Handle {
        Handle { id, namespace: &HTML, local: LocalName::default() }
    }

    fn check_budget(&self, document: &Document) {
        let over = document.len() > self.budget.nodes
            || document.attribute_count() > self.budget.attributes
            || document.text_bytes() > self.budget.text_bytes;
        if over {
            self.over_budget.set(true);
        }
    }

    fn create(&self, make: impl FnOnce(&mut Document) -> NodeId) -> Handle {
        let mut document = self.document.borrow_mut();
        let id = make(&mut document);
        self.check_budget(&document);
        self.handle(id)
    }
}

impl TreeSink for ArenaSink {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = HandleName<'a>;

    fn finish(self) -> Self {
        self
    }

    /// Parse errors are what pages are made of; nobody reads them here.
    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.handle(self.root)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> HandleName<'a> {
        self.asked_for.set(target.id);
        HandleName(target)
    }

    fn create_element(&self, name: QualName, mut attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut document = self.document.borrow_mut();
        let (namespace, atom) = match name.ns {
            ns!(svg) => (Namespace::Svg, &SVG),
            ns!(mathml) => (Namespace::MathMl, &MATHML),
            _ => (Namespace::Html, &HTML),
        };
        let interned = self.intern(&mut document, &name.local);
        for attribute in &attributes {
            let (name, namespace) = self.attribute_name(&mut document, &attribute.name);
            document.push_loose_attribute(name, namespace, &attribute.value);
        }
        let id = document.create_element_of_loose_attributes(interned, namespace, attributes.len());
        attributes.clear();
        self.spare_attributes.set(attributes);
        if interned == name::SELECTEDCONTENT {
            self.selected_content.borrow_mut().push(id);
        }
        if flags.template {
            document.attach_template_contents(id);
        }
        self.elements_made.set(self.elements_made.get() + 1);
        self.check_budget(&document);
        self.last_made.set(id);
        Handle { id, namespace: atom, local: name.local }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.create(|document| document.create_comment(&text))
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.create(|document| document.create_processing_instruction(&format!("{target} {data}")))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut document = self.document.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => document.append(parent.id, child.id),
            NodeOrText::AppendText(text) => document.append_characters(parent.id, &text),
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let in_tree = self.document.borrow().parent(element.id).is_some();
        if in_tree {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let mut document = self.document.borrow_mut();
        let text = if public_id.is_empty() && system_id.is_empty() {
            name.to_string()
        } else {
            format!("{name} \"{public_id}\" \"{system_id}\"")
        };
        let id = document.create_doctype(&text);
        document.append(self.root, id);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        // A declarative shadow root's template is not in the tree; what follows fills the root.
        let shadow_root = self.shadow_roots.borrow().get(&target.id).copied();
        let contents = shadow_root.or_else(|| self.document.borrow_mut().attach_template_contents(target.id));
        self.handle(contents.unwrap_or(target.id))
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, mode: Quirks) {
        if self.root == NodeId::DOCUMENT {
            self.document.borrow_mut().set_quirks_mode(match mode {
                Quirks::Quirks => QuirksMode::Full,
                Quirks::LimitedQuirks => QuirksMode::Limited,
                Quirks::NoQuirks => QuirksMode::No,
            });
        }
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let mut document = self.document.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => document.insert_before(sibling.id, child.id),
            NodeOrText::AppendText(text) => {
                match document.previous_sibling(sibling.id).filter(|&previous| document.is_text(previous)) {
                    Some(previous) => document.append_text(previous, &text),
                    None => {
                        let id = document.create_text(&text);
                        document.insert_before(sibling.id, id);
                    }
                }
            }
        }
    }

    /// A second `<html>` or `<body>` tag adds what the first one lacked.
    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        let mut document = self.document.borrow_mut();
        for attribute in &attributes {
            let (name, namespace) = self.attribute_name(&mut document, &attribute.name);
            let room = document.attributes(target.id).len() < self.attribute_limit;
            if room && !document.has_attribute(target.id, name) {
                document.push_attribute(target.id, name, namespace, &attribute.value);
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.document.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.document.borrow_mut().reparent_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        let document = self.document.borrow();
        document.attribute(handle.id, name::ENCODING).is_some_and(|encoding| {
            encoding.eq_ignore_ascii_case("text/html") || encoding.eq_ignore_ascii_case("application/xhtml+xml")
        })
    }

    fn attach_declarative_shadow(&self, location: &Handle, template: &Handle, attributes: &[Attribute]) -> bool {
        let mode = attributes
            .iter()
            .find(|attribute| attribute.name.local == local_name!("shadowrootmode"))
            .map(|attribute| if &*attribute.value == "closed" { ShadowMode::Closed } else { ShadowMode::Open });
        let Some(mode) = mode else { return false };
        let mut document = self.document.borrow_mut();
        if !may_host_shadow_root(&document, location.id) {
            return false;
        }
        let root = document.turn_template_into_shadow_root(template.id, location.id, mode);
        if let Some(root) = root {
            self.shadow_roots.borrow_mut().insert(template.id, root);
        }
        root.is_some()
    }
}

/// The elements that may have a shadow root (DOM Standard, "valid shadow host name").
fn may_host_shadow_root(document: &Document, id: NodeId) -> bool {
    const HOSTS: &[Name] = &[
        name::ARTICLE,
        name::ASIDE,
        name::BLOCKQUOTE,
        name::BODY,
        name::DIV,
        name::FOOTER,
        name::H1,
        name::H2,
        name::H3,
        name::H4,
        name::H5,
        name::H6,
        name::HEADER,
        name::MAIN,
        name::NAV,
        name::P,
        name::SECTION,
        name::SPAN,
    ];
    document.html_name(id).is_some_and(|name| HOSTS.contains(&name) || document.name_text(name).contains('-'))
}
