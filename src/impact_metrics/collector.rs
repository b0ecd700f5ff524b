//! Impact metrics in the text format of Prometheus.
//!
//! The families have fixed names, because metrics of applications could have the names of metrics of this program, or one name
//! with two types.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;

use super::ImpactMetrics;
use super::report::{MetricKind, Observations, SampleValue};
use super::series::{SeriesKey, SeriesStore};
use crate::number::to_i64;

/// Labels of a series with escaped values.
type EncodedLabels = Vec<(String, String)>;

impl Collector for ImpactMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let store = self.series();
        encode_kind(&mut encoder, &store, MetricKind::Counter)?;
        encode_kind(&mut encoder, &store, MetricKind::Gauge)?;
        encode_kind(&mut encoder, &store, MetricKind::Histogram)?;
        let count = to_i64(store.series.len());
        drop(store);
        encoder
            .encode_descriptor(
                "impact_series",
                "Series of impact metrics in memory",
                None,
                MetricType::Gauge,
            )?
            .encode_gauge(&count)?;
        let help = "Samples of impact metrics that exceed a limit or are not valid";
        let mut dropped =
            encoder.encode_descriptor("impact_dropped_samples", help, None, MetricType::Counter)?;
        for (reason, count) in self.dropped() {
            let labels = [("reason", reason)];
            dropped.encode_family(&labels)?.encode_counter::<NoLabelSet, u64, f64>(&count, None)?;
        }
        Ok(())
    }
}

fn encode_kind(encoder: &mut DescriptorEncoder, store: &SeriesStore, kind: MetricKind) -> fmt::Result {
    let (name, help, metric_type) = match kind {
        MetricKind::Counter => {
            ("impact_counter", "Counters that applications report as impact metrics", MetricType::Counter)
        }
        MetricKind::Gauge => {
            ("impact_gauge", "Gauges that applications report as impact metrics", MetricType::Gauge)
        }
        MetricKind::Histogram => (
            "impact_histogram",
            "Histograms that applications report as impact metrics",
            MetricType::Histogram,
        ),
    };
    let mut family = encoder.encode_descriptor(name, help, None, metric_type)?;
    for (key, series) in store.series.iter().filter(|(key, _)| key.kind == kind) {
        let labels = encode_labels(key);
        let mut metric = family.encode_family(&labels)?;
        match &series.total {
            SampleValue::Number(value) if kind == MetricKind::Counter => {
                metric.encode_counter::<NoLabelSet, f64, f64>(value, None)?;
            }
            SampleValue::Number(value) => metric.encode_gauge(value)?,
            SampleValue::Histogram(observed) => {
                let buckets = single_counts(observed);
                metric.encode_histogram::<NoLabelSet>(observed.sum, observed.count, &buckets, None)?;
            }
        }
    }
    Ok(())
}

/// Converts cumulative counts to counts of single buckets, which the encoder adds again. It writes the bound of the last one
/// as infinity.
fn single_counts(observed: &Observations) -> Vec<(f64, u64)> {
    let bounds = observed.buckets.iter().copied().chain([(f64::MAX, observed.count)]);
    let mut before = 0;
    let single = bounds.map(|(bound, count)| {
        let single = count.saturating_sub(before);
        before = count;
        (bound, single)
    });
    single.collect()
}

/// Returns the labels of a series. Labels of applications get a prefix, so that they replace no label of this program. Different
/// names that have the same valid form get a number.
fn encode_labels(key: &SeriesKey) -> EncodedLabels {
    let mut labels = vec![("metric".to_owned(), escape(&key.name))];
    for (name, value) in [("application", &key.labels.application), ("environment", &key.labels.environment)]
    {
        labels.push((name.to_owned(), escape(value)));
    }
    labels.push(("sender".to_owned(), key.sender.label().to_owned()));
    let mut names = HashSet::new();
    for (name, value) in &key.labels.others {
        let letters = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
        let base: String = "label_".chars().chain(letters).collect();
        let numbered = (2..).map(|number| Cow::Owned(format!("{base}_{number}")));
        let name =
            [Cow::Borrowed(base.as_str())].into_iter().chain(numbered).find(|name| !names.contains(&**name));
        if let Some(name) = name {
            let name = name.into_owned();
            names.insert(name.clone());
            labels.push((name, escape(value)));
        }
    }
    labels
}

/// Escapes the value of a label: the encoder writes it as it is.
pub(super) fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
