//! Converts errors of SQLite into storage faults.

use rusqlite::ErrorCode;

pub use crate::error::StorageFault;

impl StorageFault {
    /// Converts an error of SQLite. Returns `None` for an error that only a change of this program can fix.
    pub(super) fn from_sqlite(error: &rusqlite::Error) -> Option<Self> {
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
