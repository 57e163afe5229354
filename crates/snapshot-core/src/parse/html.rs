//! html5ever's tokenizer and tree builder, building into our arena.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::{Attribute, ElemName, ElementFlags, NodeOrText, QuirksMode as Quirks, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, Namespace as AtomNamespace, QualName, TokenizerResult, ns};
use rustc_hash::FxHashMap;

use super::guard::Guard;
use super::tag_limits::TagLimits;
use super::{Limits, ParseOptions, Parsed};
use crate::document::{AttributeNamespace, Document, Name, Namespace, NodeId, NodeKind, QuirksMode, ShadowMode, name};
use crate::error::{Diagnostic, Error};

/// What a parse of one document obeys.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) limits: Limits,
    pub(super) scripting: bool,
    pub(super) srcdoc: bool,
    /// The most nodes that the page may have when this parse is done.
    pub(super) node_limit: usize,
}

impl Settings {
    pub(super) fn new(options: &ParseOptions, page_bytes: usize) -> Self {
        Self {
            limits: options.limits,
            scripting: options.scripting,
            srcdoc: false,
            node_limit: node_limit(&options.limits, page_bytes),
        }
    }
}

/// A node takes at least a few bytes of source, except where unclosed formatting elements are
/// opened again in each paragraph; that multiplication is what this bounds.
fn node_limit(limits: &Limits, page_bytes: usize) -> usize {
    const ALLOWANCE: usize = 1 << 16;
    limits.nodes.min(ALLOWANCE.saturating_add(page_bytes))
}

/// Parses `text` as a document whose root is `root`, a document node of `parsed.document`.
pub(super) fn parse_into(parsed: &mut Parsed, root: NodeId, text: &str, settings: &Settings) -> Result<(), Error> {
    let tags = TagLimits::scan(text, &settings.limits);
    let sink = ArenaSink::new(std::mem::take(&mut parsed.document), root, settings);
    let builder = TreeBuilder::new(
        sink,
        TreeBuilderOpts {
            scripting_enabled: settings.scripting,
            iframe_srcdoc: settings.srcdoc,
            ..TreeBuilderOpts::default()
        },
    );
    let tokenizer = Tokenizer::new(Guard::new(builder, settings.limits.depth), TokenizerOpts::default());
    let queue = BufferQueue::default();
    for piece in tags.pieces(text) {
        queue.push_back(StrTendril::from_slice(piece));
    }
    // The tokenizer pauses at each `</script>` for a browser to run it and at each `<meta charset>`
    // for one to start over; here the characters are decoded already and nothing runs.
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    let guard = tokenizer.sink;
    let sink = guard.builder.sink;
    let passed_node_limit = sink.passed_node_limit.get();
    parsed.document = sink.document.into_inner();
    if passed_node_limit {
        return Err(Error::TooManyNodes { limit: settings.node_limit });
    }
    tags.report(&mut parsed.diagnostics);
    if sink.flattened.get() || guard.limited.get() {
        parsed.diagnostics.push(Diagnostic::warning(format!(
            "elements nested deeper than {} levels were attached to the last allowed ancestor",
            settings.limits.depth
        )));
    }
    if parsed.document.overflowed() {
        parsed.diagnostics.push(Diagnostic::warning("text past 4 GiB was dropped"));
    }
    Ok(())
}

/// The tree builder's reference to a node; it carries the name, which the builder asks for all
/// the time.
#[derive(Clone)]
pub(super) struct Handle {
    pub(super) id: NodeId,
    name: QualName,
}

/// The name as the tree builder wants it.
pub(super) struct HandleName<'handle>(&'handle QualName);

impl std::fmt::Debug for HandleName<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0.local)
    }
}

impl ElemName for HandleName<'_> {
    fn ns(&self) -> &AtomNamespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

/// Receives what the tree builder decides and writes it into the arena.
pub(super) struct ArenaSink {
    document: RefCell<Document>,
    root: NodeId,
    names: RefCell<FxHashMap<LocalName, Name>>,
    /// The depth of each node of this parse below `root`, as the builder sees it.
    depths: RefCell<Vec<Depth>>,
    first_node: usize,
    depth_limit: u32,
    node_limit: usize,
    /// What the guard reads: where the builder is now.
    pub(super) current: Cell<Option<NodeId>>,
    pub(super) current_depth: Cell<Depth>,
    pub(super) passed_node_limit: Cell<bool>,
    flattened: Cell<bool>,
}

/// How deep a node lies.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Depth {
    /// Levels below the root.
    pub(super) levels: u32,
    /// How many of the last of them are formatting elements in one row.
    pub(super) formatting: u32,
}

