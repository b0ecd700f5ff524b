//! The backend of the API: the proxy for an upstream, or the embedded flag service.

pub(crate) mod embedded;
mod forwarded_holds;
mod forwarder;
mod sdk_parts;
pub(crate) mod sign_in_routes;
mod upstream;
mod upstream_access;

use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::spawn;
use actix_web::rt::task::JoinHandle;
use actix_web::web::Data;
use futures_util::FutureExt as _;
use tokio::sync::watch;

pub(crate) use self::embedded::EmbeddedApi;
use self::sdk_parts::SdkParts;
pub(crate) use self::upstream::{Dispatcher, UpstreamApi};
pub(crate) use self::upstream_access::UpstreamAccess;
use crate::config::{Auth, BackendSettings, BasePath, Config};
use crate::console::holds::{self, HoldTarget};
use crate::database::{KeptDatabase, OpenError};
use crate::error::ApiError;
use crate::flags::auth::{Access, ProviderCheck};
use crate::flags::demo::Demo;
use crate::hold::Holds;
use crate::metrics::Metrics;
use crate::recorder::Recorder;
use crate::sdk::SdkApi;
use crate::sdk::replica::Replica;
use crate::sign_in::SignIn;

/// The handler of `/api`, which is cloned for each worker.
#[derive(Clone)]
pub struct Backend {
    pub(crate) api: Api,
    /// The state of SDKs that this process serves; `None` if their requests are forwarded.
    sdk: Option<SdkParts>,
    /// The time after which ended holds are deleted.
    keep_holds: Duration,
    /// The database of copies and records.
    kept: Option<KeptDatabase>,
}

/// The flag service whose API is served.
#[derive(Clone)]
pub(crate) enum Api {
    /// An upstream flag service.
    Upstream(UpstreamApi),
    /// The embedded flag service.
    Embedded(EmbeddedApi),
}

