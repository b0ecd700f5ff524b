//! A tag on a toggle.

use serde::{Deserialize, Serialize};

/// A typed label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Tag {
    /// The name of a tag type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Free text.
    pub value: String,
}
