//! The clocks of this process: one that never goes back, and the one of the machine, which operators can set.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use crate::number::to_millis;

/// Difference of both clocks below which the one of the machine was not set.
const TOLERANCE: Duration = Duration::from_mins(10);
/// Time after which a clock that was set forward counts.
const CONFIRMED_AFTER: Duration = Duration::from_hours(24);

/// A moment on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// Time since the start of the process.
    pub monotonic: Duration,
    /// Time of the machine.
    pub wall: Timestamp,
}

/// Reads both clocks.
#[derive(Clone)]
pub struct Clock {
    read: Arc<dyn Fn() -> Now + Send + Sync>,
    /// The time at which the clock was created.
    start: Now,
}

impl Clock {
    /// Returns the clocks of the system.
    #[must_use]
    pub fn system() -> Self {
        let start = Instant::now();
        Self::new(move || Now { monotonic: start.elapsed(), wall: Timestamp::now() })
    }

    /// Creates a clock with controlled time.
    #[must_use]
    pub fn new(read: impl Fn() -> Now + Send + Sync + 'static) -> Self {
        Self { start: read(), read: Arc::new(read) }
    }

    /// Returns the current time.
    #[must_use]
    pub fn now(&self) -> Now {
        (self.read)()
    }

    /// Returns a moment of the monotonic clock in milliseconds since 1970. They begin with the clock of the machine, and never go back.
    #[must_use]
    pub fn to_millis(&self, monotonic: Duration) -> u64 {
        let start = u64::try_from(self.start.wall.as_millisecond()).unwrap_or_default();
        start.saturating_add(to_millis(monotonic.saturating_sub(self.start.monotonic)))
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
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use jiff::{SignedDuration, Timestamp};

    use super::{CautiousTime, Clock, Now};

    #[test]
    fn milliseconds_begin_with_the_clock_of_the_machine_and_never_go_back() {
        let wall: Timestamp = "2026-11-24T14:00:00Z".parse().unwrap();
        let reads = AtomicU64::new(0);
        let clock = Clock::new(move || {
            let read = reads.fetch_add(1, Ordering::SeqCst);
            let wall = wall - SignedDuration::from_hours(i64::try_from(read).unwrap());
            Now { monotonic: Duration::from_secs(7 + read), wall }
        });
        let start = u64::try_from(wall.as_millisecond()).unwrap();
        assert_eq!([(); 2].map(|()| clock.to_millis(clock.now().monotonic)), [start + 1_000, start + 2_000]);
    }

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
