//! The pages that we wrote ourselves, with what an agent would be asked to do on them.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use snapshot_core::document::NodeId;
use snapshot_core::selector::Selector;
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

/// A `tasks.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskFile {
    /// The page's file.
    pub page: String,
    /// The address that the page was saved from.
    pub url: String,
    /// What kind of page it is.
    pub kind: String,
    /// The page's language.
    pub language: String,
    /// What an agent would be asked to do.
    #[serde(rename = "task")]
    pub tasks: Vec<Task>,
}

/// Something to do on a page.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Unique in the file.
    pub id: String,
    /// What a person would say.
    pub goal: String,
    /// Selectors of the elements to act on; ` >>> ` steps into a shadow root or frame.
    pub targets: Vec<String>,
    /// Text that must be readable to do it.
    pub evidence: Vec<String>,
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

/// The element that a chain of selectors leads to.
///
/// # Errors
/// Says which step matches nothing, or more than one element.
pub fn find(page: &Page, chain: &str) -> Result<NodeId, String> {
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
