//! The service as handlers hold it: work on the database that does not hold up the threads that serve HTTP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web;
use jiff::Timestamp;
use tokio::sync::{Notify, Semaphore};

use super::addons::delivery_worker;
use super::addons::retry_policy::RetryPolicy;
use super::addons::secrets::Secrets;
use super::auth::Author;
use super::client_snapshot::{ClientSnapshot, SnapshotCache};
use super::examples;
use super::model::ToggleMetrics;
use super::store::{DataLocation, OpenError, Session, StorageFault, Store, StoreError, ToggleFilter};
use super::toggle_list::{self, CompressedList, ToggleListCache};
use super::usage::names::{NamesVersion, ToggleNames};
use super::usage::report::{Registration, Report};
use super::usage::{Step, Usage};
use crate::error::ApiError;

/// How long reports are gathered before they are written together.
const GATHERING: Duration = Duration::from_secs(1);
/// How long what could not be written waits until it is tried again.
const RETRY: Duration = Duration::from_secs(5);
/// Time between two checks that the database files are still at their paths.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// How long a piece of work waits for those before it.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// The embedded flag service. Clones share one database.
#[derive(Debug, Clone)]
pub struct Flags {
    store: Arc<Store>,
    /// Who may read and who may write now. Those who wait hold no thread meanwhile.
    reading: Arc<Semaphore>,
    writing: Arc<Semaphore>,
    instance_id: Arc<str>,
    usage: Arc<Usage>,
    snapshot_cache: Arc<SnapshotCache>,
    toggle_list: Arc<ToggleListCache>,
    secrets: Arc<Secrets>,
    outbox: Arc<Notify>,
    retry_policy: RetryPolicy,
}

