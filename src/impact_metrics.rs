//! Impact metrics that applications report with their SDKs: totals for Prometheus, and values per minute of the last hour.
//!
//! They are in memory only: after a restart, counters begin at 0, as Prometheus expects of any process. SDKs report increments
//! since their last accepted report, so that a restart of an application changes no total. A report that an SDK repeats, because
//! it did not receive the response, counts twice: reports have no identity.

mod collector;
pub(crate) mod report;
mod series;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use memchr::memmem;
use serde::Deserialize;
use serde_json::Value;

use self::series::{LIMITS, MinuteValue, SeriesStore};
use crate::api::{ImpactMetric, ImpactMetricKind, ImpactMetricsResponse, ImpactMinute, ImpactResult};

/// Maximum number of metrics in a response.
pub const MAX_LISTED_METRICS: usize = 100;
/// Maximum number of results of a metric in a response.
pub const MAX_LISTED_RESULTS: usize = 20;
/// Label with the name of a toggle, of applications that set it themselves.
const TOGGLE_LABEL: &str = "featureName";
/// Result of metrics with [`TOGGLE_LABEL`].
const ENABLED: &str = "enabled";

/// The impact metrics of this process. Clones share them.
#[derive(Debug, Clone)]
pub struct ImpactMetrics(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    series: Mutex<SeriesStore>,
    clock: Clock,
    over_limit: AtomicU64,
    invalid: AtomicU64,
}

/// A clock that is never set. Its minutes begin with those of the system's clock, unless that is set later.
#[derive(Debug)]
struct Clock {
    start: Instant,
    second: i64,
}

/// The senders of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImpactSender {
    /// Applications with a secret token.
    Server,
    /// Browsers and phones, whose tokens are public.
    Browser,
}

/// The part of a report that contains impact metrics.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    app_name: Option<String>,
    impact_metrics: Option<Value>,
}

impl ImpactSender {
    fn index(self) -> usize {
        match self {
            Self::Server => 0,
            Self::Browser => 1,
        }
    }
}

impl Clock {
    fn now(&self) -> i64 {
        self.second.saturating_add_unsigned(self.start.elapsed().as_secs())
    }
}

impl Default for ImpactMetrics {
    fn default() -> Self {
        Self(Arc::new(Inner {
            series: Mutex::new(SeriesStore::new(LIMITS)),
            clock: Clock { start: Instant::now(), second: Timestamp::now().as_second() },
            over_limit: AtomicU64::new(0),
            invalid: AtomicU64::new(0),
        }))
    }
}

impl ImpactMetrics {
    /// Adds the impact metrics of an accepted report. Invalid ones are dropped and counted.
    pub(crate) fn record(&self, report: &Value, sender: ImpactSender) {
        let Some(reported) = report.get("impactMetrics") else { return };
        let application = report.get("appName").and_then(Value::as_str).unwrap_or_default();
        self.record_reported(reported, application, sender);
    }

    /// Adds the impact metrics of the body of an accepted report. Does not parse a body without any.
    pub(crate) fn record_body(&self, body: &[u8], sender: ImpactSender) {
        if memmem::find(body, b"\"impactMetrics\"").is_none() {
            return;
        }
        if let Ok(Report { app_name, impact_metrics: Some(reported) }) = serde_json::from_slice(body) {
            self.record_reported(&reported, &app_name.unwrap_or_default(), sender);
        }
    }

