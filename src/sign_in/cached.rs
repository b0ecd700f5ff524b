//! A value that is read from the provider and kept for a time. Only one request reads at a time; the others wait and share
//! its outcome. Failures are not kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::refusal::Refused;

/// A cached value. The lock is held while the value is read.
#[derive(Debug)]
pub(super) struct Cached<T> {
    slot: Mutex<Slot<T>>,
    /// Number of reads that have ended.
    reads: AtomicU64,
}

#[derive(Debug)]
struct Slot<T> {
    /// The last value that was read, with its time.
    value: Option<(Arc<T>, Instant)>,
    /// The outcome of the last read, with its time.
    last: Option<(Result<Arc<T>, Refused>, Instant)>,
}

/// Whether a cached value is sufficient for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// The value may be used until its lifetime ends.
    Any,
    /// The cached value lacks what the request needs: it is read again, but not within the minimum interval of the last read.
    Newer,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self { slot: Mutex::new(Slot { value: None, last: None }), reads: AtomicU64::default() }
    }
}

impl<T> Cached<T> {
    /// Returns the value. `need` decides by the cached value whether it is sufficient; `read` reads a new one.
    ///
    /// If the caller disconnects during the read, its future is dropped and the next caller reads.
    pub(super) async fn get(
        &self,
        lifetime: Duration,
        min_interval: Duration,
        need: impl FnOnce(&T) -> Need,
        read: impl AsyncFnOnce() -> Result<T, Refused>,
    ) -> Result<Arc<T>, Refused> {
        let reads = self.reads.load(Ordering::Acquire);
        let mut slot = self.slot.lock().await;
        // A read has ended while this request waited.
        if self.reads.load(Ordering::Acquire) != reads
            && let Some((outcome, _)) = &slot.last
        {
            return outcome.clone();
        }
        if let Some((value, time)) = &slot.value
            && time.elapsed() < lifetime
        {
            let is_recent = slot.last.as_ref().is_some_and(|(_, time)| time.elapsed() < min_interval);
            if is_recent || need(value) == Need::Any {
                return Ok(Arc::clone(value));
            }
        }
        self.read(&mut slot, read).await
    }

    async fn read(
        &self,
        slot: &mut Slot<T>,
        read: impl AsyncFnOnce() -> Result<T, Refused>,
    ) -> Result<Arc<T>, Refused> {
        let outcome = read().await.map(Arc::new);
        let now = Instant::now();
        if let Ok(value) = &outcome {
            slot.value = Some((Arc::clone(value), now));
        }
        slot.last = Some((outcome.clone(), now));
        self.reads.fetch_add(1, Ordering::Release);
        outcome
    }

    /// Returns the outcome of the last read, also of a failed one, unless it is older than `max_age`; otherwise that of a new read.
    pub(super) async fn outcome(
        &self,
        max_age: Duration,
        read: impl AsyncFnOnce() -> Result<T, Refused>,
    ) -> Result<Arc<T>, Refused> {
        let reads = self.reads.load(Ordering::Acquire);
        let mut slot = self.slot.lock().await;
        let has_ended = self.reads.load(Ordering::Acquire) != reads;
        match &slot.last {
            Some((outcome, time)) if has_ended || time.elapsed() < max_age => outcome.clone(),
            _ => self.read(&mut slot, read).await,
        }
    }

    /// Returns the last value, however old it is.
    pub(super) async fn last_value(&self) -> Option<Arc<T>> {
        self.slot.lock().await.value.as_ref().map(|(value, _)| Arc::clone(value))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::time::advance;

    use super::{Cached, Need};
    use crate::sign_in::refusal::{Refusal, Refused};

    const HOUR: Duration = Duration::from_hours(1);
    const MINUTE: Duration = Duration::from_mins(1);

    fn fault() -> Refused {
        Refusal::Unreachable.because("away")
    }

    #[tokio::test(start_paused = true)]
    async fn is_read_again_after_its_lifetime_and_for_missing_parts_at_most_once_a_minute() {
        let (cached, reads) = (Cached::<u32>::default(), Cell::new(0));
        let get = async |need: Need| {
            let read = async || {
                reads.set(reads.get() + 1);
                Ok(reads.get())
            };
            *cached.get(HOUR, MINUTE, |_| need, read).await.unwrap()
        };
        assert_eq!((get(Need::Any).await, get(Need::Any).await, get(Need::Newer).await), (1, 1, 1));
        advance(MINUTE).await;
        assert_eq!((get(Need::Any).await, get(Need::Newer).await, get(Need::Newer).await), (1, 2, 2));
        advance(Duration::from_mins(59)).await;
        assert_eq!(get(Need::Any).await, 2);
        advance(MINUTE).await;
        assert_eq!(get(Need::Any).await, 3);
    }

    #[tokio::test(start_paused = true)]
    async fn failures_are_not_kept() {
        let cached = Cached::<u32>::default();
        let any = |_: &u32| Need::Any;
        assert!(cached.get(HOUR, MINUTE, any, async || Err(fault())).await.is_err());
        assert_eq!(*cached.get(HOUR, MINUTE, any, async || Ok(1)).await.unwrap(), 1);
        advance(MINUTE).await;
        // A failed read does not replace a value that is still valid.
        assert!(cached.get(HOUR, MINUTE, |_| Need::Newer, async || Err(fault())).await.is_err());
        assert_eq!(*cached.get(HOUR, MINUTE, any, async || Ok(2)).await.unwrap(), 1);
        assert!(cached.outcome(MINUTE, async || Ok(2)).await.is_err());
        advance(MINUTE).await;
        assert_eq!(*cached.outcome(MINUTE, async || Ok(3)).await.unwrap(), 3);
        assert_eq!(*cached.outcome(MINUTE, async || Err(fault())).await.unwrap(), 3);
        assert_eq!(cached.last_value().await.as_deref(), Some(&3));
    }

    #[tokio::test(start_paused = true)]
    async fn simultaneous_requests_share_one_read_and_its_failure() {
        let (cached, reads) = (Arc::new(Cached::<u32>::default()), Cell::new(0));
        let get = || {
            let read = async || {
                reads.set(reads.get() + 1);
                tokio::time::sleep(MINUTE).await;
                Err(fault())
            };
            cached.get(HOUR, MINUTE, |_| Need::Any, read)
        };
        let outcomes = futures_util::future::join_all((0..5).map(|_| get())).await;
        assert!(outcomes.iter().all(Result::is_err));
        assert_eq!(reads.get(), 1);
        assert!(get().await.is_err());
        assert_eq!(reads.get(), 2);
        let ask = || {
            cached.outcome(Duration::ZERO, async || {
                reads.set(reads.get() + 1);
                tokio::time::sleep(MINUTE).await;
                Ok(reads.get())
            })
        };
        let outcomes = futures_util::future::join_all((0..5).map(|_| ask())).await;
        assert!(outcomes.iter().all(|outcome| outcome.as_deref().ok() == Some(&3)));
    }

    #[tokio::test(start_paused = true)]
    async fn next_request_reads_if_the_first_one_is_cancelled() {
        let cached = Cached::<u32>::default();
        let slow = async || {
            tokio::time::sleep(HOUR).await;
            Ok(1)
        };
        let cancelled = tokio::time::timeout(MINUTE, cached.get(HOUR, MINUTE, |_| Need::Any, slow)).await;
        assert!(cancelled.is_err());
        assert_eq!(*cached.get(HOUR, MINUTE, |_| Need::Any, async || Ok(2)).await.unwrap(), 2);
    }
}
