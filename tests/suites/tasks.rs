//! The tasks of the corpora: their targets are found, named and actionable, and their evidence
//! can be read.

use snapshot_core::coverage;
use snapshot_tests::corpus;
use snapshot_tests::golden;

#[test]
fn targets_are_actionable() {
    let mut faults = Vec::new();
    for corpus_page in corpus::pages() {
        let page = corpus_page.read();
        for task in &corpus_page.tasks.tasks {
            for target in &task.targets {
                match coverage::find(&page, target) {
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
