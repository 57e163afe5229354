//! Keeps the tree builder from going deep, where its time is quadratic.
//!
//! Measured on html5ever 0.40: 256 KB of nested lists take 33 s. Browsers stop nesting at 512
//! levels and make a deeper element the sibling of the one it was opened in. The guard does the
//! same in front of the builder: at the limit it closes the current element before it lets the
//! next one open, and later swallows the end tag that was meant for the one it closed.

use std::cell::{Cell, RefCell};

use html5ever::LocalName;
use html5ever::ns;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use rustc_hash::FxHashMap;

use super::html::{ArenaSink, Handle, is_formatting};

/// Formatting elements that were never closed are opened again in each block, all of them; past
/// this many in one row a further one is not opened.
const FORMATTING_LIMIT: u32 = 64;

/// How far past the limit implied elements (a row for a cell) may go before a tag is dropped.
const SLACK: u32 = 8;

/// A token sink in front of the tree builder.
pub(super) struct Guard {
    pub(super) builder: TreeBuilder<Handle, ArenaSink>,
    depth_limit: u32,
    /// End tags to swallow, by name: their elements were closed early or never opened.
    closed_early: RefCell<FxHashMap<LocalName, usize>>,
    pub(super) limited: Cell<bool>,
}

impl Guard {
    pub(super) fn new(builder: TreeBuilder<Handle, ArenaSink>, depth_limit: usize) -> Self {
        Self {
            builder,
            // Room for the elements that the builder implies before the sink has to flatten.
            depth_limit: u32::try_from(depth_limit).unwrap_or(u32::MAX).saturating_sub(1),
            closed_early: RefCell::default(),
            limited: Cell::new(false),
        }
    }

    /// Whether the start tag may go on to the builder.
    fn admit_start_tag(&self, tag: &Tag, line: u64) -> bool {
        if self.builder.sink.current_depth.get().levels >= self.depth_limit && !is_void(&tag.name) {
            self.limited.set(true);
            self.close_current(line);
            if self.builder.sink.current_depth.get().levels >= self.depth_limit + SLACK {
                return self.drop_tag(tag);
            }
        }
        let name = html5ever::QualName::new(None, ns!(html), tag.name.clone());
        if is_formatting(&name) && self.builder.sink.current_depth.get().formatting >= FORMATTING_LIMIT {
            self.limited.set(true);
            return self.drop_tag(tag);
        }
        true
    }

    fn close_current(&self, line: u64) {
        let Some(name) = self.builder.sink.current_name() else { return };
        *self.closed_early.borrow_mut().entry(name.clone()).or_default() += 1;
        let end = Tag {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        let _ = self.builder.process_token(Token::TagToken(end), line);
    }

    fn drop_tag(&self, tag: &Tag) -> bool {
        // Raw text must not be left to be read as markup.
        if is_raw_text(&tag.name) {
            return true;
        }
        *self.closed_early.borrow_mut().entry(tag.name.clone()).or_default() += 1;
        false
    }

    /// Whether the end tag may go on to the builder.
    fn admit_end_tag(&self, tag: &Tag) -> bool {
        if self.builder.sink.current_depth.get().levels >= self.depth_limit {
            return true;
        }
        let mut closed_early = self.closed_early.borrow_mut();
        match closed_early.get_mut(&tag.name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        }
    }
}

impl TokenSink for Guard {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if self.builder.sink.passed_node_limit.get() && token != Token::EOFToken {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token {
            let admitted = match tag.kind {
                TagKind::StartTag => self.admit_start_tag(tag, line),
                TagKind::EndTag => self.closed_early.borrow().is_empty() || self.admit_end_tag(tag),
            };
            if !admitted {
                return TokenSinkResult::Continue;
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

fn is_void(name: &LocalName) -> bool {
    matches!(
        &**name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

fn is_raw_text(name: &LocalName) -> bool {
    matches!(
        &**name,
        "script"
            | "style"
            | "xmp"
            | "iframe"
            | "noembed"
            | "noframes"
            | "noscript"
            | "textarea"
            | "title"
            | "plaintext"
    )
}
