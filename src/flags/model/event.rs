//! An entry of the history.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Diff, Tag};

/// One change that somebody made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Ascending with time.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    /// What happened, such as `feature-created`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Who did it.
    pub created_by: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// The thing as it was written, or what names it.
    #[cfg_attr(test, ts(type = "{ [key in string]: unknown } | null"))]
    pub data: Map<String, Value>,
    /// The tags of the thing at that time.
    #[cfg_attr(test, ts(as = "Option<Vec<Tag>>", optional = nullable))]
    pub tags: Vec<Tag>,
    /// Against the event before it about the same thing; null where there is none to compare with.
    pub diffs: Option<Vec<Diff>>,
}
