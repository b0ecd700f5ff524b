//! The segment files in the folder of a recorder.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::format::{FileHead, Record, Records};

/// Extension of the files.
const EXTENSION: &str = "rec";
/// Bytes at the start of a file that contain its first record.
const MAX_HEAD: u64 = 1024;

/// A file and its first record.
#[derive(Debug, Clone)]
pub(super) struct SegmentFile {
    pub(super) number: u64,
    pub(super) path: PathBuf,
    pub(super) length: u64,
    /// `None` if the file is damaged at its start.
    pub(super) head: Option<FileHead>,
}

impl SegmentFile {
    /// Returns the time of the file; 0 for a damaged one, which is therefore older than every other one.
    pub(super) fn time(&self) -> u64 {
        self.head.as_ref().map_or(0, |head| head.time)
    }
}

/// Returns the path of the file with this number.
pub(super) fn path_of(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:08}.{EXTENSION}"))
}

/// Lists the files in the order of their records. Files that are removed meanwhile are left out.
pub(super) fn list(folder: &Path) -> io::Result<Vec<SegmentFile>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != EXTENSION) {
            continue;
        }
        let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
        let Some(number) = number else { continue };
        match read_head(&path) {
            Ok((length, head)) => files.push(SegmentFile { number, path, length, head }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    files.sort_unstable_by_key(|file| file.number);
    Ok(files)
}

fn read_head(path: &Path) -> io::Result<(u64, Option<FileHead>)> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut start = Vec::new();
    file.take(MAX_HEAD).read_to_end(&mut start)?;
    let head = match Records::new(&start).next() {
        Some(Record::File(head)) => Some(head),
        _ => None,
    };
    Ok((length, head))
}
