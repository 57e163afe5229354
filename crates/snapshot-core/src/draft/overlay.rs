//! What stages say of nodes in place of what the page says.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::document::NodeId;

/// Values of some nodes. Drafts are copied again and again to fit a budget: copies share what was
/// there when [`share`](Self::share) was called.
#[derive(Clone, Debug)]
pub(super) struct Overlay<Value> {
    /// A bit for each node that has a value, since nearly all that are asked for have none.
    has: Vec<u64>,
    shared: Arc<FxHashMap<NodeId, Value>>,
    own: FxHashMap<NodeId, Value>,
}

impl<Value> Default for Overlay<Value> {
    fn default() -> Self {
        Self { has: Vec::new(), shared: Arc::default(), own: FxHashMap::default() }
    }
}

impl<Value: Clone> Overlay<Value> {
    /// The value of a node.
    #[inline]
    pub(super) fn get(&self, node: NodeId) -> Option<&Value> {
        let bits = self.has.get(node.index() / 64)?;
        if bits >> (node.index() % 64) & 1 == 0 {
            return None;
        }
        self.own.get(&node).or_else(|| self.shared.get(&node))
    }

    /// Gives a node a value.
    pub(super) fn insert(&mut self, node: NodeId, value: Value) {
        let word = node.index() / 64;
        if word >= self.has.len() {
            self.has.resize(word + 1, 0);
        }
        self.has[word] |= 1 << (node.index() % 64);
        self.own.insert(node, value);
    }

    /// Lets copies made from now on share the values.
    pub(super) fn share(&mut self) {
        if !self.own.is_empty() {
            Arc::make_mut(&mut self.shared).extend(self.own.drain());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_what_was_there_and_differ_in_what_comes() {
        let at = NodeId;
        let mut first = Overlay::default();
        first.insert(at(70), "seventy");
        first.share();
        let mut second = first.clone();
        second.insert(at(70), "other");
        second.insert(at(3), "three");
        assert_eq!([first.get(at(70)), first.get(at(3)), first.get(at(900))], [Some(&"seventy"), None, None]);
        assert_eq!([second.get(at(70)), second.get(at(3))], [Some(&"other"), Some(&"three")]);
    }
}
