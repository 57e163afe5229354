//! What is to be converted: files, the pages in folders, globs, standard input.

use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::failure::WrongUsage;

/// How the names of pages end. Markdown is read when it is named; a folder's `README.md` is
/// hardly ever a page.
const PAGE_EXTENSIONS: &[&str] = &["html", "htm", "xhtml", "mhtml", "mht"];

/// One page to convert.
#[derive(Debug)]
pub(crate) struct Input {
    /// The name in messages and envelopes: the path as given.
    pub(crate) name: String,
    pub(crate) source: Source,
}

#[derive(Debug)]
pub(crate) enum Source {
    /// A file that was named.
    File(PathBuf),
    /// A file that was found in a folder. Nobody meant it in particular, so that an empty one is
    /// an empty page and no mistake.
    Found(PathBuf),
    StandardInput,
    /// There is no page here; it fails with this reason when its turn comes, so that failures
    /// are told in the order of the inputs.
    Nothing(String),
}

/// All pages of the command line.
#[derive(Debug)]
pub(crate) struct Inputs {
    pub(crate) pages: Vec<Input>,
    /// Whether the command line named exactly one page by its own name.
    pub(crate) single: bool,
    /// The folders that were named, and those of the files that were.
    pub(crate) folders: Vec<PathBuf>,
}

impl Input {
    pub(crate) fn new(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self { name: "-".to_owned(), source: Source::StandardInput };
        }
        Self { name: path.display().to_string(), source: Source::File(path.to_owned()) }
    }

    /// The file that is read, if it is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.source {
            Source::File(path) | Source::Found(path) => Some(path),
            Source::StandardInput | Source::Nothing(_) => None,
        }
    }

    fn nothing(path: &Path, reason: impl Into<String>) -> Self {
        Self { name: path.display().to_string(), source: Source::Nothing(reason.into()) }
    }
}

impl Inputs {
    /// Finds the pages that the arguments name. `output` is passed over when it lies in a folder
    /// that is searched: what was written last time is no input.
    pub(crate) fn find(arguments: &[PathBuf], output: Option<&Path>) -> anyhow::Result<Self> {
        let standard_input = [PathBuf::from("-")];
        let arguments = match arguments {
            [] if std::io::stdin().is_terminal() => {
                return Err(WrongUsage(anyhow::anyhow!(
                    "give a page: a file, a folder, a glob, or - for standard input"
                ))
                .into());
            }
            [] => &standard_input,
            arguments => arguments,
        };
        if arguments.iter().filter(|argument| *argument == Path::new("-")).count() > 1 {
            return Err(WrongUsage(anyhow::anyhow!("standard input (-) can be read only once")).into());
        }
        let output = output.and_then(|output| output.canonicalize().ok());
        let mut inputs = Self { pages: Vec::new(), single: false, folders: Vec::new() };
        let mut named = 0;
        for argument in arguments {
            if argument == Path::new("-") {
                inputs.pages.push(Input::new(argument));
                named += 1;
                continue;
            }
            match globbed(argument) {
                Some(paths) if paths.is_empty() => {
                    inputs.pages.push(Input::nothing(argument, "no file has a name of this form"));
                }
                Some(paths) => {
                    // A glob stands for several names even when it finds one: what is written
                    // where must not depend on how many there happen to be.
                    named += 2;
                    for path in paths {
                        inputs.add(&path, output.as_deref());
                    }
                }
                None => {
                    named += if argument.is_dir() { 2 } else { 1 };
                    inputs.add(argument, output.as_deref());
                }
            }
        }
        inputs.single = named == 1 && inputs.pages.len() == 1;
        Ok(inputs)
    }

    fn add(&mut self, path: &Path, output: Option<&Path>) {
        if path.is_dir() {
            self.folders.push(path.to_owned());
            self.add_folder(path, output);
        } else {
            self.folders.push(path.parent().unwrap_or(path).to_owned());
            self.pages.push(Input::new(path));
        }
    }

    fn add_folder(&mut self, folder: &Path, output: Option<&Path>) {
        let before = self.pages.len();
        let wanted = |entry: &walkdir::DirEntry| {
            let hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
            let written = entry.depth() > 0
                && entry.file_type().is_dir()
                && output.is_some()
                && entry.path().canonicalize().ok().as_deref() == output;
            !hidden && !written
        };
        for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(wanted) {
            match entry {
                // A link to a file is a page, a link to a folder or to nothing is not.
                Ok(entry) if is_page_name(entry.file_name()) && entry.path().is_file() => {
                    let name = entry.path().display().to_string();
                    self.pages.push(Input { name, source: Source::Found(entry.into_path()) });
                }
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.pages.push(Input::nothing(&path, format!("cannot be searched: {reason}")));
                }
            }
        }
        if self.pages.len() == before {
            let endings = PAGE_EXTENSIONS.join(", .");
            self.pages.push(Input::nothing(folder, format!("the folder holds no page (no file ends in .{endings})")));
        }
    }
}

fn is_page_name(name: &OsStr) -> bool {
    let extension = Path::new(name).extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| PAGE_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// What a glob matches, in order, for shells that hand globs through; nothing when the argument
/// is the name of a file or no glob.
fn globbed(argument: &Path) -> Option<Vec<PathBuf>> {
    let pattern = argument.to_str()?;
    if !pattern.contains(['*', '?', '[']) || argument.symlink_metadata().is_ok() {
        return None;
    }
    let options = glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::default() };
    let paths = glob::glob_with(pattern, options).ok()?;
    // Folders that cannot be opened are passed over, as shells do.
    Some(paths.filter_map(Result::ok).collect())
}
