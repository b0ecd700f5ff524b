//! The clock of the replica.

use std::time::SystemTime;

use tokio::time::Instant;

use crate::number::to_millis;

/// Milliseconds since 1970. They never go back while the process runs, and begin with the clock of the machine.
#[derive(Debug, Clone)]
pub(super) struct MonotonicClock {
    start: Instant,
    start_millis: u64,
}

impl MonotonicClock {
    pub(super) fn new() -> Self {
        let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { start: Instant::now(), start_millis: to_millis(since_epoch) }
    }

    pub(super) fn now(&self) -> u64 {
        self.start_millis.saturating_add(to_millis(self.start.elapsed()))
    }
}
