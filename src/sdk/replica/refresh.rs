//! Asks the upstream for changes. One thread sends all requests, so that workers only read copies.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use actix_web::body::to_bytes_limited;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::time::timeout;

use super::cache_key::FeatureRequest;
use super::copy::{Reply, ToggleCopy};
use super::entries::Entry;
use super::entry_state::{EntryState, Fault, Outcome};
use super::kept_copies::{Found, KeptState, Removal};
use super::source::OwnRequest;
use super::{Inner, Replica, streaming};
use crate::evaluation::{RawToggles, ToggleName};
use crate::hold::{ActiveHolds, Holds, ToggleState};
use crate::log_limit::LogLimit;
use crate::upstream::client::UpstreamClient;
use crate::upstream::request_body::RequestBody;

/// Responses of the upstream cannot be used.
static UNUSABLE_RESPONSE: LogLimit = LogLimit::new();

/// A copy becomes stale.
static STALE_COPY: LogLimit = LogLimit::new();

/// Maximum number of simultaneous requests to the upstream.
const MAX_REQUESTS: usize = 16;
/// Maximum size of a copy in bytes. A list of 10,000 toggles takes about 6 MB.
pub(super) const MAX_BODY: usize = 32 << 20;
/// Maximum size of another response in bytes.
const MAX_REPLY: usize = 64 << 10;
/// Time in which changes are collected before they are written to the database.
const COLLECTION_TIME: Duration = Duration::from_millis(200);
/// Time for which the first request for a key waits for the copy in the database, so that it is conditional.
const HEAD_START: Duration = Duration::from_millis(100);

/// An entry that needs a task, with the request that its key belongs to.
pub(super) struct Start {
    pub(super) entry: Arc<Entry>,
    pub(super) request: FeatureRequest,
}

/// Sends the requests of a replica.
struct Refresher<'a> {
    replica: &'a Replica,
    client: UpstreamClient,
    permits: Semaphore,
    /// One new list is read and compressed at a time, so that other requests get the rest of the processor when all lists change.
    reading: Semaphore,
}

/// Keeps the entries fresh until the future is dropped.
pub(super) async fn run(replica: &Replica, mut starts: UnboundedReceiver<Start>) {
    let refresher = Refresher {
        replica,
        client: UpstreamClient::new(&replica.0.upstream, Arc::clone(&replica.0.circuit_breaker)),
        permits: Semaphore::new(MAX_REQUESTS),
        reading: Semaphore::new(1),
    };
    let mut tasks = FuturesUnordered::new();
    let mut own_tasks = pin!(async {
        tokio::join!(
            replica.0.kept.prepare(),
            refresher.store(),
            refresher.warm_up(),
            replica.0.validate_tokens(&refresher.client),
        )
    });
    loop {
        tokio::select! {
            Some(start) = starts.recv() => tasks.push(refresher.keep_fresh(start)),
            Some(()) = tasks.next(), if !tasks.is_empty() => {}
            _never = &mut own_tasks => {}
        }
    }
}

/// Sends changes of the holds to the streams, while the task of an entry waits.
struct HoldObserver<'a> {
    holds: &'a Holds,
    changes: watch::Receiver<ActiveHolds>,
}

impl HoldObserver<'_> {
    /// Completes `work`, and observes the holds meanwhile: the upstream may not respond for as long as its timeout.
    async fn observe<T>(&mut self, entry: &Entry, inner: &Inner, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                result = &mut work => return result,
                Ok(()) = self.changes.changed() => self.publish(entry, inner).await,
            }
        }
    }

    async fn publish(&self, entry: &Entry, inner: &Inner) {
        // Also frees what was derived for ended holds.
        drop(entry.serve_current(self.holds).await);
        streaming::publish(entry, self.holds, inner.now()).await;
    }
}

