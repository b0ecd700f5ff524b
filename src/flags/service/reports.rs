//! Usage reports: counted in memory, and written in batches.

use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use jiff::Timestamp;

use super::Flags;
use crate::api::{MetricsOfToggle, ToggleMetrics};
use crate::error::ApiError;
use crate::flags::database::Transaction;
use crate::flags::usage::BatchPart;
use crate::flags::usage::names::ToggleNames;
use crate::flags::usage::report::{Registration, Report};
use crate::flags::usage::service::{list_changed_counts, load_windows, read_toggle_names, write_part};
use crate::log_limit::LogLimit;
use crate::usage_windows::oldest_minute;

/// Usage reports cannot be written.
static REPORTS_UNWRITTEN: LogLimit = LogLimit::new();

/// The names of toggles cannot be read.
static NAMES_UNREAD: LogLimit = LogLimit::new();

/// The time for which usage reports are collected before they are written in one batch.
const USAGE_WRITE_DELAY: Duration = Duration::from_secs(1);
/// The time before a failed write of usage reports is retried.
const USAGE_RETRY_DELAY: Duration = Duration::from_secs(5);

impl Flags {
    /// Reads the counts of earlier minutes on a thread of its own, so that a start takes no longer if there are many.
    pub(super) fn restore_counts(&self, names: ToggleNames, minutes: Range<i64>) {
        let flags = self.clone();
        let permit = Arc::clone(&self.read_permits).try_acquire_owned();
        thread::spawn(move || {
            let _permit = permit;
            let earlier = flags.store.read(|tx| Ok(load_windows(tx, &names, minutes)?));
            if let Err(cause) = &earlier {
                tracing::error!(%cause, "cannot read the usage counts from before the start");
            }
            flags.usage.add_earlier(earlier.unwrap_or_default());
        });
    }

    /// Returns how often applications evaluated each toggle in the last minute and the last hour.
    pub async fn metrics(&self) -> ToggleMetrics {
        self.usage.metrics().await
    }

    /// Returns how often applications evaluated a toggle in the last minute and the last hour.
    pub async fn metrics_of(&self, toggle: &str) -> MetricsOfToggle {
        self.usage.metrics_of(toggle).await
    }

    /// Registers an instance of an application in memory. A later batch writes it to the database.
    pub fn register(&self, registration: Registration, address: &str, now: Timestamp) {
        if self.usage.register(registration, address, now) {
            self.schedule_usage_write(USAGE_WRITE_DELAY);
        }
    }

    /// Counts a usage report in memory. A later batch writes it to the database.
    pub async fn count(&self, report: &Report, address: &str, now: Timestamp) {
        let commits = self.store.commits();
        if self.usage.needs_names(report, commits) && !self.store.changes().is_unreachable() {
            // With old names, the worst case is that a new toggle is counted against the quota of unknown names.
            if let Err(cause) = self.refresh_toggle_names(commits).await {
                self.usage.postpone_names(commits);
                if let Some(repeated) = NAMES_UNREAD.record() {
                    tracing::warn!(%cause, repeated, "cannot read the names of toggles; usage reports use the last known names");
                }
            }
        }
        if self.usage.count(report, address, now) {
            self.schedule_usage_write(USAGE_WRITE_DELAY);
        }
    }

    async fn refresh_toggle_names(&self, commits: u64) -> Result<(), ApiError> {
        let usage = Arc::clone(&self.usage);
        let work = move |tx: &Transaction<'_>| {
            if !usage.confirm_names(&tx.newest_change()?, commits) {
                usage.set_names(read_toggle_names(tx, commits)?);
            }
            Ok(())
        };
        self.read(work).await
    }

    /// Writes all usage reports that are only in memory. Reports that cannot be written are kept and retried later.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if they cannot be written.
    pub async fn write_usage(&self) -> Result<(), ApiError> {
        let Some(batch) = self.usage.last_unwritten_batch() else { return Ok(()) };
        while !self.usage.is_written(batch) {
            // One part per transaction, so that other writes run in between.
            let written = self.run_blocking(&self.write_permits, Self::write_usage_part).await;
            if written.is_err() {
                if self.usage.needs_write() {
                    self.schedule_usage_write(USAGE_RETRY_DELAY);
                }
                return written;
            }
        }
        Ok(())
    }

    /// Runs `work` in a read transaction that sees all usage reports received before the call. If they cannot be
    /// written, for example on a full disk, it sees the older ones.
    ///
    /// # Errors
    /// Returns the errors of [`Self::read`].
    pub async fn read_with_usage<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        if let Err(cause) = self.write_usage().await {
            log_unwritten(&cause);
        }
        self.read(work).await
    }

    fn write_usage_part(&self) -> Result<(), ApiError> {
        let mut part = BatchPart::default();
        let written = self.store.write_internal(|tx| {
            // Taken inside the transaction, so that only one part is taken at a time.
            part = self.usage.take_part();
            Ok(write_part(tx, &part, Timestamp::now())?)
        });
        match written {
            Ok(new_uses) => self.usage.confirm_part(part.checks_uses, new_uses),
            Err(_) => self.usage.return_part(part.rows),
        }
        written.map(drop)
    }

    fn schedule_usage_write(&self, delay: Duration) {
        let flags = self.clone();
        actix_web::rt::spawn(async move {
            actix_web::rt::time::sleep(delay).await;
            flags.usage.start_scheduled_write();
            if let Err(cause) = flags.write_usage().await {
                log_unwritten(&cause);
            }
        });
    }

    /// Adds the counts that other processes write to a shared database. Returns only if the database is not shared.
    pub async fn watch_usage(self) {
        if !self.is_shared() {
            return;
        }
        self.usage.wait_until_complete().await;
        let (mut known, mut known_connection) = (None, 0);
        loop {
            actix_web::rt::time::sleep(USAGE_WRITE_DELAY).await;
            let (connection, commits) = (self.store.changes().reconnects(), Some(self.store.commits()));
            if known == commits || self.store.changes().is_unreachable() {
                continue;
            }
            // A standby that became the primary server may lack the last commits.
            let is_reconnected = known_connection != connection;
            let read = move |flags: &Self| flags.read_usage_of_others(is_reconnected);
            // Holds the permit to write: meanwhile no counts of this process become stored ones.
            match self.run_blocking(&self.write_permits, read).await {
                Ok(()) => (known, known_connection) = (commits, connection),
                Err(cause) => tracing::debug!(%cause, "cannot read the usage reports to other instances"),
            }
        }
    }

    fn read_usage_of_others(&self, reads_all: bool) -> Result<(), ApiError> {
        let now = Timestamp::now().as_second();
        let (oldest, commit) = (oldest_minute(now), if reads_all { 0 } else { self.usage.read_commit() });
        let (stored, commit) = self.store.read(|tx| Ok(list_changed_counts(tx, oldest, commit)?))?;
        self.usage.add_stored(now, &stored, commit);
        Ok(())
    }
}

fn log_unwritten(cause: &ApiError) {
    if let Some(repeated) = REPORTS_UNWRITTEN.record() {
        tracing::error!(%cause, repeated, "cannot write usage reports; they are kept in memory and retried, and pages do not include them");
    }
}
