//! Limits for clients: `read-only`, `head-limit`, `body-limit`, `body-timeout` and `write-timeout`.

use std::time::Duration;

use super::ConfigError;
use super::value::{TIMEOUT, duration, number};
use crate::cli::Settings;

/// The HTTP server's own bound of a head.
const LARGEST_HEAD: usize = 131_072;
/// 1 GiB: more than any API of a flag service takes.
const LARGEST_BODY: usize = 1 << 30;

/// Limits for requests, and for the time that clients take for responses.
#[derive(Debug, Clone)]
pub struct RequestLimits {
    /// `--read-only`, `FLAGDECK_READ_ONLY`; false by default. Refuses changes to the state that operators own.
    pub read_only: bool,
    /// `--head-limit`, `FLAGDECK_HEAD_LIMIT`; 32 KiB by default. Bytes of the request line and the headers.
    pub head: usize,
    /// `--body-limit`, `FLAGDECK_BODY_LIMIT`; 10 MiB by default. Bytes of a body that is forwarded.
    pub body: usize,
    /// `--body-timeout`, `FLAGDECK_BODY_TIMEOUT`; 30 s by default. How long a client is waited for in all while it sends
    /// a body that is forwarded.
    pub body_timeout: Duration,
    /// `--write-timeout`, `FLAGDECK_WRITE_TIMEOUT`; 30 s by default. The connection ends if a client takes nothing of its
    /// response for so long.
    pub write_timeout: Duration,
}

impl RequestLimits {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            read_only: settings.read_only.unwrap_or(false),
            head: number("head-limit", settings.head_limit.as_deref(), 32_768, (1024, LARGEST_HEAD))?,
            body: number("body-limit", settings.body_limit.as_deref(), 10 << 20, (0, LARGEST_BODY))?,
            body_timeout: duration("body-timeout", settings.body_timeout.as_deref(), 30, TIMEOUT)?,
            write_timeout: duration("write-timeout", settings.write_timeout.as_deref(), 30, TIMEOUT)?,
        })
    }
}
