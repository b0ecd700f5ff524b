//! Usage of toggles as reported by applications.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Response of `GET api/admin/metrics/feature-toggles`: counts by toggle name. Toggles without reports have no entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToggleMetrics {
    /// Counts of the last 60 minutes.
    pub last_hour: BTreeMap<String, Counts>,
    /// Counts of the last 60 seconds.
    pub last_minute: BTreeMap<String, Counts>,
}

/// Response of `GET api/admin/metrics/feature-toggles/{name}`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MetricsOfToggle {
    /// Counts of the last 60 minutes.
    pub last_hour: ReportedCounts,
    /// Counts of the last 60 seconds.
    pub last_minute: ReportedCounts,
}

/// Counts of a toggle; an empty object without reports in the last hour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportedCounts {
    /// The counts.
    #[serde(flatten)]
    pub counts: Option<Counts>,
}

/// Evaluation counts of a toggle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Evaluations that returned true.
    pub yes: u64,
    /// Evaluations that returned false.
    pub no: u64,
}

/// Response of `GET api/admin/client-metrics/features/{name}/raw`, in the format of newer Unleash servers, and of
/// `…/minutes`. Periods without reports have no entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UsageHistory {
    /// Version of the format.
    pub version: u32,
    /// Always `stable`.
    pub maturity: String,
    /// Counts by period and application, oldest first.
    pub data: Vec<PeriodCounts>,
}

/// Evaluation counts of a toggle in an application during one hour or minute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PeriodCounts {
    /// Name of the toggle.
    pub feature_name: String,
    /// Name of the application. Empty for applications that are not counted separately.
    pub app_name: String,
    /// Environment. Always `default` on servers without environments.
    pub environment: String,
    /// Start of the period: RFC 3339, UTC.
    pub timestamp: String,
    /// Evaluations that returned true.
    pub yes: u64,
    /// Evaluations that returned false.
    pub no: u64,
}
