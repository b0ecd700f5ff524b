//! Opens the database, or says in one sentence why it cannot be opened.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::StorageFault;
use super::copy::CopyError;
use super::migrate;
use crate::error::ApiError;

/// How long a write waits for another process that is writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How many statements a connection keeps prepared: more than there are.
const STATEMENTS: usize = 256;

/// Where everything is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataLocation {
    /// Nowhere: all is gone when the program ends.
    Memory,
    /// In this file, which is created when it is missing, as are the folders above it.
    File(PathBuf),
}

/// Why the database cannot be used; each reads as one sentence that names the setting.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder above the file is missing and cannot be created.
    #[error("data: the folder {} cannot be created: {cause}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The file cannot be created, or not be opened for writing.
    #[error("data: {} cannot be opened for writing: {cause}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The file holds something else.
    #[error("data: {} is not a Flagdeck database", .path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// A later version wrote it.
    #[error("data: {} was written by a newer version of Flagdeck; use that version or another file", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
    /// An older schema was to be copied before it is changed.
    #[error("data: {} cannot be brought up to date, because a copy of it cannot be made at {}: {cause}", .path.display(), .copy.display())]
    Copy {
        /// The file.
        path: PathBuf,
        /// Where the copy was to be.
        copy: PathBuf,
        /// Why not.
        cause: CopyError,
    },
    /// The database does not work.
    #[error("data: the database {} cannot be used: {cause}", .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl OpenError {
    /// For a file that was taken away while it was opened.
    pub(super) fn not_at_its_path(data: &DataLocation, cause: io::Error) -> Self {
        Self::File { path: data.path().to_owned(), cause }
    }

    /// For a database that opens and then does not answer.
    pub(crate) fn unreadable(data: &DataLocation, cause: ApiError) -> Self {
        let path = data.path().to_owned();
        let cause = match cause {
            ApiError::Storage(fault) => fault.into(),
            ApiError::Internal(cause) => cause,
            other => other.into(),
        };
        Self::Database { path, cause }
    }
}

impl DataLocation {
    /// The file, or `:memory:`.
    fn path(&self) -> &Path {
        match self {
            Self::Memory => Path::new(":memory:"),
            Self::File(path) => path,
        }
    }
}

/// An open connection with an up-to-date schema.
pub(super) fn open(data: &DataLocation) -> Result<Connection, OpenError> {
    match data {
        DataLocation::Memory => {
            let path = Path::new(":memory:");
            let connection = Connection::open_in_memory().map_err(|cause| unusable(path, cause))?;
            prepare(connection, path)
        }
        DataLocation::File(path) => {
            create_folder(path)?;
            create_file(path)?;
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection =
                Connection::open_with_flags(path, flags).map_err(|cause| unusable(path, cause))?;
            prepare(connection, path)
        }
    }
}

/// Nobody else on the machine may look inside a folder that is made here.
fn create_folder(file: &Path) -> Result<(), OpenError> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|cause| OpenError::Folder { path: folder.to_owned(), cause })
}

/// Ahead of SQLite, for three reasons: the operating system's own words when it cannot be done, a file that only its
/// owner reads, and no silent fallback to a read-only database.
fn create_file(path: &Path) -> Result<(), OpenError> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(|cause| OpenError::File { path: path.to_owned(), cause })
}

fn prepare(mut connection: Connection, path: &Path) -> Result<Connection, OpenError> {
    if is_foreign(&connection).map_err(|cause| unusable(path, cause))? {
        return Err(OpenError::NotOurs { path: path.to_owned() });
    }
    configure(&connection).map_err(|cause| unusable(path, cause))?;
    migrate::to_newest(&mut connection, path)?;
    Ok(connection)
}

/// True for a database with tables that no version of this program has migrated.
pub(super) fn is_foreign(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema)
            AND (SELECT user_version FROM pragma_user_version) = 0",
        [],
        |row| row.get(0),
    )
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A write that was acknowledged survives a loss of power: the log is synced before each commit returns.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// One more connection to a database that is open already. It cannot change anything.
pub(super) fn reader(path: &Path) -> Result<Connection, OpenError> {
    let open = || {
        // Opened for writing all the same: after a crash it may be a reader that tidies up the log.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    };
    open().map_err(|cause| unusable(path, cause))
}

/// The sentence for a database that does not do as it is told.
pub(super) fn unusable(path: &Path, cause: rusqlite::Error) -> OpenError {
    if cause.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
        return OpenError::NotOurs { path: path.to_owned() };
    }
    let cause = match StorageFault::of(&cause) {
        Some(fault) => fault.into(),
        None => cause.into(),
    };
    OpenError::Database { path: path.to_owned(), cause }
}
