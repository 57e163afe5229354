//! What the test suites share: where things lie, and how a missing corpus is announced.

pub mod corpus;
pub mod golden;

use std::path::{Path, PathBuf};

/// The root of the project.
pub fn project_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// A file or folder of third-party pages and suites, which lie beside the project in `shared`
/// (or where `SNAPSHOT_SHARED` says) and are no part of it. When it is missing, says on standard
/// error that the test was skipped and returns nothing.
#[allow(clippy::print_stderr, reason = "a skipped test must say so")]
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SNAPSHOT_SHARED").map_or_else(|| project_root().join("../shared"), PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    eprintln!("SKIPPED: {} is not there; set SNAPSHOT_SHARED to the folder that holds {path}", found.display());
    None
}
