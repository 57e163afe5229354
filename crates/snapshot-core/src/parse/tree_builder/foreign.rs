//! SVG and MathML: the rules for tokens in foreign content (13.2.6.5), and how their elements are
//! made.

use super::foreign_names::{svg_attribute_name, svg_tag_name};
use super::kinds::Kinds;
use super::open_elements::Open;
use super::{Characters, Step, Tag, TreeBuilder, is_blank};
use crate::document::{AttributeNamespace, Name, Namespace, name};

impl TreeBuilder {
    /// Whether a start tag is to be processed by the rules of HTML.
    #[inline]
    pub(super) fn is_html_for_start_tag(&self, tag: Name) -> bool {
        let current = self.adjusted_current();
        current.kinds.meets(Kinds::HTML.with(Kinds::HTML_INTEGRATION))
            || current.kinds.meets(Kinds::TEXT_INTEGRATION) && !matches!(tag, name::MGLYPH | name::MALIGNMARK)
            || is_annotation(current) && (tag == name::SVG || self.annotates_in_html(current))
    }

    /// Whether characters are to be processed by the rules of HTML.
    #[inline]
    pub(super) fn is_html_for_characters(&self) -> bool {
        let current = self.adjusted_current();
        current.kinds.meets(Kinds::HTML.with(Kinds::HTML_INTEGRATION).with(Kinds::TEXT_INTEGRATION))
            || is_annotation(current) && self.annotates_in_html(current)
    }

    /// Whether an `annotation-xml` says that its content is HTML.
    fn annotates_in_html(&self, annotation: Open) -> bool {
        self.document.attribute(annotation.id, name::ENCODING).is_some_and(|encoding| {
            encoding.eq_ignore_ascii_case("text/html") || encoding.eq_ignore_ascii_case("application/xhtml+xml")
        })
    }

    pub(super) fn characters_in_foreign_content(&mut self, characters: Characters<'_>) {
        match characters {
            Characters::Nul => self.insert_text("\u{fffd}"),
            Characters::Blank(text) => self.insert_text(text),
            Characters::Text(text) => {
                self.frameset_ok = self.frameset_ok && is_blank(text);
                self.insert_text(text);
            }
        }
    }

    pub(super) fn start_in_foreign_content(&mut self, tag: &Tag<'_>) -> Step {
        if leaves_foreign_content(tag) {
            return self.start_behind_foreign_content(tag);
        }
        let namespace = self.adjusted_current().namespace;
        self.insert_foreign_element(tag, namespace)
    }

    /// Inserts an element named, with its attributes, as its vocabulary names them, and opens it
    /// unless its tag closes it.
    pub(super) fn insert_foreign_element(&mut self, tag: &Tag<'_>, namespace: Namespace) -> Step {
        let name = if namespace == Namespace::Svg { self.adjusted_svg_tag_name(tag.name) } else { tag.name };
        for (name, value) in tag.attributes.iter() {
            let (name, attribute_namespace) = self.adjusted_attribute(name, namespace);
            self.document.push_loose_attribute(name, attribute_namespace, value, &mut self.repeated_values);
        }
        let mut element = self.create_element_of_loose_attributes(name, namespace, tag.attributes.len());
        self.put_new(self.place(), element.id);
        if name != tag.name {
            element.kinds = element.kinds.with(Kinds::CAPITALISED);
        }
        if !tag.self_closing {
            self.open.push(element);
        }
        Step::Done
    }

    pub(super) fn end_in_foreign_content(&mut self, name: Name) -> Step {
        if matches!(name, name::BR | name::P) {
            return self.end_behind_foreign_content(name);
        }
        for position in (1..self.open.len()).rev() {
            let Some(element) = self.open.get(position) else { break };
            let is_innermost = position + 1 == self.open.len();
            if !is_innermost && element.kinds.meets(Kinds::HTML) {
                return self.end_in(self.mode, name);
            }
            if element.name == name || element.kinds.meets(Kinds::CAPITALISED) && self.tag_name_of(element) == name {
                self.open.truncate(position);
                break;
            }
        }
        Step::Done
    }

