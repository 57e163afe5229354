//! The first steps of the ladder, which cost nothing that a reader would miss: shorter
//! addresses, no attributes that only browsers read, no endless names.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::document::{Document, Name, NodeId, NodeKind, name};
use crate::draft::Draft;
use crate::semantics::Role;
use crate::text::pieces::piece_ends;

/// Longer attribute values and names are cut.
const LONGEST_NAME: usize = 160;

/// Longer values of controls are cut.
const LONGEST_VALUE: usize = 400;

/// Addresses up to this length stay.
const SHORT_ADDRESS: usize = 28;

/// Takes the first steps.
pub(crate) fn make_lean(draft: &mut Draft<'_>) {
    let nodes: Vec<NodeId> = draft
        .document()
        .composed_descendants(NodeId::DOCUMENT)
        .filter(|&node| draft.document().is_element(node))
        .collect();
    let named = named_ids(draft.document(), &nodes);
    for node in nodes {
        shorten_addresses(draft, node);
        drop_attributes(draft.document_mut(), node, &named);
        if let Some(cut) = shortened(draft.name(node), LONGEST_NAME) {
            draft.set_name(node, cut);
        }
        if let Some(cut) = draft.value(node).and_then(|value| shortened(value, LONGEST_VALUE)) {
            draft.set_value(node, Some(cut));
        }
    }
    merge_wrappers(draft);
}

/// Lets what only holds other elements stand for nothing: lists and their items, groups and
/// cards without a name. What text runs in directly stays, and keeps its texts apart.
pub(crate) fn merge_containers(draft: &mut Draft<'_>) {
    const HOLDERS: &[Role] = &[
        Role::List,
        Role::ListItem,
        Role::Paragraph,
        Role::Article,
        Role::Figure,
        Role::Group,
        Role::Definition,
        Role::Form,
    ];
    const NAMING: &[Name] = &[name::ARIA_LABEL, name::ARIA_LABELLEDBY];
    let document = draft.document();
    let merged: Vec<NodeId> = document
        .composed_descendants(NodeId::DOCUMENT)
        .filter(|&node| {
            draft.role(node).is_some_and(|role| HOLDERS.contains(&role))
                && !draft.is_target(node)
                && !draft.page().semantics().is_text_block(node)
                && !NAMING.iter().any(|&attribute| document.has_attribute(node, attribute))
                && (draft.name(node).is_empty() || draft.role(node) == Some(Role::Article))
        })
        .collect();
    for node in merged {
        draft.set_role(node, Role::Generic);
        draft.set_name(node, String::new());
    }
}

/// The beginning of the text with a mark behind it, if the text is longer than `longest` bytes.
pub(crate) fn shortened(text: &str, longest: usize) -> Option<String> {
    if text.len() <= longest {
        return None;
    }
    let end = piece_ends(text, longest).first().copied().unwrap_or_default();
    (end < text.len()).then(|| format!("{}…", text[..end].trim_end()))
}

fn shorten_addresses(draft: &mut Draft<'_>, node: NodeId) {
    const ADDRESSES: &[Name] =
        &[name::HREF, name::SRC, name::POSTER, name::DATA, name::XLINK_HREF, name::ACTION, name::CITE];
    let origin = draft.page().url().map(|url| url.origin().ascii_serialization());
    if draft.document().has_attribute(node, name::HREF)
        && let Some(address) = draft.address(node)
        && let Cow::Owned(short) = short_address(&address, origin.as_deref())
    {
        draft.set_address(node, Some(short));
    }
    for &attribute in ADDRESSES {
        let Some(written) = draft.document().attribute(node, attribute) else { continue };
        if let Cow::Owned(short) = short_address(written, origin.as_deref()) {
            draft.document_mut().set_attribute(node, attribute, &short);
        }
    }
}

