//! Times of the last uses of tokens or sessions, which are written at most once a minute.

use std::collections::HashMap;
use std::fmt;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use parking_lot::Mutex;

use super::token::TokenHash;
use crate::database::{Database, StoreError, Transaction};
use crate::error::ApiError;
use crate::log_limit::LogLimit;

/// The minimum time between two writes.
const WRITE_INTERVAL: Duration = Duration::from_mins(1);

/// Writes the time of a last use.
type Write = fn(&Transaction<'_>, &TokenHash, Timestamp) -> Result<(), StoreError>;

/// The last uses that are not written yet.
pub(super) struct LastUses {
    /// Names the used items in the log.
    subject: &'static str,
    write: Write,
    pending: Mutex<PendingUses>,
    unwritten: LogLimit,
}

#[derive(Debug, Default)]
struct PendingUses {
    uses: HashMap<TokenHash, Timestamp>,
    /// Time of the last write.
    written_at: Option<Instant>,
    /// True if a task will write the uses.
    is_scheduled: bool,
}

impl fmt::Debug for LastUses {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LastUses").field("subject", &self.subject).finish_non_exhaustive()
    }
}

impl LastUses {
    /// Creates the last uses of `subject`, a plural. `write` stores one of them.
    pub(super) fn new(subject: &'static str, write: Write) -> Arc<Self> {
        Arc::new(Self { subject, write, pending: Mutex::default(), unwritten: LogLimit::new() })
    }

    /// Records a use. The first one is written at once, later ones after the interval. The caller does not wait for the write.
    pub(super) fn record(self: &Arc<Self>, hash: TokenHash, database: &Database) {
        let mut pending = self.pending.lock();
        pending.uses.insert(hash, Timestamp::now());
        if mem::replace(&mut pending.is_scheduled, true) {
            return;
        }
        let delay = pending.written_at.map(|written| WRITE_INTERVAL.saturating_sub(written.elapsed()));
        let (uses, database) = (Arc::clone(self), database.clone());
        actix_web::rt::spawn(async move {
            actix_web::rt::time::sleep(delay.unwrap_or_default()).await;
            if let Err(cause) = uses.write(&database).await
                && let Some(repeated) = uses.unwritten.record()
            {
                let subject = uses.subject;
                tracing::warn!(%cause, repeated, "cannot write the times of the last uses of {subject}; the next use writes them");
            }
        });
    }

    /// Writes the uses that are only in memory.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if they cannot be written. They are dropped then, because a later use replaces them.
    pub(super) async fn write(&self, database: &Database) -> Result<(), ApiError> {
        let uses = {
            let mut pending = self.pending.lock();
            pending.is_scheduled = false;
            pending.written_at = Some(Instant::now());
            mem::take(&mut pending.uses)
        };
        if uses.is_empty() {
            return Ok(());
        }
        let write = self.write;
        let work =
            move |tx: &Transaction<'_>| uses.iter().try_for_each(|(hash, &at)| Ok(write(tx, hash, at)?));
        database.write(work).await
    }
}
