//! Strategy definitions and their parameters.

use serde::{Deserialize, Serialize};

/// A strategy that clients implement and toggles use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StrategyDefinition {
    /// Name, which a toggle's strategy refers to.
    pub name: String,
    /// Display name, on servers that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub display_name: Option<String>,
    /// False if it is built in.
    pub editable: bool,
    /// Description of the users it selects.
    pub description: Option<String>,
    /// Parameters to set in each toggle.
    pub parameters: Vec<ParameterDefinition>,
    /// True if it is not offered for new use. Older servers omit it.
    #[cfg_attr(test, schemars(extend("x-may-be" = "absent")))]
    pub deprecated: bool,
}

/// Definition of a strategy parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ParameterDefinition {
    /// Key in a strategy's `parameters`.
    pub name: String,
    /// Type of the value.
    #[serde(rename = "type")]
    pub kind: ParameterType,
    /// Help text.
    pub description: String,
    /// True if a value is required.
    pub required: bool,
}

/// Type of a parameter, which selects the form field. The value is always a string in the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ParameterType {
    /// Any text.
    String,
    /// Number from 0 to 100.
    Percentage,
    /// Comma-separated strings.
    List,
    /// A decimal number.
    Number,
    /// `true` or `false`.
    Boolean,
}

/// Response of `GET api/admin/strategies`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StrategiesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Strategy definitions, sorted by name.
    pub strategies: Vec<StrategyDefinition>,
}
