//! Migrates the schema of a database, after a backup copy of the old one.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite_migration::{Error as MigrationError, MigrationDefinitionError};

use super::copy::{CopyError, write_copy};
use super::open_error::{OpenError, to_open_error};
use super::schema::{MIGRATIONS, newest_version};
use crate::private_file::with_suffix;

/// The maximum number of backup copies of one schema version.
const MAX_COPIES: u32 = 100;

/// Runs the missing migrations. A new database (version 0) is not copied.
pub(super) fn migrate_to_newest(connection: &mut Connection, path: &Path) -> Result<(), OpenError> {
    let from = schema_version(connection).map_err(|cause| to_open_error(path, cause))?;
    let to = newest_version();
    if (1..to).contains(&from) {
        let copy = back_up(connection, path, from, to)?;
        tracing::info!(from, to, copy = %copy.display(), "migrating the database to a newer schema; a copy of the old one was written");
    }
    let Err(cause) = MIGRATIONS.to_latest(connection) else { return Ok(()) };
    // Another process may have started at the same time and run the same migration.
    if schema_version(connection).is_ok_and(|version| version == to) {
        return Ok(());
    }
    Err(match cause {
        MigrationError::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead) => {
            OpenError::Newer { path: path.to_owned() }
        }
        MigrationError::RusqliteError { err, .. } => to_open_error(path, err),
        other => OpenError::Database { path: path.to_owned(), cause: other.into() },
    })
}

/// Copies the database to a new file next to it and returns its path. Earlier copies are not overwritten.
fn back_up(connection: &Connection, path: &Path, from: usize, to: usize) -> Result<PathBuf, OpenError> {
    let beside = |suffix: &str| with_suffix(path, &format!(".before-{from}-to-{to}{suffix}"));
    let mut file = beside("");
    for number in 2..=MAX_COPIES {
        match write_copy(connection, &file) {
            Err(CopyError::File(cause)) if cause.kind() == io::ErrorKind::AlreadyExists => {
                file = beside(&format!(".{number}"));
            }
            outcome => {
                let failed = |cause| OpenError::Copy { path: path.to_owned(), copy: file.clone(), cause };
                return outcome.map_err(failed).map(|()| file.clone());
            }
        }
    }
    Err(OpenError::Copy {
        path: path.to_owned(),
        copy: file,
        cause: CopyError::File(io::ErrorKind::AlreadyExists.into()),
    })
}

/// Returns the number of migrations that were run on the database.
pub(super) fn schema_version(connection: &Connection) -> rusqlite::Result<usize> {
    let sql = "SELECT user_version FROM pragma_user_version";
    let version: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}