impl ArenaSink {
    fn new(document: Document, root: NodeId, settings: &Settings) -> Self {
        Self {
            first_node: document.len(),
            document: RefCell::new(document),
            root,
            names: RefCell::default(),
            depths: RefCell::default(),
            depth_limit: u32::try_from(settings.limits.depth).unwrap_or(u32::MAX),
            node_limit: settings.node_limit,
            current: Cell::new(None),
            current_depth: Cell::default(),
            passed_node_limit: Cell::new(false),
            flattened: Cell::new(false),
        }
    }

    fn intern(&self, document: &mut Document, local: &LocalName, prefix: Option<&str>) -> Name {
        if let Some(prefix) = prefix.filter(|prefix| !prefix.is_empty()) {
            return document.intern(&format!("{prefix}:{local}"));
        }
        if let Some(&name) = self.names.borrow().get(local) {
            return name;
        }
        let name = document.intern(local);
        self.names.borrow_mut().insert(local.clone(), name);
        name
    }

    fn push_attributes(&self, document: &mut Document, id: NodeId, attributes: &[Attribute]) {
        for attribute in attributes {
            let prefix = attribute.name.prefix.as_deref();
            let name = self.intern(document, &attribute.name.local, prefix);
            let namespace = match attribute.name.ns {
                ns!(xlink) => AttributeNamespace::XLink,
                ns!(xml) => AttributeNamespace::Xml,
                ns!(xmlns) => AttributeNamespace::Xmlns,
                _ => AttributeNamespace::None,
            };
            if namespace == AttributeNamespace::None && document.has_attribute(id, name) {
                continue;
            }
            document.push_attribute(id, name, namespace, &attribute.value);
        }
    }

    fn handle(&self, id: NodeId) -> Handle {
        Handle { id, name: QualName::new(None, ns!(), LocalName::default()) }
    }

    /// The name of the element that the builder adds to now.
    pub(super) fn current_name(&self) -> Option<LocalName> {
        self.current.get().map(|id| LocalName::from(self.document.borrow().local_name(id)))
    }

    fn depth(&self, id: NodeId) -> Depth {
        id.index().checked_sub(self.first_node).and_then(|at| self.depths.borrow().get(at).copied()).unwrap_or_default()
    }

    fn set_depth(&self, id: NodeId, depth: Depth) {
        let Some(at) = id.index().checked_sub(self.first_node) else { return };
        let mut depths = self.depths.borrow_mut();
        if depths.len() <= at {
            depths.resize(at + 1, Depth::default());
        }
        depths[at] = depth;
    }

    /// Where a child of `parent` goes: to `parent`, or past the depth limit to the nearest
    /// ancestor that may still have children.
    fn allowed_parent(&self, document: &Document, parent: NodeId) -> NodeId {
        let excess = self.depth(parent).levels.saturating_sub(self.depth_limit - 1);
        if excess == 0 {
            return parent;
        }
        self.flattened.set(true);
        // An ancestor of a node past the limit is at most at the limit itself, so this is short.
        let mut node = parent;
        while self.depth(node).levels >= self.depth_limit {
            let Some(above) = document.composed_parent(node) else { break };
            node = above;
        }
        node
    }

    fn append_child(&self, document: &mut Document, parent: NodeId, child: NodeOrText<Handle>) {
        let depth = self.depth(parent);
        match child {
            NodeOrText::AppendNode(child) => {
                let levels = depth.levels + 1;
                let formatting = if is_formatting(&child.name) { depth.formatting + 1 } else { 0 };
                let depth = Depth { levels, formatting };
                self.set_depth(child.id, depth);
                self.current_depth.set(depth);
                let parent = self.allowed_parent(document, parent);
                document.append(parent, child.id);
                self.current.set(Some(child.id));
            }
            NodeOrText::AppendText(text) => {
                self.current_depth.set(depth);
                match document.last_child(parent).filter(|&last| document.is_text(last)) {
                    Some(last) => document.append_text(last, &text),
                    None => {
                        let id = document.create_text(&text);
                        document.append(parent, id);
                    }
                }
            }
        }
    }

    fn create(&self, make: impl FnOnce(&mut Document) -> NodeId) -> Handle {
        let mut document = self.document.borrow_mut();
        let id = make(&mut document);
        if document.len() > self.node_limit {
            self.passed_node_limit.set(true);
        }
        self.handle(id)
    }
}

