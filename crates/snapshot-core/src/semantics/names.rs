//! Accessible names and descriptions (Accessible Name and Description Computation 1.2).

use super::roles::Role;
use super::style::Styles;
use super::visibility::{Visibilities, Visibility};
use crate::document::{Document, NodeId, name};
use crate::flat_tree::FlatTree;

/// Names and descriptions of one document, in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Names {
    names: Vec<Box<str>>,
}

impl Names {
    pub(super) fn compute(
        document: &Document,
        flat_tree: &FlatTree,
        styles: &Styles,
        visibility: &Visibilities,
        roles: &[Option<Role>],
    ) -> Self {
        let mut names = vec![Box::<str>::default(); document.len()];
        for (position, &node) in flat_tree.nodes().iter().enumerate() {
            let own = [name::ARIA_LABEL, name::ALT, name::TITLE, name::PLACEHOLDER]
                .iter()
                .find_map(|&attribute| document.attribute(node, attribute));
            let from_content = matches!(
                roles[node.index()],
                Some(Role::Button | Role::Link | Role::Heading | Role::Option | Role::Tab | Role::MenuItem)
            );
            names[node.index()] = match own {
                Some(label) => fold(label),
                None if from_content => {
                    let mut text = String::new();
                    for inner in position + 1..flat_tree.end(position) {
                        let inner = flat_tree.node(inner);
                        if visibility.of(inner) == Visibility::Visible {
                            if styles.of(inner).display.is_block() {
                                text.push(' ');
                            }
                            text.push_str(document.text(inner));
                            text.push_str(document.attribute(inner, name::ALT).unwrap_or(""));
                        }
                    }
                    fold(&text)
                }
                None => Box::default(),
            };
        }
        Self { names }
    }

    pub(super) fn name(&self, id: NodeId) -> &str {
        self.names.get(id.index()).map_or("", |name| name)
    }

    pub(super) fn description(&self, _id: NodeId) -> &str {
        ""
    }
}

fn fold(text: &str) -> Box<str> {
    text.split_whitespace().collect::<Vec<_>>().join(" ").into()
}
