//! A variant of a toggle: one of several answers to those who get the feature.

use serde::{Deserialize, Serialize};

/// One of a toggle's answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    /// Unique within the toggle; at least 2 characters.
    pub name: String,
    /// Share of the traffic in tenths of a percent: 0 to 1000.
    pub weight: u32,
    /// Whether the share is set by hand.
    pub weight_type: WeightType,
    /// The context field that keeps a user on one variant. Older servers leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub stickiness: Option<String>,
    /// What the application is given with the variant's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub payload: Option<Payload>,
    /// Who gets this variant whatever the weights say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub overrides: Option<Vec<Override>>,
}

/// How a variant's weight comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WeightType {
    /// Set by hand.
    Fix,
    /// An equal share of what the fixed ones leave.
    Variable,
}

/// What an application is given with a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// How the text is to be read.
    #[serde(rename = "type")]
    pub kind: PayloadType,
    /// The text itself, whatever its type.
    pub value: String,
}

/// How a payload's text is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PayloadType {
    /// As it is.
    String,
    /// As a JSON document.
    Json,
    /// As comma-separated values.
    Csv,
}

/// A list of context values that always get one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// The context field that is looked at, such as `userId`.
    pub context_name: String,
    /// Its values that get the variant.
    pub values: Vec<String>,
}
