//! The tasks of the corpora: their targets are found, named and actionable, and their evidence
//! can be read.

use snapshot_core::Page;
use snapshot_core::document::NodeId;
use snapshot_core::selector::Selector;
use snapshot_tests::corpus;
use snapshot_tests::golden;

/// The element that a chain of selectors leads to.
fn find(page: &Page, chain: &str) -> Result<NodeId, String> {
    let document = page.document();
    let mut root = NodeId::DOCUMENT;
    let mut found = None;
    for step in chain.split(" >>> ") {
        if let Some(host) = found {
            root = document
                .shadow_root(host)
                .or_else(|| document.frame(host))
                .ok_or(format!("{chain}: nothing inside"))?;
        }
        let selector = Selector::parse(step).map_err(|error| error.to_string())?;
        match selector.select(document, root).as_slice() {
            [node] => found = Some(*node),
            nodes => return Err(format!("{chain}: {step} matches {} elements", nodes.len())),
        }
    }
    found.ok_or(format!("{chain}: empty"))
}

#[test]
fn targets_are_actionable() {
    let mut faults = Vec::new();
    for corpus_page in corpus::pages() {
        let page = corpus_page.read();
        for task in &corpus_page.tasks.tasks {
            for target in &task.targets {
                match find(&page, target) {
                    Ok(node) if page.semantics().is_actionable(node) => {}
                    Ok(node) => faults.push(format!(
                        "{} {}: {target} is not actionable: {:?}, {:?}",
                        corpus_page.name,
                        task.id,
                        page.semantics().visibility_reason(node),
                        page.semantics().evidence(node),
                    )),
                    Err(fault) => faults.push(format!("{} {}: {fault}", corpus_page.name, task.id)),
                }
            }
        }
    }
    golden::assert_none(&faults);
}
