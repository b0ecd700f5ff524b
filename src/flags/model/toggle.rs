//! A feature toggle, as it is answered and as it is written.

use serde::{Deserialize, Serialize};

use super::{Strategy, Variant};

/// A feature toggle. Its tags are a call of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Toggle {
    /// Unique also among archived toggles; 2 to 100 characters that need no escaping in a URL.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// The id of a feature type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The id of the project it belongs to.
    pub project: String,
    /// Off for everyone when false, whatever the strategies say.
    pub enabled: bool,
    /// Marked as done with and to be removed from the code.
    pub stale: bool,
    /// Who gets the feature: on when any one of them says so.
    pub strategies: Vec<Strategy>,
    /// What those who get it get. 4.x servers answer null for none.
    pub variants: Option<Vec<Variant>>,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC; null until an application reports it.
    pub last_seen_at: Option<String>,
}

/// A toggle as it is created or replaced. What is left out gets its default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToggleDraft {
    /// See `Toggle`; an update cannot change it.
    pub name: String,
    /// Free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub description: Option<String>,
    /// Default: `release`.
    #[serde(rename = "type")]
    #[cfg_attr(test, ts(as = "Option<String>", optional))]
    pub kind: String,
    /// Default: false.
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub enabled: bool,
    /// Default: false.
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub stale: bool,
    /// Default: `default`.
    #[cfg_attr(test, ts(as = "Option<String>", optional))]
    pub project: String,
    /// At least one.
    pub strategies: Vec<Strategy>,
    /// Default: none.
    #[cfg_attr(test, ts(as = "Option<Vec<Variant>>", optional = nullable))]
    pub variants: Vec<Variant>,
}
