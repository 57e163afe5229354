//! Keeps the tree builder's stack of open elements short, since its time is quadratic in it.
//!
//! Measured on html5ever 0.40: 256 KB of nested lists take 33 s. Browsers stop nesting at 512
//! levels and make a deeper element the sibling of the one it was opened in. The guard does the
//! same in front of the builder: at the limit it closes the current element before it lets the
//! next one open, and later swallows the end tag that was meant for the one it closed.

use std::cell::{Cell, RefCell};

use html5ever::interface::Tracer;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{Attribute, LocalName, local_name};
use rustc_hash::FxHashMap;

use super::html::Settings;
use super::sink::{ArenaSink, Handle};
use super::tokenizer::Sink;
use crate::document::NodeId;

/// Formatting elements that were never closed are opened again in each block, all of them; while
/// this many are open or waiting to be, a further one is not opened.
const FORMATTING_LIMIT: usize = 64;

/// The least depth that leaves room for a page's own frame and a table in it.
const LEAST_DEPTH: usize = 8;

/// A token sink in front of the tree builder.
pub(super) struct Guard {
    pub(super) builder: TreeBuilder<Handle, ArenaSink>,
    /// The most elements that may be open when another one is to be opened.
    limit: usize,
    /// The elements that were open at the last look, and the number made until then. An element
    /// is made before it is opened, so that the two bound what is open now.
    open_then: Cell<usize>,
    made_then: Cell<usize>,
    /// Whether room was made for the last start tag and nothing was closed since. Then the element
    /// that was made last is the one at the limit if it is open at all, and needs no look.
    made_room: Cell<bool>,
    /// The same bound for formatting elements, counted by their start tags.
    formatting_bound: Cell<usize>,
    closed_early: RefCell<ClosedEarly>,
    mhtml: bool,
    pub(super) limited: Cell<bool>,
    pub(super) formatting_dropped: Cell<bool>,
}

/// The elements that would still be open without the limit, outermost first.
#[derive(Default)]
struct ClosedEarly {
    names: Vec<LocalName>,
    counts: FxHashMap<LocalName, usize>,
}

impl ClosedEarly {
    fn push(&mut self, name: LocalName) {
        *self.counts.entry(name.clone()).or_default() += 1;
        self.names.push(name);
    }

    /// Closes the innermost element of this name and those within it; says whether there is one.
    fn close(&mut self, name: &LocalName) -> bool {
        if self.counts.get(name).is_none_or(|&count| count == 0) {
            return false;
        }
        while let Some(closed) = self.names.pop() {
            if let Some(count) = self.counts.get_mut(&closed) {
                *count -= 1;
            }
            if closed == *name {
                break;
            }
        }
        true
    }

    fn clear(&mut self) {
        self.names.clear();
        self.counts.clear();
    }
}

/// What a look at the builder's stack of open elements finds.
struct OpenElements {
    length: usize,
    /// Whether an element of the name asked for is open at the limit or above it.
    named_at_limit: bool,
}

impl Guard {
    pub(super) fn new(builder: TreeBuilder<Handle, ArenaSink>, settings: &Settings) -> Self {
        Self {
            builder,
            // One level is left for elements without content, which are never open.
            limit: settings.limits.depth.max(LEAST_DEPTH) - 1,
            mhtml: settings.mhtml,
            open_then: Cell::new(0),
            made_then: Cell::new(0),
            made_room: Cell::new(false),
            formatting_bound: Cell::new(0),
            closed_early: RefCell::default(),
            limited: Cell::new(false),
            formatting_dropped: Cell::new(false),
        }
    }

    /// The most elements that can be open now.
    fn open_bound(&self) -> usize {
        self.open_then.get() + (self.builder.sink.elements_made.get() - self.made_then.get())
    }

    /// The element that is open innermost. The builder tells nobody, but asks for that element's
    /// name to answer another question.
    fn current(&self) -> NodeId {
        self.builder.sink.asked_for.set(NodeId::DOCUMENT);
        let _ = self.builder.adjusted_current_node_present_but_not_in_html_namespace();
        self.builder.sink.asked_for.get()
    }

    /// Looks at the stack of open elements, which costs a step for each of them.
    fn look(&self, name: Option<&LocalName>) -> OpenElements {
        let look = Look {
            current: self.current(),
            name,
            limit: self.limit,
            position: Cell::new(0),
            length: Cell::new(0),
            rest: Cell::new(0),
            named_at_limit: Cell::new(false),
        };
        self.builder.trace_handles(&look);
        self.open_then.set(look.length.get());
        self.made_then.set(self.builder.sink.elements_made.get());
        self.formatting_bound.set(look.rest.get());
        OpenElements { length: look.length.get(), named_at_limit: look.named_at_limit.get() }
    }

    /// Whether the start tag may go on to the builder, after making room for its element.
    fn admit_start_tag(&self, tag: &Tag, line: u64) -> bool {
        if self.open_bound() >= self.limit && !stays_closed(&tag.name) && !self.make_room(tag, line) {
            // Raw text must not be left to be read as markup.
            return is_raw_text(&tag.name);
        }
        !is_formatting(&tag.name) || self.admit_formatting()
    }

