//! A report of an SDK that waits for the upstream, and the merging of reports of the same source. Pure.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use actix_web::http::header::{HeaderName, HeaderValue};
use jiff::Timestamp;
use serde_json::{Map, Number, Value};

use super::cache_key::CacheKey;
use super::storable::remove_unstorable;
use crate::impact_metrics::report::{MAX_METRICS, MAX_SAMPLES, remove_invalid};

/// Approximate size of a value in memory in bytes, with its entry in an object.
const VALUE_SIZE: usize = 200;
/// Period whose reports of an application are merged, in milliseconds: flag services show counts per minute.
pub(super) const PERIOD: u64 = 60_000;
/// Number of periods whose reports are merged if there is no room for more: an hour, for which all flag services count.
pub(super) const PERIODS_PER_HOUR: u64 = 60;
/// Fields of a report that describe the client library. Collected reports have them in the list of instances.
pub(super) const LIBRARY_FIELDS: [&str; 8] = [
    "sdkVersion",
    "platformName",
    "platformVersion",
    "yggdrasilVersion",
    "specVersion",
    "sdkFlavor",
    "sdkFlavorVersion",
    "connectionId",
];

/// Salted hash of a credential.
pub(super) type Credential = [u8; 32];

/// The kinds of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ReportKind {
    /// An instance of an application starts.
    Registration,
    /// An instance has sent evaluation counts. Its counts were merged with those of other instances.
    Presence,
    /// Evaluation counts.
    Counts,
    /// Registrations and counts of several applications, which Unleash Edge sends.
    Bulk,
}

/// The class of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportSender {
    /// The upstream has accepted the credential.
    Known,
    /// The upstream has not been asked about the credential, or refuses it. The client is in this network.
    Unknown(IpAddr),
}

/// The environment and the projects of a token. The upstream adds them to single reports, but not to those in bulk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportScope {
    pub(super) environment: String,
    /// Names of projects, or `*` for all.
    pub(super) projects: Vec<String>,
}

/// A report, with the headers of its first request, such as the credential.
#[derive(Debug, Clone)]
pub(super) struct QueuedReport {
    pub(super) kind: ReportKind,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    /// Body of a request with this report alone.
    pub(super) body: Map<String, Value>,
    /// Scope of the token; `None` if it is not known.
    pub(super) scope: Option<Arc<ReportScope>>,
    pub(super) class: ReportSender,
    pub(super) source: ReportSource,
    /// Number of accepted reports of SDKs that are counted with this one: those merged in it. If a report was divided, one of its parts
    /// has its number.
    pub(super) accepted: usize,
    /// Approximate size in memory in bytes.
    pub(super) bytes: usize,
    /// True once the report waits for its delivery, and not for the end of the interval.
    pub(super) is_due: bool,
    /// True for a presence that has waited for an interval, because its application was being registered.
    pub(super) has_waited: bool,
    /// True if the upstream has refused another credential for this report.
    pub(super) needs_own_credential: bool,
    /// Number of failed deliveries while the upstream received other reports.
    pub(super) attempts: u32,
    /// Number of reports that the upstream had received at the last of these attempts.
    pub(super) received: usize,
    /// Number of failed deliveries since the upstream has received a report.
    pub(super) failures: u32,
}

/// Reports of the same source are merged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ReportSource {
    pub(super) credential: Credential,
    pub(super) application: String,
    environment: String,
    /// Instance of a registration or presence. Counts of all instances are merged.
    pub(super) instance: String,
    /// Hour of counts since 1970 in which their bucket ends, because flag services add counts for each hour; `None` if it is unknown.
    hour: Option<i64>,
    /// Period in which counts arrived.
    period: u64,
}

impl ReportKind {
    /// Returns the last part of the path.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Registration => "register",
            Self::Presence | Self::Counts => "metrics",
            Self::Bulk => "metrics/bulk",
        }
    }

    /// Returns true for reports of one instance, of which only the last one counts.
    fn is_of_instance(self) -> bool {
        matches!(self, Self::Registration | Self::Presence)
    }
}

