//! Decides whether a delivery to a receiver is retried, and when. Pure functions.

use std::time::Duration;

pub use crate::config::RetryPolicy;

/// Outcome of a delivery attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver sent a response.
    Responded {
        /// Status code of the response.
        status: u16,
        /// Delay of the `Retry-After` header.
        retry_after: Option<Duration>,
    },
    /// No response, or the request could not be built. A retry may succeed.
    Failed(String),
    /// The request can never succeed.
    PermanentlyFailed(String),
}

/// The next step of a delivery after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The delivery succeeded with this status.
    Delivered(u16),
    /// Retry after this wait; with the reason.
    Retry(Duration, String),
    /// Stop trying, for this reason.
    GiveUp(String),
}

impl RetryPolicy {
    /// Decides about an attempt (counted from 1) to deliver an event of this age. `jitter` is random, so that
    /// deliveries that failed together are not retried together.
    #[must_use]
    pub fn decide(&self, outcome: Outcome, attempt: u32, age: Duration, jitter: u8) -> Decision {
        let (reason, requested_wait) = match outcome {
            Outcome::Responded { status: status @ 200..300, .. } => return Decision::Delivered(status),
            Outcome::Responded { status, retry_after } => {
                let reason = format!("the receiver responded with status {status}");
                // Request Timeout, Too Many Requests, and server errors.
                if !matches!(status, 408 | 429 | 500..) {
                    return Decision::GiveUp(reason);
                }
                (reason, retry_after.unwrap_or_default())
            }
            Outcome::Failed(reason) => (reason, Duration::ZERO),
            Outcome::PermanentlyFailed(reason) => return Decision::GiveUp(reason),
        };
        if attempt >= self.max_attempts || age >= self.max_retry_age {
            return Decision::GiveUp(reason);
        }
        let full = self.initial_backoff.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
        let full = full.min(self.max_backoff);
        let wait = full / 2 + full / 2 * u32::from(jitter) / u32::from(u8::MAX);
        Decision::Retry(wait.max(requested_wait.min(self.max_backoff)), reason)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Decision, Outcome, RetryPolicy};

    fn responded(status: u16, retry_after: Option<u64>) -> Outcome {
        Outcome::Responded { status, retry_after: retry_after.map(Duration::from_secs) }
    }

    fn decide(outcome: Outcome, attempt: u32, minutes: u64, jitter: u8) -> Decision {
        RetryPolicy::default().decide(outcome, attempt, Duration::from_mins(minutes), jitter)
    }

    #[test]
    fn decides_by_the_response_status() {
        for (status, decision) in [
            (200, Decision::Delivered(200)),
            (204, Decision::Delivered(204)),
            (302, Decision::GiveUp("the receiver responded with status 302".to_owned())),
            (400, Decision::GiveUp("the receiver responded with status 400".to_owned())),
            (
                408,
                Decision::Retry(Duration::from_secs(1), "the receiver responded with status 408".to_owned()),
            ),
            (410, Decision::GiveUp("the receiver responded with status 410".to_owned())),
            (
                429,
                Decision::Retry(Duration::from_secs(1), "the receiver responded with status 429".to_owned()),
            ),
            (
                500,
                Decision::Retry(Duration::from_secs(1), "the receiver responded with status 500".to_owned()),
            ),
            (
                503,
                Decision::Retry(Duration::from_secs(1), "the receiver responded with status 503".to_owned()),
            ),
        ] {
            assert_eq!(decide(responded(status, None), 1, 0, 255), decision);
        }
        let permanently_failed = Outcome::PermanentlyFailed("x".to_owned());
        assert_eq!(decide(permanently_failed, 1, 0, 0), Decision::GiveUp("x".to_owned()));
    }

    #[test]
    fn waits_double_up_to_a_maximum() {
        for (attempt, jitter, retry_after, millis) in [
            (1, 0, None, 500),
            (1, 255, None, 1_000),
            (2, 255, None, 2_000),
            (9, 255, None, 256_000),
            (2, 255, Some(30), 30_000),
            (9, 255, Some(30), 256_000),
            (1, 0, Some(86_400), 600_000),
        ] {
            let decision = decide(responded(503, retry_after), attempt, 0, jitter);
            let reason = "the receiver responded with status 503".to_owned();
            assert_eq!(decision, Decision::Retry(Duration::from_millis(millis), reason));
        }
        let patient = RetryPolicy { max_attempts: u32::MAX, ..RetryPolicy::default() };
        let decision = patient.decide(responded(503, None), 1_000, Duration::ZERO, 255);
        assert!(matches!(decision, Decision::Retry(wait, _) if wait == patient.max_backoff), "{decision:?}");
    }

    #[test]
    fn stops_after_the_maximum_attempts_or_age() {
        let failed = || Outcome::Failed("connection refused".to_owned());
        let given_up = Decision::GiveUp("connection refused".to_owned());
        assert!(matches!(decide(failed(), 9, 59, 0), Decision::Retry(..)));
        assert_eq!(decide(failed(), 10, 0, 0), given_up);
        assert_eq!(decide(failed(), 1, 60, 0), given_up);
    }
}
