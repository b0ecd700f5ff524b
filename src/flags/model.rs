//! Types of the HTTP API. Each noun defines its own; this module lists all of them. The embedded service returns them, and
//! the console reads them from any server. Fields that some servers omit are optional.
//!
//! `model/generated.rs` generates `frontend/src/api/generated/types.ts` from these types.

#[cfg(test)]
mod generated;
pub mod responses;

pub use super::addons::model::{Addon, AddonDraft, AddonParameter, AddonProvider, AddonsResponse};
pub use super::api_tokens::model::{
    ApiToken, ApiTokenDraft, ApiTokensResponse, CreatedApiToken, DeletedApiToken,
};
pub use super::applications::model::{
    Application, ApplicationLinks, ApplicationsResponse, ClientApi, Instance, MaybeMissing, MissingItem,
    SeenApp, SeenToggles,
};
pub use super::auth::model::{Health, HealthStatus, Permission, SignedOut, User, UserResponse};
pub use super::client::model::{ClientFeature, ClientFeaturesResponse, ClientSegment};
pub use super::context::model::ContextField;
pub use super::events::model::diff::{ArrayChange, Diff, PathStep};
pub use super::events::model::{Event, EventsResponse, ToggleEventsResponse};
pub use super::installation::model::{ApiLink, ApiPartIndex, Link, UiConfig, VersionInfo, Versions};
pub use super::projects::model::{Project, ProjectsResponse};
pub use super::segments::model::{ListedSegment, Segment, SegmentsResponse};
pub use super::strategies::model::{
    ParameterDefinition, ParameterType, StrategiesResponse, StrategyDefinition,
};
pub use super::tags::model::{
    Tag, TagResponse, TagType, TagTypeName, TagTypeResponse, TagTypesResponse, TagsResponse, ValidTagType,
};
pub use super::toggles::model::dependency::Dependency;
pub use super::toggles::model::feature_type::{FeatureType, FeatureTypesResponse};
pub use super::toggles::model::strategy::{Constraint, Strategy};
pub use super::toggles::model::variant::{Override, Payload, PayloadType, Variant, WeightType};
pub use super::toggles::model::{ArchiveResponse, FeaturesResponse, Toggle, ToggleDraft};
pub use super::usage::model::{
    Counts, MetricsOfToggle, PeriodCounts, ReportedCounts, ToggleMetrics, UsageHistory,
};
pub use crate::error::{AuthDetails, AuthOption};
pub use responses::{ErrorBody, ErrorDetail};
