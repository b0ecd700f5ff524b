//! Converts errors of the exchange with the upstream into errors for clients.

use std::time::Duration;

use crate::config::Upstream;
use crate::error::ApiError;
use crate::log_limit::LogLimit;
use crate::upstream::error::{BodyError, ExchangeError};

/// The upstream does not respond.
pub(super) static SILENT_UPSTREAM: LogLimit = LogLimit::new();

/// Converts the error of a request to the upstream into the error that the client gets.
pub(super) fn to_api_error(upstream: &Upstream, error: ExchangeError) -> ApiError {
    let host = upstream.authority.clone();
    match error {
        ExchangeError::ClientBody(error) => error.into(),
        ExchangeError::CircuitOpen(wait) => ApiError::CircuitOpen {
            host,
            seconds: wait.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX),
        },
        ExchangeError::PoolTimeout => ApiError::UpstreamBusy { host, limit: upstream.pool_size },
        ExchangeError::HeadTimeout => timeout_error(host, upstream.head_timeout),
        error => {
            if let Some(repeated) = SILENT_UPSTREAM.record() {
                tracing::warn!(upstream = host, %error, repeated, "the upstream did not respond");
            }
            match error {
                ExchangeError::ConnectTimeout => timeout_error(host, upstream.connect_timeout),
                error => ApiError::UpstreamUnreachable { host, reason: error.reason() },
            }
        }
    }
}

/// Returns the error for an upstream that exceeded a timeout.
pub(super) fn timeout_error(host: String, limit: Duration) -> ApiError {
    ApiError::UpstreamTimeout { host, seconds: limit.as_secs_f64() }
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge { limit } => Self::BodyTooLarge { limit },
            BodyError::Timeout { limit } => Self::BodyTimeout { seconds: limit.as_secs_f64() },
            BodyError::TooSlow { rate } => Self::BodyTooSlow { rate },
            BodyError::Incomplete(cause) => Self::BadBody(format!("The request body is incomplete: {cause}")),
        }
    }
}
