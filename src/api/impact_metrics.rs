//! Impact metrics that applications report.

use serde::{Deserialize, Serialize};

/// Response of `GET /-/impact-metrics`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImpactMetricsResponse {
    /// Metrics by name, application and environment.
    pub metrics: Vec<ImpactMetric>,
    /// Number of samples since the start of this process that exceeded a limit or were not valid.
    #[cfg_attr(test, ts(type = "number"))]
    pub dropped_samples: u64,
}

/// A metric of an application in the last hour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImpactMetric {
    /// Name of the metric.
    pub name: String,
    /// Description of the metric.
    pub help: String,
    /// Kind of the metric.
    #[serde(rename = "type")]
    pub kind: ImpactMetricKind,
    /// Name of the application; empty if the report names none.
    pub app_name: String,
    /// Environment of the application; empty if the report names none.
    pub environment: String,
    /// Values for each result of the toggle.
    pub results: Vec<ImpactResult>,
}

/// Kinds of impact metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ImpactMetricKind {
    /// A sum of increments.
    Counter,
    /// The last value.
    Gauge,
    /// A distribution of observed values.
    Histogram,
}

/// Values of a metric for one result of a toggle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImpactResult {
    /// Name of the variant, `enabled` or `disabled`; null if the metric was reported without the toggle.
    pub result: Option<String>,
    /// Minutes with reports, oldest first.
    pub minutes: Vec<ImpactMinute>,
}

/// Values of one minute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImpactMinute {
    /// Start of the minute: RFC 3339, UTC.
    pub timestamp: String,
    /// Increment of a counter, last value of a gauge, or sum of the observed values of a histogram.
    pub value: f64,
    /// Number of observed values of a histogram; null for other kinds.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub count: Option<u64>,
}