/// The reasons why the backend cannot start. Each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The database cannot be opened.
    #[error(transparent)]
    Data(#[from] OpenError),
    /// The file with the toggles cannot be used.
    #[error("definitions: {0}")]
    Definitions(String),
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
    /// `kept` is opened later, in the background.
    pub(crate) fn open(
        config: &Config,
        recorder: Option<&Recorder>,
        kept: Option<KeptDatabase>,
    ) -> Result<Self, BackendError> {
        Ok(match &config.backend {
            BackendSettings::Upstream(upstream) => {
                let (api, sdk) = UpstreamApi::open(upstream, config, recorder, kept.as_ref())?;
                Self { api: Api::Upstream(api), sdk, keep_holds: config.hold.keep, kept }
            }
            BackendSettings::Embedded(embedded) => {
                let (api, sdk) = EmbeddedApi::open(embedded, config, recorder)?;
                Self { api: Api::Embedded(api), sdk: Some(sdk), keep_holds: config.hold.keep, kept }
            }
        })
    }

    fn upstream(&self) -> Option<&UpstreamApi> {
        if let Api::Upstream(upstream) = &self.api { Some(upstream) } else { None }
    }

    /// Returns the embedded flag service.
    pub(crate) fn embedded(&self) -> Option<&EmbeddedApi> {
        if let Api::Embedded(embedded) = &self.api { Some(embedded) } else { None }
    }

    /// Reads the stored holds. Creates the data of the demo, if the settings request one, and warns if sign-in is required and there
    /// are no users.
    pub(crate) async fn prepare(&self) -> Result<Option<Demo>, BackendError> {
        if let Some(upstream) = self.upstream() {
            upstream.prepare().await;
        }
        if let Some(sdk) = &self.sdk {
            sdk.holds.synchronize().await;
        }
        let Some(embedded) = self.embedded() else { return Ok(None) };
        embedded.prepare().await
    }

    /// Returns true if requests continue after the client has disconnected. Forwarded requests are cancelled; changes of
    /// the embedded service are completed.
    #[must_use]
    pub fn completes_requests(&self) -> bool {
        self.embedded().is_some()
    }

    /// Returns true while the circuit breaker refuses requests to the upstream.
    #[must_use]
    pub fn circuit_is_open(&self) -> bool {
        self.upstream().is_some_and(|upstream| upstream.proxy.circuit_is_open())
    }

    /// Returns the version of an upstream with environments, once it is known.
    #[must_use]
    pub fn upstream_version(&self) -> Option<String> {
        self.upstream()?.compat.server_version()
    }

    /// Adds the metrics of the backend.
    #[must_use]
    pub fn add_metrics(&self, metrics: Metrics) -> Metrics {
        let metrics = self.sdk.iter().fold(metrics, |metrics, sdk| sdk.add_metrics(metrics));
        match &self.api {
            Api::Upstream(upstream) => upstream.add_metrics(metrics),
            Api::Embedded(embedded) => embedded.add_metrics(metrics),
        }
    }

    /// Updates the metrics that are computed when they are read.
    pub fn update_metrics(&self) {
        if let Some(sdk) = &self.sdk {
            sdk.holds.refresh_metrics();
        }
        match &self.api {
            Api::Upstream(upstream) => upstream.update_metrics(),
            Api::Embedded(embedded) => embedded.flags.database.update_metrics(),
        }
    }

    /// Closes the event streams of SDKs within this time.
    pub async fn close_streams(&self, period: Duration) {
        if let Some(sdk) = &self.sdk {
            sdk.streams.close(period).await;
        }
    }

    /// Returns the APIs for clients that receive results only; `None` if this process does not serve them.
    pub(crate) fn sdk_api(&self) -> Option<&Data<SdkApi>> {
        self.sdk.as_ref()?.api.as_ref()
    }

    /// Returns the holds; `None` if SDKs get toggles from the upstream itself.
    #[must_use]
    pub(crate) fn holds(&self) -> Option<&Holds> {
        self.sdk.as_ref().map(|sdk| &sdk.holds)
    }

    /// Returns the holds, and the toggles that SDKs get.
    ///
    /// # Errors
    /// If SDKs get toggles from the upstream itself, or the database cannot be read.
    pub(crate) async fn hold_target(&self) -> Result<HoldTarget<'_>, ApiError> {
        let holds = self.holds().ok_or_else(holds::unavailable)?;
        let copies = match &self.api {
            Api::Upstream(upstream) => upstream.copies_for_holds(),
            Api::Embedded(embedded) => embedded.copies_for_holds().await?,
        };
        let forwards_browsers = self.sdk_api().is_none_or(|api| !api.serves_browsers());
        Ok(HoldTarget { holds, copies: copies.into(), forwards_browsers })
    }

    /// Returns the replica for SDKs.
    #[must_use]
    pub(crate) fn replica(&self) -> Option<&Replica> {
        self.upstream()?.replica.as_ref()
    }

    /// Checks that requests can be handled. An unreachable upstream does not matter, because the console can still
    /// report the outage to users; the replica waits for the first responses to its tokens. Nor does a shared database that
    /// does not respond, because SDKs get toggles from memory.
    ///
    /// # Errors
    /// If the database cannot be used, or the replica waits.
    pub(crate) async fn check_ready(&self) -> Result<(), ApiError> {
        match &self.api {
            Api::Upstream(upstream) => upstream.check_ready(),
            Api::Embedded(embedded) => embedded.flags.snapshots.check_ready().await,
        }
    }

    /// Sends events to addons, or reports of SDKs to the upstream, until `stop` completes.
    pub async fn deliver(&self, stop: impl Future<Output = ()>) {
        match &self.api {
            Api::Upstream(upstream) => upstream.deliver(stop).await,
            Api::Embedded(embedded) => embedded.deliver(stop).await,
        }
    }

    /// Queues the checkpoints of the journal for addons of the embedded flag service until the journal is closed. Servers behind
    /// `--upstream` have addons of their own, which do not know checkpoints.
    pub(crate) async fn record_checkpoints(self, checkpoints: watch::Receiver<Option<String>>) {
        if let Some(embedded) = self.embedded() {
            embedded.record_checkpoints(checkpoints).await;
        }
    }

    /// Queues a checkpoint of the journal for addons of the embedded flag service, unless it was the last one that was queued.
    pub(crate) async fn record_checkpoint(&self, line: Option<String>) -> Result<(), ApiError> {
        let Some((embedded, line)) = self.embedded().zip(line) else { return Ok(()) };
        embedded.record_checkpoint(line).await
    }

    /// Spawns the tasks that run until the program stops. The caller must abort them.
    #[must_use]
    pub fn spawn_tasks(&self) -> Vec<JoinHandle<()>> {
        let mut tasks = match &self.api {
            Api::Upstream(upstream) => upstream.spawn_tasks(self.sdk.as_ref()),
            Api::Embedded(embedded) => embedded.spawn_tasks(self.sdk.as_ref()),
        };
        tasks.extend(self.sdk.iter().flat_map(|sdk| sdk.spawn_tasks(self.keep_holds)));
        tasks.extend(self.kept.iter().map(|kept| spawn(kept.clone().run())));
        tasks
    }

    /// Writes data that is only in memory: holds, usage counts and last uses of tokens and sessions, or copies of the replica.
    pub(crate) async fn flush(&self) -> Result<(), ApiError> {
        if let Some(sdk) = &self.sdk {
            sdk.holds.synchronize().await;
        }
        match &self.api {
            Api::Upstream(upstream) => upstream.flush().await,
            Api::Embedded(embedded) => embedded.flush().await,
        }
    }

    /// Closes the databases, and lets another server use their files.
    pub(crate) async fn close(&self) {
        if let Some(kept) = &self.kept {
            kept.close().await;
        }
        match &self.api {
            Api::Upstream(upstream) => upstream.close().await,
            Api::Embedded(embedded) => embedded.close().await,
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