impl QueuedReport {
    /// Reads a report; `None` if its body is not one of an SDK.
    pub(super) fn read(
        kind: ReportKind,
        key: CacheKey,
        headers: Vec<(HeaderName, HeaderValue)>,
        body: &[u8],
        class: ReportSender,
        now: u64,
    ) -> Option<Self> {
        let mut body: Map<String, Value> = serde_json::from_slice(body).ok()?;
        remove_invalid(&mut body);
        let source = ReportSource::new(kind, key.credential, &body, now / PERIOD);
        let is_valid = match kind {
            ReportKind::Bulk => {
                ["applications", "metrics"].iter().all(|name| body.get(*name).is_some_and(Value::is_array))
            }
            ReportKind::Registration | ReportKind::Presence | ReportKind::Counts => {
                !source.application.is_empty()
            }
        };
        let mut report = Self {
            kind,
            headers,
            body,
            scope: None,
            class,
            source,
            accepted: 1,
            bytes: 0,
            is_due: false,
            has_waited: false,
            needs_own_credential: false,
            attempts: 0,
            received: 0,
            failures: 0,
        };
        report.bytes = report.measure();
        is_valid.then_some(report)
    }

    /// Returns a part of this report, which is not counted.
    pub(super) fn derive(&self, kind: ReportKind, body: Map<String, Value>) -> Self {
        let source = ReportSource::new(kind, self.source.credential, &body, self.source.period);
        let mut report = Self { kind, body, source, accepted: 0, ..self.clone() };
        report.bytes = report.measure();
        report
    }

    /// Removes what a flag service cannot store. Returns the number of removed parts; `None` if nothing can be stored.
    pub(super) fn remove_unstorable(&mut self) -> Option<usize> {
        let removed = remove_unstorable(self.kind, &mut self.body)?;
        self.bytes = self.measure();
        Some(removed)
    }

    /// Returns the report for a delivery with its own credential only.
    pub(super) fn with_own_credential(self) -> Self {
        Self { needs_own_credential: true, ..self }
    }

    /// Adds a later report of the same source. Fields that cannot be added keep their first value.
    pub(super) fn merge(&mut self, later: Self) {
        if later.class == ReportSender::Known {
            self.class = ReportSender::Known;
        }
        self.accepted += later.accepted;
        self.is_due |= later.is_due;
        self.has_waited |= later.has_waited;
        self.needs_own_credential |= later.needs_own_credential;
        if self.kind.is_of_instance() {
            self.body = later.body;
        } else {
            for (name, value) in later.body {
                match (name.as_str(), self.body.get_mut(&name)) {
                    (_, None) => {
                        self.body.insert(name, value);
                    }
                    ("bucket", Some(Value::Object(bucket))) => merge_bucket(bucket, value),
                    ("impactMetrics", Some(Value::Array(known))) => {
                        merge_list(known, value, metric_key, merge_metric);
                        known.truncate(MAX_METRICS);
                    }
                    ("metrics", Some(Value::Array(known))) => {
                        merge_list(known, value, counts_key, |sum, counts| {
                            add_counts(sum, counts);
                        });
                    }
                    ("applications" | "seenTokens", Some(Value::Array(known))) => {
                        merge_list(known, value, Value::to_string, |known, later| *known = later);
                    }
                    _ => {}
                }
            }
        }
        self.bytes = self.measure();
    }

    /// Removes half of the toggles, and returns a part with them; `None` if there is only one.
    pub(super) fn split(&mut self) -> Option<Self> {
        let toggles = toggles_of(&mut self.body)?;
        if self.kind != ReportKind::Counts || toggles.len() < 2 {
            return None;
        }
        let mut all = std::mem::take(toggles).into_iter();
        let half = all.len() / 2;
        let first: Map<String, Value> = all.by_ref().take(half).collect();
        let mut rest = Self { accepted: 0, ..self.clone() };
        *toggles_of(&mut rest.body)? = all.collect();
        *toggles_of(&mut self.body)? = first;
        (self.bytes, rest.bytes) = (self.measure(), rest.measure());
        Some(rest)
    }

    /// Records a failed delivery. `received` is the number of reports that the upstream has received so far, and
    /// `is_outage` is true if it has received none at the same time.
    pub(super) fn record_failure(&mut self, received: usize, is_outage: bool) {
        // A report that failed alone is not delivered together with others, which the upstream may receive in between.
        let is_alone = !is_outage || (self.attempts > 0 && received > self.received);
        if is_alone {
            (self.attempts, self.received) = (self.attempts + 1, received);
        }
    }

