//! Validates impact metrics in reports of SDKs. Pure.
//!
//! The format is that of the Unleash SDKs: values are increments since the last accepted report, and the counts of histogram
//! buckets are cumulative. Labels contain the name and the environment of the application, and one label for each toggle
//! that the application names: the name of the toggle with its variant, `enabled` or `disabled`.

use serde_json::{Map, Value};

/// Maximum number of metrics in a report.
pub(crate) const MAX_METRICS: usize = 100;
/// Maximum number of samples of a metric in a report: one for each combination of labels.
pub(crate) const MAX_SAMPLES: usize = 500;
/// Maximum number of labels of a sample.
const MAX_LABELS: usize = 20;
/// Maximum number of buckets of a histogram.
const MAX_BUCKETS: usize = 50;
/// Maximum length of a name, or of the value of a label, in bytes.
const MAX_TEXT: usize = 256;
/// Maximum length of a description in bytes.
const MAX_HELP: usize = 1_000;
/// Label with the name of the application.
const APPLICATION_LABEL: &str = "appName";
/// Label with the environment of the application.
const ENVIRONMENT_LABEL: &str = "environment";
/// Bound of the last bucket of a histogram.
const INFINITY: &str = "+Inf";

/// Kinds of impact metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum MetricKind {
    /// A sum of increments.
    Counter,
    /// The last value.
    Gauge,
    /// A distribution of observed values.
    Histogram,
}

/// A valid metric of a report.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ReportedMetric {
    pub(super) name: String,
    pub(super) kind: MetricKind,
    pub(super) samples: Vec<Sample>,
}

/// A valid sample of a metric.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    pub(super) labels: Labels,
    pub(super) value: SampleValue,
}

/// Labels of a sample.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Labels {
    pub(super) application: String,
    pub(super) environment: String,
    /// Other labels, sorted by name.
    pub(super) others: Vec<(String, String)>,
}

/// Value of a sample.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum SampleValue {
    /// Increment of a counter, or value of a gauge.
    Number(f64),
    Histogram(Observations),
}

/// Observed values of a histogram.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Observations {
    pub(super) count: u64,
    pub(super) sum: f64,
    /// Finite upper bounds in ascending order, each with the number of values that are not greater.
    pub(super) buckets: Vec<(f64, u64)>,
}

/// Reads the impact metrics of a report. `application` is the application of the report, for samples that name none. Returns
/// the valid metrics, and the number of invalid metrics and samples.
pub(super) fn read(reported: &Value, application: &str) -> (Vec<ReportedMetric>, usize) {
    let Some(items) = reported.as_array() else { return (Vec::new(), usize::from(!reported.is_null())) };
    let mut invalid = items.len().saturating_sub(MAX_METRICS);
    let mut metrics = Vec::new();
    for item in items.iter().take(MAX_METRICS) {
        if let Some((metric, invalid_samples)) = read_metric(item, application) {
            metrics.push(metric);
            invalid += invalid_samples;
        } else {
            invalid += 1;
        }
    }
    (metrics, invalid)
}

/// Removes invalid metrics and samples from the impact metrics of a report, because a flag service refuses a list that contains
/// one of them.
pub(crate) fn remove_invalid(body: &mut Map<String, Value>) {
    let Some(reported) = body.get_mut("impactMetrics") else { return };
    if let Value::Array(metrics) = reported {
        metrics.truncate(MAX_METRICS);
        metrics.retain_mut(|metric| {
            let Some((_, kind)) = read_head(metric) else { return false };
            let samples = metric.get_mut("samples").and_then(Value::as_array_mut);
            samples.is_some_and(|samples| {
                samples.truncate(MAX_SAMPLES);
                samples.retain(|sample| read_sample(sample, kind, "").is_some());
                !samples.is_empty()
            })
        });
    } else {
        body.remove("impactMetrics");
    }
}

fn read_metric(metric: &Value, application: &str) -> Option<(ReportedMetric, usize)> {
    let (name, kind) = read_head(metric)?;
    let items = metric.get("samples")?.as_array()?;
    let valid = items.iter().take(MAX_SAMPLES).filter_map(|sample| read_sample(sample, kind, application));
    let samples: Vec<_> = valid.collect();
    let invalid = items.len().saturating_sub(samples.len());
    Some((ReportedMetric { name, kind, samples }, invalid))
}

