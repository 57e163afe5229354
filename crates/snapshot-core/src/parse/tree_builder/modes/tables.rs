//! Tables: the modes from "in table" to "in cell" (13.2.6.4.9 to .15).

use super::super::kinds::Kinds;
use super::super::{Characters, Mode, Step, Tag, TreeBuilder, is_blank};
use crate::document::{Name, name};

impl TreeBuilder {
    pub(super) fn start_in_table(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::CAPTION => {
                self.open.clear_to(Kinds::TABLE_SCOPE);
                self.formatting.push_marker();
                self.insert_element(tag);
                self.mode = Mode::InCaption;
                Step::Done
            }
            name::COLGROUP => {
                self.open.clear_to(Kinds::TABLE_SCOPE);
                self.insert_element(tag);
                self.mode = Mode::InColumnGroup;
                Step::Done
            }
            name::COL => {
                self.open.clear_to(Kinds::TABLE_SCOPE);
                self.insert_implied_element(name::COLGROUP);
                self.mode = Mode::InColumnGroup;
                Step::Again
            }
            name::TBODY | name::TFOOT | name::THEAD => {
                self.open.clear_to(Kinds::TABLE_SCOPE);
                self.insert_element(tag);
                self.mode = Mode::InTableBody;
                Step::Done
            }
            name::TD | name::TH | name::TR => {
                self.open.clear_to(Kinds::TABLE_SCOPE);
                self.insert_implied_element(name::TBODY);
                self.mode = Mode::InTableBody;
                Step::Again
            }
            name::TABLE => {
                if self.close_table() {
                    Step::Again
                } else {
                    Step::Done
                }
            }
            name::STYLE | name::SCRIPT | name::TEMPLATE => self.start_in_head(tag),
            name::INPUT if is_hidden_input(tag) => {
                self.insert_closed_element(tag);
                Step::Done
            }
            name::FORM => {
                if !self.open.holds(name::TEMPLATE) && self.form.is_none() {
                    self.form = Some(self.insert_closed_element(tag).id);
                }
                Step::Done
            }
            _ => self.with_foster_parenting(|builder| builder.start_in_body(tag)),
        }
    }

    pub(super) fn end_in_table(&mut self, name: Name) -> Step {
        match name {
            name::TABLE => {
                self.close_table();
                Step::Done
            }
            name::BODY
            | name::CAPTION
            | name::COL
            | name::COLGROUP
            | name::HTML
            | name::TBODY
            | name::TD
            | name::TFOOT
            | name::TH
            | name::THEAD
            | name::TR => Step::Done,
            name::TEMPLATE => self.end_template(),
            _ => self.with_foster_parenting(|builder| builder.end_in_body(name)),
        }
    }

    /// Closes the table in scope; says whether there is one.
    fn close_table(&mut self) -> bool {
        let is_open = self.open.has_in_table_scope(name::TABLE);
        if is_open {
            self.open.pop_through(name::TABLE);
            self.reset_mode();
        }
        is_open
    }

    /// Applies a rule of the body while what must not be in a table goes before it.
    fn with_foster_parenting(&mut self, rule: impl FnOnce(&mut Self) -> Step) -> Step {
        self.foster_parenting = true;
        let step = rule(self);
        self.foster_parenting = false;
        step
    }

    pub(super) fn characters_in_table(&mut self, characters: Characters<'_>) -> Step {
        match characters {
            Characters::Nul => Step::Done,
            Characters::Text(text) | Characters::Blank(text) if self.open.current().kinds.meets(Kinds::FOSTERING) => {
                self.table_text.push_str(text);
                Step::Done
            }
            _ => self.with_foster_parenting(|builder| builder.characters_in_body(characters)),
        }
    }

    /// Puts the characters of a table where they belong, when something else follows.
    #[inline]
    pub(in super::super) fn flush_table_text(&mut self) {
        if !self.table_text.is_empty() {
            self.insert_table_text();
        }
    }

    fn insert_table_text(&mut self) {
        let mut text = std::mem::take(&mut self.table_text);
        if is_blank(&text) {
            self.insert_text(&text);
        } else {
            self.with_foster_parenting(|builder| builder.characters_in_body(Characters::Text(&text)));
        }
        text.clear();
        self.table_text = text;
    }

    pub(super) fn start_in_caption(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::CAPTION
            | name::COL
            | name::COLGROUP
            | name::TBODY
            | name::TD
            | name::TFOOT
            | name::TH
            | name::THEAD
            | name::TR => self.close_caption(),
            _ => self.start_in_body(tag),
        }
    }

    pub(super) fn end_in_caption(&mut self, name: Name) -> Step {
        match name {
            name::CAPTION => {
                self.close_caption();
                Step::Done
            }
            name::TABLE => self.close_caption(),
            name::BODY
            | name::COL
            | name::COLGROUP
            | name::HTML
            | name::TBODY
            | name::TD
            | name::TFOOT
            | name::TH
            | name::THEAD
            | name::TR => Step::Done,
            _ => self.end_in_body(name),
        }
    }

    /// Closes the caption in scope, behind which the token is one of the table; a token that finds
    /// none is ignored.
    fn close_caption(&mut self) -> Step {
        if !self.open.has_in_table_scope(name::CAPTION) {
            return Step::Done;
        }
        self.open.imply_ends();
        self.open.pop_through(name::CAPTION);
        self.formatting.clear_to_marker();
        self.mode = Mode::InTable;
        Step::Again
    }

    pub(super) fn start_in_column_group(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::HTML => self.start_in_body(tag),
            name::COL => {
                self.insert_closed_element(tag);
                Step::Done
            }
            name::TEMPLATE => self.start_in_head(tag),
            _ => self.close_column_group(),
        }
    }

    pub(super) fn end_in_column_group(&mut self, name: Name) -> Step {
        match name {
            name::COLGROUP => {
                self.close_column_group();
                Step::Done
            }
            name::COL => Step::Done,
            name::TEMPLATE => self.end_template(),
            _ => self.close_column_group(),
        }
    }

    pub(super) fn characters_in_column_group(&mut self, characters: Characters<'_>) -> Step {
        if let Characters::Blank(text) = characters {
            self.insert_text(text);
            return Step::Done;
        }
        self.close_column_group()
    }

    fn close_column_group(&mut self) -> Step {
        if !self.open.current().is_html(name::COLGROUP) {
            return Step::Done;
        }
        self.open.pop();
        self.mode = Mode::InTable;
        Step::Again
    }

    pub(super) fn start_in_table_body(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::TR => {
                self.open.clear_to(Kinds::TABLE_BODY_CONTEXT);
                self.insert_element(tag);
                self.mode = Mode::InRow;
                Step::Done
            }
            name::TH | name::TD => {
                self.open.clear_to(Kinds::TABLE_BODY_CONTEXT);
                self.insert_implied_element(name::TR);
                self.mode = Mode::InRow;
                Step::Again
            }
            name::CAPTION | name::COL | name::COLGROUP | name::TBODY | name::TFOOT | name::THEAD => {
                self.behind_table_body()
            }
            _ => self.start_in_table(tag),
        }
    }

    pub(super) fn end_in_table_body(&mut self, name: Name) -> Step {
        match name {
            name::TBODY | name::TFOOT | name::THEAD => {
                if self.open.has_in_table_scope(name) {
                    self.close_table_body();
                }
                Step::Done
            }
            name::TABLE => self.behind_table_body(),
            name::BODY | name::CAPTION | name::COL | name::COLGROUP | name::HTML | name::TD | name::TH | name::TR => {
                Step::Done
            }
            _ => self.end_in_table(name),
        }
    }

    fn behind_table_body(&mut self) -> Step {
        if !self.open.any_in(Kinds::TABLE_SCOPE, |element| element.kinds.meets(Kinds::TABLE_OR_SECTION)) {
            return Step::Done;
        }
        self.close_table_body();
        Step::Again
    }

    fn close_table_body(&mut self) {
        self.open.clear_to(Kinds::TABLE_BODY_CONTEXT);
        self.open.pop();
        self.mode = Mode::InTable;
    }

    pub(super) fn start_in_row(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::TH | name::TD => {
                self.open.clear_to(Kinds::TABLE_ROW_CONTEXT);
                self.insert_element(tag);
                self.mode = Mode::InCell;
                self.formatting.push_marker();
                Step::Done
            }
            name::CAPTION | name::COL | name::COLGROUP | name::TBODY | name::TFOOT | name::THEAD | name::TR => {
                self.behind_row()
            }
            _ => self.start_in_table(tag),
        }
    }

    pub(super) fn end_in_row(&mut self, name: Name) -> Step {
        match name {
            name::TR => {
                self.behind_row();
                Step::Done
            }
            name::TABLE => self.behind_row(),
            name::TBODY | name::TFOOT | name::THEAD => {
                if self.open.has_in_table_scope(name) {
                    self.behind_row()
                } else {
                    Step::Done
                }
            }
            name::BODY | name::CAPTION | name::COL | name::COLGROUP | name::HTML | name::TD | name::TH => Step::Done,
            _ => self.end_in_table(name),
        }
    }

    /// Closes the row in scope, behind which the token is one of the section; a token that finds
    /// none is ignored.
    fn behind_row(&mut self) -> Step {
        if !self.open.has_in_table_scope(name::TR) {
            return Step::Done;
        }
        self.open.clear_to(Kinds::TABLE_ROW_CONTEXT);
        self.open.pop();
        self.mode = Mode::InTableBody;
        Step::Again
    }

    pub(super) fn start_in_cell(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::CAPTION
            | name::COL
            | name::COLGROUP
            | name::TBODY
            | name::TD
            | name::TFOOT
            | name::TH
            | name::THEAD
            | name::TR => {
                if !self.open.any_in(Kinds::TABLE_SCOPE, |element| element.kinds.meets(Kinds::CELL)) {
                    return Step::Done;
                }
                self.close_cell()
            }
            _ => self.start_in_body(tag),
        }
    }

    pub(super) fn end_in_cell(&mut self, name: Name) -> Step {
        match name {
            name::TD | name::TH => {
                if self.open.has_in_table_scope(name) {
                    self.open.imply_ends();
                    self.open.pop_through(name);
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            name::TABLE | name::TBODY | name::TFOOT | name::THEAD | name::TR => {
                if self.open.has_in_table_scope(name) {
                    self.close_cell()
                } else {
                    Step::Done
                }
            }
            name::BODY | name::CAPTION | name::COL | name::COLGROUP | name::HTML => Step::Done,
            _ => self.end_in_body(name),
        }
    }

    fn close_cell(&mut self) -> Step {
        self.open.imply_ends();
        self.open.pop_through_kinds(Kinds::CELL);
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
        Step::Again
    }
}

/// Whether the tag is that of an input that is not shown.
pub(super) fn is_hidden_input(tag: &Tag<'_>) -> bool {
    tag.attributes.get(name::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
}
