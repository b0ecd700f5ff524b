//! Reports of SDKs that the upstream has not received: merged and bounded, in the order of their arrival. Pure.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::IpAddr;

use actix_web::http::header::{HeaderName, HeaderValue};
use serde_json::{Map, Number, Value};

use super::cache_key::CacheKey;
use crate::impact_metrics::report::{MAX_METRICS, MAX_SAMPLES, remove_invalid};

/// Bounds of the reports of one class: number of reports, and their approximate size in memory in bytes.
#[derive(Debug, Clone, Copy)]
struct Share {
    reports: usize,
    bytes: usize,
}

/// Bounds of all reports. At a bound, the counts of an hour are merged, and else the oldest reports of the class are dropped.
#[derive(Debug, Clone, Copy)]
struct Shares {
    /// Share of the credentials that the upstream has accepted.
    known: Share,
    /// Share of all other credentials. It is separate, so that their reports never displace reports of accepted credentials.
    unknown: Share,
    /// Share of the unknown credentials of one network.
    unknown_of_network: Share,
}

const SHARES: Shares = Shares {
    known: Share { reports: 2_000, bytes: 16 << 20 },
    unknown: Share { reports: 200, bytes: 2 << 20 },
    unknown_of_network: Share { reports: 50, bytes: 1 << 20 },
};
/// Approximate size of a value in memory in bytes, with its entry in an object.
const VALUE_SIZE: usize = 200;
/// Period whose reports of an application are merged, in milliseconds: flag services show counts per minute.
const PERIOD: u64 = 60_000;
/// Number of periods whose reports are merged if there is no room for more: an hour, for which all flag services count.
const PERIODS_PER_HOUR: u64 = 60;

/// The kinds of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ReportKind {
    /// An instance of an application starts.
    Registration,
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

impl ReportKind {
    /// Returns the last part of the path.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Registration => "register",
            Self::Counts => "metrics",
            Self::Bulk => "metrics/bulk",
        }
    }
}

/// A report, with the headers of its first request, such as the credential.
#[derive(Debug, Clone)]
pub(super) struct QueuedReport {
    pub(super) kind: ReportKind,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Map<String, Value>,
    /// Number of failed deliveries while the upstream received other reports.
    pub(super) attempts: u32,
    /// Number of reports that the upstream had received at the last of these attempts.
    received: usize,
    /// Number of failed deliveries since the upstream has received a report.
    failures: u32,
    class: ReportSender,
    source: ReportSource,
    bytes: usize,
}

/// Reports of the same source are merged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ReportSource {
    credential: [u8; 32],
    application: String,
    environment: String,
    /// Instance of a registration. Counts of all instances are merged.
    instance: String,
    /// Period of counts.
    period: u64,
}

/// The reports, oldest first.
#[derive(Debug)]
pub(super) struct Backlog {
    reports: VecDeque<QueuedReport>,
    /// Number of reports that were taken and are being delivered.
    taken: usize,
    shares: Shares,
}

impl Default for Backlog {
    fn default() -> Self {
        Self { reports: VecDeque::new(), taken: 0, shares: SHARES }
    }
}

impl QueuedReport {
    /// Creates a report; `None` if its body is not one of an SDK.
    pub(super) fn new(
        kind: ReportKind,
        key: CacheKey,
        headers: Vec<(HeaderName, HeaderValue)>,
        body: &[u8],
        class: ReportSender,
        now: u64,
    ) -> Option<Self> {
        let mut body: Map<String, Value> = serde_json::from_slice(body).ok()?;
        remove_invalid(&mut body);
        let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (instance, period) = match kind {
            ReportKind::Registration => (text("instanceId"), 0),
            ReportKind::Counts | ReportKind::Bulk => (String::new(), now / PERIOD),
        };
        let source = ReportSource {
            credential: key.credential,
            application: text("appName"),
            environment: text("environment"),
            instance,
            period,
        };
        let is_valid = match kind {
            ReportKind::Bulk => {
                ["applications", "metrics"].iter().all(|name| body.get(*name).is_some_and(Value::is_array))
            }
            ReportKind::Registration | ReportKind::Counts => !source.application.is_empty(),
        };
        let mut report =
            Self { kind, headers, body, attempts: 0, received: 0, failures: 0, class, source, bytes: 0 };
        report.bytes = report.measure();
        is_valid.then_some(report)
    }

