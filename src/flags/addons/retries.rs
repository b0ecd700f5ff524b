//! Whether a delivery was made, is tried again, and when: pure.

use std::time::Duration;

/// How deliveries are paced. No setting: these suit receivers everywhere, and tests bring shorter times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pace {
    /// The wait after the first failure; each further one doubles it.
    pub first_wait: Duration,
    /// The longest wait, also where a receiver asks for a longer one.
    pub longest_wait: Duration,
    /// How often a delivery is tried at most.
    pub attempts: u32,
    /// The age from which an event is tried no more than once: what has gathered while a receiver was gone for hours
    /// is not to be tried ten times each.
    pub stale: Duration,
    /// How long one request may take, until the answer's head is there.
    pub patience: Duration,
    /// How often the outbox is looked at for what other processes put there.
    pub look: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_mins(10),
            attempts: 10,
            stale: Duration::from_hours(1),
            patience: Duration::from_secs(10),
            look: Duration::from_secs(1),
        }
    }
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver answered.
    Answered {
        /// The status code.
        status: u16,
        /// How long it asks to be left alone.
        retry_after: Option<Duration>,
    },
    /// It did not, or the request could not be made; may be different next time.
    Failed(String),
    /// It never will be different.
    Hopeless(String),
}

/// What becomes of the delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It was made, with this status.
    Delivered(u16),
    /// It is tried again after this wait.
    Again(Duration, String),
    /// It is given up, for this reason.
    GivenUp(String),
}

impl Pace {
    /// Judges the attempt of this number, which begins with 1, to tell about an event of this age. `chance` is random,
    /// so that many deliveries that failed together do not come again together.
    #[must_use]
    pub fn judge(&self, outcome: Outcome, attempt: u32, age: Duration, chance: u8) -> Verdict {
        let (reason, asked) = match outcome {
            Outcome::Answered { status: status @ 200..300, .. } => return Verdict::Delivered(status),
            Outcome::Answered { status, retry_after } => {
                let reason = format!("the receiver answered {status}");
                // Request Timeout, Too Many Requests, and every fault of the receiver's own.
                if !matches!(status, 408 | 429 | 500..) {
                    return Verdict::GivenUp(reason);
                }
                (reason, retry_after.unwrap_or_default())
            }
            Outcome::Failed(reason) => (reason, Duration::ZERO),
            Outcome::Hopeless(reason) => return Verdict::GivenUp(reason),
        };
        if attempt >= self.attempts || age >= self.stale {
            return Verdict::GivenUp(reason);
        }
        let full = self.first_wait.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
        let full = full.min(self.longest_wait);
        let wait = full / 2 + full / 2 * u32::from(chance) / u32::from(u8::MAX);
        Verdict::Again(wait.max(asked.min(self.longest_wait)), reason)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Outcome, Pace, Verdict};

    fn answered(status: u16, retry_after: Option<u64>) -> Outcome {
        Outcome::Answered { status, retry_after: retry_after.map(Duration::from_secs) }
    }

    fn judged(outcome: Outcome, attempt: u32, minutes: u64, chance: u8) -> Verdict {
        Pace::default().judge(outcome, attempt, Duration::from_mins(minutes), chance)
    }

    #[test]
    fn what_an_answer_means() {
        for (status, verdict) in [
            (200, Verdict::Delivered(200)),
            (204, Verdict::Delivered(204)),
            (302, Verdict::GivenUp("the receiver answered 302".to_owned())),
            (400, Verdict::GivenUp("the receiver answered 400".to_owned())),
            (408, Verdict::Again(Duration::from_secs(1), "the receiver answered 408".to_owned())),
            (410, Verdict::GivenUp("the receiver answered 410".to_owned())),
            (429, Verdict::Again(Duration::from_secs(1), "the receiver answered 429".to_owned())),
            (500, Verdict::Again(Duration::from_secs(1), "the receiver answered 500".to_owned())),
            (503, Verdict::Again(Duration::from_secs(1), "the receiver answered 503".to_owned())),
        ] {
            assert_eq!(judged(answered(status, None), 1, 0, 255), verdict);
        }
        let hopeless = Outcome::Hopeless("x".to_owned());
        assert_eq!(judged(hopeless, 1, 0, 0), Verdict::GivenUp("x".to_owned()));
    }

    #[test]
    fn waits_double_within_bounds() {
        for (attempt, chance, retry_after, millis) in [
            (1, 0, None, 500),
            (1, 255, None, 1_000),
            (2, 255, None, 2_000),
            (9, 255, None, 256_000),
            (2, 255, Some(30), 30_000),
            (9, 255, Some(30), 256_000),
            (1, 0, Some(86_400), 600_000),
        ] {
            let verdict = judged(answered(503, retry_after), attempt, 0, chance);
            let reason = "the receiver answered 503".to_owned();
            assert_eq!(verdict, Verdict::Again(Duration::from_millis(millis), reason));
        }
        let patient = Pace { attempts: u32::MAX, ..Pace::default() };
        let verdict = patient.judge(answered(503, None), 1_000, Duration::ZERO, 255);
        assert!(matches!(verdict, Verdict::Again(wait, _) if wait == patient.longest_wait), "{verdict:?}");
    }

    #[test]
    fn it_ends_after_some_attempts_or_when_the_event_is_old() {
        let failed = || Outcome::Failed("nobody there".to_owned());
        let given_up = Verdict::GivenUp("nobody there".to_owned());
        assert!(matches!(judged(failed(), 9, 59, 0), Verdict::Again(..)));
        assert_eq!(judged(failed(), 10, 0, 0), given_up);
        assert_eq!(judged(failed(), 1, 60, 0), given_up);
    }
}
