//! What stages say of nodes in place of what the page says.

use std::sync::Arc;

use crate::document::{NodeId, NodeMap};

/// Values of some nodes. Drafts are copied again and again to fit a budget: copies share what was
/// there when [`share`](Self::share) was called.
#[derive(Clone, Debug)]
pub(super) struct Overlay<Value> {
    shared: Arc<NodeMap<Value>>,
    /// Goes before what is shared.
    own: NodeMap<Value>,
}

impl<Value> Default for Overlay<Value> {
    fn default() -> Self {
        Self { shared: Arc::default(), own: NodeMap::default() }
    }
}

impl<Value: Clone> Overlay<Value> {
    /// The value of a node.
    #[inline]
    pub(super) fn get(&self, node: NodeId) -> Option<&Value> {
        self.own.get(node).or_else(|| self.shared.get(node))
    }

    /// Gives a node a value.
    pub(super) fn insert(&mut self, node: NodeId, value: Value) {
        self.own.insert(node, value);
    }

    /// Lets copies made from now on share the values.
    pub(super) fn share(&mut self) {
        let own = std::mem::take(&mut self.own);
        if self.shared.is_empty() {
            self.shared = Arc::new(own);
        } else if !own.is_empty() {
            let shared = Arc::make_mut(&mut self.shared);
            for (node, value) in own.into_entries() {
                shared.insert(node, value);
            }
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
        first.insert(at(70), "seven");
        first.insert(at(70), "seventy");
        first.share();
        let mut second = first.clone();
        second.insert(at(70), "other");
        second.insert(at(3), "three");
        assert_eq!([first.get(at(70)), first.get(at(3)), first.get(at(900))], [Some(&"seventy"), None, None]);
        assert_eq!([second.get(at(70)), second.get(at(3))], [Some(&"other"), Some(&"three")]);
        second.share();
        assert_eq!([second.get(at(70)), second.get(at(3))], [Some(&"other"), Some(&"three")]);
        assert_eq!(first.get(at(70)), Some(&"seventy"));
    }
}
