//! What applications reported about their use of toggles.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The answer of `GET api/admin/metrics/feature-toggles`, by toggle name. No entry means no data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToggleMetrics {
    /// The last 60 minutes.
    #[cfg_attr(test, ts(as = "std::collections::HashMap<String, Counts>"))]
    pub last_hour: BTreeMap<String, Counts>,
    /// The last 60 seconds.
    #[cfg_attr(test, ts(as = "std::collections::HashMap<String, Counts>"))]
    pub last_minute: BTreeMap<String, Counts>,
}

/// How often a toggle was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Answers of on.
    #[cfg_attr(test, ts(type = "number"))]
    pub yes: u64,
    /// Answers of off.
    #[cfg_attr(test, ts(type = "number"))]
    pub no: u64,
}

/// An application, as in the lists of `GET api/admin/metrics/seen-apps`, which are keyed by toggle name, and of
/// `GET api/admin/metrics/applications`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SeenApp {
    /// Free text.
    pub app_name: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub updated_at: String,
    /// Free text.
    pub description: Option<String>,
    /// The names of the strategies that it implements.
    pub strategies: Vec<String>,
    /// The address that first reported for it.
    pub created_by: String,
    /// Where it runs or is described; not to be trusted.
    pub url: Option<String>,
    /// Never set; servers of this API have it.
    pub color: Option<String>,
    /// The name of an icon.
    pub icon: Option<String>,
}
