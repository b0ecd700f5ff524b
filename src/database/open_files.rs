//! Detects that the database files were deleted, moved or replaced while they are open.
//!
//! SQLite keeps its file descriptors: after an `rm` or `mv` it continues to write to files that no longer have a name,
//! and every later commit is lost when the program ends. The write-ahead log (`-wal`) and
//! its index (`-shm`) are checked as well: if they are deleted, another process creates new ones, and the two
//! processes overwrite each other's changes.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::StorageFault;
use crate::private_file::with_suffix;

/// The files of an open database, each with the identity it had when it was opened.
#[derive(Debug, Default)]
pub(super) struct OpenFiles {
    /// Empty for a database in memory.
    files: Vec<(PathBuf, FileId)>,
    is_replaced: AtomicBool,
}

/// Device and inode: unique for as long as the file is open.
#[cfg(unix)]
type FileId = (u64, u64);
/// Not needed: other systems do not delete open files.
#[cfg(not(unix))]
type FileId = ();

impl OpenFiles {
    /// Records the identity of the files that SQLite has open.
    ///
    /// # Errors
    /// Fails if the database file is not at its path.
    pub(super) fn record(path: &Path) -> io::Result<Self> {
        // Like SQLite, follows symbolic links: the other two files are next to the target.
        let file = fs::canonicalize(path)?;
        let mut files = vec![(path.to_owned(), file_id(&fs::metadata(&file)?))];
        // File systems without shared memory have neither of them.
        let beside = ["-wal", "-shm"].map(|suffix| with_suffix(&file, suffix));
        files.extend(beside.into_iter().filter_map(|path| {
            let id = file_id(&fs::metadata(&path).ok()?);
            Some((path, id))
        }));
        Ok(Self { files, is_replaced: AtomicBool::new(false) })
    }

    /// Checks that each path still leads to the open file. Costs one `stat` per file. Logs each change of the outcome.
    ///
    /// # Errors
    /// [`StorageFault::Replaced`] until the same files are at their paths again.
    pub(super) fn check(&self) -> Result<(), StorageFault> {
        let replaced = self.files.iter().find(|(path, id)| {
            // An unreadable path counts as replaced: another process would not find the file there.
            !fs::metadata(path).is_ok_and(|found| file_id(&found) == *id)
        });
        let was_replaced = self.is_replaced.swap(replaced.is_some(), Ordering::AcqRel);
        let Some((path, _)) = replaced else {
            if was_replaced {
                tracing::info!("the database files are back at their paths: writes are accepted again");
            }
            return Ok(());
        };
        if !was_replaced {
            let path = path.display();
            tracing::error!(%path, "a database file was deleted, moved or replaced: writes are refused");
        }
        Err(StorageFault::Replaced)
    }
}

#[cfg(unix)]
fn file_id(file: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt as _;

    (file.dev(), file.ino())
}

#[cfg(not(unix))]
fn file_id(_file: &Metadata) -> FileId {}
