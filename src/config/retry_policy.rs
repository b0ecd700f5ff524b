//! Timing and retries of deliveries to addons.

use std::time::Duration;

/// Timing and retries of deliveries. The defaults are not configurable; tests use shorter times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Wait after the first failure. It doubles with each further failure.
    pub initial_backoff: Duration,
    /// Maximum wait, also if a receiver requests a longer one.
    pub max_backoff: Duration,
    /// Maximum number of attempts.
    pub max_attempts: u32,
    /// Age from which an event is not retried. It limits the requests after a receiver was unavailable for hours.
    pub max_retry_age: Duration,
    /// Maximum time of a request until the response head arrives.
    pub request_timeout: Duration,
    /// Interval between checks for deliveries that other processes added to the outbox.
    pub poll_interval: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            initial_backoff: Duration::from_secs(1),
            max_backoff: Duration::from_mins(10),
            max_attempts: 10,
            max_retry_age: Duration::from_hours(1),
            request_timeout: Duration::from_secs(10),
            poll_interval: Duration::from_secs(1),
        }
    }
}