    /// Returns true if a request in bulk can contain everything in this report. One invalid entry would refuse all of them.
    pub(super) fn fits_bulk(&self) -> bool {
        let has_text =
            |name: &str| self.body.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
        let is_valid = match self.kind {
            ReportKind::Registration => {
                let has_interval = self.body.get("interval").is_some_and(Value::is_number);
                let strategies = self.body.get("strategies");
                let are_texts =
                    |list: &Value| list.as_array().is_some_and(|list| list.iter().all(Value::is_string));
                has_text("instanceId")
                    && self.body.get("started").is_some_and(is_time)
                    && has_interval
                    && strategies.is_none_or(are_texts)
            }
            ReportKind::Presence => has_text("instanceId"),
            ReportKind::Counts => {
                self.source.hour.is_some()
                    && self.toggles().is_some_and(|toggles| toggles.values().all(is_count))
                    && self.body.iter().all(|(name, value)| is_bulk_field(name) || is_empty(value))
            }
            ReportKind::Bulk => false,
        };
        is_valid && self.scope.is_some()
    }

    /// Returns the counts by toggle; `None` if the report has none.
    pub(super) fn toggles(&self) -> Option<&Map<String, Value>> {
        self.body.get("bucket")?.get("toggles")?.as_object()
    }

    /// Returns the application: its credential and its name.
    pub(super) fn application(&self) -> (Credential, &str) {
        (self.source.credential, &self.source.application)
    }

    /// Returns true if both are merged.
    pub(super) fn has_source_of(&self, other: &Self) -> bool {
        self.kind == other.kind && self.source == other.source
    }

    /// Returns the identity of all reports that are merged if there is no room for more.
    pub(super) fn hour(&self) -> (ReportKind, ReportSource) {
        let period = self.source.period / PERIODS_PER_HOUR;
        (self.kind, ReportSource { period, ..self.source.clone() })
    }

    /// Returns the approximate size in memory in bytes.
    pub(super) fn measure(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| VALUE_SIZE + name.as_str().len() + value.len());
        let source = &self.source;
        let texts = [&source.application, &source.environment, &source.instance];
        headers.sum::<usize>()
            + texts.iter().map(|text| text.len()).sum::<usize>()
            + size_of_fields(&self.body)
    }
}

impl ReportSource {
    fn new(kind: ReportKind, credential: Credential, body: &Map<String, Value>, period: u64) -> Self {
        let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let is_of_instance = kind.is_of_instance();
        let stop = body.get("bucket").and_then(|bucket| bucket.get("stop"));
        Self {
            credential,
            application: text("appName"),
            environment: text("environment"),
            instance: if is_of_instance { text("instanceId") } else { String::new() },
            hour: if is_of_instance { None } else { stop.and_then(hour_of) },
            period: if is_of_instance { 0 } else { period },
        }
    }
}

/// Returns the hour of a time in a report: text, or milliseconds since 1970.
fn hour_of(time: &Value) -> Option<i64> {
    let time = match time {
        Value::String(text) => text.parse::<Timestamp>().ok()?,
        time => Timestamp::from_millisecond(time.as_i64()?).ok()?,
    };
    Some(time.as_second().div_euclid(3_600))
}

fn is_time(value: &Value) -> bool {
    hour_of(value).is_some()
}

/// Returns true for counts of one toggle that every flag service accepts.
fn is_count(counts: &Value) -> bool {
    let is_number = |name: &str| counts.get(name).is_none_or(Value::is_u64);
    let variants = counts.get("variants").filter(|variants| !variants.is_null());
    let are_numbers =
        |variants: &Value| variants.as_object().is_some_and(|sums| sums.values().all(Value::is_u64));
    let has_others = |counts: &Map<String, Value>| {
        counts
            .iter()
            .any(|(name, value)| !["yes", "no", "variants"].contains(&name.as_str()) && !is_empty(value))
    };
    counts.as_object().is_some_and(|counts| !has_others(counts))
        && is_number("yes")
        && is_number("no")
        && variants.is_none_or(are_numbers)
}

