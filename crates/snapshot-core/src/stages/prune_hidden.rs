//! Drops what the page does not show.
//!
//! Before: `<nav style="display:none"><a href=/old>Old</a></nav><p>Parcels leave at noon.</p>`
//!
//! After: `<p>Parcels leave at noon.</p>`
//!
//! The verdicts are those of [`semantics`](crate::semantics). An element with
//! `visibility: hidden` goes only when nothing in it is shown; otherwise its own text goes and
//! it stays as a wrapper.

use super::Stage;
use crate::document::{Document, NodeId, name};
use crate::draft::Draft;
use crate::error::Error;
use crate::semantics::{Reason, Visibility};

/// The stage; it has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PruneHidden {}

impl Stage for PruneHidden {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let semantics = draft.page().semantics();
        let mut wrappers = Vec::new();
        draft.prune(|document, node| match semantics.visibility(node) {
            // What is in `head` is not shown, yet a page keeps its title there; the rest of it is
            // the business of `prune-noise`.
            Visibility::NotRendered(_) if document.is_html(node, name::HEAD) => None,
            Visibility::NotRendered(Reason::Inherited) | Visibility::Visible => None,
            Visibility::Invisible(_) if document.is_element(node) => {
                wrappers.push(node);
                None
            }
            Visibility::NotRendered(_) | Visibility::Invisible(_) => semantics.visibility_reason(node),
        });
        for wrapper in wrappers.into_iter().rev() {
            if is_empty(draft.document(), wrapper) {
                draft.remove(wrapper, semantics.visibility_reason(wrapper).unwrap_or_default());
            }
        }
        Ok(())
    }
}

fn is_empty(document: &Document, node: NodeId) -> bool {
    document.first_child(node).is_none()
        && document.frame(node).is_none()
        && document.shadow_root(node).is_none_or(|root| document.first_child(root).is_none())
}
