//! Well-formed HTML5 that parses back to the same tree.
//!
//! Shadow roots are written as declarative shadow roots, frames that were read as `srcdoc`
//! (escaped once more for each frame around them). With ids, targets carry `data-uid="12"`.

use super::{ReferencePolicy, Representation, View};
use crate::document::{Document, Name, Namespace, NodeId, NodeKind, ShadowMode, name};
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
            Step::Node(node) => self.node(node, steps),
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
                        self.markup(rest);
                    }
                    None => self.markup(text),
                }
                self.markup("-->");
            }
            NodeKind::Doctype => {
                // Identifiers of old doctypes are what puts a page into quirks mode.
                let text = self.document.text(node);
                let (doctype, identifiers) = text.split_once(' ').unwrap_or((text, ""));
                self.markup("<!DOCTYPE ");
                self.markup(doctype);
                if let Some(system) = identifiers.strip_prefix("\"\" ") {
                    self.markup(" SYSTEM ");
                    self.markup(system);
                } else if !identifiers.is_empty() {
                    self.markup(" PUBLIC ");
                    self.markup(identifiers.strip_suffix(" \"\"").unwrap_or(identifiers));
                }
                self.markup(">");
            }
            NodeKind::ProcessingInstruction => {}
            NodeKind::Document | NodeKind::ShadowRoot | NodeKind::TemplateContents => self.children(node, steps),
        }
    }

    fn children(&self, node: NodeId, steps: &mut Vec<Step>) {
        let first = steps.len();
        steps.extend(self.document.children(node).map(Step::Node));
        steps[first..].reverse();
    }

    fn element(&mut self, node: NodeId, steps: &mut Vec<Step>) {
        let document = self.document;
        self.writer.open(node);
        steps.push(Step::Close);
        self.markup("<");
        self.markup(document.local_name(node));
        for attribute in document.attributes(node) {
            let forged = attribute.name == name::DATA_UID && self.view.references != ReferencePolicy::None;
            if forged || (attribute.name == name::SRCDOC && document.frame(node).is_some()) {
                continue;
            }
            self.markup(" ");
            self.markup(document.name_text(attribute.name));
            if !attribute.value.is_empty() {
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
        let drops = [name::PRE, name::LISTING, name::TEXTAREA].iter().any(|&name| document.is_html(node, name));
        let starts = document.first_child(node).is_some_and(|child| document.text(child).starts_with('\n'));
        if drops && starts {
            self.markup("\n");
        }
    }

    fn text_node(&mut self, node: NodeId) {
        let raw = self.document.parent(node).is_some_and(|parent| is_raw_text(self.document, parent));
        if raw {
            self.markup(self.document.text(node));
        } else {
            self.escaped(self.document.text(node), false);
        }
    }

    /// Text of the page, so that it can only be read as text.
    fn escaped(&mut self, text: &str, in_attribute: bool) {
        let mut plain = 0;
        for (at, character) in text.char_indices() {
            let replacement = match character {
                '&' => "&amp;",
                '\u{a0}' => "&nbsp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' if in_attribute => "&quot;",
                // A parser turns a lone carriage return into a line feed.
                '\r' => "&#13;",
                _ => continue,
            };
            self.markup(&text[plain..at]);
            self.markup(replacement);
            plain = at + character.len_utf8();
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

/// Elements whose text is not markup; `noscript` is markup as long as scripts are off, which is
/// how the result is meant to be read.
fn is_raw_text(document: &Document, node: NodeId) -> bool {
    const RAW: &[Name] =
        &[name::STYLE, name::SCRIPT, name::XMP, name::IFRAME, name::NOEMBED, name::NOFRAMES, name::PLAINTEXT];
    document.html_name(node).is_some_and(|name| RAW.contains(&name))
}

fn is_void(document: &Document, node: NodeId) -> bool {
    const VOID: &[Name] = &[
        name::AREA,
        name::BASE,
        name::BASEFONT,
        name::BGSOUND,
        name::BR,
        name::COL,
        name::EMBED,
        name::FRAME,
        name::HR,
        name::IMG,
        name::INPUT,
        name::KEYGEN,
        name::LINK,
        name::META,
        name::PARAM,
        name::SOURCE,
        name::TRACK,
        name::WBR,
    ];
    document.namespace(node) == Some(Namespace::Html)
        && document.html_name(node).is_some_and(|name| VOID.contains(&name))
}
