//! Strategies of toggles and their constraints.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::variant::Variant;

/// An activation strategy of a toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Strategy {
    /// Id, on servers that number strategies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Name of a strategy definition, which may not exist on this server.
    pub name: String,
    /// Values of the definition's parameters. All values are strings, also numbers and lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<BTreeMap<String, String>>,
    /// Constraints, which must all match.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub constraints: Option<Vec<Constraint>>,
    /// Ids of segments, whose constraints must all match.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub segments: Option<Vec<u32>>,
    /// Variants that replace the variants of the toggle if this strategy matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub variants: Option<Vec<Variant>>,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub title: Option<String>,
    /// If true, the strategy is ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub disabled: Option<bool>,
}

/// A condition on a context field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Constraint {
    /// Name of a context field.
    pub context_name: String,
    /// Comparison operator, such as `IN` or `SEMVER_GT`. An operator that a client library does not know never matches.
    pub operator: String,
    /// Values of operators that compare with a list. Servers accept constraints without values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    /// Value of operators that compare with one value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub value: Option<String>,
    /// If true, the constraint matches if the comparison does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub inverted: Option<bool>,
    /// If true, texts are compared without case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub case_insensitive: Option<bool>,
}
