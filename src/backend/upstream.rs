//! The API of an upstream: requests are forwarded, or converted for servers with environments.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::rt::spawn;
use actix_web::rt::task::JoinHandle;
use actix_web::web::Data;
use tokio::time::timeout;

use super::BackendError;
use super::forwarder::Forwarder;
use super::sdk_parts::SdkParts;
use super::upstream_access::UpstreamAccess;
use crate::clock::Clock;
use crate::compat::{self, Compat, CompatState};
use crate::config::{Config, DataLocation, Upstream};
use crate::database::{Database, KeptDatabase};
use crate::error::ApiError;
use crate::flags::open_in_background;
use crate::hold::{HeldCopy, HoldStorage, Holds};
use crate::journal::Journal;
use crate::metrics::Metrics;
use crate::proxy::{Proxy, ProxyState};
use crate::recorder::Recorder;
use crate::sdk::SdkApi;
use crate::sdk::replica::{Replica, ReplicaSource};

/// Maximum time for which a start waits for the database.
const MAX_OPENING: Duration = Duration::from_secs(1);
/// Interval in which OpenFeature clients learn of refreshed toggles.
const PUBLISH_INTERVAL: Duration = Duration::from_secs(1);

/// The API of an upstream, which all workers share.
#[derive(Clone)]
pub(crate) struct UpstreamApi {
    /// Forwards requests.
    pub(crate) proxy: Box<ProxyState>,
    /// Converts calls that the upstream does not offer.
    pub(crate) compat: CompatState,
    /// Serves toggles to SDKs; `None` if their requests are forwarded.
    pub(crate) replica: Option<Replica>,
    /// Access for users who sign in here; `None` if they sign in at the upstream.
    pub(crate) access: Option<UpstreamAccess>,
    /// Only SDKs are served, and no call of the console is converted.
    serves_sdks_only: bool,
    /// The database of sessions and holds; `None` if nothing is kept.
    database: Option<UpstreamDatabase>,
}

/// A database on which no answer to SDKs depends. It is opened in the background.
#[derive(Clone)]
struct UpstreamDatabase {
    database: Database,
    data: DataLocation,
}

impl UpstreamApi {
    /// Prepares the proxy without connecting to the upstream, and the database without opening it.
    pub(super) fn open(
        upstream: &Upstream,
        config: &Config,
        recorder: Option<&Recorder>,
        kept: Option<&KeptDatabase>,
    ) -> Result<(Self, Option<SdkParts>), BackendError> {
        let base_path = &config.listen.base_path;
        let proxy = ProxyState::new(upstream, base_path, &config.limits).map_err(BackendError::Random)?;
        let compat = CompatState::new(upstream, base_path);
        let database = upstream
            .data
            .as_ref()
            .map(|data| UpstreamDatabase { database: Database::unopened(data), data: data.clone() });
        let open_replica = |settings| {
            let source = format!("{}{}", upstream.origin, upstream.path);
            let storage = database.as_ref();
            let storage = storage.and_then(|UpstreamDatabase { database, data }| {
                HoldStorage::for_data(data, database, &source)
            });
            let holds = Holds::new(storage, Clock::system());
            let circuit_breaker = Arc::clone(proxy.circuit_breaker());
            let (recorder, kept) = (recorder.cloned(), kept.cloned());
            Replica::new(upstream, settings, &config.limits, circuit_breaker, recorder, kept, holds)
        };
        let replica = upstream.replica.as_ref().map(open_replica).transpose();
        let replica = replica.map_err(BackendError::Random)?;
        let sdk = replica.as_ref().map(|replica| SdkParts {
            holds: replica.holds().clone(),
            streams: replica.streams().clone(),
            api: upstream.serves_open_feature().then(|| {
                let source = ReplicaSource::new(replica.clone(), upstream);
                Data::new(SdkApi::new(source, config.limits.sdk_rate, replica.streams().clone()))
            }),
            impact_metrics: replica.impact_metrics().clone(),
        });
        let access = upstream.sign_in.as_ref().zip(database.as_ref()).and_then(|(sign_in, database)| {
            UpstreamAccess::new(sign_in, base_path, database.database.clone())
        });
        let serves_sdks_only = config.edge.is_some();
        Ok((Self { proxy: Box::new(proxy), compat, replica, access, serves_sdks_only, database }, sdk))
    }

