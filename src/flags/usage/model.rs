//! Usage of toggles as reported by applications.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Response of `GET api/admin/metrics/feature-toggles`: counts by toggle name. Toggles without reports have no entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToggleMetrics {
    /// Counts of the last 60 minutes.
    #[cfg_attr(test, ts(as = "std::collections::HashMap<String, Counts>"))]
    pub last_hour: BTreeMap<String, Counts>,
    /// Counts of the last 60 seconds.
    #[cfg_attr(test, ts(as = "std::collections::HashMap<String, Counts>"))]
    pub last_minute: BTreeMap<String, Counts>,
}

/// Evaluation counts of a toggle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Evaluations that returned true.
    #[cfg_attr(test, ts(type = "number"))]
    pub yes: u64,
    /// Evaluations that returned false.
    #[cfg_attr(test, ts(type = "number"))]
    pub no: u64,
}

/// An application in the lists of `GET api/admin/metrics/seen-apps` (by toggle name) and `GET
/// api/admin/metrics/applications`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SeenApp {
    /// Name of the application.
    pub app_name: String,
    /// Time of the first report: RFC 3339, UTC.
    pub created_at: String,
    /// Time of the last report: RFC 3339, UTC.
    pub updated_at: String,
    /// Free text.
    pub description: Option<String>,
    /// Names of the strategies that it implements.
    pub strategies: Vec<String>,
    /// IP address of the first report.
    pub created_by: String,
    /// URL of the application or its description. Untrusted.
    pub url: Option<String>,
    /// Never set; other servers return it.
    pub color: Option<String>,
    /// Icon name.
    pub icon: Option<String>,
}
