//! Replica for SDKs: a shared HTTP cache (RFC 9111) for the toggles of an upstream (`--replica`).
//!
//! It does not interpret credentials, so that it works with any server. For each [cache key](cache_key), one task asks
//! the upstream for changes in each interval ([`refresh`]); requests of SDKs only read copies. While the upstream does
//! not respond, the copies are served up to a maximum age (RFC 5861, stale-if-error).

mod backlog;
mod bulk;
mod cache_key;
mod changes;
mod copy;
mod entries;
mod entry_state;
mod kept_copies;
mod project_lists;
mod queued_report;
mod reception;
mod recording;
mod refresh;
pub(crate) mod reports;
mod rows;
mod shared_copies;
mod source;
mod status;
mod storable;
mod streaming;
mod token_table;
mod token_validation;

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use actix_web::dev::RequestHead;
use actix_web::http::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::FutureExt as _;
use parking_lot::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

use self::cache_key::{CacheKey, Keys, OWN_SPECIFICATION, PATH, SPECIFICATION};
use self::copy::Reply;
pub use self::copy::ToggleCopy;
use self::entries::{BOUNDS, Entries, Entry};
use self::entry_state::{Answer, Fault, Step, Timing};
use self::kept_copies::KeptCopies;
use self::project_lists::ProjectList;
pub(crate) use self::queued_report::ReportKind;
use self::recording::CopyRecorder;
use self::refresh::Start;
use self::reports::Reports;
use self::shared_copies::OwnLists;
use self::source::OwnRequest;
pub(crate) use self::source::ReplicaSource;
pub use self::status::{CopyStatus, ReplicaStatus};
use self::token_table::TokenTable;
use self::token_validation::TokenValidation;
use crate::config::{self, ClientToken, RequestLimits, Upstream};
use crate::database::KeptDatabase;
use crate::error::{ApiError, DomainError};
use crate::event_stream::Streams;
use crate::hold::{self, CopyScope, HeldCopy, Holds, Served, Source};
use crate::impact_metrics::ImpactMetrics;
use crate::metrics::ReplicaMetrics;
use crate::middleware;
use crate::negotiation::CopyAge;
use crate::recorder::Recorder;
use crate::sdk::source::TokenId;
use crate::upstream::circuit_breaker::CircuitBreaker;
use crate::upstream::client::UpstreamClient;

/// The replica, which all workers share.
#[derive(Clone)]
pub struct Replica(Arc<Inner>);

struct Inner {
    upstream: Upstream,
    limits: RequestLimits,
    circuit_breaker: Arc<CircuitBreaker>,
    /// Requests for the copies that this program itself needs.
    own_requests: Vec<OwnRequest>,
    /// Complete lists of the client tokens of the settings.
    own_lists: Vec<OwnLists>,
    keys: Arc<Keys>,
    timing: Timing,
    entries: Entries,
    kept: KeptCopies,
    /// Tokens that the upstream is asked about; `None` without `frontend-origin`.
    tokens: Option<TokenValidation>,
    metrics: ReplicaMetrics,
    /// Reports of servers, with their own tokens.
    reports: Reports,
    streams: Streams,
    /// Toggles that are held for SDKs.
    holds: Holds,
    /// Records the copies.
    recorder: Option<CopyRecorder>,
    /// Reports to the SDK APIs of this program. Their senders are public, and must not displace other reports.
    evaluation_reports: Reports,
    /// Impact metrics of reports that the upstream has accepted, or will receive later.
    impact_metrics: ImpactMetrics,
    starts: UnboundedSender<Start>,
    /// Taken by the task that sends requests.
    waiting_starts: Mutex<Option<UnboundedReceiver<Start>>>,
}

