//! Parts of toggles in files. They have the properties of the API, and no others: a misspelt property must not be ignored, because a
//! constraint without it can have the opposite meaning.

use serde::{Deserialize, Serialize};

use crate::api::{self, PayloadType, WeightType};

/// A condition on a context field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FileConstraint {
    /// Name of a context field.
    pub context_name: String,
    /// Comparison operator, such as `IN` or `SEMVER_GT`. An operator that a client library does not know never matches.
    pub operator: String,
    /// Values of operators that compare with a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
    /// Value of operators that compare with one value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// If true, the constraint matches if the comparison does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverted: Option<bool>,
    /// If true, texts are compared without case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_insensitive: Option<bool>,
}

impl From<api::Constraint> for FileConstraint {
    fn from(constraint: api::Constraint) -> Self {
        let api::Constraint { context_name, operator, values, value, inverted, case_insensitive } =
            constraint;
        Self { context_name, operator, values, value, inverted, case_insensitive }
    }
}

/// A variant of a toggle or of a strategy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FileVariant {
    /// Unique name within the toggle.
    pub name: String,
    /// Share of the traffic in tenths of a percent: 0 to 1000.
    pub weight: u32,
    /// Whether the weight is fixed or computed.
    #[serde(default = "variable")]
    pub weight_type: WeightType,
    /// Context field that keeps a user on the same variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stickiness: Option<String>,
    /// Data for the application.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<FilePayload>,
    /// Context values that always get this variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Vec<FileOverride>>,
}

/// The type of a weight that files do not contain, as on servers.
const fn variable() -> WeightType {
    WeightType::Variable
}

impl From<api::Variant> for FileVariant {
    fn from(variant: api::Variant) -> Self {
        let api::Variant { name, weight, weight_type, stickiness, payload, overrides } = variant;
        let payload = payload.map(|api::Payload { kind, value }| FilePayload { kind, value });
        let overrides = overrides.map(|overrides| {
            let convert = |api::Override { context_name, values }| FileOverride { context_name, values };
            overrides.into_iter().map(convert).collect()
        });
        Self { name, weight, weight_type, stickiness, payload, overrides }
    }
}

/// Data of a variant for the application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FilePayload {
    /// Format of the value.
    #[serde(rename = "type")]
    pub kind: PayloadType,
    /// Value as text.
    pub value: String,
}

/// Values of a context field that always get one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FileOverride {
    /// Name of the context field, such as `userId`.
    pub context_name: String,
    /// Values that get the variant.
    pub values: Vec<String>,
}

/// A condition on another toggle, the parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FileDependency {
    /// Name of the parent, which has no dependencies itself.
    pub feature: String,
    /// Whether the parent must be on or off. Default: on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Variants of which the parent must have one. Default: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Vec<String>>,
}

impl From<api::Dependency> for FileDependency {
    fn from(api::Dependency { feature, enabled, variants }: api::Dependency) -> Self {
        Self { feature, enabled, variants }
    }
}

/// A tag: a label with a type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FileTag {
    /// Name of a tag type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Free text.
    pub value: String,
}

impl From<api::Tag> for FileTag {
    fn from(api::Tag { kind, value }: api::Tag) -> Self {
        Self { kind, value }
    }
}
