//! Brings the schema of a database up to date, after a copy of what it was.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite_migration::{Error as MigrationError, MigrationDefinitionError};

use super::copy::{CopyError, copy};
use super::open::{OpenError, unusable};
use super::schema::{MIGRATIONS, newest};

/// How many copies of one version may lie beside each other.
const MOST_COPIES: u32 = 100;

/// Takes the steps that are missing. A database that has none yet is new: there is nothing to copy.
pub(super) fn to_newest(connection: &mut Connection, path: &Path) -> Result<(), OpenError> {
    let from = version(connection).map_err(|cause| unusable(path, cause))?;
    let to = newest();
    if (1..to).contains(&from) {
        let copy = keep(connection, path, from, to)?;
        tracing::info!(from, to, copy = %copy.display(), "the database gets a newer schema; what it was is copied");
    }
    let Err(cause) = MIGRATIONS.to_latest(connection) else { return Ok(()) };
    // Another process that was started at the same moment may have taken the very step.
    if version(connection).is_ok_and(|version| version == to) {
        return Ok(());
    }
    Err(match cause {
        MigrationError::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead) => {
            OpenError::Newer { path: path.to_owned() }
        }
        MigrationError::RusqliteError { err, .. } => unusable(path, err),
        other => OpenError::Database { path: path.to_owned(), cause: other.into() },
    })
}

/// Copies to a file beside the database that is not there yet: earlier copies stay as they are.
fn keep(connection: &Connection, path: &Path, from: usize, to: usize) -> Result<PathBuf, OpenError> {
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".before-{from}-to-{to}{suffix}"));
        PathBuf::from(name)
    };
    let mut file = beside("");
    for number in 2..=MOST_COPIES {
        match copy(connection, &file) {
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

pub(super) fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let sql = "SELECT user_version FROM pragma_user_version";
    let version: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}