/// The toggles for a request of an SDK.
struct Toggles {
    /// The copy that contains them.
    entry: Arc<Entry>,
    /// The projects that they are limited to; `None` for the whole copy.
    list: Option<Arc<ProjectList>>,
    served: Served<Arc<ToggleCopy>>,
    age: CopyAge,
    /// The token, if the copy belongs to another one: the answers of the upstream about tokens decide about it.
    token: Option<TokenId>,
}

/// The result of the search for toggles.
enum Found {
    Toggles(Toggles),
    /// The response of the upstream, which contains no toggles.
    Reply(Arc<Reply>),
    /// There are no toggles, or they are too old.
    Unavailable(Fault),
}

impl Found {
    /// Returns the label of the metrics.
    fn result(&self) -> &'static str {
        match self {
            Self::Toggles(Toggles { age, .. }) if age.is_stale => "stale",
            Self::Toggles(_) => "fresh",
            Self::Reply(reply) if reply.is_refusal() => "refused",
            Self::Reply(_) | Self::Unavailable(_) => "failed",
        }
    }
}

impl Inner {
    /// Returns the client token of the settings whose complete list this is.
    fn own_token(&self, entry: &Entry) -> Option<&ClientToken> {
        let own = self.own_lists.iter().find(|lists| lists.listed.key == entry.key)?;
        Some(&own.token)
    }

    /// Returns the requests for the copies that this program itself needs now.
    fn needed_requests(&self) -> impl Iterator<Item = &OwnRequest> {
        self.own_requests.iter().filter(|request| !self.is_covered(&request.token))
    }

    /// Returns the time in milliseconds since 1970, which never goes back.
    fn now(&self) -> u64 {
        self.holds.clock().to_millis(self.holds.now().monotonic)
    }
}

impl Replica {
    /// Creates the replica without connecting to the upstream. The proxy also uses `circuit_breaker`. `recorder` records the
    /// copies, and `database` keeps them.
    pub(crate) fn new(
        upstream: &Upstream,
        settings: &config::Replica,
        limits: &RequestLimits,
        circuit_breaker: Arc<CircuitBreaker>,
        recorder: Option<Recorder>,
        database: Option<KeptDatabase>,
        holds: Holds,
    ) -> Result<Self, ApiError> {
        let mut salt = [0; 16];
        getrandom::fill(&mut salt).map_err(ApiError::internal)?;
        let keys = Arc::new(Keys::new(upstream, salt));
        let (starts, waiting_starts) = unbounded_channel();
        let tokens = (!settings.frontend_origins.is_empty()).then(|| TokenValidation {
            table: Arc::new(TokenTable::new(&upstream.client_tokens, settings, BOUNDS)),
            interval: settings.token_interval,
            pause: settings.token_pause,
            witness: AtomicUsize::new(0),
        });
        let table = tokens.as_ref().map(|tokens| Arc::clone(&tokens.table));
        Ok(Self(Arc::new(Inner {
            kept: KeptCopies::new(database, Arc::clone(&keys), table, holds.clock().clone()),
            tokens,
            own_lists: OwnLists::create(upstream, |headers| keys.key(headers, "")),
            keys,
            upstream: upstream.clone(),
            limits: limits.clone(),
            circuit_breaker,
            own_requests: source::own_requests(upstream),
            timing: Timing::from(settings),
            entries: Entries::new(BOUNDS),
            metrics: ReplicaMetrics::default(),
            reports: Reports::new(settings),
            streams: Streams::new(limits.streams),
            holds,
            recorder: recorder.map(|recorder| CopyRecorder::new(recorder, upstream)),
            evaluation_reports: Reports::new(settings),
            impact_metrics: ImpactMetrics::new(settings.toggle_metrics),
            starts,
            waiting_starts: Mutex::new(Some(waiting_starts)),
        })))
    }

    /// Returns the counters.
    pub(crate) fn metrics(&self) -> &ReplicaMetrics {
        &self.0.metrics
    }

    /// Returns the impact metrics of applications.
    pub(crate) fn impact_metrics(&self) -> &ImpactMetrics {
        &self.0.impact_metrics
    }

