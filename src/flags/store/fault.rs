//! Why SQLite refused, as people need to know it: each cause has a remedy of its own.

use rusqlite::ErrorCode;

/// A cause that lies outside this program. Reads as the rest of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StorageFault {
    /// No room is left.
    #[error("the disk that holds the database is full; make room on it and try again")]
    Full,
    /// Somebody else has been writing for longer than anybody waits.
    #[error("another program keeps the database busy; try again in a moment")]
    Busy,
    /// The file, its folder or its disk takes no changes.
    #[error("the database is read-only; let this program write to the file and to its folder")]
    ReadOnly,
    /// What the file holds makes no sense.
    #[error("the database is damaged; end this program and put a backup in the file's place")]
    Damaged,
    /// The file or one beside it cannot be opened any more.
    #[error(
        "the database file cannot be opened; look at its folder and at how many files this program may open"
    )]
    Missing,
    /// The open file is not the one at its path any more.
    #[error(
        "the database file was deleted, moved or replaced while Flagdeck runs; put the same file back, or restart \
         Flagdeck to use the file that is there now"
    )]
    Replaced,
    /// The disk neither takes nor gives what it should.
    #[error(
        "the disk that holds the database does not read or write as it should; it may fail, or limit how large files may be"
    )]
    Disk,
}

impl StorageFault {
    /// The cause, where it is one of these and not a fault of this program.
    #[must_use]
    pub fn of(error: &rusqlite::Error) -> Option<Self> {
        match error.sqlite_error_code()? {
            ErrorCode::DiskFull => Some(Self::Full),
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
                Some(Self::Busy)
            }
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Some(Self::ReadOnly),
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Some(Self::Damaged),
            ErrorCode::CannotOpen => Some(Self::Missing),
            ErrorCode::SystemIoFailure => Some(Self::Disk),
            _ => None,
        }
    }
}
