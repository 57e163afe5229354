//! The mode "in body" (13.2.6.4.7): characters and start tags.

use super::super::kinds::Kinds;
use super::super::open_elements::Open;
use super::super::{Characters, Mode, Step, Tag, TreeBuilder, is_blank};
use super::tables::is_hidden_input;
use crate::document::{Name, Namespace, QuirksMode, name};
use crate::parse::tokenizer::Content;

impl TreeBuilder {
    #[inline]
    pub(super) fn characters_in_body(&mut self, characters: Characters<'_>) -> Step {
        if let Characters::Text(text) | Characters::Blank(text) = characters {
            self.reconstruct_formatting();
            self.frameset_ok = self.frameset_ok && is_blank(text);
            self.insert_text(text);
        }
        Step::Done
    }

    pub(super) fn start_in_body(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::A => {
                self.close_misnested_link(tag.name);
                self.reconstruct_formatting();
                self.insert_formatting_element(tag);
            }
            name::B
            | name::BIG
            | name::CODE
            | name::EM
            | name::FONT
            | name::I
            | name::S
            | name::SMALL
            | name::STRIKE
            | name::STRONG
            | name::TT
            | name::U => {
                self.reconstruct_formatting();
                self.insert_formatting_element(tag);
            }
            name::NOBR => {
                self.reconstruct_formatting();
                if self.open.has_in_scope(name::NOBR) {
                    self.run_adoption_agency(name::NOBR);
                    self.reconstruct_formatting();
                }
                self.insert_formatting_element(tag);
            }
            name::ADDRESS
            | name::ARTICLE
            | name::ASIDE
            | name::BLOCKQUOTE
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
            | name::MAIN
            | name::MENU
            | name::NAV
            | name::OL
            | name::P
            | name::SEARCH
            | name::SECTION
            | name::SUMMARY
            | name::UL => {
                self.open.close_paragraph_in_button_scope();
                self.insert_element(tag);
            }
            name::LI => self.start_item(tag, &[name::LI]),
            name::DD | name::DT => self.start_item(tag, &[name::DD, name::DT]),
            name::AREA | name::BR | name::EMBED | name::IMG | name::KEYGEN | name::WBR => self.start_void(tag),
            name::IMAGE => self.start_void(&Tag { name: name::IMG, ..*tag }),
            name::H1 | name::H2 | name::H3 | name::H4 | name::H5 | name::H6 => {
                self.open.close_paragraph_in_button_scope();
                if self.open.current().kinds.meets(Kinds::HEADING) {
                    self.open.pop();
                }
                self.insert_element(tag);
            }
            name::PRE | name::LISTING => {
                self.open.close_paragraph_in_button_scope();
                self.insert_element(tag);
                self.skips_line_feed = true;
                self.frameset_ok = false;
            }
            name::FORM => self.start_form(tag),
            name::BUTTON => {
                if self.open.has_in_scope(name::BUTTON) {
                    self.open.imply_ends();
                    self.open.pop_through(name::BUTTON);
                }
                self.reconstruct_formatting();
                self.insert_element(tag);
                self.frameset_ok = false;
            }
            name::APPLET | name::MARQUEE | name::OBJECT => {
                self.reconstruct_formatting();
                self.insert_element(tag);
                self.formatting.push_marker();
                self.frameset_ok = false;
            }
            name::TABLE => {
                if self.quirks_mode != QuirksMode::Full {
                    self.open.close_paragraph_in_button_scope();
                }
                self.insert_element(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            name::HR => self.start_rule(tag),
            name::PARAM | name::SOURCE | name::TRACK => {
                self.insert_closed_element(tag);
            }
            name::INPUT => self.start_input(tag),
            name::SELECT => self.start_select(tag),
            name::OPTION => self.start_option(tag),
            name::OPTGROUP => self.start_option_group(tag),
            name::RB | name::RTC => {
                if self.open.has_in_scope(name::RUBY) {
                    self.open.imply_ends();
                }
                self.insert_element(tag);
            }
            name::RP | name::RT => {
                if self.open.has_in_scope(name::RUBY) {
                    self.open.imply_ends_except(name::RTC);
                }
                self.insert_element(tag);
            }
            name::MATH => {
                self.reconstruct_formatting();
                return self.insert_foreign_element(tag, Namespace::MathMl);
            }
            name::SVG => {
                self.reconstruct_formatting();
                return self.insert_foreign_element(tag, Namespace::Svg);
            }
            name::TEXTAREA | name::XMP | name::IFRAME | name::NOEMBED | name::PLAINTEXT => {
                return self.start_raw_text_in_body(tag);
            }
            name::NOSCRIPT if self.scripting => return self.start_raw_text_in_body(tag),
            name::BASE
            | name::BASEFONT
            | name::BGSOUND
            | name::LINK
            | name::META
            | name::NOFRAMES
            | name::SCRIPT
            | name::STYLE
            | name::TEMPLATE
            | name::TITLE => return self.start_in_head(tag),
            name::HTML => {
                if !self.open.holds(name::TEMPLATE) {
                    self.add_missing_attributes(self.open.outermost().id, tag.attributes);
                }
            }
            name::BODY => {
                if let Some(body) = self.open.body().filter(|_| !self.open.holds(name::TEMPLATE)) {
                    self.frameset_ok = false;
                    self.add_missing_attributes(body.id, tag.attributes);
                }
            }
            name::FRAMESET => self.start_frameset_in_body(tag),
            name::CAPTION
            | name::COL
            | name::COLGROUP
            | name::FRAME
            | name::HEAD
            | name::TBODY
            | name::TD
            | name::TFOOT
            | name::TH
            | name::THEAD
            | name::TR => {}
            _ => {
                self.reconstruct_formatting();
                self.insert_element(tag);
            }
        }
        Step::Done
    }

    /// Opens an item of a list, which ends the item before it.
    fn start_item(&mut self, tag: &Tag<'_>, items: &[Name]) {
        self.frameset_ok = false;
        let is_item = |element: &Open| element.kinds.meets(Kinds::HTML) && items.contains(&element.name);
        let ends = |element: &&Open| {
            let is_transparent = matches!(element.name, name::ADDRESS | name::DIV | name::P);
            is_item(element) || element.kinds.meets(Kinds::SPECIAL) && !is_transparent
        };
        let last = self.open.iter().rev().find(ends).filter(|last| is_item(last)).map(|item| item.name);
        if let Some(item) = last {
            self.open.imply_ends_except(item);
            self.open.pop_through(item);
        }
        self.open.close_paragraph_in_button_scope();
        self.insert_element(tag);
    }

    pub(super) fn start_void(&mut self, tag: &Tag<'_>) {
        self.reconstruct_formatting();
        self.insert_closed_element(tag);
        self.frameset_ok = false;
    }

    fn start_form(&mut self, tag: &Tag<'_>) {
        let in_template = self.open.holds(name::TEMPLATE);
        if self.form.is_some() && !in_template {
            return;
        }
        self.open.close_paragraph_in_button_scope();
        let form = self.insert_element(tag);
        if !in_template {
            self.form = Some(form.id);
        }
    }

    fn start_rule(&mut self, tag: &Tag<'_>) {
        self.open.close_paragraph_in_button_scope();
        if self.open.has_in_scope(name::SELECT) {
            self.open.imply_ends();
        }
        self.insert_closed_element(tag);
        self.frameset_ok = false;
    }

    fn start_input(&mut self, tag: &Tag<'_>) {
        if self.open.has_in_scope(name::SELECT) {
            self.open.pop_through(name::SELECT);
        }
        self.reconstruct_formatting();
        self.insert_closed_element(tag);
        self.frameset_ok = self.frameset_ok && is_hidden_input(tag);
    }

    fn start_select(&mut self, tag: &Tag<'_>) {
        if self.context.is_some_and(|context| context.is_html(name::SELECT)) {
            return;
        }
        if self.open.has_in_scope(name::SELECT) {
            self.open.pop_through(name::SELECT);
            return;
        }
        self.reconstruct_formatting();
        self.insert_element(tag);
        self.frameset_ok = false;
    }

    fn start_option(&mut self, tag: &Tag<'_>) {
        if self.open.has_in_scope(name::SELECT) {
            self.open.imply_ends_except(name::OPTGROUP);
        } else if self.open.current().is_html(name::OPTION) {
            self.open.pop();
        }
        self.reconstruct_formatting();
        self.insert_element(tag);
    }

    fn start_option_group(&mut self, tag: &Tag<'_>) {
        if self.open.has_in_scope(name::SELECT) {
            self.open.imply_ends();
        } else if self.open.current().is_html(name::OPTION) {
            self.open.pop();
        }
        self.reconstruct_formatting();
        self.insert_element(tag);
    }

    fn start_raw_text_in_body(&mut self, tag: &Tag<'_>) -> Step {
        match tag.name {
            name::TEXTAREA => {
                self.skips_line_feed = true;
                self.frameset_ok = false;
                return self.insert_raw_text(tag, Content::Rcdata);
            }
            name::PLAINTEXT => {
                self.open.close_paragraph_in_button_scope();
                self.insert_element(tag);
                self.content = Content::Plaintext;
                return Step::Done;
            }
            name::XMP => {
                self.open.close_paragraph_in_button_scope();
                self.reconstruct_formatting();
                self.frameset_ok = false;
            }
            name::IFRAME => self.frameset_ok = false,
            _ => {}
        }
        self.insert_raw_text(tag, Content::Rawtext)
    }

    /// Makes the page one of frames, as long as its body shows nothing.
    fn start_frameset_in_body(&mut self, tag: &Tag<'_>) {
        if let Some(body) = self.open.body().filter(|_| self.frameset_ok) {
            self.document.detach(body.id);
            self.open.truncate(1);
            self.insert_element(tag);
            self.mode = Mode::InFrameset;
        }
    }
}
