//! What must hold between any two edits.

use super::{Document, NodeId, NodeKind};

impl Document {
    /// Checks that links agree in both directions, that nothing is its own ancestor, that roots
    /// know their hosts, and that every range lies in its table. Costs a walk over the document;
    /// the pipeline calls it after each stage in debug builds.
    ///
    /// # Panics
    /// When an invariant does not hold, which is a defect of this crate.
    #[allow(clippy::panic, reason = "an assertion for debug builds and tests")]
    pub fn assert_invariants(&self) {
        if let Err(message) = self.check_invariants() {
            panic!("document invariant violated: {message}");
        }
    }

    fn check_invariants(&self) -> Result<(), String> {
        for at in 0..self.nodes.len() {
            let id = NodeId(u32::try_from(at).map_err(|error| error.to_string())?);
            self.check_children(id)?;
            self.check_records(id)?;
        }
        self.check_acyclic()
    }

    fn check_children(&self, id: NodeId) -> Result<(), String> {
        let mut previous = None;
        let mut count = 0;
        for child in self.children(id) {
            count += 1;
            if count > self.nodes.len() {
                return Err(format!("the children of {id:?} loop"));
            }
            if self.parent(child) != Some(id) || self.previous_sibling(child) != previous {
                return Err(format!("{child:?} does not agree with its parent {id:?} or sibling {previous:?}"));
            }
            if self.kind(child).is_root() {
                return Err(format!("the root {child:?} is a child of {id:?}"));
            }
            previous = Some(child);
        }
        if self.last_child(id) != previous {
            return Err(format!("the last child of {id:?} is {:?}, not {previous:?}", self.last_child(id)));
        }
        Ok(())
    }

    fn check_records(&self, id: NodeId) -> Result<(), String> {
        match self.kind(id) {
            NodeKind::Element => {
                if self.attribute_range(id).end > self.attributes.len() {
                    return Err(format!("the attributes of {id:?} lie outside their table"));
                }
                for attribute in self.attributes(id) {
                    if !self.has_attribute(id, attribute.name) {
                        return Err(format!("{id:?} has an attribute without its mark"));
                    }
                }
                for root in [self.shadow_root(id), self.template_contents(id), self.frame(id)].into_iter().flatten() {
                    if self.host(root) != Some(id) {
                        return Err(format!("the root {root:?} does not know its host {id:?}"));
                    }
                }
            }
            NodeKind::Text | NodeKind::Comment | NodeKind::Doctype | NodeKind::ProcessingInstruction => {
                if self.buffer.get(self.nodes[id.index()].text().range).is_none() {
                    return Err(format!("the text of {id:?} lies outside the buffer"));
                }
                if self.first_child(id).is_some() {
                    return Err(format!("{id:?} is a text and has children"));
                }
            }
            NodeKind::Document | NodeKind::ShadowRoot | NodeKind::TemplateContents => {
                if self.parent(id).is_some() {
                    return Err(format!("the root {id:?} has a parent"));
                }
            }
        }
        Ok(())
    }

    /// Follows each node upwards until a node known to end; every node is passed once.
    fn check_acyclic(&self) -> Result<(), String> {
        const UNSEEN: u32 = 0;
        const ENDS: u32 = u32::MAX;
        let mut state = vec![UNSEEN; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mark = u32::try_from(start).map_err(|error| error.to_string())? + 1;
            let mut path = Vec::new();
            let mut next = Some(NodeId(mark - 1));
            while let Some(id) = next {
                match state[id.index()] {
                    ENDS => break,
                    seen if seen == mark => return Err(format!("{id:?} is its own ancestor")),
                    _ => {}
                }
                state[id.index()] = mark;
                path.push(id);
                next = self.composed_parent(id);
            }
            for id in path {
                state[id.index()] = ENDS;
            }
        }
        Ok(())
    }
}
