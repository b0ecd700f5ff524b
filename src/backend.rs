//! The backend of the API: the proxy for an upstream, or the embedded flag service.

pub(crate) mod dispatcher;
mod embedded_holds;
mod embedded_recorder;
mod embedded_source;
mod embedded_streams;
mod forwarded_holds;
mod forwarder;
pub(crate) mod sign_in_routes;
mod upstream_access;

use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::task::JoinHandle;
use actix_web::web::Data;
use futures_util::FutureExt as _;
use futures_util::future::OptionFuture;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use self::embedded_recorder::EmbeddedRecorder;
use self::embedded_source::EmbeddedSource;
use self::embedded_streams::EmbeddedStreams;
pub(crate) use self::upstream_access::UpstreamAccess;
use crate::api::SegmentFormat;
use crate::compat::{self, CompatState};
use crate::config::{self, Auth, BasePath, Config, Deliveries, Embedded};
use crate::console::holds::{self, HoldTarget};
use crate::database::{DataLock, OpenError};
use crate::error::ApiError;
use crate::event_stream::Streams;
use crate::flags::Flags;
use crate::flags::auth::{Access, ProviderCheck};
use crate::flags::client::ClientStreams;
use crate::flags::demo::Demo;
use crate::flags::history::delete_old_events;
use crate::hold::{Clock, CopyScope, HeldCopy, Holds, UpstreamHolds};
use crate::metrics::Metrics;
use crate::openapi;
use crate::proxy::ProxyState;
use crate::recorder::Recorder;
use crate::sdk::SdkApi;
use crate::sdk::replica::{Replica, ReplicaSource};
use crate::sign_in::SignIn;

/// Interval in which OpenFeature clients learn of refreshed toggles.
const PUBLISH_INTERVAL: Duration = Duration::from_secs(1);
/// Pause after a checkpoint of the journal could not be queued for addons.
const CHECKPOINT_PAUSE: Duration = Duration::from_secs(10);

/// The handler of `/api`, which is cloned for each worker.
#[derive(Clone)]
pub enum Backend {
    /// An upstream flag service.
    Upstream {
        /// Forwards requests.
        proxy: Box<ProxyState>,
        /// Converts calls that the upstream does not offer.
        compat: CompatState,
        /// Serves toggles to SDKs; `None` if their requests are forwarded.
        replica: Option<Replica>,
        /// APIs for clients that receive results only; `None` without a replica or its client tokens.
        sdk: Option<Data<SdkApi>>,
        /// Access for users who sign in here; `None` if they sign in at the upstream.
        access: Option<UpstreamAccess>,
    },
    /// The embedded flag service.
    Embedded {
        /// The service.
        flags: Data<Flags>,
        /// Access control; shared by all workers, so that sign-in attempts are counted together.
        access: Data<Access>,
        /// Sign-in by OpenID Connect, if users sign in that way.
        sign_in: Option<Arc<SignIn>>,
        /// APIs for clients that receive results only.
        sdk: Data<SdkApi>,
        /// Event streams of server SDKs.
        clients: Data<ClientStreams>,
        /// Prevents another server from using the database file.
        lock: Arc<DataLock>,
        /// All event streams.
        streams: Streams,
        /// Records the toggles of SDKs.
        recorder: Option<EmbeddedRecorder>,
        /// The age at which events of the history are deleted.
        history_keep: Option<Duration>,
        /// How events are sent to addons.
        deliveries: Deliveries,
        /// The OpenAPI document.
        document: Data<openapi::Document>,
    },
}

/// The reasons why the backend cannot start. Each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The database cannot be opened.
    #[error(transparent)]
    Data(#[from] OpenError),
    /// The data of the demo cannot be written.
    #[error("demo: the demo data cannot be written: {0}")]
    Demo(ApiError),
    /// The system provides no random numbers.
    #[error("the system provides no random numbers: {0}")]
    Random(ApiError),
    /// The users cannot be read.
    #[error("data: the users cannot be read: {0}")]
    Users(ApiError),
}

