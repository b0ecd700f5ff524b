//! Usage reports: counted in memory, and written in batches.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::names::ToggleNames;
use super::report::{Registration, UsageReport};
use super::transactions::{list_changed_counts, load_windows, read_toggle_names, write_part};
use super::{BatchPart, Usage};
use crate::api::{MetricsOfToggle, ToggleMetrics};
use crate::database::{Database, Store, Transaction};
use crate::error::ApiError;
use crate::log_limit::LogLimit;
use crate::usage_windows::{Windows, minute_of, oldest_minute};

/// Usage reports cannot be written.
static REPORTS_UNWRITTEN: LogLimit = LogLimit::new();

/// The names of toggles cannot be read.
static NAMES_UNREAD: LogLimit = LogLimit::new();

/// The time for which usage reports are collected before they are written in one batch.
const USAGE_WRITE_DELAY: Duration = Duration::from_secs(1);
/// The time before a failed write of usage reports is retried.
const USAGE_RETRY_DELAY: Duration = Duration::from_secs(5);

/// The usage that applications report, and the database that stores it. Clones share both.
#[derive(Debug, Clone)]
pub struct UsageReports {
    usage: Arc<Usage>,
    database: Database,
}

impl UsageReports {
    /// Loads the counts of the current minute. Those of earlier minutes follow on a thread of their own, so that a start takes
    /// no longer if there are many. Blocks the thread; call it only at the start of the program.
    pub(crate) fn load(database: &Database) -> Result<Self, ApiError> {
        let store = database.store()?;
        let now = Timestamp::now().as_second();
        let minute = minute_of(now);
        // Reports from now on are written to later minutes.
        let earlier = oldest_minute(now)..minute;
        let (names, current, has_earlier) = store.read(|tx| {
            // The service also starts if only the table of toggles is damaged.
            let names = read_toggle_names(tx, store.commits()).unwrap_or_else(|cause| {
                tracing::warn!(%cause, "cannot read the names of toggles; usage reports count them as unknown");
                ToggleNames::unread()
            });
            let current = load_windows(tx, &names, minute..minute + 2)?;
            Ok((names, current, tx.has_counts(earlier.clone())?))
        })?;
        let usage = Arc::new(Usage::new(current, names.clone()));
        let reports = Self { usage, database: database.clone() };
        if has_earlier {
            reports.restore_counts(names, earlier);
        } else {
            reports.usage.add_earlier(Windows::default());
        }
        Ok(reports)
    }

    fn restore_counts(&self, names: ToggleNames, minutes: Range<i64>) {
        let usage = Arc::clone(&self.usage);
        self.database.spawn_read(move |store| {
            let earlier = store.read(|tx| Ok(load_windows(tx, &names, minutes)?));
            if let Err(cause) = &earlier {
                tracing::error!(%cause, "cannot read the usage counts from before the start");
            }
            usage.add_earlier(earlier.unwrap_or_default());
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
            self.schedule_write(USAGE_WRITE_DELAY);
        }
    }

    /// Counts a usage report in memory. A later batch writes it to the database.
    pub async fn count(&self, report: &UsageReport, address: &str, now: Timestamp) {
        let changes = self.database.changes();
        let commits = changes.commits();
        if self.usage.needs_names(report, commits) && !changes.is_unreachable() {
            // With old names, the worst case is that a new toggle is counted against the quota of unknown names.
            if let Err(cause) = self.refresh_toggle_names(commits).await {
                self.usage.postpone_names(commits);
                if let Some(repeated) = NAMES_UNREAD.record() {
                    tracing::warn!(%cause, repeated, "cannot read the names of toggles; usage reports use the last known names");
                }
            }
        }
        if self.usage.count(report, address, now) {
            self.schedule_write(USAGE_WRITE_DELAY);
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
        self.database.read(work).await
    }

    /// Writes all usage reports that are only in memory. Reports that cannot be written are kept and retried later.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if they cannot be written.
    pub async fn write_pending(&self) -> Result<(), ApiError> {
        let Some(batch) = self.usage.last_unwritten_batch() else { return Ok(()) };
        while !self.usage.is_written(batch) {
            // One part per transaction, so that other writes run in between.
            let usage = Arc::clone(&self.usage);
            let written = self.database.run_exclusively(move |store| write_next_part(&usage, store)).await;
            if written.is_err() {
                if self.usage.needs_write() {
                    self.schedule_write(USAGE_RETRY_DELAY);
                }
                return written;
            }
        }
        Ok(())
    }

    /// Runs `work` in a read transaction that sees all usage reports received before the call. If they cannot be
    /// written, for example on a full disk, it sees the older ones.
    pub(crate) async fn read_with_pending<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        if let Err(cause) = self.write_pending().await {
            log_unwritten(&cause);
        }
        self.database.read(work).await
    }

    fn schedule_write(&self, delay: Duration) {
        let reports = self.clone();
        actix_web::rt::spawn(async move {
            actix_web::rt::time::sleep(delay).await;
            reports.usage.start_scheduled_write();
            if let Err(cause) = reports.write_pending().await {
                log_unwritten(&cause);
            }
        });
    }

    /// Adds the counts that other processes write to a shared database. Returns only if the database is not shared.
    pub async fn watch_other_processes(self) {
        if !self.database.is_shared() {
            return;
        }
        self.usage.wait_until_complete().await;
        let (mut known, mut known_connection) = (None, 0);
        loop {
            actix_web::rt::time::sleep(USAGE_WRITE_DELAY).await;
            let changes = self.database.changes();
            let (connection, commits) = (changes.reconnects(), Some(changes.commits()));
            if known == commits || changes.is_unreachable() {
                continue;
            }
            // A standby that became the primary server may lack the last commits.
            let is_reconnected = known_connection != connection;
            let usage = Arc::clone(&self.usage);
            let read = move |store: &Store| read_counts_of_others(&usage, store, is_reconnected);
            // Exclusively: meanwhile no counts of this process become stored ones.
            match self.database.run_exclusively(read).await {
                Ok(()) => (known, known_connection) = (commits, connection),
                Err(cause) => tracing::debug!(%cause, "cannot read the usage reports to other instances"),
            }
        }
    }
}

fn write_next_part(usage: &Usage, store: &Store) -> Result<(), ApiError> {
    let mut part = BatchPart::default();
    let written = store.write_internal(|tx| {
        // Taken inside the transaction, so that only one part is taken at a time.
        part = usage.take_part();
        Ok(write_part(tx, &part, usage.expiry_time())?)
    });
    match written {
        Ok(new_uses) => usage.confirm_part(part.checks_uses, new_uses),
        Err(_) => usage.return_part(part.rows),
    }
    written.map(drop)
}

fn read_counts_of_others(usage: &Usage, store: &Store, reads_all: bool) -> Result<(), ApiError> {
    let now = Timestamp::now().as_second();
    let (oldest, commit) = (oldest_minute(now), if reads_all { 0 } else { usage.read_commit() });
    let (stored, commit) = store.read(|tx| Ok(list_changed_counts(tx, oldest, commit)?))?;
    usage.add_stored(now, &stored, commit);
    Ok(())
}

fn log_unwritten(cause: &ApiError) {
    if let Some(repeated) = REPORTS_UNWRITTEN.record() {
        tracing::error!(%cause, repeated, "cannot write usage reports; they are kept in memory and retried, and pages do not include them");
    }
}