fn is_bulk_field(name: &str) -> bool {
    ["appName", "instanceId", "environment", "bucket", "sdkType"].contains(&name)
        || LIBRARY_FIELDS.contains(&name)
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn toggles_of(body: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    body.get_mut("bucket")?.get_mut("toggles")?.as_object_mut()
}

fn merge_bucket(bucket: &mut Map<String, Value>, later: Value) {
    let Value::Object(later) = later else { return };
    for (name, value) in later {
        match (name.as_str(), bucket.get_mut(&name)) {
            ("stop", _) | (_, None) => {
                bucket.insert(name, value);
            }
            ("toggles", Some(Value::Object(sums))) => {
                if let Value::Object(counts) = value {
                    add_all(sums, counts);
                }
            }
            _ => {}
        }
    }
}

/// Merges items with the same key, and appends the others.
fn merge_list(known: &mut Vec<Value>, later: Value, key: fn(&Value) -> String, merge: fn(&mut Value, Value)) {
    let Value::Array(later) = later else { return };
    let mut places: HashMap<String, usize> =
        known.iter().enumerate().map(|(index, item)| (key(item), index)).collect();
    for item in later {
        let item_key = key(&item);
        if let Some(same) = places.get(&item_key).and_then(|index| known.get_mut(*index)) {
            merge(same, item);
        } else {
            places.insert(item_key, known.len());
            known.push(item);
        }
    }
}

/// Returns the identity of counts in a bulk report: everything but the counts.
fn counts_key(counts: &Value) -> String {
    let mut fields = counts.as_object().cloned().unwrap_or_default();
    fields.retain(|name, _| !matches!(name.as_str(), "yes" | "no" | "variants"));
    Value::Object(fields).to_string()
}

/// Returns the identity of an impact metric. One name with two types is two metrics.
fn metric_key(metric: &Value) -> String {
    format!("{:?}", (metric.get("name"), metric.get("type")))
}

/// Merges the samples of a metric: a gauge has its last value, others are sums.
fn merge_metric(known: &mut Value, mut later: Value) {
    let is_gauge = known.get("type").and_then(Value::as_str) == Some("gauge");
    let merge: fn(&mut Value, Value) = if is_gauge { |known, later| *known = later } else { add_sample };
    let samples = later.get_mut("samples").map(Value::take).unwrap_or_default();
    if let Some(Value::Array(known)) = known.get_mut("samples") {
        merge_list(known, samples, sample_key, merge);
        known.truncate(MAX_SAMPLES);
    }
}

/// Returns the identity of a sample: its labels, and the bounds of its histogram. Histograms with other bounds cannot be
/// added, and remain separate samples.
fn sample_key(sample: &Value) -> String {
    let labels = sample.get("labels").and_then(Value::as_object).map(|labels| {
        let mut labels: Vec<_> = labels.iter().map(|(name, value)| format!("{name:?}{value}")).collect();
        labels.sort();
        labels
    });
    let bounds = sample.get("buckets").and_then(Value::as_array);
    let bounds = bounds.map(|buckets| buckets.iter().map(|bucket| bucket.get("le")).collect::<Vec<_>>());
    format!("{:?} {bounds:?}", labels.unwrap_or_default())
}

fn add_sample(sum: &mut Value, later: Value) {
    let Value::Object(later) = later else { return };
    for (name, value) in later {
        let Some(known) = sum.get_mut(&name) else { continue };
        match (name.as_str(), known, value) {
            ("value" | "count" | "sum", known, value) => add_number(known, &value),
            ("buckets", Value::Array(known), Value::Array(buckets)) => {
                for (known, bucket) in known.iter_mut().zip(buckets) {
                    if let (Some(known), Some(count)) = (known.get_mut("count"), bucket.get("count")) {
                        add_number(known, count);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Adds a number. Whole numbers remain whole.
fn add_number(sum: &mut Value, number: &Value) {
    let whole = sum.as_u64().zip(number.as_u64()).and_then(|(sum, number)| sum.checked_add(number));
    let added = whole.map(Number::from).or_else(|| Number::from_f64(sum.as_f64()? + number.as_f64()?));
    if let Some(added) = added {
        *sum = Value::Number(added);
    }
}

/// Adds counts by their names.
fn add_all(sums: &mut Map<String, Value>, counts: Map<String, Value>) {
    for (name, count) in counts {
        if let Some(sum) = sums.get_mut(&name) {
            add_counts(sum, count);
        } else {
            sums.insert(name, count);
        }
    }
}

/// Adds counts: numbers are added, objects by their properties.
fn add_counts(sum: &mut Value, counts: Value) {
    match (sum, counts) {
        (Value::Number(sum), Value::Number(count)) => {
            *sum = sum.as_u64().unwrap_or(0).saturating_add(count.as_u64().unwrap_or(0)).into();
        }
        // Bounded: the parser limits the depth.
        (Value::Object(sums), Value::Object(counts)) => add_all(sums, counts),
        _ => {}
    }
}

/// Returns the approximate size of a value in memory, without its name.
fn size_of(value: &Value) -> usize {
    VALUE_SIZE
        + match value {
            Value::Object(fields) => size_of_fields(fields),
            Value::Array(values) => values.iter().map(size_of).sum(),
            Value::String(text) => text.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
}

fn size_of_fields(fields: &Map<String, Value>) -> usize {
    fields.iter().map(|(name, value)| name.len() + size_of(value)).sum()
}
