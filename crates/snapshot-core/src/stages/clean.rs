//! Shortens text without changing its sense.
//!
//! Before: `<ul>⏎    <li>  Red⏎  shoes </li>⏎    <li>Blue</li>⏎</ul>`
//!
//! After: `<ul><li>Red shoes</li><li>Blue</li></ul>`
//!
//! White space that a browser would not show goes (CSS Text, "white space processing rules"):
//! runs become one space, and what stands at the edge of a block disappears. Text whose white
//! space is kept by the page (`pre`, `textarea`) stays as it is.

use super::Stage;
use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::error::Error;
use crate::semantics::is_replaced;

/// The stage; it has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Clean {}

impl Stage for Clean {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        fold_white_space(draft);
        Ok(())
    }
}

/// Makes runs of white space one space, and nothing at the edges of blocks.
pub(crate) fn fold_white_space(draft: &mut Draft<'_>) {
    let semantics = draft.page().semantics();
    let document = draft.document_mut();
    let mut line = Line { after_space: true, ..Line::default() };
    // The elements around, and whether a line ends where each does.
    let mut open: Vec<(NodeId, bool)> = Vec::new();
    let mut kept_inside: Option<usize> = None;
    let mut next = document.composed_next(NodeId::DOCUMENT);
    while let Some(node) = next {
        next = document.composed_next(node);
        let parent = document.composed_parent(node);
        while let Some((_, block)) = open.pop_if(|&mut (above, _)| Some(above) != parent) {
            if block {
                line.end(document);
            }
            if kept_inside.is_some_and(|depth| depth > open.len()) {
                kept_inside = None;
            }
        }
        match document.kind(node) {
            NodeKind::Text if kept_inside.is_some() => line.other(document),
            NodeKind::Text => line.text(document, node),
            NodeKind::Element => {
                let block = semantics.style(node).display.is_block() || document.is_html(node, name::BR);
                if block {
                    line.end(document);
                }
                if is_replaced(document, node) {
                    line.other(document);
                }
                open.push((node, block));
                if kept_inside.is_none() && keeps_white_space(document, node) {
                    kept_inside = Some(open.len());
                }
            }
            _ => open.push((node, true)),
        }
    }
    line.end(document);
}

/// The line of text that is being read.
#[derive(Default)]
struct Line {
    /// Whether what was read last ends in white space, or nothing was read.
    after_space: bool,
    /// The text that was read last if white space ends it. That shows as a space, but only when
    /// something follows on the line.
    last: Option<(NodeId, Space)>,
    /// Where texts are put together that are no part of what they were.
    folded: String,
}

/// The white space at the end of a text.
#[derive(Clone, Copy)]
enum Space {
    /// It is a space already.
    Written,
    /// It has been taken off; a space is to be added.
    Owed,
    /// It is all of the text and has been left as it was.
    Whole,
}

impl Line {
    /// Takes up a text whose white space may be folded.
    fn text(&mut self, document: &mut Document, node: NodeId) {
        let text = document.text(node);
        let bytes = text.as_bytes();
        let Some(start) = bytes.iter().position(|&byte| !is_white_space(byte)) else {
            if self.after_space || text.is_empty() {
                document.detach(node);
            } else {
                self.last = Some((node, Space::Whole));
                self.after_space = true;
            }
            return;
        };
        let end = bytes.iter().rposition(|&byte| !is_white_space(byte)).map_or(start, |last| last + 1);
        let space_before = start > 0 && !self.after_space;
        let space_behind = end < bytes.len();
        let words = &text[start..end];
        let mut space = Space::Written;
        if (!space_before || bytes[start - 1] == b' ') && is_folded(words) {
            if space_behind && bytes[end] != b' ' {
                space = Space::Owed;
            }
            let written = space_behind && matches!(space, Space::Written);
            document.keep_text(node, start - usize::from(space_before)..end + usize::from(written));
        } else {
            self.folded.clear();
            if space_before {
                self.folded.push(' ');
            }
            push_folded(&mut self.folded, words);
            if space_behind {
                self.folded.push(' ');
            }
            document.set_text(node, &self.folded);
        }
        self.settle(document);
        self.after_space = space_behind;
        self.last = space_behind.then_some((node, space));
    }

