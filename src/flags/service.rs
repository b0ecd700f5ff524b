//! The embedded flag service that handlers use. Runs database transactions on a thread pool, outside the threads that
//! serve HTTP.

use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use actix_web::rt::task::spawn_blocking;
use bytes::Bytes;
use jiff::Timestamp;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot};

use super::addons::delivery_worker;
use super::addons::retry_policy::RetryPolicy;
use super::addons::secrets::Secrets;
use super::client::model::SegmentFormat;
use super::client::snapshot::{self, ClientSnapshot, SnapshotCache};
use super::database::{OpenError, StorageFault, Store, Transaction};
use super::model::ToggleMetrics;
use super::toggles::filter::ToggleFilter;
use super::toggles::list::{self, CompressedList, ToggleListCache};
use super::usage::names::ToggleNames;
use super::usage::report::{Registration, Report};
use super::usage::service::{load_windows, read_toggle_names, write_part};
use super::usage::windows::{Windows, minute_of, oldest_minute};
use super::usage::{BatchPart, Usage};
use crate::config::DataLocation;
use crate::error::ApiError;

/// The time for which usage reports are collected before they are written in one batch.
const USAGE_WRITE_DELAY: Duration = Duration::from_secs(1);
/// The time before a failed write of usage reports is retried.
const USAGE_RETRY_DELAY: Duration = Duration::from_secs(5);
/// The time between two checks that the database files are still at their paths.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// The maximum time that a transaction waits for a free connection.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// The embedded flag service. Clones share one database.
#[derive(Debug, Clone)]
pub struct Flags {
    store: Arc<Store>,
    /// Permits for read and write transactions. Waiting for a permit does not block a thread.
    read_permits: Arc<Semaphore>,
    write_permits: Arc<Semaphore>,
    instance_id: Arc<str>,
    usage: Arc<Usage>,
    listed_segments: Arc<SnapshotCache<ClientSnapshot>>,
    inline_segments: Arc<SnapshotCache<ClientSnapshot>>,
    definitions: Arc<SnapshotCache<Bytes>>,
    toggle_list: Arc<ToggleListCache>,
    secrets: Arc<Secrets>,
    outbox: Arc<Notify>,
    changes: Arc<Notify>,
    retry_policy: RetryPolicy,
}

