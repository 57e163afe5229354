//! Files that are written whole or not at all.
//!
//! The text goes to a new file in the same folder, which takes the target's name once it is
//! complete: whoever looks sees the old file or the whole new one. When the program is
//! interrupted, what is not complete is removed.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Context, bail};

/// The files under construction. Who holds the lock may create, rename and remove them.
static PARTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The exit code that shells give to programs ended by an interrupt.
const EXIT_INTERRUPTED: i32 = 130;

/// A file under construction; it is removed unless [`commit`](Self::commit) is called.
#[derive(Debug)]
pub(crate) struct WholeFile {
    writer: Option<BufWriter<File>>,
    /// The file under construction and the name it is to take; none for a device or pipe, which
    /// is written to directly.
    names: Option<(PathBuf, PathBuf)>,
}

impl WholeFile {
    /// Begins a file at `path`. A link is followed: the file that it leads to is replaced.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let target = follow_link(path)?;
        let mut permissions = None;
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => bail!("is a folder"),
            Ok(metadata) if !metadata.is_file() => {
                let file = OpenOptions::new().write(true).open(&target).context("cannot be opened")?;
                return Ok(Self { writer: Some(BufWriter::new(file)), names: None });
            }
            Ok(metadata) if metadata.permissions().readonly() => bail!("is write-protected"),
            Ok(metadata) => permissions = Some(metadata.permissions()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).context("cannot be looked at"),
        }
        remove_parts_when_interrupted();
        let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
        let (part, file) = new_part(&target).context("cannot be created")?;
        parts.insert(part.clone());
        drop(parts);
        let whole = Self { writer: Some(BufWriter::new(file)), names: Some((part, target)) };
        if let (Some(permissions), Some((part, _))) = (permissions, &whole.names) {
            fs::set_permissions(part, permissions).context("cannot get the permissions of the file it replaces")?;
        }
        Ok(whole)
    }

    /// Adds text.
    pub(crate) fn write(&mut self, text: &str) -> anyhow::Result<()> {
        match &mut self.writer {
            Some(writer) => writer.write_all(text.as_bytes()).context("cannot be written"),
            None => Ok(()),
        }
    }

    /// Puts the file in its place.
    pub(crate) fn commit(mut self) -> anyhow::Result<()> {
        if let Some(mut writer) = self.writer.take() {
            writer.flush().context("cannot be written")?;
        }
        if let Some((part, target)) = self.names.take() {
            let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
            parts.remove(&part);
            if let Err(error) = fs::rename(&part, &target) {
                let _ = fs::remove_file(&part);
                return Err(error).context("cannot be put in its place");
            }
        }
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        drop(self.writer.take());
        if let Some((part, _)) = self.names.take() {
            let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
            parts.remove(&part);
            // The error that brought us here is the one to report.
            let _ = fs::remove_file(&part);
        }
    }
}

/// Writes a file whole or not at all, and the folders above it.
pub(crate) fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write(text)?;
    file.commit()
}

fn follow_link(path: &Path) -> anyhow::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => path.canonicalize().context("is a link that leads nowhere"),
        _ => Ok(path.to_owned()),
    }
}

/// Creates a file beside the target under a name that nobody has. The name is short whatever
/// the target's is, begins with a dot so that a search for pages passes it over, and says whose
/// it is, should a killed program leave it behind.
fn new_part(target: &Path) -> std::io::Result<(PathBuf, File)> {
    let folder = target.parent().unwrap_or(Path::new(""));
    let process = std::process::id();
    let mut number = 0_u32;
    loop {
        let part = folder.join(format!(".snapshot-{process}-{number}.part"));
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < u32::MAX => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn remove_parts_when_interrupted() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        // Without a handler the program ends at once and may leave a part behind, no worse.
        let _ = ctrlc::set_handler(|| {
            // The lock is kept until the end, so that no further part is begun.
            let parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
            for part in parts.iter() {
                let _ = fs::remove_file(part);
            }
            std::process::exit(EXIT_INTERRUPTED);
        });
    });
}
