//! Circuit breaker: stops sending requests to a failing upstream for a while.
//!
//! Clients get an error at once instead of waiting for a timeout, and the upstream can recover without load.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::config::Upstream;
use crate::number::to_millis;

/// Circuit breaker that all workers share.
pub(crate) struct CircuitBreaker {
    /// Consecutive failures that open the circuit.
    failure_limit: u32,
    pause: Duration,
    start: Instant,
    failures: AtomicU32,
    /// Time of the last response, in milliseconds after `start`; 0 before the first one.
    last_response: AtomicU64,
    /// Time of the next attempt, in milliseconds after `start`; 0 while the circuit is closed.
    retry_at: AtomicU64,
}

impl CircuitBreaker {
    /// Creates a circuit breaker whose circuit is closed.
    pub(crate) fn new(upstream: &Upstream) -> Self {
        Self {
            failure_limit: upstream.failures,
            pause: upstream.pause,
            start: Instant::now(),
            failures: AtomicU32::new(0),
            last_response: AtomicU64::new(0),
            retry_at: AtomicU64::new(0),
        }
    }

    /// Returns true while requests are refused.
    pub(crate) fn is_open(&self) -> bool {
        self.retry_at.load(Ordering::Relaxed) != 0
    }

    /// Admits a request. While the circuit is open, one request is admitted after each pause.
    ///
    /// # Errors
    /// The time until the next attempt, if the request is refused.
    pub(super) fn admit(&self) -> Result<(), Duration> {
        let retry_at = self.retry_at.load(Ordering::Relaxed);
        if retry_at == 0 {
            return Ok(());
        }
        let now = self.millis_after(Duration::ZERO);
        if now < retry_at {
            return Err(Duration::from_millis(retry_at - now));
        }
        // Only one of several concurrent requests becomes the attempt.
        let next = self.millis_after(self.pause);
        let attempt = self.retry_at.compare_exchange(retry_at, next, Ordering::Relaxed, Ordering::Relaxed);
        attempt.map(drop).map_err(|_another| self.pause)
    }

    /// Records a response of any status, which closes the circuit.
    pub(super) fn record_response(&self) {
        self.last_response.store(self.millis_after(Duration::ZERO), Ordering::Relaxed);
        if self.failures.load(Ordering::Relaxed) != 0 {
            self.failures.store(0, Ordering::Relaxed);
        }
        if self.is_open() && self.retry_at.swap(0, Ordering::Relaxed) != 0 {
            tracing::info!("circuit breaker: the upstream responds again");
        }
    }

    /// Records a request without a response. The circuit opens after enough consecutive failures, unless another request
    /// got a response during the last pause: then the upstream works, and only some of its endpoints fail.
    pub(super) fn record_failure(&self) {
        let failures = self.failures.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let last_response = self.last_response.load(Ordering::Relaxed);
        let is_silent =
            last_response == 0 || self.start.elapsed() >= Duration::from_millis(last_response) + self.pause;
        if failures < self.failure_limit || !is_silent {
            return;
        }
        if self.retry_at.swap(self.millis_after(self.pause), Ordering::Relaxed) == 0 {
            tracing::warn!(
                failures,
                "circuit breaker: no requests are sent to the failing upstream for a while"
            );
        }
    }

    /// Returns the time after this delay, in milliseconds after `start`; at least 1, because 0 has a meaning of its own.
    fn millis_after(&self, delay: Duration) -> u64 {
        to_millis(self.start.elapsed() + delay).max(1)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::CircuitBreaker;
    use crate::config::Upstream;

    #[tokio::test(start_paused = true)]
    async fn open_circuit_admits_one_request_per_pause_until_a_response_arrives() {
        let pause = Duration::from_secs(5);
        let circuit = CircuitBreaker::new(&Upstream { failures: 2, pause, ..Upstream::with_path("") });
        circuit.record_failure();
        circuit.record_response();
        circuit.record_failure();
        assert_eq!(circuit.admit(), Ok(()), "the failures were not consecutive");
        circuit.record_failure();
        assert_eq!(circuit.admit(), Ok(()), "a response arrived during the last pause");
        tokio::time::advance(pause + Duration::from_millis(1)).await;
        circuit.record_failure();
        assert!(circuit.is_open());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(circuit.admit(), Err(Duration::from_secs(4)));
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(circuit.admit(), Ok(()), "the first request after the pause");
        assert_eq!(circuit.admit(), Err(pause), "the second request after the pause");
        circuit.record_response();
        assert_eq!((circuit.admit(), circuit.is_open()), (Ok(()), false));
    }
}
