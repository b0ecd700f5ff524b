//! Opens the database. Errors are one sentence that states the file and the cause.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::StorageFault;
use super::copy::CopyError;
use super::migrate;
use crate::config::DataLocation;
use crate::error::ApiError;

/// The maximum time a write waits for the write lock of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The size of a connection's cache of prepared statements; larger than the number of statements in this folder.
const STATEMENT_CACHE_SIZE: usize = 256;

/// The reason why the database cannot be opened. Displays as one sentence that begins with the setting, `data`.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The parent folder of the file does not exist and cannot be created.
    #[error("data: the folder {} cannot be created: {cause}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// The file cannot be created or opened for writing.
    #[error("data: {} cannot be opened for writing: {cause}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// Another server uses the file.
    #[error("data: {} is in use by {holder}; stop that server, or set data to another file, or to a PostgreSQL database, which several servers can share", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// The process id of the server.
        holder: String,
    },
    /// The file has several names.
    #[error("data: {} has {links} hard links; SQLite needs a file with one name, because each name would have a write-ahead log of its own. Stop the servers that use it, and remove the other names", .path.display())]
    Linked {
        /// The file.
        path: PathBuf,
        /// The number of its names.
        links: u64,
    },
    /// The file does not exist, and must not be created.
    #[error("data: there is no database {}; set data to the database of the server", .path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The PostgreSQL database has no tables, and they must not be created.
    #[error("data: {} contains no tables of Flagdeck; check the name of the database, or start the server on it, which creates them", .path.display())]
    NoTables {
        /// The database.
        path: PathBuf,
    },
    /// The file is not a database, or the database of another program.
    #[error("data: {} is not a Flagdeck database", .path.display())]
    NotFlagdeck {
        /// The file.
        path: PathBuf,
    },
    /// The schema is newer than this version of Flagdeck.
    #[error("data: {} was written by a newer version of Flagdeck; use that version or another file", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
    /// The schema is older than this version of Flagdeck, and must not be migrated.
    #[error("data: {} has the schema version {found} instead of {newest}; start this version of Flagdeck on it once, which migrates it", .path.display())]
    Older {
        /// The database.
        path: PathBuf,
        /// Its schema version.
        found: usize,
        /// The newest schema version.
        newest: usize,
    },
    /// The copy that precedes a migration cannot be written.
    #[error("data: {} cannot be migrated to the newest schema, because it cannot be copied to {} first: {cause}", .path.display(), .copy.display())]
    Copy {
        /// The file.
        path: PathBuf,
        /// The path of the copy.
        copy: PathBuf,
        /// The cause.
        cause: CopyError,
    },
    /// The key does not decrypt the stored secrets of addons.
    #[error("data-key: the key file {} does not decrypt the secrets of addons in the database ({cause}); copy the key file of another instance to it, or delete all rows of the table addon_secrets and enter the secrets again", .file.display())]
    Key {
        /// The key file.
        file: PathBuf,
        /// The cause.
        cause: String,
    },
    /// The database cannot be read or written.
    #[error("data: the database {} cannot be used: {cause}", .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl OpenError {
    /// Creates the error for an open database whose first read fails.
    pub(crate) fn from_first_read(data: &DataLocation, cause: ApiError) -> Self {
        let path = data.path().to_owned();
        let cause = match cause {
            ApiError::Storage(fault) => fault.into(),
            ApiError::Internal(cause) => cause,
            other => other.into(),
        };
        Self::Database { path, cause }
    }
}

/// Opens the write connection, creates the database if needed, and migrates its schema.
pub(super) fn open_writer(path: Option<&Path>) -> Result<Connection, OpenError> {
    match path {
        None => {
            let path = Path::new(":memory:");
            let connection = Connection::open_in_memory().map_err(|cause| to_open_error(path, cause))?;
            configure_and_migrate(connection, path)
        }
        Some(path) => {
            create_folder(path)?;
            create_file(path)?;
            check_links(path)?;
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection =
                Connection::open_with_flags(path, flags).map_err(|cause| to_open_error(path, cause))?;
            configure_and_migrate(connection, path)
        }
    }
}

/// Creates the parent folders of the file. Only their owner may list them.
pub(super) fn create_folder(file: &Path) -> Result<(), OpenError> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|cause| OpenError::Folder { path: folder.to_owned(), cause })
}

/// Creates the file before SQLite opens it: errors have the text of the operating system, only the owner may read the
/// file, and SQLite does not silently fall back to a read-only database.
pub(super) fn create_file(path: &Path) -> Result<(), OpenError> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(|cause| OpenError::File { path: path.to_owned(), cause })
}

/// Checks that a file has only one name. A hard link would have a write-ahead log and a lock of its own.
fn check_links(path: &Path) -> Result<(), OpenError> {
    #[cfg(unix)]
    {
        let found = fs::metadata(path).map(|file| std::os::unix::fs::MetadataExt::nlink(&file));
        // SQLite reports files that cannot be read.
        if let Some(links) = found.ok().filter(|links| *links > 1) {
            return Err(OpenError::Linked { path: path.to_owned(), links });
        }
    }
    Ok(())
}

fn configure_and_migrate(mut connection: Connection, path: &Path) -> Result<Connection, OpenError> {
    if is_foreign(&connection).map_err(|cause| to_open_error(path, cause))? {
        return Err(OpenError::NotFlagdeck { path: path.to_owned() });
    }
    configure(&connection).map_err(|cause| to_open_error(path, cause))?;
    migrate::migrate_to_newest(&mut connection, path)?;
    Ok(connection)
}

/// Returns whether another program created the database: it has tables, but no schema version.
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
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_SIZE);
    // Committed writes survive a loss of power: the write-ahead log is synced before each commit returns.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Opens a connection that cannot change the database. The file must exist.
pub(super) fn open_reader(path: &Path) -> Result<Connection, OpenError> {
    check_links(path)?;
    let open = || {
        // Opened for writing: after a crash, the first connection recovers the write-ahead log, and it may be this one.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_SIZE);
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    };
    open().map_err(|cause| to_open_error(path, cause))
}

/// Converts an error of SQLite.
pub(super) fn to_open_error(path: &Path, cause: rusqlite::Error) -> OpenError {
    if cause.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
        return OpenError::NotFlagdeck { path: path.to_owned() };
    }
    let cause = match StorageFault::from_sqlite(&cause) {
        Some(fault) => fault.into(),
        None => cause.into(),
    };
    OpenError::Database { path: path.to_owned(), cause }
}
