//! The destination of the lines: a file with its reserve, or standard output.
//!
//! # A failed `fdatasync`
//!
//! After a failed `fdatasync`, Linux marks the pages as clean, although they are not on the disk. The next call then succeeds
//! without writing them. Therefore a success after a failure proves nothing. The file keeps the bytes since the last successful
//! call in memory, and after a failure writes them again at their position, which makes their pages dirty. The journal counts as
//! failing until these bytes were written and forced to the disk. They are never removed from the file before: if only this
//! process is killed, the system still has them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use super::JournalError;
use super::key::JournalKey;
use super::line_files::{ReverseLines, Step};
use super::record::{JournalLine, NO_PREVIOUS, parse_link};
use crate::number::to_u64;
use crate::{file_lock, private_file};

/// Size of the file that occupies space for the lines of the changes that are being handled while the disk gets full. Bytes.
const RESERVE: usize = 256 * 1024;

/// The first bytes of each line.
const LINE_START: &[u8] = b"{\"sequence\":";

/// The end of the chain.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    pub(super) sequence: u64,
    pub(super) hash: String,
}

/// The destination of the lines of a journal.
pub(super) enum Output {
    File(OutputFile),
    Stdout,
    /// A file that cannot be opened now.
    Closed {
        path: PathBuf,
        fault: JournalError,
    },
}

/// A file that was opened, and the end of its chain.
pub(super) struct Opened {
    pub(super) output: Output,
    pub(super) chain: Chain,
    /// Size of an incomplete last line that was removed, in bytes.
    pub(super) removed: u64,
}

/// A file of lines.
pub(super) struct OutputFile {
    path: PathBuf,
    disk: Box<dyn Disk>,
    /// Length of the complete lines.
    length: u64,
    /// The end of the complete lines, which is not known to be on the disk.
    unsynced: Vec<u8>,
    /// True if `unsynced` must be written again, because `fdatasync` failed.
    is_unsafe: bool,
    /// True if an incomplete line could not be removed from the end.
    has_incomplete_line: bool,
}

/// The operations on an open file. Tests control them.
pub(super) trait Disk: Send {
    /// Writes at the end of the file.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Writes at a position.
    fn overwrite(&mut self, bytes: &[u8], position: u64) -> io::Result<()>;
    /// Removes the bytes after this length.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
    /// Forces the content to the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Returns the device and the number of the file there.
    fn identity(&self) -> io::Result<(u64, u64)>;
    /// Returns true if the file has no name any more: when it is closed, its content is gone.
    fn is_removed(&self) -> io::Result<bool>;
}

/// A file of the operating system.
struct OpenFile {
    /// Locked for this process. Appends, so that lines are at the end even if another program has cut the file.
    appended: File,
    /// The same file. Linux ignores the position of a write to a file that was opened for appending.
    positioned: File,
}

impl Disk for OpenFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.appended.write_all(bytes)
    }

    fn overwrite(&mut self, bytes: &[u8], position: u64) -> io::Result<()> {
        self.positioned.write_all_at(bytes, position)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.appended.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.appended.sync_data()
    }

    fn identity(&self) -> io::Result<(u64, u64)> {
        self.appended.metadata().map(|metadata| identity(&metadata))
    }

    fn is_removed(&self) -> io::Result<bool> {
        self.appended.metadata().map(|metadata| metadata.nlink() == 0)
    }
}