    /// Returns the event streams.
    pub(crate) fn streams(&self) -> &Streams {
        &self.0.streams
    }

    /// Returns the holds.
    pub(crate) fn holds(&self) -> &Holds {
        &self.0.holds
    }

    /// Asks the upstream for changes until the future is dropped.
    pub(crate) async fn run(self) {
        let starts = self.0.waiting_starts.lock().take();
        if let Some(starts) = starts {
            refresh::run(&self, starts).await;
        }
    }

    /// Delivers the reports of SDKs until `stop` completes.
    pub(crate) async fn deliver_reports(&self, stop: impl Future<Output = ()>) {
        let Inner { reports, evaluation_reports, upstream, circuit_breaker, .. } = &*self.0;
        let client = UpstreamClient::new(upstream, Arc::clone(circuit_breaker));
        let stop = stop.shared();
        tokio::join!(
            self.0.deliver_reports(&client, reports, stop.clone()),
            self.0.deliver_reports(&client, evaluation_reports, stop.clone()),
        );
    }

    /// Delivers the last reports, and writes the last changes to the database, before the program ends.
    pub(crate) async fn flush(&self) {
        let write = self.0.kept.flush(&self.0.entries, self.0.now(), self.0.timing);
        tokio::join!(self.0.flush_reports(), write);
    }

    /// Handles a request of an SDK for toggles.
    pub(crate) async fn features(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        let Toggles { entry, served, age, .. } =
            match self.find_for_client(request, request.query_string()).await? {
                ControlFlow::Continue(toggles) => toggles,
                ControlFlow::Break(reply) => return Ok(reply.respond()),
            };
        entry.record_poll(request.headers(), self.0.now());
        let mut response = served.value.respond(request, age);
        if let Some((name, value)) = served.held.header() {
            response.headers_mut().append(name, value);
        }
        Ok(response)
    }

    /// Decodes the body of a report; `None` if it can only be forwarded as it is.
    ///
    /// # Errors
    /// The report cannot be decoded and is not forwarded, or it exceeds the limits.
    pub(crate) fn decode_report(&self, headers: &HeaderMap, body: &Bytes) -> Result<Option<Bytes>, ApiError> {
        self.0.decode_report(headers, body)
    }

    /// Keeps a report if reports are collected, or while earlier ones wait or are being delivered, so that the order remains. Returns
    /// false if the report must be forwarded.
    ///
    /// # Errors
    /// Reports are collected, and the body is not a report.
    pub(crate) fn queue_report(
        &self,
        kind: ReportKind,
        headers: &HeaderMap,
        body: &Bytes,
        address: IpAddr,
    ) -> Result<bool, ApiError> {
        let are_collected = self.0.reports.are_collected();
        if !are_collected && self.0.reports.are_delivered() {
            return Ok(false);
        }
        let is_stored = self.0.store_server_report(kind, headers, body, self.0.sender(headers, address));
        if are_collected && !is_stored {
            // Not forwarded: the upstream gets a bounded number of reports of unknown credentials.
            return Err(ApiError::invalid("appName", "must be the name of the application".to_owned()));
        }
        Ok(is_stored)
    }

    /// Returns the response to a report: 202 if the upstream has not received it, and otherwise `forwarded`.
    pub(crate) fn keep_report(
        &self,
        kind: ReportKind,
        headers: &HeaderMap,
        body: &Bytes,
        address: IpAddr,
        forwarded: Result<HttpResponse, ApiError>,
    ) -> Result<HttpResponse, ApiError> {
        self.0.keep_report(kind, headers, body, address, forwarded)
    }

