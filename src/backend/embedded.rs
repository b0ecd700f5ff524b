//! The API of the embedded flag service, and its background tasks.

pub(crate) mod definitions;
mod holds;
mod overrides;
mod recorder;
mod source;
mod streams;

use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::spawn;
use actix_web::rt::task::JoinHandle;
use actix_web::web::Data;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::sleep;

use self::recorder::EmbeddedRecorder;
use self::source::EmbeddedSource;
use super::sdk_parts::SdkParts;
use super::{BackendError, open_access};
use crate::clock::Clock;
use crate::config::{Config, Definitions, Deliveries, Embedded};
use crate::database::DataLock;
use crate::error::ApiError;
use crate::event_stream::Streams;
use crate::flags::Flags;
use crate::flags::auth::Access;
use crate::flags::client::ClientStreams;
use crate::flags::demo::Demo;
use crate::flags::history::delete_old_events;
use crate::hold::{CopyScope, HeldCopy, HoldStorage, Holds, UpstreamHolds};
use crate::metrics::{DefinitionsMetrics, Metrics};
use crate::openapi;
use crate::recorder::Recorder;
use crate::sdk::SdkApi;
use crate::sign_in::SignIn;

/// Pause after a checkpoint of the journal could not be queued for addons.
const CHECKPOINT_PAUSE: Duration = Duration::from_secs(10);

/// The API of the embedded flag service, which all workers share.
#[derive(Clone)]
pub(crate) struct EmbeddedApi {
    /// The service.
    pub(crate) flags: Data<Flags>,
    /// Access control; shared by all workers, so that sign-in attempts are counted together.
    pub(crate) access: Data<Access>,
    /// Sign-in by OpenID Connect, if users sign in that way.
    pub(crate) sign_in: Option<Arc<SignIn>>,
    /// Event streams of server SDKs.
    pub(crate) clients: Data<ClientStreams>,
    /// The OpenAPI document.
    pub(crate) document: Data<openapi::Document>,
    /// Prevents another server from using the database file.
    lock: Arc<DataLock>,
    /// Records the toggles of SDKs.
    recorder: Option<EmbeddedRecorder>,
    /// The age at which events of the history are deleted.
    history_keep: Option<Duration>,
    /// How events are sent to addons.
    deliveries: Deliveries,
    is_demo: bool,
    /// The file that the toggles come from.
    definitions: Option<DefinitionsFile>,
    /// The last checkpoint of the journal that was queued for addons.
    queued_checkpoint: Arc<Mutex<Option<String>>>,
}

/// The file of `definitions`.
#[derive(Clone)]
struct DefinitionsFile {
    settings: Definitions,
    metrics: DefinitionsMetrics,
    /// Hash of the content that the service has.
    loaded: Arc<Mutex<[u8; 32]>>,
}

impl EmbeddedApi {
    /// Opens the database.
    pub(super) fn open(
        embedded: &Embedded,
        config: &Config,
        recorder: Option<&Recorder>,
    ) -> Result<(Self, SdkParts), BackendError> {
        let base_path = &config.listen.base_path;
        // Before the database is opened, because that may migrate its schema.
        let lock = Arc::new(DataLock::acquire(&embedded.data)?);
        let flags = Flags::open(&embedded.data)?;
        let database = &flags.database;
        let storage = HoldStorage::for_data(&embedded.data, database, database.instance_id());
        let holds = Holds::new(storage, Clock::system());
        let flags = flags.with_holds(&holds);
        let flags = if config.operation.toggle_metrics { flags.with_toggle_metrics() } else { flags };
        flags.check_key(&embedded.data)?;
        let oidc = embedded.auth.oidc.as_ref();
        let sign_in = oidc.map(|oidc| Arc::new(SignIn::new(Arc::clone(oidc), base_path)));
        let access = open_access(&embedded.auth, sign_in.as_ref(), base_path);
        let (flags, access) = (Data::new(flags), Data::new(access));
        let accepts_any_token =
            embedded.definitions.as_ref().is_some_and(|definitions| definitions.tokens.is_empty());
        let source = EmbeddedSource::new(flags.clone(), access.clone(), accepts_any_token);
        let streams = Streams::new(config.limits.streams);
        let sdk = SdkParts {
            holds,
            api: Some(Data::new(SdkApi::new(source, config.limits.sdk_rate, streams.clone()))),
            streams: streams.clone(),
            impact_metrics: flags.impact_metrics.clone(),
        };
        let api = Self {
            sign_in,
            clients: Data::new(ClientStreams::new(streams)),
            document: Data::new(openapi::Document::new(base_path)),
            lock,
            recorder: recorder.map(|recorder| EmbeddedRecorder::new(recorder, &flags)),
            history_keep: embedded.history_keep,
            deliveries: embedded.deliveries.clone(),
            is_demo: embedded.demo,
            definitions: embedded.definitions.clone().map(|settings| DefinitionsFile {
                settings: *settings,
                metrics: DefinitionsMetrics::default(),
                loaded: Arc::default(),
            }),
            queued_checkpoint: Arc::default(),
            flags,
            access,
        };
        Ok((api, sdk))
    }

