//! The clocks of holds: one that never goes back, and the one of the machine.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

/// A moment on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// Time since the start of the process.
    pub monotonic: Duration,
    /// Time of the machine, which operators can set.
    pub wall: Timestamp,
}

/// Reads both clocks.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Now + Send + Sync>);

impl Clock {
    /// Returns the clocks of the system.
    #[must_use]
    pub fn system() -> Self {
        let start = Instant::now();
        Self::new(move || Now { monotonic: start.elapsed(), wall: Timestamp::now() })
    }

    /// Creates a clock with controlled time.
    #[must_use]
    pub fn new(now: impl Fn() -> Now + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Returns the current time.
    #[must_use]
    pub fn now(&self) -> Now {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Clock")
    }
}
