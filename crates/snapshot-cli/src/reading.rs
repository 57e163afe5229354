//! Reads inputs whole, but never more than the limit and one byte.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};

/// Reads a file of any kind.
pub(crate) fn read_file(path: &Path, limit: usize) -> anyhow::Result<Vec<u8>> {
    let file = File::open(path).context("cannot be read")?;
    let metadata = file.metadata().context("cannot be read")?;
    if metadata.is_dir() {
        bail!("is a folder; give a file");
    }
    // A file says beforehand that it is too large; a pipe or device says nothing.
    let size = if metadata.is_file() { usize::try_from(metadata.len()).unwrap_or(usize::MAX) } else { 0 };
    if size > limit {
        return Err(too_large(limit));
    }
    read(file, size, limit)
}

/// Reads standard input.
pub(crate) fn read_standard_input(limit: usize) -> anyhow::Result<Vec<u8>> {
    read(std::io::stdin().lock(), 0, limit)
}

fn read(source: impl Read, size: usize, limit: usize) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(size.saturating_add(1));
    let bound = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    source.take(bound).read_to_end(&mut bytes).context("cannot be read")?;
    if bytes.len() > limit {
        return Err(too_large(limit));
    }
    Ok(bytes)
}

fn too_large(limit: usize) -> anyhow::Error {
    anyhow::anyhow!("has more than {limit} bytes, the limit; raise it with --max-bytes if the page is to be trusted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_stops_one_byte_after_the_limit() {
        assert_eq!(read(&b"12345"[..], 0, 5).expect("fits"), b"12345");
        let error = read(std::io::repeat(b' '), 0, 1000).expect_err("endless").to_string();
        assert!(error.contains("more than 1000 bytes"), "{error}");
    }
}
