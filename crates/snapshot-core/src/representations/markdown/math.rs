//! Formulas: TeX where the page has it, else their characters.

use super::escaping::{self, Pairs, Surroundings};
use super::inline;
use crate::document::{Document, NodeId, name};
use crate::flat_tree::FlatTree;
use crate::text::invisible::without_invisible;

/// A formula ready to be written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// TeX between dollar signs, as Markdown.
    Tex(String),
    /// Characters of the page.
    Text(String),
}

/// The formula of a `math` element: its TeX annotation, its `alttext`, or its characters.
/// Annotations are not shown, so they are looked for on the page as captured.
pub(super) fn read(captured: &Document, document: &Document, tree: &FlatTree, position: usize) -> Option<Formula> {
    let node = tree.node(position);
    let below = position + 1..tree.end(position);
    let source = if node.index() < captured.len() { captured } else { document };
    let annotation = source.descendants(node).find(|&inner| is_tex(source, inner));
    let tex = match annotation {
        Some(annotation) => Some(without_invisible(&source.text_content(annotation)).into_owned()),
        None => document.find_name("alttext").and_then(|alttext| document.attribute(node, alttext)).map(str::to_owned),
    };
    let tex = tex.map(|tex| tex.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|tex| !tex.is_empty());
    if let Some(tex) = tex {
        let block =
            document.attribute(node, name::DISPLAY).is_some_and(|display| display.eq_ignore_ascii_case("block"));
        return Some(Formula::Tex(dollars(&tex, block)));
    }
    let mut text = String::new();
    let mut at = below.start;
    while at < below.end {
        let node = tree.node(at);
        let annotation =
            document.is_element(node) && matches!(document.name(node), Some(name::ANNOTATION | name::ANNOTATION_XML));
        if annotation {
            at = tree.end(at);
            continue;
        }
        text.push_str(document.text(node));
        at += 1;
    }
    (!text.trim().is_empty()).then_some(Formula::Text(text))
}

/// Whether the element draws a formula for the eye that stands beside it as MathML: KaTeX and
/// MathJax write both, and hide what they draw from readers that speak.
pub(super) fn is_drawing(document: &Document, tree: &FlatTree, node: NodeId) -> bool {
    /// How far down the formula may be, and how many siblings are looked at.
    const NEAR: usize = 4;
    let hidden = document.attribute(node, name::ARIA_HIDDEN).is_some_and(|value| value.trim() == "true");
    hidden
        && tree.parent(node).is_some_and(|parent| {
            tree.children(parent).take(NEAR).filter(|&sibling| sibling != node).any(|sibling| {
                std::iter::successors(Some(sibling), |&inner| tree.children(inner).next())
                    .take(NEAR)
                    .any(|inner| document.name(inner) == Some(name::MATH))
            })
        })
}

fn is_tex(document: &Document, node: NodeId) -> bool {
    document.name(node) == Some(name::ANNOTATION)
        && document
            .attribute(node, name::ENCODING)
            .is_some_and(|encoding| matches!(encoding.trim(), "application/x-tex" | "text/x-tex" | "TeX" | "LaTeX"))
}

/// TeX as `$…$` where Markdown leaves its characters alone, else with the code span that keeps
/// them (``$`…`$``).
fn dollars(tex: &str, block: bool) -> String {
    let around = Surroundings {
        before: Some('$'),
        after: Some('$'),
        references: true,
        pairs: Pairs::ALL,
        ..Surroundings::default()
    };
    let plain = escaping::escapes(tex, &around).is_empty() && !tex.contains('$');
    match (plain, block) {
        (true, false) => format!("${tex}$"),
        (true, true) => format!("$${tex}$$"),
        (false, _) => {
            let mut formula = "$".to_owned();
            inline::write_code_span(tex, &mut |part| formula.push_str(part));
            formula.push('$');
            formula
        }
    }
}
