//! The clock of the replica.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// Milliseconds since 1970. They never go back while the process runs, and can be compared with those in the file.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    start: Instant,
    start_millis: u64,
}

impl Clock {
    pub(super) fn new() -> Self {
        let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { start: Instant::now(), start_millis: millis(since_epoch) }
    }

    pub(super) fn now(&self) -> u64 {
        self.start_millis.saturating_add(millis(self.start.elapsed()))
    }
}

/// Returns a duration in milliseconds.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