impl Backend {
    /// Opens the database of the embedded flag service, or prepares the proxy without connecting to the upstream.
    /// Both record the toggles of SDKs.
    pub(crate) fn open(config: &Config, recorder: Option<&Recorder>) -> Result<Self, BackendError> {
        let base_path = &config.listen.base_path;
        let open_holds = || Holds::open(config.hold.file.as_deref(), Clock::system());
        match &config.backend {
            config::BackendSettings::Upstream(upstream) => {
                let holds = open_holds();
                let proxy =
                    ProxyState::new(upstream, base_path, &config.limits).map_err(BackendError::Random)?;
                let compat = CompatState::new(upstream, base_path);
                let open = |settings| {
                    let circuit_breaker = Arc::clone(proxy.circuit_breaker());
                    Replica::new(
                        upstream,
                        settings,
                        &config.limits,
                        circuit_breaker,
                        recorder.cloned(),
                        holds.clone(),
                    )
                };
                let replica =
                    upstream.replica.as_ref().map(open).transpose().map_err(BackendError::Random)?;
                let evaluating = replica.as_ref().filter(|_| upstream.serves_open_feature());
                let sdk = evaluating.map(|replica| {
                    let source = ReplicaSource::new(replica.clone(), upstream);
                    Data::new(SdkApi::new(source, config.limits.sdk_rate, replica.streams().clone()))
                });
                let access =
                    upstream.sign_in.as_ref().map(|sign_in| UpstreamAccess::open(sign_in, base_path));
                let access = access.transpose()?.flatten();
                Ok(Self::Upstream { proxy: Box::new(proxy), compat, replica, sdk, access })
            }
            config::BackendSettings::Embedded(embedded) => {
                // Before the database is opened, because that may migrate its schema.
                let lock = Arc::new(DataLock::acquire(&embedded.data)?);
                let flags = Flags::open(&embedded.data)?.with_holds(&open_holds());
                flags.check_key(&embedded.data)?;
                let oidc = embedded.auth.oidc.as_ref();
                let sign_in = oidc.map(|oidc| Arc::new(SignIn::new(Arc::clone(oidc), base_path)));
                let access = open_access(&embedded.auth, sign_in.as_ref(), base_path);
                let (flags, access) = (Data::new(flags), Data::new(access));
                let source = EmbeddedSource::new(flags.clone(), access.clone());
                let streams = Streams::new(config.limits.streams);
                let sdk = Data::new(SdkApi::new(source, config.limits.sdk_rate, streams.clone()));
                let clients = Data::new(ClientStreams::new(streams.clone()));
                let recorder = recorder.map(|recorder| EmbeddedRecorder::new(recorder, &flags));
                let (history_keep, deliveries) = (embedded.history_keep, embedded.deliveries.clone());
                let document = Data::new(openapi::Document::new(base_path));
                Ok(Self::Embedded {
                    flags,
                    access,
                    sign_in,
                    sdk,
                    clients,
                    lock,
                    streams,
                    recorder,
                    history_keep,
                    deliveries,
                    document,
                })
            }
        }
    }

    /// Creates the data of the demo; `None` if the settings do not request a demo.
    pub(crate) async fn prepare_demo(
        &self,
        config: &config::BackendSettings,
    ) -> Result<Option<Demo>, BackendError> {
        match (self, config) {
            (
                Self::Embedded { flags, .. },
                config::BackendSettings::Embedded(Embedded { demo: true, .. }),
            ) => Demo::prepare(flags).await.map(Some).map_err(BackendError::Demo),
            _ => Ok(None),
        }
    }

    /// Warns if sign-in is required and there are no users.
    pub(crate) async fn check_users(&self) -> Result<(), BackendError> {
        if let Self::Embedded { flags, access, .. } = self
            && access.has_no_users(&flags.database).await.map_err(BackendError::Users)?
        {
            tracing::warn!("there are no users who can sign in; add one with: flagdeck user add NAME");
        }
        Ok(())
    }

    /// Returns true if requests continue after the client has disconnected. Forwarded requests are cancelled; changes of
    /// the embedded service are completed.
    #[must_use]
    pub fn completes_requests(&self) -> bool {
        matches!(self, Self::Embedded { .. })
    }

    /// Returns true while the circuit breaker refuses requests to the upstream.
    #[must_use]
    pub fn circuit_is_open(&self) -> bool {
        match self {
            Self::Upstream { proxy, .. } => proxy.circuit_is_open(),
            Self::Embedded { .. } => false,
        }
    }

    /// Returns the version of an upstream with environments, once it is known.
    #[must_use]
    pub fn upstream_version(&self) -> Option<String> {
        match self {
            Self::Upstream { compat, .. } => compat.server_version(),
            Self::Embedded { .. } => None,
        }
    }

    /// Adds the metrics of the backend.
    #[must_use]
    pub fn add_metrics(&self, metrics: Metrics) -> Metrics {
        match self {
            Self::Upstream { compat, replica, .. } => {
                let metrics = metrics.with_conversions(compat.conversions());
                match replica {
                    Some(replica) => metrics
                        .with_replica(replica.metrics())
                        .with_streams(replica.streams().metrics())
                        .with_collector(replica.impact_metrics().clone())
                        .with_holds(replica.holds().metrics()),
                    None => metrics,
                }
            }
            Self::Embedded { streams, flags, .. } => {
                let metrics = metrics
                    .with_streams(streams.metrics())
                    .with_collector(flags.impact_metrics.clone())
                    .with_holds(flags.snapshots.holds().metrics());
                match flags.database.metrics() {
                    Some(database) => metrics.with_database(database),
                    None => metrics,
                }
            }
        }
    }

