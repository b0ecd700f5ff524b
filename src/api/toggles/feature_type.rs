//! Toggle types and their expected lifetime.

use serde::{Deserialize, Serialize};

/// A toggle type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeatureType {
    /// Id, which a toggle's `type` contains.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Description of the purpose.
    pub description: String,
    /// Expected lifetime of a toggle in days; null if it is permanent.
    pub lifetime_days: Option<u32>,
}

/// Response of `GET api/admin/feature-types`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FeatureTypesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Toggle types in display order.
    pub types: Vec<FeatureType>,
}