    /// Adds a later report of the same source. Fields that cannot be added keep their first value.
    fn merge(&mut self, later: Self) {
        if later.class == ReportSender::Known {
            self.class = ReportSender::Known;
        }
        if self.kind == ReportKind::Registration {
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

    /// Records a failed delivery. `received` is the number of reports that the upstream has received so far, and
    /// `is_outage` is true if it has received none at the same time.
    pub(super) fn record_failure(&mut self, received: usize, is_outage: bool) {
        // A report that failed alone is not delivered together with others, which the upstream may receive in between.
        let is_alone = !is_outage || (self.attempts > 0 && received > self.received);
        if is_alone {
            (self.attempts, self.received) = (self.attempts + 1, received);
        }
    }

    /// Returns the application: its credential and its name.
    fn application(&self) -> ([u8; 32], &str) {
        (self.source.credential, &self.source.application)
    }

    /// Returns the identity of all reports that are merged if there is no room for more.
    fn hour(&self) -> (ReportKind, ReportSource) {
        let period = self.source.period / PERIODS_PER_HOUR;
        (self.kind, ReportSource { period, ..self.source.clone() })
    }

    /// Returns the approximate size in memory in bytes.
    fn measure(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| VALUE_SIZE + name.as_str().len() + value.len());
        let source = &self.source;
        let texts = [&source.application, &source.environment, &source.instance];
        headers.sum::<usize>()
            + texts.iter().map(|text| text.len()).sum::<usize>()
            + size_of_fields(&self.body)
    }
}

impl Share {
    /// Returns true if reports of this number and size do not fit.
    fn is_exceeded(self, reports: usize, bytes: usize) -> bool {
        reports > self.reports || bytes > self.bytes
    }
}

impl Backlog {
    /// Adds a report, or merges it with an earlier one. Returns the number of reports that were dropped to make room.
    pub(super) fn add(&mut self, report: QueuedReport) -> usize {
        let class = report.class;
        if class == ReportSender::Known {
            // The upstream may have accepted the credential since its earlier reports.
            let earlier = self.reports.iter_mut();
            earlier
                .filter(|earlier| earlier.source.credential == report.source.credential)
                .for_each(|earlier| earlier.class = class);
        }
        let is_same = |known: &&mut QueuedReport| known.kind == report.kind && known.source == report.source;
        // The newest one: a report that was put back is older, and its gauges are delivered first.
        if let Some(known) = self.reports.iter_mut().rfind(is_same) {
            known.merge(report);
            let class = known.class;
            return self.make_room(class);
        }
        self.reports.push_back(report);
        self.make_room(class)
    }