    /// Updates the metrics that are computed when they are read.
    pub fn update_metrics(&self) {
        if let Some(holds) = self.holds() {
            holds.refresh_metrics();
        }
        match self {
            Self::Upstream { replica, .. } => {
                if let Some(replica) = replica {
                    replica.update_metrics();
                }
            }
            Self::Embedded { flags, .. } => flags.database.update_metrics(),
        }
    }

    /// Returns the event streams of SDKs; `None` if they are forwarded.
    fn streams(&self) -> Option<&Streams> {
        match self {
            Self::Upstream { replica, .. } => replica.as_ref().map(Replica::streams),
            Self::Embedded { streams, .. } => Some(streams),
        }
    }

    /// Closes the event streams of SDKs within this time.
    pub async fn close_streams(&self, period: Duration) {
        OptionFuture::from(self.streams().map(|streams| streams.close(period))).await;
    }

    /// Returns the holds; `None` if SDKs get toggles from the upstream itself.
    #[must_use]
    pub(crate) fn holds(&self) -> Option<&Holds> {
        match self {
            Self::Upstream { replica, .. } => replica.as_ref().map(Replica::holds),
            Self::Embedded { flags, .. } => Some(flags.snapshots.holds()),
        }
    }

    /// Returns the holds, and the toggles that SDKs get.
    ///
    /// # Errors
    /// If SDKs get toggles from the upstream itself, or the database cannot be read.
    pub(crate) async fn hold_target(&self) -> Result<HoldTarget<'_>, ApiError> {
        let holds = self.holds().ok_or_else(holds::unavailable)?;
        Ok(match self {
            Self::Upstream { replica, sdk, .. } => HoldTarget {
                holds,
                copies: replica.as_ref().map(Replica::copies_for_holds).unwrap_or_default().into(),
                forwards_browsers: sdk.as_ref().is_none_or(|sdk| !sdk.serves_browsers()),
            },
            Self::Embedded { flags, clients, .. } => {
                let snapshot = flags.snapshots.for_client(SegmentFormat::Listed).await?;
                let instances = clients.instances();
                let copy = HeldCopy {
                    token: String::new(),
                    scope: CopyScope::default(),
                    body: snapshot.body,
                    instances,
                    upstream_holds: UpstreamHolds::default(),
                };
                HoldTarget { holds, copies: Arc::new([copy]), forwards_browsers: false }
            }
        })
    }

    /// Returns the replica for SDKs.
    #[must_use]
    pub(crate) fn replica(&self) -> Option<&Replica> {
        if let Self::Upstream { replica, .. } = self { replica.as_ref() } else { None }
    }

    /// Checks that requests can be handled. An unreachable upstream does not matter, because the console can still
    /// report the outage to users; the replica waits for the first responses to its tokens. Nor does a shared database that
    /// does not respond, because SDKs get toggles from memory.
    ///
    /// # Errors
    /// If the database cannot be used, or the replica waits.
    pub(crate) async fn check_ready(&self) -> Result<(), ApiError> {
        match self {
            Self::Upstream { replica, .. } => replica.as_ref().map_or(Ok(()), Replica::check_ready),
            Self::Embedded { flags, .. } => flags.snapshots.check_ready().await,
        }
    }

    /// Sends events to addons until `stop` completes.
    pub async fn deliver(&self, stop: impl Future<Output = ()>) {
        if let Self::Embedded { flags, deliveries, .. } = self {
            // The awc client cannot move to another thread.
            flags.deliver(deliveries.clone(), stop).await;
        }
    }

    /// Queues the checkpoints of the journal for addons of the embedded flag service until the journal is closed. While the
    /// database does not respond, only the newest one is kept: it confirms all lines before it.
    pub(crate) async fn record_checkpoints(self, mut checkpoints: watch::Receiver<Option<String>>) {
        while checkpoints.changed().await.is_ok() {
            let line = checkpoints.borrow_and_update().clone();
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

    /// Queues a checkpoint of the journal for addons. Servers behind `--upstream` have addons of their own, which do not know it.
    pub(crate) async fn record_checkpoint(&self, line: Option<String>) -> Result<(), ApiError> {
        match (self, line) {
            (Self::Embedded { flags, .. }, Some(line)) => flags.record_checkpoint(line).await,
            _ => Ok(()),
        }
    }

    /// Spawns a task that watches the flag service: the version and the toggles of the upstream, or the files of the
    /// database and the changes of other processes.
    #[must_use]
    pub fn watch(&self) -> JoinHandle<()> {
        match self {
            Self::Upstream { proxy, compat, replica, sdk, access, .. } => {
                let database = access.as_ref().map(|access| access.database.clone());
                if let Some(database) = &database {
                    database.observe();
                }
                let files = database.map(|database| database.as_ref().clone().watch_files());
                let files = OptionFuture::from(files);
                let version = compat::watch(proxy.as_ref().clone(), compat.clone());
                let toggles = OptionFuture::from(replica.clone().map(Replica::run));
                let holds = self.holds().cloned();
                let changes =
                    OptionFuture::from(sdk.clone().map(|sdk| publish_refreshes(sdk, holds.clone())));
                let holds = OptionFuture::from(holds.clone().map(Holds::run));
                let streams = self.streams().cloned();
                actix_web::rt::spawn(async move {
                    let comments = OptionFuture::from(streams.as_ref().map(Streams::send_comments));
                    tokio::join!(version, toggles, changes, comments, files, holds);
                })
            }
            Self::Embedded { flags, access, sdk, clients, streams, recorder, history_keep, .. } => {
                flags.database.observe();
                let files = flags.database.clone().watch_files();
                let usage = flags.usage.clone().watch_other_processes();
                let pruning =
                    history_keep.map(|keep| delete_old_events(flags.database.clone(), keep, Clock::system()));
                let pruning = OptionFuture::from(pruning);
                let (streams, clients) = (streams.clone(), clients.clone());
                let (flags, access, sdk) = (flags.clone(), access.clone(), sdk.clone());
                let recorder = recorder.clone();
                let holds = flags.snapshots.holds().clone();
                let announcements = embedded_holds::announce(flags.clone(), holds.events());
                let holds = holds.run();
                let switched_off = embedded_holds::end_holds_of_switched_off_toggles(flags.clone());
                actix_web::rt::spawn(async move {
                    let holds = async { tokio::join!(holds, switched_off, announcements) };
                    let comments = streams.clone();
                    let changes = EmbeddedStreams { streams, clients, sdk, flags, access, recorder };
                    tokio::join!(files, usage, pruning, comments.send_comments(), changes.run(), holds);
                })
            }
        }
    }

    /// Writes the data that is only in memory before the program ends: usage counts and the last uses of tokens and sessions, or copies
    /// of the replica.
    pub(crate) async fn flush(&self) -> Result<(), ApiError> {
        match self {
            Self::Upstream { replica, access, .. } => {
                OptionFuture::from(replica.as_ref().map(Replica::flush)).await;
                let Some(access) = access else { return Ok(()) };
                access.access.write_last_uses(&access.database).await
            }
            Self::Embedded { flags, access, recorder, .. } => {
                if let Some(mut recorder) = recorder.clone() {
                    // A change immediately before the end. The error of an unreadable database follows.
                    drop(recorder.record().await);
                }
                let usage = flags.usage.write_pending().await;
                usage.and(access.write_last_uses(&flags.database).await)
            }
        }
    }

    /// Closes the database, and lets another server use its file.
    pub(crate) async fn close(&self) {
        match self {
            Self::Upstream { access, .. } => {
                if let Some(access) = access {
                    access.close().await;
                }
            }
            Self::Embedded { flags, lock, .. } => {
                flags.database.close().await;
                lock.release();
            }
        }
    }
}

/// Creates the access control of users who sign in here.
fn open_access(auth: &Auth, sign_in: Option<&Arc<SignIn>>, base_path: &BasePath) -> Access {
    let access = Access::new(auth, base_path);
    let Some(sign_in) = sign_in.cloned() else { return access };
    let responds = move || {
        let sign_in = Arc::clone(&sign_in);
        async move { sign_in.responds().await }.boxed_local()
    };
    access.with_provider_check(ProviderCheck(Arc::new(responds)))
}

/// Tells OpenFeature clients about refreshed toggles of the replica until the future is dropped.
async fn publish_refreshes(sdk: Data<SdkApi>, holds: Option<Holds>) {
    let mut changes = holds.map(|holds| holds.changes());
    loop {
        match &mut changes {
            Some(changes) => drop(timeout(PUBLISH_INTERVAL, changes.changed()).await),
            None => sleep(PUBLISH_INTERVAL).await,
        }
        // An error keeps the streams open: evaluations of their clients report it.
        drop(sdk.publish().await);
    }
}
