//! One line per heading, text block or target, in document order.
//!
//! ```text
//! [0] H1 "Ristorante Faro"
//! [3] A "Add" "add?p=margherita"
//! [9] INPUT email "Email" required = "ana@example.org"
//! ```
//!
//! All words of the page stand in JSON strings with every control character and line separator
//! escaped, so that no page can end a line or forge one.

use std::fmt::Write;

use super::states::state_words;
use super::{ReferencePolicy, Representation, View};
use crate::document::{Document, Name, Namespace, NodeId, name};
use crate::flat_tree::FlatTree;
use crate::semantics::Role;
use crate::text::bytes::{self, ByteSet};
use crate::text::spacing::end_of_words;
use crate::text::words::is_separating;
use crate::writer::Writer;

/// The representation.
#[derive(Clone, Copy, Debug, Default)]
pub struct List;

impl Representation for List {
    fn write(&self, view: &View<'_>, writer: &mut Writer) {
        let document = view.draft.document();
        let tree = FlatTree::new(document);
        let lines = Lines { view, document, tree: &tree, texts: own_texts(view, &tree) };
        // Where each line that contains the next ends.
        let mut around: Vec<usize> = Vec::new();
        // Landmarks that hold no line yet, and where they end.
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        let mut line = String::new();
        for position in 0..tree.len() {
            let node = tree.node(position);
            while around.pop_if(|end| *end <= position).is_some() {}
            while waiting.pop_if(|(_, end)| *end <= position).is_some() {}
            if let Some(note) = view.draft.elision_note(node) {
                // No line of the page begins like this.
                writer.push_str(&note);
                writer.push('\n');
                continue;
            }
            let end = tree.end(position);
            line.clear();
            lines.push_line(position, &mut line);
            if !line.is_empty() {
                for (holder, holder_end) in waiting.drain(..) {
                    lines.write(tree.node(holder), &lines.holder(tree.node(holder)), around.len(), writer);
                    around.push(holder_end);
                }
                lines.write(node, &line, around.len(), writer);
                around.push(lines.end_of_what_it_heads(position).unwrap_or(end));
            } else if view.options.indent && !view.options.targets_only && lines.is_holder(node) {
                waiting.push((position, end));
            }
        }
    }
}

/// How much of a long text is written.
const TEXT_LIMIT: usize = 1_000;

/// How many of a choice's options are written.
const OPTION_LIMIT: usize = 12;

struct Lines<'view> {
    view: &'view View<'view>,
    document: &'view Document,
    tree: &'view FlatTree,
    texts: OwnTexts,
}

