//! Leaves an upstream alone for a while that fails again and again, so that nobody waits for what does not come, and it
//! is not kept down by those who ask.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::config::Upstream;

/// What all workers together know of the upstream's health.
pub struct Circuit {
    limit: u32,
    pause: Duration,
    start: Instant,
    failures: AtomicU32,
    /// Milliseconds after `start`; 0 before the first answer.
    last_answer: AtomicU64,
    /// Milliseconds after `start`; 0 while the circuit is closed.
    asked_again: AtomicU64,
}

impl Circuit {
    /// Closed.
    #[must_use]
    pub fn new(upstream: &Upstream) -> Self {
        Self {
            limit: upstream.failures,
            pause: upstream.pause,
            start: Instant::now(),
            failures: AtomicU32::new(0),
            last_answer: AtomicU64::new(0),
            asked_again: AtomicU64::new(0),
        }
    }

    /// Whether requests are refused at the moment.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.asked_again.load(Ordering::Relaxed) != 0
    }

    /// Lets a request pass; while the circuit is open, one after each pause.
    ///
    /// # Errors
    /// How long to wait.
    pub(super) fn admit(&self) -> Result<(), Duration> {
        let at = self.asked_again.load(Ordering::Relaxed);
        if at == 0 {
            return Ok(());
        }
        let now = self.elapsed(Duration::ZERO);
        if now < at {
            return Err(Duration::from_millis(at - now));
        }
        // Of those that come at once, one tries.
        let next = self.elapsed(self.pause);
        let tried = self.asked_again.compare_exchange(at, next, Ordering::Relaxed, Ordering::Relaxed);
        tried.map(drop).map_err(|_another| self.pause)
    }

    /// An answer came, whatever it said.
    pub(super) fn answered(&self) {
        self.last_answer.store(self.elapsed(Duration::ZERO), Ordering::Relaxed);
        if self.failures.load(Ordering::Relaxed) != 0 {
            self.failures.store(0, Ordering::Relaxed);
        }
        if self.is_open() && self.asked_again.swap(0, Ordering::Relaxed) != 0 {
            tracing::info!("the upstream answers again");
        }
    }

    /// None came. An upstream that answered others a moment ago is not left alone: what fails may be what was asked.
    pub(super) fn failed(&self) {
        let failures = self.failures.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let last_answer = self.last_answer.load(Ordering::Relaxed);
        let quiet =
            last_answer == 0 || self.start.elapsed() >= Duration::from_millis(last_answer) + self.pause;
        if self.limit == 0 || failures < self.limit || !quiet {
            return;
        }
        if self.asked_again.swap(self.elapsed(self.pause), Ordering::Relaxed) == 0 {
            tracing::warn!(failures, "the upstream is left alone for a while");
        }
    }

    fn elapsed(&self, further: Duration) -> u64 {
        u64::try_from((self.start.elapsed() + further).as_millis()).unwrap_or(u64::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Circuit;
    use crate::config::Upstream;

    #[tokio::test(start_paused = true)]
    async fn after_failures_in_a_row_one_request_a_pause_tries_until_an_answer_comes() {
        let pause = Duration::from_secs(5);
        let circuit = Circuit::new(&Upstream { failures: 2, pause, ..Upstream::below("") });
        circuit.failed();
        circuit.answered();
        circuit.failed();
        assert_eq!(circuit.admit(), Ok(()), "the failures were not in a row");
        circuit.failed();
        assert_eq!(circuit.admit(), Ok(()), "others were answered a moment ago");
        tokio::time::advance(pause + Duration::from_millis(1)).await;
        circuit.failed();
        assert!(circuit.is_open());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(circuit.admit(), Err(Duration::from_secs(4)));
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(circuit.admit(), Ok(()), "one tries");
        assert_eq!(circuit.admit(), Err(pause), "one alone");
        circuit.answered();
        assert_eq!((circuit.admit(), circuit.is_open()), (Ok(()), false));
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_limit_every_request_tries() {
        let circuit = Circuit::new(&Upstream { failures: 0, ..Upstream::below("") });
        (0..100).for_each(|_| circuit.failed());
        assert_eq!(circuit.admit(), Ok(()));
    }
}
