//! Well-formed HTML5 that parses back to the same tree.
//!
//! Shadow roots are written as declarative shadow roots, frames that were read as `srcdoc`
//! (escaped once more for each frame around them). With ids, targets carry `data-uid="12"`.
//! Tersely written, tags that a parser puts back by itself are left out, and quotes that it does
//! not need.

mod optional_tags;

use optional_tags::{omits_end_tag, omits_start_tag};

use super::{ReferencePolicy, Representation, View};
use crate::document::{Document, NodeId, NodeKind, ShadowMode, name};
use crate::text::bytes::{self, ByteSet};
use crate::writer::Writer;

/// The representation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Html;

impl Representation for Html {
    fn write(&self, view: &View<'_>, writer: &mut Writer) {
        let document = view.draft.document();
        let mut serializer = Serializer { view, document, writer, frames: 0 };
        let mut steps = vec![Step::Node(NodeId::DOCUMENT)];
        while let Some(step) = steps.pop() {
            serializer.step(step, &mut steps);
        }
    }
}

/// What is left to write, last first.
enum Step {
    /// The node and the siblings behind it.
    Node(NodeId),
    EndTag(NodeId),
    Close,
    Literal(&'static str),
    EnterFrame,
    LeaveFrame,
}

struct Serializer<'view, 'writer> {
    view: &'view View<'view>,
    document: &'view Document,
    writer: &'writer mut Writer,
    /// How many `srcdoc` attributes the text stands in.
    frames: u32,
}

impl Serializer<'_, '_> {
    fn step(&mut self, step: Step, steps: &mut Vec<Step>) {
        match step {
            Step::Node(node) => {
                steps.extend(self.document.next_sibling(node).map(Step::Node));
                self.node(node, steps);
            }
            Step::EndTag(node) if self.view.options.terse && omits_end_tag(self.document, node) => {}
            Step::EndTag(node) => {
                self.markup("</");
                self.markup(self.document.local_name(node));
                self.markup(">");
            }
            Step::Close => self.writer.close(),
            Step::Literal(text) => self.markup(text),
            Step::EnterFrame => self.frames += 1,
            Step::LeaveFrame => self.frames = self.frames.saturating_sub(1),
        }
    }

    fn node(&mut self, node: NodeId, steps: &mut Vec<Step>) {
        match self.document.kind(node) {
            NodeKind::Element => self.element(node, steps),
            NodeKind::Text => self.text_node(node),
            NodeKind::Comment => {
                let text = self.document.text(node);
                self.markup("<!--");
                match text.strip_prefix(" … ").filter(|_| self.view.draft.elision_note(node).is_none()) {
                    // A comment of the page that poses as a note of ours.
                    Some(rest) => {
                        self.markup(" ... ");
                        self.comment(rest);
                    }
                    None => self.comment(text),
                }
                self.markup("-->");
            }
            NodeKind::Doctype => {
                self.doctype(self.document.text(node));
            }
            NodeKind::ProcessingInstruction => {}
            NodeKind::Document | NodeKind::ShadowRoot | NodeKind::TemplateContents => self.children(node, steps),
        }
    }

    /// Each child leads to the next.
    fn children(&self, node: NodeId, steps: &mut Vec<Step>) {
        steps.extend(self.document.first_child(node).map(Step::Node));
    }

