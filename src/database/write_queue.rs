//! Group commit: one transaction contains the writes of several requests, because each COMMIT of PostgreSQL waits for its disk.
//!
//! A request adds its write to the [`WriteQueue`], and waits for its result and for the permit to write. A request that gets the
//! permit runs the writes that wait at that moment, its own among them. Each write after the first one begins with a savepoint, so
//! that a refused write leaves no change. All results are sent after COMMIT: a refusal, too, may follow from another write of
//! the transaction.

use std::collections::VecDeque;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::{Store, Transaction};
use crate::error::ApiError;

/// The time after which a transaction begins no further write, because other processes wait for its end.
const MAX_TIME: Duration = Duration::from_millis(500);

/// The writes that wait for a transaction, in the order of their requests. Clones share them.
#[derive(Clone, Default)]
pub(super) struct WriteQueue(Arc<Mutex<VecDeque<Waiting>>>);

struct Waiting {
    /// Identifies the write: its [`Ticket`] has the same.
    key: Arc<()>,
    write: Box<dyn QueuedWrite>,
}

/// A write that waits, without the type of its result.
pub(super) trait QueuedWrite: Send {
    /// Runs the statements. Returns false if the write is refused.
    fn run(&mut self, tx: &Transaction<'_>) -> bool;

    /// Sends the result to the request, or the failure of the transaction.
    fn reply(self: Box<Self>, failure: Option<ApiError>);
}

struct Write<T, W> {
    work: Option<W>,
    outcome: Option<Result<T, ApiError>>,
    sender: oneshot::Sender<Result<T, ApiError>>,
}

/// A place in the queue. Dropping this value removes the write, unless a transaction has begun to run it.
pub(super) struct Ticket<T> {
    queue: WriteQueue,
    key: Arc<()>,
    /// The result of the write.
    pub(super) outcome: oneshot::Receiver<Result<T, ApiError>>,
}

impl<T, W> QueuedWrite for Write<T, W>
where
    T: Send,
    W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send,
{
    fn run(&mut self, tx: &Transaction<'_>) -> bool {
        let work = self.work.take();
        let outcome = catch_unwind(AssertUnwindSafe(|| work.map(|work| work(tx))));
        self.outcome = outcome.unwrap_or_else(|_panic| Some(Err(ApiError::internal("a write panicked"))));
        matches!(self.outcome, Some(Ok(_)))
    }

    fn reply(self: Box<Self>, failure: Option<ApiError>) {
        let outcome = failure.map(Err).or(self.outcome);
        // The client may be gone.
        drop(self.sender.send(outcome.unwrap_or_else(|| Err(ApiError::internal("a write did not run")))));
    }
}

impl std::fmt::Debug for WriteQueue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WriteQueue").finish_non_exhaustive()
    }
}

impl WriteQueue {
    /// Adds a write.
    pub(super) fn add<T, W>(&self, work: W) -> Ticket<T>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        let (sender, outcome) = oneshot::channel();
        let key = Arc::new(());
        let write = Box::new(Write { work: Some(work), outcome: None, sender });
        self.0.lock().push_back(Waiting { key: Arc::clone(&key), write });
        Ticket { queue: self.clone(), key, outcome }
    }

    /// Runs this write, and on PostgreSQL those that wait then, in one transaction. Calls `on_commit` before the results are sent.
    pub(super) fn run(&self, mut first: Box<dyn QueuedWrite>, store: &Store, on_commit: impl FnOnce()) {
        let (begin, mut is_first_accepted, mut others) = (Instant::now(), true, Vec::new());
        let outcome = store.write(|tx| {
            is_first_accepted = first.run(tx);
            if !is_first_accepted {
                return Err(ApiError::internal("the only write of the transaction was refused"));
            }
            while begin.elapsed() < MAX_TIME && !self.0.lock().is_empty() && tx.set_savepoint()? {
                let Some(mut write) = self.take() else { break };
                let is_accepted = write.run(tx);
                others.push(write);
                if !is_accepted {
                    tx.roll_back_to_savepoint()?;
                }
            }
            Ok(())
        });
        if outcome.is_ok() {
            on_commit();
        }
        for write in iter::once(first).chain(others) {
            write.reply(match &outcome {
                Err(ApiError::Storage(fault)) => Some(ApiError::Storage(*fault)),
                Err(cause) if is_first_accepted => Some(ApiError::internal(cause.to_string())),
                Ok(()) | Err(_) => None,
            });
        }
    }

    /// Takes the first write: it is not removed any more when its request ends.
    pub(super) fn take(&self) -> Option<Box<dyn QueuedWrite>> {
        Some(self.0.lock().pop_front()?.write)
    }

    /// Removes a write. Returns false if it is not in the queue any more.
    fn remove(&self, key: &Arc<()>) -> bool {
        let mut writes = self.0.lock();
        let length = writes.len();
        writes.retain(|other| !Arc::ptr_eq(key, &other.key));
        writes.len() < length
    }
}

impl<T> Ticket<T> {
    /// Removes the write from the queue. Returns false if a transaction has begun to run it: then its result follows.
    pub(super) fn cancel(&self) -> bool {
        self.queue.remove(&self.key)
    }
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        self.cancel();
    }
}
