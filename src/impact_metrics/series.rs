//! Series of impact metrics: totals, and the values of each minute of the last hour. Pure: callers pass the time, in seconds
//! on a clock that is never set.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::ImpactSender;
use super::report::{Labels, Observations, ReportedMetric, Sample, SampleValue};
use crate::api::ImpactMetricKind;

const SECONDS: i64 = 60;
const MINUTES: i64 = 60;

/// Maximum numbers of series, which bound the memory and the size of a scrape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Series of server SDKs.
    pub(super) server: usize,
    /// Series of browsers. Their tokens are public, so they have a share of their own.
    pub(super) browser: usize,
    /// Series of one application, so that a label with too many values displaces no other application.
    pub(super) application: usize,
}

pub(super) const LIMITS: Limits = Limits { server: 1_000, browser: 250, application: 500 };

/// Identity of a series.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SeriesKey {
    pub(super) kind: ImpactMetricKind,
    pub(super) name: String,
    pub(super) labels: Labels,
}

/// A series with reports in the last hour.
#[derive(Debug)]
pub(super) struct Series {
    /// Last description of the metric.
    pub(super) help: String,
    /// Sum since the first report; of a gauge, the last value.
    pub(super) total: SampleValue,
    /// Minutes with reports, oldest first.
    pub(super) minutes: VecDeque<(i64, MinuteValue)>,
    sender: ImpactSender,
}

/// Values of one minute.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct MinuteValue {
    /// Increment, last value, or sum of observed values.
    pub(super) value: f64,
    /// Number of observed values.
    pub(super) count: u64,
}

/// All series.
#[derive(Debug)]
pub(super) struct SeriesStore {
    pub(super) series: BTreeMap<SeriesKey, Series>,
    limits: Limits,
    /// Number of series of each sender: servers, browsers.
    senders: [usize; 2],
    applications: HashMap<String, usize>,
    /// Minute in which expired values were last removed.
    swept: i64,
}

impl SeriesStore {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            series: BTreeMap::new(),
            limits,
            senders: [0, 0],
            applications: HashMap::new(),
            swept: i64::MIN,
        }
    }

    /// Adds reported metrics. Returns the number of samples that exceed a limit.
    pub(super) fn add(&mut self, second: i64, metrics: Vec<ReportedMetric>, sender: ImpactSender) -> usize {
        self.remove_expired(second);
        let minute = second.div_euclid(SECONDS);
        let mut dropped = 0;
        for ReportedMetric { name, help, kind, samples } in metrics {
            for Sample { labels, value } in samples {
                let key = SeriesKey { kind, name: name.clone(), labels };
                dropped += usize::from(!self.add_sample(minute, key, &help, value, sender));
            }
        }
        dropped
    }

    /// Adds a sample. Returns false if there is no room for its series.
    fn add_sample(
        &mut self,
        minute: i64,
        key: SeriesKey,
        help: &str,
        value: SampleValue,
        sender: ImpactSender,
    ) -> bool {
        let now = MinuteValue::from(&value);
        if let Some(series) = self.series.get_mut(&key) {
            series.add(minute, key.kind, help, value);
            return true;
        }
        let limit = match sender {
            ImpactSender::Server => self.limits.server,
            ImpactSender::Browser => self.limits.browser,
        };
        let count = self.senders.get_mut(sender.index());
        let of_application = self.applications.get(&key.labels.application).copied().unwrap_or_default();
        let Some(count) = count.filter(|count| **count < limit && of_application < self.limits.application)
        else {
            return false;
        };
        *count += 1;
        *self.applications.entry(key.labels.application.clone()).or_default() += 1;
        let minutes = VecDeque::from([(minute, now)]);
        self.series.insert(key, Series { help: help.to_owned(), total: value, minutes, sender });
        true
    }

    /// Removes minutes that are older than an hour, and series without minutes.
    pub(super) fn remove_expired(&mut self, second: i64) {
        let minute = second.div_euclid(SECONDS);
        if self.swept == minute {
            return;
        }
        self.swept = minute;
        let oldest = minute - MINUTES + 1;
        let Self { series, senders, applications, .. } = self;
        series.retain(|key, series| {
            while series.minutes.pop_front_if(|(minute, _)| *minute < oldest).is_some() {}
            let is_kept = !series.minutes.is_empty();
            if !is_kept {
                if let Some(count) = senders.get_mut(series.sender.index()) {
                    *count = count.saturating_sub(1);
                }
                if let Some(count) = applications.get_mut(&key.labels.application) {
                    *count = count.saturating_sub(1);
                }
            }
            is_kept
        });
        applications.retain(|_, count| *count > 0);
    }
}