    /// Begins to open the database, and waits for it for a short time: usually the stored holds count from the first request on. A
    /// database that does not respond does not prevent the start.
    pub(super) async fn prepare(&self) {
        if let Some(UpstreamDatabase { database, data }) = &self.database {
            spawn(open_in_background(database.clone(), data.clone()));
            database.wait_until_open(MAX_OPENING).await;
        }
    }

    pub(super) fn add_metrics(&self, metrics: Metrics) -> Metrics {
        let metrics = metrics.with_conversions(self.compat.conversions());
        match &self.replica {
            Some(replica) => metrics.with_replica(replica.metrics()),
            None => metrics,
        }
    }

    pub(super) fn update_metrics(&self) {
        if let Some(replica) = &self.replica {
            replica.update_metrics();
        }
    }

    /// Returns the toggles that SDKs get from the replica, without holds.
    pub(super) fn copies_for_holds(&self) -> Vec<HeldCopy> {
        self.replica.as_ref().map(Replica::copies_for_holds).unwrap_or_default()
    }

    /// Checks that the replica has responses to its tokens.
    pub(super) fn check_ready(&self) -> Result<(), ApiError> {
        self.replica.as_ref().map_or(Ok(()), Replica::check_ready)
    }

    pub(super) fn spawn_tasks(&self, sdk: Option<&SdkParts>) -> Vec<JoinHandle<()>> {
        let mut tasks = Vec::new();
        if !self.serves_sdks_only {
            // Detects the version of the upstream.
            tasks.push(spawn(compat::watch(self.proxy.as_ref().clone(), self.compat.clone())));
        }
        if let Some(UpstreamDatabase { database, .. }) = &self.database {
            // Checks that the files of the database exist.
            tasks.push(spawn(database.clone().watch_files()));
        }
        if let Some(replica) = &self.replica {
            // Asks the upstream for changes of toggles.
            tasks.push(spawn(replica.clone().run()));
        }
        if let Some(sdk) = sdk {
            // Tells OpenFeature clients about changes of toggles.
            tasks.push(spawn(publish_refreshes(sdk.clone())));
        }
        tasks
    }

    /// Delivers the reports of SDKs until `stop` completes.
    pub(super) async fn deliver(&self, stop: impl Future<Output = ()>) {
        if let Some(replica) = &self.replica {
            replica.deliver_reports(stop).await;
        }
    }

    /// Delivers the last reports, and writes the copies of the replica and the last uses of sessions.
    pub(super) async fn flush(&self) -> Result<(), ApiError> {
        if let Some(replica) = &self.replica {
            replica.flush().await;
        }
        let Some(access) = &self.access else { return Ok(()) };
        access.access.write_last_uses(&access.database).await
    }

    pub(super) async fn close(&self) {
        if let Some(UpstreamDatabase { database, .. }) = &self.database {
            database.close().await;
        }
    }
}

/// Tells OpenFeature clients about refreshed toggles of the replica until the future is dropped.
async fn publish_refreshes(sdk: SdkParts) {
    let mut changes = sdk.holds.changes();
    loop {
        drop(timeout(PUBLISH_INTERVAL, changes.changed()).await);
        // An error keeps the streams open: evaluations of their clients report it.
        drop(sdk.publish().await);
    }
}

/// Responds to requests for the upstream on one worker. If users sign in at this program, `upstream_access` handles them first.
pub(crate) struct Dispatcher {
    forwarder: Forwarder,
    journal: Option<Journal>,
    /// `None` if users sign in at the upstream.
    access: Option<UpstreamAccess>,
}

impl Dispatcher {
    pub(crate) fn new(
        upstream: &UpstreamApi,
        proxy: &Rc<Proxy>,
        compat: &Rc<Compat>,
        journal: Option<Journal>,
    ) -> Self {
        let forwarder = Forwarder::new(proxy, compat, upstream.replica.clone());
        Self { forwarder, journal, access: upstream.access.clone() }
    }

    /// Responds to a request.
    pub(crate) async fn dispatch(self: Rc<Self>, request: ServiceRequest) -> Result<ServiceResponse, Error> {
        let Self { forwarder, journal, access } = &*self;
        // Boxed like the conversion.
        if let Some(access) = access {
            return Box::pin(access.dispatch(forwarder, request)).await;
        }
        let compat = forwarder.compat();
        if journal.is_some() {
            Box::pin(compat.note_person(request.request(), journal.as_ref())).await;
        }
        Box::pin(compat.respond_to_same_user(request, async |request| forwarder.pass_on(request).await)).await
    }
}
