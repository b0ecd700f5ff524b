//! The database for asynchronous code: runs transactions on a thread pool, outside the threads that serve HTTP.

use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use actix_web::rt::task::spawn_blocking;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot, watch};

use super::opening::open_repeatedly;
use super::postgres::RESTART_TIME;
use super::write_queue::WriteQueue;
use super::{Changes, DataLock, EventHook, OpenError, StorageFault, Store, Transaction};
use crate::config::DataLocation;
use crate::error::ApiError;
use crate::metrics::DatabaseMetrics;
use crate::negotiation::CopyAge;
use crate::number::to_millis;

/// The time between two checks that the database files are still at their paths.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// The maximum time that the end of the program waits for running transactions.
const MAX_CLOSING: Duration = Duration::from_secs(5);
/// The maximum time that a transaction waits for a free connection.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// The database. Clones share it.
#[derive(Debug, Clone)]
pub struct Database {
    opened: Arc<OnceLock<OpenDatabase>>,
    state: watch::Sender<State>,
    changes: Arc<Changes>,
    is_shared: bool,
    /// Permits for read and write transactions. Waiting for a permit does not block a thread.
    read_permits: Arc<Semaphore>,
    write_permits: Arc<Semaphore>,
    writes: WriteQueue,
    /// Notified of each commit of this process that may have added deliveries to the outbox.
    committed: Arc<Notify>,
    metrics: DatabaseMetrics,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Opening,
    Open,
    Closed,
}

#[derive(Debug)]
struct OpenDatabase {
    store: Store,
    instance_id: String,
    /// Prevents another server from using the file, if this value was opened in the background.
    lock: Option<DataLock>,
}

impl Database {
    /// Creates the database of an open store. Blocks the thread; call it only at the start of the program.
    pub(crate) fn new(store: Store) -> Result<Self, ApiError> {
        let database = Self::closed(store.is_shared(), Arc::clone(&store.changes));
        database.set_opened(OpenDatabase::new(store, None)?);
        Ok(database)
    }

    /// Prepares a database. Its transactions fail until [`Self::open`] has opened it.
    #[must_use]
    pub fn unopened(data: &DataLocation) -> Self {
        Self::closed(matches!(data, DataLocation::Postgres(_)), Arc::default())
    }

    fn closed(is_shared: bool, changes: Arc<Changes>) -> Self {
        Self {
            opened: Arc::default(),
            state: watch::Sender::new(State::Opening),
            changes,
            is_shared,
            read_permits: Arc::new(Semaphore::new(Store::READERS)),
            write_permits: Arc::new(Semaphore::new(1)),
            writes: WriteQueue::default(),
            committed: Arc::default(),
            metrics: DatabaseMetrics::default(),
        }
    }

    fn set_opened(&self, opened: OpenDatabase) {
        // A database is opened once.
        drop(self.opened.set(opened));
        self.state.send_replace(State::Open);
    }

    /// Opens the database, and again after each failure, until it is open or closed. Also starts to observe the commits of other
    /// processes.
    pub async fn open(self, data: DataLocation, event_hook: EventHook) {
        let changes = Arc::clone(&self.changes);
        let open = move || OpenDatabase::open(&data, event_hook, Arc::clone(&changes));
        let mut last_fault = String::new();
        let report = |fault: String| {
            if fault != last_fault {
                tracing::error!(
                    fault,
                    "the database cannot be opened, so that nothing is kept; trying again"
                );
            }
            last_fault = fault;
        };
        let mut state = self.state.subscribe();
        tokio::select! {
            opened = open_repeatedly(open, report) => {
                self.set_opened(opened);
                self.observe();
            }
            _closed = state.wait_for(|state| *state == State::Closed) => {}
        }
    }

    /// Waits until the database is open, or for this time at most.
    pub async fn wait_until_open(&self, limit: Duration) {
        let mut state = self.state.subscribe();
        // An error means that the time has passed.
        drop(tokio::time::timeout(limit, state.wait_for(|state| *state == State::Open)).await);
    }

