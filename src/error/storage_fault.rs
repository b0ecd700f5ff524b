//! Faults of the database that an operator can fix, each with its remedy.

use actix_web::http::StatusCode;

/// A fault of the database, its server or its disk. Displays as a clause with the cause and the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StorageFault {
    /// The disk is full.
    #[error("the disk that holds the database is full; make room on it and try again")]
    Full,
    /// Another process holds the write lock for longer than the timeout.
    #[error("another program keeps the database busy; try again in a moment")]
    Busy,
    /// The file, its folder or its file system is read-only.
    #[error("the database is read-only; give Flagdeck write access to the file and its folder")]
    ReadOnly,
    /// The database could not be opened yet.
    #[error(
        "the database is not open; `flagdeck check` and the log state the reason, and Flagdeck tries again"
    )]
    NotOpen,
    /// The content of the file is corrupt.
    #[error(
        "the database is damaged, or the -wal and -shm files beside it belong to another database; stop Flagdeck, remove \
         the database with its -wal and -shm files, and put a backup in its place"
    )]
    Damaged,
    /// The database server reports corrupt data.
    #[error(
        "the database server reports damaged data; its log names the table. Restore a backup on the server"
    )]
    DamagedServer,
    /// The database file or a file next to it cannot be opened.
    #[error("the database file cannot be opened; check its folder and the limit of open files")]
    Missing,
    /// The path no longer leads to the open file.
    #[error(
        "the database file was deleted, moved or replaced while Flagdeck runs; put the same file back, or restart \
         Flagdeck to use the file that is there now"
    )]
    Replaced,
    /// The disk returns I/O errors.
    #[error(
        "the disk that holds the database returns read or write errors; check the disk and the limit of file sizes"
    )]
    Disk,
    /// The database server cannot be reached, refuses connections or ended the connection.
    #[error(
        "the database server does not respond or ended the connection; Flagdeck tries again with each request. Check \
         the server and the setting data"
    )]
    Unreachable,
    /// The connection ended while a change was being committed.
    #[error(
        "the connection to the database ended while the change was being written; read the data again to see whether \
         it was stored"
    )]
    Unconfirmed,
    /// The database server is a read-only standby, or its settings make transactions read-only.
    #[error(
        "the database server is read-only: it is a standby, or default_transaction_read_only is on; set data to the \
         primary server, or turn that setting off"
    )]
    ReadOnlyServer,
    /// The user of the database lacks a privilege.
    #[error("the user of the database lacks a privilege; make it the owner of the tables")]
    Privilege,
}

impl StorageFault {
    /// Returns the code and the status of a request that fails because of this fault.
    pub(super) fn code_and_status(self) -> (&'static str, StatusCode) {
        match self {
            Self::Full => ("storage_full", StatusCode::INSUFFICIENT_STORAGE),
            Self::Busy => ("storage_busy", StatusCode::SERVICE_UNAVAILABLE),
            Self::NotOpen => ("storage_not_open", StatusCode::SERVICE_UNAVAILABLE),
            Self::Replaced => ("storage_replaced", StatusCode::SERVICE_UNAVAILABLE),
            Self::Unreachable => ("storage_unreachable", StatusCode::SERVICE_UNAVAILABLE),
            Self::Unconfirmed => ("storage_unconfirmed", StatusCode::SERVICE_UNAVAILABLE),
            Self::ReadOnlyServer => ("storage_read_only", StatusCode::SERVICE_UNAVAILABLE),
            Self::Privilege
            | Self::ReadOnly
            | Self::Damaged
            | Self::DamagedServer
            | Self::Missing
            | Self::Disk => ("storage_failed", StatusCode::INTERNAL_SERVER_ERROR),
        }
    }

    /// Returns the message with a capital letter at its start.
    pub(super) fn as_sentence(self) -> String {
        let mut words = self.to_string();
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        words
    }
}
