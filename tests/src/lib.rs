//! What the test suites share: where things lie, and how a missing corpus is announced.

pub mod corpus;
pub mod golden;
pub mod hostile_html;
pub mod html5lib;
pub mod ledger;
pub mod markdown;
pub mod shapes;

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

/// All files below a folder, sorted; nothing when it cannot be read.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Whether the file's name ends in this extension, in any case.
pub fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Whether the file's name is that of an HTML page.
pub fn is_html(file: &Path) -> bool {
    has_extension(file, "html") || has_extension(file, "htm") || has_extension(file, "xhtml")
}

/// Seconds that this thread has had a processor, where the system tells; machines are shared.
pub fn processor_seconds() -> f64 {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_ascii_whitespace().next()?.parse::<f64>().ok());
    match nanoseconds {
        Some(nanoseconds) => nanoseconds / 1e9,
        None => std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |elapsed| elapsed.as_secs_f64()),
    }
}
