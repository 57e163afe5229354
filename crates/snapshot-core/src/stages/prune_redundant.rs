//! Keeps one of several links that go to the same place under the same name.
//!
//! Before: `<nav><a href=/cart>Cart</a></nav><main><a href=/cart>Cart</a></main>`
//!
//! After: `<nav></nav><main><a href=/cart>Cart</a></main>`
//!
//! The one in the main content is preferred to others, then to those in navigation, then to
//! those in a footer; among equals the first stays. A link within running text keeps its words
//! and only stops being a link. The source map names the survivor for those that went.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::Stage;
use crate::document::{Document, NodeId, name};
use crate::draft::Draft;
use crate::error::Error;
use crate::semantics::{Role, Visibility};
use crate::text::address::is_script_address;

/// The stage; it has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PruneRedundant {}

impl Stage for PruneRedundant {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        for links in same_links(draft).chunk_by(|one, next| one.number == next.number) {
            let Some(survivor) = links.iter().map(|link| (link.region, link.node)).min().map(|(_, node)| node) else {
                continue;
            };
            for link in links.iter().map(|link| link.node).filter(|&link| link != survivor) {
                if stands_alone(draft.document(), link) {
                    draft.remove_for(link, survivor, "the same link stands elsewhere on the page");
                } else {
                    draft.merge_into(link, survivor, "the same link stands elsewhere on the page; its words stay");
                }
            }
        }
        Ok(())
    }
}

/// A link that is nothing but a link.
struct Found {
    /// Links that are the same have the same number.
    number: usize,
    region: Region,
    node: NodeId,
}

/// How many nodes a page has for each place that its links lead to.
const NODES_A_LINK: usize = 16;

/// The plain links of the page, those that are the same one behind the other.
fn same_links(draft: &Draft<'_>) -> Vec<Found> {
    let document = draft.document();
    let has_trees = document.has_composed_trees();
    let mut regions = vec![Region::default(); document.len()];
    let mut numbers: FxHashMap<PlainLink<'_>, usize> =
        FxHashMap::with_capacity_and_hasher(document.len() / NODES_A_LINK, Default::default());
    let mut links = Vec::new();
    for node in document.composed_descendants(NodeId::DOCUMENT).filter(|&node| !document.is_text(node)) {
        let above = document.composed_parent(node).map_or(Region::Elsewhere, |parent| regions[parent.index()]);
        let region = match draft.role(node) {
            Some(Role::Main) => Region::Main,
            Some(Role::Navigation | Role::Banner) => Region::Navigation,
            Some(Role::ContentInfo) => Region::Footer,
            _ => above,
        };
        regions[node.index()] = region;
        if let Some(mut link) = plain_link(draft, node) {
            // Links of one frame or shadow tree are never played off against another's.
            link.root = if has_trees { document.root(node) } else { NodeId::DOCUMENT };
            let fresh = numbers.len();
            let number = *numbers.entry(link).or_insert(fresh);
            links.push(Found { number, region, node });
        }
    }
    links.sort_by_key(|link| link.number);
    links
}

/// What makes two links the same.
#[derive(PartialEq, Eq, Hash)]
struct PlainLink<'draft> {
    root: NodeId,
    address: Cow<'draft, str>,
    target: &'draft str,
    name: &'draft str,
}

/// Where on the page a link stands; the least is preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Region {
    Main,
    #[default]
    Elsewhere,
    Navigation,
    Footer,
}

/// A link that is nothing but a link: shown, named, going somewhere, and without state or handlers
/// that would make it a control of its own.
fn plain_link<'draft>(draft: &'draft Draft<'_>, node: NodeId) -> Option<PlainLink<'draft>> {
    let document = draft.document();
    if !document.is_html(node, name::A) || draft.role(node) != Some(Role::Link) {
        return None;
    }
    let written = document.attribute(node, name::HREF)?.trim();
    let link_name = draft.name(node);
    let own_control = [
        name::ONCLICK,
        name::ARIA_EXPANDED,
        name::ARIA_HASPOPUP,
        name::ARIA_CONTROLS,
        name::DOWNLOAD,
        name::DATA_TOGGLE,
    ]
    .iter()
    .any(|&attribute| document.has_attribute(node, attribute));
    let shown = draft.page().semantics().visibility(node) == Visibility::Visible;
    if written.is_empty()
        || written.starts_with('#')
        || is_script_address(written)
        || link_name.is_empty()
        || own_control
        || !shown
    {
        return None;
    }
    let target = document.attribute(node, name::TARGET).unwrap_or("");
    let address = draft.page().resolve(node, written);
    Some(PlainLink { root: NodeId::DOCUMENT, address, target, name: link_name })
}

/// Whether no words stand beside the link in the element around it.
fn stands_alone(document: &Document, link: NodeId) -> bool {
    document.parent(link).is_none_or(|parent| {
        document
            .children(parent)
            .all(|child| child == link || !document.is_text(child) || document.text(child).trim().is_empty())
    })
}
