//! The rules of the insertion modes (13.2.6.4), and which of them a token goes to.

mod before_body;
mod behind_body;
mod framesets;
mod in_body;
mod in_body_ends;
mod in_head;
mod tables;
mod templates;

use super::{Characters, Mode, Step, Tag, TreeBuilder};
use crate::document::Name;

impl Mode {
    /// Whether the rules for characters ask which are white space.
    #[inline]
    pub(super) fn tells_blanks_apart(self) -> bool {
        !matches!(
            self,
            Self::InBody
                | Self::Text
                | Self::InTable
                | Self::InCaption
                | Self::InTableBody
                | Self::InRow
                | Self::InCell
                | Self::InTemplate
        )
    }
}

impl TreeBuilder {
    #[inline]
    pub(super) fn start_in(&mut self, mode: Mode, tag: &Tag<'_>) -> Step {
        match mode {
            Mode::InBody => self.start_in_body(tag),
            Mode::InCell => self.start_in_cell(tag),
            Mode::InRow => self.start_in_row(tag),
            Mode::InTableBody => self.start_in_table_body(tag),
            Mode::InTable => self.start_in_table(tag),
            Mode::InCaption => self.start_in_caption(tag),
            Mode::InColumnGroup => self.start_in_column_group(tag),
            Mode::InHead => self.start_in_head(tag),
            Mode::Initial => self.behind_initial(),
            Mode::BeforeHtml => self.start_before_html(tag),
            Mode::BeforeHead => self.start_before_head(tag),
            Mode::InHeadNoscript => self.start_in_head_noscript(tag),
            Mode::AfterHead => self.start_after_head(tag),
            Mode::InTemplate => self.start_in_template(tag),
            Mode::AfterBody | Mode::AfterAfterBody => self.start_after_body(tag),
            Mode::InFrameset => self.start_in_frameset(tag),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.start_after_frameset(tag),
            // Raw text holds no start tags.
            Mode::Text => Step::Done,
        }
    }

    #[inline]
    pub(super) fn end_in(&mut self, mode: Mode, name: Name) -> Step {
        match mode {
            Mode::InBody => self.end_in_body(name),
            Mode::Text => self.behind_text(),
            Mode::InCell => self.end_in_cell(name),
            Mode::InRow => self.end_in_row(name),
            Mode::InTableBody => self.end_in_table_body(name),
            Mode::InTable => self.end_in_table(name),
            Mode::InCaption => self.end_in_caption(name),
            Mode::InColumnGroup => self.end_in_column_group(name),
            Mode::InHead => self.end_in_head(name),
            Mode::Initial => self.behind_initial(),
            Mode::BeforeHtml => self.end_before_html(name),
            Mode::BeforeHead => self.end_before_head(name),
            Mode::InHeadNoscript => self.end_in_head_noscript(name),
            Mode::AfterHead => self.end_after_head(name),
            Mode::InTemplate => self.end_in_template(name),
            Mode::AfterBody => self.end_after_body(name),
            Mode::AfterAfterBody => self.back_to_body(),
            Mode::InFrameset => self.end_in_frameset(name),
            Mode::AfterFrameset => self.end_after_frameset(name),
            Mode::AfterAfterFrameset => Step::Done,
        }
    }

    #[inline]
    pub(super) fn characters_in(&mut self, mode: Mode, characters: Characters<'_>) -> Step {
        match mode {
            Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => self.characters_in_body(characters),
            Mode::InTable | Mode::InTableBody | Mode::InRow => self.characters_in_table(characters),
            Mode::Text => self.characters_in_text(characters),
            Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead => self.characters_about_head(characters),
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => self.characters_before_head(characters),
            Mode::InColumnGroup => self.characters_in_column_group(characters),
            Mode::AfterBody | Mode::AfterAfterBody => match characters {
                Characters::Blank(_) => self.characters_in_body(characters),
                _ => self.back_to_body(),
            },
            Mode::InFrameset | Mode::AfterFrameset => {
                if let Characters::Blank(text) = characters {
                    self.insert_text(text);
                }
                Step::Done
            }
            Mode::AfterAfterFrameset => match characters {
                Characters::Blank(_) => self.characters_in_body(characters),
                _ => Step::Done,
            },
        }
    }

    pub(super) fn comment_in(&mut self, mode: Mode, text: &str) {
        let parent = match mode {
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => self.root,
            Mode::AfterBody => self.open.outermost().id,
            _ => return self.insert_comment(text),
        };
        let comment = self.document.create_comment(text);
        self.document.append_new(parent, comment);
    }

    pub(super) fn end_of_file_in(&mut self, mode: Mode) -> Step {
        match mode {
            Mode::Initial => self.behind_initial(),
            Mode::BeforeHtml => self.behind_before_html(),
            Mode::BeforeHead => self.behind_before_head(),
            Mode::InHead => self.behind_head(),
            Mode::InHeadNoscript => self.behind_head_noscript(),
            Mode::AfterHead => self.behind_after_head(),
            Mode::Text => {
                self.behind_text();
                Step::Again
            }
            Mode::InTemplate => self.end_of_file_in_template(),
            Mode::InBody
            | Mode::InTable
            | Mode::InCaption
            | Mode::InColumnGroup
            | Mode::InTableBody
            | Mode::InRow
            | Mode::InCell
                if !self.template_modes.is_empty() =>
            {
                self.end_of_file_in_template()
            }
            _ => Step::Done,
        }
    }

    fn characters_in_text(&mut self, characters: Characters<'_>) -> Step {
        if let Characters::Text(text) | Characters::Blank(text) = characters {
            self.insert_text(text);
        }
        Step::Done
    }

    /// Ends raw text.
    fn behind_text(&mut self) -> Step {
        self.open.pop();
        self.mode = self.mode_behind_text;
        Step::Done
    }
}
