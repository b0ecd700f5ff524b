//! Reports of SDKs that the upstream has not received: merged and bounded, in the order of their arrival. Pure.

use std::collections::VecDeque;

use actix_web::http::header::{HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::cache_key::CacheKey;

/// Maximum number of reports. Later ones replace the oldest ones.
const MAX_REPORTS: usize = 2_000;
/// Maximum approximate size of all reports in bytes.
const MAX_BYTES: usize = 16 << 20;
/// Approximate size of a counter in bytes, without its name.
const COUNTER_SIZE: usize = 200;
/// Period whose reports of an application are merged, in milliseconds.
const PERIOD: u64 = 60_000;

/// The kinds of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportKind {
    /// An instance of an application starts.
    Registration,
    /// Evaluation counts.
    Counts,
}

impl ReportKind {
    /// Returns the last part of the path.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Registration => "register",
            Self::Counts => "metrics",
        }
    }
}

/// A report, with the headers of its first request, such as the credential.
#[derive(Debug, Clone)]
pub(super) struct Report {
    pub(super) kind: ReportKind,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Map<String, Value>,
    sender: Sender,
    bytes: usize,
}

/// Reports with the same sender are merged.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sender {
    credential: [u8; 32],
    application: String,
    environment: String,
    /// Instance of a registration. Counts of all instances are merged.
    instance: String,
    /// Period of counts.
    period: u64,
}

/// The reports, oldest first.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    reports: VecDeque<Report>,
    bytes: usize,
}

impl Report {
    /// Creates a report; `None` if its body is not one of an SDK.
    pub(super) fn new(
        kind: ReportKind,
        key: CacheKey,
        headers: Vec<(HeaderName, HeaderValue)>,
        body: &[u8],
        now: u64,
    ) -> Option<Self> {
        let parsed: Map<String, Value> = serde_json::from_slice(body).ok()?;
        let text = |name: &str| parsed.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (instance, period) = match kind {
            ReportKind::Registration => (text("instanceId"), 0),
            ReportKind::Counts => (String::new(), now / PERIOD),
        };
        let sender = Sender {
            credential: key.credential,
            application: text("appName"),
            environment: text("environment"),
            instance,
            period,
        };
        let is_valid = !sender.application.is_empty();
        is_valid.then_some(Self { kind, headers, body: parsed, sender, bytes: body.len() + COUNTER_SIZE })
    }

    /// Adds a later report of the same sender.
    fn merge(&mut self, mut later: Self) {
        if self.kind == ReportKind::Registration {
            (self.body, self.bytes) = (later.body, later.bytes);
            return;
        }
        let Some(Value::Object(mut later)) = later.body.remove("bucket") else { return };
        let Some(bucket) = self.body.get_mut("bucket").and_then(Value::as_object_mut) else { return };
        if let Some(stop) = later.remove("stop") {
            bucket.insert("stop".to_owned(), stop);
        }
        let Some(Value::Object(toggles)) = later.remove("toggles") else { return };
        let sums = bucket.entry("toggles").or_insert_with(|| Value::Object(Map::new()));
        let Some(sums) = sums.as_object_mut() else { return };
        self.bytes += add_all(sums, toggles);
    }
}

impl Backlog {
    /// Adds a report, or merges it with an earlier one. Returns the number of reports that were dropped to make room.
    pub(super) fn add(&mut self, report: Report) -> usize {
        let is_same = |known: &&mut Report| known.kind == report.kind && known.sender == report.sender;
        if let Some(known) = self.reports.iter_mut().find(is_same) {
            self.bytes -= known.bytes;
            known.merge(report);
            self.bytes += known.bytes;
        } else {
            self.bytes += report.bytes;
            self.reports.push_back(report);
        }
        let mut dropped = 0;
        while self.reports.len() > MAX_REPORTS || self.bytes > MAX_BYTES {
            dropped += usize::from(self.take_first().is_some());
        }
        dropped
    }

    /// Takes the oldest report.
    pub(super) fn take_first(&mut self) -> Option<Report> {
        let first = self.reports.pop_front()?;
        self.bytes -= first.bytes;
        Some(first)
    }

    /// Puts back a report that was not delivered.
    pub(super) fn put_back(&mut self, report: Report) {
        self.bytes += report.bytes;
        self.reports.push_front(report);
    }

    pub(super) fn len(&self) -> usize {
        self.reports.len()
    }
}

