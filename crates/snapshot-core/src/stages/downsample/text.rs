//! Dropping the sentences that say least.

use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashSet;

use super::classes::PHRASES;
use crate::document::{Document, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::page::Page;
use crate::semantics::{Role, is_replaced};
use crate::text::is_significant;
use crate::text::ranking::{kept, order, select};
use crate::text::sentences::{is_sentence, sentences};
use crate::text::spacing::without_blanks;

/// Drops the share of sentences of each block of text.
pub(super) fn shorten(draft: &mut Draft<'_>, share: f64) {
    let blocks = Blocks::find(draft);
    let mut shortened = Vec::new();
    for block in &blocks.blocks {
        if shorten_block(draft, block, share) {
            shortened.push(block.home);
        }
    }
    rename(draft, &shortened);
}

/// Text that runs together: between two borders of blocks.
struct Block {
    /// The block element around.
    home: NodeId,
    text: String,
    pieces: Vec<Piece>,
}

/// A part of a block's text.
struct Piece {
    /// The text node; none for something else that stands in the line.
    node: Option<NodeId>,
    range: Range<usize>,
    /// It stays when its sentence goes.
    fixed: bool,
}

#[derive(Default)]
struct Blocks {
    blocks: Vec<Block>,
    current: Option<Block>,
}

/// An element whose end has not come yet.
struct Open {
    node: NodeId,
    block: bool,
    /// The block that its text belongs to.
    home: NodeId,
    /// Its text is no part of any block.
    closed: bool,
    /// Its text stays.
    fixed: bool,
}

impl Blocks {
    fn find(draft: &Draft<'_>) -> Self {
        let document = draft.document();
        let semantics = draft.page().semantics();
        let naming = naming_ids(document);
        let mut blocks = Self::default();
        let mut open: Vec<Open> = Vec::new();
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let parent = document.composed_parent(node);
            while open.last().is_some_and(|last| Some(last.node) != parent) {
                if open.pop().is_some_and(|ended| ended.block) {
                    blocks.end();
                }
            }
            let (home, closed, fixed) =
                open.last().map_or((NodeId::DOCUMENT, false, false), |last| (last.home, last.closed, last.fixed));
            match document.kind(node) {
                NodeKind::Text if !closed => blocks.add_text(document, home, node, fixed),
                NodeKind::Element if document.is_html(node, name::BR) => blocks.add_mark(home, "\n"),
                NodeKind::Element => {
                    let block = semantics.style(node).display.is_block();
                    let target = draft.is_target(node);
                    let closed = closed || is_closed(draft, node, &naming);
                    let inline = closed && !block && !open.last().is_some_and(|last| last.closed);
                    if block {
                        blocks.end();
                    } else if inline && document.first_child(node).is_none() {
                        blocks.add_mark(home, "\u{fffc}");
                    }
                    // An inline control is a part of its sentence, whose text stays.
                    let fixed = fixed || inline || target && !block;
                    let home = if block { node } else { home };
                    open.push(Open { node, block, home, closed: closed && !inline, fixed });
                }
                NodeKind::Text | NodeKind::Comment | NodeKind::Doctype | NodeKind::ProcessingInstruction => {}
                _ => {
                    blocks.end();
                    open.push(Open { node, block: true, home, closed, fixed });
                }
            }
        }
        blocks.end();
        blocks
    }

    fn add_text(&mut self, document: &Document, home: NodeId, node: NodeId, fixed: bool) {
        let block = self.current.get_or_insert_with(|| Block { home, text: String::new(), pieces: Vec::new() });
        let start = block.text.len();
        // Line breaks of the source are white space like any other.
        block.text.extend(
            document
                .text(node)
                .chars()
                .map(|character| if matches!(character, '\n' | '\r' | '\t' | '\u{c}') { ' ' } else { character }),
        );
        block.pieces.push(Piece { node: Some(node), range: start..block.text.len(), fixed });
    }

    fn add_mark(&mut self, home: NodeId, mark: &str) {
        let block = self.current.get_or_insert_with(|| Block { home, text: String::new(), pieces: Vec::new() });
        let start = block.text.len();
        block.text.push_str(mark);
        block.pieces.push(Piece { node: None, range: start..block.text.len(), fixed: mark != "\n" });
    }

    fn end(&mut self) {
        self.blocks.extend(self.current.take());
    }
}

