//! Copies of the whole database as it is at one moment, also while other programs write to it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::StorageFault;

/// Why there is no copy. Reads as the rest of a sentence; nothing half done stays behind.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The new file cannot be made.
    #[error("{}", if .0.kind() == io::ErrorKind::AlreadyExists { "there is such a file already; name a new one".to_owned() } else { .0.to_string() })]
    File(#[from] io::Error),
    /// A name that SQLite cannot be told.
    #[error("its name is not valid UTF-8; choose another")]
    Name,
    /// The database could not be read, or the copy not be written.
    #[error("{}", StorageFault::of(.0).map_or_else(|| .0.to_string(), |fault| fault.to_string()))]
    Database(#[from] rusqlite::Error),
    /// What was copied does not hold together.
    #[error("the database is damaged: {0}")]
    Damaged(String),
}

/// Writes a copy to a file that must not be there yet, and that only its owner may read: it holds credentials.
pub(super) fn copy(connection: &Connection, file: &Path) -> Result<(), CopyError> {
    // Absolute, so that no name is taken for a URI.
    let file = std::path::absolute(file)?;
    let name = file.to_str().ok_or(CopyError::Name)?;
    create(&file)?;
    let copied = fill(connection, &file, name);
    if copied.is_err() {
        drop(fs::remove_file(&file));
    }
    copied
}

fn fill(connection: &Connection, file: &Path, name: &str) -> Result<(), CopyError> {
    connection.execute("VACUUM INTO ?1", [name])?;
    File::open(file)?.sync_all()?;
    let copy = Connection::open(file)?;
    let verdict: String = copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" { Ok(()) } else { Err(CopyError::Damaged(verdict)) }
}

fn create(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}
