//! The pages that are measured.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use walkdir::WalkDir;

/// One page, in memory.
#[derive(Clone, Debug)]
pub(crate) struct RawPage {
    /// The path below the folder that was given.
    pub(crate) name: String,
    /// As UTF-8, so that no contestant has to guess an encoding.
    pub(crate) html: String,
}

/// All HTML pages in the folders and below, in order of their names; pages in other encodings are
/// read as UTF-8 with replacement characters.
pub(crate) fn read(folders: &[PathBuf]) -> anyhow::Result<Vec<RawPage>> {
    let mut pages = Vec::new();
    for folder in folders {
        for entry in WalkDir::new(folder).sort_by_file_name() {
            let entry = entry.with_context(|| folder.display().to_string())?;
            if is_html(entry.path()) {
                let bytes = std::fs::read(entry.path()).with_context(|| entry.path().display().to_string())?;
                let name = entry.path().strip_prefix(folder).unwrap_or(entry.path()).display().to_string();
                let html = String::from_utf8_lossy(&bytes).into_owned();
                if !html.trim().is_empty() {
                    pages.push(RawPage { name, html });
                }
            }
        }
    }
    if pages.is_empty() {
        bail!("no page was found; give folders of .html files with --pages");
    }
    Ok(pages)
}

/// Where the pages come from, for the head of a ledger: the last names of the folders.
pub(crate) fn origin(folders: &[PathBuf]) -> String {
    let names = folders.iter().map(|folder| folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy());
    names.collect::<Vec<_>>().join(", ")
}

/// Their bytes together.
pub(crate) fn bytes(pages: &[RawPage]) -> usize {
    pages.iter().map(|page| page.html.len()).sum()
}

fn is_html(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|extension| extension == "html" || extension == "htm")
}
