//! Where nodes are put, and putting them there (13.2.6.1).

use super::kinds::Kinds;
use super::open_elements::Open;
use super::{Attributes, Tag, TreeBuilder};
use crate::document::{AttributeNamespace, Name, Namespace, NodeId, name};

/// Where a node is put.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Behind the other children of a node.
    In(NodeId),
    /// Before a table, for what must not be in it.
    Before(NodeId),
}

impl TreeBuilder {
    /// Inserts an HTML element and opens it.
    #[inline]
    pub(super) fn insert_element(&mut self, tag: &Tag<'_>) -> Open {
        let element = self.insert_closed_element(tag);
        self.open.push(element);
        element
    }

    /// Inserts an HTML element that is closed at once.
    #[inline]
    pub(super) fn insert_closed_element(&mut self, tag: &Tag<'_>) -> Open {
        let element = self.create_element(tag.name, Namespace::Html, tag.attributes);
        self.put_new(self.place(), element.id);
        element
    }

    /// Inserts and opens an HTML element that no tag in the source stands for.
    pub(super) fn insert_implied_element(&mut self, name: Name) -> Open {
        self.insert_element(&Tag::bare(name))
    }

    /// Puts the `html` element into the document.
    pub(super) fn insert_root(&mut self, attributes: Attributes<'_, Name>) {
        let element = self.create_element(name::HTML, Namespace::Html, attributes);
        self.document.append_new(self.root, element.id);
        self.open.push(element);
    }

    #[inline]
    pub(super) fn create_element(
        &mut self,
        name: Name,
        namespace: Namespace,
        attributes: Attributes<'_, Name>,
    ) -> Open {
        for (name, value) in attributes.iter() {
            self.document.push_loose_attribute(name, AttributeNamespace::None, value, &mut self.repeated_values);
        }
        self.create_element_of_loose_attributes(name, namespace, attributes.len())
    }

    #[inline]
    pub(super) fn create_element_of_loose_attributes(
        &mut self,
        name: Name,
        namespace: Namespace,
        attributes: usize,
    ) -> Open {
        let id = self.document.create_element_of_loose_attributes(name, namespace, attributes);
        self.elements_made += 1;
        self.newest_element = id;
        let kinds = Kinds::of(name, namespace);
        let mut content = id;
        match name {
            name::TEMPLATE if namespace == Namespace::Html => {
                content = self.document.attach_template_contents(id).unwrap_or(id);
            }
            name::SELECTEDCONTENT => self.selected_content.push(id),
            _ => {}
        }
        Open { id, content, name, namespace, kinds }
    }

    /// The appropriate place for inserting a node.
    #[inline]
    pub(super) fn place(&self) -> Place {
        self.place_in(self.open.current())
    }

    /// The appropriate place where `target` is to hold the node.
    #[inline]
    pub(super) fn place_in(&self, target: Open) -> Place {
        if self.foster_parenting && target.kinds.meets(Kinds::FOSTERING) {
            self.place_before_table()
        } else {
            Place::In(target.content)
        }
    }

    fn place_before_table(&self) -> Place {
        let mut elements = self.open.iter().rev();
        while let Some(element) = elements.next() {
            if element.is_html(name::TEMPLATE) {
                return Place::In(element.content);
            }
            if element.is_html(name::TABLE) {
                if self.document.parent(element.id).is_some() {
                    return Place::Before(element.id);
                }
                return Place::In(elements.next().map_or(self.root, |above| above.content));
            }
        }
        Place::In(self.open.outermost().content)
    }

    /// Puts a node there that has no children and is nowhere yet.
    #[inline]
    pub(super) fn put_new(&mut self, place: Place, node: NodeId) {
        match place {
            Place::In(parent) => self.document.append_new(parent, node),
            Place::Before(sibling) => self.document.insert_before(sibling, node),
        }
    }

    /// Moves a node there from wherever it is.
    pub(super) fn put(&mut self, place: Place, node: NodeId) {
        match place {
            Place::In(parent) => self.document.append(parent, node),
            Place::Before(sibling) => self.document.insert_before(sibling, node),
        }
    }

    /// Inserts characters, into the text that is there already if there is one.
    #[inline]
    pub(super) fn insert_text(&mut self, text: &str) {
        match self.place() {
            Place::In(parent) => self.document.append_characters(parent, text),
            Place::Before(sibling) => self.document.insert_characters_before(sibling, text),
        }
    }

    pub(super) fn insert_comment(&mut self, text: &str) {
        let comment = self.document.create_comment(text);
        self.put_new(self.place(), comment);
    }

    /// Adds what an element lacks of a tag's attributes.
    pub(super) fn add_missing_attributes(&mut self, element: NodeId, attributes: Attributes<'_, Name>) {
        for (name, value) in attributes.iter() {
            let has_room = self.document.attributes(element).len() < self.attribute_limit;
            if has_room && !self.document.has_attribute(element, name) {
                self.document.push_attribute(element, name, AttributeNamespace::None, value);
            }
        }
    }
}
