//! A project: a group of toggles.

use serde::{Deserialize, Serialize};

/// A group of toggles. Servers answer more about each; the console uses these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// What a toggle's `project` holds.
    pub id: String,
    /// What people read.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub created_at: Option<String>,
}
