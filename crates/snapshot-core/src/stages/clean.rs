//! Shortens text without changing its sense.
//!
//! Before: `<ul>⏎    <li>  Red⏎  shoes </li>⏎    <li>Blue</li>⏎</ul>`
//!
//! After: `<ul><li>Red shoes</li><li>Blue</li></ul>`
//!
//! White space that a browser would not show goes (CSS Text, "white space processing rules"):
//! runs become one space, and what stands at the edge of a block disappears. Text whose white
//! space is kept by the page (`pre`, `textarea`) stays as it is.

use std::ops::Range;

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
        let mut pieces = pieces(draft).into_iter().peekable();
        let document = draft.document_mut();
        let mut folded = String::new();
        // Whether what was written last on the same line ends in white space, or begins a line.
        let mut after_space = true;
        // The text that was written last on the line, if nothing else was written since.
        let mut last: Option<NodeId> = None;
        while let Some(Piece { line, content }) = pieces.next() {
            let ends_line = pieces.peek().is_none_or(|next| next.line != line);
            match content {
                Content::Kept | Content::Replaced => {
                    last = None;
                    after_space = false;
                }
                Content::Words(node) => match fold(document.text(node), after_space, ends_line, &mut folded) {
                    Folded::Part(part) if part.is_empty() => document.detach(node),
                    change => {
                        match change {
                            Folded::Part(part) => document.keep_text(node, part),
                            Folded::Other => document.set_text(node, &folded),
                        }
                        after_space = document.text(node).ends_with(' ');
                        last = Some(node);
                    }
                },
            }
            if ends_line {
                if let Some(last) = last.take() {
                    end_line(document, last);
                }
                after_space = true;
            }
        }
        Ok(())
    }
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
fn pieces(draft: &Draft<'_>) -> Vec<Piece> {
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
fn end_line(document: &mut Document, last: NodeId) {
    match document.text(last).trim_end_matches(' ').len() {
        0 => document.detach(last),
        end => document.keep_text(last, 0..end),
    }
}

/// What a text is once each run of white space in it is one space.
enum Folded {
    /// A part of what it was, as nearly all are.
    Part(Range<usize>),
    /// Something else, which has been written down.
    Other,
}

/// Folds the white space of a text. There is none at its start `after_space`, and none at the end
/// of words that end a line. What is no part of the text is written to `folded`.
fn fold(text: &str, after_space: bool, ends_line: bool, folded: &mut String) -> Folded {
    let bytes = text.as_bytes();
    let Some(start) = bytes.iter().position(|&byte| !is_white_space(byte)) else {
        if after_space || ends_line || text.is_empty() {
            return Folded::Part(0..0);
        }
        if let Some(space) = memchr::memchr(b' ', bytes) {
            return Folded::Part(space..space + 1);
        }
        folded.clear();
        folded.push(' ');
        return Folded::Other;
    };
    let end = bytes.iter().rposition(|&byte| !is_white_space(byte)).map_or(start, |last| last + 1);
    let space_before = start > 0 && !after_space;
    let space_behind = end < text.len() && !ends_line;
    let words = &text[start..end];
    if (!space_before || bytes[start - 1] == b' ') && (!space_behind || bytes[end] == b' ') && is_folded(words) {
        return Folded::Part(start - usize::from(space_before)..end + usize::from(space_behind));
    }
    folded.clear();
    if space_before {
        folded.push(' ');
    }
    push_folded(folded, words);
    if space_behind {
        folded.push(' ');
    }
    Folded::Other
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