    /// The name in the form that tags have.
    pub(super) fn tag_name_of(&mut self, element: Open) -> Name {
        if !element.kinds.meets(Kinds::CAPITALISED) {
            return element.name;
        }
        let lowered = self.document.name_text(element.name).to_ascii_lowercase();
        self.document.intern(&lowered)
    }

    /// Processes a tag of HTML that ends all foreign content it is in.
    fn start_behind_foreign_content(&mut self, tag: &Tag<'_>) -> Step {
        self.leave_foreign_content();
        self.start_in(self.mode, tag)
    }

    fn end_behind_foreign_content(&mut self, name: Name) -> Step {
        self.leave_foreign_content();
        self.end_in(self.mode, name)
    }

    fn leave_foreign_content(&mut self) {
        self.open.clear_to(Kinds::HTML.with(Kinds::HTML_INTEGRATION).with(Kinds::TEXT_INTEGRATION));
    }

    fn adjusted_svg_tag_name(&mut self, name: Name) -> Name {
        if name.is_known() {
            return name;
        }
        svg_tag_name(self.document.name_text(name)).map_or(name, |adjusted| self.document.intern(adjusted))
    }

    /// The name and namespace of an attribute of a foreign element.
    fn adjusted_attribute(&mut self, name: Name, namespace: Namespace) -> (Name, AttributeNamespace) {
        match name {
            name::XMLNS | name::XMLNS_XLINK => return (name, AttributeNamespace::Xmlns),
            name::XML_LANG | name::XML_SPACE => return (name, AttributeNamespace::Xml),
            name::DEFINITIONURL if namespace == Namespace::MathMl => {
                return (self.document.intern("definitionURL"), AttributeNamespace::None);
            }
            name::XLINK_HREF | name::XLINK_TITLE => return (name, AttributeNamespace::XLink),
            _ if name.is_known() => return (name, AttributeNamespace::None),
            _ => {}
        }
        let text = self.document.name_text(name);
        if let "xlink:actuate" | "xlink:arcrole" | "xlink:role" | "xlink:show" | "xlink:type" = text {
            return (name, AttributeNamespace::XLink);
        }
        match svg_attribute_name(text).filter(|_| namespace == Namespace::Svg) {
            Some(adjusted) => (self.document.intern(adjusted), AttributeNamespace::None),
            None => (name, AttributeNamespace::None),
        }
    }
}

fn is_annotation(element: Open) -> bool {
    element.name == name::ANNOTATION_XML && element.namespace == Namespace::MathMl
}

/// Whether a start tag cannot be one of SVG or MathML.
fn leaves_foreign_content(tag: &Tag<'_>) -> bool {
    match tag.name {
        name::B
        | name::BIG
        | name::BLOCKQUOTE
        | name::BODY
        | name::BR
        | name::CENTER
        | name::CODE
        | name::DD
        | name::DIV
        | name::DL
        | name::DT
        | name::EM
        | name::EMBED
        | name::H1
        | name::H2
        | name::H3
        | name::H4
        | name::H5
        | name::H6
        | name::HEAD
        | name::HR
        | name::I
        | name::IMG
        | name::LI
        | name::LISTING
        | name::MENU
        | name::META
        | name::NOBR
        | name::OL
        | name::P
        | name::PRE
        | name::RUBY
        | name::S
        | name::SMALL
        | name::SPAN
        | name::STRIKE
        | name::STRONG
        | name::SUB
        | name::SUP
        | name::TABLE
        | name::TT
        | name::U
        | name::UL
        | name::VAR => true,
        name::FONT => [name::COLOR, name::FACE, name::SIZE].iter().any(|&name| tag.attributes.get(name).is_some()),
        _ => false,
    }
}