    /// Returns the UUID of this installation; empty until the database is open.
    #[must_use]
    pub fn instance_id(&self) -> &str {
        self.opened.get().map_or("", |opened| &opened.instance_id)
    }

    /// Returns the store, whose functions block.
    ///
    /// # Errors
    /// [`StorageFault::NotOpen`] until the database is open.
    pub(crate) fn store(&self) -> Result<&Store, ApiError> {
        Ok(&self.opened.get().ok_or(ApiError::Storage(StorageFault::NotOpen))?.store)
    }

    /// Waits until this process commits a transaction, which may have added deliveries to the outbox.
    pub(crate) async fn wait_for_commit(&self) {
        self.committed.notified().await;
    }

    /// Returns whether other processes may use the database at the same time.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Starts to observe the commits of other processes, if the database is shared and open.
    pub fn observe(&self) {
        if let Ok(store) = self.store() {
            store.observe();
        }
    }

    /// Returns the changes that this process knows of.
    #[must_use]
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Returns the age of the toggles for SDKs while a shared database does not respond; `None` while it does.
    #[must_use]
    pub fn copy_age(&self) -> Option<CopyAge> {
        let changes = self.changes();
        let millis = || to_millis(changes.age());
        changes.is_unreachable().then(|| CopyAge { millis: millis(), is_stale: true })
    }

    /// Returns the metrics of a shared database; `None` for one of this process alone.
    #[must_use]
    pub fn metrics(&self) -> Option<&DatabaseMetrics> {
        self.is_shared().then_some(&self.metrics)
    }

    /// Updates the metrics that are computed when they are read.
    pub fn update_metrics(&self) {
        self.metrics.set_age(self.copy_age().map(|age| age.millis / 1000));
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
        self.run_blocking(&self.read_permits, move |database| database.store()?.read(work)).await
    }

