//! Tags of toggles and their types.

use serde::{Deserialize, Serialize};

/// A tag: a label with a type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tag {
    /// Name of a tag type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Free text.
    pub value: String,
}

/// A tag type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TagType {
    /// 2 to 50 characters that need no escaping in a URL.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// Icon shown before tags of this type.
    pub icon: Option<String>,
}

/// Response of `GET api/admin/tag-types`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TagTypesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Tag types, sorted by name.
    pub tag_types: Vec<TagType>,
}

/// Response of `GET api/admin/tag-types/{name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// Response of `GET api/admin/tags/{type}/{value}`. The console does not read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TagResponse {
    /// Version of the envelope.
    pub version: u32,
    /// The requested tag.
    pub tag: Tag,
}

/// Response of `GET api/admin/tags` and `GET api/admin/features/{name}/tags`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TagsResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Tags sorted by type and value.
    pub tags: Vec<Tag>,
}