    fn element(&mut self, node: NodeId, steps: &mut Vec<Step>) {
        let document = self.document;
        self.writer.open(node);
        steps.push(Step::Close);
        if self.view.options.terse && self.view.reference(node).is_none() && omits_start_tag(document, node) {
            steps.push(Step::EndTag(node));
            self.children(node, steps);
            return;
        }
        self.markup("<");
        self.markup(document.local_name(node));
        for attribute in document.attributes(node) {
            let forged = attribute.name == name::DATA_UID && self.view.references != ReferencePolicy::None;
            if forged || (attribute.name == name::SRCDOC && document.frame(node).is_some()) {
                continue;
            }
            // A link that carries an id and hides where it leads.
            let hidden = attribute.name == name::HREF && attribute.value.is_empty();
            if hidden && self.view.options.terse && self.view.reference(node).is_some() {
                continue;
            }
            self.markup(" ");
            self.markup(document.name_text(attribute.name));
            if self.view.options.terse && attribute.name != name::DATA_UID && needs_no_quotes(attribute.value) {
                self.markup("=");
                self.markup(attribute.value);
            } else if !attribute.value.is_empty() {
                self.markup("=\"");
                self.escaped(attribute.value, true);
                self.markup("\"");
            }
        }
        if let Some(number) = self.view.reference(node) {
            self.markup(" data-uid=\"");
            self.markup(&number.to_string());
            self.markup("\"");
            self.writer.reference(number);
        }
        if document.frame(node).is_some() {
            self.frame(node, steps);
            return;
        }
        self.markup(">");
        if is_void(document, node) {
            return;
        }
        steps.push(Step::EndTag(node));
        if let Some(contents) = document.template_contents(node) {
            self.children(contents, steps);
        } else {
            self.children(node, steps);
        }
        if let Some(root) = document.shadow_root(node) {
            let mode = document.shadow_mode(node);
            steps.push(Step::Literal("</template>"));
            self.children(root, steps);
            steps.push(Step::Literal(match mode {
                Some(ShadowMode::Closed) => "<template shadowrootmode=\"closed\">",
                _ => "<template shadowrootmode=\"open\">",
            }));
        }
        self.leading_newline(node);
    }

    /// A frame's page goes into the attribute that it can be read back from.
    fn frame(&mut self, node: NodeId, steps: &mut Vec<Step>) {
        self.markup(" srcdoc=\"");
        steps.push(Step::EndTag(node));
        steps.push(Step::Literal("\">"));
        steps.push(Step::LeaveFrame);
        if let Some(frame) = self.document.frame(node) {
            self.children(frame, steps);
        }
        steps.push(Step::EnterFrame);
    }

    /// The parser drops a line end right behind these start tags; one that is meant is doubled.
    fn leading_newline(&mut self, node: NodeId) {
        let document = self.document;
        let drops = matches!(document.html_name(node), Some(name::PRE | name::LISTING | name::TEXTAREA));
        let starts = document.first_child(node).is_some_and(|child| document.text(child).starts_with('\n'));
        if drops && starts {
            self.markup("\n");
        }
    }

    /// The name and, where there are any, the identifiers, which are what puts a page into quirks
    /// mode. They come in double quotes and may contain one such quote themselves only when they
    /// were written in single ones.
    fn doctype(&mut self, text: &str) {
        let (doctype, identifiers) = text.split_once(' ').unwrap_or((text, ""));
        self.markup("<!DOCTYPE ");
        self.markup(doctype);
        let identifiers = identifiers.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if let Some((public, system)) = identifiers.and_then(|identifiers| identifiers.split_once("\" \"")) {
            self.markup(if public.is_empty() { " SYSTEM" } else { " PUBLIC" });
            for identifier in [public, system].into_iter().filter(|identifier| !identifier.is_empty()) {
                let quote = if identifier.contains('"') { "'" } else { "\"" };
                self.markup(" ");
                self.markup(quote);
                self.markup(identifier);
                self.markup(quote);
            }
        }
        self.markup(">");
    }

    /// No comment that was parsed contains its own end; one that a program made may.
    fn comment(&mut self, text: &str) {
        if text.starts_with('>') || text.starts_with("->") {
            self.markup(" ");
        }
        let mut plain = 0;
        for (at, _) in text.match_indices('>') {
            let before = &text[..at];
            if before.ends_with("--") || before.ends_with("--!") {
                self.markup(&text[plain..at]);
                self.markup(" ");
                plain = at;
            }
        }
        self.markup(&text[plain..]);
    }

    fn text_node(&mut self, node: NodeId) {
        self.writer.mark(node);
        let text = self.document.text(node);
        match self.document.parent(node).filter(|&parent| is_raw_text(self.document, parent)) {
            Some(parent) => self.raw_text(self.document.local_name(parent), text),
            None => self.escaped(text, false),
        }
    }

    /// Text that is not read as markup and so cannot be escaped. What would end the element early,
    /// or keep it from ending, is changed as programmers do it.
    fn raw_text(&mut self, element: &str, text: &str) {
        let mut plain = 0;
        for (at, _) in text.match_indices("</") {
            // A script that has been parsed contains its end tag only where that does not end it.
            if element != "script" && is_tag_named(&text[at + 2..], element) {
                self.markup(&text[plain..at]);
                self.markup("<\\/");
                plain = at + 2;
            }
        }
        self.markup(&text[plain..]);
        if element == "script" && is_script_left_open(text) {
            self.markup("-->");
        }
    }

