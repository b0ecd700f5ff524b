//! The service as handlers hold it: work on the database that does not hold up the threads that serve HTTP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web;
use jiff::Timestamp;
use tokio::sync::{Notify, Semaphore};

use super::addons::courier;
use super::addons::retries::Pace;
use super::addons::secrets::Secrets;
use super::auth::Editor;
use super::client_answer::{ClientAnswer, ReadyMade};
use super::examples;
use super::model::ToggleMetrics;
use super::store::{DataLocation, OpenError, Session, StorageFault, Store};
use super::usage::Usage;
use super::usage::pending::Pending;
use super::usage::report::{Registration, Report};
use crate::error::ApiError;

/// How long reports are gathered before they are written together.
const GATHERING: Duration = Duration::from_secs(1);
/// How long what could not be written waits until it is tried again.
const RETRY: Duration = Duration::from_secs(5);
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
    ready_made: Arc<ReadyMade>,
    secrets: Arc<Secrets>,
    outbox: Arc<Notify>,
    pace: Pace,
}

impl Flags {
    /// Opens, or creates, the database. Blocks: meant for the start of the program.
    ///
    /// # Errors
    /// See [`OpenError`]: each reads as one sentence that names the setting.
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let store = Store::open(data)?;
        let (instance_id, windows) = store
            .read(|session| Ok((session.instance_id()?, session.windows(Timestamp::now())?)))
            .map_err(|cause| OpenError::unreadable(data, cause))?;
        Ok(Self {
            store: Arc::new(store),
            reading: Arc::new(Semaphore::new(Store::READERS)),
            writing: Arc::new(Semaphore::new(1)),
            instance_id: instance_id.into(),
            usage: Arc::new(Usage::new(windows)),
            ready_made: Arc::default(),
            secrets: Arc::new(Secrets::beside(data)),
            outbox: Arc::default(),
            pace: Pace::default(),
        })
    }

    /// The same with other times between deliveries to addons.
    #[must_use]
    pub fn paced(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// Adds the example toggles in the name of `by`; names that exist, also in the archive, are left alone.
    /// Answers how many are new.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when they cannot be kept.
    pub async fn load_examples(&self, by: Editor) -> Result<usize, ApiError> {
        self.write(move |session| examples::load(session, &by.now())).await
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
        courier::run(self.clone(), self.pace.clone(), stop).await;
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
    pub async fn client_answer(&self) -> Result<ClientAnswer, ApiError> {
        let commits = self.store.commits();
        if let Some(answer) = self.ready_made.fresh(commits, Instant::now()) {
            return Ok(answer);
        }
        let ready_made = Arc::clone(&self.ready_made);
        self.read(move |session| ready_made.renew(session, commits)).await
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

    /// Counts what an instance reports. It is written a moment later.
    pub fn count(&self, report: &Report, address: &str, now: Timestamp) {
        if self.usage.count(report, address, now) {
            self.write_reported_in(GATHERING);
        }
    }

    /// Writes what was reported and is not written yet. What cannot be written stays, and is tried again later.
    ///
    /// # Errors
    /// [`ApiError::Storage`] when it cannot be kept.
    pub async fn write_reported(&self) -> Result<(), ApiError> {
        if self.usage.is_written() {
            return Ok(());
        }
        let written = self.blocking(&self.writing, Self::write_reported_now).await;
        if written.is_err() && self.usage.needs_writer() {
            self.write_reported_in(RETRY);
        }
        written
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

    fn write_reported_now(&self) -> Result<(), ApiError> {
        // Nobody else writes meanwhile: whoever reads after this finds it written.
        let mut batch = Pending::default();
        let written = self.store.write(|session| {
            batch = self.usage.take_pending();
            if batch.is_empty() { Ok(()) } else { Ok(session.keep_reported(&batch, Timestamp::now())?) }
        });
        match written {
            Ok(()) => self.usage.written(),
            Err(_) => self.usage.give_back(batch),
        }
        written
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
            let written = flags.store.write(work);
            flags.outbox.notify_one();
            written
        };
        self.blocking(&self.writing, work).await
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
