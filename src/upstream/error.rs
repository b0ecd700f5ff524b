//! The errors of requests to a server.

use std::io::{self, ErrorKind};
use std::time::Duration;

use actix_web::error::ParseError;
use awc::error::SendRequestError;

/// The reasons why a request to a server fails. Displays with the cause, for the log; [`Self::reason`] is for users.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExchangeError {
    /// The circuit breaker refuses requests for this time.
    #[error("the circuit breaker refuses requests")]
    CircuitOpen(Duration),
    /// All connections are in use, and none was returned in time.
    #[error("no connection became free in time")]
    PoolTimeout,
    /// The host name has no address.
    #[error("Failed to connect to host: {0}")]
    Resolve(String),
    /// The connection cannot be opened.
    #[error("Failed to connect to host: {0}")]
    Connect(io::Error),
    /// The connection was not opened in time.
    #[error("Failed to connect to host: Timeout while establishing connection")]
    ConnectTimeout,
    /// The head of the response did not arrive in time.
    #[error("Timeout while waiting for response")]
    HeadTimeout,
    /// A reused connection ended before the first byte of the response: the server had closed it.
    #[error("the upstream had closed the connection")]
    StaleConnection(io::Error),
    /// The request cannot be written.
    #[error("{0}")]
    Send(io::Error),
    /// The response cannot be read, or is malformed.
    #[error("{0}")]
    Response(ParseError),
    /// The body that the client sends is faulty.
    #[error("{0}")]
    ClientBody(BodyError),
    /// Another error of awc.
    #[error("{0}")]
    Other(String),
}

/// The faults of a body that a client sends, as sentences for the client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    /// The body exceeds the limit.
    #[error("The request body is larger than {limit} bytes")]
    TooLarge {
        /// Maximum size in bytes.
        limit: usize,
    },
    /// The body did not arrive in time.
    #[error("The request body did not arrive within {} s", .limit.as_secs_f64())]
    Timeout {
        /// Total time for which the client was waited for.
        limit: Duration,
    },
    /// The body arrived too slowly while its request held a connection.
    #[error("The request body arrived too slowly: at least {rate} bytes per second are required")]
    TooSlow {
        /// Required bytes per second on average.
        rate: u32,
    },
    /// The body is malformed or ended early.
    #[error("The request body is incomplete: {0}")]
    Incomplete(String),
}

impl ExchangeError {
    /// Returns true for failures of the server, and false for failures of the client or of this program.
    pub(crate) fn is_server_failure(&self) -> bool {
        !matches!(self, Self::CircuitOpen(_) | Self::PoolTimeout | Self::ClientBody(_))
    }

    /// Describes the failure as the end of a sentence. The text contains no address.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Connect(error) if error.kind() == ErrorKind::ConnectionRefused => {
                "it refuses connections".to_owned()
            }
            Self::Connect(error) => error.to_string(),
            Self::Resolve(_) => "its host name cannot be resolved".to_owned(),
            Self::Response(ParseError::Io(error)) | Self::StaleConnection(error)
                if error.kind() == ErrorKind::InvalidData =>
            {
                "its response is not valid HTTP".to_owned()
            }
            Self::Send(_) | Self::StaleConnection(_) | Self::Response(ParseError::Io(_)) => {
                "it closed the connection without a response".to_owned()
            }
            Self::Response(_) => "its response is not valid HTTP".to_owned(),
            other => other.to_string(),
        }
    }
}

impl From<actix_tls::connect::ConnectError> for ExchangeError {
    fn from(error: actix_tls::connect::ConnectError) -> Self {
        use actix_tls::connect::ConnectError;
        match error {
            ConnectError::Io(error) => Self::Connect(error),
            ConnectError::Resolver(cause) => Self::Resolve(format!("Failed resolving hostname: {cause}")),
            ConnectError::NoRecords => Self::Resolve(error.to_string()),
            ConnectError::InvalidInput | ConnectError::Unresolved => {
                Self::Other(format!("Failed to connect to host: {error}"))
            }
        }
    }
}

impl From<awc::error::ConnectError> for ExchangeError {
    fn from(error: awc::error::ConnectError) -> Self {
        use awc::error::ConnectError;
        match error {
            ConnectError::Io(error) => Self::Connect(error),
            ConnectError::Resolver(_) | ConnectError::NoRecords => Self::Resolve(error.to_string()),
            ConnectError::Timeout => Self::ConnectTimeout,
            ConnectError::Disconnected => Self::Send(ErrorKind::NotConnected.into()),
            error => Self::Other(SendRequestError::from(error).to_string()),
        }
    }
}

impl From<SendRequestError> for ExchangeError {
    fn from(error: SendRequestError) -> Self {
        match error {
            SendRequestError::Connect(error) => error.into(),
            SendRequestError::Send(error) => Self::Send(error),
            SendRequestError::Response(error) => Self::Response(error),
            SendRequestError::Timeout => Self::HeadTimeout,
            error => Self::Other(error.to_string()),
        }
    }
}
