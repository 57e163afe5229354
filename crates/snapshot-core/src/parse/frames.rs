//! `iframe srcdoc`: the page inside an attribute.

use super::html::{Settings, parse_into};
use super::{ParseOptions, Parsed};
use crate::document::{Document, NodeId, name};
use crate::error::{Diagnostic, Error};

/// Parses the `srcdoc` of each frame below `root`, of the frames within them and so on, into
/// documents that hang on their `iframe`.
pub(super) fn parse_srcdoc_frames(parsed: &mut Parsed, root: NodeId, options: &ParseOptions) -> Result<(), Error> {
    if !parsed.document.uses_attribute(name::SRCDOC) {
        return Ok(());
    }
    let mut waiting: Vec<(NodeId, usize)> =
        frames_with_srcdoc(&parsed.document, root).into_iter().rev().map(|host| (host, 1)).collect();
    while let Some((host, depth)) = waiting.pop() {
        if depth > options.limits.frame_depth {
            let message = format!("frames nested deeper than {} levels were left empty", options.limits.frame_depth);
            parsed.diagnostics.push(Diagnostic::warning(message).at(host));
            continue;
        }
        let Some(text) = parsed.document.attribute(host, name::SRCDOC).map(str::to_owned) else { continue };
        let Some(frame) = parsed.document.attach_frame(host) else { continue };
        let settings = Settings { srcdoc: true, ..Settings::new(options, &parsed.document, text.len()) };
        parse_into(parsed, frame, &text, &settings)?;
        let inner = frames_with_srcdoc(&parsed.document, frame);
        waiting.extend(inner.into_iter().rev().map(|host| (host, depth + 1)));
    }
    Ok(())
}

fn frames_with_srcdoc(document: &Document, root: NodeId) -> Vec<NodeId> {
    document
        .composed_descendants(root)
        .filter(|&node| document.is_html(node, name::IFRAME) && document.has_attribute(node, name::SRCDOC))
        .collect()
}
