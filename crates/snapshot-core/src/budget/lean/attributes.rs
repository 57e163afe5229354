//! Attributes that only browsers and scripts read.

use rustc_hash::FxHashSet;

use super::{LONGEST_NAME, shortened};
use crate::document::{Document, Name, NodeId, name};

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

/// Keeps what tells a reader what the elements are or hold.
pub(super) fn drop_attributes(document: &mut Document, nodes: &[NodeId]) {
    let named = named_ids(document, nodes);
    for &node in nodes {
        // Code says its language there.
        let is_code = matches!(document.html_name(node), Some(name::CODE | name::PRE));
        document.retain_attributes(node, |attribute, value| match attribute {
            name::ID => named.contains(value),
            name::CLASS => is_code,
            attribute => KEPT.contains(&attribute),
        });
    }
}

/// Cuts what is written of attributes and may be long.
pub(super) fn shorten_texts(document: &mut Document, node: NodeId) {
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