impl Flags {
    /// Opens or creates the database. Blocks the thread; call it only at the start of the program.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let store = Arc::new(Store::open(data)?);
        let now = Timestamp::now().as_second();
        let minute = minute_of(now);
        // Reports from now on are written to later minutes.
        let earlier = oldest_minute(now)..minute;
        let (instance_id, names, current, has_earlier) = store
            .read(|tx| {
                // The service also starts if only the table of toggles is damaged.
                let names = read_toggle_names(tx, store.commits()).unwrap_or_else(|cause| {
                    tracing::warn!(%cause, "cannot read the names of toggles; usage reports count them as unknown");
                    ToggleNames::unread()
                });
                let current = load_windows(tx, &names, minute..i64::MAX)?;
                let has_earlier = tx.has_counts(earlier.clone())?;
                Ok((tx.read_instance_id()?, names, current, has_earlier))
            })
            .map_err(|cause| OpenError::from_first_read(data, cause))?;
        let usage = Arc::new(Usage::new(current, names.clone()));
        let service = Self {
            store,
            read_permits: Arc::new(Semaphore::new(Store::READERS)),
            write_permits: Arc::new(Semaphore::new(1)),
            instance_id: instance_id.into(),
            usage,
            listed_segments: Arc::new(SnapshotCache::new(|tx| {
                snapshot::read_list(tx, SegmentFormat::Listed)
            })),
            inline_segments: Arc::new(SnapshotCache::new(|tx| {
                snapshot::read_list(tx, SegmentFormat::Inline)
            })),
            definitions: Arc::new(SnapshotCache::new(list::definitions_json)),
            toggle_list: Arc::default(),
            secrets: Arc::new(Secrets::for_database(data)),
            outbox: Arc::default(),
            changes: Arc::default(),
            retry_policy: RetryPolicy::default(),
        };
        if has_earlier {
            service.restore_counts(names, earlier);
        } else {
            service.usage.add_earlier(Windows::default());
        }
        Ok(service)
    }

    /// Reads the counts of earlier minutes on a thread of its own, so that a start takes no longer if there are many.
    fn restore_counts(&self, names: ToggleNames, minutes: Range<i64>) {
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

    /// Returns the service with other times between deliveries to addons.
    #[must_use]
    pub fn with_retry_policy(self, retry_policy: RetryPolicy) -> Self {
        Self { retry_policy, ..self }
    }

    /// Returns the UUID of this installation.
    #[must_use]
    pub fn instance_id(&self) -> &str {
        &self.instance_id
    }

    /// Returns the encryption of addon secrets.
    #[must_use]
    pub fn secrets(&self) -> Arc<Secrets> {
        Arc::clone(&self.secrets)
    }

    /// Sends events to addons until `stop` completes, on the thread that awaits this future.
    pub async fn deliver(&self, stop: impl Future<Output = ()>) {
        delivery_worker::run(self.clone(), self.retry_policy.clone(), stop).await;
    }

    /// Waits until this process commits a transaction, which may have added deliveries to the outbox.
    pub(super) async fn wait_for_commit(&self) {
        self.outbox.notified().await;
    }

    /// Waits until this process commits a transaction, for the one task that sends changes to event streams.
    pub async fn wait_for_change(&self) {
        self.changes.notified().await;
    }

    /// Returns the response for SDKs in a format, from its cache. It includes every completed change of this process, and changes of
    /// other processes after a short delay.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn client_snapshot(&self, format: SegmentFormat) -> Result<ClientSnapshot, ApiError> {
        let cache = match format {
            SegmentFormat::Listed => &self.listed_segments,
            SegmentFormat::Inline => &self.inline_segments,
        };
        self.read_snapshot(cache).await
    }

    /// Returns all toggles that are not archived, their tags, and all segments, in the JSON that the evaluation reads, from
    /// its cache. The memory of the JSON is the same until a toggle changes.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn definitions(&self) -> Result<Bytes, ApiError> {
        self.read_snapshot(&self.definitions).await
    }

    async fn read_snapshot<T>(&self, cache: &Arc<SnapshotCache<T>>) -> Result<T, ApiError>
    where
        T: Clone + Send + Sync + 'static,
    {
        let commits = self.store.commits();
        if let Some(snapshot) = cache.get_fresh(commits, Instant::now()) {
            return Ok(snapshot);
        }
        let cache = Arc::clone(cache);
        self.read(move |tx| cache.refresh(tx, commits)).await
    }

    /// Returns the number of transactions that this process has committed.
    #[must_use]
    pub(super) fn commits(&self) -> u64 {
        self.store.commits()
    }

    /// Returns the toggles that match a filter and are not archived: `FeaturesResponse` in JSON.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn toggle_list(&self, filter: ToggleFilter) -> Result<Vec<u8>, ApiError> {
        self.read(move |tx| list::list_json(tx, &filter)).await
    }

    /// Returns all toggles that are not archived, compressed. Includes every change that completed before the call.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
    pub async fn compressed_toggle_list(&self) -> Result<CompressedList, ApiError> {
        let commits = self.store.commits();
        let cache = Arc::clone(&self.toggle_list);
        self.read(move |tx| cache.get(tx, commits)).await
    }

    /// Returns how often applications evaluated each toggle in the last minute and the last hour.
    pub async fn metrics(&self) -> ToggleMetrics {
        self.usage.metrics().await
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
        if self.usage.needs_names(report, commits) {
            // With old names, the worst case is that a new toggle is counted against the quota of unknown names.
            if let Err(cause) = self.refresh_toggle_names(commits).await {
                self.usage.postpone_names(commits);
                tracing::warn!(%cause, "cannot read the names of toggles; usage reports use the last known names");
            }
        }
        if self.usage.count(report, address, now) {
            self.schedule_usage_write(USAGE_WRITE_DELAY);
        }
    }

    async fn refresh_toggle_names(&self, commits: u64) -> Result<(), ApiError> {
        let usage = Arc::clone(&self.usage);
        let work = move |tx: &Transaction<'_>| {
            if !usage.confirm_names(tx.newest_event_id()?, commits) {
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
            tracing::warn!(%cause, "cannot write usage reports; the response does not include the newest ones");
        }
        self.read(work).await
    }

    fn write_usage_part(&self) -> Result<(), ApiError> {
        let mut part = BatchPart::default();
        let written = self.store.write(|tx| {
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
                tracing::error!(%cause, "cannot write usage reports; they are kept in memory and retried");
            }
        });
    }

    /// Runs `work` in a read transaction, on a thread that may block.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`] if no connection becomes free in time.
    pub async fn read<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        self.run_blocking(&self.read_permits, move |flags| flags.store.read(work)).await
    }

    /// Runs `work` in a write transaction, on a thread that may block. The transaction completes even if the client
    /// disconnects.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`] if the transaction cannot be committed.
    pub async fn write<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        let work = move |flags: &Self| {
            let written = flags.store.write(work)?;
            // Only after a commit: the delivery worker writes too, and must not wake itself after a failure.
            flags.outbox.notify_one();
            flags.changes.notify_one();
            Ok(written)
        };
        self.run_blocking(&self.write_permits, work).await
    }

    /// Checks that the database can be read and that its files are at their paths.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if not.
    pub async fn check_storage(&self) -> Result<(), ApiError> {
        let check = |flags: &Self| {
            flags.store.read(|tx| Ok(tx.read_instance_id()?))?;
            flags.store.check_files()
        };
        self.run_blocking(&self.read_permits, check).await
    }

    /// Checks the database files every two seconds, so that the log reports a deleted file before the next write. Never
    /// returns.
    pub async fn watch_files(self) {
        let mut ticks = actix_web::rt::time::interval(FILE_CHECK_INTERVAL);
        loop {
            ticks.tick().await;
            // The store logs each change of the result.
            drop(self.run_blocking(&self.read_permits, |flags| flags.store.check_files()).await);
        }
    }

    async fn run_blocking<T, W>(&self, permits: &Arc<Semaphore>, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Self) -> Result<T, ApiError> + Send + 'static,
    {
        let permit = acquire(permits).await?;
        let flags = self.clone();
        let (sender, outcome) = oneshot::channel();
        let work = move || {
            // The work holds the permit, because it continues after the client disconnects.
            let _permit = permit;
            // The client may be gone.
            drop(sender.send(work(&flags)));
        };
        // Boxed: the runtime's code for tasks then exists once, and not once for each operation.
        let work: Box<dyn FnOnce() + Send> = Box::new(work);
        drop(spawn_blocking(work));
        outcome.await.map_err(ApiError::internal)?
    }
}

/// Waits for a permit. The semaphore is fair. The timeout limits the number of requests that wait for a disk that hangs.
async fn acquire(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    tokio::time::timeout(MAX_WAIT, Arc::clone(permits).acquire_owned())
        .await
        .map_err(|_late| ApiError::Storage(StorageFault::Busy))?
        .map_err(ApiError::internal)
}
