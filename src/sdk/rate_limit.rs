//! Rate limit of requests per token, so that one browser token cannot take the time of all others.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::source::TokenId;
use crate::rate::{Rate, RateCounter};

/// Counters of requests per token. Only known tokens have one.
#[derive(Debug)]
pub(super) struct RateLimiter {
    /// `None` without a limit.
    rate: Option<Rate>,
    counters: HashMap<TokenId, RateCounter>,
}

impl RateLimiter {
    /// Creates a limit of requests per second and token; 0 for none. The requests of a second may come at once.
    pub(super) fn new(rate: u32) -> Self {
        let interval = Duration::from_secs(1).checked_div(rate);
        let rate = interval.map(|interval| Rate { burst: rate, interval });
        Self { rate, counters: HashMap::new() }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The time to wait if the limit is exceeded. The request is not counted then.
    pub(super) fn try_acquire(&mut self, token: TokenId, now: Instant) -> Result<(), Duration> {
        let Some(rate) = self.rate else { return Ok(()) };
        self.counters.entry(token).or_default().try_acquire(rate, now)
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
