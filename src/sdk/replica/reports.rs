//! Reports of SDKs: collected for an interval, or kept while the upstream does not respond; and their delivery.
//!
//! There is one backlog for both. Without `report-interval`, it contains only reports that the upstream has not received. With it, it
//! contains all reports, and those of accepted credentials are sent in bulk.

use std::cell::Cell;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::http::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, ResponseError as _, web};
use bytes::Bytes;
use futures_util::future::{Shared, join_all};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};

use super::backlog::{Backlog, BatchLimits, Delivery};
use super::bulk;
use super::cache_key::public_part;
use super::queued_report::{Credential, QueuedReport, ReportKind, ReportScope, ReportSender};
use super::reception::{Reception, SentReports};
use super::shared_copies::OwnLists;
use super::token_table::id_of;
use super::{Inner, own_headers};
use crate::config::{self, ALL_PROJECTS, ClientToken};
use crate::error::ApiError;
use crate::impact_metrics::ImpactSender;
use crate::json_body::content_coding::decode;
use crate::json_body::value_count::{MAX_OBJECTS, MAX_VALUES};
use crate::json_body::{BodyLimits, check_values, read_bytes};
use crate::log_limit::LogLimit;
use crate::middleware::client::network_of;
use crate::middleware::sdk_token::token_from_headers;
use crate::number::to_millis;
use crate::upstream::client::UpstreamClient;
use crate::upstream::request_body::RequestBody;

/// The upstream refuses reports of SDKs.
static REFUSED_REPORTS: LogLimit = LogLimit::new();
/// Another program than the flag service has responded to reports.
static FOREIGN_RESPONSES: LogLimit = LogLimit::new();
/// Reports do not fit into the memory for them.
static DISPLACED_REPORTS: LogLimit = LogLimit::new();
/// Deliveries of a report fail again and again.
static FAILED_REPORTS: LogLimit = LogLimit::new();
/// Reports contain what a flag service cannot store.
static UNSTORABLE_REPORTS: LogLimit = LogLimit::new();

/// The limits of a report. One of 5,000 toggles takes about half a megabyte.
const LIMITS: BodyLimits = BodyLimits { bytes: 1 << 20, values: MAX_VALUES, objects: MAX_OBJECTS };
/// Maximum number of simultaneous deliveries, so that the upstream is not overloaded when it responds again.
const MAX_DELIVERIES: usize = 4;
/// Maximum pause before the next attempt. A new report arrives within this time after an outage.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// Number of failed deliveries, while the upstream receives other reports, after which a report is dropped.
const MAX_ATTEMPTS: u32 = 10;
/// Total time for the last deliveries before the program ends.
const LAST_DELIVERY_TIME: Duration = Duration::from_secs(3);
/// Time after which an upstream without requests in bulk is asked again: it may have been updated.
const BULK_PAUSE: Duration = Duration::from_mins(10);
/// Prefixes of the headers with which SDKs identify themselves.
const SDK_HEADERS: [&str; 2] = ["unleash-", "x-unleash-"];

/// The reports that wait for the upstream. They are in memory only, because they contain credentials.
#[derive(Debug)]
pub(super) struct Reports {
    backlog: Mutex<Backlog>,
    /// Wakes the task that delivers them.
    added: Notify,
    /// Time for which reports are collected; zero if they are forwarded at once.
    interval: Duration,
    /// Minimum time between two batches with collected reports of unknown credentials.
    unknown_pause: Duration,
    /// Time from which requests in bulk are tried again; 0 if the upstream has not refused them.
    bulk_from: AtomicU64,
    /// Time that the delivery of the last batch took after the end of the program began, in milliseconds.
    last_delivery: AtomicU64,
}

/// A client token of the settings that can send reports of other tokens.
struct Carrier<'a> {
    token: &'a ClientToken,
    credential: Credential,
    /// Projects of the token; empty: all.
    projects: Vec<String>,
}

/// The times of the next deliveries.
struct Schedule {
    next_round: Instant,
    next_unknown: Instant,
    /// Number of reports that the upstream has received.
    received: usize,
}

/// The result of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BatchResult {
    /// No report was due.
    Empty,
    /// The upstream has received at least one report.
    Received,
    /// The upstream may have received reports, and others have failed before.
    Retried,
    /// The upstream has received none.
    Outage,
}