impl Inner {
    /// Ends the holds of toggles that the upstream itself has switched off since: every copy that is used contains the toggle
    /// as off, or not at all, and one contains it. All of these copies are newer than the hold. The state of a toggle that the upstream
    /// itself holds, because it is a Flagdeck too, is not known.
    async fn end_holds_of_switched_off_toggles(&self) {
        let mut used = Vec::new();
        for entry in self.entries.list() {
            let is_used = entry.state.borrow().is_active();
            if let (true, Some(scope)) = (is_used, entry.scope.get())
                && let Some((served, confirmed)) = entry.serve_current(&self.holds).await
            {
                used.push((scope.clone(), served, confirmed));
            }
        }
        self.holds.end_switched_off(|active| {
            let since = self.holds.clock().to_millis(active.since);
            let states = used.iter().filter_map(|(scope, served, confirmed)| {
                let state =
                    *served.held.states.get(&active.hold.toggle).filter(|_| active.hold.applies_to(scope))?;
                let is_off = state == ToggleState::Off
                    && !served.value.upstream_holds.may_contain(&active.hold.toggle);
                Some(is_off && *confirmed >= since)
            });
            let mut states = states.peekable();
            states.peek().is_some() && states.all(|is_off| is_off)
        });
    }
}

impl Refresher<'_> {
    /// Asks the upstream in each interval while clients use the entry and the upstream accepts its credential.
    async fn keep_fresh(&self, Start { entry, request }: Start) {
        let inner = &self.replica.0;
        let mut recording = inner.recorder.as_ref().and_then(|recorder| recorder.start(&request));
        let mut observer = HoldObserver { holds: &inner.holds, changes: inner.holds.changes() };
        loop {
            let fetch = self.fetch_or_restore(&entry, &request);
            let Some((sent, outcome)) = observer.observe(&entry, inner, fetch).await else { return };
            if matches!(outcome, Outcome::Unchanged) && entry.copy().is_none() {
                // The copy was purged meanwhile. The next request has no condition, so that its result is never this one.
                continue;
            }
            let next_attempt = self.apply(&entry, &request, outcome, sent).await;
            if let Some(recording) = &mut recording {
                recording.update(&entry);
            }
            observer.publish(&entry, inner).await;
            if !inner.holds.is_empty() {
                inner.end_holds_of_switched_off_toggles().await;
            }
            if !entry.state.borrow().is_active() {
                return;
            }
            let pause = Duration::from_millis(next_attempt.saturating_sub(inner.now()));
            // A purge ends the pause, and so does the removal of the entry.
            let pause = timeout(pause, entry.wake.notified());
            drop(observer.observe(&entry, inner, pause).await);
            if inner.needs_no_copy(&entry, &request) {
                inner.entries.remove(&entry);
            }
            if entry.is_idle(inner.now(), inner.timing) || !inner.entries.contains(&entry) {
                entry.state.send_modify(EntryState::deactivate);
                return streaming::publish(&entry, &inner.holds, inner.now()).await;
            }
        }
    }

    /// Sends a request, and returns the time and the result. As long as an entry is empty, restores the copy in the database before: the
    /// request is then conditional. If the database takes longer, the copy is restored meanwhile.
    async fn fetch_or_restore(&self, entry: &Arc<Entry>, request: &FeatureRequest) -> Option<(u64, Outcome)> {
        let inner = &self.replica.0;
        let fetch = async {
            let _permit = self.permits.acquire().await.ok()?;
            let sent = inner.now();
            Some((sent, self.fetch(entry, request).await))
        };
        let may_be_kept = inner.kept.is_on() && entry.may_be_kept.load(Ordering::SeqCst);
        if !may_be_kept || entry.state.borrow().has_response() {
            return fetch.await;
        }
        let mut restore = pin!(self.restore(entry, request));
        let mut is_restored = timeout(HEAD_START, &mut restore).await.is_ok();
        let mut fetch = pin!(fetch);
        let result = loop {
            tokio::select! {
                result = &mut fetch => break result,
                () = &mut restore, if !is_restored => is_restored = true,
            }
        };
        if !is_restored && !matches!(result, Some((_, Outcome::Changed(_)))) {
            restore.await;
        }
        result
    }

    /// Restores the copy of an entry from the database.
    async fn restore(&self, entry: &Arc<Entry>, request: &FeatureRequest) {
        let inner = &self.replica.0;
        let now = inner.now();
        match inner.kept.find(request, now).await {
            Found::Nothing => entry.may_be_kept.store(false, Ordering::SeqCst),
            Found::Unknown => {}
            Found::Copy(copy, hash, confirmed_at) => {
                inner.entries.accepted.add(entry.key.credential);
                let outcome = inner.entries.fit(entry, Outcome::Changed(copy), now, inner.timing);
                if let Outcome::Changed(copy) = outcome {
                    *entry.kept.lock() = KeptState::restored(Arc::clone(&copy), hash);
                    let now = inner.now();
                    entry.state.send_modify(|state| state.restore(copy, confirmed_at, now));
                }
            }
        }
    }

    /// Applies the result of a request. Returns the time of the next one.
    async fn apply(&self, entry: &Arc<Entry>, request: &FeatureRequest, outcome: Outcome, sent: u64) -> u64 {
        let inner = &self.replica.0;
        inner.metrics.record_refresh(outcome.result());
        let is_refusal = matches!(&outcome, Outcome::Reply(reply) if reply.is_refusal());
        let was_refused = entry.is_refused.swap(is_refusal, Ordering::SeqCst);
        if matches!(outcome, Outcome::Changed(_)) {
            entry.is_purged.store(false, Ordering::SeqCst);
        }
        let mut removal = None;
        match &outcome {
            Outcome::Changed(_) | Outcome::Unchanged => inner.entries.accepted.add(entry.key.credential),
            Outcome::Reply(reply) if is_refusal => {
                if let Some(token) = inner.own_token(entry).filter(|_| !was_refused) {
                    tracing::warn!(
                        token = %format!("…{}", request.last_characters()),
                        environment = token.environment.as_deref().unwrap_or_default(),
                        status = reply.status.as_u16(),
                        "replica: the upstream refuses a client token of the settings (403: it is no client token)"
                    );
                }
                let request = request.clone();
                let is_forgotten = inner.entries.forget_credential(entry);
                removal =
                    Some(if is_forgotten { Removal::Credential(request) } else { Removal::Copy(request) });
            }
            Outcome::Reply(_) | Outcome::Failed(_) => {}
        }
        let outcome = inner.entries.fit(entry, outcome, sent, inner.timing);
        let has_copy = entry.copy().is_some();
        if let Some(removal) = removal
            && (has_copy || entry.may_be_kept.load(Ordering::SeqCst) || inner.kept.is_accepted(request))
        {
            if has_copy {
                tracing::warn!(
                    "replica: the upstream does not accept a token any more, and its copy is removed"
                );
            }
            // Before the response, so that a crash cannot leave a copy of a refused token in the database.
            entry.state.send_modify(EntryState::hold);
            *entry.kept.lock() = KeptState::default();
            inner.kept.remove(vec![removal], &inner.entries).await;
            entry.may_be_kept.store(false, Ordering::SeqCst);
        }
        let is_change = matches!(outcome, Outcome::Changed(_));
        let (was_failing, now) = (entry.state.borrow().failing_since().is_some(), inner.now());
        entry.state.send_modify(|state| state.apply(outcome, sent, now, inner.timing));
        let state = entry.state.borrow();
        match (was_failing, state.failing_since().is_some()) {
            (false, true) => {
                if let Some(repeated) = STALE_COPY.record() {
                    tracing::warn!(repeated, cause = %state.fault(), "replica: a copy becomes stale");
                }
            }
            (_, false) => {
                if let Some(repeated) = STALE_COPY.end() {
                    tracing::info!(repeated, "replica: the upstream confirms copies again");
                }
            }
            (true, true) => {}
        }
        if is_change {
            inner.kept.changed.notify_one();
        }
        state.next_attempt()
    }

    /// Sends a request, with the entity tag of the copy.
    async fn fetch(&self, entry: &Entry, request: &FeatureRequest) -> Outcome {
        let inner = &self.replica.0;
        let copy = entry.copy();
        let tag = copy.as_ref().and_then(|copy| copy.upstream_tag.as_ref());
        let head = inner.keys.head(request, tag);
        let body = RequestBody::from_bytes(Bytes::new(), &inner.limits);
        match self.client.send(&Method::GET, &head, &body).await {
            Ok(response) if response.status() == StatusCode::NOT_MODIFIED && tag.is_none() => {
                // RFC 9110, 15.4.5: 304 responds to a conditional request. Without a copy, there is nothing to confirm.
                tracing::warn!("replica: the upstream responds with 304 to a request without a condition");
                Outcome::Failed(Fault::Unusable)
            }
            Ok(response) => {
                let has_copy = copy.is_some();
                match read_outcome(response, copy, &self.reading).await {
                    Ok(Outcome::Reply(reply)) if has_copy && !reply.is_refusal() => {
                        log_unusable_response(reply.status.as_str());
                        Outcome::Reply(reply)
                    }
                    Ok(outcome) => outcome,
                    Err(fault) => {
                        log_unusable_response(&fault);
                        Outcome::Failed(Fault::Unusable)
                    }
                }
            }
            Err(error) => {
                tracing::debug!(%error, "replica: the upstream did not respond");
                Outcome::Failed(Fault::Silent)
            }
        }
    }

    /// Writes changes to the database.
    async fn store(&self) {
        let inner = &self.replica.0;
        loop {
            drop(timeout(inner.kept.pause(), inner.kept.changed.notified()).await);
            tokio::time::sleep(COLLECTION_TIME).await;
            inner.entries.sweep(inner.now(), inner.timing);
            inner.kept.write(&inner.entries, inner.now(), inner.timing).await;
        }
    }

    /// Uses the tokens of the settings like an SDK, so that their copies are always fresh.
    async fn warm_up(&self) {
        let inner = &self.replica.0;
        loop {
            let requests = inner.needed_requests();
            join_all(requests.map(|OwnRequest { headers, query, .. }| self.replica.copy_for(headers, query)))
                .await;
            tokio::time::sleep(Duration::from_millis(inner.timing.refresh)).await;
        }
    }
}