impl Lines<'_> {
    /// Writes a line, `depth` lines deep.
    fn write(&self, node: NodeId, line: &str, depth: usize, writer: &mut Writer) {
        if self.view.options.indent {
            writer.push_str(&"  ".repeat(depth));
        }
        writer.open(node);
        if let Some(number) = self.reference(node) {
            writer.push('[');
            writer.push_str(itoa::Buffer::new().format(number));
            writer.push_str("] ");
            writer.reference(number);
        }
        writer.push_str(line);
        writer.close();
        writer.push('\n');
    }

    /// Adds the line of the element at the position, without its id; nothing for what has no line.
    fn push_line(&self, position: usize, line: &mut String) {
        let node = self.tree.node(position);
        if !self.document.is_element(node) {
            return;
        }
        let draft = self.view.draft;
        let text = self.texts.of(position);
        if draft.is_target(node) {
            return self.push_target(node, text, line);
        }
        if self.view.options.targets_only {
            return;
        }
        let is_heading = draft.role(node) == Some(Role::Heading);
        if !is_heading && is_separator(text) {
            return;
        }
        let shown = if text.is_empty() { draft.name(node) } else { text };
        if !shown.is_empty() {
            self.push_tag(node, line);
            line.push(' ');
            self.quote(shown, line);
        }
    }

    fn push_target(&self, node: NodeId, text: &str, line: &mut String) {
        let draft = self.view.draft;
        self.push_tag(node, line);
        if self.document.is_html(node, name::INPUT) {
            let kind = self.document.attribute(node, name::TYPE).unwrap_or("").trim().to_ascii_lowercase();
            if INPUT_TYPES.contains(&kind.as_str()) {
                line.push(' ');
                line.push_str(&kind);
            }
        }
        let name = draft.name(node);
        line.push(' ');
        self.quote(if name.is_empty() { text } else { name }, line);
        for state in state_words(&draft.states(node)) {
            line.push(' ');
            line.push_str(state);
        }
        if let Some(address) = draft.address(node) {
            line.push(' ');
            push_quoted(line, &address);
        }
        if let Some(value) = draft.value(node).filter(|value| !value.is_empty()) {
            line.push_str(" = ");
            self.quote(value, line);
        }
        if self.document.is_html(node, name::SELECT) {
            self.options(node, line);
        }
    }

    /// A choice's options, those that can be taken.
    fn options(&self, select: NodeId, line: &mut String) {
        let shown = if self.view.options.whole_texts { usize::MAX } else { OPTION_LIMIT };
        let document = self.document;
        let options = document.descendants(select).filter(|&option| document.is_html(option, name::OPTION));
        let mut count = 0;
        for option in options {
            count += 1;
            if count > shown {
                continue;
            }
            line.push_str(if count == 1 { " of " } else { " | " });
            let label =
                document.attribute(option, name::LABEL).map_or_else(|| document.text_content(option), str::to_owned);
            push_quoted(line, &fold(&label));
        }
        if count > shown {
            line.push_str(" … ");
            line.push_str(&(count - shown).to_string());
            line.push_str(" more");
        }
    }

    /// Adds the text in quotes; of long text the beginning, and how much is left.
    fn quote(&self, text: &str, line: &mut String) {
        let limit = if self.view.options.whole_texts { usize::MAX } else { TEXT_LIMIT };
        // Not more bytes are not more characters.
        let cut = if text.len() <= limit { None } else { text.char_indices().nth(limit) };
        let Some((limit, _)) = cut else { return push_quoted(line, text) };
        let end = text[..limit].rfind(char::is_whitespace).filter(|&end| end > limit / 2).unwrap_or(limit);
        let left = text[end..].trim_start().chars().count();
        push_quoted(line, &text[..end]);
        line.push_str(" … ");
        line.push_str(&left.to_string());
        line.push_str(" more characters");
    }

    /// Whether the element holds lines together so that it is worth a line itself.
    fn is_holder(&self, node: NodeId) -> bool {
        let draft = self.view.draft;
        let named = !draft.name(node).is_empty();
        match draft.role(node) {
            Some(
                Role::Banner
                | Role::Complementary
                | Role::ContentInfo
                | Role::Dialog
                | Role::AlertDialog
                | Role::Form
                | Role::Main
                | Role::Navigation
                | Role::Region
                | Role::Search,
            ) => true,
            Some(Role::Article | Role::Group | Role::RadioGroup | Role::TabPanel | Role::Table | Role::Grid) => named,
            _ => false,
        }
    }

    /// The line of what holds others: what it is, and its name.
    fn holder(&self, node: NodeId) -> String {
        let mut line = String::new();
        self.push_tag(node, &mut line);
        if let Some(role) = self.view.draft.role(node).filter(|_| !is_landmark_by_name(self.document, node)) {
            line.push(' ');
            line.push_str(role.as_str());
        }
        let name = self.view.draft.name(node);
        if !name.is_empty() {
            line.push(' ');
            self.quote(name, &mut line);
        }
        line
    }

    /// Where the content ends that the line at the position is the summary of.
    fn end_of_what_it_heads(&self, position: usize) -> Option<usize> {
        let parent = self.tree.parent_position(position)?;
        let is_summary = self.document.is_html(self.tree.node(position), name::SUMMARY)
            && self.document.is_html(self.tree.node(parent), name::DETAILS);
        is_summary.then(|| self.tree.end(parent))
    }

    fn reference(&self, node: NodeId) -> Option<u32> {
        match self.view.references {
            ReferencePolicy::None => None,
            ReferencePolicy::Targets | ReferencePolicy::All => self.view.draft.reference(node),
        }
    }

    /// Adds the element's name in upper case; of letters, digits and hyphens, as a page may call
    /// its elements what it likes.
    fn push_tag(&self, node: NodeId, line: &mut String) {
        let allowed = |character: &char| character.is_ascii_alphanumeric() || *character == '-';
        line.extend(self.document.local_name(node).chars().filter(allowed).map(|letter| letter.to_ascii_uppercase()));
    }
}

/// For each position the words that belong to its element's line.
struct OwnTexts {
    /// The place in `texts` and one, 0 for elements without words.
    places: Vec<u32>,
    texts: Vec<String>,
}

impl OwnTexts {
    fn of(&self, position: usize) -> &str {
        let place = self.places.get(position).and_then(|place| place.checked_sub(1));
        place.and_then(|place| self.texts.get(place as usize)).map_or("", String::as_str)
    }

    fn of_mut(&mut self, position: usize) -> &mut String {
        if self.places[position] == 0 {
            self.texts.push(String::new());
            self.places[position] = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        }
        &mut self.texts[self.places[position] as usize - 1]
    }
}

