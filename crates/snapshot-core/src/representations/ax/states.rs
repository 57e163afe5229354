//! The state marks of a line, in the order of the format.

use std::borrow::Cow;

use crate::semantics::{States, Tristate};

/// The marks to write, without brackets: `checked=mixed`, `disabled`, `level=2`.
pub(super) fn marks(states: &States) -> impl Iterator<Item = Cow<'static, str>> {
    let tristate = |name: &'static str, mixed: &'static str, value| match value {
        Tristate::False => None,
        Tristate::True => Some(Cow::Borrowed(name)),
        Tristate::Mixed => Some(Cow::Borrowed(mixed)),
    };
    let flag = |name: &'static str, value: bool| value.then_some(Cow::Borrowed(name));
    let expanded = match states.expanded {
        None => None,
        Some(true) => Some(Cow::Borrowed("expanded")),
        Some(false) => Some(Cow::Borrowed("expanded=false")),
    };
    [
        tristate("checked", "checked=mixed", states.checked),
        flag("disabled", states.disabled),
        expanded,
        flag("active", states.active),
        flag("invalid", states.invalid),
        (states.level > 0).then(|| Cow::Owned(format!("level={}", states.level))),
        tristate("pressed", "pressed=mixed", states.pressed),
        flag("required", states.required),
        flag("selected", states.selected),
    ]
    .into_iter()
    .flatten()
}
