//! Rate limit of requests per token, so that one browser token cannot take the time of all others. Generic cell rate
//! algorithm (GCRA). Pure: the caller passes the time.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::source::TokenId;

/// Counters of requests per token. Only known tokens have one.
#[derive(Debug)]
pub(super) struct RateLimiter {
    /// Time between two requests at the limit; `None` without a limit.
    interval: Option<Duration>,
    /// Theoretical arrival times: when the burst of a token is available in full again.
    arrivals: HashMap<TokenId, Instant>,
}

/// Requests of one token that may come at once, as the time in which the limit allows them.
const BURST: Duration = Duration::from_secs(1);

impl RateLimiter {
    /// Creates a limit of requests per second and token; 0 for none.
    pub(super) fn new(rate: u32) -> Self {
        Self { interval: BURST.checked_div(rate), arrivals: HashMap::new() }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The time to wait if the limit is exceeded. The request is not counted then.
    pub(super) fn try_acquire(&mut self, token: TokenId, now: Instant) -> Result<(), Duration> {
        let Some(interval) = self.interval else { return Ok(()) };
        let arrival = self.arrivals.entry(token).or_insert(now);
        let next = (*arrival).max(now) + interval;
        let wait = next.saturating_duration_since(now + BURST);
        if wait.is_zero() {
            *arrival = next;
            Ok(())
        } else {
            Err(wait)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::RateLimiter;

    #[test]
    fn each_token_has_its_own_limit() {
        let (mut limiter, start) = (RateLimiter::new(50), Instant::now());
        let mut count = |token, now| (0..1_000).filter(|_| limiter.try_acquire(token, now).is_ok()).count();
        assert_eq!(count([1; 32], start), 50);
        assert_eq!(count([2; 32], start), 50);
        assert_eq!(count([1; 32], start + Duration::from_millis(100)), 5);
        assert_eq!(count([1; 32], start + Duration::from_hours(1)), 50);
        let wait = limiter.try_acquire([2; 32], start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(20));
        assert!(limiter.try_acquire([2; 32], start + wait).is_ok());
    }

    #[test]
    fn zero_is_no_limit() {
        let (mut limiter, now) = (RateLimiter::new(0), Instant::now());
        assert!((0..10_000).all(|_| limiter.try_acquire([0; 32], now).is_ok()));
    }
}