/// Reads the name and the kind of a metric. Its description must be valid, too.
fn read_head(metric: &Value) -> Option<(String, MetricKind)> {
    let name = short_text(metric.get("name")?, MAX_TEXT).filter(|name| !name.is_empty())?;
    short_text(metric.get("help")?, MAX_HELP)?;
    let kind = match metric.get("type")?.as_str()? {
        "counter" => MetricKind::Counter,
        "gauge" => MetricKind::Gauge,
        "histogram" => MetricKind::Histogram,
        _ => return None,
    };
    Some((name, kind))
}

fn read_sample(sample: &Value, kind: MetricKind, application: &str) -> Option<Sample> {
    let labels = read_labels(sample.get("labels"), application)?;
    let value = match kind {
        MetricKind::Counter => {
            SampleValue::Number(number(sample.get("value")?).filter(|value| *value >= 0.0)?)
        }
        MetricKind::Gauge => SampleValue::Number(number(sample.get("value")?)?),
        MetricKind::Histogram => SampleValue::Histogram(read_observations(sample)?),
    };
    Some(Sample { labels, value })
}

fn read_labels(labels: Option<&Value>, application: &str) -> Option<Labels> {
    let mut read =
        Labels { application: application.to_owned(), environment: String::new(), others: Vec::new() };
    let labels = match labels {
        None | Some(Value::Null) => return Some(read),
        Some(labels) => labels.as_object().filter(|labels| labels.len() <= MAX_LABELS)?,
    };
    for (name, value) in labels {
        let value = match value {
            Value::Number(number) => number.to_string(),
            value => short_text(value, MAX_TEXT)?,
        };
        match name.as_str() {
            APPLICATION_LABEL => read.application = value,
            ENVIRONMENT_LABEL => read.environment = value,
            name if name.is_empty() || name.len() > MAX_TEXT => return None,
            name => read.others.push((name.to_owned(), value)),
        }
    }
    read.others.sort();
    Some(read)
}

fn read_observations(sample: &Value) -> Option<Observations> {
    let count = whole_number(sample.get("count")?)?;
    let sum = number(sample.get("sum")?)?;
    let items = sample.get("buckets")?.as_array().filter(|items| items.len() <= MAX_BUCKETS)?;
    let mut buckets = Vec::with_capacity(items.len());
    for bucket in items {
        let (bound, count) = (bucket.get("le")?, whole_number(bucket.get("count")?)?);
        if bound.as_str() != Some(INFINITY) {
            buckets.push((number(bound)?, count));
        }
    }
    buckets.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let counts = buckets.iter().map(|(_, count)| *count).chain([count]);
    let has_distinct_bounds = buckets.is_sorted_by(|(one, _), (other, _)| one < other);
    (has_distinct_bounds && counts.is_sorted()).then_some(Observations { count, sum, buckets })
}