impl Flags {
    /// Opens, or creates, the database. Blocks: meant for the start of the program.
    ///
    /// # Errors
    /// See [`OpenError`]: each reads as one sentence that names the setting.
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let store = Store::open(data)?;
        let (instance_id, usage) = store
            .read(|session| {
                // The service also starts where only the toggles are damaged.
                let names = toggle_names(session, store.commits()).unwrap_or_else(|cause| {
                    tracing::warn!(%cause, "the names of toggles cannot be read");
                    ToggleNames::unread()
                });
                let windows = session.windows(&names, Timestamp::now())?;
                Ok((session.instance_id()?, Usage::new(windows, names)))
            })
            .map_err(|cause| OpenError::unreadable(data, cause))?;
        Ok(Self {
            store: Arc::new(store),
            reading: Arc::new(Semaphore::new(Store::READERS)),
            writing: Arc::new(Semaphore::new(1)),
            instance_id: instance_id.into(),
            usage: Arc::new(usage),
            snapshot_cache: Arc::default(),
            toggle_list: Arc::default(),
            secrets: Arc::new(Secrets::for_database(data)),
            outbox: Arc::default(),
            retry_policy: RetryPolicy::default(),
        })
    }

    /// The same with other times between deliveries to addons.
    #[must_use]
    pub fn with_retry_policy(self, retry_policy: RetryPolicy) -> Self {
        Self { retry_policy, ..self }
    }

    /// Adds the example toggles in the name of `author`; names that exist, also in the archive, are left alone.
    /// Answers how many are new.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when they cannot be kept.
    pub async fn load_examples(&self, author: Author) -> Result<usize, ApiError> {
        self.write(move |session| examples::load(session, &author.actor_now())).await
    }

    /// The UUID of this installation.
    #[must_use]
    pub fn instance_id(&self) -> &str {
        &self.instance_id
    }

    /// What seals and opens the secrets of addons.
    #[must_use]
    pub fn secrets(&self) -> Arc<Secrets> {
        Arc::clone(&self.secrets)
    }

    /// Tells addons about events until `stop` is done, on the thread that awaits it.
    pub async fn deliver(&self, stop: impl Future<Output = ()>) {
        delivery_worker::run(self.clone(), self.retry_policy.clone(), stop).await;
    }

    /// Waits until this process wrote something that addons may have to be told.
    pub(super) async fn outbox_filled(&self) {
        self.outbox.notified().await;
    }

    /// What client libraries read, ready-made: with every change that was acknowledged by this process, and those of
    /// other processes a moment later.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] when it cannot be read.
    pub async fn client_snapshot(&self) -> Result<ClientSnapshot, ApiError> {
        let commits = self.store.commits();
        if let Some(snapshot) = self.snapshot_cache.get_fresh(commits, Instant::now()) {
            return Ok(snapshot);
        }
        let snapshot_cache = Arc::clone(&self.snapshot_cache);
        self.read(move |session| snapshot_cache.refresh(session, commits)).await
    }

    /// Returns the toggles in use that pass a filter: `FeaturesResponse` in JSON.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if it cannot be read.
    pub async fn toggle_list(&self, filter: ToggleFilter) -> Result<Vec<u8>, ApiError> {
        self.read(move |session| toggle_list::json(session, &filter)).await
    }

    /// Returns all toggles in use, compressed, with every change that was acknowledged before.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if it cannot be read.
    pub async fn compressed_toggle_list(&self) -> Result<CompressedList, ApiError> {
        let commits = self.store.commits();
        let cache = Arc::clone(&self.toggle_list);
        self.read(move |session| cache.get(session, commits)).await
    }

    /// How often toggles were asked for lately.
    #[must_use]
    pub fn metrics(&self) -> ToggleMetrics {
        self.usage.metrics(Timestamp::now())
    }

    /// Takes note of an instance that started. It is written a moment later.
    pub fn register(&self, registration: Registration, address: &str, now: Timestamp) {
        if self.usage.register(registration, address, now) {
            self.write_reported_in(GATHERING);
        }
    }

    /// Counts a report. It is written a moment later.
    pub async fn count(&self, report: &Report, address: &str, now: Timestamp) {
        let commits = self.store.commits();
        if self.usage.needs_names(report, commits) {
            // With the last known names the worst case is that a new toggle shares the quota of unknown names.
            if let Err(cause) = self.read_toggle_names(commits).await {
                self.usage.postpone_names(commits);
                tracing::warn!(%cause, "the names of toggles cannot be read; reports are counted all the same");
            }
        }
        if self.usage.count(report, address, now) {
            self.write_reported_in(GATHERING);
        }
    }

    async fn read_toggle_names(&self, commits: u64) -> Result<(), ApiError> {
        let usage = Arc::clone(&self.usage);
        let work = move |session: &Session<'_>| {
            if !usage.confirm_names(session.newest_event()?, commits) {
                usage.set_names(toggle_names(session, commits)?);
            }
            Ok(())
        };
        self.read(work).await
    }

    /// Writes all reports that are not on disk yet. Reports that cannot be written stay, and are tried again later.
    ///
    /// # Errors
    /// [`ApiError::Storage`] when it cannot be kept.
    pub async fn write_reported(&self) -> Result<(), ApiError> {
        let Some(batch) = self.usage.unwritten() else { return Ok(()) };
        while !self.usage.is_written(batch) {
            // One step at a time: other writes get their turn in between.
            let written = self.blocking(&self.writing, Self::write_step).await;
            if written.is_err() {
                if self.usage.needs_writer() {
                    self.write_reported_in(RETRY);
                }
                return written;
            }
        }
        Ok(())
    }

    /// Does work that shows what was reported until now, as far as it can be written: a full disk is no reason to
    /// show nothing.
    ///
    /// # Errors
    /// Those of the work.
    pub async fn read_reported<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        if let Err(cause) = self.write_reported().await {
            tracing::warn!(%cause, "what applications reported is not shown yet");
        }
        self.read(work).await
    }

    fn write_step(&self) -> Result<(), ApiError> {
        let mut step = Step::default();
        let written = self.store.write(|session| {
            // Taken here, where no other step can be under way.
            step = self.usage.take_step();
            Ok(session.keep_reported(&step.rows, step.checks_uses, Timestamp::now())?)
        });
        match written {
            Ok(new_uses) => self.usage.step_written(step.checks_uses, new_uses),
            Err(_) => self.usage.give_back(step.rows),
        }
        written.map(drop)
    }

    fn write_reported_in(&self, delay: Duration) {
        let flags = self.clone();
        actix_web::rt::spawn(async move {
            actix_web::rt::time::sleep(delay).await;
            flags.usage.writer_came();
            if let Err(cause) = flags.write_reported().await {
                tracing::error!(%cause, "what applications reported could not be written; it is tried again");
            }
        });
    }

    /// Does work that changes nothing, on a thread that may block.
    ///
    /// # Errors
    /// Those of the work.
    pub async fn read<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        self.blocking(&self.reading, move |flags| flags.store.read(work)).await
    }

    /// Does work that is kept as a whole or not at all, on a thread that may block. It goes on to its end also when
    /// the client leaves.
    ///
    /// # Errors
    /// Those of the work, and [`ApiError::Storage`] when it cannot be kept.
    pub async fn write<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        let work = move |flags: &Self| {
            let written = flags.store.write(work)?;
            // Only after a commit: the delivery worker writes too, and must not wake itself up after a failure.
            flags.outbox.notify_one();
            Ok(written)
        };
        self.blocking(&self.writing, work).await
    }

    /// Checks that the database can be read and that writes to it are kept.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if not.
    pub async fn check_storage(&self) -> Result<(), ApiError> {
        let check = |flags: &Self| {
            flags.store.read(|session| Ok(session.instance_id()?))?;
            flags.store.check_files()
        };
        self.blocking(&self.reading, check).await
    }

    /// Checks the database files at intervals, so that the log reports a deleted file before the next write.
    pub async fn watch_files(self) {
        let mut ticks = actix_web::rt::time::interval(FILE_CHECK_INTERVAL);
        loop {
            ticks.tick().await;
            // The store logs each change of the outcome.
            drop(self.blocking(&self.reading, |flags| flags.store.check_files()).await);
        }
    }

    async fn blocking<T, W>(&self, turns: &Arc<Semaphore>, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Self) -> Result<T, ApiError> + Send + 'static,
    {
        // In the order of arrival. A disk that does not answer must not gather requests without end.
        let turn = tokio::time::timeout(LONGEST_WAIT, Arc::clone(turns).acquire_owned())
            .await
            .map_err(|_late| ApiError::Storage(StorageFault::Busy))?
            .map_err(ApiError::internal)?;
        let flags = self.clone();
        let done = web::block(move || {
            // Held by the work: it goes on when the client leaves.
            let _turn = turn;
            work(&flags)
        });
        done.await.map_err(ApiError::internal)?
    }
}

/// Reads the names of all toggles. `commits` must have been read before the session began.
fn toggle_names(session: &Session<'_>, commits: u64) -> Result<ToggleNames, StoreError> {
    let version = NamesVersion { event: session.newest_event()?, commits };
    Ok(ToggleNames::new(session.toggle_names()?, version))
}
