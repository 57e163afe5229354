//! The pages that we wrote ourselves, with what an agent would be asked to do on them.

use std::fs;
use std::path::PathBuf;

use snapshot_core::coverage::TaskFile;
use snapshot_core::{Page, PageOptions};

use crate::project_root;

/// One page of `corpora/`.
#[derive(Clone, Debug)]
pub struct CorpusPage {
    /// The folder's name.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// The page's bytes.
    pub bytes: Vec<u8>,
    /// `tasks.toml`.
    pub tasks: TaskFile,
}

/// All pages in alphabetical order.
///
/// # Panics
/// When the corpus cannot be read, which fails the test that asked.
#[allow(clippy::expect_used, reason = "the corpus is part of the project")]
pub fn pages() -> Vec<CorpusPage> {
    let folders = fs::read_dir(project_root().join("corpora")).expect("corpora is there");
    let mut folders: Vec<PathBuf> =
        folders.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
        .into_iter()
        .map(|folder| {
            let tasks = fs::read_to_string(folder.join("tasks.toml")).expect("each page has tasks.toml");
            let tasks: TaskFile = toml::from_str(&tasks).expect("tasks.toml has the form of the corpora");
            CorpusPage {
                name: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
                bytes: fs::read(folder.join(&tasks.page)).expect("the page is there"),
                folder,
                tasks,
            }
        })
        .collect()
}

impl CorpusPage {
    /// Reads the page as saved from its address.
    ///
    /// # Panics
    /// When it cannot be read, which fails the test that asked.
    #[allow(clippy::expect_used, reason = "the corpus is part of the project")]
    pub fn read(&self) -> Page {
        Page::read(&self.bytes, &PageOptions::default().with_url(&self.tasks.url)).expect("the page reads")
    }
}
