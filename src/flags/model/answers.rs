//! The envelopes that lists come in, and the bodies of failures.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Event, FeatureType, Project, SeenApp, StrategyDefinition, Tag, TagType, Toggle};

/// The version that envelopes carry.
pub const ENVELOPE_VERSION: u32 = 1;

/// The answer of `GET api/admin/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FeaturesAnswer {
    /// Of the envelope.
    pub version: u32,
    /// Those that are not archived, by name.
    pub features: Vec<Toggle>,
}

/// The answer of `GET api/admin/archive/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ArchiveAnswer {
    /// Those that are archived, by name.
    pub features: Vec<Toggle>,
}

/// The answer of `GET api/admin/feature-types`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FeatureTypesAnswer {
    /// Of the envelope.
    pub version: u32,
    /// In the order to offer them.
    pub types: Vec<FeatureType>,
}

/// The answer of `GET api/admin/strategies`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct StrategiesAnswer {
    /// Of the envelope.
    pub version: u32,
    /// By name.
    pub strategies: Vec<StrategyDefinition>,
}

/// The answer of `GET api/admin/projects`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ProjectsAnswer {
    /// Of the envelope.
    pub version: u32,
    /// All there are.
    pub projects: Vec<Project>,
}

/// The answer of `GET api/admin/tag-types`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TagTypesAnswer {
    /// Of the envelope.
    pub version: u32,
    /// By name.
    pub tag_types: Vec<TagType>,
}

/// The answer of `GET api/admin/tag-types/{name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TagTypeAnswer {
    /// Of the envelope.
    pub version: u32,
    /// The one that was asked for.
    pub tag_type: TagType,
}

/// The answer of `POST api/admin/tag-types/validate`: the type can be created. The console does not read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValidTagType {
    /// Always true.
    pub valid: bool,
    /// What was asked about.
    pub tag_type: TagTypeName,
}

/// A tag type by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TagTypeName {
    /// See `TagType`.
    pub name: String,
}

/// The answer of `GET api/admin/tags` and of `GET api/admin/features/{name}/tags`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct TagsAnswer {
    /// Of the envelope.
    pub version: u32,
    /// By type and value.
    pub tags: Vec<Tag>,
}

/// The answer of `GET api/admin/metrics/applications`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ApplicationsAnswer {
    /// By name.
    pub applications: Vec<SeenApp>,
}

/// The answer of `GET api/admin/events`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct EventsAnswer {
    /// Of the envelope.
    pub version: u32,
    /// Newest first: at most 100, and at most 5 MiB of JSON.
    #[cfg_attr(test, schemars(length(max = 100)))]
    pub events: Vec<Event>,
}

/// The answer of `GET api/admin/events/{toggleName}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToggleEventsAnswer {
    /// The toggle that was asked for.
    pub toggle_name: String,
    /// Newest first: at most 100, and at most 5 MiB of JSON.
    #[cfg_attr(test, schemars(length(max = 100)))]
    pub events: Vec<Event>,
}

/// The body of a failed call: each server fills in some of it, many nothing at all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// A stable name of the failure, from this binary.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub code: Option<String>,
    /// By which the request is found again in logs, from this binary.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub request_id: Option<String>,
    /// A kind of failure, such as `NameExistsError`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    /// What went wrong, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub message: Option<String>,
    /// The same, on servers that call it so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub error: Option<String>,
    /// The permission that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub permission: Option<String>,
    /// Every rule that was broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub details: Option<Vec<ErrorDetail>>,
    /// The same, on servers that call it so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub errors: Option<Vec<ErrorDetail>>,
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ErrorDetail {
    /// What is wrong, for people.
    pub message: String,
    /// Where the value stands: property names and list indexes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "Array<string | number>"))]
    pub path: Option<Vec<Value>>,
}
