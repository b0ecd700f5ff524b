//! The embedded flag service: opens the database, and composes the parts that handlers and background tasks use.

use std::sync::Arc;

use actix_web::web::{Data, ServiceConfig};

use super::addons::secrets::Secrets;
use super::addons::{delivery_worker, outbox, transactions};
use super::client::Snapshots;
use super::toggles::list::ToggleListCache;
use super::usage::UsageReports;
use crate::config::{DataLocation, Deliveries};
use crate::database::{Database, OpenError, Store};
use crate::error::ApiError;
use crate::hold::{HoldEvent, Holds};
use crate::impact_metrics::ImpactMetrics;

/// Opens or creates the database, for commands. Recorded events are delivered to addons when a server runs.
pub(crate) fn open_store(data: &DataLocation) -> Result<Store, OpenError> {
    Store::open(data, outbox::queue)
}

/// Opens the database for the users, sessions and holds in front of an upstream, and again after each failure.
pub(crate) async fn open_in_background(database: Database, data: DataLocation) {
    database.open(data, outbox::queue).await;
}

/// The embedded flag service. Clones share one database.
#[derive(Debug, Clone)]
pub struct Flags {
    /// Transactions.
    pub database: Database,
    /// Usage that applications report.
    pub usage: UsageReports,
    /// Impact metrics that applications report.
    pub impact_metrics: ImpactMetrics,
    /// Toggles in memory for SDKs.
    pub snapshots: Snapshots,
    /// Cached toggle list of the console.
    pub toggle_list: Arc<ToggleListCache>,
    /// Encryption of addon secrets.
    pub secrets: Arc<Secrets>,
}

impl Flags {
    /// Opens or creates the database. Blocks the thread; call it only at the start of the program.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let unreadable = |cause| OpenError::from_first_read(data, cause);
        let database = Database::new(open_store(data)?).map_err(unreadable)?;
        Ok(Self {
            usage: UsageReports::load(&database).map_err(unreadable)?,
            impact_metrics: ImpactMetrics::default(),
            snapshots: Snapshots::new(&database),
            database,
            toggle_list: Arc::default(),
            secrets: Arc::new(Secrets::for_database(data)),
        })
    }

    /// Checks that the key decrypts the stored secrets of addons, if the database is shared: instances on other machines
    /// have key files of their own.
    pub(crate) fn check_key(&self, data: &DataLocation) -> Result<(), OpenError> {
        let Some(file) = data.key_file().filter(|_| self.database.is_shared()) else { return Ok(()) };
        let stored = self.database.store().and_then(|store| store.read(|tx| Ok(tx.list_secrets()?)));
        let stored = stored.map_err(|cause| OpenError::from_first_read(data, cause))?;
        self.secrets.check(&stored).map_err(|cause| OpenError::Key { file, cause: cause.to_string() })
    }

    /// Returns the service with holds of toggles for SDKs.
    #[must_use]
    pub(crate) fn with_holds(self, holds: &Holds) -> Self {
        Self { snapshots: self.snapshots.with_holds(holds), ..self }
    }

    /// Returns the service that also counts the evaluations in reports.
    #[must_use]
    pub(crate) fn with_toggle_metrics(self) -> Self {
        Self { impact_metrics: ImpactMetrics::new(true), ..self }
    }

    /// Adds the parts that handlers use to the app data.
    pub(crate) fn add_app_data(&self, config: &mut ServiceConfig) {
        config
            .app_data(Data::new(self.database.clone()))
            .app_data(Data::new(self.usage.clone()))
            .app_data(Data::new(self.impact_metrics.clone()))
            .app_data(Data::new(self.snapshots.clone()))
            .app_data(Data::from(Arc::clone(&self.toggle_list)))
            .app_data(Data::from(Arc::clone(&self.secrets)));
    }

    /// Queues a checkpoint of the journal, as its line there, for the addons that listen to checkpoints.
    pub(crate) async fn record_checkpoint(&self, line: String) -> Result<(), ApiError> {
        self.database.write_internal(move |tx| transactions::record_checkpoint(tx, &line)).await
    }

    /// Queues the start or end of a hold for the addons that listen to it.
    pub(crate) async fn record_hold_event(&self, event: HoldEvent) -> Result<(), ApiError> {
        self.database.write_internal(move |tx| transactions::record_hold_event(tx, &event)).await
    }

    /// Sends events to addons until `stop` completes, on the thread that awaits this future.
    pub async fn deliver(&self, deliveries: Deliveries, stop: impl Future<Output = ()>) {
        delivery_worker::run(self.database.clone(), Arc::clone(&self.secrets), deliveries, stop).await;
    }
}