    /// Returns the toggles that the upstream sends to this program.
    async fn copy_for(
        &self,
        headers: &HeaderMap,
        query: &str,
    ) -> Result<(Served<Arc<ToggleCopy>>, CopyAge), ApiError> {
        match self.find_toggles(headers, query, None).await? {
            Found::Toggles(Toggles { served, age, .. }) => Ok((served, age)),
            Found::Reply(reply) => {
                let fault = format!("{}; check the token in the settings", reply.status);
                Err(ApiError::UnexpectedResponse { path: PATH.to_owned(), fault })
            }
            Found::Unavailable(fault) => Err(self.unavailable(fault)),
        }
    }

    /// Checks that the upstream has responded to the tokens of the settings.
    pub(crate) fn check_ready(&self) -> Result<(), ApiError> {
        for OwnRequest { headers, query, .. } in self.0.needed_requests() {
            let entry = self.0.entries.find(&self.0.keys.key(headers, query));
            let state = entry.map(|entry| entry.state.borrow().clone()).unwrap_or_default();
            if !state.has_response() {
                return Err(self.unavailable(state.fault()));
            }
        }
        Ok(())
    }

    /// Checks that there are toggles of each environment of the settings that can be served now. An environment whose tokens the
    /// upstream refuses does not prevent the others from being served.
    pub(crate) fn check_copies(&self) -> Result<(), ApiError> {
        let Inner { own_lists, entries, timing, .. } = &*self.0;
        let now = self.0.now();
        let (mut served, mut waiting) = (BTreeSet::new(), BTreeSet::new());
        for OwnLists { token, listed, .. } in own_lists {
            let (environment, entry) = (&token.environment, entries.find(&listed.key));
            match entry.map(|entry| entry.state.borrow().answer(now, *timing)) {
                Some(Answer::Copy(..)) => drop(served.insert(environment)),
                Some(Answer::Reply(reply)) if reply.is_refusal() => {}
                _ => drop(waiting.insert(environment)),
            }
        }
        let message = match waiting.difference(&served).next() {
            None if !served.is_empty() => return Ok(()),
            None => "The flag service refuses all client tokens. The log names them".to_owned(),
            Some(environment) => {
                let name = environment.as_deref().unwrap_or_default();
                format!("There are no toggles of the environment {name:?} that are recent enough")
            }
        };
        let error = DomainError::new("no_copy", StatusCode::SERVICE_UNAVAILABLE, message);
        Err(error.retry_after(self.retry_seconds()).into())
    }

    /// Handles a request of an SDK for one toggle, which servers answer with its entry in the list.
    pub(crate) async fn feature(&self, request: &HttpRequest, name: &str) -> Result<HttpResponse, ApiError> {
        let Toggles { served, age, .. } = match self.find_for_client(request, request.query_string()).await? {
            ControlFlow::Continue(toggles) => toggles,
            ControlFlow::Break(reply) => return Ok(reply.respond()),
        };
        let Some(toggle) = hold::read_toggle(&served.value.body, name).await? else {
            return Err(ApiError::NotFound(format!("There is no toggle {name:?} for this token")));
        };
        let mut response = HttpResponse::Ok();
        for header in age.headers() {
            response.insert_header(header);
        }
        if let Some(header) = served.held.header() {
            response.insert_header(header);
        }
        Ok(response.content_type("application/json").body(toggle))
    }

    /// Returns true if a toggle is held for any SDK.
    pub(crate) fn is_held(&self, name: &str) -> bool {
        self.0.holds.current().iter().any(|active| active.hold.toggle == name)
    }

    /// Returns the names of the toggles that are off in results of the upstream for the token in these headers: the held ones,
    /// and those that depend on them. The results do not contain dependencies, which are in the copies of servers.
    pub(crate) async fn toggles_off_for_browsers(&self, headers: &HeaderMap) -> BTreeSet<String> {
        let scope = CopyScope { environment: self.0.keys.environment(headers), ..CopyScope::default() };
        let holds = self.0.holds.current();
        let held = holds.iter().map(|active| &active.hold).filter(|hold| hold.applies_to(&scope));
        let mut off: BTreeSet<_> = held.map(|hold| hold.toggle.clone()).collect();
        if off.is_empty() {
            return off;
        }
        for entry in self.0.entries.list() {
            let environment = entry.scope.get().and_then(|scope| scope.environment.as_ref());
            let is_other =
                environment.zip(scope.environment.as_ref()).is_some_and(|(one, other)| one != other);
            if !is_other && let Some((served, _)) = entry.serve_current(&self.0.holds).await {
                off.extend(served.held.children.iter().cloned());
            }
        }
        off
    }

