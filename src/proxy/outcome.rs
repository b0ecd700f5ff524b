//! What the client gets in place of an answer: a failure that says which hop it was.

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
use super::upload::Upload;
use crate::config::Upstream;
use crate::error::ApiError;

/// Why an attempt to send a request upstream failed.
pub(super) enum AttemptError {
    /// All connections were in use.
    Busy,
    /// The head of the response did not arrive in time.
    HeadTimeout,
    /// The exchange failed, or the client's body did ([`SendRequestError::Body`]).
    Exchange(SendRequestError),
}

impl AttemptError {
    /// True for failures that count for the circuit breaker. A full pool and a faulty request body say nothing about the
    /// upstream.
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

/// The error that the client gets for a failed attempt.
pub(super) fn failure(upstream: &Upstream, error: AttemptError) -> ApiError {
    match error {
        AttemptError::Busy => {
            ApiError::UpstreamBusy { host: upstream.authority.clone(), limit: upstream.pool_size }
        }
        AttemptError::HeadTimeout => too_slow(upstream, upstream.head_timeout),
        AttemptError::Exchange(SendRequestError::Body(cause)) => of_client(cause),
        AttemptError::Exchange(error) => {
            tracing::warn!(upstream = upstream.authority, %error, "the upstream did not answer");
            match error {
                SendRequestError::Connect(ConnectError::Timeout) => {
                    too_slow(upstream, upstream.connect_timeout)
                }
                error => {
                    ApiError::UpstreamUnreachable { host: upstream.authority.clone(), reason: reason(&error) }
                }
            }
        }
    }
}

/// What was wrong with the body that the client sent.
fn of_client(cause: Box<dyn Error>) -> ApiError {
    match cause.downcast() {
        Ok(error) => *error,
        Err(_) => ApiError::BadBody("The request's body ended too soon".to_owned()),
    }
}

/// The upstream is not asked.
pub(super) fn left_alone(upstream: &Upstream, wait: Duration) -> ApiError {
    let seconds = wait.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX);
    ApiError::CircuitOpen { host: upstream.authority.clone(), seconds }
}

/// Whether a request can be sent again: nothing of it was sent, or it only reads and the connection that it went over
/// had been closed meanwhile. A write is never sent twice.
pub(super) fn is_repeatable(method: &Method, upload: &Upload, error: &AttemptError) -> bool {
    let AttemptError::Exchange(error) = error else { return false };
    let only_reads = matches!(*method, Method::GET | Method::HEAD) && upload.is_none();
    match error {
        SendRequestError::Connect(ConnectError::Io(_)) => upload.is_untouched(),
        SendRequestError::Send(error) | SendRequestError::Response(ParseError::Io(error)) => {
            only_reads && exchange::was_stale(error)
        }
        _ => false,
    }
}

/// The upstream had its time.
fn too_slow(upstream: &Upstream, limit: Duration) -> ApiError {
    ApiError::UpstreamTimeout { host: upstream.authority.clone(), seconds: limit.as_secs_f64() }
}

/// Words for what went wrong on the way; they hold no address.
pub(crate) fn reason(error: &SendRequestError) -> String {
    match error {
        SendRequestError::Connect(ConnectError::Io(error)) => match error.kind() {
            ErrorKind::ConnectionRefused => "it refuses connections".to_owned(),
            _ => error.to_string(),
        },
        SendRequestError::Connect(ConnectError::Resolver(_) | ConnectError::NoRecords) => {
            "its name is unknown".to_owned()
        }
        SendRequestError::Response(ParseError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
            "what it answered is not HTTP".to_owned()
        }
        SendRequestError::Connect(ConnectError::Disconnected)
        | SendRequestError::Send(_)
        | SendRequestError::Response(ParseError::Io(_)) => {
            "it closed the connection without an answer".to_owned()
        }
        SendRequestError::Response(_) => "what it answered is not HTTP".to_owned(),
        error => error.to_string(),
    }
}

/// Where a sign-out leads when that is another site, such as a single sign-on; `None` for the flag service itself and
/// for the host that the browser asked.
pub(super) fn foreign_location(
    answer: &HeaderMap,
    upstream: &Upstream,
    request: &HeaderMap,
) -> Option<String> {
    let location = answer.get(header::LOCATION)?.to_str().ok()?;
    let own = Url::parse(&upstream.origin).ok()?;
    let url = own.join(location).ok()?;
    let authority = &url[url::Position::BeforeHost..url::Position::BeforePath];
    let asked = request.get(header::HOST).and_then(|host| host.to_str().ok());
    let foreign =
        matches!(url.scheme(), "http" | "https") && url.origin() != own.origin() && Some(authority) != asked;
    foreign.then(|| url.to_string())
}