impl Series {
    fn add(&mut self, minute: i64, kind: ImpactMetricKind, help: &str, value: SampleValue) {
        help.clone_into(&mut self.help);
        let later = MinuteValue::from(&value);
        match self.minutes.back_mut().filter(|(known, _)| *known >= minute) {
            Some((_, known)) => known.merge(kind, later),
            None => self.minutes.push_back((minute, later)),
        }
        match (&mut self.total, value) {
            (SampleValue::Histogram(total), SampleValue::Histogram(later)) => total.add(&later),
            (SampleValue::Number(total), SampleValue::Number(later)) if kind == ImpactMetricKind::Counter => {
                *total = sum(*total, later);
            }
            (total, later) => *total = later,
        }
    }
}

impl From<&SampleValue> for MinuteValue {
    fn from(value: &SampleValue) -> Self {
        match value {
            SampleValue::Number(value) => Self { value: *value, count: 0 },
            SampleValue::Histogram(observed) => Self { value: observed.sum, count: observed.count },
        }
    }
}

impl MinuteValue {
    /// Adds values of the same minute; of a gauge, the later value counts.
    pub(super) fn merge(&mut self, kind: ImpactMetricKind, later: Self) {
        if kind == ImpactMetricKind::Gauge {
            *self = later;
        } else {
            self.value = sum(self.value, later.value);
            self.count = self.count.saturating_add(later.count);
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
    use serde_json::{Value, json};

    use super::super::report;
    use super::{ImpactSender, Limits, SampleValue, Series, SeriesStore};

    const LIMITS: Limits = Limits { server: 4, browser: 2, application: 3 };

    fn add(store: &mut SeriesStore, second: i64, kind: &str, samples: &Value, sender: ImpactSender) -> usize {
        let reported = json!([{ "name": "m", "help": "h", "type": kind, "samples": samples }]);
        let (metrics, invalid) = report::read(&reported, "shop");
        assert_eq!(invalid, 0, "{reported}");
        store.add(second, metrics, sender)
    }

    fn only(store: &SeriesStore) -> &Series {
        assert_eq!(store.series.len(), 1, "{store:?}");
        store.series.values().next().unwrap()
    }

    fn values(series: &Series) -> Vec<(i64, f64, u64)> {
        series.minutes.iter().map(|(minute, value)| (*minute, value.value, value.count)).collect()
    }

    #[test]
    fn counters_are_sums_and_gauges_are_last_values() {
        for (kind, total, minutes) in [
            ("counter", 12.5, vec![(0, 5.5, 0), (1, 0.0, 0), (2, 7.0, 0)]),
            ("gauge", 7.0, vec![(0, 1.5, 0), (1, 0.0, 0), (2, 7.0, 0)]),
        ] {
            let mut store = SeriesStore::new(LIMITS);
            for (second, value) in [(0, 4.0), (59, 1.5), (60, 0.0), (125, 7.0)] {
                assert_eq!(
                    add(&mut store, second, kind, &json!([{ "value": value }]), ImpactSender::Server),
                    0
                );
            }
            let series = only(&store);
            assert_eq!((&series.total, values(series)), (&SampleValue::Number(total), minutes), "{kind}");
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
        assert_eq!(values(only(&store)), [(0, 10.0, 17)]);
    }

    #[test]
    fn series_expire_after_an_hour_and_start_again_at_zero() {
        let mut store = SeriesStore::new(LIMITS);
        for second in [0, 60, 3599] {
            add(&mut store, second, "counter", &json!([{ "value": 1 }]), ImpactSender::Server);
        }
        store.remove_expired(3600);
        assert_eq!(values(only(&store)), [(1, 1.0, 0), (59, 1.0, 0)]);
        assert_eq!(only(&store).total, SampleValue::Number(3.0), "totals of Prometheus do not shrink");
        store.remove_expired(3600 + 3599);
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
