//! Templates, those that become shadow roots included: their tags (13.2.6.4.4) and the mode "in
//! template" (13.2.6.4.18).

use super::super::{Mode, Step, Tag, TreeBuilder};
use crate::document::{AttributeNamespace, Document, Name, Namespace, NodeId, ShadowMode, name};

impl TreeBuilder {
    pub(super) fn start_template(&mut self, tag: &Tag<'_>) -> Step {
        self.formatting.push_marker();
        self.frameset_ok = false;
        self.mode = Mode::InTemplate;
        self.template_modes.push(Mode::InTemplate);
        let shadow_mode = self.push_template_attributes(tag);
        let mut template =
            self.create_element_of_loose_attributes(name::TEMPLATE, Namespace::Html, tag.attributes.len());
        let host = self.open.current().id;
        let shadow_root = shadow_mode
            .filter(|_| self.open.len() > 1 && may_host_shadow_root(&self.document, host))
            .and_then(|mode| self.document.turn_template_into_shadow_root(template.id, host, mode));
        match shadow_root {
            // The template is not in the tree; what follows fills the root.
            Some(root) => template.content = root,
            None => self.put_new(self.place(), template.id),
        }
        self.open.push(template);
        Step::Done
    }

    /// Stores the attributes of a template and returns the mode of the shadow root that it asks
    /// for. Chromium's MHTML has the mode under the name that it had before it was standardised.
    fn push_template_attributes(&mut self, tag: &Tag<'_>) -> Option<ShadowMode> {
        let mut mode = None;
        for (name, value) in tag.attributes.iter() {
            let is_old_name = self.mhtml && self.document.name_text(name) == "shadowmode";
            if name != name::SHADOWROOTMODE && !is_old_name {
                self.document.push_loose_attribute(name, AttributeNamespace::None, value, &mut self.repeated_values);
                continue;
            }
            let value = value.to_ascii_lowercase();
            self.document.push_loose_attribute(
                name::SHADOWROOTMODE,
                AttributeNamespace::None,
                &value,
                &mut self.repeated_values,
            );
            mode = mode.or(match value.as_str() {
                "open" => Some(ShadowMode::Open),
                "closed" => Some(ShadowMode::Closed),
                _ => None,
            });
        }
        mode
    }

    pub(super) fn end_template(&mut self) -> Step {
        if self.open.holds(name::TEMPLATE) {
            self.open.imply_all_ends();
            self.close_template();
        }
        Step::Done
    }

    fn close_template(&mut self) {
        self.open.pop_through(name::TEMPLATE);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub(super) fn start_in_template(&mut self, tag: &Tag<'_>) -> Step {
        let mode = match tag.name {
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
            name::CAPTION | name::COLGROUP | name::TBODY | name::TFOOT | name::THEAD => Mode::InTable,
            name::COL => Mode::InColumnGroup,
            name::TR => Mode::InTableBody,
            name::TD | name::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Step::Again
    }

    pub(super) fn end_in_template(&mut self, name: Name) -> Step {
        if name == name::TEMPLATE { self.end_template() } else { Step::Done }
    }

    pub(super) fn end_of_file_in_template(&mut self) -> Step {
        if !self.open.holds(name::TEMPLATE) {
            return Step::Done;
        }
        self.close_template();
        Step::Again
    }
}

/// The elements that may have a shadow root (DOM Standard, "valid shadow host name").
fn may_host_shadow_root(document: &Document, id: NodeId) -> bool {
    const HOSTS: &[Name] = &[
        name::ARTICLE,
        name::ASIDE,
        name::BLOCKQUOTE,
        name::BODY,
        name::DIV,
        name::FOOTER,
        name::H1,
        name::H2,
        name::H3,
        name::H4,
        name::H5,
        name::H6,
        name::HEADER,
        name::MAIN,
        name::NAV,
        name::P,
        name::SECTION,
        name::SPAN,
    ];
    document.html_name(id).is_some_and(|name| HOSTS.contains(&name) || document.name_text(name).contains('-'))
}
