//! Shortens text without changing its sense.
//!
//! Before: `<ul>⏎    <li>  Red⏎  shoes </li>⏎    <li>Blue</li>⏎</ul>`
//!
//! After: `<ul><li>Red shoes</li><li>Blue</li></ul>`
//!
//! White space that a browser would not show goes (CSS Text, "white space processing rules"):
//! runs become one space, and what stands at the edge of a block disappears. Text whose white
//! space is kept by the page (`pre`, `textarea`) stays as it is.

use std::borrow::Cow;

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
    let texts = texts_with_context(draft);
    // Whether what was written last on the same line ends in white space, or begins a line.
    let mut after_space = true;
    let mut line = 0;
    let mut last: Option<NodeId> = None;
    for text in texts {
        if text.line != line {
            end_line(draft.document_mut(), last.take());
            line = text.line;
            after_space = true;
        }
        match text.content {
            Content::Kept | Content::Replaced => {
                last = None;
                after_space = false;
            }
            Content::Words(node) => {
                let folded = fold(draft.document().text(node), after_space);
                if folded.is_empty() {
                    draft.document_mut().detach(node);
                    continue;
                }
                after_space = folded.ends_with(' ');
                last = Some(node);
                if let Cow::Owned(folded) = folded {
                    draft.document_mut().set_text(node, &folded);
                }
            }
        }
    }
    end_line(draft.document_mut(), last);
}

/// A piece of a line of text.
struct Piece {
    /// Differs between pieces that stand on different lines.
    line: usize,
    content: Content,
}

enum Content {
    /// Text whose white space may be folded.
    Words(NodeId),
    /// Text whose white space is kept.
    Kept,
    /// Something else that stands in the line: an image, a control.
    Replaced,
}

/// The texts of the page in order, each with the number of the line it is on; the start and the
/// end of a block begin a line.
fn texts_with_context(draft: &Draft<'_>) -> Vec<Piece> {
    let document = draft.document();
    let semantics = draft.page().semantics();
    let mut pieces = Vec::new();
    let mut line = 0;
    let mut open: Vec<(NodeId, bool)> = Vec::new();
    let mut kept_inside: Option<usize> = None;
    for node in document.composed_descendants(NodeId::DOCUMENT) {
        let parent = document.composed_parent(node);
        while open.last().is_some_and(|&(above, _)| Some(above) != parent) {
            let Some((_, block)) = open.pop() else { break };
            line += usize::from(block);
            if kept_inside.is_some_and(|depth| depth > open.len()) {
                kept_inside = None;
            }
        }
        match document.kind(node) {
            NodeKind::Text if kept_inside.is_some() => pieces.push(Piece { line, content: Content::Kept }),
            NodeKind::Text => pieces.push(Piece { line, content: Content::Words(node) }),
            NodeKind::Element => {
                let block = semantics.style(node).display.is_block() || document.is_html(node, name::BR);
                line += usize::from(block);
                if is_replaced(document, node) {
                    pieces.push(Piece { line, content: Content::Replaced });
                }
                open.push((node, block));
                if kept_inside.is_none() && keeps_white_space(document, node) {
                    kept_inside = Some(open.len());
                }
            }
            _ => open.push((node, true)),
        }
    }
    pieces
}

/// Takes the space off the end of a line.
fn end_line(document: &mut Document, last: Option<NodeId>) {
    let Some(node) = last else { return };
    let text = document.text(node);
    let trimmed = text.trim_end_matches(' ');
    if trimmed.is_empty() {
        document.detach(node);
    } else if trimmed.len() < text.len() {
        let trimmed = trimmed.to_owned();
        document.set_text(node, &trimmed);
    }
}

/// The text with each run of white space as one space, none at its start `after_space`; borrowed
/// when it is so already.
fn fold(text: &str, after_space: bool) -> Cow<'_, str> {
    let mut space = after_space;
    let is_folded = |byte: u8| {
        let is_kept = !is_white_space(byte) || byte == b' ' && !space;
        space = is_white_space(byte);
        is_kept
    };
    let Some(first) = text.bytes().map(is_folded).position(|is_kept| !is_kept) else { return Cow::Borrowed(text) };
    let (start, rest) = text.split_at(first);
    let mut folded = String::with_capacity(text.len());
    folded.push_str(start);
    let mut space = if start.is_empty() { after_space } else { start.ends_with(' ') };
    for (number, word) in
        rest.split(|character: char| character.is_ascii() && is_white_space(character as u8)).enumerate()
    {
        if number > 0 && !space {
            folded.push(' ');
            space = true;
        }
        if !word.is_empty() {
            folded.push_str(word);
            space = false;
        }
    }
    Cow::Owned(folded)
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
