//! Trees of html5ever's reference DOM in the form of html5lib's cases.

use html5ever::ns;
use markup5ever_rcdom::{Handle, NodeData};
use snapshot_tests::html5lib::{attribute_lines, line};

/// The tree below `root`.
pub(crate) fn dump_reference(root: &Handle) -> String {
    let mut lines = Vec::new();
    let mut waiting: Vec<(Handle, usize)> =
        root.children.borrow().iter().rev().map(|child| (child.clone(), 0)).collect();
    while let Some((node, depth)) = waiting.pop() {
        waiting.extend(node.children.borrow().iter().rev().map(|child| (child.clone(), depth + 1)));
        match &node.data {
            NodeData::Document => lines.push(line(depth, "content")),
            NodeData::Doctype { name, public_id, system_id } if public_id.is_empty() && system_id.is_empty() => {
                lines.push(line(depth, &format!("<!DOCTYPE {name}>")));
            }
            NodeData::Doctype { name, public_id, system_id } => {
                lines.push(line(depth, &format!("<!DOCTYPE {name} \"{public_id}\" \"{system_id}\">")));
            }
            NodeData::Text { contents } => lines.push(line(depth, &format!("\"{}\"", contents.borrow()))),
            NodeData::Comment { contents } => lines.push(line(depth, &format!("<!-- {contents} -->"))),
            NodeData::Element { name, attrs, template_contents, .. } => {
                waiting.extend(template_contents.borrow().iter().map(|contents| (contents.clone(), depth + 1)));
                let prefix = match name.ns {
                    ns!(svg) => "svg ",
                    ns!(mathml) => "math ",
                    _ => "",
                };
                lines.push(line(depth, &format!("<{prefix}{}>", name.local)));
                let attributes = attrs
                    .borrow()
                    .iter()
                    .map(|attribute| {
                        let prefix = match attribute.name.ns {
                            ns!(xlink) => "xlink ",
                            ns!(xml) => "xml ",
                            ns!(xmlns) => "xmlns ",
                            _ => "",
                        };
                        (format!("{prefix}{}", attribute.name.local), attribute.value.to_string())
                    })
                    .collect();
                lines.extend(attribute_lines(depth, attributes));
            }
            NodeData::ProcessingInstruction { .. } => lines.push(line(depth, "ProcessingInstruction")),
        }
    }
    lines.join("\n")
}