    /// Creates the data of the demo or reads the file with the toggles, if the settings request it, and warns if sign-in is required and
    /// there are no users.
    pub(super) async fn prepare(&self) -> Result<Option<Demo>, BackendError> {
        if let Some(DefinitionsFile { settings, metrics, loaded }) = &self.definitions {
            *loaded.lock() =
                definitions::load(&self.flags, settings).await.map_err(BackendError::Definitions)?;
            metrics.set_valid(true);
            for change in &settings.overrides {
                tracing::warn!(result = %change, "override: a toggle has another result than in the file");
            }
        }
        let demo = if self.is_demo { Some(Demo::prepare(&self.flags).await) } else { None };
        let demo = demo.transpose().map_err(BackendError::Demo)?;
        if self.access.has_no_users(&self.flags.database).await.map_err(BackendError::Users)? {
            tracing::warn!("there are no users who can sign in; add one with: flagdeck user add NAME");
        }
        Ok(demo)
    }

    pub(super) fn add_metrics(&self, metrics: Metrics) -> Metrics {
        let metrics = match &self.definitions {
            Some(definitions) => metrics.with_definitions(&definitions.metrics),
            None => metrics,
        };
        match self.flags.database.metrics() {
            Some(database) => metrics.with_database(database),
            None => metrics,
        }
    }

    /// Returns the toggles that SDKs get, without holds.
    pub(super) async fn copies_for_holds(&self) -> Result<Vec<HeldCopy>, ApiError> {
        let snapshot = self.flags.snapshots.for_holds().await?;
        Ok(vec![HeldCopy {
            token: String::new(),
            scope: CopyScope::default(),
            body: snapshot.body,
            instances: self.clients.instances(),
            upstream_holds: UpstreamHolds::default(),
        }])
    }

    /// Sends events to addons until `stop` completes, on this thread: the awc client cannot move to another one.
    pub(super) async fn deliver(&self, stop: impl Future<Output = ()>) {
        self.flags.deliver(self.deliveries.clone(), stop).await;
    }

    /// Queues the checkpoints of the journal for addons until the journal is closed. While the database does not respond, only the
    /// newest one is kept: it confirms all lines before it.
    pub(super) async fn record_checkpoints(&self, mut checkpoints: watch::Receiver<Option<String>>) {
        while checkpoints.changed().await.is_ok() {
            let Some(line) = checkpoints.borrow_and_update().clone() else { continue };
            while let Err(cause) = self.record_checkpoint(line.clone()).await {
                tracing::error!(%cause, "a checkpoint of the journal cannot be queued for addons; retrying in 10 s");
                sleep(CHECKPOINT_PAUSE).await;
                if checkpoints.has_changed().unwrap_or(false) {
                    checkpoints.mark_changed();
                    break;
                }
            }
        }
    }

    /// Queues a checkpoint of the journal for addons, unless it was the last one that was queued. The end of the program interrupts the
    /// task above, and queues its last checkpoint again.
    pub(super) async fn record_checkpoint(&self, line: String) -> Result<(), ApiError> {
        if self.queued_checkpoint.lock().as_ref() == Some(&line) {
            return Ok(());
        }
        self.flags.record_checkpoint(line.clone()).await?;
        *self.queued_checkpoint.lock() = Some(line);
        Ok(())
    }

    pub(super) fn spawn_tasks(&self, sdk: Option<&SdkParts>) -> Vec<JoinHandle<()>> {
        let Self { flags, .. } = self;
        flags.database.observe();
        let mut tasks = vec![
            // Checks that the files of the database exist.
            spawn(flags.database.clone().watch_files()),
            // Reads usage that other instances have stored.
            spawn(flags.usage.clone().watch_other_processes()),
            // Ends the holds of toggles that the service has switched off.
            spawn(holds::end_holds_of_switched_off_toggles(flags.clone())),
            // Queues starts and ends of holds for addons.
            spawn(holds::announce(flags.clone(), flags.snapshots.holds().events())),
        ];
        if let Some(DefinitionsFile { settings, metrics, loaded }) = self.definitions.clone() {
            // Reads the file with the toggles after each change.
            tasks.push(spawn(definitions::watch(flags.clone(), settings, metrics, *loaded.lock())));
        }
        if let Some(keep) = self.history_keep {
            // Deletes events of the history that are too old.
            tasks.push(spawn(delete_old_events(flags.database.clone(), keep, Clock::system())));
        }
        if let Some(sdk) = sdk {
            // Sends changes of toggles to event streams, and records them.
            tasks.push(spawn(streams::publish_changes(self.clone(), sdk.clone())));
        }
        tasks
    }

    /// Writes usage counts and the last uses of tokens and sessions.
    pub(super) async fn flush(&self) -> Result<(), ApiError> {
        if let Some(mut recorder) = self.recorder.clone() {
            // A change immediately before the end. The error of an unreadable database follows.
            drop(recorder.record().await);
        }
        let usage = self.flags.usage.write_pending().await;
        usage.and(self.access.write_last_uses(&self.flags.database).await)
    }

    pub(super) async fn close(&self) {
        self.flags.database.close().await;
        self.lock.release();
    }
}
