//! What a toggle is for, and how long such a toggle is expected to live.

use serde::{Deserialize, Serialize};

/// A kind of toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeatureType {
    /// What a toggle's `type` holds.
    pub id: String,
    /// What people read.
    pub name: String,
    /// When to choose it.
    pub description: String,
    /// After how many days such a toggle is overdue; null for never.
    pub lifetime_days: Option<u32>,
}
