//! Segments.

use serde::{Deserialize, Serialize};

use super::Constraint;

/// A segment: a named list of constraints that several strategies share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Segment {
    /// Id, which a strategy's `segments` contain.
    pub id: u32,
    /// Display name.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// Constraints, which must all match.
    pub constraints: Vec<Constraint>,
    /// Author.
    pub created_by: Option<String>,
    /// Creation time: RFC 3339, UTC.
    pub created_at: String,
}

/// A segment with the number of projects and toggles that use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListedSegment {
    /// The segment.
    #[serde(flatten)]
    pub segment: Segment,
    /// Number of projects with toggles that use the segment.
    pub used_in_projects: u32,
    /// Number of toggles that use the segment and are not archived.
    pub used_in_features: u32,
}

/// Response of `GET api/admin/segments`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct SegmentsResponse {
    /// All segments, sorted by id.
    pub segments: Vec<ListedSegment>,
}