/// Collects the words of each line: those below the element which no target or text block below it
/// has, and which do not name a control that has a line of its own.
fn own_texts(view: &View<'_>, tree: &FlatTree) -> OwnTexts {
    let draft = view.draft;
    let document = draft.document();
    let semantics = draft.page().semantics();
    let names_a_target = |label: NodeId| {
        let control = semantics.labelled_control(label);
        control.is_some_and(|control| draft.is_target(control) && !draft.name(control).is_empty())
    };
    let mut texts = OwnTexts { places: vec![0; tree.len()], texts: Vec::new() };
    let mut homes: Vec<Option<usize>> = Vec::with_capacity(tree.len());
    let mut skipped_to = 0;
    for (position, &node) in tree.nodes().iter().enumerate() {
        if position < skipped_to {
            homes.push(None);
            continue;
        }
        let element = document.is_element(node);
        if element && is_silent(document, node) {
            skipped_to = tree.end(position);
            homes.push(None);
            continue;
        }
        let above = tree.parent_position(position).and_then(|parent| homes[parent]);
        let target = element && draft.is_target(node);
        let begins = target || (element && (draft.role(node) == Some(Role::Heading) || semantics.is_text_block(node)));
        let home = if element && !target && names_a_target(node) {
            None
        } else if begins {
            Some(position)
        } else {
            above
        };
        homes.push(home);
        let Some(home) = home else { continue };
        if document.is_text(node) {
            push_folded(texts.of_mut(home), document.text(node));
        } else if let Some(alt) = document.attribute(node, name::ALT).filter(|_| document.is_html(node, name::IMG)) {
            push_folded(texts.of_mut(home), alt);
        } else if !begins && (semantics.style(node).display.is_block() || document.is_html(node, name::BR)) {
            push_folded(texts.of_mut(home), " ");
        }
    }
    for text in &mut texts.texts {
        text.truncate(text.trim_end().len());
    }
    texts
}

/// Whether there are no words in the text, only what people put between words.
fn is_separator(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || is_separating(character))
}

/// Elements whose characters are no words of the page.
fn is_silent(document: &Document, node: NodeId) -> bool {
    const SILENT: &[Name] = &[
        name::HEAD,
        name::TITLE,
        name::SCRIPT,
        name::STYLE,
        name::TEMPLATE,
        name::DATALIST,
        name::OPTION,
        name::TEXTAREA,
        name::NOEMBED,
        name::NOFRAMES,
    ];
    match document.namespace(node) {
        Some(Namespace::Html) => document.html_name(node).is_some_and(|element| SILENT.contains(&element)),
        Some(Namespace::Svg) => {
            matches!(document.name(node), Some(name::TITLE | name::DESC | name::STYLE | name::SCRIPT | name::METADATA))
        }
        Some(Namespace::MathMl) => matches!(document.name(node), Some(name::ANNOTATION | name::ANNOTATION_XML)),
        None => false,
    }
}

/// Types of `input` that say more than "text" (HTML Standard, "the input element").
const INPUT_TYPES: &[&str] = &[
    "button",
    "checkbox",
    "color",
    "date",
    "datetime-local",
    "email",
    "file",
    "image",
    "month",
    "number",
    "password",
    "radio",
    "range",
    "reset",
    "search",
    "submit",
    "tel",
    "time",
    "url",
    "week",
];

/// Adds text, white space as one space and none at the beginning.
fn push_folded(text: &mut String, more: &str) {
    let mut rest = more;
    while let Some(first) = rest.chars().next() {
        let (words, behind) = rest.split_at(end_of_words(rest, char::is_whitespace));
        if words.is_empty() {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            rest = &rest[first.len_utf8()..];
        } else {
            text.push_str(words);
            rest = behind;
        }
    }
}

fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    push_folded(&mut folded, text);
    folded.truncate(folded.trim_end().len());
    folded
}

/// Whether the element's own name says what it holds.
fn is_landmark_by_name(document: &Document, node: NodeId) -> bool {
    matches!(
        document.html_name(node),
        Some(
            name::ASIDE
                | name::ARTICLE
                | name::DIALOG
                | name::FIELDSET
                | name::FOOTER
                | name::FORM
                | name::HEADER
                | name::MAIN
                | name::NAV
                | name::SEARCH
                | name::SECTION
                | name::TABLE
        )
    )
}

/// Adds the text as a JSON string that stands on one line whatever it holds.
fn push_quoted(line: &mut String, text: &str) {
    line.push('"');
    let mut rest = text;
    while let Some(at) = bytes::find(rest.as_bytes(), &MAY_BEGIN_ESCAPED) {
        let (plain, from) = rest.split_at(at);
        line.push_str(plain);
        let mut characters = from.chars();
        match characters.next() {
            Some('"') => line.push_str("\\\""),
            Some('\\') => line.push_str("\\\\"),
            Some('\n') => line.push_str("\\n"),
            Some('\r') => line.push_str("\\r"),
            Some('\t') => line.push_str("\\t"),
            Some(character) if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                // Writing to a string cannot fail.
                let _ = write!(line, "\\u{:04x}", u32::from(character));
            }
            Some(character) => line.push(character),
            None => {}
        }
        rest = characters.as_str();
    }
    line.push_str(rest);
    line.push('"');
}

/// The first bytes in UTF-8 of what is escaped.
const MAY_BEGIN_ESCAPED: ByteSet = {
    let mut table = bytes::with([false; 256], b"\"\\\x7f\xc2\xe2");
    let mut control = 0;
    while control < 0x20 {
        table[control] = true;
        control += 1;
    }
    table
};
