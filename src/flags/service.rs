//! The service as handlers hold it: work on the database that does not hold up the threads that serve HTTP.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use jiff::Timestamp;
use tokio::sync::Notify;

use super::addons::courier;
use super::addons::retries::Pace;
use super::addons::secrets::Secrets;
use super::client_answer::{ClientAnswer, ReadyMade};
use super::events::Actor;
use super::examples;
use super::model::ToggleMetrics;
use super::store::{DataLocation, OpenError, Session, Store};
use super::usage::Usage;
use super::usage::report::{Registration, Report};
use crate::error::ApiError;

/// How long reports are gathered before they are written together.
const GATHERING: Duration = Duration::from_secs(1);

/// The embedded flag service. Clones share one database.
#[derive(Debug, Clone)]
pub struct Flags {
    store: Arc<Store>,
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

    /// Adds the example toggles in the name of `actor`; names that exist, also in the archive, are left alone.
    /// Answers how many are new.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when they cannot be kept.
    pub async fn load_examples(&self, actor: &str) -> Result<usize, ApiError> {
        let actor = Actor::now(actor);
        self.write(move |session| examples::load(session, &actor)).await
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

    /// What client libraries read, ready-made.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when it cannot be read.
    pub async fn client_answer(&self) -> Result<ClientAnswer, ApiError> {
        let ready_made = Arc::clone(&self.ready_made);
        self.read(move |session| ready_made.get(session)).await
    }

    /// How often toggles were asked for lately.
    #[must_use]
    pub fn metrics(&self) -> ToggleMetrics {
        self.usage.metrics(Timestamp::now())
    }

    /// Takes note of an instance that started. It is written a moment later.
    pub fn register(&self, registration: Registration, address: &str, now: Timestamp) {
        if self.usage.register(registration, address, now) {
            self.write_reported_soon();
        }
    }

    /// Counts what an instance reports. It is written a moment later.
    pub fn count(&self, report: &Report, address: &str, now: Timestamp) {
        if self.usage.count(report, address, now) {
            self.write_reported_soon();
        }
    }

    /// Writes what was reported and is not written yet.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when it cannot be kept.
    pub async fn write_reported(&self) -> Result<(), ApiError> {
        let usage = Arc::clone(&self.usage);
        // Taken while nothing else can use the database: whoever reads after this finds it written.
        let work = move |session: &Session<'_>| {
            let pending = usage.take_pending();
            if pending.is_empty() { Ok(()) } else { Ok(session.keep_reported(&pending, Timestamp::now())?) }
        };
        self.write(work).await
    }

    /// Does work that shows what was reported until now.
    ///
    /// # Errors
    /// Those of the work, and of [`Flags::write_reported`].
    pub async fn read_reported<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        self.write_reported().await?;
        self.read(work).await
    }

    fn write_reported_soon(&self) {
        let flags = self.clone();
        actix_web::rt::spawn(async move {
            actix_web::rt::time::sleep(GATHERING).await;
            if let Err(cause) = flags.write_reported().await {
                tracing::error!(%cause, "what applications reported could not be written");
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
        let store = Arc::clone(&self.store);
        web::block(move || store.read(work)).await.map_err(ApiError::internal)?
    }

    /// Does work that is kept as a whole or not at all, on a thread that may block. It goes on to its end also when
    /// the client leaves.
    ///
    /// # Errors
    /// Those of the work, and [`ApiError::Internal`] when it cannot be kept.
    pub async fn write<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        let store = Arc::clone(&self.store);
        let outbox = Arc::clone(&self.outbox);
        let work = move || {
            let written = store.write(work);
            outbox.notify_one();
            written
        };
        web::block(work).await.map_err(ApiError::internal)?
    }
}
