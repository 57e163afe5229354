//! The mode "in body" (13.2.6.4.7): end tags.

use super::super::kinds::Kinds;
use super::super::open_elements::Open;
use super::super::{Mode, Step, Tag, TreeBuilder};
use crate::document::{Name, name};

impl TreeBuilder {
    pub(super) fn end_in_body(&mut self, name: Name) -> Step {
        match name {
            name::A
            | name::B
            | name::BIG
            | name::CODE
            | name::EM
            | name::FONT
            | name::I
            | name::NOBR
            | name::S
            | name::SMALL
            | name::STRIKE
            | name::STRONG
            | name::TT
            | name::U => self.run_adoption_agency(name),
            name::ADDRESS
            | name::ARTICLE
            | name::ASIDE
            | name::BLOCKQUOTE
            | name::BUTTON
            | name::CENTER
            | name::DETAILS
            | name::DIALOG
            | name::DIR
            | name::DIV
            | name::DL
            | name::FIELDSET
            | name::FIGCAPTION
            | name::FIGURE
            | name::FOOTER
            | name::HEADER
            | name::HGROUP
            | name::LISTING
            | name::MAIN
            | name::MENU
            | name::NAV
            | name::OL
            | name::PRE
            | name::SEARCH
            | name::SECTION
            | name::SELECT
            | name::SUMMARY
            | name::UL => {
                if self.open.has_in_scope(name) {
                    self.open.imply_ends();
                    self.open.pop_through(name);
                }
            }
            name::P => {
                if !self.open.has_in_button_scope(name::P) {
                    self.insert_implied_element(name::P);
                }
                self.open.close_paragraph();
            }
            name::LI => {
                if self.open.has_in(Kinds::SCOPE.with(Kinds::LIST_SCOPE), name) {
                    self.open.imply_ends_except(name);
                    self.open.pop_through(name);
                }
            }
            name::DD | name::DT => {
                if self.open.has_in_scope(name) {
                    self.open.imply_ends_except(name);
                    self.open.pop_through(name);
                }
            }
            name::H1 | name::H2 | name::H3 | name::H4 | name::H5 | name::H6 => {
                if self.open.any_in(Kinds::SCOPE, |element| element.kinds.meets(Kinds::HEADING)) {
                    self.open.imply_ends();
                    self.open.pop_through_kinds(Kinds::HEADING);
                }
            }
            name::FORM => self.end_form(),
            name::APPLET | name::MARQUEE | name::OBJECT => {
                if self.open.has_in_scope(name) {
                    self.open.imply_ends();
                    self.open.pop_through(name);
                    self.formatting.clear_to_marker();
                }
            }
            name::BR => self.start_void(&Tag::bare(name)),
            name::TEMPLATE => return self.end_template(),
            name::BODY | name::HTML => {
                if self.open.has_in_scope(name::BODY) {
                    self.mode = Mode::AfterBody;
                    return if name == name::HTML { Step::Again } else { Step::Done };
                }
            }
            _ => self.end_any_other(name),
        }
        Step::Done
    }

    fn end_form(&mut self) {
        if self.open.holds(name::TEMPLATE) {
            if self.open.has_in_scope(name::FORM) {
                self.open.imply_ends();
                self.open.pop_through(name::FORM);
            }
            return;
        }
        let Some(form) = self.form.take() else { return };
        if self.open.any_in(Kinds::SCOPE, |element| element.id == form) {
            self.open.imply_ends();
            self.open.remove_element(form);
        }
    }

    /// "Any other end tag": closes the innermost element of this name, unless a special one is in
    /// between.
    pub(in super::super) fn end_any_other(&mut self, name: Name) {
        if !self.open.holds(name) {
            return;
        }
        let ends = |element: &Open| element.is_html(name) || element.kinds.meets(Kinds::SPECIAL);
        let last = self.open.iter().rposition(ends);
        if let Some(position) = last.filter(|&last| self.open.get(last).is_some_and(|element| element.is_html(name))) {
            self.open.imply_ends_except(name);
            self.open.truncate(position);
        }
    }
}
