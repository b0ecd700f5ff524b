//! Rate limits by the generic cell rate algorithm (GCRA): a burst of events, and then one event per interval. Pure: the caller
//! passes the time.

use std::time::{Duration, Instant};

/// A rate limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    /// Number of events that may come at once.
    pub(crate) burst: u32,
    /// Time between two events after a burst.
    pub(crate) interval: Duration,
}

/// The events of one sender, on the monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct RateCounter {
    /// Theoretical arrival time of GCRA: the time when the burst is available in full again.
    arrival: Option<Instant>,
}

impl Rate {
    /// Counts an event. `recovery` is the time until the burst is available in full again. Returns that time after the event.
    ///
    /// # Errors
    /// The time to wait if the limit is exceeded. The event is not counted then.
    pub(crate) fn count(self, recovery: Duration) -> Result<Duration, Duration> {
        let (recovery, longest) = (recovery.saturating_add(self.interval), self.longest_recovery());
        if recovery <= longest { Ok(recovery) } else { Err(recovery.saturating_sub(longest)) }
    }

    /// Returns the time until the burst is available in full after it was used up.
    pub(crate) fn longest_recovery(self) -> Duration {
        self.interval.saturating_mul(self.burst)
    }
}

impl RateCounter {
    /// Counts an event.
    ///
    /// # Errors
    /// The time to wait if the limit is exceeded. The event is not counted then.
    pub(crate) fn try_acquire(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        let recovery = self.arrival.map(|arrival| arrival.saturating_duration_since(now));
        self.arrival = Some(now + rate.count(recovery.unwrap_or_default())?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Rate, RateCounter};

    const RATE: Rate = Rate { burst: 3, interval: Duration::from_secs(10) };

    #[test]
    fn allows_a_burst_and_then_one_event_per_interval() {
        let (mut counter, start) = (RateCounter::default(), Instant::now());
        let mut count = |seconds| {
            let now = start + Duration::from_secs(seconds);
            (0..100).filter(|_| counter.try_acquire(RATE, now).is_ok()).count()
        };
        assert_eq!([0, 9, 10, 25, 3_600].map(&mut count), [3, 0, 1, 1, 3]);
    }

    #[test]
    fn event_is_allowed_after_the_wait() {
        let (mut counter, start) = (RateCounter::default(), Instant::now());
        while counter.try_acquire(RATE, start).is_ok() {}
        let almost = start + Duration::from_secs(9);
        let wait = Duration::from_secs(1);
        assert_eq!(counter.try_acquire(RATE, almost), Err(wait));
        assert_eq!(counter.try_acquire(RATE, almost + wait), Ok(()));
    }
}