fn identity(metadata: &fs::Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

impl Chain {
    pub(super) fn start() -> Self {
        Self { sequence: 0, hash: NO_PREVIOUS.to_owned() }
    }

    /// Makes a line the next one of the chain. Returns its text with the line feed.
    ///
    /// # Errors
    /// See [`JournalLine::encode`].
    pub(super) fn append(
        &mut self,
        line: &mut JournalLine,
        key: &JournalKey,
    ) -> Result<Vec<u8>, serde_json::Error> {
        line.sequence = self.sequence + 1;
        line.previous.clone_from(&self.hash);
        let (mut text, hash) = line.encode(key)?;
        text.push(b'\n');
        *self = Self { sequence: line.sequence, hash };
        Ok(text)
    }
}

/// Checks that lines can follow the content of a file.
///
/// # Errors
/// See [`find_end`].
pub(crate) fn check_content(path: &Path) -> Result<(), JournalError> {
    let file = File::open(path).map_err(|cause| JournalError::File { path: path.to_owned(), cause })?;
    find_end(&file, path).map(drop)
}

/// Returns the length of the complete lines of a file, and the end of their chain. The incomplete line that follows them can be
/// removed.
///
/// # Errors
/// [`JournalError::NotAJournal`] and [`JournalError::Damaged`], so that no byte of another file is removed.
fn find_end(file: &File, path: &Path) -> Result<(u64, Chain), JournalError> {
    let fail = |cause| JournalError::File { path: path.to_owned(), cause };
    let all = file.metadata().map_err(fail)?.len();
    if all > 0 && !starts_like_a_line(&read_start(file, 0).map_err(fail)?) {
        return Err(JournalError::NotAJournal(path.to_owned()));
    }
    let mut lines = ReverseLines::before(file, all, u64::MAX).map_err(fail)?;
    let damaged = || JournalError::Damaged(path.to_owned());
    let (length, chain) = match lines.next_step().map_err(fail)? {
        Step::Start => (0, Chain::start()),
        Step::Line(last) => {
            let (sequence, hash) = parse_link(&last.text).ok_or_else(damaged)?;
            (last.end(), Chain { sequence, hash })
        }
        Step::TooLong | Step::BudgetUsed => return Err(damaged()),
    };
    let start = read_start(file, length).map_err(fail)?;
    // After a loss of power, a file system can have filled the end of the file with zeros.
    let written = start.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    if start.get(..written).is_some_and(starts_like_a_line) { Ok((length, chain)) } else { Err(damaged()) }
}

/// Reads as many bytes at a position as show whether a line of a journal starts there. The file may end before.
fn read_start(mut file: &File, position: u64) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(position))?;
    let length = to_u64(LINE_START.len());
    file.take(length).read_to_end(&mut start)?;
    Ok(start)
}

fn starts_like_a_line(text: &[u8]) -> bool {
    LINE_START.starts_with(text) || text.starts_with(LINE_START)
}

/// Returns the path of the file with the lines of commands.
pub(super) fn commands_file(journal: &Path) -> PathBuf {
    private_file::with_suffix(journal, ".commands")
}

fn reserve_path(journal: &Path) -> PathBuf {
    private_file::with_suffix(journal, ".reserve")
}