/// An address by which a reader still knows what it leads to: without the page's own origin,
/// without what follows `?` or `#` when it is long, the last steps of a long path.
fn short_address<'address>(address: &'address str, origin: Option<&str>) -> Cow<'address, str> {
    let mut rest = address;
    if let Some(origin) = origin
        && let Some(path) = rest.strip_prefix(origin)
        && path.starts_with('/')
    {
        rest = path;
    }
    if rest.len() <= SHORT_ADDRESS {
        return if rest.len() == address.len() { Cow::Borrowed(address) } else { Cow::Owned(rest.to_owned()) };
    }
    let (place, scheme) = match rest.split_once("://") {
        Some((scheme, place)) => (place.strip_prefix("www.").unwrap_or(place), scheme),
        None => (rest, ""),
    };
    let path_end = place.find(['?', '#']).unwrap_or(place.len());
    let (path, parameters) = place.split_at(path_end);
    let path = path.trim_end_matches('/');
    let mut short = String::new();
    let host_end = if scheme.is_empty() { 0 } else { path.find('/').unwrap_or(path.len()) };
    let (host, steps) = path.split_at(host_end);
    short.push_str(host);
    let last = steps.rfind('/').map_or(steps, |at| &steps[at..]);
    if host.len() + steps.len() <= SHORT_ADDRESS {
        short.push_str(steps);
    } else {
        short.push('…');
        short.push_str(ending(last, SHORT_ADDRESS));
    }
    if !parameters.is_empty() {
        if short.len() + parameters.len() <= SHORT_ADDRESS {
            short.push_str(parameters);
        } else {
            short.push_str("?…");
        }
    }
    if short.len() < address.len() { Cow::Owned(short) } else { Cow::Borrowed(address) }
}

