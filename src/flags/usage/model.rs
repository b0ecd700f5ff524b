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
