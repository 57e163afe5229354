//! Values that some nodes have.

use super::NodeId;

/// A map from nodes, for what is asked about nearly all nodes and is there for some: each answer is
/// a look into a table, which takes four bytes for each node.
#[derive(Clone, Debug)]
pub(crate) struct NodeMap<Value> {
    /// For each node the place of its value, counted from 1.
    places: Vec<u32>,
    entries: Vec<(NodeId, Value)>,
}

impl<Value> Default for NodeMap<Value> {
    fn default() -> Self {
        Self { places: Vec::new(), entries: Vec::new() }
    }
}

impl<Value> NodeMap<Value> {
    /// The node's value.
    #[inline]
    pub(crate) fn get(&self, node: NodeId) -> Option<&Value> {
        let place = self.places.get(node.index())?.checked_sub(1)?;
        self.entries.get(place as usize).map(|(_, value)| value)
    }

    /// Gives the node a value in place of any that it has.
    pub(crate) fn insert(&mut self, node: NodeId, value: Value) {
        match self.place(node).checked_sub(1) {
            Some(taken) => self.entries[taken as usize].1 = value,
            None => self.push(node, value),
        }
    }

    /// The node's value, made if there is none.
    pub(crate) fn get_or_default(&mut self, node: NodeId) -> &mut Value
    where
        Value: Default,
    {
        if self.place(node) == 0 {
            self.push(node, Value::default());
        }
        let place = self.places[node.index()] - 1;
        &mut self.entries[place as usize].1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All of them, in the order in which the nodes got one.
    pub(crate) fn into_entries(self) -> Vec<(NodeId, Value)> {
        self.entries
    }

    fn place(&mut self, node: NodeId) -> u32 {
        if node.index() >= self.places.len() {
            self.places.resize(node.index() + 1, 0);
        }
        self.places[node.index()]
    }

    fn push(&mut self, node: NodeId, value: Value) {
        self.entries.push((node, value));
        self.places[node.index()] = u32::try_from(self.entries.len()).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_the_value_that_they_were_given_last() {
        let mut map = NodeMap::default();
        map.insert(NodeId(70), 7);
        map.insert(NodeId(3), 1);
        map.insert(NodeId(70), 70);
        *map.get_or_default(NodeId(3)) += 2;
        *map.get_or_default(NodeId(900)) += 9;
        let found = [3, 70, 900, 4, 5_000].map(|node| map.get(NodeId(node)).copied());
        assert_eq!(found, [Some(3), Some(70), Some(9), None, None]);
        assert_eq!(map.into_entries(), [(NodeId(70), 70), (NodeId(3), 3), (NodeId(900), 9)]);
    }
}
