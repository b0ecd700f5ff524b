//! Types of the HTTP API, one file per entity. The embedded service returns them, and the console reads them from any
//! server. Fields that some servers omit are optional.
//!
//! `model/generated.rs` generates `frontend/src/api/generated/types.ts` from these types.

pub mod addon;
pub mod application;
pub mod client_feature;
pub mod context_field;
pub mod diff;
pub mod event;
pub mod feature_type;
#[cfg(test)]
mod generated;
pub mod metrics;
pub mod project;
pub mod responses;
pub mod state;
pub mod strategy;
pub mod strategy_definition;
pub mod tag;
pub mod toggle;
pub mod ui_config;
pub mod user;
pub mod variant;

pub use addon::{Addon, AddonDraft, AddonParameter, AddonProvider, AddonsResponse};
pub use application::{Application, ApplicationLinks, Instance, MaybeMissing, MissingItem};
pub use client_feature::{ClientFeature, ClientFeaturesResponse};
pub use context_field::ContextField;
pub use diff::{ArrayChange, Diff, PathStep};
pub use event::Event;
pub use feature_type::FeatureType;
pub use metrics::{Counts, SeenApp, ToggleMetrics};
pub use project::Project;
pub use responses::{
    ApplicationsResponse, ArchiveResponse, ErrorBody, ErrorDetail, EventsResponse, FeatureTypesResponse,
    FeaturesResponse, ProjectsResponse, StrategiesResponse, TagTypeName, TagTypeResponse, TagTypesResponse,
    TagsResponse, ToggleEventsResponse, ValidTagType,
};
pub use strategy::{Constraint, ConstraintOperator, Strategy};
pub use strategy_definition::{ParameterDefinition, ParameterType, StrategyDefinition};
pub use tag::{Tag, TagType};
pub use toggle::{Toggle, ToggleDraft};
pub use ui_config::{Link, UiConfig, VersionInfo, Versions};
pub use user::{Health, HealthStatus, Permission, SignedOut, User, UserResponse};
pub use variant::{Override, Payload, PayloadType, Variant, WeightType};

pub use crate::error::{AuthDetails, AuthOption};
