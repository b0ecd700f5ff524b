//! Envelopes of lists, and error bodies.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Event, FeatureType, Project, SeenApp, StrategyDefinition, Tag, TagType, Toggle};

/// Version of all envelopes.
pub const ENVELOPE_VERSION: u32 = 1;

/// Response of `GET api/admin/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FeaturesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Toggles that are not archived, sorted by name.
    pub features: Vec<Toggle>,
}

/// Response of `GET api/admin/archive/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ArchiveResponse {
    /// Archived toggles, sorted by name.
    pub features: Vec<Toggle>,
}

/// Response of `GET api/admin/feature-types`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct FeatureTypesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Toggle types in display order.
    pub types: Vec<FeatureType>,
}

/// Response of `GET api/admin/strategies`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct StrategiesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Strategy definitions, sorted by name.
    pub strategies: Vec<StrategyDefinition>,
}

/// Response of `GET api/admin/projects`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ProjectsResponse {
    /// Version of the envelope.
    pub version: u32,
    /// All projects.
    pub projects: Vec<Project>,
}

/// Response of `GET api/admin/tag-types`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TagTypesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Tag types, sorted by name.
    pub tag_types: Vec<TagType>,
}

/// Response of `GET api/admin/tag-types/{name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TagTypeResponse {
    /// Version of the envelope.
    pub version: u32,
    /// The requested tag type.
    pub tag_type: TagType,
}

/// Response of `POST api/admin/tag-types/validate` for a valid type. The console does not read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ValidTagType {
    /// Always true.
    pub valid: bool,
    /// The validated tag type.
    pub tag_type: TagTypeName,
}

/// Name of a tag type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TagTypeName {
    /// Name, as in `TagType`.
    pub name: String,
}

/// Response of `GET api/admin/tags` and `GET api/admin/features/{name}/tags`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct TagsResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Tags sorted by type and value.
    pub tags: Vec<Tag>,
}

/// Response of `GET api/admin/metrics/applications`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ApplicationsResponse {
    /// Applications, sorted by name.
    pub applications: Vec<SeenApp>,
}

/// Response of `GET api/admin/events`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct EventsResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Events, newest first. At most 100, and at most 5 MiB of JSON.
    #[cfg_attr(test, schemars(length(max = 100)))]
    pub events: Vec<Event>,
}

/// Response of `GET api/admin/events/{toggleName}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToggleEventsResponse {
    /// Name of the requested toggle.
    pub toggle_name: String,
    /// Events, newest first. At most 100, and at most 5 MiB of JSON.
    #[cfg_attr(test, schemars(length(max = 100)))]
    pub events: Vec<Event>,
}

/// Body of an error response. Each server sets some of the fields, some servers none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// Stable error code, set by Flagdeck.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub code: Option<String>,
    /// Request id for finding the request in logs, set by Flagdeck.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub request_id: Option<String>,
    /// Error class, such as `NameExistsError`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    /// Error message.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub message: Option<String>,
    /// Error message on servers that use this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub error: Option<String>,
    /// The missing permission.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub permission: Option<String>,
    /// Validation errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub details: Option<Vec<ErrorDetail>>,
    /// Validation errors on servers that use this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub errors: Option<Vec<ErrorDetail>>,
}

/// A validation error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ErrorDetail {
    /// Error message.
    pub message: String,
    /// Path of the invalid value: property names and list indexes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "Array<string | number>"))]
    pub path: Option<Vec<Value>>,
}