    /// Text of the page, so that it can only be read as text.
    fn escaped(&mut self, text: &str, in_attribute: bool) {
        let mut plain = 0;
        let mut at = 0;
        while let Some(found) = bytes::find(&text.as_bytes()[at..], &MAY_BEGIN_ESCAPED) {
            let start = at + found;
            at = start + 1;
            let replacement = match text.as_bytes()[start] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' if in_attribute => "&quot;",
                // A parser turns a lone carriage return into a line feed.
                b'\r' => "&#13;",
                _ if text[start..].starts_with('\u{a0}') => {
                    at = start + '\u{a0}'.len_utf8();
                    "&nbsp;"
                }
                _ => continue,
            };
            self.markup(&text[plain..start]);
            self.markup(replacement);
            plain = at;
        }
        self.markup(&text[plain..]);
    }

    /// Markup, escaped as often as there are `srcdoc` attributes around it.
    fn markup(&mut self, text: &str) {
        if self.frames == 0 || !text.contains(['&', '"']) {
            self.writer.push_str(text);
            return;
        }
        for character in text.chars() {
            let name = match character {
                '&' => "amp;",
                '"' => "quot;",
                character => {
                    self.writer.push(character);
                    continue;
                }
            };
            self.writer.push('&');
            for _ in 1..self.frames {
                self.writer.push_str("amp;");
            }
            self.writer.push_str(name);
        }
    }
}

/// The first bytes in UTF-8 of what is escaped in text or in attributes.
const MAY_BEGIN_ESCAPED: ByteSet = bytes::with([false; 256], b"&<>\"\r\xc2");

/// Whether an attribute's value is read whole without quotes around it and without escapes.
fn needs_no_quotes(value: &str) -> bool {
    !value.is_empty()
        && value.chars().all(|character| {
            character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | ':' | '/' | '#' | '?' | '+' | '…')
        })
}

/// Whether what follows a `<` or `</` is a tag of this name.
fn is_tag_named(rest: &str, element: &str) -> bool {
    let name = rest.as_bytes().get(..element.len());
    let end = rest.as_bytes().get(element.len());
    name.is_some_and(|name| name.eq_ignore_ascii_case(element.as_bytes()))
        && end.is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | 0x0c | b'/' | b'>'))
}

/// Whether an end tag behind this text of a script would be taken for that of a script inside a
/// comment inside the script (HTML Standard, "script data double escaped state").
fn is_script_left_open(text: &str) -> bool {
    let (mut escaped, mut doubly) = (false, false);
    let mut dashes_from = 0;
    for (at, _) in text.match_indices(['<', '>']) {
        let before = text.get(dashes_from..at).unwrap_or("");
        if text.as_bytes()[at] == b'>' {
            if before.ends_with("--") {
                (escaped, doubly) = (false, false);
            }
        } else if !escaped {
            if text[at..].starts_with("<!--") {
                escaped = true;
                // `<!-->` opens and closes with the same dashes.
                dashes_from = at + 2;
            }
        } else if doubly {
            doubly = !text[at..].strip_prefix("</").is_some_and(|rest| is_tag_named(rest, "script"));
        } else {
            doubly = is_tag_named(&text[at + 1..], "script");
        }
    }
    doubly
}

/// Elements whose text is not markup; `noscript` is markup as long as scripts are off, which is
/// how the result is meant to be read.
fn is_raw_text(document: &Document, node: NodeId) -> bool {
    matches!(
        document.html_name(node),
        Some(name::STYLE | name::SCRIPT | name::XMP | name::IFRAME | name::NOEMBED | name::NOFRAMES | name::PLAINTEXT)
    )
}

fn is_void(document: &Document, node: NodeId) -> bool {
    matches!(
        document.html_name(node),
        Some(
            name::AREA
                | name::BASE
                | name::BASEFONT
                | name::BGSOUND
                | name::BR
                | name::COL
                | name::EMBED
                | name::FRAME
                | name::HR
                | name::IMG
                | name::INPUT
                | name::KEYGEN
                | name::LINK
                | name::META
                | name::PARAM
                | name::SOURCE
                | name::TRACK
                | name::WBR
        )
    )
}
