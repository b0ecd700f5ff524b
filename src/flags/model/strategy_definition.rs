//! A strategy that toggles can use, and the parameters it asks for.

use serde::{Deserialize, Serialize};

/// A strategy that clients implement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StrategyDefinition {
    /// What a toggle's strategy refers to.
    pub name: String,
    /// What people read instead of the name, on servers that have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub display_name: Option<String>,
    /// False for those that come with the service.
    pub editable: bool,
    /// Whom it selects.
    pub description: Option<String>,
    /// What each toggle fills in.
    pub parameters: Vec<ParameterDefinition>,
    /// No longer offered for new use. Older servers leave it out.
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub deprecated: bool,
}

/// One value that a strategy asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ParameterDefinition {
    /// The key in a strategy's `parameters`.
    pub name: String,
    /// Which editor fits.
    #[serde(rename = "type")]
    pub kind: ParameterType,
    /// What to fill in.
    pub description: String,
    /// Whether it must be filled in.
    pub required: bool,
}

/// The editor that fits a parameter; its value is text on the wire all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ParameterType {
    /// Any text.
    String,
    /// 0 to 100.
    Percentage,
    /// Comma-separated texts.
    List,
    /// A decimal number.
    Number,
    /// `true` or `false`.
    Boolean,
}
