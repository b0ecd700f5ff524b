//! Series of impact metrics with their totals. Pure: callers pass the time since the start of the process.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::ImpactSender;
use super::report::{Labels, MetricKind, Observations, ReportedMetric, Sample, SampleValue};

/// Time after which a series without reports is removed.
const MAX_AGE: Duration = Duration::from_hours(1);

/// Maximum numbers of series, which bound the memory and the size of a scrape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Series of server SDKs.
    pub(super) server: usize,
    /// Series of browsers. Their tokens are public, so they have a share of their own.
    pub(super) browser: usize,
    /// Series of one application and sender, so that a label with too many values displaces no other application.
    pub(super) application: usize,
}

pub(super) const LIMITS: Limits = Limits { server: 1_000, browser: 250, application: 500 };

/// Identity of a series.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SeriesKey {
    pub(super) sender: ImpactSender,
    pub(super) kind: MetricKind,
    pub(super) name: String,
    pub(super) labels: Labels,
}

/// A series with reports in the last hour.
#[derive(Debug)]
pub(super) struct Series {
    /// Sum since the first report; of a gauge, the last value.
    pub(super) total: SampleValue,
    /// Time of the last report.
    reported: Duration,
}

/// All series.
#[derive(Debug)]
pub(super) struct SeriesStore {
    pub(super) series: BTreeMap<SeriesKey, Series>,
    limits: Limits,
    /// Number of series of each sender: servers, browsers.
    senders: [usize; 2],
    /// Number of series of each application and sender.
    applications: HashMap<(ImpactSender, String), usize>,
    /// Second in which expired series were last removed.
    swept: Option<u64>,
}

impl SeriesStore {
    pub(super) fn new(limits: Limits) -> Self {
        Self { series: BTreeMap::new(), limits, senders: [0, 0], applications: HashMap::new(), swept: None }
    }

    /// Adds reported metrics. Returns the number of samples that exceed a limit.
    pub(super) fn add(&mut self, now: Duration, metrics: Vec<ReportedMetric>, sender: ImpactSender) -> usize {
        self.remove_expired(now);
        let mut dropped = 0;
        for ReportedMetric { name, kind, samples } in metrics {
            for Sample { labels, value } in samples {
                let key = SeriesKey { sender, kind, name: name.clone(), labels };
                dropped += usize::from(!self.add_sample(now, key, value));
            }
        }
        dropped
    }

    /// Adds a sample. Returns false if there is no room for its series.
    fn add_sample(&mut self, now: Duration, key: SeriesKey, value: SampleValue) -> bool {
        if let Some(series) = self.series.get_mut(&key) {
            series.add(now, key.kind, value);
            return true;
        }
        let limit = match key.sender {
            ImpactSender::Server => self.limits.server,
            ImpactSender::Browser => self.limits.browser,
        };
        let count = self.senders.get_mut(key.sender.index());
        let application = (key.sender, key.labels.application.clone());
        let of_application = self.applications.get(&application).copied().unwrap_or_default();
        let Some(count) = count.filter(|count| **count < limit && of_application < self.limits.application)
        else {
            return false;
        };
        *count += 1;
        *self.applications.entry(application).or_default() += 1;
        self.series.insert(key, Series { total: value, reported: now });
        true
    }

    /// Removes series without reports in the last hour. Reports of one second look for them once.
    pub(super) fn remove_expired(&mut self, now: Duration) {
        if self.swept.replace(now.as_secs()) == Some(now.as_secs()) {
            return;
        }
        let Self { series, senders, applications, .. } = self;
        series.retain(|key, series| {
            let is_kept = now.saturating_sub(series.reported) < MAX_AGE;
            if !is_kept {
                if let Some(count) = senders.get_mut(key.sender.index()) {
                    *count = count.saturating_sub(1);
                }
                if let Some(count) = applications.get_mut(&(key.sender, key.labels.application.clone())) {
                    *count = count.saturating_sub(1);
                }
            }
            is_kept
        });
        applications.retain(|_, count| *count > 0);
    }
}

impl Series {
    fn add(&mut self, now: Duration, kind: MetricKind, value: SampleValue) {
        self.reported = now;
        match (&mut self.total, value) {
            (SampleValue::Histogram(total), SampleValue::Histogram(later)) => total.add(&later),
            (SampleValue::Number(total), SampleValue::Number(later)) if kind == MetricKind::Counter => {
                *total = sum(*total, later);
            }
            (total, later) => *total = later,
        }
    }
}

impl Observations {
    /// Adds observations. Only bounds that both have are kept: cumulative counts of other bounds are unknown for a part of the
    /// values, for example while two versions of an application run.
    fn add(&mut self, later: &Self) {
        self.count = self.count.saturating_add(later.count);
        self.sum = sum(self.sum, later.sum);
        self.buckets.retain_mut(|(bound, count)| {
            let same = later.buckets.binary_search_by(|(other, _)| other.total_cmp(bound));
            let more = same.ok().and_then(|index| later.buckets.get(index));
            *count = count.saturating_add(more.map_or(0, |(_, count)| *count));
            more.is_some()
        });
    }
}

