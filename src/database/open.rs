//! Opens a database file.

use std::fs::{self, DirBuilder, OpenOptions};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::migrate;
use super::open_error::{OpenError, to_open_error};

/// The maximum time a write waits for the write lock of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The size of a connection's cache of prepared statements; larger than the number of statements in this folder.
const STATEMENT_CACHE_SIZE: usize = 256;

/// Opens the write connection, creates the database if needed, and migrates its schema.
pub(super) fn open_writer(path: Option<&Path>) -> Result<Connection, OpenError> {
    match path {
        None => {
            let path = Path::new(":memory:");
            let connection = Connection::open_in_memory().map_err(|cause| to_open_error(path, cause))?;
            configure_and_migrate(connection, path)
        }
        Some(path) => configure_and_migrate(create_and_open(path)?, path),
    }
}

/// Opens a connection for writes, and creates the file and its folders if needed.
pub(super) fn create_and_open(path: &Path) -> Result<Connection, OpenError> {
    create_folder(path)?;
    create_file(path)?;
    check_links(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|cause| to_open_error(path, cause))?;
    if is_foreign(&connection).map_err(|cause| to_open_error(path, cause))? {
        return Err(OpenError::NotFlagdeck { path: path.to_owned() });
    }
    Ok(connection)
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

pub(super) fn configure(connection: &Connection) -> rusqlite::Result<()> {
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