    /// Takes at most this number of reports that can be delivered at the same time: an application must be registered
    /// before its counts arrive, and the last value of a gauge counts. Accepted credentials come first. Reports that have
    /// failed alone are taken only if there are no others.
    ///
    /// The oldest reports are taken, and one of the application that reported last, so that a later report does not wait
    /// for the reports of all other applications. They are being delivered until [`Self::end_batch`].
    pub(super) fn take_batch(&mut self, count: usize) -> Vec<QueuedReport> {
        // The place of the last report of each application.
        let mut last = HashMap::new();
        let mut instances = HashSet::new();
        let mut next = Vec::new();
        for (place, report) in self.reports.iter().enumerate() {
            let is_first = last.insert(report.application(), place).is_none();
            let is_first_of_instance = instances.insert((report.application(), &report.source.instance));
            // Registrations of different instances do not depend on each other.
            if is_first || (report.kind == ReportKind::Registration && is_first_of_instance) {
                next.push((place, report));
            }
        }
        let rank = |report: &QueuedReport| (report.attempts > 0, report.class != ReportSender::Known);
        next.sort_by_key(|(_, report)| (rank(report), report.failures));
        let best = next.first().map(|(_, report)| rank(report));
        let has_failed = best.is_some_and(|(has_failed, _)| has_failed);
        next.retain(|(_, report)| (report.attempts > 0) == has_failed);
        let of_best = next.iter().enumerate().filter(|(_, (_, report))| Some(rank(report)) == best);
        let latest = of_best.max_by_key(|(_, (_, report))| last.get(&report.application()).copied());
        if let Some(index) = latest.map(|(index, _)| index) {
            let latest = next.remove(index);
            next.insert(index.min(1), latest);
        }
        let mut places: Vec<_> = next.into_iter().take(count).map(|(place, _)| place).collect();
        places.sort_unstable();
        let taken = places.into_iter().rev().filter_map(|place| self.reports.remove(place));
        let mut batch: Vec<_> = taken.collect();
        batch.reverse();
        self.taken = batch.len();
        batch
    }

    /// Puts back a report that was not delivered, before later ones of its application. Returns the number of dropped
    /// reports.
    pub(super) fn put_back(&mut self, mut report: QueuedReport) -> usize {
        report.failures += 1;
        let class = report.class;
        self.reports.push_front(report);
        self.make_room(class)
    }

    /// Ends the delivery of a batch, after the reports that were not delivered were put back.
    pub(super) fn end_batch(&mut self) {
        self.taken = 0;
    }

    /// Forgets earlier failures, because the upstream receives reports again.
    pub(super) fn end_outage(&mut self) {
        self.reports.iter_mut().for_each(|report| report.failures = 0);
    }

    /// Returns the number of reports that wait.
    pub(super) fn len(&self) -> usize {
        self.reports.len()
    }

    /// Returns true if no report waits or is being delivered.
    pub(super) fn is_idle(&self) -> bool {
        self.reports.is_empty() && self.taken == 0
    }

    /// Keeps the share of a class: merges the counts of an hour, or else drops the oldest reports. Returns the number of
    /// dropped ones.
    fn make_room(&mut self, class: ReportSender) -> usize {
        match class {
            ReportSender::Known => self.reduce_to(self.shares.known, |other| other == ReportSender::Known),
            ReportSender::Unknown(_) => {
                self.reduce_to(self.shares.unknown_of_network, |other| other == class)
                    + self.reduce_to(self.shares.unknown, |other| other != ReportSender::Known)
            }
        }
    }