/// The last `longest` bytes of the text, or a few fewer.
fn ending(text: &str, longest: usize) -> &str {
    let mut start = text.len().saturating_sub(longest);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// The ids that other elements name: of a label's control, of what labels a control.
fn named_ids(document: &Document, nodes: &[NodeId]) -> FxHashSet<String> {
    const NAMING: &[Name] = &[name::FOR, name::ARIA_LABELLEDBY, name::ARIA_DESCRIBEDBY, name::ARIA_OWNS];
    nodes
        .iter()
        .flat_map(|&node| NAMING.iter().filter_map(move |&attribute| document.attribute(node, attribute)))
        .flat_map(str::split_ascii_whitespace)
        .map(str::to_owned)
        .collect()
}

/// Attributes that tell a reader what the element is or holds.
const KEPT: &[Name] = &[
    name::HREF,
    name::TYPE,
    name::NAME,
    name::VALUE,
    name::PLACEHOLDER,
    name::ALT,
    name::TITLE,
    name::ROLE,
    name::CHECKED,
    name::SELECTED,
    name::DISABLED,
    name::REQUIRED,
    name::READONLY,
    name::MULTIPLE,
    name::SIZE,
    name::OPEN,
    name::FOR,
    name::LABEL,
    name::START,
    name::REVERSED,
    name::MIN,
    name::MAX,
    name::STEP,
    name::COLSPAN,
    name::ROWSPAN,
    name::SCOPE,
    name::CONTENTEDITABLE,
    name::HIDDEN,
    name::INERT,
    name::LANG,
    name::DIR,
    name::SLOT,
    name::DATETIME,
    name::SRCDOC,
    name::SRC,
    name::POPOVER,
    name::ARIA_HIDDEN,
    name::ARIA_LABEL,
    name::ARIA_LABELLEDBY,
    name::ARIA_DESCRIBEDBY,
    name::ARIA_OWNS,
    name::ARIA_EXPANDED,
    name::ARIA_CHECKED,
    name::ARIA_SELECTED,
    name::ARIA_PRESSED,
    name::ARIA_CURRENT,
    name::ARIA_INVALID,
    name::ARIA_DISABLED,
    name::ARIA_REQUIRED,
    name::ARIA_LEVEL,
    name::ARIA_VALUENOW,
    name::ARIA_VALUETEXT,
    name::ARIA_PLACEHOLDER,
    name::ARIA_MODAL,
    name::ARIA_HASPOPUP,
    name::DATA_UID,
];

fn drop_attributes(document: &mut Document, node: NodeId, named: &FxHashSet<String>) {
    // Code says its language there.
    let is_code = matches!(document.html_name(node), Some(name::CODE | name::PRE));
    document.retain_attributes(node, |attribute, value| match attribute {
        name::ID => named.contains(value),
        name::CLASS => is_code,
        attribute => KEPT.contains(&attribute),
    });
    const TEXTS: &[Name] = &[
        name::VALUE,
        name::PLACEHOLDER,
        name::ALT,
        name::TITLE,
        name::LABEL,
        name::ARIA_LABEL,
        name::ARIA_VALUETEXT,
        name::ARIA_PLACEHOLDER,
    ];
    for &attribute in TEXTS {
        if let Some(cut) = document.attribute(node, attribute).and_then(|value| shortened(value, LONGEST_NAME)) {
            document.set_attribute(node, attribute, &cut);
        }
    }
}

/// Takes off wrappers: boxes without a meaning of their own around a single other box. Only
/// where the result is read back as the same tree.
pub(crate) fn merge_wrappers(draft: &mut Draft<'_>) {
    let nodes: Vec<NodeId> = draft.document().composed_descendants(NodeId::DOCUMENT).collect();
    for node in nodes {
        if is_wrapper(draft, node) {
            draft.document_mut().unwrap(node);
        }
    }
}

fn is_wrapper(draft: &Draft<'_>, node: NodeId) -> bool {
    const AROUND: &[Name] = &[
        name::DIV,
        name::BODY,
        name::MAIN,
        name::SECTION,
        name::ARTICLE,
        name::ASIDE,
        name::HEADER,
        name::FOOTER,
        name::NAV,
        name::FORM,
        name::TD,
        name::TH,
        name::FIELDSET,
        name::FIGURE,
    ];
    const INSIDE: &[Name] = &[
        name::DIV,
        name::SECTION,
        name::ARTICLE,
        name::ASIDE,
        name::HEADER,
        name::FOOTER,
        name::NAV,
        name::MAIN,
        name::UL,
        name::OL,
        name::DL,
        name::P,
        name::TABLE,
        name::FIGURE,
        name::BLOCKQUOTE,
    ];
    let document = draft.document();
    document.is_html(node, name::DIV)
        && !draft.is_target(node)
        && matches!(draft.role(node), None | Some(Role::Generic))
        && draft.name(node).is_empty()
        && document.attributes(node).len() == 0
        && document.shadow_root(node).is_none()
        && document
            .parent(node)
            .and_then(|parent| document.html_name(parent))
            .is_some_and(|parent| AROUND.contains(&parent))
        && only_child(document, node)
            .and_then(|child| document.html_name(child))
            .is_some_and(|child| INSIDE.contains(&child))
}

/// The element in the node, when nothing but blanks stands beside it.
fn only_child(document: &Document, node: NodeId) -> Option<NodeId> {
    let mut only = None;
    for child in document.children(node) {
        match document.kind(child) {
            NodeKind::Element if only.is_none() => only = Some(child),
            NodeKind::Text if document.text(child).trim().is_empty() => {}
            _ => return None,
        }
    }
    only
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_what_tells_them_apart() {
        let origin = Some("https://shop.example");
        for (address, wanted) in [
            ("https://shop.example/cart", "/cart"),
            ("/cart?x=1", "/cart?x=1"),
            ("#top", "#top"),
            ("https://other.example/a", "https://other.example/a"),
            ("https://www.other.example/very/long/path/to/a/page.html?utm=1&x=22", "other.example…/page.html?…"),
            (
                "https://shop.example/tea/green/sencha-of-the-first-harvest?color=red&size=xl",
                "…cha-of-the-first-harvest?…",
            ),
            ("mailto:ann@a.example", "mailto:ann@a.example"),
        ] {
            assert!(short_address(address, origin).len() <= address.len());
            if wanted.starts_with('…') {
                assert!(short_address(address, origin).ends_with("harvest?…"), "{}", short_address(address, origin));
            } else {
                assert_eq!(short_address(address, origin), wanted);
            }
        }
    }
}
