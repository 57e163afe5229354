//! The modes "in head" and "in head noscript" (13.2.6.4.4, .5), whose rules for metadata hold in
//! the body too.

use super::super::{Characters, Mode, Step, Tag, TreeBuilder};
use crate::document::{Name, name};
use crate::parse::tokenizer::Content;

impl TreeBuilder {
    pub(super) fn start_in_head(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::HTML => self.start_in_body(tag),
            name::BASE | name::BASEFONT | name::BGSOUND | name::LINK | name::META => {
                self.insert_closed_element(tag);
                Step::Done
            }
            name::TITLE => self.insert_raw_text(tag, Content::Rcdata),
            name::NOSCRIPT if !self.scripting => {
                self.insert_element(tag);
                self.mode = Mode::InHeadNoscript;
                Step::Done
            }
            name::NOFRAMES | name::STYLE | name::NOSCRIPT => self.insert_raw_text(tag, Content::Rawtext),
            name::SCRIPT => self.insert_raw_text(tag, Content::ScriptData),
            name::TEMPLATE => self.start_template(tag),
            name::HEAD => Step::Done,
            _ => self.behind_head(),
        }
    }

    pub(super) fn end_in_head(&mut self, name: Name) -> Step {
        match name {
            name::HEAD => {
                self.behind_head();
                Step::Done
            }
            name::BODY | name::HTML | name::BR => self.behind_head(),
            name::TEMPLATE => self.end_template(),
            _ => Step::Done,
        }
    }

    pub(super) fn behind_head(&mut self) -> Step {
        self.open.pop();
        self.mode = Mode::AfterHead;
        Step::Again
    }

    pub(super) fn start_in_head_noscript(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::HTML => self.start_in_body(tag),
            name::BASEFONT | name::BGSOUND | name::LINK | name::META | name::NOFRAMES | name::STYLE => {
                self.start_in_head(tag)
            }
            name::HEAD | name::NOSCRIPT => Step::Done,
            _ => self.behind_head_noscript(),
        }
    }

    pub(super) fn end_in_head_noscript(&mut self, name: Name) -> Step {
        match name {
            name::NOSCRIPT => {
                self.behind_head_noscript();
                Step::Done
            }
            name::BR => self.behind_head_noscript(),
            _ => Step::Done,
        }
    }

    pub(super) fn behind_head_noscript(&mut self) -> Step {
        self.open.pop();
        self.mode = Mode::InHead;
        Step::Again
    }

    /// Characters in the head, in its `noscript` and behind it: white space stays there.
    pub(super) fn characters_about_head(&mut self, characters: Characters<'_>) -> Step {
        match (characters, self.mode) {
            (Characters::Blank(text), _) => {
                self.insert_text(text);
                Step::Done
            }
            (_, Mode::InHead) => self.behind_head(),
            (_, Mode::InHeadNoscript) => self.behind_head_noscript(),
            _ => self.behind_after_head(),
        }
    }
}
