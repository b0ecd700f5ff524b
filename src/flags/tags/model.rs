//! Tags of toggles and their types.

use serde::{Deserialize, Serialize};

/// A tag: a label with a type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
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
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TagType {
    /// 2 to 50 characters that need no escaping in a URL.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// Icon shown before tags of this type.
    pub icon: Option<String>,
}