fn log_unusable_response(fault: &str) {
    if let Some(repeated) = UNUSABLE_RESPONSE.record() {
        tracing::warn!(fault, repeated, "replica: the response of the upstream cannot be used");
    }
}

/// Reads a response. `known` is the current copy. A list is read while it has the permit of `reading`.
async fn read_outcome(
    response: HttpResponse,
    known: Option<Arc<ToggleCopy>>,
    reading: &Semaphore,
) -> Result<Outcome, String> {
    let (head, body) = response.into_parts();
    let (status, headers) = (head.status(), head.headers());
    let is_json =
        headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let limit = match status {
        StatusCode::NOT_MODIFIED => {
            let other = known.and_then(|known| known.with_holds_of(headers));
            return Ok(other.map_or(Outcome::Unchanged, |copy| Outcome::Changed(Arc::new(copy))));
        }
        StatusCode::OK if headers.contains_key(CONTENT_ENCODING) => {
            return Err("its content coding was not requested".to_owned());
        }
        StatusCode::OK if !is_json => return Err("its Content-Type is not application/json".to_owned()),
        StatusCode::OK => MAX_BODY,
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => return Err(status.to_string()),
        status if status.is_server_error() => return Err(status.to_string()),
        _ => MAX_REPLY,
    };
    let body = to_bytes_limited(body, limit).await;
    let body = body.map_err(|_too_large| format!("it has more than {limit} bytes"))?;
    let body = body.map_err(|error| error.to_string())?;
    if status != StatusCode::OK {
        let content_type = headers.get(CONTENT_TYPE).cloned();
        return Ok(Outcome::Reply(Arc::new(Reply { status, content_type, body })));
    }
    if known.is_some_and(|known| known.is_response(&body, headers)) {
        return Ok(Outcome::Unchanged);
    }
    let headers = headers.clone();
    // Reading and compressing a large body takes milliseconds.
    let create = move || {
        // A list without toggles, or with a toggle without a name, would replace a good copy, and its toggles could not be held.
        serde_json::from_slice::<RawToggles<'_, ToggleName<'_>>>(&body)
            .map_err(|error| format!("its body is no list of toggles: {error}"))?;
        ToggleCopy::new(body, &headers).map_err(|error| error.to_string())
    };
    let _permit = reading.acquire().await.map_err(|error| error.to_string())?;
    let copy = web::block(create).await.map_err(|error| error.to_string())??;
    Ok(Outcome::Changed(Arc::new(copy)))
}