fn short_text(value: &Value, max: usize) -> Option<String> {
    value.as_str().filter(|text| text.len() <= max).map(ToOwned::to_owned)
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

/// Returns a whole number. SDKs in JavaScript have no other numbers than floats.
fn whole_number(value: &Value) -> Option<u64> {
    value.as_u64()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MAX_METRICS, MAX_SAMPLES, SampleValue, read, remove_invalid};

    fn counter(samples: &Value) -> Value {
        json!({ "name": "purchases", "help": "Purchases", "type": "counter", "samples": samples })
    }

    fn histogram(count: u64, buckets: &Value) -> Value {
        let sample = json!({ "count": count, "sum": 1.5, "buckets": buckets });
        json!({ "name": "seconds", "help": "", "type": "histogram", "samples": [sample] })
    }

    /// Each case: a metric, the number of its valid samples, and the number of invalid ones.
    #[test]
    fn only_valid_samples_are_read_and_forwarded() {
        let sample = json!({ "value": 1 });
        let labelled = |labels: Value| counter(&json!([{ "value": 1, "labels": labels }]));
        let many: Value = (0..21).map(|label| (label.to_string(), json!("a"))).collect();
        let buckets = |counts: [u64; 3]| json!([{ "le": "+Inf", "count": counts[2] }, { "le": 1, "count": counts[1] }, { "le": 0.5, "count": counts[0] }]);
        let long = "x".repeat(257);
        for (metric, valid, invalid) in [
            (counter(&json!([sample])), 1, 0),
            (counter(&json!([{ "value": 1.5 }, { "value": -1 }, { "value": "1" }, {}, 7])), 1, 4),
            (counter(&json!([])), 0, 0),
            (labelled(json!({ "appName": "shop", "n": 7 })), 1, 0),
            (labelled(Value::Null), 1, 0),
            (labelled(json!({ "n": true })), 0, 1),
            (labelled(json!({ "n": long })), 0, 1),
            (labelled(json!({ "": "a" })), 0, 1),
            (labelled(many), 0, 1),
            (json!({ "name": "g", "help": "", "type": "gauge", "samples": [{ "value": -1.5 }] }), 1, 0),
            (json!({ "name": "g", "help": "", "type": "summary", "samples": [sample] }), 0, 1),
            (json!({ "name": "", "help": "", "type": "gauge", "samples": [sample] }), 0, 1),
            (json!({ "name": long, "help": "", "type": "gauge", "samples": [sample] }), 0, 1),
            (json!({ "name": "g", "type": "gauge", "samples": [sample] }), 0, 1),
            (json!({ "name": "g", "help": "", "type": "gauge" }), 0, 1),
            (histogram(3, &buckets([1, 2, 3])), 1, 0),
            (histogram(0, &json!([])), 1, 0),
            (histogram(3, &buckets([2, 1, 3])), 0, 1),
            (histogram(1, &buckets([1, 2, 3])), 0, 1),
            (histogram(3, &json!([{ "le": 1, "count": 1 }, { "le": 1, "count": 2 }])), 0, 1),
            (histogram(3, &json!([{ "le": "1", "count": 1 }])), 0, 1),
            (json!("text"), 0, 1),
        ] {
            let list = json!([metric]);
            let (metrics, found_invalid) = read(&list, "shop");
            let samples: usize = metrics.iter().map(|metric| metric.samples.len()).sum();
            assert_eq!((samples, found_invalid), (valid, invalid), "{metric}");
            let mut body = [("impactMetrics".to_owned(), list)].into_iter().collect();
            remove_invalid(&mut body);
            let (kept, kept_invalid) = read(&body["impactMetrics"], "shop");
            let samples: usize = kept.iter().map(|metric| metric.samples.len()).sum();
            assert_eq!((samples, kept_invalid), (valid, 0), "forwarded: {body:?}");
        }
        assert_eq!(read(&Value::Null, "").1, 0);
        assert_eq!(read(&json!({}), "").1, 1);
    }

    #[test]
    fn lists_are_bounded() {
        let metrics = vec![counter(&json!([{ "value": 1 }])); MAX_METRICS + 2];
        assert_eq!(read(&json!(metrics), "").1, 2);
        let samples = vec![json!({ "value": 1 }); MAX_SAMPLES + 3];
        assert_eq!(read(&json!([counter(&json!(samples))]), "").1, 3);
    }

    #[test]
    fn labels_name_the_application() {
        let labels = json!({ "shop.pay": "blue", "environment": "production", "appName": "till" });
        let samples = json!([{ "value": 1, "labels": labels }, { "value": 0, "labels": {} }]);
        let (metrics, _) = read(&json!([counter(&samples)]), "shop");
        let [named, unnamed] = &metrics[0].samples[..] else { panic!("{metrics:?}") };
        assert_eq!(
            (named.labels.application.as_str(), named.labels.environment.as_str()),
            ("till", "production")
        );
        assert_eq!(named.labels.others, [("shop.pay".to_owned(), "blue".to_owned())]);
        assert_eq!(
            (unnamed.labels.application.as_str(), &unnamed.value),
            ("shop", &SampleValue::Number(0.0))
        );
    }
}