    /// Takes up something else that stands in the line: an image, a control, text whose white
    /// space is kept.
    fn other(&mut self, document: &mut Document) {
        self.settle(document);
        self.after_space = false;
    }

    /// Lets the space show that ends the text read last, since something follows.
    fn settle(&mut self, document: &mut Document) {
        match self.last.take() {
            None | Some((_, Space::Written)) => {}
            Some((node, Space::Owed)) => {
                self.folded.clear();
                self.folded.push_str(document.text(node));
                self.folded.push(' ');
                document.set_text(node, &self.folded);
            }
            Some((node, Space::Whole)) => match document.text(node).find(' ') {
                Some(space) => document.keep_text(node, space..space + 1),
                None => document.set_text(node, " "),
            },
        }
    }

    /// Ends the line: no space shows there.
    fn end(&mut self, document: &mut Document) {
        match self.last.take() {
            None | Some((_, Space::Owed)) => {}
            Some((node, Space::Written)) => {
                let end = document.text(node).len().saturating_sub(1);
                document.keep_text(node, 0..end);
            }
            Some((node, Space::Whole)) => document.detach(node),
        }
        self.after_space = true;
    }
}

/// Whether all white space within words is single spaces. Looks at all of them without a branch,
/// which is faster than to stop early.
fn is_folded(words: &str) -> bool {
    let bytes = words.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let is_wrong = |&before: &u8, &byte: &u8| is_white_space(byte) & (byte != b' ' || is_white_space(before));
    !pairs.fold(false, |wrong, (before, byte)| wrong | is_wrong(before, byte))
}

fn push_folded(folded: &mut String, words: &str) {
    let bytes = words.as_bytes();
    let mut copied = 0;
    let mut at = 0;
    while let Some(offset) = bytes[at..].iter().position(|&byte| is_white_space(byte)) {
        let start = at + offset;
        at = start + bytes[start..].iter().position(|&byte| !is_white_space(byte)).unwrap_or(bytes.len() - start);
        if &bytes[start..at] != b" " {
            folded.push_str(&words[copied..start]);
            folded.push(' ');
            copied = at;
        }
    }
    folded.push_str(&words[copied..]);
}

fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

fn keeps_white_space(document: &Document, node: NodeId) -> bool {
    const KEEPS: &[Name] =
        &[name::PRE, name::TEXTAREA, name::LISTING, name::XMP, name::PLAINTEXT, name::SCRIPT, name::STYLE];
    document.html_name(node).is_some_and(|name| KEEPS.contains(&name))
}

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions, Pipeline, Recipe};

    fn check(html: &str, wanted: &str) {
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let recipe = Recipe::default().stage("clean", []);
        let snapshot = Pipeline::new(&recipe, "html").and_then(|pipeline| pipeline.run(&page)).expect("converts");
        let body = snapshot.text.split("<body>").nth(1).expect("has a body").replace("</body></html>", "");
        assert_eq!(body, wanted);
    }

    #[test]
    fn white_space_that_is_not_shown_goes() {
        check("<ul>\n  <li>  Red\n shoes </li>\n  <li>Blue</li>\n</ul>\n", "<ul><li>Red shoes</li><li>Blue</li></ul>");
        check("<p>a <b> b </b> c</p>\n<p> d", "<p>a <b>b </b>c</p><p>d</p>");
        check("<p>one<br> two <img alt=x> three</p>", "<p>one<br>two <img alt=\"x\"> three</p>");
        check("x <i> </i> y", "x <i></i>y");
    }

    #[test]
    fn white_space_that_is_shown_stays() {
        check("<pre> a\n  b </pre> <textarea> c </textarea>", "<pre> a\n  b </pre><textarea> c </textarea>");
        check("<p>no&nbsp; break &nbsp;</p>", "<p>no&nbsp; break &nbsp;</p>");
        check("<b>Mara</b> <b>Lind</b>", "<b>Mara</b> <b>Lind</b>");
    }
}
