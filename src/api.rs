//! The JSON model of the HTTP API: types, bounds of values, and differences of items. The embedded service returns these types,
//! `compat` converts responses of other servers into them, and the console reads them from any server. Fields that some servers
//! omit are optional.
//!
//! `openapi/generated.rs` generates the OpenAPI document and `frontend/src/api/generated/types.ts` from these types.

mod addons;
mod api_tokens;
mod applications;
mod client;
mod context;
pub mod diff;
mod events;
mod installation;
pub(crate) mod json_list;
pub mod limits;
pub mod past;
mod plans;
mod projects;
pub mod responses;
mod sdk_toggles;
mod segments;
mod sessions;
pub mod state;
mod strategies;
mod tags;
mod toggles;
mod usage;
mod user;
mod users;

pub use self::addons::{Addon, AddonDraft, AddonParameter, AddonProvider, AddonsResponse};
pub use self::api_tokens::{ApiToken, ApiTokenDraft, ApiTokensResponse, CreatedApiToken, DeletedApiToken};
pub use self::applications::{
    Application, ApplicationLinks, ApplicationToggles, ApplicationsResponse, ClientApi, Instance,
    MaybeMissing, MissingItem, SeenApp,
};
pub use self::client::{ClientFeature, ClientFeaturesResponse, ClientQuery, ClientSegment, SegmentFormat};
pub use self::context::ContextField;
pub use self::diff::{ArrayChange, Diff, PathStep};
pub use self::events::{Event, EventsResponse, ToggleEventsResponse};
pub use self::installation::{ApiLink, ApiPartIndex, Link, UiConfig, VersionInfo, Versions};
pub use self::plans::{
    ChangeStatus, FileProblem, FileRequest, FileResponse, ItemList, NamedText, PlanRequest, PlanReview,
    PlannedAction, PlannedServer, ReviewedChange,
};
pub use self::projects::{Project, ProjectsResponse};
pub use self::responses::{ErrorBody, ErrorDetail};
pub use self::sdk_toggles::SdkToggles;
pub use self::segments::{
    ListedSegment, Segment, SegmentDraft, SegmentUse, SegmentUsesResponse, SegmentsResponse,
};
pub use self::sessions::{RevokedSessions, SessionMethod, SessionsResponse, UserSession};
pub use self::strategies::{ParameterDefinition, ParameterType, StrategiesResponse, StrategyDefinition};
pub use self::tags::{
    Tag, TagResponse, TagType, TagTypeName, TagTypeResponse, TagTypesResponse, TagsResponse, ValidTagType,
};
pub use self::toggles::dependency::Dependency;
pub use self::toggles::feature_type::{FeatureType, FeatureTypesResponse};
pub use self::toggles::strategy::{Constraint, Strategy};
pub use self::toggles::variant::{Override, Payload, PayloadType, Variant, WeightType};
pub use self::toggles::{ArchiveResponse, FeaturesResponse, Toggle, ToggleDraft};
pub use self::usage::{Counts, MetricsOfToggle, PeriodCounts, ReportedCounts, ToggleMetrics, UsageHistory};
pub use self::user::{
    HealthResponse, HealthStatus, Permission, PermissionGrant, SignedOut, User, UserResponse,
};
pub use self::users::{Account, AccountDraft, AccountWithPassword, PermissionChange, UsersResponse};
pub use crate::error::{AuthDetails, AuthOption};
