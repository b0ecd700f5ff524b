//! Segments.

use serde::{Deserialize, Serialize};

use super::Constraint;

/// A segment: a named list of constraints that several strategies share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// The editable properties of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SegmentDraft {
    /// Display name, which no other segment has.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// Constraints, which must all match.
    pub constraints: Vec<Constraint>,
}

/// A segment with the number of projects and toggles that use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SegmentsResponse {
    /// All segments, sorted by id.
    pub segments: Vec<ListedSegment>,
}

/// A strategy that uses a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SegmentUse {
    /// Id of the strategy; empty if it has none.
    pub id: String,
    /// Name of the strategy definition.
    pub strategy_name: String,
    /// Name of the toggle.
    pub feature_name: String,
    /// Project of the toggle.
    pub project_id: String,
    /// Environment of the strategy. Without environments, it is `default`.
    pub environment: String,
}

/// Response of `GET api/admin/segments/{id}/strategies`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SegmentUsesResponse {
    /// Strategies of toggles that are not archived, sorted by the name of the toggle.
    pub strategies: Vec<SegmentUse>,
}
