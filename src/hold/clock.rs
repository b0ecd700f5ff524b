//! The clocks of holds and of deletions: one that never goes back, and the one of the machine.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

/// Difference of both clocks below which the one of the machine was not set.
const TOLERANCE: Duration = Duration::from_mins(10);
/// Time after which a clock that was set forward counts.
const CONFIRMED_AFTER: Duration = Duration::from_hours(24);

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

/// The time of the machine for deletions. A clock that is set forward would delete data that is not old: it counts only after it has
/// been ahead for a day. A clock that was wrong before and is corrected then counts too.
#[derive(Debug)]
pub struct CautiousTime {
    /// The last time that counted.
    last: Now,
}

impl CautiousTime {
    /// Starts with the time of the machine.
    #[must_use]
    pub fn new(now: Now) -> Self {
        Self { last: now }
    }

    /// Returns the time that counts now: the time of the machine, or what has passed since it was set forward.
    pub fn advance(&mut self, now: Now) -> Timestamp {
        let elapsed = now.monotonic.saturating_sub(self.last.monotonic);
        let expected = self.last.wall.checked_add(elapsed).unwrap_or(now.wall);
        let is_ahead = now.wall.duration_since(expected).unsigned_abs() > TOLERANCE && now.wall > expected;
        if is_ahead && elapsed < CONFIRMED_AFTER {
            return expected;
        }
        self.last = now;
        now.wall
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Clock")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::SignedDuration;

    use super::{CautiousTime, Now};

    #[test]
    fn clock_that_is_set_forward_counts_after_a_day() {
        let hours = SignedDuration::from_hours;
        let start = Now { monotonic: Duration::from_secs(7), wall: "2026-11-24T14:00:00Z".parse().unwrap() };
        // Hours that have passed, hours by which the clock is ahead then, and the hours that count.
        for steps in [
            &[(1, 0, 1), (30, 0, 30)][..],
            &[(1, 8_760, 1), (2, 8_760, 2), (2, 0, 2), (3, 0, 3)],
            &[(1, 0, 1), (2, 8_760, 2), (24, 8_760, 24), (25, 8_760, 8_785), (26, 8_760, 8_786)],
            // Set back, and forward again.
            &[(1, -5, -4), (2, -5, -3), (3, 0, -2), (25, 0, 20), (26, 0, 26)],
        ] {
            let mut time = CautiousTime::new(start);
            for (passed, ahead, expected) in steps {
                let monotonic = start.monotonic + Duration::from_hours(u64::try_from(*passed).unwrap());
                let now = Now { monotonic, wall: start.wall + hours(passed + ahead) };
                let counts = time.advance(now);
                assert_eq!(counts, start.wall + hours(*expected), "{steps:?}: {passed} {ahead}");
            }
        }
    }
}
