//! Builds the tree to write from a draft.

use std::borrow::Cow;
use std::ops::Range;

use super::absorb;
use super::tree::{AxTree, Child, Item, Mark, Run};
use crate::document::{Document, NodeId, name};
use crate::flat_tree::FlatTree;
use crate::representations::{ReferencePolicy, View};
use crate::semantics::style::{Display, PseudoContent};
use crate::semantics::{Reason, Role, Visibility};
use crate::text::address::is_script_address;
use crate::text::invisible::without_invisible;
use crate::text::marks::without_forged_marks;
use crate::text::spacing;

/// A native list of more options than this is written in one line.
const MOST_OPTION_LINES: usize = 12;

/// About how many nodes of a page become one item.
const NODES_AN_ITEM: usize = 3;

/// Builds the tree.
pub(super) fn build<'page>(view: &'page View<'page>) -> AxTree<'page> {
    let tree = FlatTree::for_accessibility(view.draft.document());
    let mut builder = Builder {
        view,
        document: view.draft.document(),
        tree: &tree,
        output: AxTree { items: Vec::with_capacity(tree.len() / NODES_AN_ITEM), ..AxTree::default() },
        frames: Vec::new(),
        pieces: Vec::new(),
        starts: Vec::new(),
    };
    builder.run();
    builder.output
}

/// What has been opened and not yet closed.
#[derive(Debug)]
struct Frame {
    /// The position behind its subtree.
    end: usize,
    kind: FrameKind,
    /// The innermost item around what stands in the frame.
    item: usize,
    /// The item whose name may say the text in the frame.
    absorber: Option<usize>,
    /// Text in the frame is said elsewhere and not written.
    silent: bool,
    /// Only what can be operated is written; the rest is presentation.
    presentational: bool,
    /// Plain options are written in one line.
    compact: bool,
    /// The element whose `::after` ends the frame.
    generator: Option<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FrameKind {
    Item,
    Phrase,
    /// Text before and after it is kept apart.
    Block,
    Inline,
}

/// What was found below an item, before text is folded.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Text(NodeId),
    /// A space, unless there is one.
    Gap,
    Open(NodeId),
    Close,
    Item(usize),
    /// What style sheets write before an element's content, or after it.
    Generated(NodeId, Side),
    /// Holds the place of what was left out.
    Note(NodeId),
}

/// Where generated text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Before,
    After,
}

/// What becomes of an element.
enum Verdict {
    Skip,
    Transparent,
    Phrase,
    Item(Role),
}

pub(super) struct Builder<'run, 'page> {
    pub(super) view: &'page View<'page>,
    document: &'page Document,
    tree: &'run FlatTree,
    pub(super) output: AxTree<'page>,
    frames: Vec<Frame>,
    /// The pieces of all items that are open, the outermost first; the items themselves are in
    /// `output`.
    pieces: Vec<Piece>,
    /// Where the pieces of each open item begin.
    starts: Vec<usize>,
}

