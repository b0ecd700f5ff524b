//! The embedded flag service that handlers use. Runs database transactions on a thread pool, outside the threads that
//! serve HTTP.

mod history;
mod reports;
mod snapshots;

use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::task::spawn_blocking;
use bytes::Bytes;
use jiff::Timestamp;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot};

use super::addons::retry_policy::RetryPolicy;
use super::addons::secrets::Secrets;
use super::addons::{delivery_worker, outbox};
use super::client::snapshot::{self, ClientSnapshot, SnapshotCache};
use super::database::{Changes, OpenError, StorageFault, Store, Transaction};
use super::toggles::list::{self, ToggleListCache};
use super::usage::Usage;
use super::usage::names::ToggleNames;
use super::usage::service::{load_windows, read_toggle_names};
use crate::api::SegmentFormat;
use crate::config::DataLocation;
use crate::error::ApiError;
use crate::metrics::DatabaseMetrics;
use crate::usage_windows::{Windows, minute_of, oldest_minute};

/// The time between two checks that the database files are still at their paths.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// The maximum time that a transaction waits for a free connection.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Opens or creates the database, for commands. Recorded events are delivered to addons when a server runs.
///
/// # Errors
/// See [`OpenError`].
pub fn open_store(data: &DataLocation) -> Result<Store, OpenError> {
    Store::open(data, outbox::queue)
}

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
    metrics: DatabaseMetrics,
    retry_policy: RetryPolicy,
}

impl Flags {
    /// Opens or creates the database. Blocks the thread; call it only at the start of the program.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let store = Arc::new(open_store(data)?);
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
            listed_segments: Arc::new(SnapshotCache::new(|tx, event, number| {
                snapshot::read_list(tx, SegmentFormat::Listed, event, number)
            })),
            inline_segments: Arc::new(SnapshotCache::new(|tx, event, number| {
                snapshot::read_list(tx, SegmentFormat::Inline, event, number)
            })),
            definitions: Arc::new(SnapshotCache::new(|tx, _event, _number| list::definitions_json(tx))),
            toggle_list: Arc::default(),
            secrets: Arc::new(Secrets::for_database(data)),
            outbox: Arc::default(),
            metrics: DatabaseMetrics::default(),
            retry_policy: RetryPolicy::default(),
        };
        if has_earlier {
            service.restore_counts(names, earlier);
        } else {
            service.usage.add_earlier(Windows::default());
        }
        Ok(service)
    }

    /// Checks that the key decrypts the stored secrets of addons, if the database is shared: instances on other machines
    /// have key files of their own.
    ///
    /// # Errors
    /// [`OpenError::Key`] if not.
    pub fn check_key(&self, data: &DataLocation) -> Result<(), OpenError> {
        let Some(file) = data.key_file().filter(|_| self.is_shared()) else { return Ok(()) };
        let stored = self.store.read(|tx| Ok(tx.list_secrets()?));
        let stored = stored.map_err(|cause| OpenError::from_first_read(data, cause))?;
        self.secrets.check(&stored).map_err(|cause| OpenError::Key { file, cause: cause.to_string() })
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

    /// Returns whether other processes may use the database at the same time.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// Starts to observe the commits of other processes, if the database is shared.
    pub fn observe(&self) {
        self.store.observe();
    }

    /// Returns the changes that this process knows of.
    #[must_use]
    pub fn changes(&self) -> &Changes {
        self.store.changes()
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
            flags.store.changes().notify();
            Ok(written)
        };
        self.run_blocking(&self.write_permits, work).await
    }

    /// Runs `work` in a write transaction like [`Self::write`], but wakes neither event streams nor the delivery worker.
    /// `work` must change only data that SDKs do not receive.
    pub(super) async fn write_internal<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        self.run_blocking(&self.write_permits, move |flags| flags.store.write_internal(work)).await
    }

    /// Returns the value that was parsed from a body. If it is invalid, returns the error of `check` first, which reads
    /// whether the item exists: clients distinguish a missing item and a used name by the status, whatever the body contains.
    ///
    /// # Errors
    /// The error of `check` if the body is invalid, otherwise the error of reading the body.
    pub async fn check_before_body<T, C>(
        &self,
        parsed: Result<T, ApiError>,
        check: impl FnOnce(&Transaction<'_>) -> Result<C, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        if parsed.is_err() {
            self.read(|tx| check(tx).map(drop)).await?;
        }
        parsed
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
