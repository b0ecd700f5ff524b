//! Limits for clients: `read-only`, `head-limit`, `body-limit`, `body-timeout` and `write-timeout`.

use std::time::Duration;

use super::ConfigError;
use super::value::{TIMEOUT, duration, number};
use crate::cli::Settings;

/// The limit of the HTTP library for heads, in bytes.
const MAX_HEAD: usize = 131_072;
/// 1 GiB. No API of a flag service accepts larger bodies.
const MAX_BODY: usize = 1 << 30;

/// Limits for requests, and for the time in which clients must receive responses.
#[derive(Debug, Clone)]
pub struct RequestLimits {
    /// `--read-only`, `FLAGDECK_READ_ONLY`; false by default. Refuses changes to the state that operators own.
    pub read_only: bool,
    /// `--head-limit`, `FLAGDECK_HEAD_LIMIT`; 32 KiB by default. Maximum size of the request line and the headers in
    /// bytes.
    pub head: usize,
    /// `--body-limit`, `FLAGDECK_BODY_LIMIT`; 10 MiB by default. Maximum size of a forwarded body in bytes.
    pub body: usize,
    /// `--body-timeout`, `FLAGDECK_BODY_TIMEOUT`; 30 s by default. Total time spent waiting for the client while it
    /// sends a forwarded body.
    pub body_timeout: Duration,
    /// `--write-timeout`, `FLAGDECK_WRITE_TIMEOUT`; 30 s by default. The connection is closed if the client receives
    /// nothing of its response for this time.
    pub write_timeout: Duration,
}

impl RequestLimits {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            read_only: settings.read_only.unwrap_or(false),
            head: number("head-limit", settings.head_limit.as_deref(), 32_768, (1024, MAX_HEAD))?,
            body: number("body-limit", settings.body_limit.as_deref(), 10 << 20, (0, MAX_BODY))?,
            body_timeout: duration("body-timeout", settings.body_timeout.as_deref(), 30, TIMEOUT)?,
            write_timeout: duration("write-timeout", settings.write_timeout.as_deref(), 30, TIMEOUT)?,
        })
    }
}
