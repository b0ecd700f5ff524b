//! Converts errors of the exchange with the upstream into errors for clients.

use std::time::Duration;

use actix_web::http::StatusCode;

use crate::config::Upstream;
use crate::error::{ApiError, DomainError};
use crate::log_limit::LogLimit;
use crate::upstream::error::ExchangeError;

/// The upstream does not respond.
pub(super) static SILENT_UPSTREAM: LogLimit = LogLimit::new();

/// Converts the error of a request to the upstream into the error that the client gets.
pub(super) fn to_api_error(upstream: &Upstream, error: ExchangeError) -> ApiError {
    let host = &upstream.authority;
    match error {
        ExchangeError::ClientBody(error) => error.into(),
        ExchangeError::CircuitOpen(wait) => {
            let seconds = wait.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX);
            let message =
                format!("The flag service at {host} does not respond. Flagdeck tries again in {seconds} s");
            let error = DomainError::new("circuit_open", StatusCode::SERVICE_UNAVAILABLE, message);
            error.retry_after(seconds).into()
        }
        // This is not a failure of the upstream.
        ExchangeError::PoolTimeout => {
            let message = format!(
                "Flagdeck has no free connection to the flag service at {host}: all {} of this worker wait for responses. Try again in a moment",
                upstream.pool_size
            );
            let error = DomainError::new("upstream_busy", StatusCode::SERVICE_UNAVAILABLE, message);
            error.retry_after(1).into()
        }
        ExchangeError::HeadTimeout => timeout_error(host, upstream.head_timeout),
        error => {
            if let Some(repeated) = SILENT_UPSTREAM.record() {
                tracing::warn!(upstream = host, %error, repeated, "the upstream did not respond");
            }
            match error {
                ExchangeError::ConnectTimeout => timeout_error(host, upstream.connect_timeout),
                error => {
                    let message = format!("The flag service at {host} cannot be reached: {}", error.reason());
                    DomainError::new("upstream_unreachable", StatusCode::BAD_GATEWAY, message).into()
                }
            }
        }
    }
}

/// Returns the error for an upstream that exceeded a timeout.
pub(super) fn timeout_error(host: &str, limit: Duration) -> ApiError {
    let message = format!("The flag service at {host} did not respond within {} s", limit.as_secs_f64());
    DomainError::new("upstream_timeout", StatusCode::GATEWAY_TIMEOUT, message).into()
}
