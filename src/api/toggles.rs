//! Feature toggles.

pub(super) mod dependency;
pub(super) mod feature_type;
pub(super) mod strategy;
pub(super) mod variant;

use serde::{Deserialize, Serialize};

use super::{Dependency, Strategy, Variant};

/// A feature toggle. Its tags have their own endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Toggle {
    /// Unique name, also among archived toggles: 2 to 100 characters that need no escaping in a URL.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// Id of a toggle type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Id of its project.
    pub project: String,
    /// If false, the toggle is off for all users.
    pub enabled: bool,
    /// True if the toggle is no longer needed and should be removed from the code.
    pub stale: bool,
    /// Strategies. The feature is on if any of them matches.
    pub strategies: Vec<Strategy>,
    /// Variants. 4.x servers return null for none.
    pub variants: Option<Vec<Variant>>,
    /// Conditions on other toggles, which must all hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub dependencies: Option<Vec<Dependency>>,
    /// Whether applications report each evaluation as an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub impression_data: Option<bool>,
    /// Creation time: RFC 3339, UTC.
    pub created_at: String,
    /// Time of the last report of an application: RFC 3339, UTC; null if there is none.
    pub last_seen_at: Option<String>,
}

/// Body for creating or replacing a toggle. Missing properties get their default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToggleDraft {
    /// Name, as in `Toggle`. An update cannot change it.
    pub name: String,
    /// Free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub description: Option<String>,
    /// Default: `release`.
    #[serde(rename = "type")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "absent")))]
    pub kind: String,
    /// Default: false.
    #[cfg_attr(test, schemars(extend("x-may-be" = "absent")))]
    pub enabled: bool,
    /// Default: false.
    #[cfg_attr(test, schemars(extend("x-may-be" = "absent")))]
    pub stale: bool,
    /// Default: `default`.
    #[cfg_attr(test, schemars(extend("x-may-be" = "absent")))]
    pub project: String,
    /// At least one strategy.
    pub strategies: Vec<Strategy>,
    /// Default: none.
    #[cfg_attr(test, schemars(extend("x-may-be" = "absent or null")))]
    pub variants: Vec<Variant>,
    /// Conditions on other toggles, which must all hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub dependencies: Option<Vec<Dependency>>,
    /// Whether applications report each evaluation as an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub impression_data: Option<bool>,
}

/// Response of `GET api/admin/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FeaturesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Toggles that are not archived, sorted by name.
    pub features: Vec<Toggle>,
}

/// Response of `GET api/admin/archive/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ArchiveResponse {
    /// Archived toggles, sorted by name.
    pub features: Vec<Toggle>,
}

impl From<Toggle> for ToggleDraft {
    fn from(toggle: Toggle) -> Self {
        let Toggle { name, description, kind, project, enabled, stale, strategies, .. } = toggle;
        Self {
            name,
            description,
            kind,
            enabled,
            stale,
            project,
            strategies,
            variants: toggle.variants.unwrap_or_default(),
            dependencies: toggle.dependencies,
            impression_data: toggle.impression_data,
        }
    }
}
