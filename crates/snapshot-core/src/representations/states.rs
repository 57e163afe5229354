//! States as bare words, for the representations that write lines for people.

use crate::semantics::{States, Tristate};

/// The words for the states that hold, in the order of the contract.
pub(super) fn state_words(states: &States) -> Vec<&'static str> {
    let mut words = Vec::new();
    let mut when = |holds: bool, word: &'static str| {
        if holds {
            words.push(word);
        }
    };
    when(states.checked == Tristate::True, "checked");
    when(states.checked == Tristate::Mixed, "checked=mixed");
    when(states.disabled, "disabled");
    when(states.expanded == Some(true), "expanded");
    when(states.expanded == Some(false), "collapsed");
    when(states.active, "active");
    when(states.invalid, "invalid");
    when(states.pressed == Tristate::True, "pressed");
    when(states.pressed == Tristate::Mixed, "pressed=mixed");
    when(states.required, "required");
    when(states.selected, "selected");
    when(states.readonly, "readonly");
    words
}
