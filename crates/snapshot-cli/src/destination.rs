//! Where each page's text goes: never two pages into one file, never onto an input.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use crate::failure::WrongUsage;
use crate::inputs::{Input, Inputs, Source};
use crate::whole_file::write_whole;

/// Where the text of all pages goes.
#[derive(Debug)]
pub(crate) enum Destination {
    StandardOutput,
    /// One file for each page, in their order.
    Files(Vec<PathBuf>),
}

impl Destination {
    /// Decides before anything is read. `extension` is the ending of files in a folder.
    pub(crate) fn plan(output: Option<&Path>, inputs: &Inputs, extension: &str) -> anyhow::Result<Self> {
        let Some(output) = output.filter(|output| *output != Path::new("-")) else { return Ok(Self::StandardOutput) };
        let ends_in_slash = output.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| byte == b'/');
        if inputs.single && !output.is_dir() && !ends_in_slash {
            return Ok(Self::Files(vec![output.to_owned()]));
        }
        if output.exists() && !output.is_dir() {
            let output = output.display();
            return Err(WrongUsage(anyhow!("{output} is a file; several inputs need a folder to be written to")).into());
        }
        Ok(Self::Files(mirrored(inputs, extension)?.into_iter().map(|name| output.join(name)).collect()))
    }

    /// The file of the page at this place.
    pub(crate) fn file(&self, place: usize) -> Option<&Path> {
        match self {
            Self::StandardOutput => None,
            Self::Files(files) => files.get(place).map(PathBuf::as_path),
        }
    }
}

/// The files that must not be overwritten.
#[derive(Debug, Default)]
pub(crate) struct Protected {
    files: BTreeSet<Identity>,
}

impl Protected {
    /// Protects all inputs.
    pub(crate) fn new<'input>(inputs: impl IntoIterator<Item = &'input Input>) -> Self {
        let paths = inputs.into_iter().filter_map(Input::file);
        Self { files: paths.filter_map(identity).collect() }
    }

    /// Whether writing to this path would destroy an input.
    pub(crate) fn check(&self, path: &Path) -> anyhow::Result<()> {
        if identity(path).is_some_and(|identity| self.files.contains(&identity)) {
            bail!("is an input; it is not overwritten");
        }
        Ok(())
    }

    /// Writes a file whole or not at all, and makes the folders above it.
    pub(crate) fn write(&self, path: &Path, text: &str) -> anyhow::Result<()> {
        let write = || {
            self.check(path)?;
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                fs::create_dir_all(folder).context("the folder cannot be made")?;
            }
            write_whole(path, text)
        };
        write().with_context(|| path.display().to_string())
    }
}

/// What tells two files apart, whatever their names. Devices and pipes are written through, not
/// replaced, and need no protection.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.is_file().then(|| path.canonicalize().ok()).flatten()
}

/// A name for each page, seen from the deepest folder that holds them all. When two would get
/// the same name (`a.html` and `a.htm`, or on some systems `A.html`), the later one keeps its own
/// ending too: `a.htm.yaml`.
fn mirrored(inputs: &Inputs, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = inputs.folders.iter().map(|folder| absolute(folder)).collect::<Result<Vec<_>, _>>()?.into_iter();
    let mut base = folders.next().unwrap_or_default();
    for folder in folders {
        while !folder.starts_with(&base) {
            base.pop();
        }
    }
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for page in &inputs.pages {
        let name = match &page.source {
            Source::File(path) | Source::Found(path) => {
                absolute(path)?.strip_prefix(&base).map(Path::to_owned).unwrap_or_default()
            }
            Source::StandardInput => PathBuf::from("stdin"),
            Source::Nothing(_) => PathBuf::new(),
        };
        let mut candidate = name.with_extension(extension);
        let mut number = 1;
        while !taken.insert(candidate.to_string_lossy().to_lowercase()) {
            candidate = match number {
                1 => with_suffix(&name, &format!(".{extension}")),
                _ => with_suffix(&name, &format!("-{number}.{extension}")),
            };
            number += 1;
        }
        names.push(candidate);
    }
    Ok(names)
}

fn with_suffix(name: &Path, suffix: &str) -> PathBuf {
    let mut file_name = name.file_name().map(OsStr::to_owned).unwrap_or_default();
    file_name.push(suffix);
    name.with_file_name(file_name)
}

/// The path from the root, without `.` and `..`, so that a mirrored name never leads out of the
/// output folder.
fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let mut absolute = PathBuf::new();
    for component in std::path::absolute(path).with_context(|| path.display().to_string())?.components() {
        match component {
            Component::ParentDir => {
                absolute.pop();
            }
            Component::CurDir => {}
            component => absolute.push(component),
        }
    }
    Ok(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folders: &[&str], pages: &[&str], expected: &[&str]) {
        let inputs = Inputs {
            pages: pages.iter().map(|page| Input::new(Path::new(page))).collect(),
            single: false,
            folders: folders.iter().map(PathBuf::from).collect(),
        };
        let names = mirrored(&inputs, "yaml").expect("has names");
        assert_eq!(names, expected.iter().map(PathBuf::from).collect::<Vec<_>>());
    }

    #[test]
    fn names_are_mirrored_from_the_deepest_common_folder() {
        check(&["site"], &["site/a.html", "site/b/c.mhtml"], &["a.yaml", "b/c.yaml"]);
        check(&["", ""], &["a.html", "b.html"], &["a.yaml", "b.yaml"]);
        check(&["x/1", "x/2"], &["x/1/page.html", "x/2/page.html"], &["1/page.yaml", "2/page.yaml"]);
        check(&["/p", "/p/q"], &["/p/a.html", "/p/q/a.html"], &["a.yaml", "q/a.yaml"]);
        check(&["..", "../../z"], &["../a.html", "../../z/b.html"], &mirrored_above());
    }

    /// The name of the folder above this crate's is not ours to know.
    fn mirrored_above() -> [&'static str; 2] {
        let above = absolute(Path::new("..")).expect("exists");
        let name = above.file_name().expect("is not the root").to_string_lossy().into_owned();
        [format!("{name}/a.yaml").leak(), "z/b.yaml"]
    }

    #[test]
    fn no_two_pages_get_the_same_name() {
        check(
            &["s"],
            &["s/a.htm", "s/a.html", "s/A.HTML", "s/a.html", "-"],
            &["a.yaml", "a.html.yaml", "A.HTML-2.yaml", "a.html-3.yaml", "stdin.yaml"],
        );
    }
}
