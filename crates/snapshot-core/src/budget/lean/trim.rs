//! Attributes of HTML that say nothing that a reader needs.

use crate::document::{Document, Name, NodeId, name};
use crate::draft::Draft;
use crate::semantics::Role;
use crate::text::spacing::without_blanks;

/// Leaves an element the attributes that say what it is, what it is called, and its state.
pub(super) fn trim_attributes(draft: &mut Draft<'_>, node: NodeId) {
    const UNSAID: &[Name] = &[
        name::ID,
        name::FOR,
        name::NAME,
        name::CLASS,
        name::LANG,
        name::DIR,
        name::SIZE,
        name::STEP,
        name::MIN,
        name::MAX,
        name::SCOPE,
        name::DATETIME,
        name::SRC,
        name::ARIA_LABELLEDBY,
        name::ARIA_DESCRIBEDBY,
        name::ARIA_OWNS,
        name::ARIA_HASPOPUP,
        name::ARIA_MODAL,
        name::ARIA_HIDDEN,
    ];
    const STATES: &[Name] = &[
        name::ARIA_SELECTED,
        name::ARIA_PRESSED,
        name::ARIA_CURRENT,
        name::ARIA_INVALID,
        name::ARIA_DISABLED,
        name::ARIA_REQUIRED,
        name::ARIA_CHECKED,
    ];
    let is_target = draft.is_target(node);
    let role = draft.role(node);
    let document = draft.document();
    let tag = document.html_name(node);
    // Drawings get their names when it is known what becomes of them.
    let is_drawing = document.is_svg(node, name::SVG)
        && !is_target
        && !document.descendants(node).any(|below| draft.is_target(below));
    let given = draft.name(node).to_owned();
    let is_field = matches!(tag, Some(name::INPUT | name::SELECT | name::TEXTAREA));
    // A name that nothing in the element says.
    let labelled = [name::ARIA_LABEL, name::ARIA_LABELLEDBY, name::TITLE]
        .iter()
        .any(|&attribute| document.has_attribute(node, attribute));
    let holds = matches!(
        role,
        None | Some(
            Role::Generic
                | Role::List
                | Role::ListItem
                | Role::Paragraph
                | Role::Article
                | Role::Figure
                | Role::Main
                | Role::Form
                | Role::Region
                | Role::Group
                | Role::TabPanel
                | Role::Cell
                | Role::GridCell
        )
    );
    let is_button = tag == Some(name::BUTTON);
    let switch = tag == Some(name::INPUT)
        && document
            .attribute(node, name::TYPE)
            .is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox") || kind.eq_ignore_ascii_case("radio"));
    let says_its_value = tag == Some(name::INPUT)
        && document.attribute(node, name::VALUE) == Some(&given)
        && is_push_button(document, node);
    let label = if given.is_empty() || (holds && !is_target) || is_drawing || says_its_value {
        None
    } else if is_field || document.is_svg(node, name::SVG) || (labelled && !says_itself(document, node, &given)) {
        Some(given)
    } else {
        None
    };
    let keeps_source = tag == Some(name::IMG) && draft.name(node).is_empty();
    draft.document_mut().retain_attributes(node, |attribute, value| match attribute {
        name::ARIA_LABEL | name::TITLE | name::PLACEHOLDER if label.is_some() => false,
        name::ARIA_LABEL | name::TITLE => false,
        name::TYPE => !is_button && !value.eq_ignore_ascii_case("text"),
        name::VALUE => !switch && tag != Some(name::OPTION) && !value.is_empty(),
        name::SRC => keeps_source,
        name::ROLE => !holds || is_target,
        // All is on the first level until something says otherwise.
        name::ARIA_LEVEL => value != "1" || role == Some(Role::Heading),
        attribute if STATES.contains(&attribute) => value != "false",
        attribute => !UNSAID.contains(&attribute),
    });
    if let Some(label) = label {
        draft.document_mut().set_attribute(node, name::ARIA_LABEL, &label);
    }
}

/// Whether the field is a button, which its value stands on.
fn is_push_button(document: &Document, input: NodeId) -> bool {
    let kind = document.attribute(input, name::TYPE).unwrap_or("");
    ["submit", "button", "reset"].iter().any(|button| kind.eq_ignore_ascii_case(button))
}

/// Whether the element's text is its name.
fn says_itself(document: &Document, node: NodeId, name: &str) -> bool {
    let mut rest = without_blanks(name);
    document
        .descendants(node)
        .take(64)
        .flat_map(|below| without_blanks(document.text(below)))
        .all(|character| rest.next() == Some(character))
        && rest.next().is_none()
}
