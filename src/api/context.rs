//! Context fields: properties of the user or request that clients evaluate toggles for.

use serde::{Deserialize, Serialize};

/// A context field for constraints and stickiness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContextField {
    /// Key in the client's context.
    pub name: String,
    /// Description.
    pub description: Option<String>,
    /// True if rollouts can use it for stickiness. Older servers omit it.
    #[cfg_attr(test, schemars(extend("x-may-be" = "absent")))]
    pub stickiness: bool,
    /// Position in lists, ascending.
    pub sort_order: i32,
    /// Allowed values. If it is missing, all values are allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal_values: Option<Vec<String>>,
    /// Creation time: RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
}
