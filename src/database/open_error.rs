//! Errors of opening the database. Each is one sentence that states the file and the cause.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::StorageFault;
use super::copy::CopyError;
use crate::config::DataLocation;
use crate::error::ApiError;

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
    #[error("data: {} was written by a newer version of Flagdeck; use that version or another database", .path.display())]
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