impl Builder<'_, '_> {
    fn run(&mut self) {
        self.output.items.push(Item::new(NodeId::DOCUMENT, Role::Document));
        self.starts.push(0);
        self.frames.push(Frame {
            end: self.tree.len(),
            kind: FrameKind::Item,
            item: 0,
            absorber: None,
            silent: false,
            presentational: false,
            compact: false,
            generator: None,
        });
        let mut position = 1;
        while position < self.tree.len() {
            while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| frame.end <= position) {
                self.leave();
            }
            position = self.enter(position);
        }
        while !self.frames.is_empty() {
            self.leave();
        }
    }

    /// Takes up the node at a position and says where to go on.
    fn enter(&mut self, position: usize) -> usize {
        let node = self.tree.node(position);
        let end = self.tree.end(position);
        let Some(above) = self.frames.last() else { return end };
        let (item, absorber, silent, presentational, compact) =
            (above.item, above.absorber, above.silent, above.presentational, above.compact);
        if self.document.is_text(node) {
            if !silent {
                self.push(Piece::Text(node));
            }
            return position + 1;
        }
        if !self.document.is_element(node) {
            if self.view.draft.elision_note(node).is_some() {
                self.push(Piece::Note(node));
            }
            return position + 1;
        }
        let display = self.view.draft.page().semantics().style(node).display;
        let kind = FrameKind::Inline;
        let mut frame = Frame { end, kind, item, absorber, silent, presentational, compact, generator: None };
        match self.judge(node, display, presentational) {
            Verdict::Skip => return end,
            Verdict::Transparent => {
                let broken = self.document.is_html(node, name::BR)
                    || !matches!(display, Display::Inline | Display::Contents | Display::None);
                if broken {
                    frame.kind = FrameKind::Block;
                    self.push(Piece::Gap);
                }
                frame.silent |= self.is_said_by_bearer(node, position);
                if presentational && self.view.draft.role(node).is_some_and(|role| role != Role::Generic) {
                    self.absorb(item, node);
                }
            }
            Verdict::Phrase => {
                frame.kind = FrameKind::Phrase;
                self.push(Piece::Open(node));
            }
            Verdict::Item(role) => {
                let index = self.begin_item(node, role, position, &mut frame);
                frame.kind = FrameKind::Item;
                frame.item = index;
            }
        }
        let is_without_content = self.is_without_content(node);
        if !frame.silent && !is_without_content {
            self.push_generated(node, Side::Before);
            frame.generator = Some(node);
        }
        self.frames.push(frame);
        if is_without_content { end } else { position + 1 }
    }

    /// Takes up what a style sheet writes around an element's content, if it has words in it.
    fn push_generated(&mut self, node: NodeId, side: Side) {
        let Some(content) = self.generated(node, side).filter(|content| content.text.contains(is_telling)) else {
            return;
        };
        let is_apart = content.display.is_block() || content.display == Display::InlineBlock;
        if is_apart {
            self.push(Piece::Gap);
        }
        self.push(Piece::Generated(node, side));
        if is_apart {
            self.push(Piece::Gap);
        }
    }

    fn generated(&self, node: NodeId, side: Side) -> Option<&PseudoContent> {
        let styles = self.view.draft.page().semantics().styles();
        match side {
            Side::Before => styles.before(node),
            Side::After => styles.after(node),
        }
    }

    /// What is below the element is its value, a fallback or drawing, and not content.
    fn is_without_content(&self, node: NodeId) -> bool {
        match self.document.html_name(node) {
            Some(name::IFRAME | name::FRAME) => self.document.frame(node).is_none(),
            Some(
                name::INPUT
                | name::TEXTAREA
                | name::PROGRESS
                | name::METER
                | name::VIDEO
                | name::AUDIO
                | name::DATALIST,
            ) => true,
            _ => false,
        }
    }

    fn judge(&self, node: NodeId, display: Display, presentational: bool) -> Verdict {
        let draft = self.view.draft;
        let root = matches!(self.document.html_name(node), Some(name::HTML | name::BODY));
        if !root
            && self
                .document
                .attribute(node, name::ARIA_HIDDEN)
                .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
        {
            return Verdict::Skip;
        }
        if matches!(draft.page().semantics().visibility(node), Visibility::NotRendered(Reason::Element)) {
            return Verdict::Skip;
        }
        let target = draft.is_target(node);
        let wanted = target || self.view.references == ReferencePolicy::All;
        let role = match draft.role(node) {
            None | Some(Role::Generic) if target => Role::Generic,
            None => return Verdict::Transparent,
            Some(Role::Generic) if draft.name(node).is_empty() || presentational || root => {
                return Verdict::Transparent;
            }
            Some(role) => role,
        };
        if presentational && !target {
            return Verdict::Transparent;
        }
        if !wanted && draft.name(node).is_empty() {
            if role == Role::RowGroup {
                return Verdict::Transparent;
            }
            if absorb::is_phrase(role) && display == Display::Inline {
                return Verdict::Phrase;
            }
        }
        Verdict::Item(role)
    }

    fn begin_item(&mut self, node: NodeId, role: Role, position: usize, frame: &mut Frame) -> usize {
        let draft = self.view.draft;
        let index = self.output.items.len();
        let target = draft.is_target(node);
        let mut item = Item::new(node, role);
        item.name = fold(draft.name(node));
        item.states = draft.states(node);
        item.reference = self.view.reference(node);
        item.value = self.value(node, role);
        if role == Role::Link {
            item.url = draft.address(node).filter(|address| !is_script_address(address));
        }
        if item.value.is_none() {
            item.placeholder = [name::PLACEHOLDER, name::ARIA_PLACEHOLDER]
                .iter()
                .find_map(|&attribute| self.document.attribute(node, attribute))
                .map(fold)
                .filter(|placeholder| !placeholder.is_empty() && *placeholder != item.name)
                .map(|placeholder| placeholder.into_owned().into_boxed_str());
        }
        let named = !item.name.is_empty();
        if (target || role == Role::Heading) && named {
            frame.absorber = Some(index);
        } else if !absorb::dissolves(role) {
            frame.absorber = None;
        }
        frame.silent = false;
        frame.presentational = named
            && (frame.presentational || role.has_presentational_children())
            && !self.document.is_html(node, name::SUMMARY);
        if frame.presentational {
            frame.silent = true;
        }
        if self.document.is_html(node, name::SELECT) {
            let options =
                (position + 1..frame.end).filter(|&at| self.document.is_html(self.tree.node(at), name::OPTION));
            let most = if self.view.options.terse { 1 } else { MOST_OPTION_LINES };
            frame.compact = self.view.references != ReferencePolicy::All && options.take(most + 1).count() > most;
        }
        self.output.items.push(item);
        self.starts.push(self.pieces.len());
        index
    }

    /// The value to write in the item's line. Content that a person edits in place stands below
    /// it as what it is, and the chosen option of a native list is marked there.
    fn value(&self, node: NodeId, role: Role) -> Option<Box<str>> {
        let native = matches!(self.document.html_name(node), Some(name::INPUT | name::TEXTAREA));
        let empty_list = self.document.is_html(node, name::SELECT) && self.tree.descendants(node).is_empty();
        if !native && !role.is_range() && !empty_list {
            return None;
        }
        let value = self.view.draft.value(node)?;
        let lines: Vec<Cow<'_, str>> = value.lines().map(fold).collect();
        Some(lines.join("\n").trim()).filter(|value| !value.is_empty()).map(Box::from)
    }

    /// Whether the text of a label is part of the name of its control, or that of a legend part
    /// of the name of its field set, which stands in the tree.
    fn is_said_by_bearer(&self, node: NodeId, position: usize) -> bool {
        let draft = self.view.draft;
        let bearer = match self.document.html_name(node) {
            Some(name::LABEL) => draft.page().semantics().labelled_control(node),
            Some(name::LEGEND) => {
                self.document.parent(node).filter(|&parent| self.document.is_html(parent, name::FIELDSET))
            }
            _ => None,
        };
        let Some(at) = bearer.and_then(|bearer| self.tree.position(bearer)) else { return false };
        let name = bearer.map_or("", |bearer| draft.name(bearer));
        if name.is_empty() || draft.is_target(node) {
            return false;
        }
        let mut text = String::new();
        let mut inner = position + 1;
        while inner < self.tree.end(position) && text.len() <= 2 * name.len() + 64 {
            if inner == at {
                inner = self.tree.end(at);
                continue;
            }
            text.push_str(self.document.text(self.tree.node(inner)));
            text.push(' ');
            inner += 1;
        }
        let squeeze = |text: &str| -> String { text.chars().filter(|character| !is_blank(*character)).collect() };
        squeeze(name).contains(&squeeze(&text))
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if let Some(node) = frame.generator {
            self.push_generated(node, Side::After);
        }
        match frame.kind {
            FrameKind::Inline => {}
            FrameKind::Block => self.push(Piece::Gap),
            FrameKind::Phrase => self.push(Piece::Close),
            FrameKind::Item => self.end_item(&frame),
        }
    }

    fn end_item(&mut self, frame: &Frame) {
        let Some(start) = self.starts.pop() else { return };
        let children = self.fold_pieces(start);
        self.pieces.truncate(start);
        let index = frame.item;
        let around = self.frames.last().map(|around| (around.item, around.absorber));
        let Some(item) = self.output.items.get_mut(index) else { return };
        item.children = children;
        if frame.compact {
            self.join_options(index);
        }
        let Some((around, absorber)) = around else { return };
        self.drop_repetition(index, frame.absorber);
        if self.is_empty_structure(index) || self.dissolve(index, around, absorber) {
            self.push(Piece::Gap);
        } else if let Some(child) = self.only_child_of_group(index) {
            self.push(Piece::Item(child));
        } else {
            self.push(Piece::Item(index));
        }
    }

    fn push(&mut self, piece: Piece) {
        let Some(&start) = self.starts.last() else { return };
        match (piece, self.pieces.get(start..).and_then(<[Piece]>::last)) {
            (Piece::Gap, None | Some(Piece::Gap)) => {}
            // A phrase element without content is not written.
            (Piece::Close, Some(Piece::Open(_))) => {
                self.pieces.pop();
            }
            _ => self.pieces.push(piece),
        }
    }

    /// Makes runs of the text between items: white space folded, inline text joined as it is,
    /// blocks kept apart by a space.
    fn fold_pieces(&mut self, start: usize) -> Range<usize> {
        let first = self.output.children.len();
        let mut run = self.begin_run();
        let mut space = false;
        for at in start..self.pieces.len() {
            match self.pieces[at] {
                Piece::Gap => space = true,
                Piece::Text(node) => self.push_words(node, self.document.text(node), &run, &mut space),
                Piece::Generated(node, side) => {
                    let text = self.generated(node, side).map_or("", |content| content.text.as_str());
                    // No stage sees this text, so it is made harmless here.
                    let text: String =
                        without_invisible(text).chars().filter(|&character| !is_icon(character)).collect();
                    let text = without_forged_marks(&text);
                    self.push_words(node, &text, &run, &mut space);
                }
                Piece::Open(node) => {
                    if std::mem::take(&mut space) {
                        self.push_space(&run);
                    }
                    self.output.marks.push(Mark { at: self.output.text.len(), opens: Some(node) });
                }
                Piece::Close => self.output.marks.push(Mark { at: self.output.text.len(), opens: None }),
                Piece::Note(node) => {
                    self.end_run(run);
                    self.output.children.extend(self.view.draft.elision_note(node).map(Child::Note));
                    run = self.begin_run();
                    space = false;
                }
                Piece::Item(index) => {
                    self.end_run(run);
                    self.output.children.push(Child::Item(index));
                    run = self.begin_run();
                    space = false;
                }
            }
        }
        self.end_run(run);
        first..self.output.children.len()
    }

    /// Adds the words of a text that `source` stands for.
    fn push_words(&mut self, source: NodeId, text: &str, run: &Run, space: &mut bool) {
        self.output.sources.push((self.output.text.len(), source));
        let mut rest = text;
        while !rest.is_empty() {
            let (words, behind) = rest.split_at(end_of_words(rest));
            if !words.is_empty() {
                if std::mem::take(space) {
                    self.push_space(run);
                }
                self.output.text.push_str(words);
            }
            let mut behind = behind.chars();
            *space |= behind.next().is_some_and(char::is_whitespace);
            rest = behind.as_str();
        }
    }

    fn push_space(&mut self, run: &Run) {
        if self.output.text.len() > run.text.start && !self.output.text.ends_with(' ') {
            self.output.text.push(' ');
        }
    }

    fn begin_run(&self) -> Run {
        let (text, mark) = (self.output.text.len(), self.output.marks.len());
        Run { text: text..text, marks: mark..mark }
    }

    fn end_run(&mut self, mut run: Run) {
        while self.output.text.len() > run.text.start && self.output.text.ends_with(' ') {
            self.output.text.pop();
        }
        run.text.end = self.output.text.len();
        run.marks.end = self.output.marks.len();
        for mark in self.output.marks.get_mut(run.marks.clone()).unwrap_or_default() {
            mark.at = mark.at.min(run.text.end);
        }
        if !run.text.is_empty() || !run.marks.is_empty() {
            self.output.children.push(Child::Run(run));
        }
    }
}

