//! All that people set up, in the format in which Unleash 3.x exports its state.

use serde::Serialize;

use super::{ParameterDefinition, Project, StrategyDefinition, Tag, TagType, Toggle};

/// The version of the format.
pub const STATE_VERSION: u32 = 1;

/// What `flagdeck export` writes. Not among the console's types: it never reads this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// Of the format: 1.
    pub version: u32,
    /// The toggles in use, by name. The format has no place for archived ones.
    pub features: Vec<Toggle>,
    /// Those that are not built in, by name.
    pub strategies: Vec<ExportedStrategy>,
    /// All projects.
    pub projects: Vec<Project>,
    /// By name.
    pub tag_types: Vec<ExportedTagType>,
    /// By type and value.
    pub tags: Vec<Tag>,
    /// By toggle, type and value.
    pub feature_tags: Vec<FeatureTag>,
}

/// A strategy definition without what an import cannot set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedStrategy {
    name: String,
    description: Option<String>,
    parameters: Vec<ParameterDefinition>,
    deprecated: bool,
}

/// A tag type. Unleash refuses null for its texts, so those that are missing are left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportedTagType {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<String>,
}

/// A tag on a toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FeatureTag {
    /// The name of the toggle.
    pub feature_name: String,
    /// The name of the tag's type.
    pub tag_type: String,
    /// The tag's text.
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