impl Output {
    /// Opens and locks a file, and removes an incomplete last line.
    pub(super) fn open_file(path: &Path) -> Result<Opened, JournalError> {
        let fail = |cause| JournalError::File { path: path.to_owned(), cause };
        match private_file::create(path) {
            Err(cause) if cause.kind() != ErrorKind::AlreadyExists => return Err(fail(cause)),
            _ => {}
        }
        let file = OpenOptions::new().read(true).append(true).open(path).map_err(fail)?;
        match file_lock::acquire(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_owned())),
            Err(TryLockError::Error(cause)) => {
                tracing::warn!(path = %path.display(), %cause, "the lock of the journal is not available; no other process may write to this file");
            }
        }
        let positioned = OpenOptions::new().write(true).open(path).map_err(fail)?;
        let metadata = file.metadata().map_err(fail)?;
        if identity(&metadata) != identity(&positioned.metadata().map_err(fail)?) {
            return Err(fail(io::Error::other("it was replaced while it was opened")));
        }
        let (length, chain) = find_end(&file, path)?;
        let removed = metadata.len().saturating_sub(length);
        if removed > 0 {
            tracing::warn!(path = %path.display(), removed, "the last line of the journal was incomplete, because the program was killed or the end was cut off; it was removed");
            file.set_len(length).map_err(fail)?;
        }
        let disk = Box::new(OpenFile { appended: file, positioned });
        Ok(Opened { output: Self::File(OutputFile::new(path.to_owned(), disk, length)), chain, removed })
    }

    /// Opens the file that has the path now; `None` if it is still the open one.
    pub(super) fn open_renamed(&self) -> Result<Option<Opened>, JournalError> {
        let (path, disk) = match self {
            Self::File(OutputFile { path, disk, .. }) => (path, disk),
            Self::Stdout => return Ok(None),
            Self::Closed { path, .. } => return Self::open_file(path).map(Some),
        };
        let open = disk.identity().map_err(|cause| JournalError::File { path: path.clone(), cause })?;
        if fs::metadata(path).is_ok_and(|metadata| identity(&metadata) == open) {
            return Ok(None);
        }
        Self::open_file(path).map(Some)
    }

    /// Returns the path of the file.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(&file.path),
            Self::Stdout => None,
            Self::Closed { path, .. } => Some(path),
        }
    }

    /// Returns true if the file could not be opened yet.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self, Self::Closed { .. })
    }

    /// Checks that the file is open, and was not removed or replaced. A renamed file is no fault: a program such as logrotate renames it before
    /// it asks for a new one.
    pub(super) fn check_exists(&self) -> io::Result<()> {
        let disk = match self {
            Self::File(OutputFile { disk, .. }) => disk,
            Self::Stdout => return Ok(()),
            Self::Closed { fault, .. } => return Err(io::Error::other(fault.to_string())),
        };
        if disk.is_removed()? {
            return Err(io::Error::other("the file was removed or replaced; send SIGHUP to start a new one"));
        }
        Ok(())
    }

    /// Appends lines, completely or not at all.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stdout => {
                let mut output = io::stdout().lock();
                output.write_all(bytes)?;
                output.flush()
            }
            Self::File(file) => file.append(bytes),
            Self::Closed { fault, .. } => Err(io::Error::other(fault.to_string())),
        }
    }

    /// Ends the effects of an earlier failure: removes an incomplete line, and writes lines again that may not be on the disk.
    pub(super) fn repair(&mut self) -> io::Result<()> {
        if let Self::File(file) = self { file.repair() } else { Ok(()) }
    }

    /// Waits until all lines are on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if let Self::File(file) = self { file.sync() } else { Ok(()) }
    }

    /// Returns the number of bytes that are not known to be on the disk.
    pub(super) fn unsynced_bytes(&self) -> usize {
        if let Self::File(file) = self { file.unsynced.len() } else { 0 }
    }

    /// Creates the reserve if it does not exist.
    pub(super) fn keep_reserve(&self) -> io::Result<()> {
        let Self::File(OutputFile { path, .. }) = self else { return Ok(()) };
        let reserve = reserve_path(path);
        if reserve.try_exists()? {
            return Ok(());
        }
        private_file::replace(&reserve, &vec![0; RESERVE])
    }

    pub(super) fn remove_reserve(&self) {
        if let Self::File(OutputFile { path, .. }) = self {
            // It is created again.
            drop(fs::remove_file(reserve_path(path)));
        }
    }
}

impl OutputFile {
    /// Creates the state of a file whose lines of this total length are on the disk.
    pub(super) fn new(path: PathBuf, disk: Box<dyn Disk>, length: u64) -> Self {
        Self { path, disk, length, unsynced: Vec::new(), is_unsafe: false, has_incomplete_line: false }
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.repair()?;
        let mut result = self.disk.append(bytes);
        if let Err(cause) = &result
            && matches!(cause.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
            && fs::remove_file(reserve_path(&self.path)).is_ok()
        {
            self.remove_incomplete_line()?;
            result = self.disk.append(bytes);
        }
        if let Err(cause) = result {
            // Part of the lines may be in the file.
            self.remove_incomplete_line()?;
            return Err(cause);
        }
        self.length += to_u64(bytes.len());
        self.unsynced.extend_from_slice(bytes);
        Ok(())
    }

    fn remove_incomplete_line(&mut self) -> io::Result<()> {
        self.has_incomplete_line = true;
        self.disk.truncate(self.length)?;
        self.has_incomplete_line = false;
        Ok(())
    }

    fn repair(&mut self) -> io::Result<()> {
        if self.has_incomplete_line {
            self.remove_incomplete_line()?;
        }
        if self.is_unsafe {
            let start = self.length.saturating_sub(to_u64(self.unsynced.len()));
            self.disk.overwrite(&self.unsynced, start)?;
            self.disk.sync()?;
            self.is_unsafe = false;
            self.unsynced.clear();
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.is_unsafe {
            return self.repair();
        }
        if let Err(cause) = self.disk.sync() {
            self.is_unsafe = true;
            for line in String::from_utf8_lossy(&self.unsynced).lines() {
                tracing::error!(
                    line,
                    "this line of the journal may not be on the disk; it will be written again"
                );
            }
            return Err(cause);
        }
        self.unsynced.clear();
        Ok(())
    }
}
