//! Toggles in the format of the client API.

use serde::Serialize;

use super::{Constraint, Dependency, Segment, Strategy, Toggle, Variant};

/// A toggle with the data that a client library needs to evaluate it. The console does not read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClientFeature {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    enabled: bool,
    stale: bool,
    strategies: Vec<Strategy>,
    variants: Vec<Variant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<Vec<Dependency>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impression_data: Option<bool>,
}

/// A segment with the data that a client library needs to evaluate it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClientSegment {
    /// Id, which a strategy's `segments` contain.
    pub id: u32,
    /// Display name.
    pub name: String,
    /// Constraints, which must all match.
    pub constraints: Vec<Constraint>,
}

/// Response of `GET api/client/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClientFeaturesResponse {
    /// Version of the envelope: 2 with `segments`, otherwise 1.
    pub version: u32,
    /// Toggles that are not archived, sorted by name.
    pub features: Vec<ClientFeature>,
    /// Segments that toggles use, if the header `Unleash-Client-Spec` is at least 4.2.0. Otherwise, the constraints of
    /// strategies include the constraints of their segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segments: Option<Vec<ClientSegment>>,
    /// Filter of the request; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<ClientQuery>,
}

/// The filter of a list of toggles. Toggles match every property that is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClientQuery {
    /// Beginning of the names.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_prefix: String,
    /// Ids of projects, of which a toggle belongs to one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub project: Vec<String>,
    /// Tags, of which a toggle has at least one, each as type and value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tag: Vec<(String, String)>,
}

/// How responses contain segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SegmentFormat {
    /// Strategies refer to segments, which the response lists.
    Listed,
    /// The constraints of segments are added to the constraints of strategies.
    Inline,
}

impl SegmentFormat {
    /// The first version of the client specification with segments.
    const FIRST_WITH_SEGMENTS: (u32, u32) = (4, 2);

    /// Returns the format for a client library with this version of the client specification, the value of the header
    /// `Unleash-Client-Spec`. Older ones do not send a version.
    pub(crate) fn of_specification(version: Option<&str>) -> Self {
        let mut numbers = version.unwrap_or_default().split('.').map_while(|number| number.parse().ok());
        match (numbers.next(), numbers.next()) {
            (Some(major), Some(minor)) if (major, minor) >= Self::FIRST_WITH_SEGMENTS => Self::Listed,
            _ => Self::Inline,
        }
    }
}

impl ClientFeature {
    /// Converts a toggle. Client libraries ignore that a strategy is disabled, so that such strategies are left out. A
    /// toggle without remaining strategies is off.
    pub(crate) fn new(toggle: Toggle, format: SegmentFormat, segments: &[Segment]) -> Self {
        let Toggle { name, kind, stale, variants, dependencies, impression_data, .. } = toggle;
        let has_strategies = !toggle.strategies.is_empty();
        let active = toggle.strategies.into_iter().filter(|strategy| strategy.disabled != Some(true));
        let strategies: Vec<_> = active
            .map(|strategy| Strategy { title: None, disabled: None, ..strategy })
            .filter_map(|strategy| match format {
                SegmentFormat::Listed => Some(strategy),
                SegmentFormat::Inline => inline_segments(strategy, segments),
            })
            .collect();
        Self {
            enabled: toggle.enabled && (!has_strategies || !strategies.is_empty()),
            variants: variants.unwrap_or_default(),
            name,
            kind,
            stale,
            strategies,
            dependencies,
            impression_data,
        }
    }
}

/// Adds the constraints of the segments to the constraints of the strategy. Returns `None` if a segment does not exist: the
/// strategy is never on.
fn inline_segments(mut strategy: Strategy, segments: &[Segment]) -> Option<Strategy> {
    for id in strategy.segments.take().into_iter().flatten() {
        let segment = segments.iter().find(|segment| segment.id == id)?;
        strategy.constraints.get_or_insert_default().extend(segment.constraints.iter().cloned());
    }
    Some(strategy)
}

impl From<Segment> for ClientSegment {
    fn from(Segment { id, name, constraints, .. }: Segment) -> Self {
        Self { id, name, constraints }
    }
}
