//! The tree-construction cases of html5lib-tests, and trees in the form that they expect.

use std::fmt::Write as _;
use std::path::Path;

use snapshot_core::document::{AttributeNamespace, Document, Namespace, NodeId, NodeKind};

/// One case of a `.dat` file.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file, relative to the suite, and the case's place in it from 0: `tests1.dat:17`.
    pub id: String,
    /// The input.
    pub data: String,
    /// The element whose content the input is, for the fragment cases.
    pub context: Option<(Namespace, String)>,
    /// The scripting modes to run in.
    pub scripting: Vec<bool>,
    /// The expected tree.
    pub expected: String,
}

/// All cases below a folder, in order.
///
/// # Panics
/// When the folder cannot be read.
#[allow(clippy::panic, reason = "a test cannot go on without its data")]
pub fn cases(root: &Path) -> Vec<Case> {
    let mut files: Vec<_> =
        crate::files_below(root).into_iter().filter(|file| crate::has_extension(file, "dat")).collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = String::from_utf8_lossy(&bytes);
        let text = format!("\n{text}");
        cases.extend(
            text.split("\n#data\n").skip(1).enumerate().map(|(index, case)| read_case(format!("{name}:{index}"), case)),
        );
    }
    cases
}

fn read_case(id: String, text: &str) -> Case {
    let mut case =
        Case { id, data: String::new(), context: None, scripting: vec![false, true], expected: String::new() };
    let (data, rest) = text.split_once("#errors\n").unwrap_or((text, ""));
    case.data = data.strip_suffix('\n').unwrap_or(data).to_owned();
    let (head, tree) = match rest.strip_prefix("#document\n") {
        Some(tree) => ("", tree),
        None => rest.split_once("\n#document\n").unwrap_or((rest, "")),
    };
    let mut lines = head.lines();
    while let Some(line) = lines.next() {
        match line {
            "#script-on" => case.scripting = vec![true],
            "#script-off" => case.scripting = vec![false],
            "#document-fragment" => case.context = lines.next().map(context),
            _ => {}
        }
    }
    case.expected = tree.trim_end_matches('\n').to_owned();
    case
}

fn context(text: &str) -> (Namespace, String) {
    match text.split_once(' ') {
        Some(("svg", name)) => (Namespace::Svg, name.to_owned()),
        Some(("math", name)) => (Namespace::MathMl, name.to_owned()),
        _ => (Namespace::Html, text.to_owned()),
    }
}

/// The tree below `root` as the suite writes trees; shadow roots are marked like template
/// contents, with their own word, and frames are not shown.
pub fn dump(document: &Document, root: NodeId) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut waiting: Vec<(NodeId, usize)> = document.first_child(root).map(|first| (first, 0)).into_iter().collect();
    while let Some((node, depth)) = waiting.pop() {
        waiting.extend(document.next_sibling(node).map(|next| (next, depth)));
        waiting.extend(document.first_child(node).map(|child| (child, depth + 1)));
        match document.kind(node) {
            NodeKind::TemplateContents | NodeKind::ShadowRoot => {
                let word = if document.kind(node) == NodeKind::ShadowRoot { "shadow root" } else { "content" };
                lines.push(line(depth, word));
            }
            NodeKind::Element => {
                waiting.extend(document.template_contents(node).map(|contents| (contents, depth + 1)));
                waiting.extend(document.shadow_root(node).map(|contents| (contents, depth + 1)));
                let prefix = match document.namespace(node) {
                    Some(Namespace::Svg) => "svg ",
                    Some(Namespace::MathMl) => "math ",
                    _ => "",
                };
                lines.push(line(depth, &format!("<{prefix}{}>", document.local_name(node))));
                let attributes = document
                    .attributes(node)
                    .map(|attribute| {
                        let name = document.name_text(attribute.name);
                        let local = name.rsplit(':').next().unwrap_or(name);
                        let name = match attribute.namespace {
                            AttributeNamespace::XLink => format!("xlink {local}"),
                            AttributeNamespace::Xml => format!("xml {local}"),
                            AttributeNamespace::Xmlns => format!("xmlns {local}"),
                            _ => name.to_owned(),
                        };
                        (name, attribute.value.to_owned())
                    })
                    .collect();
                lines.extend(attribute_lines(depth, attributes));
            }
            NodeKind::Text => lines.push(line(depth, &format!("\"{}\"", document.text(node)))),
            NodeKind::Comment => lines.push(line(depth, &format!("<!-- {} -->", document.text(node)))),
            NodeKind::Doctype => lines.push(line(depth, &format!("<!DOCTYPE {}>", document.text(node)))),
            kind => lines.push(line(depth, &format!("{kind:?}"))),
        }
    }
    lines.join("\n")
}

/// One line of a tree.
pub fn line(depth: usize, text: &str) -> String {
    format!("| {}{text}", "  ".repeat(depth))
}

/// The lines of an element's attributes, sorted by UTF-16 code units.
pub fn attribute_lines(depth: usize, mut attributes: Vec<(String, String)>) -> impl Iterator<Item = String> {
    attributes.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    attributes.into_iter().map(move |(name, value)| {
        let mut text = String::new();
        let _ = write!(text, "{name}=\"{value}\"");
        line(depth + 1, &text)
    })
}
