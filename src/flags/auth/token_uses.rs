//! Times of the last uses of tokens, which are written at most once a minute.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::token::TokenHash;
use crate::error::ApiError;
use crate::flags::database::{Database, Transaction};
use crate::flags::events::format_time;
use crate::log_limit::LogLimit;

/// The last uses of tokens cannot be written.
static USES_UNWRITTEN: LogLimit = LogLimit::new();

/// The minimum time between two writes.
const WRITE_INTERVAL: Duration = Duration::from_mins(1);

/// The last uses of tokens that are not written yet.
#[derive(Debug, Default)]
pub(super) struct TokenUses(Mutex<PendingUses>);

#[derive(Debug, Default)]
struct PendingUses {
    uses: HashMap<TokenHash, Timestamp>,
    /// Time of the last write.
    written_at: Option<Instant>,
    /// True if a task will write the uses.
    is_scheduled: bool,
}

impl TokenUses {
    /// Records a use. The first one is written at once, later ones after the interval.
    pub(super) fn record(self: &Arc<Self>, hash: TokenHash, database: &Database) {
        let mut pending = self.lock();
        pending.uses.insert(hash, Timestamp::now());
        if mem::replace(&mut pending.is_scheduled, true) {
            return;
        }
        let delay = pending.written_at.map(|written| WRITE_INTERVAL.saturating_sub(written.elapsed()));
        let (uses, database) = (Arc::clone(self), database.clone());
        actix_web::rt::spawn(async move {
            actix_web::rt::time::sleep(delay.unwrap_or_default()).await;
            if let Err(cause) = uses.write(&database).await
                && let Some(repeated) = USES_UNWRITTEN.record()
            {
                tracing::warn!(%cause, repeated, "cannot write the times of the last uses of tokens; the next use writes them");
            }
        });
    }

    /// Writes the uses that are only in memory.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if they cannot be written. They are dropped then, because a later use replaces them.
    pub(super) async fn write(&self, database: &Database) -> Result<(), ApiError> {
        let uses = {
            let mut pending = self.lock();
            pending.is_scheduled = false;
            pending.written_at = Some(Instant::now());
            mem::take(&mut pending.uses)
        };
        if uses.is_empty() {
            return Ok(());
        }
        let work = move |tx: &Transaction<'_>| write_all(tx, &uses);
        database.write(work).await
    }

    fn lock(&self) -> MutexGuard<'_, PendingUses> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write_all(tx: &Transaction<'_>, uses: &HashMap<TokenHash, Timestamp>) -> Result<(), ApiError> {
    for (hash, &at) in uses {
        tx.record_token_use(hash, &format_time(at))?;
    }
    Ok(())
}
