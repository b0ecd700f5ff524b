//! The wire types of this API, one file per entity: what the embedded service answers, and what the console reads
//! from any server. Fields that some servers leave out are optional.
//!
//! `frontend/src/api/generated/types.ts` is written from these (`model/generated.rs`).

pub mod addon;
pub mod answers;
pub mod application;
pub mod auth;
pub mod client_feature;
pub mod context_field;
pub mod diff;
pub mod event;
pub mod feature_type;
#[cfg(test)]
mod generated;
pub mod metrics;
pub mod project;
pub mod state;
pub mod strategy;
pub mod strategy_definition;
pub mod tag;
pub mod toggle;
pub mod ui_config;
pub mod user;
pub mod variant;

pub use addon::{Addon, AddonDraft, AddonParameter, AddonProvider, AddonsAnswer};
pub use answers::{
    ApplicationsAnswer, ArchiveAnswer, ErrorBody, ErrorDetail, EventsAnswer, FeatureTypesAnswer,
    FeaturesAnswer, ProjectsAnswer, StrategiesAnswer, TagTypeAnswer, TagTypeName, TagTypesAnswer, TagsAnswer,
    ToggleEventsAnswer, ValidTagType,
};
pub use application::{Application, ApplicationLinks, Instance, Known, Missing};
pub use auth::{AuthDetails, AuthOption};
pub use client_feature::{ClientFeature, ClientFeaturesAnswer};
pub use context_field::ContextField;
pub use diff::{ArrayChange, Diff, PathStep};
pub use event::Event;
pub use feature_type::FeatureType;
pub use metrics::{Counts, SeenApp, ToggleMetrics};
pub use project::Project;
pub use strategy::{Constraint, ConstraintOperator, Strategy};
pub use strategy_definition::{ParameterDefinition, ParameterType, StrategyDefinition};
pub use tag::{Tag, TagType};
pub use toggle::{Toggle, ToggleDraft};
pub use ui_config::{Link, UiConfig, VersionInfo, Versions};
pub use user::{Health, HealthStatus, Permission, SignedOut, User, UserAnswer};
pub use variant::{Override, Payload, PayloadType, Variant, WeightType};