/// Whether the element's text is not to be shortened: what names something else or is a name
/// itself, what a person has typed, what is preformatted or no text at all.
fn is_closed(draft: &Draft<'_>, node: NodeId, naming: &FxHashSet<String>) -> bool {
    let document = draft.document();
    let by_name = match document.html_name(node) {
        Some(
            name::CAPTION
            | name::FIGCAPTION
            | name::LABEL
            | name::LEGEND
            | name::SUMMARY
            | name::PRE
            | name::LISTING
            | name::XMP
            | name::SCRIPT
            | name::STYLE
            | name::TITLE
            | name::DATALIST
            | name::OPTION
            | name::CODE
            | name::KBD
            | name::SAMP,
        ) => true,
        Some(_) => false,
        None => true,
    };
    by_name
        || is_replaced(document, node)
        || document.has_attribute(node, name::CONTENTEDITABLE)
        || draft.role(node).is_some_and(is_called_by_content)
        || document.attribute(node, name::ID).is_some_and(|id| naming.contains(id))
}

/// Roles whose content is their name, and short.
fn is_called_by_content(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Checkbox
            | Role::ComboBox
            | Role::Heading
            | Role::Link
            | Role::ListBox
            | Role::MenuItem
            | Role::MenuItemCheckbox
            | Role::MenuItemRadio
            | Role::Option
            | Role::Radio
            | Role::SearchBox
            | Role::Slider
            | Role::SpinButton
            | Role::Switch
            | Role::Tab
            | Role::TextBox
            | Role::Tooltip
            | Role::TreeItem
            | Role::Math
            | Role::Code
    )
}

/// The ids of elements that name or describe others.
fn naming_ids(document: &Document) -> FxHashSet<String> {
    document
        .composed_descendants(NodeId::DOCUMENT)
        .flat_map(|node| {
            [name::ARIA_LABELLEDBY, name::ARIA_DESCRIBEDBY].map(|attribute| document.attribute(node, attribute))
        })
        .flatten()
        .flat_map(|ids| ids.split_ascii_whitespace().map(str::to_owned))
        .collect()
}

/// Drops sentences of one block; whether there were any to drop.
fn shorten_block(draft: &mut Draft<'_>, block: &Block, share: f64) -> bool {
    let ranges = sentences_of(block);
    let keep = kept(ranges.len(), share);
    if keep >= ranges.len() {
        return false;
    }
    let texts: Vec<&str> = ranges.iter().map(|range| block.text.get(range.clone()).unwrap_or("")).collect();
    let holds_fixed = fixed_sentences(block, &ranges);
    let classes: Vec<u8> = texts
        .iter()
        .zip(&holds_fixed)
        .map(|(text, &fixed)| u8::from(is_significant(text)) * 2 + u8::from(fixed))
        .collect();
    let order = order(&texts, &classes);
    let stays = select(&order, &staying(block, &ranges, &texts, &order), keep);
    let mut sentence = 0;
    let mut changed = false;
    for piece in block.pieces.iter().filter(|piece| !piece.fixed) {
        let Some(node) = piece.node else { continue };
        let mut left = String::new();
        while ranges.get(sentence).is_some_and(|range| range.end <= piece.range.start) {
            sentence += 1;
        }
        let overlapping =
            ranges.iter().enumerate().skip(sentence).take_while(|(_, range)| range.start < piece.range.end);
        for (at, range) in overlapping {
            let part = range.start.max(piece.range.start)..range.end.min(piece.range.end);
            let text = block.text.get(part).unwrap_or("");
            if stays.get(at).copied().unwrap_or(true) {
                left.push_str(text);
            } else if holds_fixed.get(at).copied().unwrap_or(false)
                && text.contains(char::is_whitespace)
                && !left.ends_with(char::is_whitespace)
            {
                // What stays of the sentence is held apart by what went.
                left.push(' ');
            }
        }
        if left.len() >= piece.range.len() {
            continue;
        }
        changed = true;
        if left.is_empty() {
            take_out(draft, node);
        } else {
            draft.document_mut().set_text(node, &left);
        }
    }
    if !changed {
        return false;
    }
    let gone = stays.iter().filter(|stays| !**stays).count();
    draft.note(block.home, format!("{gone} of {} sentences", ranges.len()));
    true
}