    fn reduce_to(&mut self, share: Share, is_concerned: impl Fn(ReportSender) -> bool) -> usize {
        let mut dropped = 0;
        loop {
            let concerned = self.reports.iter().enumerate().filter(|(_, report)| is_concerned(report.class));
            let bytes = concerned.clone().map(|(_, report)| report.bytes).sum();
            if !share.is_exceeded(concerned.clone().count(), bytes) {
                return dropped;
            }
            let oldest = concerned.clone().next().map(|(place, _)| place);
            let mut hours = HashMap::new();
            let mut same_hour =
                concerned.filter_map(|(place, report)| Some((hours.insert(report.hour(), place)?, place)));
            if let Some((earlier, later)) = same_hour.next() {
                let later = self.reports.remove(later);
                if let (Some(earlier), Some(later)) = (self.reports.get_mut(earlier), later) {
                    earlier.merge(later);
                }
            } else {
                oldest.and_then(|place| self.reports.remove(place));
                dropped += 1;
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::net::{IpAddr, Ipv4Addr};

    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{
        Backlog, PERIOD, PERIODS_PER_HOUR, QueuedReport, ReportKind, ReportSender, SHARES, Share, Shares,
    };
    use crate::sdk::replica::cache_key::CacheKey;

    fn report(kind: ReportKind, credential: u8, body: &Value, now: u64) -> Option<QueuedReport> {
        let key = CacheKey { credential: [credential; 32], whole: [0; 32] };
        QueuedReport::new(kind, key, Vec::new(), body.to_string().as_bytes(), ReportSender::Known, now)
    }

    fn first(backlog: &mut Backlog) -> Option<QueuedReport> {
        backlog.take_batch(1).pop()
    }

    fn total(backlog: &Backlog) -> usize {
        backlog.reports.iter().map(QueuedReport::measure).sum()
    }

    fn counts(app: &str, instance: &str, stop: &str, toggles: &Value) -> Value {
        let bucket = json!({ "start": "10:00", "stop": stop, "toggles": toggles });
        json!({ "appName": app, "instanceId": instance, "bucket": bucket })
    }

    #[test]
    fn counts_of_an_application_are_added_for_each_minute() {
        let mut backlog = Backlog::default();
        let one =
            counts("shop", "1", "10:01", &json!({ "a": { "yes": 1, "no": 2, "variants": { "blue": 1 } } }));
        let other = counts(
            "shop",
            "2",
            "10:02",
            &json!({ "a": { "yes": 10, "no": 20, "variants": { "blue": 5, "red": 6 } }, "b": { "yes": 1, "no": 0 } }),
        );
        for (credential, body, now) in [
            (1, &one, 0),
            (1, &other, PERIOD - 1),
            (1, &one, PERIOD),
            (2, &one, 0),
            (1, &counts("app", "1", "10:01", &json!({})), 0),
        ] {
            assert_eq!(backlog.add(report(ReportKind::Counts, credential, body, now).unwrap()), 0);
        }
        assert_eq!(backlog.len(), 4);
        let oldest = first(&mut backlog).unwrap();
        let sum = json!({ "a": { "yes": 11, "no": 22, "variants": { "blue": 6, "red": 6 } }, "b": { "yes": 1, "no": 0 } });
        assert_eq!(Value::Object(oldest.body.clone()), counts("shop", "1", "10:02", &sum));
        assert_eq!(Value::Object(first(&mut backlog).unwrap().body), one, "the next minute");
        backlog.put_back(oldest);
        backlog.end_outage();
        assert_eq!(first(&mut backlog).unwrap().body["bucket"]["stop"], "10:02");
    }

    #[test]
    fn counts_are_added_for_each_hour_before_any_are_dropped() {
        let mut backlog = Backlog { shares: SMALL, ..Backlog::default() };
        for minute in 0..120 {
            let body = counts("shop", "1", &minute.to_string(), &json!({ "a": { "yes": 1 } }));
            assert_eq!(backlog.add(report(ReportKind::Counts, 1, &body, minute * PERIOD).unwrap()), 0);
        }
        let counted = |report: &QueuedReport| {
            let bucket = &report.body["bucket"];
            (
                bucket["stop"].as_str().unwrap().parse().unwrap(),
                bucket["toggles"]["a"]["yes"].as_u64().unwrap(),
            )
        };
        let kept: Vec<(u64, u64)> = backlog.reports.iter().map(counted).collect();
        let last_minutes: Vec<_> = (114..120).map(|minute| (minute, 1)).collect();
        assert_eq!(kept, [&[(59, 60), (113, 54)], &last_minutes[..]].concat());
    }

    #[test]
    fn each_instance_has_its_last_registration() {
        let mut backlog = Backlog::default();
        for (instance, started) in [("1", "10:00"), ("2", "10:00"), ("1", "10:05")] {
            let body = json!({ "appName": "shop", "instanceId": instance, "started": started });
            backlog.add(report(ReportKind::Registration, 1, &body, 0).unwrap());
        }
        let started = |backlog: &mut Backlog| first(backlog).unwrap().body["started"].clone();
        assert_eq!((started(&mut backlog), started(&mut backlog)), (json!("10:05"), json!("10:00")));
        assert!(first(&mut backlog).is_none());
    }

    #[test]
    fn bodies_of_other_clients_are_refused() {
        for body in [json!([]), json!({}), json!({ "appName": 1 }), json!("shop")] {
            assert!(report(ReportKind::Counts, 1, &body, 0).is_none(), "{body}");
        }
    }

    #[test]
    fn oldest_reports_are_dropped() {
        let mut backlog = Backlog::default();
        let named = |number: usize| counts(&format!("app-{number}"), "1", "10:01", &json!({}));
        let dropped: usize = (0..SHARES.known.reports + 3)
            .map(|number| backlog.add(report(ReportKind::Counts, 1, &named(number), 0).unwrap()))
            .sum();
        assert_eq!((dropped, backlog.len()), (3, SHARES.known.reports));
        assert_eq!(first(&mut backlog).unwrap().body["appName"], "app-3");
        let mut backlog = Backlog::default();
        for number in 0..20 {
            let toggles = (0..10_000).map(|toggle| (format!("{number}-{toggle}"), json!({ "yes": 1 })));
            backlog.add(
                report(ReportKind::Counts, 1, &counts("shop", "1", "10:01", &toggles.collect()), 0).unwrap(),
            );
            backlog.add(report(ReportKind::Counts, 2, &counts("shop", "1", "10:01", &json!({})), 0).unwrap());
            assert!(total(&backlog) <= SHARES.known.bytes);
        }
    }

    #[test]
    fn merged_reports_are_bounded() {
        let mut backlog = Backlog::default();
        let mut dropped = 0;
        for number in 0..40 {
            let variants: Value =
                (0..10_000).map(|variant| (format!("{number}-{variant}"), json!(1))).collect();
            let body = counts("shop", "1", "10:01", &json!({ "a": { "yes": 1, "variants": variants } }));
            dropped += backlog.add(report(ReportKind::Counts, 1, &body, 0).unwrap());
            assert!(total(&backlog) <= SHARES.known.bytes);
        }
        assert!(dropped > 0, "{} bytes", total(&backlog));
        let mut backlog = Backlog::default();
        for length in [1, 1_000_000] {
            let body = json!({ "appName": "shop", "instanceId": "1", "started": "x".repeat(length) });
            backlog.add(report(ReportKind::Registration, 1, &body, 0).unwrap());
        }
        assert!(total(&backlog) > 1_000_000);
    }

    #[test]
    fn impact_metrics_are_merged_by_type_labels_and_bounds() {
        let metric = |kind: &str, samples: &Value| json!({ "name": "m", "help": "h", "type": kind, "samples": samples });
        let histogram = |le: f64, count: u64| json!({ "labels": { "a": "1" }, "count": count, "sum": 0.5, "buckets": [{ "le": le, "count": count }, { "le": "+Inf", "count": count }] });
        let body = |value: u64, le: f64| {
            let samples =
                json!([{ "labels": { "a": "1" }, "value": value }, { "labels": { "a": 1 }, "value": value }]);
            let mut body = counts("shop", "1", "10:01", &json!({}));
            body["impactMetrics"] = json!([
                metric("counter", &samples),
                metric("gauge", &samples),
                metric("histogram", &json!([histogram(le, value)]))
            ]);
            body
        };
        let mut backlog = Backlog::default();
        let mut later = body(5, 2.0);
        later["other"] = json!(true);
        for body in [counts("shop", "1", "10:01", &json!({})), body(1, 1.0), body(2, 1.0), later] {
            backlog.add(report(ReportKind::Counts, 1, &body, 0).unwrap());
        }
        let merged = first(&mut backlog).unwrap().body;
        assert_eq!(merged["other"], true);
        let samples = |value: u64| json!([{ "labels": { "a": "1" }, "value": value }, { "labels": { "a": 1 }, "value": value }]);
        let mut sum = histogram(1.0, 3);
        sum["sum"] = json!(1.0);
        let expected = json!([
            metric("counter", &samples(8)),
            metric("gauge", &samples(5)),
            metric("histogram", &json!([sum, histogram(2.0, 5)]))
        ]);
        assert_eq!(merged["impactMetrics"], expected);
    }

    #[test]
    fn later_gauge_is_not_merged_with_a_report_that_was_put_back() {
        let mut backlog = Backlog::default();
        let gauge = |value: u64| {
            let mut body = counts("shop", "1", "10:01", &json!({}));
            let samples = json!([{ "value": value }]);
            body["impactMetrics"] =
                json!([{ "name": "m", "help": "h", "type": "gauge", "samples": samples }]);
            report(ReportKind::Counts, 1, &body, 0).unwrap()
        };
        backlog.add(gauge(1));
        let failed = first(&mut backlog).unwrap();
        backlog.add(gauge(2));
        backlog.put_back(failed);
        backlog.end_batch();
        backlog.add(gauge(3));
        let value = |report: &QueuedReport| report.body["impactMetrics"][0]["samples"][0]["value"].clone();
        assert_eq!(backlog.reports.iter().map(value).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn bulk_reports_are_merged() {
        let counts = |yes: u64| json!({ "appName": "shop", "featureName": "a", "timestamp": "t", "yes": yes, "no": 0, "variants": { "b": yes } });
        let body = |yes: u64| json!({ "applications": [{ "appName": "shop", "instanceId": "1" }], "metrics": [counts(yes)] });
        let mut backlog = Backlog::default();
        for yes in [1, 2] {
            backlog.add(report(ReportKind::Bulk, 1, &body(yes), 0).unwrap());
        }
        assert_eq!(Value::Object(first(&mut backlog).unwrap().body), body(3));
        assert!(report(ReportKind::Bulk, 1, &json!({ "appName": "shop" }), 0).is_none());
    }

    #[test]
    fn accepted_credentials_and_reports_without_failures_come_first() {
        let mut backlog = Backlog::default();
        let add = |backlog: &mut Backlog, credential: u8, class: ReportSender| {
            let mut report =
                report(ReportKind::Counts, credential, &counts("shop", "1", "s", &json!({})), 0).unwrap();
            report.class = class;
            assert_eq!(backlog.add(report), 0);
        };
        let take = |backlog: &mut Backlog| -> Vec<QueuedReport> { backlog.take_batch(4) };
        let senders = |batch: &[QueuedReport]| -> Vec<u8> {
            let mut senders: Vec<_> = batch.iter().map(|report| report.source.credential[0]).collect();
            senders.sort_unstable();
            senders
        };
        for credential in 0..50 {
            add(
                &mut backlog,
                credential,
                ReportSender::Unknown(IpAddr::V4(Ipv4Addr::new(192, 0, 2, credential))),
            );
        }
        (50..58).for_each(|credential| add(&mut backlog, credential, ReportSender::Known));
        // Each batch contains the latest report.
        for expected in [[50, 51, 52, 57], [53, 54, 55, 56]] {
            let batch = take(&mut backlog);
            assert_eq!(senders(&batch), expected);
            for report in batch {
                assert_eq!(backlog.put_back(report), 0);
            }
        }
        add(&mut backlog, 99, ReportSender::Known);
        let batch = take(&mut backlog);
        assert!(senders(&batch).contains(&99), "a new report during the outage: {:?}", senders(&batch));
        backlog.end_outage();
        for mut report in batch.into_iter().rev() {
            report.attempts += 1;
            backlog.put_back(report);
        }
        let mut delivered = 0;
        while backlog.reports.iter().any(|report| report.attempts == 0) {
            let batch = take(&mut backlog);
            assert!(batch.iter().all(|report| report.attempts == 0));
            delivered += batch.len();
        }
        assert_eq!((delivered, take(&mut backlog).len()), (55, 4), "also reports of unknown credentials");
    }

    #[test]
    fn later_report_does_not_wait_for_those_of_other_applications() {
        let mut backlog = Backlog::default();
        let add = |backlog: &mut Backlog, kind: ReportKind, app: &str, instance: usize| {
            let body = counts(app, &instance.to_string(), "s", &json!({}));
            assert_eq!(backlog.add(report(kind, 1, &body, 0).unwrap()), 0);
        };
        for number in 0..500 {
            let app = format!("app-{number}");
            // The counts of an outage.
            for instance in 0..3 {
                add(&mut backlog, ReportKind::Counts, &app, instance);
            }
            add(&mut backlog, ReportKind::Registration, "shop", number);
        }
        assert_eq!(backlog.len(), 1_000, "one report of each application and of each registered instance");
        for instance in 0..2 {
            add(&mut backlog, ReportKind::Registration, "later", instance);
        }
        add(&mut backlog, ReportKind::Counts, "later", 0);
        let mut taken = Vec::new();
        for _ in 0..3 {
            let batch = backlog.take_batch(4);
            assert_eq!(batch.len(), 4);
            taken.extend(batch.into_iter().filter(|report| report.source.application == "later"));
        }
        let kinds: Vec<_> = taken.iter().map(|report| report.kind).collect();
        assert_eq!(kinds, [ReportKind::Registration, ReportKind::Registration, ReportKind::Counts]);
    }

    #[test]
    fn counts_wait_for_the_first_registration() {
        let mut backlog = Backlog::default();
        for instance in 0..6 {
            let body = counts("shop", &instance.to_string(), "s", &json!({}));
            for kind in [ReportKind::Registration, ReportKind::Counts] {
                backlog.add(report(kind, 1, &body, 0).unwrap());
            }
        }
        let mut batches = Vec::new();
        while backlog.len() > 0 {
            batches.push(backlog.take_batch(4).iter().map(|report| report.kind).collect::<Vec<_>>());
        }
        // Later instances register while the counts wait for the first registration.
        let [registration, counts] = [ReportKind::Registration, ReportKind::Counts];
        assert_eq!(batches, [vec![registration; 4], vec![counts, registration, registration]]);
    }

    #[test]
    fn unknown_credentials_of_one_network_leave_places_for_others() {
        let mut backlog = Backlog::default();
        let mut add = |number: usize, network: u8| {
            let body = counts(&number.to_string(), "1", "s", &json!({}));
            let mut report = report(ReportKind::Counts, 1, &body, 0).unwrap();
            report.class = ReportSender::Unknown(IpAddr::V4(Ipv4Addr::new(192, 0, 2, network)));
            backlog.add(report)
        };
        assert_eq!((0..10).map(|number| add(number, 1)).sum::<usize>(), 0);
        let dropped: usize = (10..310).map(|number| add(number, 2)).sum();
        assert_eq!(dropped, 300 - SHARES.unknown_of_network.reports);
        assert_eq!(backlog.len(), 10 + SHARES.unknown_of_network.reports);
    }

    #[test]
    fn earlier_reports_of_a_credential_become_those_of_an_accepted_one() {
        let mut backlog = Backlog::default();
        let add = |backlog: &mut Backlog, app: &str, class: ReportSender| {
            let mut report = report(ReportKind::Counts, 1, &counts(app, "1", "s", &json!({})), 0).unwrap();
            report.class = class;
            backlog.add(report);
        };
        add(&mut backlog, "early", ReportSender::Unknown(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        add(&mut backlog, "later", ReportSender::Known);
        assert!(backlog.reports.iter().all(|report| report.class == ReportSender::Known));
    }

    const SMALL: Shares = Shares {
        known: Share { reports: 8, bytes: 20_000 },
        unknown: Share { reports: 6, bytes: 12_000 },
        unknown_of_network: Share { reports: 3, bytes: 8_000 },
    };

    #[derive(Debug, Clone)]
    enum Action {
        Add { sender: u8, toggles: usize },
        Fail,
        FailAlone,
        Deliver,
    }

    fn actions() -> impl Strategy<Value = Vec<Action>> {
        let add = (0..8_u8, 0..10_usize).prop_map(|(sender, toggles)| Action::Add { sender, toggles });
        let action = prop_oneof![8 => add, 1 => Just(Action::Fail), 1 => Just(Action::FailAlone), 1 => Just(Action::Deliver)];
        proptest::collection::vec(action, 1..80)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

        /// Each report is in the backlog, delivered or counted as dropped. The reports of known credentials, the first four
        /// senders, do not depend on reports of unknown credentials.
        #[test]
        fn unknown_senders_never_displace_known_ones(actions in actions()) {
            let new = || Backlog { shares: SMALL, ..Backlog::default() };
            let (mut all, mut known_only) = (new(), new());
            let (mut added, mut delivered, mut dropped) = (0, 0, 0);
            let mut last = HashMap::new();
            let number_of = |report: &QueuedReport| -> usize { report.body["instanceId"].as_str().unwrap().parse().unwrap() };
            let known = |backlog: &Backlog| -> Vec<usize> {
                let known = backlog.reports.iter().filter(|report| report.class == ReportSender::Known);
                known.map(number_of).collect()
            };
            for (number, action) in (0..).zip(actions) {
                let count = if matches!(action, Action::FailAlone) { 1 } else { 4 };
                match action {
                    Action::Add { sender, toggles } => {
                        let toggles: Value = (0..toggles).map(|name| (name.to_string(), json!({ "yes": 1 }))).collect();
                        let body = counts(&(number % 3).to_string(), &number.to_string(), "s", &toggles);
                        // Each report has an hour of its own, and is not merged.
                        let now = number * PERIODS_PER_HOUR * PERIOD;
                        let mut report = report(ReportKind::Counts, sender, &body, now).unwrap();
                        if sender < 4 {
                            known_only.add(report.clone());
                        } else {
                            report.class = ReportSender::Unknown(IpAddr::V4(Ipv4Addr::new(192, 0, 2, sender)));
                        }
                        added += 1;
                        dropped += all.add(report);
                    }
                    Action::Fail | Action::FailAlone => {
                        for mut report in all.take_batch(count).into_iter().rev() {
                            report.attempts += u32::from(count == 1);
                            if report.class == ReportSender::Known {
                                known_only.reports.retain(|known| number_of(known) != number_of(&report));
                                known_only.put_back(report.clone());
                            }
                            dropped += all.put_back(report);
                        }
                    }
                    Action::Deliver => {
                        let batch = all.take_batch(count);
                        for report in &batch {
                            let number = number_of(report);
                            let application = (report.source.credential, report.source.application.clone());
                            let last = last.insert(application, number);
                            prop_assert!(last.is_none_or(|last| last < number), "the order of an application");
                            known_only.reports.retain(|known| number_of(known) != number);
                        }
                        delivered += batch.len();
                    }
                }
                let of_class = |is_known: bool| {
                    let class = all.reports.iter().filter(move |report| (report.class == ReportSender::Known) == is_known);
                    class.map(QueuedReport::measure).sum::<usize>()
                };
                prop_assert!(of_class(true) <= SMALL.known.bytes && of_class(false) <= SMALL.unknown.bytes);
                prop_assert!(all.reports.iter().all(|report| report.bytes == report.measure()));
                prop_assert_eq!(added, all.len() + delivered + dropped);
                prop_assert_eq!(known(&all), known(&known_only));
            }
        }
    }
}
