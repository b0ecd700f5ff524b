//! Limits the number of log lines about one fault. While a database or an upstream is away, each request and each retry
//! fails for the same reason, and a line for each of them would hide all other lines and fill the disk.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Minimum time between two lines about a fault that lasts.
const INTERVAL: Duration = Duration::from_mins(1);
/// Time without the fault after which a success ends it. Otherwise a fault of some requests would begin and end all the time.
const QUIET_TIME: Duration = Duration::from_secs(5);

/// The state of one kind of fault: the first occurrence is logged at once, later ones as a number in one line per minute.
#[derive(Debug)]
pub struct LogLimit {
    /// Whether the fault lasts. Read without the lock, because each success ends the fault.
    is_active: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    logged_at: Option<Instant>,
    last: Option<Instant>,
    /// Number of occurrences after the last line.
    repeated: u64,
}

impl LogLimit {
    /// Creates the state without a fault.
    #[must_use]
    pub const fn new() -> Self {
        let state = State { logged_at: None, last: None, repeated: 0 };
        Self { is_active: AtomicBool::new(false), state: Mutex::new(state) }
    }

    /// Records an occurrence. Returns the number of earlier occurrences after the last line if a line must be logged; `None`
    /// if not.
    #[must_use]
    pub fn record(&self) -> Option<u64> {
        self.record_at(Instant::now())
    }

    /// Records a success, which ends a fault that has not occurred for some seconds. Returns the number of occurrences after
    /// the last line if a fault ended. The next occurrence is logged at once.
    pub fn end(&self) -> Option<u64> {
        self.end_at(Instant::now())
    }

    fn end_at(&self, now: Instant) -> Option<u64> {
        if !self.is_active.load(Ordering::Relaxed) {
            return None;
        }
        let mut state = self.state.lock();
        let is_quiet = |last| now.saturating_duration_since(last) >= QUIET_TIME;
        state.last.take_if(|last| is_quiet(*last))?;
        self.is_active.store(false, Ordering::Relaxed);
        state.logged_at = None;
        Some(std::mem::take(&mut state.repeated))
    }

    fn record_at(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock();
        self.is_active.store(true, Ordering::Relaxed);
        state.last = Some(now);
        if state.logged_at.is_some_and(|logged| now.saturating_duration_since(logged) < INTERVAL) {
            state.repeated += 1;
            return None;
        }
        state.logged_at = Some(now);
        Some(std::mem::take(&mut state.repeated))
    }
}

impl Default for LogLimit {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::LogLimit;

    #[test]
    fn logs_the_first_occurrence_and_one_line_per_minute_with_the_number_of_others() {
        let (fault, start) = (LogLimit::new(), Instant::now());
        let record = |millis| fault.record_at(start + Duration::from_millis(millis));
        assert_eq!([record(0), record(1), record(59_999)], [Some(0), None, None]);
        assert_eq!([record(60_000), record(60_001), record(119_999)], [Some(2), None, None]);
        assert_eq!(record(400_000), Some(2), "after a pause");
    }

    #[test]
    fn success_ends_a_fault_once() {
        let (fault, start) = (LogLimit::new(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(fault.end_at(at(0)), None, "without a fault");
        assert_eq!([fault.record_at(at(0)), fault.record_at(at(3))], [Some(0), None]);
        assert_eq!(fault.end_at(at(7)), None, "soon after the last occurrence");
        assert_eq!([fault.end_at(at(8)), fault.end_at(at(20))], [Some(1), None]);
        assert_eq!(fault.record_at(at(21)), Some(0), "the next fault");
    }
}