/// Which sentences never go: fragments that are none, and of the sentences in a text node, if one
/// stands whole in it, the one that says most.
fn staying(block: &Block, ranges: &[Range<usize>], texts: &[&str], order: &[usize]) -> Vec<bool> {
    let mut stays: Vec<bool> = texts.iter().map(|text| !text.trim().is_empty() && !is_sentence(text)).collect();
    let mut places = vec![0; ranges.len()];
    for (place, &at) in order.iter().enumerate() {
        places[at] = place;
    }
    let mut first = 0;
    for piece in block.pieces.iter().filter(|piece| piece.node.is_some() && !piece.fixed) {
        while ranges.get(first).is_some_and(|range| range.end <= piece.range.start) {
            first += 1;
        }
        let inside = || (first..ranges.len()).take_while(|&at| ranges[at].start < piece.range.end);
        let end = |at: usize| ranges[at].start + texts[at].trim_end().len();
        // What is only a part of a sentence is kept or lost with it.
        let holds_one = inside().any(|at| ranges[at].start >= piece.range.start && end(at) <= piece.range.end);
        if holds_one && let Some(best) = inside().min_by_key(|&at| places[at]) {
            stays[best] = true;
        }
    }
    stays
}

/// The sentences of a block; none ends inside a control.
fn sentences_of(block: &Block) -> Vec<Range<usize>> {
    let mut fixed = block.pieces.iter().filter(|piece| piece.fixed).map(|piece| &piece.range).peekable();
    let mut merged: Vec<Range<usize>> = Vec::new();
    for sentence in sentences(&block.text) {
        while fixed.peek().is_some_and(|range| range.end <= sentence.start) {
            fixed.next();
        }
        let goes_on = fixed.peek().is_some_and(|range| range.start < sentence.start);
        match merged.last_mut() {
            Some(last) if goes_on => last.end = sentence.end,
            _ => merged.push(sentence),
        }
    }
    merged
}

/// Which sentences hold something that stays when they go.
fn fixed_sentences(block: &Block, ranges: &[Range<usize>]) -> Vec<bool> {
    let mut holds = vec![false; ranges.len()];
    let mut first = 0;
    for piece in block.pieces.iter().filter(|piece| piece.fixed && !piece.range.is_empty()) {
        while ranges.get(first).is_some_and(|range| range.end <= piece.range.start) {
            first += 1;
        }
        for (range, holds) in
            ranges.iter().zip(&mut holds).skip(first).take_while(|(range, _)| range.start < piece.range.end)
        {
            *holds |= range.end > piece.range.start;
        }
    }
    holds
}

/// Takes a text out, and the bold, italic and so on that is nothing without it.
fn take_out(draft: &mut Draft<'_>, text: NodeId) {
    let mut node = text;
    while let Some(parent) = draft.document().parent(node) {
        let document = draft.document();
        let alone = document.first_child(parent) == Some(node) && document.last_child(parent) == Some(node);
        let empty = document.html_name(parent).is_some_and(|html| PHRASES.contains(&html));
        if !alone || !empty || draft.is_target(parent) || document.shadow_root(parent).is_some() {
            break;
        }
        node = parent;
    }
    if node == text {
        draft.document_mut().detach(text);
    } else {
        draft.remove(node, "its sentences went");
    }
}

/// Gives rows and cells that were called by their content the name of what is left of it, so that
/// no representation has to write both.
fn rename(draft: &mut Draft<'_>, shortened: &[NodeId]) {
    let mut affected = BTreeSet::new();
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    for &block in shortened {
        let mut above = Some(block);
        while let Some(node) = above.filter(|&node| seen.insert(node)) {
            let called_by_content = matches!(
                draft.role(node),
                Some(Role::Row | Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader)
            );
            if called_by_content && !draft.name(node).is_empty() {
                affected.insert(node);
            }
            above = draft.document().composed_parent(node);
        }
    }
    for node in affected {
        let length = draft.name(node).len();
        let before = content(draft.page(), draft.page().document(), node, length);
        let after = content(draft.page(), draft.document(), node, length);
        let was_content = before.is_some_and(|before| without_blanks(&before).eq(without_blanks(draft.name(node))));
        // A name that says more than the content says it all again.
        draft.set_name(node, after.filter(|_| was_content).unwrap_or_default());
    }
}

/// The text in an element, blocks held apart; nothing if there is much more than `length`.
fn content(page: &Page, document: &Document, node: NodeId, length: usize) -> Option<String> {
    let mut text = String::new();
    for (visited, below) in document.descendants(node).enumerate() {
        if text.len() > 2 * length + 64 || visited > 2 * length + 64 {
            return None;
        }
        if document.is_text(below) {
            text.push_str(document.text(below));
        } else if page.semantics().style(below).display.is_block() {
            text.push(' ');
        }
    }
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}