    /// Runs `work` in a write transaction, on a thread that may block. The transaction completes even if the client disconnects. With
    /// PostgreSQL, it may contain other writes.
    ///
    /// # Errors
    /// Returns the error of `work`, or [`ApiError::Storage`] if the transaction cannot be committed.
    pub async fn write<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        // Nothing waits for a database that may never open.
        self.store()?;
        let mut write = self.writes.add(work);
        loop {
            tokio::select! {
                biased;
                outcome = &mut write.outcome => return outcome.map_err(ApiError::internal)?,
                permit = self.acquire(&self.write_permits) => match permit {
                    Ok(permit) => self.run_writes(permit),
                    Err(fault) if write.cancel() => return Err(fault),
                    // A transaction runs the write now.
                    Err(_) => return (&mut write.outcome).await.map_err(ApiError::internal)?,
                },
            }
        }
    }

    /// Runs the writes that wait, on a thread that may block.
    fn run_writes(&self, permit: OwnedSemaphorePermit) {
        // Now, and not on the thread: a request that gives up does not remove its write after it got the permit.
        let Some(first) = self.writes.take() else { return };
        let database = self.clone();
        drop(spawn_blocking(move || {
            // The transaction continues after the client disconnects.
            let _permit = permit;
            let on_commit = || {
                // Only after a commit: the delivery worker writes too, and must not wake itself after a failure.
                database.committed.notify_one();
                database.changes().notify();
            };
            if let Ok(store) = database.store() {
                database.writes.run(first, store, on_commit);
            }
        }));
    }

    /// Runs `work` in a write transaction like [`Self::write`], but wakes neither event streams nor the delivery worker.
    /// `work` must change only data that SDKs do not receive.
    pub(crate) async fn write_internal<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        self.run_exclusively(move |store| store.write_internal(work)).await
    }

    /// Runs `work` on a thread that may block, while no write transaction of this process runs. `work` begins its own
    /// transactions.
    pub(crate) async fn run_exclusively<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Store) -> Result<T, ApiError> + Send + 'static,
    {
        self.run_blocking(&self.write_permits, move |database| work(database.store()?)).await
    }

    /// Runs `work` on a thread of its own. It counts as one of the concurrent reads if a connection is free now.
    pub(crate) fn spawn_read(&self, work: impl FnOnce(&Store) + Send + 'static) {
        let permit = Arc::clone(&self.read_permits).try_acquire_owned();
        let database = self.clone();
        thread::spawn(move || {
            let _permit = permit;
            if let Ok(store) = database.store() {
                work(store);
            }
        });
    }

    /// Returns the value that was parsed from a body. If it is invalid, returns the error of `check` first, which reads
    /// whether the item exists: clients distinguish a missing item and a used name by the status, whatever the body contains.
    ///
    /// # Errors
    /// The error of `check` if the body is invalid, otherwise the error of reading the body.
    pub(crate) async fn check_before_body<T, C>(
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
    pub(crate) async fn check(&self) -> Result<(), ApiError> {
        let check = |database: &Self| {
            let store = database.store()?;
            store.read(|tx| Ok(tx.read_instance_id()?))?;
            store.check_files()
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
            drop(self.run_blocking(&self.read_permits, |database| database.store()?.check_files()).await);
        }
    }

    /// Closes the files of the database after the transactions that are running, so that it is one file, and lets another server use
    /// it. Later transactions fail.
    /// Does not wait longer than [`MAX_CLOSING`] for a disk that hangs.
    pub(crate) async fn close(&self) {
        self.state.send_replace(State::Closed);
        let readers = u32::try_from(Store::READERS).unwrap_or(1);
        let close = async {
            let reads = Arc::clone(&self.read_permits).acquire_many_owned(readers).await;
            let write = Arc::clone(&self.write_permits).acquire_owned().await;
            let opened = Arc::clone(&self.opened);
            spawn_blocking(move || opened.get().map(|opened| opened.store.close())).await.ok();
            drop((reads, write));
        };
        if tokio::time::timeout(MAX_CLOSING, close).await.is_err() {
            tracing::warn!("the database is not closed, because a transaction or its disk takes too long");
        }
        if let Some(lock) = self.opened.get().and_then(|opened| opened.lock.as_ref()) {
            lock.release();
        }
    }

    /// Waits for a permit. The semaphore is fair. The timeout limits the number of requests that wait for a disk or a server that hangs.
    async fn acquire(&self, permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
        // The transactions that have permits wait longer for a server that hangs.
        let (limit, fault) = if self.changes.is_unreachable() {
            (RESTART_TIME, StorageFault::Unreachable)
        } else {
            (MAX_WAIT, StorageFault::Busy)
        };
        tokio::time::timeout(limit, Arc::clone(permits).acquire_owned())
            .await
            .map_err(|_late| ApiError::Storage(fault))?
            .map_err(ApiError::internal)
    }

    async fn run_blocking<T, W>(&self, permits: &Arc<Semaphore>, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Self) -> Result<T, ApiError> + Send + 'static,
    {
        // Nothing waits for a database that may never open.
        self.store()?;
        let permit = self.acquire(permits).await?;
        let database = self.clone();
        let (sender, outcome) = oneshot::channel();
        let work = move || {
            // The work holds the permit, because it continues after the client disconnects.
            let _permit = permit;
            // The client may be gone.
            drop(sender.send(work(&database)));
        };
        // Boxed: the runtime's code for tasks then exists once, and not once for each operation.
        let work: Box<dyn FnOnce() + Send> = Box::new(work);
        drop(spawn_blocking(work));
        outcome.await.map_err(ApiError::internal)?
    }
}

impl OpenDatabase {
    fn new(store: Store, lock: Option<DataLock>) -> Result<Self, ApiError> {
        let instance_id = store.read(|tx| Ok(tx.read_instance_id()?))?;
        Ok(Self { store, instance_id, lock })
    }

    /// Locks and opens a database.
    fn open(data: &DataLocation, event_hook: EventHook, changes: Arc<Changes>) -> Result<Self, OpenError> {
        // Before the database is opened, because that may migrate its schema.
        let lock = DataLock::acquire(data)?;
        let store = Store::open_with(data, event_hook, changes)?;
        Self::new(store, Some(lock)).map_err(|cause| OpenError::from_first_read(data, cause))
    }
}
