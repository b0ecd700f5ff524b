//! Prevents two servers from using one database file.
//!
//! SQLite would allow it, but each server keeps usage counts and the limits of sign-in attempts in memory, which the other one
//! does not see. The lock is on a file of its own next to the database, because SQLite uses locks on the database file, and
//! closing any descriptor of that file would end them. The operating system releases the lock when the process ends, also
//! after a kill. The file stays: removing it would allow two processes to lock different files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};

use super::open::{create_file, create_folder};
use super::open_error::OpenError;
use crate::config::DataLocation;
use crate::file_lock;
use crate::host_name::host_name;
use crate::private_file::with_suffix;

/// The maximum length of the text in the lock file, in bytes.
const MAX_TEXT: u64 = 200;

/// The exclusive use of a database file until this value is dropped. Other databases need none.
#[derive(Debug)]
pub struct DataLock(Option<File>);

impl DataLock {
    /// Locks the database, and creates its file if necessary.
    ///
    /// # Errors
    /// [`OpenError::InUse`] if another process has locked it for some seconds, and [`OpenError::Folder`] or
    /// [`OpenError::File`] if a file cannot be created.
    pub(crate) fn acquire(data: &DataLocation) -> Result<Self, OpenError> {
        let DataLocation::File(database) = data else { return Ok(Self(None)) };
        create_folder(database)?;
        create_file(database)?;
        // Like SQLite, follows symbolic links, so that all paths of a database have the same lock.
        let target =
            fs::canonicalize(database).map_err(|cause| OpenError::File { path: database.clone(), cause })?;
        let path = with_suffix(&target, ".lock");
        create_file(&path)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|cause| OpenError::File { path: path.clone(), cause })?;
        match file_lock::acquire(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = read_holder(&mut file);
                return Err(OpenError::InUse { path: database.clone(), holder });
            }
            // Some network file systems have no locks.
            Err(TryLockError::Error(cause)) => {
                let path = path.display();
                tracing::warn!(%path, %cause, "the lock of the database is not available; no other server may use this database");
                return Ok(Self(None));
            }
        }
        // Only for the message of another process: an old text without a lock has no effect.
        drop(write_holder(&mut file));
        Ok(Self(Some(file)))
    }

    /// Releases the lock. The process must not write to the database afterwards.
    pub fn release(&self) {
        if let Some(file) = &self.0 {
            drop(file.unlock());
        }
    }
}

/// Writes the id of this process, and the name of its machine: process ids of containers are not unique.
fn write_holder(file: &mut File) -> std::io::Result<()> {
    let id = std::process::id();
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(format!("{id} {}\n", host_name()).as_bytes())
}

/// Describes the process that has the lock.
fn read_holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.take(MAX_TEXT).read_to_string(&mut text));
    let parsed = text.trim().split_once(' ').and_then(|(id, host)| Some((id.parse::<u32>().ok()?, host)));
    match parsed.filter(|_| read.is_ok()) {
        Some((id, "")) => format!("the process {id}"),
        Some((id, host)) => format!("the process {id} on {host}"),
        None => "another process".to_owned(),
    }
}
