//! Pages of frames: the modes "in frameset", "after frameset" and "after after frameset"
//! (13.2.6.4.20, .21, .23).

use super::super::{Mode, Step, Tag, TreeBuilder};
use crate::document::{Name, name};

impl TreeBuilder {
    pub(super) fn start_in_frameset(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::HTML => return self.start_in_body(tag),
            name::NOFRAMES => return self.start_in_head(tag),
            name::FRAMESET => {
                self.insert_element(tag);
            }
            name::FRAME => {
                self.insert_closed_element(tag);
            }
            _ => {}
        }
        Step::Done
    }

    pub(super) fn end_in_frameset(&mut self, name: Name) -> Step {
        if name == name::FRAMESET && self.open.len() > 1 {
            self.open.pop();
            if self.context.is_none() && !self.open.current().is_html(name::FRAMESET) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Step::Done
    }

    pub(super) fn start_after_frameset(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::HTML => self.start_in_body(tag),
            name::NOFRAMES => self.start_in_head(tag),
            _ => Step::Done,
        }
    }

    pub(super) fn end_after_frameset(&mut self, name: Name) -> Step {
        if name == name::HTML {
            self.mode = Mode::AfterAfterFrameset;
        }
        Step::Done
    }
}