    /// Returns the toggles that SDKs get now, without holds.
    pub(crate) fn copies_for_holds(&self) -> Vec<HeldCopy> {
        let now = self.0.now();
        let describe = |entry: Arc<Entry>| {
            let state = entry.state.borrow();
            let copy = state.copy().filter(|_| state.is_active())?;
            Some(HeldCopy {
                token: entry.last_characters.get().cloned().unwrap_or_default(),
                scope: entry.scope.get().cloned().unwrap_or_default(),
                body: copy.body.clone(),
                upstream_holds: copy.upstream_holds.clone(),
                instances: entry.instances(now),
            })
        };
        self.0.entries.list().into_iter().filter_map(describe).collect()
    }

    /// Returns what SDKs get for a copy.
    async fn serve(&self, entry: &Entry, copy: Source<Arc<ToggleCopy>>) -> Served<Arc<ToggleCopy>> {
        if self.0.holds.is_empty() {
            return Served::original(copy.list);
        }
        entry.serve(&self.0.holds, &copy).await
    }

    /// Finds the toggles for a request of an SDK with this query, or the response of the upstream that contains none.
    async fn find_for_client(
        &self,
        request: &HttpRequest,
        query: &str,
    ) -> Result<ControlFlow<Arc<Reply>, Toggles>, ApiError> {
        let address = middleware::client::from_request(request)?.address;
        let found = self.find_toggles(request.headers(), query, Some(address)).await?;
        self.0.metrics.record_request(found.result());
        match found {
            Found::Toggles(toggles) => Ok(ControlFlow::Continue(toggles)),
            Found::Reply(reply) => Ok(ControlFlow::Break(reply)),
            Found::Unavailable(fault) => Err(self.unavailable(fault)),
        }
    }

    /// Finds the toggles for a request: in the copy of a client token of the settings, or else in one of its own token. `address` is
    /// that of the client; `None` for this program.
    async fn find_toggles(
        &self,
        headers: &HeaderMap,
        query: &str,
        address: Option<IpAddr>,
    ) -> Result<Found, ApiError> {
        if let Some(shared) = self.find_shared(headers, query, address).await? {
            return Ok(Found::Toggles(shared));
        }
        let (entry, answer) = self.find(self.0.keys.key(headers, query), headers, query, address).await?;
        Ok(match answer {
            Answer::Copy(copy, age) => {
                let served = self.serve(&entry, copy).await;
                Found::Toggles(Toggles { entry, list: None, served, age, token: None })
            }
            Answer::Reply(reply) => Found::Reply(reply),
            Answer::Unavailable(fault) => Found::Unavailable(fault),
        })
    }