/// The result of a delivery.
#[derive(Debug, Default)]
struct Delivered {
    /// Number of reports that the flag service has received or refused.
    processed: usize,
    /// Number of accepted reports in those that it has received.
    received: usize,
    /// Number of accepted reports in each of those that it has refused.
    refused: Vec<usize>,
    /// Reports that the upstream has not received.
    failed: Vec<QueuedReport>,
    /// Reports that must be sent in another way.
    resent: Vec<QueuedReport>,
}

/// Reads the body of a report, which can be compressed.
pub(crate) async fn read(payload: web::Payload) -> Result<Bytes, ApiError> {
    read_bytes(payload, &LIMITS).await
}

/// Returns true if the upstream has not processed a report, as far as its status tells.
fn is_outage(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
}

impl Reports {
    pub(super) fn new(settings: &config::Replica) -> Self {
        Self {
            backlog: Mutex::default(),
            added: Notify::new(),
            interval: settings.report_interval,
            unknown_pause: settings.token_pause,
            bulk_from: AtomicU64::new(0),
            last_delivery: AtomicU64::new(0),
        }
    }

    /// Returns true if all reports are collected, and none is forwarded.
    pub(super) fn are_collected(&self) -> bool {
        !self.interval.is_zero()
    }

    /// Returns the number of reports that wait.
    pub(super) fn len(&self) -> usize {
        self.backlog.lock().len()
    }

    /// Returns true if no report waits or is being delivered, so that the next one cannot overtake another.
    pub(super) fn are_delivered(&self) -> bool {
        self.backlog.lock().is_idle()
    }
}

impl Inner {
    /// Decodes the body of a report; `None` if it can only be forwarded as it is, because the upstream may understand it.
    ///
    /// # Errors
    /// The report cannot be decoded and is not forwarded, or it exceeds the limits.
    pub(super) fn decode_report(&self, headers: &HeaderMap, body: &Bytes) -> Result<Option<Bytes>, ApiError> {
        let decoded = decode(headers, body, LIMITS.bytes).and_then(|decoded| {
            check_values(&decoded, &LIMITS)?;
            Ok(decoded)
        });
        let is_forwarded = !self.reports.are_collected() && headers.contains_key(CONTENT_ENCODING);
        if is_forwarded { Ok(decoded.ok()) } else { decoded.map(Some) }
    }

    /// Keeps a report if the upstream has not received it. Returns the response for the SDK: 202, or else `forwarded`.
    pub(super) fn keep_report(
        &self,
        kind: ReportKind,
        headers: &HeaderMap,
        body: &Bytes,
        address: IpAddr,
        forwarded: Result<HttpResponse, ApiError>,
    ) -> Result<HttpResponse, ApiError> {
        let status = forwarded.as_ref().map_or_else(ApiError::status_code, HttpResponse::status);
        if status.is_success() {
            self.impact_metrics.record_body(body, ImpactSender::Server);
        }
        if is_outage(status) && self.store_server_report(kind, headers, body, self.sender(headers, address)) {
            Ok(HttpResponse::Accepted().finish())
        } else {
            forwarded
        }
    }

    /// Adds a report of a server SDK to those that wait. Its impact metrics count now, and not when the upstream receives it. Those
    /// of unknown credentials do not count, because anyone can send them. Returns false if its body is not one of an SDK.
    pub(super) fn store_server_report(
        &self,
        kind: ReportKind,
        headers: &HeaderMap,
        body: &Bytes,
        sender: ReportSender,
    ) -> bool {
        let is_stored = self.store_report(&self.reports, kind, headers, body, sender);
        if is_stored && sender == ReportSender::Known {
            self.impact_metrics.record_body(body, ImpactSender::Server);
        }
        is_stored
    }

