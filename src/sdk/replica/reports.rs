//! Keeps reports of SDKs while the upstream does not respond, and delivers them later with the same credential.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, ResponseError as _, web};
use bytes::Bytes;
use futures_util::future::join_all;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::Inner;
use super::backlog::{Backlog, QueuedReport, ReportKind, ReportSender};
use crate::config::RequestLimits;
use crate::error::ApiError;
use crate::impact_metrics::ImpactSender;
use crate::json_body::value_count::{MAX_OBJECTS, MAX_VALUES};
use crate::json_body::{BodyLimits, read_body};
use crate::log_limit::LogLimit;
use crate::middleware::client::network_of;
use crate::upstream::client::UpstreamClient;
use crate::upstream::request_body::RequestBody;

/// The upstream refuses reports of SDKs.
static REFUSED_REPORTS: LogLimit = LogLimit::new();

/// Reports of SDKs are dropped.
static DROPPED_REPORTS: LogLimit = LogLimit::new();

/// The limits of a report. One of 5,000 toggles takes about half a megabyte.
const LIMITS: BodyLimits = BodyLimits { bytes: 1 << 20, values: MAX_VALUES, objects: MAX_OBJECTS };
/// Maximum number of simultaneous deliveries, so that the upstream is not overloaded when it responds again.
const MAX_DELIVERIES: usize = 4;
/// Maximum pause before the next attempt. A new report arrives within this time after an outage.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// Number of failed deliveries, while the upstream receives other reports, after which a report is dropped.
const MAX_ATTEMPTS: u32 = 10;
/// Prefixes of the headers with which SDKs identify themselves.
const SDK_HEADERS: [&str; 2] = ["unleash-", "x-unleash-"];

/// The reports that wait for the upstream. They are in memory only, because they contain credentials.
#[derive(Debug, Default)]
pub(super) struct Reports {
    backlog: Mutex<Backlog>,
    added: Notify,
}

/// Reads the body of a report.
pub(crate) async fn read(payload: web::Payload) -> Result<Bytes, ApiError> {
    read_body(payload, &LIMITS).await
}

/// Returns true if the upstream has not processed a report, as far as its status tells.
fn is_outage(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
}

impl Reports {
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
        let is_kept = |name: &str| SDK_HEADERS.iter().any(|prefix| name.starts_with(prefix));
        let mut kept = self.keys.request(headers, "").headers;
        let others = headers.iter().filter(|(name, _)| is_kept(name.as_str()));
        let others: Vec<_> = others
            .filter(|(name, _)| !kept.iter().any(|(known, _)| known == *name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        kept.extend(others);
        let report = QueuedReport::new(kind, self.keys.key(headers, ""), kept, body, sender, self.now());
        let Some(report) = report else { return false };
        let dropped = reports.backlog.lock().add(report);
        self.metrics.record_reports("kept", 1);
        self.record_dropped(dropped);
        reports.added.notify_one();
        true
    }

    /// Returns who sends a report: a credential that the upstream has accepted, or an unknown one of a network.
    pub(super) fn sender(&self, headers: &HeaderMap, address: IpAddr) -> ReportSender {
        if self.entries.accepted.contains(&self.keys.key(headers, "").credential) {
            ReportSender::Known
        } else {
            ReportSender::Unknown(network_of(address))
        }
    }

    fn record_dropped(&self, dropped: usize) {
        self.metrics.record_reports("dropped", dropped);
        if dropped > 0
            && let Some(repeated) = DROPPED_REPORTS.record()
        {
            tracing::warn!(
                dropped,
                repeated,
                "replica: reports of SDKs were dropped, because the upstream has not received them for long"
            );
        }
    }

    /// Delivers reports until the future is dropped: the reports of one application in their order.
    ///
    /// A report that fails waits behind reports of other applications, so that a new report arrives soon after an outage. It is
    /// dropped after some failures, but not while the upstream receives no report at all.
    pub(super) async fn deliver_reports(&self, client: &UpstreamClient, reports: &Reports) {
        let pause = Duration::from_millis(self.timing.refresh).min(MAX_PAUSE);
        let mut received = 0;
        loop {
            let batch = reports.backlog.lock().take_batch(MAX_DELIVERIES);
            let Some(first) = batch.first() else {
                reports.added.notified().await;
                continue;
            };
            let is_retry = first.attempts > 0;
            let results = join_all(batch.iter().map(|report| self.is_delivered(client, report))).await;
            let is_outage = !results.contains(&true);
            let delivered = results.iter().filter(|is_delivered| **is_delivered).count();
            received += delivered;
            let dropped = {
                // In one step: a report that arrives in between would overtake those that are put back.
                let mut backlog = reports.backlog.lock();
                let mut dropped = 0;
                for (mut report, _) in
                    batch.into_iter().zip(results).filter(|(_, is_delivered)| !is_delivered)
                {
                    report.record_failure(received, is_outage);
                    dropped += if report.attempts >= MAX_ATTEMPTS { 1 } else { backlog.put_back(report) };
                }
                backlog.end_batch();
                dropped
            };
            self.metrics.record_reports("delivered", delivered);
            self.record_dropped(dropped);
            if !is_outage {
                reports.backlog.lock().end_outage();
            }
            if is_outage || is_retry {
                tokio::time::sleep(pause).await;
            }
        }
    }

    /// Sends a report. Returns false if the upstream has not received it. A refused report is not sent again.
    async fn is_delivered(&self, client: &UpstreamClient, report: &QueuedReport) -> bool {
        let Ok(body) = serde_json::to_vec(&report.body) else { return true };
        let limits: &RequestLimits = &self.limits;
        let body = RequestBody::from_bytes(body.into(), limits);
        let json = HeaderValue::from_static("application/json");
        let headers = report.headers.iter().map(|(name, value)| (name, value));
        let headers = headers.chain([(&CONTENT_TYPE, &json)]);
        let head = self.keys.report_head(report.kind.path(), headers, body.framing());
        match client.send(&Method::POST, &head, &body).await {
            Ok(response) => {
                let status = response.status();
                let is_refused = status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS;
                if is_refused && let Some(repeated) = REFUSED_REPORTS.record() {
                    tracing::warn!(%status, repeated, "replica: the upstream refuses a report that was kept");
                }
                !is_outage(status) && status != StatusCode::TOO_MANY_REQUESTS
            }
            Err(error) => {
                tracing::debug!(%error, "replica: a report is kept");
                false
            }
        }
    }
}
