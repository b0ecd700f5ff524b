//! Deletion of old events.

use std::time::Duration;

use jiff::Timestamp;

use crate::error::ApiError;
use crate::flags::database::Database;
use crate::flags::events::format_time;

/// The time between two searches for old events.
const PRUNE_INTERVAL: Duration = Duration::from_hours(1);
/// The number of events of one transaction, so that other writes need not wait.
const PAGE: u32 = 200;
/// The pause between two transactions, in which the disk serves others.
const PAGE_PAUSE: Duration = Duration::from_millis(20);

/// Deletes events that are older than `keep`, at once and every hour. Several instances may do this at the same time:
/// each finds the events that are left. Never returns.
pub(crate) async fn delete_old_events(database: Database, keep: Duration) {
    loop {
        match delete_all(&database, keep).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "deleted events that are older than history-keep"),
            Err(cause) => tracing::warn!(%cause, "cannot delete old events; retrying in an hour"),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

async fn delete_all(database: &Database, keep: Duration) -> Result<u64, ApiError> {
    let oldest = Timestamp::now().checked_sub(keep).map_err(ApiError::internal)?;
    let oldest = format_time(oldest);
    let (mut after, mut deleted) = (0, 0);
    loop {
        let time = oldest.clone();
        let page = database.read(move |tx| Ok(tx.find_page_with_old_events(after, &time, PAGE)?)).await?;
        let Some(last) = page else { return Ok(deleted) };
        let time = oldest.clone();
        deleted += database.write_internal(move |tx| Ok(tx.delete_events(after, last, &time)?)).await?;
        after = last;
        tokio::time::sleep(PAGE_PAUSE).await;
    }
}
