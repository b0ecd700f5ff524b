//! Converts errors of PostgreSQL into storage faults.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::database::{StorageFault, StoreError};

/// Classes of error codes: connection exceptions, and interventions of an operator such as a shutdown.
const CONNECTION_CLASSES: [&str; 2] = ["08", "57P"];
/// Class of error codes for wrong passwords and users.
const SIGN_IN_CLASS: &str = "28";

impl From<Error> for StoreError {
    /// Converts an error of a statement or a connection. It has no fault if only a change of this program can fix it.
    fn from(cause: Error) -> Self {
        let fault = match cause.as_db_error() {
            Some(error) => {
                fault_of(error.code()).or_else(|| ends_session(error).then_some(StorageFault::Unreachable))
            }
            None if is_read_only(&cause) => Some(StorageFault::ReadOnlyServer),
            // Only the server's own errors have a code: the connection ended or cannot be established.
            None => Some(StorageFault::Unreachable),
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
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => Some(StorageFault::DamagedServer),
        SqlState::TOO_MANY_CONNECTIONS
        | SqlState::INVALID_CATALOG_NAME
        | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => Some(StorageFault::Unreachable),
        SqlState::IO_ERROR => Some(StorageFault::Disk),
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

/// Returns whether the server ends the session with this error. The severity does not depend on the language of the server.
fn ends_session(error: &DbError) -> bool {
    matches!(error.parsed_severity(), Some(Severity::Fatal | Severity::Panic))
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;
    use tokio_postgres::NoTls;
    use tokio_postgres::error::SqlState;

    use super::fault_of;
    use crate::database::StorageFault::{
        self, Busy, DamagedServer, Disk, Full, Privilege, ReadOnlyServer, Unreachable,
    };
    use crate::database::StoreError;

    /// Returns the fault of a connection to a server that responds with these bytes and ends it.
    async fn fault_of_connection(response: &[u8]) -> Option<StorageFault> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("postgres://flags@{}/flags", listener.local_addr().unwrap());
        let serve = async {
            let (mut stream, _address) = listener.accept().await.unwrap();
            assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
            stream.write_all(response).await.unwrap();
        };
        let (connected, ()) = tokio::join!(tokio_postgres::connect(&url, NoTls), serve);
        let StoreError::Database { fault, .. } = connected.err().unwrap().into() else { panic!() };
        fault
    }

    /// Returns the message with which a server reports an error (PostgreSQL documentation, section 55.7).
    fn error_response(severity: &str) -> Vec<u8> {
        let fields = format!("SВАЖНО\0V{severity}\0CXX000\0Mзавершение\0\0");
        let length = u32::try_from(fields.len() + 4).unwrap();
        [b"E", &length.to_be_bytes()[..], fields.as_bytes()].concat()
    }

    #[actix_web::test]
    async fn connection_that_ends_is_recognized_in_any_language() {
        assert_eq!(fault_of_connection(b"").await, Some(Unreachable), "the end of the connection");
        assert_eq!(fault_of_connection(b"?").await, Some(Unreachable), "a part of a message");
        assert_eq!(fault_of_connection(&error_response("FATAL")).await, Some(Unreachable));
        assert_eq!(fault_of_connection(&error_response("ERROR")).await, None, "the session remains");
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("postgres://flags@{}/flags", listener.local_addr().unwrap());
        drop(listener);
        let refused = tokio_postgres::connect(&url, NoTls).await.err().unwrap();
        let StoreError::Database { fault, .. } = refused.into() else { panic!() };
        assert_eq!(fault, Some(Unreachable), "no connection");
    }

    #[test]
    fn codes_of_the_server_decide_about_the_fault() {
        for (code, fault) in [
            ("08000", Some(Unreachable)),
            ("08006", Some(Unreachable)),
            ("08P01", Some(Unreachable)),
            ("23505", None),
            ("25006", Some(ReadOnlyServer)),
            ("25P02", None),
            ("25P03", Some(Unreachable)),
            ("28000", Some(Unreachable)),
            ("28P01", Some(Unreachable)),
            ("3D000", Some(Unreachable)),
            ("40001", Some(Busy)),
            ("40P01", Some(Busy)),
            ("42501", Some(Privilege)),
            ("42P01", None),
            ("53100", Some(Full)),
            ("53300", Some(Unreachable)),
            ("55P03", Some(Busy)),
            ("57014", Some(Busy)),
            ("57P01", Some(Unreachable)),
            ("57P02", Some(Unreachable)),
            ("57P03", Some(Unreachable)),
            ("57P05", Some(Unreachable)),
            ("58030", Some(Disk)),
            ("XX000", None),
            ("XX001", Some(DamagedServer)),
            ("XX002", Some(DamagedServer)),
        ] {
            assert_eq!(fault_of(&SqlState::from_code(code)), fault, "{code}");
        }
    }
}
