//! Keeps the parts of the page that a CSS selector matches.
//!
//! Before: `<nav>…</nav><main><p>Parcels leave at noon.</p></main>`, with `selector: main`
//!
//! After: `<main><p>Parcels leave at noon.</p></main>`
//!
//! Without `context` the elements around a match are taken away and the match stands in `body`;
//! with it they stay, and with them the page's `head`. Shadow hosts and frames around a match
//! always stay, since their trees hang on them. A selector matches within one tree: the page,
//! a shadow tree, a frame's page.

use super::Stage;
use crate::document::{Document, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::error::{Diagnostic, Error};
use crate::flat_tree::Slots;
use crate::selector::Selector;

/// The stage.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Scope {
    /// What to keep: a list of CSS selectors.
    selector: Selectors,
    /// Whether the elements around a match stay.
    #[serde(default)]
    context: bool,
    /// Whether it is an error when nothing matches; else the whole page is kept.
    #[serde(default)]
    strict: bool,
}

/// One selector, or several of which any may match.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "OneOrMany")]
struct Selectors(Vec<Selector>);

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl TryFrom<OneOrMany> for Selectors {
    type Error = Error;

    fn try_from(given: OneOrMany) -> Result<Self, Error> {
        let texts = match given {
            OneOrMany::One(text) => vec![text],
            OneOrMany::Many(texts) => texts,
        };
        texts.iter().map(|text| Selector::parse(text)).collect::<Result<_, _>>().map(Self)
    }
}

/// What becomes of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Outside,
    /// Above a match.
    Around,
    Matched,
}

impl Stage for Scope {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let document = draft.document();
        let matched = self.matches(document);
        if matched.is_empty() {
            let selector = self.selector.0.iter().map(Selector::as_str).collect::<Vec<_>>().join(", ");
            if self.strict {
                return Err(Error::NoMatch { selector });
            }
            draft.diagnose(Diagnostic::warning(format!(
                "the selector {selector:?} matches no element; the whole page was kept"
            )));
            return Ok(());
        }
        let mut fates = vec![Fate::Outside; document.len()];
        let mut around = Vec::new();
        let slots = Slots::assign(document);
        for &node in &matched {
            fates[node.index()] = Fate::Matched;
            // The way up to the page, by the slot that shows the node where there is one.
            let mut waiting: Vec<NodeId> =
                slots.slot_of(node).into_iter().chain(document.composed_parent(node)).collect();
            while let Some(above) = waiting.pop() {
                if fates[above.index()] == Fate::Outside {
                    fates[above.index()] = Fate::Around;
                    around.push(above);
                    waiting.extend(slots.slot_of(above));
                    waiting.extend(document.composed_parent(above));
                }
            }
        }
        self.keep_head(document, &mut fates);
        let mut inside = vec![false; document.len()];
        draft.prune(|document, node| {
            let below = document.composed_parent(node).is_some_and(|parent| inside[parent.index()]);
            inside[node.index()] = below || fates[node.index()] == Fate::Matched;
            let is_root = document.kind(node).is_root() || document.kind(node) == NodeKind::Doctype;
            (!inside[node.index()] && !is_root && fates[node.index()] == Fate::Outside)
                .then(|| "outside of the scope".into())
        });
        if !self.context {
            around.sort_unstable();
            for node in around.into_iter().filter(|&node| !inside[node.index()]) {
                if may_be_unwrapped(draft.document(), node) {
                    draft.document_mut().unwrap(node);
                    draft.note(node, "around the scope; what matches in it stays");
                }
            }
        }
        Ok(())
    }
}

impl Scope {
    /// The elements that match, in any tree of the page.
    fn matches(&self, document: &Document) -> Vec<NodeId> {
        let mut roots = vec![NodeId::DOCUMENT];
        roots.extend(document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.kind(node).is_root()));
        self.selector
            .0
            .iter()
            .flat_map(|selector| roots.iter().flat_map(|&root| selector.select(document, root)))
            .collect()
    }

    fn keep_head(&self, document: &Document, fates: &mut [Fate]) {
        if !self.context {
            return;
        }
        let head = document
            .element_children(NodeId::DOCUMENT)
            .flat_map(|html| document.element_children(html))
            .find(|&child| document.is_html(child, name::HEAD));
        if let Some(head) = head {
            fates[head.index()] = Fate::Matched;
        }
    }
}

/// Whether the element's children can stand in its place: it is neither the frame of a page nor
/// the end of a tree.
fn may_be_unwrapped(document: &Document, node: NodeId) -> bool {
    document.is_element(node)
        && document.shadow_root(node).is_none()
        && document.frame(node).is_none()
        && document.kind(document.root(node)) != NodeKind::ShadowRoot
        && !matches!(document.html_name(node), Some(name::HTML | name::BODY | name::HEAD))
}

#[cfg(test)]
mod tests {
    use crate::{Error, Page, PageOptions, Pipeline, Recipe};

    fn run(html: &str, options: &str) -> Result<(String, usize), Error> {
        let page = Page::read(html.as_bytes(), &PageOptions::default())?;
        let recipe = Recipe::from_yaml(&format!("stages: [{{scope: {options}}}]"))?;
        let snapshot = Pipeline::new(&recipe, "html")?.run(&page)?;
        let body = snapshot.text.split_once("<body>").map_or("", |(_, rest)| rest);
        let body = body.split_once("</body>").map_or(body, |(body, _)| body);
        Ok((body.trim().to_owned(), snapshot.diagnostics.len()))
    }

    fn check(html: &str, options: &str, expected: &str) {
        assert_eq!(run(html, options).expect("runs").0, expected, "{options} of {html}");
    }

    #[test]
    fn matches_stay_with_or_without_what_is_around_them() {
        let html = "<nav>n</nav><div id=a><main>m</main><i>i</i></div>";
        check(html, "{selector: main}", "<main>m</main>");
        check(html, "{selector: main, context: true}", "<div id=\"a\"><main>m</main></div>");
        check(html, "{selector: [main, nav]}", "<nav>n</nav><main>m</main>");
        check(html, "{selector: 'main, div'}", "<div id=\"a\"><main>m</main><i>i</i></div>");
    }

    #[test]
    fn trees_inside_are_searched_and_stay_on_their_hosts() {
        let html = "<section><div><template shadowrootmode=open><p>x</p><b>y</b></template></div></section>";
        check(html, "{selector: b}", "<div><template shadowrootmode=\"open\"><b>y</b></template></div>");
        let slotted =
            "<div><template shadowrootmode=open><p><slot></slot></p><i>z</i></template><b>y</b><u>w</u></div>";
        check(
            slotted,
            "{selector: b}",
            "<div><template shadowrootmode=\"open\"><p><slot></slot></p></template><b>y</b></div>",
        );
    }

    #[test]
    fn nothing_to_keep_is_told_and_strictly_an_error() {
        let (body, diagnostics) = run("<p>x</p>", "{selector: main}").expect("keeps the page");
        assert_eq!((body.as_str(), diagnostics), ("<p>x</p>", 1));
        let error = run("<p>x</p>", "{selector: main, strict: true}").expect_err("nothing matches");
        assert_eq!(error, Error::NoMatch { selector: "main".to_owned() });
        let error = run("<p>x</p>", "{selector: 'a['}").expect_err("no selector").to_string();
        assert!(error.contains("a["), "{error}");
        run("<p>x</p>", "{}").expect_err("a selector is needed");
    }
}
