//! Types of the HTTP API. Each noun defines its own; this module lists all of them. The embedded service returns them, and
//! the console reads them from any server. Fields that some servers omit are optional.
//!
//! `model/generated.rs` generates `frontend/src/api/generated/types.ts` from these types.

#[cfg(test)]
mod generated;
pub mod responses;

pub use super::addons::model::{Addon, AddonDraft, AddonParameter, AddonProvider, AddonsResponse};
pub use super::applications::model::{Application, ApplicationLinks, Instance, MaybeMissing, MissingItem};
pub use super::auth::model::sign_in::{AuthDetails, AuthOption};
pub use super::auth::model::{Health, HealthStatus, Permission, SignedOut, User, UserResponse};
pub use super::client::model::{ClientFeature, ClientFeaturesResponse};
pub use super::context::model::ContextField;
pub use super::events::model::Event;
pub use super::events::model::diff::{ArrayChange, Diff, PathStep};
pub use super::installation::model::{Link, UiConfig, VersionInfo, Versions};
pub use super::projects::model::Project;
pub use super::strategies::model::{ParameterDefinition, ParameterType, StrategyDefinition};
pub use super::tags::model::{Tag, TagType};
pub use super::toggles::model::feature_type::FeatureType;
pub use super::toggles::model::strategy::{Constraint, ConstraintOperator, Strategy};
pub use super::toggles::model::variant::{Override, Payload, PayloadType, Variant, WeightType};
pub use super::toggles::model::{Toggle, ToggleDraft};
pub use super::usage::model::{Counts, SeenApp, ToggleMetrics};
pub use responses::{
    ApplicationsResponse, ArchiveResponse, ErrorBody, ErrorDetail, EventsResponse, FeatureTypesResponse,
    FeaturesResponse, ProjectsResponse, StrategiesResponse, TagTypeName, TagTypeResponse, TagTypesResponse,
    TagsResponse, ToggleEventsResponse, ValidTagType,
};
