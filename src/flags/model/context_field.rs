//! A field of what clients say about a user or request.

use serde::{Deserialize, Serialize};

/// A context field that constraints and stickiness can use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContextField {
    /// The key in the client's context.
    pub name: String,
    /// What it holds.
    pub description: Option<String>,
    /// Whether a gradual rollout may stick to it. Older servers leave it out.
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub stickiness: bool,
    /// Ascending place in lists.
    pub sort_order: i32,
    /// The only values it may have; left out where any may occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub legal_values: Option<Vec<String>>,
    /// RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub created_at: Option<String>,
}
