//! Finds the files that hold older lines of a journal.
//!
//! Programs such as logrotate leave rotated files beside the current one, with a name that depends on their settings:
//! `journal.jsonl.1`, `journal.jsonl-20260301` or `journal-20260301.jsonl`. Therefore the name only limits the search. A file is
//! the one before another if it is in the same folder, its name starts like that of the journal, and its last line has the hash
//! that the first line of the other file names as `previous`. Compressed files and files in other folders are not found.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use super::line_files::{MAX_LINE, ReverseLines, Step};
use super::record::{NO_PREVIOUS, StoredLine, parse_link};

/// Maximum number of files of a journal. Older ones are not found.
const MAX_FILES: usize = 1_000;
/// Ends of names of other files beside a journal.
const OTHER_SUFFIXES: [&str; 3] = [".key", ".reserve", ".new"];
/// Bytes that the search for the last line of a file reads at most.
const MAX_TAIL: u64 = 2 * MAX_LINE;
/// Length of the identifier of a file in hex digits.
const ID_LENGTH: usize = 16;

/// A file with lines of a journal.
#[derive(Debug)]
pub(super) struct LinesFile {
    pub(super) file: File,
    /// Length in bytes when it was opened. The writer may append more.
    pub(super) length: u64,
    /// Identifies the file, also after it was renamed: a hash of its first line.
    pub(super) id: String,
    /// The first line; `None` if the file is empty or the line is damaged.
    pub(super) first: Option<StoredLine>,
}

/// The files beside a journal that may belong to it, last lines first.
#[derive(Debug)]
pub(super) struct RotatedFiles(Vec<Candidate>);

#[derive(Debug)]
struct Candidate {
    path: PathBuf,
    id: String,
    /// Number of the first line; 0 if that is damaged.
    start: u64,
}

impl LinesFile {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ErrorKind::InvalidInput.into());
        }
        let mut line = Vec::new();
        BufReader::new((&file).take(MAX_LINE)).read_until(b'\n', &mut line)?;
        // Without a line feed, the writer is still writing the line.
        let text = if line.pop() == Some(b'\n') { line } else { Vec::new() };
        let mut id = HEXLOWER.encode(&Sha256::digest(&text));
        id.truncate(ID_LENGTH);
        let first = StoredLine::parse(&text);
        Ok(Self { file, length: metadata.len(), id, first })
    }

    /// Returns true if this file starts with the first line of its chain.
    pub(super) fn starts_chain(&self) -> bool {
        self.first.as_ref().is_some_and(|first| first.line.previous == NO_PREVIOUS)
    }

    /// Returns the last complete line.
    pub(super) fn read_last(&self) -> io::Result<Option<StoredLine>> {
        Ok(self.last_text()?.and_then(|text| StoredLine::parse(&text)))
    }

    /// Returns the hash of the last complete line, also if that is a line of a newer version.
    fn last_hash(&self) -> io::Result<Option<String>> {
        Ok(self.last_text()?.and_then(|text| parse_link(&text)).map(|(_, hash)| hash))
    }

    fn last_text(&self) -> io::Result<Option<Vec<u8>>> {
        let mut lines = ReverseLines::before(&self.file, self.length, MAX_TAIL)?;
        let Step::Line(line) = lines.next_step()? else { return Ok(None) };
        Ok(Some(line.text))
    }
}

impl RotatedFiles {
    /// Lists the files beside a journal. Files that disappear meanwhile are left out.
    pub(super) fn list(journal: &Path) -> io::Result<Self> {
        let start = journal.file_stem().unwrap_or_default().as_encoded_bytes();
        let is_candidate = |name: &OsStr| {
            let name = name.as_encoded_bytes();
            name.starts_with(start) && !OTHER_SUFFIXES.iter().any(|suffix| name.ends_with(suffix.as_bytes()))
        };
        let mut paths = Vec::new();
        for entry in fs::read_dir(crate::private_file::folder_of(journal))? {
            let entry = entry?;
            if is_candidate(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                paths.push(entry.path());
            }
        }
        paths.sort();
        paths.truncate(MAX_FILES);
        let candidate = |path: PathBuf| {
            let LinesFile { id, first, .. } = LinesFile::open(&path).ok()?;
            Some(Candidate { path, id, start: first.map_or(0, |first| first.line.sequence) })
        };
        let mut candidates: Vec<_> = paths.into_iter().filter_map(candidate).collect();
        candidates.sort_by_key(|candidate| Reverse(candidate.start));
        Ok(Self(candidates))
    }

    /// Returns the file with an identifier that has at least this length. A copy can be shorter.
    pub(super) fn find(&self, id: &str, length: u64) -> Option<LinesFile> {
        let mut candidates = self.0.iter().filter(|candidate| candidate.id == id);
        candidates.find_map(|candidate| candidate.open().filter(|file| file.length >= length))
    }

    /// Returns the file whose lines are before those of another one.
    pub(super) fn find_older(&self, file: &LinesFile) -> io::Result<Option<LinesFile>> {
        let Some(first) = file.first.as_ref().filter(|_| !file.starts_chain()) else { return Ok(None) };
        // The numbers increase, so that a search ends.
        for candidate in self.0.iter().filter(|candidate| candidate.start < first.line.sequence) {
            let Some(older) = candidate.open() else { continue };
            if older.last_hash()?.as_ref() == Some(&first.line.previous) {
                return Ok(Some(older));
            }
        }
        Ok(None)
    }
}

impl Candidate {
    /// Opens the file; `None` if another file has its path now.
    fn open(&self) -> Option<LinesFile> {
        LinesFile::open(&self.path).ok().filter(|file| file.id == self.id)
    }
}
