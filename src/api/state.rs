//! The exported state, in the format of Unleash 3.x.

use serde::Serialize;

use super::{ParameterDefinition, Project, Segment, StrategyDefinition, Tag, TagType, Toggle};

/// Version of the export format.
pub const STATE_VERSION: u32 = 1;

/// Content of an export file. A section that was not selected is absent. The console does not read it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// Version of the format: 1.
    pub version: u32,
    /// Toggles that are not archived, sorted by name. The format does not support archived toggles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<Vec<Toggle>>,
    /// Strategy definitions that are not built in, sorted by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategies: Option<Vec<ExportedStrategy>>,
    /// All projects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projects: Option<Vec<Project>>,
    /// Tag types, sorted by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag_types: Option<Vec<ExportedTagType>>,
    /// Tags, sorted by type and value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<Tag>>,
    /// Tags of toggles, sorted by toggle, type and value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature_tags: Option<Vec<FeatureTag>>,
    /// Segments, sorted by id. Unleash 3.x rejects files with this section, so that it is absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
}

/// A strategy definition with the properties that an import can set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExportedStrategy {
    name: String,
    description: Option<String>,
    parameters: Vec<ParameterDefinition>,
    deprecated: bool,
}

/// A tag type. Missing texts are omitted because Unleash rejects null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExportedTagType {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<String>,
}

/// A tag of a toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeatureTag {
    /// Name of the toggle.
    pub feature_name: String,
    /// Name of the tag's type.
    pub tag_type: String,
    /// Value of the tag.
    pub tag_value: String,
}

impl From<StrategyDefinition> for ExportedStrategy {
    fn from(strategy: StrategyDefinition) -> Self {
        let StrategyDefinition { name, description, parameters, deprecated, .. } = strategy;
        Self { name, description, parameters, deprecated }
    }
}

impl From<TagType> for ExportedTagType {
    fn from(TagType { name, description, icon }: TagType) -> Self {
        Self { name, description, icon }
    }
}

/// Summary of an import. The console does not read it.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImportSummary {
    /// Number of added items.
    pub added: usize,
    /// Number of updated items.
    pub updated: usize,
    /// Number of unchanged items.
    pub unchanged: usize,
    /// Skipped items with the reason, one sentence each.
    pub skipped: Vec<String>,
}
