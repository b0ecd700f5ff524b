//! Converts errors of PostgreSQL into storage faults.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::flags::database::{StorageFault, StoreError};

/// Classes of error codes: connection exceptions, and interventions of an operator such as a shutdown.
const CONNECTION_CLASSES: [&str; 2] = ["08", "57P"];
/// Class of error codes for wrong passwords and users.
const SIGN_IN_CLASS: &str = "28";

/// Beginnings of messages about values and columns: errors of this program, and not of the connection.
const VALUE_ERRORS: [&str; 3] = ["error serializing", "error deserializing", "invalid column"];

impl From<Error> for StoreError {
    /// Converts an error. It has no fault if only a change of this program can fix it.
    fn from(cause: Error) -> Self {
        let fault = match cause.code() {
            Some(code) => fault_of(code),
            None if is_read_only(&cause) => Some(StorageFault::ReadOnlyServer),
            // The connection ended or cannot be established.
            None => is_connection_error(&cause).then_some(StorageFault::Unreachable),
        };
        Self::Database { fault, cause: describe(&cause).into() }
    }
}

/// Creates the error for a server that does not respond in time.
pub(super) fn lost_connection() -> StoreError {
    let cause = "the server does not respond".into();
    StoreError::Database { fault: Some(StorageFault::Unreachable), cause }
}

/// Creates the error for a commit whose result is unknown.
pub(super) fn unconfirmed(cause: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
    StoreError::Database { fault: Some(StorageFault::Unconfirmed), cause }
}

fn fault_of(code: &SqlState) -> Option<StorageFault> {
    match *code {
        SqlState::DISK_FULL => Some(StorageFault::Full),
        SqlState::LOCK_NOT_AVAILABLE
        | SqlState::QUERY_CANCELED
        | SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED => Some(StorageFault::Busy),
        SqlState::READ_ONLY_SQL_TRANSACTION => Some(StorageFault::ReadOnlyServer),
        SqlState::INSUFFICIENT_PRIVILEGE => Some(StorageFault::Privilege),
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => Some(StorageFault::Damaged),
        SqlState::TOO_MANY_CONNECTIONS | SqlState::INVALID_CATALOG_NAME => Some(StorageFault::Unreachable),
        ref other => {
            let is_in = |class: &&str| other.code().starts_with(*class);
            let is_connection = CONNECTION_CLASSES.iter().chain([&SIGN_IN_CLASS]).any(is_in);
            is_connection.then_some(StorageFault::Unreachable)
        }
    }
}

/// Returns whether the client left a server because its transactions are read-only. This error has no code. Errors of the
/// operating system have the same kind, such as a socket that this user may not open.
fn is_read_only(error: &Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| {
        cause.kind() == io::ErrorKind::PermissionDenied && cause.raw_os_error().is_none()
    })
}

fn is_connection_error(error: &Error) -> bool {
    let text = error.to_string();
    !VALUE_ERRORS.iter().any(|beginning| text.starts_with(beginning))
}

/// Returns the message of the error with its causes. The password is in none of them.
fn describe(error: &Error) -> String {
    if let Some(database) = error.as_db_error() {
        return format!("{} ({})", database.message(), database.code().code());
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}
