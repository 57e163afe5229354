//! Behind the body: the modes "after body" and "after after body" (13.2.6.4.19, .22).

use super::super::{Mode, Step, Tag, TreeBuilder};
use crate::document::{Name, name};

impl TreeBuilder {
    pub(super) fn start_after_body(&mut self, tag: &Tag<'_>) -> Step {
        if tag.name == name::HTML { self.start_in_body(tag) } else { self.back_to_body() }
    }

    pub(super) fn end_after_body(&mut self, name: Name) -> Step {
        if name != name::HTML {
            return self.back_to_body();
        }
        if self.context.is_none() {
            self.mode = Mode::AfterAfterBody;
        }
        Step::Done
    }

    /// What belongs into the body goes there although it is closed.
    pub(super) fn back_to_body(&mut self) -> Step {
        self.mode = Mode::InBody;
        Step::Again
    }
}
