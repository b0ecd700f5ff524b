//! Copies a snapshot of the whole database to a file, also while other processes write to the database.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::StorageFault;
use crate::private_file;

/// The reason why a copy failed. Displays as a clause. An incomplete copy is deleted.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The new file cannot be created.
    #[error("{}", if .0.kind() == io::ErrorKind::AlreadyExists { "the file already exists; choose another name".to_owned() } else { .0.to_string() })]
    File(#[from] io::Error),
    /// The path is not valid UTF-8, which SQLite requires.
    #[error("the file name is not valid UTF-8; choose another name")]
    Name,
    /// The database cannot be read, or the copy cannot be written.
    #[error("{0}")]
    Database(String),
    /// The database is not a file.
    #[error("PostgreSQL has its own backups; use pg_dump")]
    Postgres,
    /// The copy fails the integrity check.
    #[error("the database is damaged: {0}")]
    Damaged(String),
}

impl From<rusqlite::Error> for CopyError {
    fn from(cause: rusqlite::Error) -> Self {
        Self::Database(match StorageFault::from_sqlite(&cause) {
            Some(fault) => fault.to_string(),
            None => cause.to_string(),
        })
    }
}

/// Writes a copy to a new file. Only its owner may read it, because it contains password hashes and secrets.
pub(super) fn write_copy(connection: &Connection, file: &Path) -> Result<(), CopyError> {
    // Absolute, so that SQLite does not parse a name such as `file:x` as a URI.
    let file = std::path::absolute(file)?;
    let name = file.to_str().ok_or(CopyError::Name)?;
    private_file::create(&file)?;
    let copied = vacuum_into(connection, &file, name);
    if copied.is_err() {
        drop(fs::remove_file(&file));
    }
    copied
}

fn vacuum_into(connection: &Connection, file: &Path, name: &str) -> Result<(), CopyError> {
    connection.execute("VACUUM INTO ?1", [name])?;
    File::open(file)?.sync_all()?;
    let copy = Connection::open(file)?;
    let result: String = copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if result == "ok" { Ok(()) } else { Err(CopyError::Damaged(result)) }
}