/// Adds counts by their names. Returns the approximate size of the new ones.
fn add_all(sums: &mut Map<String, Value>, counts: Map<String, Value>) -> usize {
    let mut added = 0;
    for (name, count) in counts {
        if let Some(sum) = sums.get_mut(&name) {
            added += add_counts(sum, count);
        } else {
            added += name.len() + size_of(&count);
            sums.insert(name, count);
        }
    }
    added
}

/// Adds counts: numbers are added, objects by their properties. Returns the approximate size of the new ones.
fn add_counts(sum: &mut Value, counts: Value) -> usize {
    match (sum, counts) {
        (Value::Number(sum), Value::Number(count)) => {
            *sum = sum.as_u64().unwrap_or(0).saturating_add(count.as_u64().unwrap_or(0)).into();
            0
        }
        // Bounded: the parser limits the depth.
        (Value::Object(sums), Value::Object(counts)) => add_all(sums, counts),
        _ => 0,
    }
}

/// Returns the approximate size of a value in memory, without its name.
fn size_of(value: &Value) -> usize {
    COUNTER_SIZE
        + match value {
            Value::Object(values) => values.iter().map(|(name, value)| name.len() + size_of(value)).sum(),
            Value::Array(values) => values.iter().map(size_of).sum(),
            Value::String(text) => text.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Backlog, MAX_BYTES, MAX_REPORTS, PERIOD, Report, ReportKind};
    use crate::sdk::replica::cache_key::CacheKey;

    fn report(kind: ReportKind, credential: u8, body: &Value, now: u64) -> Option<Report> {
        let key = CacheKey { credential: [credential; 32], whole: [0; 32] };
        Report::new(kind, key, Vec::new(), body.to_string().as_bytes(), now)
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
        let first = backlog.take_first().unwrap();
        let sum = json!({ "a": { "yes": 11, "no": 22, "variants": { "blue": 6, "red": 6 } }, "b": { "yes": 1, "no": 0 } });
        assert_eq!(Value::Object(first.body.clone()), counts("shop", "1", "10:02", &sum));
        assert_eq!(Value::Object(backlog.take_first().unwrap().body), one, "the next minute");
        backlog.put_back(first);
        assert_eq!(backlog.take_first().unwrap().body["bucket"]["stop"], "10:02");
    }

    #[test]
    fn each_instance_has_its_last_registration() {
        let mut backlog = Backlog::default();
        for (instance, started) in [("1", "10:00"), ("2", "10:00"), ("1", "10:05")] {
            let body = json!({ "appName": "shop", "instanceId": instance, "started": started });
            backlog.add(report(ReportKind::Registration, 1, &body, 0).unwrap());
        }
        let started = |backlog: &mut Backlog| backlog.take_first().unwrap().body["started"].clone();
        assert_eq!((started(&mut backlog), started(&mut backlog)), (json!("10:05"), json!("10:00")));
        assert!(backlog.take_first().is_none());
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
        let dropped: usize = (0..MAX_REPORTS + 3)
            .map(|number| backlog.add(report(ReportKind::Counts, 1, &named(number), 0).unwrap()))
            .sum();
        assert_eq!((dropped, backlog.len()), (3, MAX_REPORTS));
        assert_eq!(backlog.take_first().unwrap().body["appName"], "app-3");
        let mut backlog = Backlog::default();
        for number in 0..20 {
            let toggles = (0..10_000).map(|toggle| (format!("{number}-{toggle}"), json!({ "yes": 1 })));
            backlog.add(
                report(ReportKind::Counts, 1, &counts("shop", "1", "10:01", &toggles.collect()), 0).unwrap(),
            );
            backlog.add(report(ReportKind::Counts, 2, &counts("shop", "1", "10:01", &json!({})), 0).unwrap());
            assert!(backlog.bytes <= MAX_BYTES);
        }
        assert_eq!(backlog.bytes, backlog.reports.iter().map(|report| report.bytes).sum::<usize>());
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
            assert!(backlog.bytes <= MAX_BYTES);
        }
        assert!(dropped > 0, "{} bytes", backlog.bytes);
        let mut backlog = Backlog::default();
        for length in [1, 1_000_000] {
            let body = json!({ "appName": "shop", "instanceId": "1", "started": "x".repeat(length) });
            backlog.add(report(ReportKind::Registration, 1, &body, 0).unwrap());
        }
        assert!(backlog.bytes > 1_000_000);
    }
}