    fn record_reported(&self, reported: &Value, application: &str, sender: ImpactSender) {
        let (metrics, invalid) = report::read(reported, application);
        let over_limit = self.lock().add(self.0.clock.now(), metrics, sender);
        for (counter, count) in [(&self.0.invalid, invalid), (&self.0.over_limit, over_limit)] {
            counter.fetch_add(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }

    /// Returns the metrics that were reported for a toggle, and those of these applications that were reported without it.
    #[must_use]
    pub fn of_toggle(&self, toggle: &str, applications: &[String]) -> ImpactMetricsResponse {
        let shift = Timestamp::now().as_second().saturating_sub(self.0.clock.now());
        let store = self.series();
        let metrics = list_metrics(&store, toggle, applications, shift);
        ImpactMetricsResponse {
            metrics,
            dropped_samples: self.dropped().iter().map(|(_, count)| count).sum(),
        }
    }

    /// Returns the numbers of dropped samples by their reason.
    fn dropped(&self) -> [(&'static str, u64); 2] {
        [
            ("limit", self.0.over_limit.load(Ordering::Relaxed)),
            ("invalid", self.0.invalid.load(Ordering::Relaxed)),
        ]
    }

    /// Returns the series of the last hour.
    fn series(&self) -> MutexGuard<'_, SeriesStore> {
        let mut store = self.lock();
        store.remove_expired(self.0.clock.now());
        store
    }

    /// A poisoned lock is safe to use: a panic cannot interrupt an addition.
    fn lock(&self) -> MutexGuard<'_, SeriesStore> {
        self.0.series.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lists the metrics of a toggle. Series that differ in other labels are merged. `shift` is the time in seconds by which the
/// system's clock is ahead.
fn list_metrics(store: &SeriesStore, toggle: &str, applications: &[String], shift: i64) -> Vec<ImpactMetric> {
    type Results<'s> = BTreeMap<Option<&'s str>, BTreeMap<i64, MinuteValue>>;
    let mut metrics: BTreeMap<(&str, ImpactMetricKind, &str, &str), (&str, Results<'_>)> = BTreeMap::new();
    for (key, series) in &store.series {
        let labels = &key.labels;
        let result = result_of(&labels.others, toggle);
        if result.is_none() && !applications.contains(&labels.application) {
            continue;
        }
        let group = (key.name.as_str(), key.kind, labels.application.as_str(), labels.environment.as_str());
        if metrics.len() >= MAX_LISTED_METRICS && !metrics.contains_key(&group) {
            continue;
        }
        let (help, results) = metrics.entry(group).or_default();
        *help = &series.help;
        if results.len() >= MAX_LISTED_RESULTS && !results.contains_key(&result) {
            continue;
        }
        let minutes = results.entry(result).or_default();
        for (minute, value) in &series.minutes {
            let merge = |known: &mut MinuteValue| known.merge(key.kind, *value);
            minutes.entry(*minute).and_modify(merge).or_insert(*value);
        }
    }
    let metrics = metrics.into_iter().map(|((name, kind, application, environment), (help, results))| {
        let results = results.into_iter().map(|(result, minutes)| ImpactResult {
            result: result.map(ToOwned::to_owned),
            minutes: minutes
                .into_iter()
                .map(|(minute, value)| to_minute(minute, kind, value, shift))
                .collect(),
        });
        ImpactMetric {
            name: name.to_owned(),
            help: help.to_owned(),
            kind,
            app_name: application.to_owned(),
            environment: environment.to_owned(),
            results: results.collect(),
        }
    });
    metrics.collect()
}

/// Returns the result of a toggle that a sample was reported for.
fn result_of<'l>(labels: &'l [(String, String)], toggle: &str) -> Option<&'l str> {
    let find = |name: &str| labels.iter().find(|(label, _)| label == name).map(|(_, value)| value.as_str());
    find(toggle).or_else(|| (find(TOGGLE_LABEL)? == toggle).then_some(ENABLED))
}

fn to_minute(
    minute: i64,
    kind: ImpactMetricKind,
    MinuteValue { value, count }: MinuteValue,
    shift: i64,
) -> ImpactMinute {
    let start = minute.saturating_mul(60).saturating_add(shift).div_euclid(60).saturating_mul(60);
    let time = Timestamp::UNIX_EPOCH.saturating_add(SignedDuration::from_secs(start)).unwrap_or_default();
    let count = (kind == ImpactMetricKind::Histogram).then_some(count);
    ImpactMinute { timestamp: time.to_string(), value, count }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::series::{LIMITS, SeriesStore};
    use super::{ImpactSender, list_metrics, report};

    fn store(second: i64, metrics: &Value) -> SeriesStore {
        let mut store = SeriesStore::new(LIMITS);
        store.add(second, report::read(metrics, "shop").0, ImpactSender::Server);
        store
    }

    #[test]
    fn metrics_of_a_toggle_are_grouped_by_its_result() {
        let sample = |value: u64, labels: Value| json!({ "value": value, "labels": labels });
        let counter = |samples: Value| json!([{ "name": "errors", "help": "h", "type": "counter", "samples": samples }]);
        let store = store(
            120,
            &counter(json!([
                sample(1, json!({ "pay": "enabled", "region": "eu" })),
                sample(2, json!({ "pay": "enabled", "region": "us" })),
                sample(4, json!({ "pay": "disabled", "other": "enabled" })),
                sample(8, json!({ "featureName": "pay" })),
                sample(16, json!({ "other": "enabled" })),
                sample(32, json!({ "other": "enabled", "appName": "till" })),
            ])),
        );
        let list = |toggle: &str, applications: &[&str]| {
            let applications: Vec<_> = applications.iter().map(|name| (*name).to_owned()).collect();
            let metrics = list_metrics(&store, toggle, &applications, 0);
            let results = metrics.into_iter().flat_map(|metric| {
                let application = metric.app_name;
                metric.results.into_iter().map(move |result| {
                    let minutes: Vec<_> =
                        result.minutes.into_iter().map(|minute| (minute.timestamp, minute.value)).collect();
                    (application.clone(), result.result, minutes)
                })
            });
            results.collect::<Vec<_>>()
        };
        let entry = |application: &str, result: Option<&str>, value: f64| {
            (
                application.to_owned(),
                result.map(str::to_owned),
                vec![("1970-01-01T00:02:00Z".to_owned(), value)],
            )
        };
        assert_eq!(
            list("pay", &[]),
            [entry("shop", Some("disabled"), 4.0), entry("shop", Some("enabled"), 11.0)]
        );
        assert_eq!(
            list("pay", &["shop"]),
            [
                entry("shop", None, 16.0),
                entry("shop", Some("disabled"), 4.0),
                entry("shop", Some("enabled"), 11.0)
            ]
        );
        assert_eq!(list("missing", &["till"]), [entry("till", None, 32.0)]);
        assert_eq!(list("missing", &[]), []);
    }

    #[test]
    fn minutes_follow_the_clock_of_the_system_after_it_was_set() {
        let metrics = json!([{ "name": "g", "help": "", "type": "gauge", "samples": [{ "value": 1 }] }]);
        let store = store(3_600, &metrics);
        for (shift, expected) in [(0, "01:00:00"), (86_400, "01:00:00"), (-90, "00:58:00"), (59, "01:00:00")]
        {
            let listed = list_metrics(&store, "pay", &["shop".to_owned()], shift);
            let timestamp = &listed[0].results[0].minutes[0].timestamp;
            assert!(timestamp.contains(expected), "{shift}: {timestamp}");
        }
    }
}
