//! Events of the history.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Diff, Tag};

/// An event: a change of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Id, ascending in the order of recording.
    pub id: i64,
    /// Event type, such as `feature-created`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Author of the change.
    pub created_by: String,
    /// Time of the change: RFC 3339, UTC.
    pub created_at: String,
    /// The item after the change, or only its name.
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub data: Map<String, Value>,
    /// Tags of the item at that time.
    #[cfg_attr(test, schemars(extend("x-may-be" = "absent or null")))]
    pub tags: Vec<Tag>,
    /// Differences from the previous event of the item; null if there is none to compare with.
    pub diffs: Option<Vec<Diff>>,
}

/// Response of `GET api/admin/events`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventsResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Events, newest first. At most 100, and at most 5 MiB of JSON.
    #[cfg_attr(test, schemars(length(max = 100)))]
    pub events: Vec<Event>,
    /// The value of `before` that lists the events that follow, which are older. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_before: Option<i64>,
}

/// Response of `GET api/admin/events/{toggleName}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToggleEventsResponse {
    /// Name of the requested toggle.
    pub toggle_name: String,
    /// Events, newest first. At most 100, and at most 5 MiB of JSON.
    #[cfg_attr(test, schemars(length(max = 100)))]
    pub events: Vec<Event>,
    /// The value of `before` that lists the events that follow, which are older. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_before: Option<i64>,
}