/// Adds numbers, saturating at the largest finite one: JSON has no infinity.
fn sum(one: f64, other: f64) -> f64 {
    (one + other).clamp(f64::MIN, f64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::super::report;
    use super::{ImpactSender, Limits, SampleValue, Series, SeriesStore};

    const LIMITS: Limits = Limits { server: 4, browser: 2, application: 3 };

    fn add(store: &mut SeriesStore, second: u64, kind: &str, samples: &Value, sender: ImpactSender) -> usize {
        let reported = json!([{ "name": "m", "help": "h", "type": kind, "samples": samples }]);
        let (metrics, invalid) = report::read(&reported, "shop");
        assert_eq!(invalid, 0, "{reported}");
        store.add(Duration::from_secs(second), metrics, sender)
    }

    fn only(store: &SeriesStore) -> &Series {
        assert_eq!(store.series.len(), 1, "{store:?}");
        store.series.values().next().unwrap()
    }

    #[test]
    fn counters_are_sums_and_gauges_are_last_values() {
        for (kind, total) in [("counter", 12.5), ("gauge", 7.0)] {
            let mut store = SeriesStore::new(LIMITS);
            for (second, value) in [(0, 4.0), (59, 1.5), (60, 0.0), (125, 7.0)] {
                assert_eq!(
                    add(&mut store, second, kind, &json!([{ "value": value }]), ImpactSender::Server),
                    0
                );
            }
            assert_eq!(only(&store).total, SampleValue::Number(total), "{kind}");
        }
        let mut store = SeriesStore::new(LIMITS);
        for _ in 0..2 {
            add(&mut store, 0, "counter", &json!([{ "value": f64::MAX }]), ImpactSender::Server);
        }
        assert_eq!(only(&store).total, SampleValue::Number(f64::MAX), "finite");
    }

    #[test]
    fn histograms_keep_the_bounds_that_all_reports_have() {
        let mut store = SeriesStore::new(LIMITS);
        let sample = |bounds: &[(f64, u64)], count: u64| {
            let buckets = bounds.iter().map(|(le, count)| json!({ "le": le, "count": count }));
            let buckets: Vec<_> = buckets.chain([json!({ "le": "+Inf", "count": count })]).collect();
            json!([{ "count": count, "sum": 2.5, "buckets": buckets }])
        };
        for (bounds, count, expected) in [
            (vec![(0.5, 1), (1.0, 2)], 4, vec![(0.5, 1), (1.0, 2)]),
            (vec![(0.5, 1), (1.0, 1)], 1, vec![(0.5, 2), (1.0, 3)]),
            (vec![(0.25, 9), (1.0, 10)], 10, vec![(1.0, 13)]),
            (vec![(0.5, 1), (1.0, 2)], 2, vec![(1.0, 15)]),
        ] {
            add(&mut store, 0, "histogram", &sample(&bounds, count), ImpactSender::Server);
            let SampleValue::Histogram(total) = &only(&store).total else { panic!("{store:?}") };
            assert_eq!(total.buckets, expected);
        }
        let SampleValue::Histogram(total) = &only(&store).total else { panic!("{store:?}") };
        assert_eq!((total.sum, total.count), (10.0, 17));
    }

    #[test]
    fn series_expire_after_an_hour_and_start_again_at_zero() {
        let mut store = SeriesStore::new(LIMITS);
        for second in [0, 60, 3599] {
            add(&mut store, second, "counter", &json!([{ "value": 1 }]), ImpactSender::Server);
        }
        store.remove_expired(Duration::from_secs(3599 + 3599));
        assert_eq!(only(&store).total, SampleValue::Number(3.0), "totals of Prometheus do not shrink");
        store.remove_expired(Duration::from_secs(3599 + 3600));
        assert!(store.series.is_empty() && store.applications.is_empty());
        add(&mut store, 8000, "counter", &json!([{ "value": 1 }]), ImpactSender::Server);
        assert_eq!(only(&store).total, SampleValue::Number(1.0));
    }

    #[test]
    fn new_series_above_a_limit_are_dropped_and_displace_no_others() {
        let mut store = SeriesStore::new(LIMITS);
        let of = |application: &str, users: std::ops::Range<u8>| -> Value {
            let samples = users.map(
                |user| json!({ "value": 1, "labels": { "appName": application, "user": user.to_string() } }),
            );
            samples.collect()
        };
        let (server, browser) = (ImpactSender::Server, ImpactSender::Browser);
        assert_eq!(add(&mut store, 0, "counter", &of("shop", 0..9), server), 6, "of one application");
        assert_eq!(add(&mut store, 0, "counter", &of("shop", 0..3), server), 0, "known series");
        assert_eq!(add(&mut store, 0, "counter", &of("till", 0..3), server), 2, "of servers");
        assert_eq!(add(&mut store, 0, "counter", &of("web", 0..3), browser), 1, "of browsers");
        assert_eq!(add(&mut store, 0, "gauge", &of("web", 0..1), browser), 1);
        assert_eq!(store.series.len(), 6);
        // The series of an hour ago make room.
        assert_eq!(add(&mut store, 3600, "counter", &of("till", 0..3), server), 0);
        assert_eq!(add(&mut store, 3600, "counter", &of("web", 5..7), browser), 0);
        assert_eq!(store.series.len(), 5);
    }
}
