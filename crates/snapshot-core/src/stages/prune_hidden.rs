//! Drops what the page does not show.
//!
//! Before: `<nav style="display:none"><a href=/old>Old</a></nav><p>Parcels leave at noon.</p>`
//!
//! After: `<p>Parcels leave at noon.</p>`
//!
//! The verdicts are those of [`semantics`](crate::semantics). An element with
//! `visibility: hidden` goes only when nothing in it is shown; otherwise its own text goes and
//! it stays as a wrapper. What is `inert` goes too: nobody can reach it.

use super::Stage;
use crate::document::{Document, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::error::Error;
use crate::semantics::Visibility;

/// The stage; it has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PruneHidden {}

impl Stage for PruneHidden {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let semantics = draft.page().semantics();
        let mut wrappers = Vec::new();
        // Nodes that are kept although they are not shown, with all below them.
        let mut kept = vec![false; draft.document().len()];
        draft.prune(|document, node| match semantics.visibility(node) {
            Visibility::Visible => None,
            // The roots of shadow trees and of frames' pages stay; what is in them is judged itself.
            _ if matches!(document.kind(node), NodeKind::ShadowRoot | NodeKind::Document) => None,
            Visibility::NotRendered(_) => {
                let below_kept = document
                    .composed_parent(node)
                    .is_some_and(|parent| kept.get(parent.index()).copied().unwrap_or_default());
                if below_kept || says_something(document, node) {
                    if let Some(kept) = kept.get_mut(node.index()) {
                        *kept = true;
                    }
                    return None;
                }
                semantics.visibility_reason(node)
            }
            Visibility::Invisible(_) if document.is_element(node) => {
                wrappers.push(node);
                None
            }
            Visibility::Invisible(_) => semantics.visibility_reason(node),
        });
        for wrapper in wrappers.into_iter().rev() {
            if is_empty(draft.document(), wrapper) {
                draft.remove(wrapper, semantics.visibility_reason(wrapper).unwrap_or_default());
            }
        }
        Ok(())
    }
}

/// What is in `head` is not shown, yet a page keeps its title there; the rest of it is the
/// business of `prune-noise`. A drawing keeps its title and description inside itself.
fn says_something(document: &Document, node: NodeId) -> bool {
    document.is_html(node, name::HEAD) || document.is_svg(node, name::TITLE) || document.is_svg(node, name::DESC)
}

fn is_empty(document: &Document, node: NodeId) -> bool {
    let is_bare = |root: Option<NodeId>| root.is_none_or(|root| document.first_child(root).is_none());
    document.first_child(node).is_none() && is_bare(document.frame(node)) && is_bare(document.shadow_root(node))
}

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions, Pipeline, Recipe};

    fn check(html: &str, expected: &str) {
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let recipe = Recipe::from_list("prune-hidden").expect("a stage");
        let snapshot = Pipeline::new(&recipe, "html").expect("builds").run(&page).expect("runs");
        let body = snapshot.text.split_once("<body>").map_or("", |(_, rest)| rest);
        let body = body.split_once("</body>").map_or(body, |(body, _)| body);
        assert_eq!(body.trim(), expected, "{html}");
    }

    #[test]
    fn what_is_not_shown_goes_and_what_is_shown_in_it_stays() {
        check("<nav style='display:none'>Old</nav><p>New</p>", "<p>New</p>");
        check(
            "<div style='visibility:hidden'>a<b style='visibility:visible'>b</b></div>",
            "<div style=\"visibility:hidden\"><b style=\"visibility:visible\">b</b></div>",
        );
        check("<div style='visibility:hidden'><i>a</i></div>z", "z");
        check("<p inert>a<b>b</b></p>z", "z");
        let shadow = "<template shadowrootmode=\"open\"><b>a</b><i style=\"visibility:visible\">b</i></template>";
        check(
            &format!("<x-y style='visibility:hidden'>{shadow}</x-y>z"),
            "<x-y style=\"visibility:hidden\"><template shadowrootmode=\"open\"><i style=\"visibility:visible\">b</i>\
             </template></x-y>z",
        );
        check("<x-y style='visibility:hidden'><template shadowrootmode=open><b>a</b></template></x-y>z", "z");
        check("<iframe style='visibility:hidden' srcdoc='<b>a</b>'></iframe>z", "z");
        check("<details><summary>s</summary><p>x</p></details>", "<details><summary>s</summary></details>");
    }

    #[test]
    fn titles_of_the_page_and_of_drawings_stay() {
        let page =
            Page::read(b"<title>Faro</title><svg><title>Cart</title></svg>", &PageOptions::default()).expect("reads");
        let recipe = Recipe::from_list("prune-hidden").expect("a stage");
        let text = Pipeline::new(&recipe, "html").expect("builds").run(&page).expect("runs").text;
        assert!(text.contains("<title>Faro</title>") && text.contains("<title>Cart</title>"), "{text}");
    }

    #[test]
    fn each_removal_says_which_rule_asked_for_it() {
        let page = Page::read(
            b"<style>.menu > ul { display: none }</style><div class=menu><ul><li>x</ul></div>",
            &PageOptions::default(),
        )
        .expect("reads");
        let recipe = Recipe::from_list("prune-hidden").expect("a stage");
        let snapshot = Pipeline::new(&recipe, "html").expect("builds").run(&page).expect("runs");
        let reasons: Vec<&str> = snapshot.changes.iter().map(|change| &*change.reason).collect();
        assert!(reasons.contains(&"`display: none` by rule `.menu > ul`"), "{reasons:?}");
    }
}