    /// Finds the entry and the response for a request, and asks the upstream if there is none yet.
    async fn find(
        &self,
        key: CacheKey,
        headers: &HeaderMap,
        query: &str,
        address: Option<IpAddr>,
    ) -> Result<(Arc<Entry>, Answer), ApiError> {
        let Inner { keys, timing, entries, kept, .. } = &*self.0;
        let now = self.0.now();
        let create = || {
            let was_accepted = kept.is_accepted(&keys.request(headers, query));
            entries.find_or_create(key, address, was_accepted, now, *timing)
        };
        let mut entry = entries.find(&key).or_else(create);
        if entry.is_none() && !kept.is_read() && kept.wait_until_read().await.is_some() {
            // Directly after the start, the accepted tokens are not known yet.
            entry = create();
        }
        let entry = entry.ok_or_else(|| self.too_many_tokens())?;
        entry.touch(now);
        let mut step = entry.state.borrow().step(now, *timing);
        let mut waiting_since = now;
        loop {
            let until = match step {
                Step::Respond(answer) => return Ok((entry, answer)),
                Step::Wait(until) => until,
                Step::Start => {
                    self.start(&entry, headers, query, waiting_since);
                    step = entry.state.borrow().step(waiting_since, *timing);
                    continue;
                }
            };
            let mut changes = entry.state.subscribe();
            // A copy from the database shortens the time.
            let result = changes.wait_for(|state| state.wait_until() != until);
            let pause = Duration::from_millis(until.saturating_sub(waiting_since));
            drop(timeout(pause, result).await);
            waiting_since = self.0.now();
            let state = entry.state.borrow();
            step = if state.awaits_result() {
                state.step(waiting_since, *timing)
            } else {
                Step::Respond(state.answer(waiting_since, *timing))
            };
        }
    }

    /// Starts the task of an entry unless another request has started it.
    fn start(&self, entry: &Arc<Entry>, headers: &HeaderMap, query: &str, now: u64) {
        if entry.state.send_if_modified(|state| state.activate(now)) {
            let request = entry.request.get_or_init(|| self.0.keys.request(headers, query)).clone();
            entry.last_characters.get_or_init(|| request.last_characters());
            entry.scope.get_or_init(|| CopyScope {
                environment: self.0.keys.scope(&request).environment,
                is_filtered: !request.query().is_empty(),
            });
            // The receiver ends with the program.
            drop(self.0.starts.send(Start { entry: Arc::clone(entry), request }));
        }
    }

    /// Creates the error for a request without a copy that is recent enough.
    fn unavailable(&self, fault: Fault) -> ApiError {
        let address = &self.0.upstream.authority;
        let reason = match fault {
            Fault::Silent => format!("The flag service at {address} does not respond"),
            Fault::Unusable => {
                format!(
                    "The response of the flag service at {address} cannot be used (the log of Flagdeck says why)"
                )
            }
            Fault::FullCache => format!(
                "The lists of toggles of all tokens take more than {} MiB, which is the limit (use fewer tokens, or tokens of fewer \
                 projects)",
                BOUNDS.bytes >> 20
            ),
        };
        let message = format!("{reason}, and Flagdeck has no copy of the toggles that is recent enough");
        let error = DomainError::new("no_recent_copy", StatusCode::SERVICE_UNAVAILABLE, message);
        error.retry_after(self.retry_seconds()).into()
    }

    /// Creates the error for a request with another token while the upstream is asked about too many.
    fn too_many_tokens(&self) -> ApiError {
        let message =
            "Flagdeck is asked for toggles with too many different tokens or queries. Try again in a moment";
        let error = DomainError::new("too_many_tokens", StatusCode::TOO_MANY_REQUESTS, message);
        error.retry_after(self.retry_seconds()).into()
    }

    /// Returns the seconds after which the upstream is asked again.
    fn retry_seconds(&self) -> u64 {
        self.0.timing.refresh.div_ceil(1000)
    }
}

/// Returns true for a read with the credential of an SDK, or without one. Requests with a session are forwarded, because
/// a session can end at any time.
pub(crate) fn is_request_of_sdk(head: &RequestHead) -> bool {
    matches!(head.method, Method::GET | Method::HEAD)
        && (head.headers().contains_key(AUTHORIZATION) || !head.headers().contains_key(COOKIE))
}

/// Returns the headers of a request of this program with this credential.
fn own_headers(credential: &HeaderValue) -> HeaderMap {
    HeaderMap::from_iter([(AUTHORIZATION, credential.clone()), (SPECIFICATION, OWN_SPECIFICATION.clone())])
}
