//! Errors of the exchange with the upstream, and their conversion into errors for clients.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use actix_web::error::ParseError;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap};
use awc::error::{ConnectError, SendRequestError};
use url::Url;

use super::exchange;
use super::pool::LeaseError;
use super::request_body::RequestBody;
use crate::config::Upstream;
use crate::error::ApiError;

/// The reasons why an attempt to send a request upstream failed.
pub(super) enum AttemptError {
    /// All connections were in use.
    Busy,
    /// The head of the response did not arrive in time.
    HeadTimeout,
    /// The exchange failed. [`SendRequestError::Body`] means that the body from the client failed.
    Exchange(SendRequestError),
}

impl AttemptError {
    /// Returns true for failures that count for the circuit breaker. A full pool and a faulty request body are not the
    /// upstream's fault.
    pub(super) fn is_upstream_failure(&self) -> bool {
        !matches!(self, Self::Busy | Self::Exchange(SendRequestError::Body(_)))
    }
}

impl From<LeaseError> for AttemptError {
    fn from(error: LeaseError) -> Self {
        match error {
            LeaseError::Busy => Self::Busy,
            LeaseError::Connect(error) => Self::Exchange(error),
        }
    }
}

/// Converts the error of a failed attempt into the error that the client gets.
pub(super) fn to_api_error(upstream: &Upstream, error: AttemptError) -> ApiError {
    match error {
        AttemptError::Busy => {
            ApiError::UpstreamBusy { host: upstream.authority.clone(), limit: upstream.pool_size }
        }
        AttemptError::HeadTimeout => timeout_error(upstream, upstream.head_timeout),
        AttemptError::Exchange(SendRequestError::Body(cause)) => request_body_error(cause),
        AttemptError::Exchange(error) => {
            tracing::warn!(upstream = upstream.authority, %error, "the upstream did not respond");
            match error {
                SendRequestError::Connect(ConnectError::Timeout) => {
                    timeout_error(upstream, upstream.connect_timeout)
                }
                error => ApiError::UpstreamUnreachable {
                    host: upstream.authority.clone(),
                    reason: describe_error(&error),
                },
            }
        }
    }
}

/// Extracts the error in the body that the client sent.
fn request_body_error(cause: Box<dyn Error>) -> ApiError {
    match cause.downcast() {
        Ok(error) => *error,
        Err(_) => ApiError::BadBody("The request body ended early".to_owned()),
    }
}

/// Returns the error for a request that the circuit breaker refuses.
pub(super) fn circuit_open(upstream: &Upstream, wait: Duration) -> ApiError {
    let seconds = wait.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX);
    ApiError::CircuitOpen { host: upstream.authority.clone(), seconds }
}

/// Returns true if the request can be sent again: either no part of it was sent, or it is a GET or HEAD on a reused
/// connection that the upstream had closed. Other methods are never sent twice (RFC 9110, 9.2.2).
pub(super) fn can_retry(method: &Method, body: &RequestBody, error: &AttemptError) -> bool {
    let AttemptError::Exchange(error) = error else { return false };
    let only_reads = matches!(*method, Method::GET | Method::HEAD) && body.is_empty();
    match error {
        SendRequestError::Connect(ConnectError::Io(_)) => body.is_unread(),
        SendRequestError::Send(error) | SendRequestError::Response(ParseError::Io(error)) => {
            only_reads && exchange::is_stale_connection(error)
        }
        _ => false,
    }
}

/// Returns the error for an upstream that exceeded a timeout.
fn timeout_error(upstream: &Upstream, limit: Duration) -> ApiError {
    ApiError::UpstreamTimeout { host: upstream.authority.clone(), seconds: limit.as_secs_f64() }
}

/// Describes a failed exchange as the end of a sentence. The text contains no address.
pub(crate) fn describe_error(error: &SendRequestError) -> String {
    match error {
        SendRequestError::Connect(ConnectError::Io(error)) => match error.kind() {
            ErrorKind::ConnectionRefused => "it refuses connections".to_owned(),
            _ => error.to_string(),
        },
        SendRequestError::Connect(ConnectError::Resolver(_) | ConnectError::NoRecords) => {
            "its host name cannot be resolved".to_owned()
        }
        SendRequestError::Response(ParseError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
            "its response is not valid HTTP".to_owned()
        }
        SendRequestError::Connect(ConnectError::Disconnected)
        | SendRequestError::Send(_)
        | SendRequestError::Response(ParseError::Io(_)) => {
            "it closed the connection without a response".to_owned()
        }
        SendRequestError::Response(_) => "its response is not valid HTTP".to_owned(),
        error => error.to_string(),
    }
}

/// Returns the `Location` of a sign-out response if it leads to another site, such as a single sign-on provider; `None`
/// if it leads to the flag service or to the host of the request.
pub(super) fn external_location(
    response: &HeaderMap,
    upstream: &Upstream,
    request: &HeaderMap,
) -> Option<String> {
    let location = response.get(header::LOCATION)?.to_str().ok()?;
    let origin = Url::parse(&upstream.origin).ok()?;
    let url = origin.join(location).ok()?;
    let authority = &url[url::Position::BeforeHost..url::Position::BeforePath];
    let request_host = request.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_external = matches!(url.scheme(), "http" | "https")
        && url.origin() != origin.origin()
        && Some(authority) != request_host;
    is_external.then(|| url.to_string())
}