    /// Whether one more formatting element may open.
    #[inline(never)]
    fn admit_formatting(&self) -> bool {
        if self.formatting_bound.get() >= FORMATTING_LIMIT {
            self.look(None);
            if self.formatting_bound.get() >= FORMATTING_LIMIT {
                self.formatting_dropped.set(true);
                return false;
            }
        }
        self.formatting_bound.set(self.formatting_bound.get() + 1);
        true
    }

    /// Closes elements until one more may open; says whether that could be done.
    #[inline(never)]
    fn make_room(&self, tag: &Tag, line: u64) -> bool {
        let sink = &self.builder.sink;
        let follows = self.made_room.get()
            && sink.elements_made.get() == self.made_then.get() + 1
            && self.current() == sink.last_made.get();
        let mut length = if follows { self.limit } else { self.look(None).length };
        let made = sink.elements_made.get();
        // What the last tag implied (a row and a section for a cell) is open too.
        while length >= self.limit {
            let current = self.current();
            let foreign = sink.document.borrow().html_name(current).is_none();
            if foreign && tag.self_closing {
                return true;
            }
            self.limited.set(true);
            let name = LocalName::from(sink.document.borrow().local_name(current));
            self.end_element(&name, line);
            if self.current() == current {
                self.made_room.set(false);
                return false;
            }
            self.closed_early.borrow_mut().push(name);
            self.made_room.set(true);
            length -= 1;
            self.open_then.set(length);
            self.made_then.set(made);
        }
        true
    }

    fn end_element(&self, name: &LocalName, line: u64) {
        let end = Tag {
            kind: TagKind::EndTag,
            // The builder compares names of SVG in lower case.
            name: name.to_ascii_lowercase(),
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        let _ = self.builder.process_token(Token::TagToken(end), line);
    }

    /// Handles an end tag while there are elements that were closed early.
    #[inline(never)]
    fn process_end_tag(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let Token::TagToken(Tag { name, .. }) = &token else { return self.builder.process_token(token, line) };
        self.made_room.set(false);
        let open = self.look(Some(name));
        if !open.named_at_limit && self.closed_early.borrow_mut().close(name) {
            return TokenSinkResult::Continue;
        }
        let current = self.current();
        let result = self.builder.process_token(token, line);
        if self.current() != current && self.look(None).length < self.limit - 1 {
            // What was closed is around those that were closed early.
            self.closed_early.borrow_mut().clear();
        }
        result
    }
}

impl Sink for Guard {
    fn spare_attributes(&self) -> Vec<Attribute> {
        self.builder.sink.spare_attributes.take()
    }
}

impl TokenSink for Guard {
    type Handle = Handle;

    // Inlined, since each call hands the token on by copying it.
    #[inline(always)]
    fn process_token(&self, mut token: Token, line: u64) -> TokenSinkResult<Handle> {
        if self.builder.sink.over_budget.get() && token != Token::EOFToken {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &mut token {
            if tag.kind == TagKind::EndTag {
                if !self.closed_early.borrow().names.is_empty() {
                    return self.process_end_tag(token, line);
                }
            } else {
                if tag.name == local_name!("template") {
                    read_shadow_root_mode(tag, self.mhtml);
                }
                if !self.admit_start_tag(tag, line) {
                    return TokenSinkResult::Continue;
                }
            }
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Walks over what the builder holds: the document, the open elements, the active formatting
/// elements, then its head, form and context elements. An element is open once, so the current
/// one ends the open elements.
struct Look<'name> {
    current: NodeId,
    name: Option<&'name LocalName>,
    limit: usize,
    position: Cell<usize>,
    length: Cell<usize>,
    rest: Cell<usize>,
    named_at_limit: Cell<bool>,
}

impl Tracer for Look<'_> {
    type Handle = Handle;

    fn trace_handle(&self, node: &Handle) {
        if self.length.get() > 0 {
            self.rest.set(self.rest.get() + 1);
            return;
        }
        let position = self.position.get();
        self.position.set(position + 1);
        if position >= self.limit && self.name.is_some_and(|name| *name == node.local) {
            self.named_at_limit.set(true);
        }
        if position > 0 && node.id == self.current {
            self.length.set(position);
        }
    }
}

/// Spells the mode of a declarative shadow root as the builder knows it.
fn read_shadow_root_mode(template: &mut Tag, mhtml: bool) {
    for attribute in &mut template.attrs {
        if mhtml && &*attribute.name.local == "shadowmode" {
            attribute.name.local = LocalName::from("shadowrootmode");
        }
        if &*attribute.name.local == "shadowrootmode" {
            attribute.value = attribute.value.to_ascii_lowercase().into();
        }
    }
}

/// Elements that are not open after their start tag, or that are open already.
fn stays_closed(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("basefont")
            | local_name!("bgsound")
            | local_name!("body")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("frame")
            | local_name!("head")
            | local_name!("hr")
            | local_name!("html")
            | local_name!("img")
            | local_name!("image")
            | local_name!("input")
            | local_name!("keygen")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
    )
}

/// The elements that the builder opens again in the next block, as many as there are. (It never
/// keeps more than one `a` and one `nobr`, and links matter.)
fn is_formatting(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

fn is_raw_text(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("script")
            | local_name!("style")
            | local_name!("xmp")
            | local_name!("iframe")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("noscript")
            | local_name!("textarea")
            | local_name!("title")
            | local_name!("plaintext")
    )
}