/// The elements that the tree builder opens again in the next block when they were not closed.
pub(super) fn is_formatting(name: &QualName) -> bool {
    name.ns == ns!(html)
        && matches!(
            &*name.local,
            "a" | "b"
                | "big"
                | "code"
                | "em"
                | "font"
                | "i"
                | "nobr"
                | "s"
                | "small"
                | "strike"
                | "strong"
                | "tt"
                | "u"
        )
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
        HandleName(&target.name)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut handle = self.create(|document| {
            let namespace = match name.ns {
                ns!(svg) => Namespace::Svg,
                ns!(mathml) => Namespace::MathMl,
                _ => Namespace::Html,
            };
            let interned = self.intern(document, &name.local, None);
            let id = document.create_element(interned, namespace);
            self.push_attributes(document, id, &attributes);
            if flags.template {
                document.attach_template_contents(id);
            }
            id
        });
        handle.name = name;
        handle
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.create(|document| document.create_comment(&text))
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.create(|document| document.create_processing_instruction(&format!("{target} {data}")))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.append_child(&mut self.document.borrow_mut(), parent.id, child);
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

    fn pop(&self, node: &Handle) {
        let document = self.document.borrow();
        let depth = self.depth(node.id);
        self.current_depth
            .set(Depth { levels: depth.levels.saturating_sub(1), formatting: depth.formatting.saturating_sub(1) });
        // The builder does not say which element is current now; the parent is in all but the
        // misnested cases, and the guard checks before it trusts.
        self.current.set(document.parent(node.id).filter(|&above| document.is_element(above)));
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let mut document = self.document.borrow_mut();
        // A declarative shadow root's template has given its contents away; what follows goes on
        // filling the shadow tree.
        let contents = document.template_contents(target.id).or_else(|| document.attach_template_contents(target.id));
        let id = contents.unwrap_or(target.id);
        self.set_depth(id, self.depth(target.id));
        self.handle(id)
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
        let above = document.parent(sibling.id).map(|parent| self.depth(parent)).unwrap_or_default();
        match child {
            NodeOrText::AppendNode(child) => {
                let depth = Depth { levels: above.levels + 1, formatting: u32::from(is_formatting(&child.name)) };
                self.set_depth(child.id, depth);
                self.current_depth.set(depth);
                document.insert_before(sibling.id, child.id);
                self.current.set(Some(child.id));
            }
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

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        self.push_attributes(&mut self.document.borrow_mut(), target.id, &attributes);
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
            .find(|attribute| &*attribute.name.local == "shadowrootmode")
            .map(|attribute| if &*attribute.value == "closed" { ShadowMode::Closed } else { ShadowMode::Open });
        let Some(mode) = mode else { return false };
        let mut document = self.document.borrow_mut();
        if !may_host_shadow_root(&document, location.id) {
            return false;
        }
        document.turn_template_into_shadow_root(template.id, location.id, mode)
    }

    fn maybe_clone_an_option_into_selectedcontent(&self, option: &Handle) {
        clone_into_selectedcontent(&mut self.document.borrow_mut(), option.id);
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

/// HTML Standard, "maybe clone an option into selectedcontent": the chosen option's content is
/// shown again in the select's button.
fn clone_into_selectedcontent(document: &mut Document, option: NodeId) {
    let Some(select) = document.ancestors(option).find(|&above| document.is_html(above, name::SELECT)) else { return };
    if document.has_attribute(select, name::MULTIPLE) {
        return;
    }
    let first_option = document.descendants(select).find(|&node| document.is_html(node, name::OPTION));
    if !document.has_attribute(option, name::SELECTED) && first_option != Some(option) {
        return;
    }
    let target = document.descendants(select).find(|&node| document.is_html(node, name::SELECTEDCONTENT));
    let Some(target) = target else { return };
    if document.ancestors(target).any(|above| above == option) {
        return;
    }
    while let Some(child) = document.first_child(target) {
        document.detach(child);
    }
    let mut copies = vec![(option, target)];
    let sources: Vec<NodeId> = document.descendants(option).collect();
    for source in sources {
        let copy = match document.kind(source) {
            NodeKind::Element => {
                let (Some(name), Some(namespace)) = (document.name(source), document.namespace(source)) else {
                    continue;
                };
                let copy = document.create_element(name, namespace);
                let attributes: Vec<_> = document
                    .attributes(source)
                    .map(|attribute| (attribute.name, attribute.namespace, attribute.value.to_owned()))
                    .collect();
                for (name, namespace, value) in attributes {
                    document.push_attribute(copy, name, namespace, &value);
                }
                copy
            }
            NodeKind::Text => {
                let text = document.text(source).to_owned();
                document.create_text(&text)
            }
            _ => continue,
        };
        let parent = document.parent(source);
        while copies.len() > 1 && copies.last().map(|&(source, _)| source) != parent {
            copies.pop();
        }
        if let Some(&(_, to)) = copies.last() {
            document.append(to, copy);
        }
        copies.push((source, copy));
    }
}