    /// Adds a report to those that wait. Returns false if its body is not one of an SDK.
    pub(super) fn store_report(
        &self,
        reports: &Reports,
        kind: ReportKind,
        headers: &HeaderMap,
        body: &Bytes,
        sender: ReportSender,
    ) -> bool {
        let mut kept = self.keys.request(headers, "").headers;
        let others = headers.iter().filter(|(name, _)| is_sdk_header(name));
        let others: Vec<_> = others
            .filter(|(name, _)| !kept.iter().any(|(known, _)| known == *name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        kept.extend(others);
        let report = QueuedReport::read(kind, self.keys.key(headers, ""), kept, body, sender, self.now());
        let Some(mut report) = report else { return false };
        let removed = report.remove_unstorable();
        if removed != Some(0) {
            report.accepted = 0;
            self.metrics.record_reports("dropped", 1);
            if let Some(repeated) = UNSTORABLE_REPORTS.record() {
                let application: String = report.source.application.chars().take(100).collect();
                tracing::warn!(
                    application,
                    repeated,
                    "replica: a part of a report is dropped, because its names are longer than 255 characters or contain NUL, which flag \
                     services cannot store"
                );
            }
        }
        self.metrics.record_reports("kept", 1);
        if removed.is_none() {
            return true;
        }
        let parts = if reports.are_collected() {
            report.scope = self.scope_of(&report.headers).map(Arc::new);
            bulk::collect(report)
        } else {
            report.is_due = true;
            vec![report]
        };
        if parts.is_empty() {
            // Unleash Edge had nothing to report.
            self.metrics.record_reports("delivered", 1);
        }
        let mut backlog = reports.backlog.lock();
        let displaced = parts.into_iter().map(|part| backlog.add(part)).sum();
        let is_urgent = !reports.are_collected() || backlog.is_half_full();
        drop(backlog);
        self.record_displaced(displaced);
        if is_urgent {
            reports.added.notify_one();
        }
        true
    }

    /// Returns who sends a report: a credential that the upstream has accepted, or an unknown one of a network. A token without a
    /// copy of its own is accepted by an answer about tokens.
    pub(super) fn sender(&self, headers: &HeaderMap, address: IpAddr) -> ReportSender {
        let is_listed = || {
            let (tokens, token) = (self.tokens.as_ref()?, token_from_headers(headers)?);
            tokens.table.find(&id_of(token), self.now()).filter(|details| details.is_client())
        };
        if self.entries.accepted.contains(&self.keys.key(headers, "").credential) || is_listed().is_some() {
            ReportSender::Known
        } else {
            ReportSender::Unknown(network_of(address))
        }
    }

    /// Returns the scope of the token in these headers; `None` if it is not known.
    fn scope_of(&self, headers: &[(HeaderName, HeaderValue)]) -> Option<ReportScope> {
        let (_, token) = headers.iter().find(|(name, _)| *name == AUTHORIZATION)?;
        let token = token.to_str().ok()?;
        let (public, environment) = public_part(token)?;
        let (project, _) = public.split_once(':')?;
        let projects = match project {
            // A token of several projects.
            "[]" => {
                let details = self.tokens.as_ref()?.table.find(&id_of(token), self.now())?;
                let projects = details.scope.projects.clone();
                if projects.is_empty() { vec![ALL_PROJECTS.to_owned()] } else { projects }
            }
            project => vec![project.to_owned()],
        };
        Some(ReportScope { environment: environment.to_owned(), projects })
    }

    /// Returns the client tokens of the settings that the upstream has not refused, and whose projects are known.
    fn carriers(&self) -> Vec<Carrier<'_>> {
        let carriers = self.own_lists.iter().filter_map(|OwnLists { token, listed, .. }| {
            let key = listed.key;
            let is_refused =
                self.entries.find(&key).is_some_and(|entry| entry.is_refused.load(Ordering::SeqCst));
            let projects = match &self.tokens {
                Some(tokens) => tokens.table.projects(&id_of(&token.value))?,
                None => self.scope_of(&[(AUTHORIZATION, token.value.clone())])?.projects,
            };
            let projects = projects.into_iter().filter(|project| project != ALL_PROJECTS).collect();
            (!is_refused).then_some(Carrier { token, credential: key.credential, projects })
        });
        carriers.collect()
    }

    /// Counts reports that did not fit into the memory for reports.
    fn record_displaced(&self, dropped: usize) {
        self.metrics.record_reports("dropped", dropped);
        if dropped > 0
            && let Some(repeated) = DISPLACED_REPORTS.record()
        {
            tracing::warn!(
                dropped,
                repeated,
                "replica: the oldest reports of SDKs were dropped, because more have arrived than the memory for waiting reports holds"
            );
        }
    }

    /// Delivers reports until `stop` completes: the reports of one application in their order.
    ///
    /// A report that fails waits behind reports of other applications, so that a new report arrives soon after an outage. It is
    /// dropped after some failures, but not while the upstream receives no report at all.
    pub(super) async fn deliver_reports(
        &self,
        client: &UpstreamClient,
        reports: &Reports,
        stop: Shared<impl Future<Output = ()>>,
    ) {
        let pause = Duration::from_millis(self.timing.refresh).min(MAX_PAUSE);
        let now = Instant::now();
        let mut schedule = Schedule { next_round: now + reports.interval, next_unknown: now, received: 0 };
        let stopped = Cell::new(None);
        let late = async {
            stop.clone().await;
            stopped.set(Some(Instant::now()));
            sleep(LAST_DELIVERY_TIME).await;
        };
        let mut late = std::pin::pin!(late);
        loop {
            let result = self.deliver_batch(client, reports, &mut schedule, late.as_mut()).await;
            if let Some(stopped) = stopped.get() {
                reports.last_delivery.store(to_millis(stopped.elapsed()), Ordering::Relaxed);
            }
            let wait = async {
                match result {
                    BatchResult::Received => {}
                    BatchResult::Retried | BatchResult::Outage => sleep(pause).await,
                    BatchResult::Empty if reports.are_collected() => {
                        let mut next = schedule.next_round;
                        if schedule.next_unknown > Instant::now() {
                            next = next.min(schedule.next_unknown);
                        }
                        tokio::select! {
                            () = reports.added.notified() => {}
                            () = sleep_until(next) => {}
                        }
                    }
                    BatchResult::Empty => reports.added.notified().await,
                }
            };
            tokio::select! {
                biased;
                () = stop.clone() => return,
                () = wait => {}
            }
        }
    }

    /// Delivers what waits before the program ends, unless that takes too long or the upstream does not respond.
    pub(super) async fn flush_reports(&self) {
        let client = UpstreamClient::new(&self.upstream, Arc::clone(&self.circuit_breaker));
        let flush = async |reports: &Reports| {
            let now = Instant::now();
            let mut schedule = Schedule { next_round: now, next_unknown: now, received: 0 };
            // An upstream that did not respond before is not waited for once more.
            let spent = Duration::from_millis(reports.last_delivery.load(Ordering::Relaxed));
            let mut late = std::pin::pin!(sleep(LAST_DELIVERY_TIME.saturating_sub(spent)));
            while spent < LAST_DELIVERY_TIME && !late.is_elapsed() {
                (schedule.next_round, schedule.next_unknown) = (now, now);
                let result = self.deliver_batch(&client, reports, &mut schedule, late.as_mut()).await;
                if result != BatchResult::Received {
                    break;
                }
            }
            reports.backlog.lock().count_waiting()
        };
        let (servers, browsers) = tokio::join!(flush(&self.reports), flush(&self.evaluation_reports));
        let (registrations, counts) = (servers.0 + browsers.0, servers.1 + browsers.1);
        if registrations + counts > 0 {
            tracing::warn!(
                registrations,
                counts,
                "replica: the upstream has not received the last registrations of applications and reports with counts, which are lost"
            );
        }
    }

    /// Delivers one batch of reports. At the end of `late`, the results of requests that are not complete are not known, and their
    /// reports are put back.
    async fn deliver_batch(
        &self,
        client: &UpstreamClient,
        reports: &Reports,
        schedule: &mut Schedule,
        late: impl Future<Output = ()>,
    ) -> BatchResult {
        let (now, carriers) = (Instant::now(), self.carriers());
        let limits = BatchLimits {
            requests: MAX_DELIVERIES,
            includes_unknown: !reports.are_collected() || now >= schedule.next_unknown,
        };
        let uses_bulk = self.now() >= reports.bulk_from.load(Ordering::Relaxed);
        let carrier = |report: &QueuedReport| uses_bulk.then(|| carrier_of(report, &carriers));
        let batch = {
            let mut backlog = reports.backlog.lock();
            if reports.are_collected() && (now >= schedule.next_round || backlog.is_half_full()) {
                backlog.start_round(|credential| self.entries.accepted.contains(credential));
                schedule.next_round = now + reports.interval;
            }
            backlog.take_batch(limits, carrier)
        };
        let Some(first) = batch.iter().find_map(|delivery| delivery.reports.first()) else {
            return BatchResult::Empty;
        };
        let is_retry = first.attempts > 0;
        let has_unknown =
            |delivery: &Delivery| delivery.reports.iter().any(|report| report.class != ReportSender::Known);
        if batch.iter().any(has_unknown) {
            schedule.next_unknown = now + reports.unknown_pause;
        }
        let deliveries =
            join_all(batch.iter().map(|delivery| self.deliver(client, reports, delivery, &carriers)));
        let results = tokio::select! {
            results = deliveries => results,
            () = late => {
                let unknown = batch.iter().map(|delivery| Delivered { failed: delivery.reports.clone(), ..Delivered::default() });
                unknown.collect()
            }
        };
        let is_outage = results.iter().all(|result| result.processed == 0);
        let is_resent = results.iter().any(|result| !result.resent.is_empty());
        schedule.received += results.iter().map(|result| result.processed).sum::<usize>();
        let (mut received, mut dropped, mut displaced) = (0, 0, 0);
        {
            // In one step: a report that arrives in between would overtake those that are put back.
            let mut backlog = reports.backlog.lock();
            for result in results.into_iter().rev() {
                received += result.received;
                dropped +=
                    result.refused.into_iter().map(|refused| backlog.count_dropped(refused)).sum::<usize>();
                for report in result.resent.into_iter().rev() {
                    displaced += backlog.put_back(report);
                }
                for mut report in result.failed.into_iter().rev() {
                    report.record_failure(schedule.received, is_outage);
                    if report.attempts >= MAX_ATTEMPTS {
                        log_failure(&report);
                        dropped += backlog.count_dropped(report.accepted);
                    } else {
                        displaced += backlog.put_back(report);
                    }
                }
            }
            // Afterwards: a report of which a part was dropped is not counted as delivered.
            received = backlog.count_delivered(received);
            backlog.end_batch();
            if !is_outage {
                backlog.end_outage();
            }
        }
        self.metrics.record_reports("delivered", received);
        self.metrics.record_reports("dropped", dropped);
        self.record_displaced(displaced);
        match (is_outage && !is_resent, is_retry) {
            (true, _) => BatchResult::Outage,
            (false, true) => BatchResult::Retried,
            (false, false) => BatchResult::Received,
        }
    }

    /// Sends the reports of a delivery. Refused reports are not sent again.
    async fn deliver(
        &self,
        client: &UpstreamClient,
        reports: &Reports,
        Delivery { carrier, reports: sent }: &Delivery,
        carriers: &[Carrier<'_>],
    ) -> Delivered {
        let Some(first) = sent.first() else { return Delivered::default() };
        let Some(carrier) = carrier else {
            return self.deliver_alone(client, reports, first).await;
        };
        let of_settings = carriers.iter().find(|other| other.credential == *carrier);
        let headers = match of_settings {
            Some(carrier) => self.keys.request(&own_headers(&carrier.token.value), "").headers,
            None => first.headers.iter().filter(|(name, _)| !is_sdk_header(name)).cloned().collect(),
        };
        let mut result = Delivered::default();
        let mut parts = vec![sent.clone()];
        while let Some(part) = parts.pop() {
            let path = ReportKind::Bulk.path();
            let reception = self.send(client, path, &headers, bulk::write_body(&part), false).await;
            match reception {
                Reception::Received => {
                    result.processed += part.len();
                    result.received += part.iter().map(|report| report.accepted).sum::<usize>();
                }
                Reception::Refused(status @ (StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED))
                | Reception::Foreign(status @ (StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED)) => {
                    let from = self.now().saturating_add(to_millis(BULK_PAUSE));
                    if reports.bulk_from.swap(from, Ordering::Relaxed) < self.now() {
                        tracing::info!(%status, "replica: the upstream does not accept reports in bulk, and gets single ones");
                    }
                    result.resent.extend(part.into_iter().chain(parts.into_iter().rev().flatten()));
                    return result;
                }
                Reception::Refused(StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
                    if of_settings.is_some_and(|carrier| {
                        part.iter().any(|report| report.source.credential != carrier.credential)
                    }) =>
                {
                    let others = part.into_iter().chain(parts.into_iter().rev().flatten());
                    result.resent.extend(others.map(QueuedReport::with_own_credential));
                    return result;
                }
                Reception::Refused(
                    StatusCode::BAD_REQUEST
                    | StatusCode::PAYLOAD_TOO_LARGE
                    | StatusCode::UNPROCESSABLE_ENTITY,
                )
                | Reception::Foreign(StatusCode::PAYLOAD_TOO_LARGE)
                    if let Some([one, other]) = bulk::bisect(part.clone()) =>
                {
                    parts.extend([other, one]);
                }
                Reception::Refused(status) => {
                    for report in &part {
                        result.refuse(status, report);
                    }
                }
                Reception::Failed | Reception::Foreign(_) => {
                    log_foreign(reception);
                    result.failed.extend(part.into_iter().chain(parts.into_iter().rev().flatten()));
                    return result;
                }
            }
        }
        result
    }

    /// Sends a report alone.
    async fn deliver_alone(
        &self,
        client: &UpstreamClient,
        reports: &Reports,
        report: &QueuedReport,
    ) -> Delivered {
        let body = serde_json::to_vec(&report.body).unwrap_or_default();
        let may_be_old = !reports.are_collected() || reports.bulk_from.load(Ordering::Relaxed) > 0;
        let reception = self.send(client, report.kind.path(), &report.headers, body, may_be_old).await;
        let mut result = Delivered::default();
        match reception {
            Reception::Received => (result.processed, result.received) = (1, report.accepted),
            Reception::Refused(status) => result.refuse(status, report),
            Reception::Failed | Reception::Foreign(_) => {
                if let Reception::Foreign(StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) = reception
                    && report.kind != ReportKind::Bulk
                {
                    // The status says nothing about requests in bulk.
                    reports.bulk_from.store(0, Ordering::Relaxed);
                }
                log_foreign(reception);
                result.failed.push(report.clone());
            }
        }
        result
    }

    /// Sends a request with reports. `may_be_old` is true if the upstream may be older than requests in bulk.
    async fn send(
        &self,
        client: &UpstreamClient,
        path: &str,
        headers: &[(HeaderName, HeaderValue)],
        body: Vec<u8>,
        may_be_old: bool,
    ) -> Reception {
        let sent = SentReports { is_bulk: path == ReportKind::Bulk.path(), bytes: body.len(), may_be_old };
        let body = RequestBody::from_bytes(body.into(), &self.limits);
        let json = HeaderValue::from_static("application/json");
        let headers = headers.iter().map(|(name, value)| (name, value));
        let headers = headers.chain([(&CONTENT_TYPE, &json)]);
        let head = self.keys.report_head(path, headers, body.framing());
        match client.send(&Method::POST, &head, &body).await {
            Ok(response) => {
                let content_type =
                    response.headers().get(CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
                Reception::new(response.status(), content_type, sent)
            }
            Err(error) => {
                tracing::debug!(%error, "replica: a report is kept");
                Reception::Failed
            }
        }
    }
}

/// Returns the credential with which a report is sent in bulk: that of a token of the settings if it has the environment and all
/// projects of the sender, so that few requests contain the reports of all senders, and otherwise its own.
fn carrier_of(report: &QueuedReport, carriers: &[Carrier<'_>]) -> Credential {
    let is_possible = |carrier: &&Carrier<'_>| {
        let scope = report.scope.as_ref();
        scope.is_some_and(|scope| {
            carrier.token.environment.as_ref() == Some(&scope.environment)
                && (carrier.projects.is_empty()
                    || scope.projects.iter().all(|project| carrier.projects.contains(project)))
        })
    };
    let carrier = carriers.iter().find(is_possible).filter(|_| !report.needs_own_credential);
    carrier.map_or(report.source.credential, |carrier| carrier.credential)
}

fn is_sdk_header(name: &HeaderName) -> bool {
    SDK_HEADERS.iter().any(|prefix| name.as_str().starts_with(prefix))
}

impl Delivered {
    /// Records a report that the flag service refuses, and that is dropped.
    fn refuse(&mut self, status: StatusCode, report: &QueuedReport) {
        self.processed += 1;
        self.refused.push(report.accepted);
        if let Some(repeated) = REFUSED_REPORTS.record() {
            let application = &report.source.application;
            tracing::warn!(%status, application, repeated, "replica: the upstream refuses a report or a part of it, which is dropped");
        }
    }
}

fn log_failure(report: &QueuedReport) {
    if let Some(repeated) = FAILED_REPORTS.record() {
        let application = &report.source.application;
        tracing::warn!(
            application,
            attempts = report.attempts,
            repeated,
            "replica: a report is dropped, because its deliveries fail while the upstream receives other reports"
        );
    }
}

/// Logs a response that keeps reports waiting although the upstream, or a program before it, responds.
fn log_foreign(reception: Reception) {
    if let Reception::Foreign(status) = reception
        && let Some(repeated) = FOREIGN_RESPONSES.record()
    {
        tracing::warn!(%status, repeated, "replica: reports are kept, because the response to them is not one of a flag service");
    }
}