impl Item<'_> {
    fn new(node: NodeId, role: Role) -> Self {
        Self {
            node,
            role,
            name: Cow::Borrowed(""),
            states: Default::default(),
            reference: None,
            url: None,
            placeholder: None,
            value: None,
            children: 0..0,
            absorbed: Vec::new(),
        }
    }
}

/// Whether the character tells a reader something where a style sheet writes it: words,
/// currencies, and the star of what must be filled in. Numbers alone are those of lines.
fn is_telling(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '*' | '$' | '£' | '¥' | '¢' | '\u{20a0}'..='\u{20cf}')
}

/// Whether the character is one of an icon font (Unicode, "private use").
fn is_icon(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
}

/// White space, and characters that are not there to be read.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{ad}' | '\u{200b}')
}

/// Where the words end that the text begins with and that have nothing but single spaces between
/// them. All blanks begin with the bytes that white space begins with.
fn end_of_words(text: &str) -> usize {
    spacing::end_of_words(text, is_blank)
}

/// The text with one space for each run of white space between words, and nothing else blank.
fn fold(text: &str) -> Cow<'_, str> {
    // Names are folded already, so that hardly any text is copied.
    if end_of_words(text) == text.len() { Cow::Borrowed(text) } else { Cow::Owned(folded(text)) }
}

fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split(char::is_whitespace).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().filter(|&character| !is_blank(character)));
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_blank_is_found_by_its_first_byte() {
        for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
            let text = format!("a–{character}");
            assert_eq!(end_of_words(&text) < text.len(), is_blank(character), "{character:?}");
        }
    }

    #[test]
    fn folded_text_is_not_copied() {
        for text in ["", "a", "a b", "å – ö"] {
            assert!(matches!(fold(text), Cow::Borrowed(_)), "{text:?}");
            assert_eq!(fold(text), folded(text));
        }
        for text in [" ", "a ", " a", "a  b", "a\nb", "a\u{a0}b", "a\u{ad}b"] {
            assert_eq!(fold(text), folded(text), "{text:?}");
        }
    }
}
