//! From the start of a page to its body: the modes "initial", "before html", "before head" and
//! "after head" (13.2.6.4.1 to .3, .6).

use super::super::{Attributes, Characters, Mode, Step, Tag, TreeBuilder};
use crate::document::{Name, QuirksMode, name};

impl TreeBuilder {
    /// What no doctype was in front of.
    pub(super) fn behind_initial(&mut self) -> Step {
        if !self.srcdoc {
            self.set_quirks_mode(QuirksMode::Full);
        }
        self.mode = Mode::BeforeHtml;
        Step::Again
    }

    pub(super) fn start_before_html(&mut self, tag: &Tag<'_>) -> Step {
        if tag.name != name::HTML {
            return self.behind_before_html();
        }
        self.insert_root(tag.attributes);
        self.mode = Mode::BeforeHead;
        Step::Done
    }

    pub(super) fn end_before_html(&mut self, name: Name) -> Step {
        match name {
            name::HEAD | name::BODY | name::HTML | name::BR => self.behind_before_html(),
            _ => Step::Done,
        }
    }

    pub(super) fn behind_before_html(&mut self) -> Step {
        self.insert_root(Attributes::NONE);
        self.mode = Mode::BeforeHead;
        Step::Again
    }

    pub(super) fn start_before_head(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::HTML => self.start_in_body(tag),
            name::HEAD => {
                self.head = Some(self.insert_element(tag));
                self.mode = Mode::InHead;
                Step::Done
            }
            _ => self.behind_before_head(),
        }
    }

    pub(super) fn end_before_head(&mut self, name: Name) -> Step {
        match name {
            name::HEAD | name::BODY | name::HTML | name::BR => self.behind_before_head(),
            _ => Step::Done,
        }
    }

    pub(super) fn behind_before_head(&mut self) -> Step {
        self.head = Some(self.insert_implied_element(name::HEAD));
        self.mode = Mode::InHead;
        Step::Again
    }

    pub(super) fn characters_before_head(&mut self, characters: Characters<'_>) -> Step {
        if let Characters::Blank(_) = characters {
            return Step::Done;
        }
        match self.mode {
            Mode::Initial => self.behind_initial(),
            Mode::BeforeHtml => self.behind_before_html(),
            _ => self.behind_before_head(),
        }
    }

    pub(super) fn start_after_head(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::HTML => self.start_in_body(tag),
            name::BODY => {
                self.insert_element(tag);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                Step::Done
            }
            name::FRAMESET => {
                self.insert_element(tag);
                self.mode = Mode::InFrameset;
                Step::Done
            }
            name::BASE
            | name::BASEFONT
            | name::BGSOUND
            | name::LINK
            | name::META
            | name::NOFRAMES
            | name::SCRIPT
            | name::STYLE
            | name::TEMPLATE
            | name::TITLE => self.start_back_in_head(tag),
            name::HEAD => Step::Done,
            _ => self.behind_after_head(),
        }
    }

    /// Puts what belongs into the head there although it is closed.
    fn start_back_in_head(&mut self, tag: &Tag<'_>) -> Step {
        let Some(head) = self.head else { return self.start_in_head(tag) };
        self.open.push(head);
        let step = self.start_in_head(tag);
        self.open.remove_element(head.id);
        step
    }

    pub(super) fn end_after_head(&mut self, name: Name) -> Step {
        match name {
            name::TEMPLATE => self.end_in_head(name),
            name::BODY | name::HTML | name::BR => self.behind_after_head(),
            _ => Step::Done,
        }
    }

    pub(super) fn behind_after_head(&mut self) -> Step {
        self.insert_implied_element(name::BODY);
        self.mode = Mode::InBody;
        Step::Again
    }
}
