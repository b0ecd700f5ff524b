//! Variants of toggles.

use serde::{Deserialize, Serialize};

/// A variant of a toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    /// Unique name within the toggle, at least 2 characters.
    pub name: String,
    /// Share of the traffic in tenths of a percent: 0 to 1000.
    pub weight: u32,
    /// Whether the weight is fixed or computed.
    pub weight_type: WeightType,
    /// Context field that keeps a user on the same variant. Older servers omit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stickiness: Option<String>,
    /// Data for the application.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Payload>,
    /// Context values that always get this variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Vec<Override>>,
}

/// How the weight of a variant is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WeightType {
    /// Fixed by the user.
    Fix,
    /// An equal share of the weight that the fixed variants leave.
    Variable,
}

/// Data of a variant for the application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// Format of the value.
    #[serde(rename = "type")]
    pub kind: PayloadType,
    /// Value as text.
    pub value: String,
}

/// Format of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PayloadType {
    /// Plain text.
    String,
    /// JSON document.
    Json,
    /// Comma-separated values.
    Csv,
    /// Number.
    Number,
}

/// Values of a context field that always get one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// Name of the context field, such as `userId`.
    pub context_name: String,
    /// Values that get the variant.
    pub values: Vec<String>,
}
