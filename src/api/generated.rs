//! Generates `frontend/src/api/generated/types.ts` from the API types, or checks that it is up to date.

use ts_rs::{Config, TS};

use super::past::{HeldChanges, RecordedEvaluation};
use super::*;
use crate::config::TokenKind;
use crate::console_api::{
    Capabilities, ExamplesLoaded, LoggedOut, Mode, NewerServer, Operators, Purged, ReplicaSummary, SeenApps,
    ServerEnvironment, Settings, SharedDatabase, SortOrderInEdit,
};
use crate::evaluation::Library;
use crate::evaluation::effect::Effect;
use crate::evaluation::reason::{
    ConstraintProblem, ConstraintReason, Decision, EvaluationResult, Explanation, ParentProblem,
    ParentReason, PastHold, RuleReason, SegmentReason, StrategyReason, VariantReason, VariantSelection,
    VariantShare,
};
use crate::evaluation::request::{
    ContextResult, Detail, EvaluateRequest, EvaluateResponse, PopulationResult, ResultChange, ResultCounts,
    ToggleResult, VariantCount,
};
use crate::generated_file;
use crate::hold::{
    EndedHold, HoldChild, HoldDraft, HoldEnd, HoldList, HoldPreview, ListedHold, NewHold, ReleasedHolds,
};
use crate::journal::reader::{JournalEnd, JournalPage};
use crate::journal::{Item, JournalLine, LineKind, Person, PersonSource};
use crate::recorder::reader::{Gap, Interval, PastChange, PastChanges, PastState, PastTime, RecorderStatus};
use crate::recorder::{GapReason, Scope};

const HEADER: &str = "// API types, generated from src/api, src/config/permission.rs, src/console_api.rs, src/evaluation, src/hold, src/journal and src/recorder. Do not edit.\n\
                      // After a change there: make types\n";

macro_rules! declarations {
    ($($ty:ty),+ $(,)?) => { [$(declare::<$ty>()),+].concat() };
}

/// Returns the TypeScript declaration of a type with its documentation as `JSDoc`.
fn declare<T: TS>() -> String {
    let config = Config::new().with_large_int("number");
    format!("\n{}export {}\n", T::docs().unwrap_or_default(), T::decl(&config))
}

fn render_types() -> String {
    format!(
        "{HEADER}{}",
        format_types(&[entity_declarations(), response_declarations(), evaluation_declarations()].concat())
    )
}

fn entity_declarations() -> String {
    declarations![
        Toggle,
        ToggleDraft,
        Strategy,
        Constraint,
        Variant,
        WeightType,
        Payload,
        PayloadType,
        Override,
        Dependency,
        Segment,
        ListedSegment,
        SegmentDraft,
        SegmentUse,
        FeatureType,
        StrategyDefinition,
        ParameterDefinition,
        ParameterType,
        ContextField,
        Project,
        Tag,
        TagType,
        Addon,
        AddonDraft,
        AddonProvider,
        AddonParameter,
        TokenKind,
        ApiToken,
        ApiTokenDraft,
        CreatedApiToken,
        Event,
        Diff,
        ArrayChange,
        PathStep,
        ToggleMetrics,
        Counts,
        PeriodCounts,
        SeenApp,
        Application,
        MaybeMissing<StrategyDefinition>,
        MissingItem,
        ClientApi,
        Instance,
        ApplicationLinks,
        UiConfig,
        VersionInfo,
        Versions,
        Link,
        User,
        Permission,
        crate::config::Permission,
        UserResponse,
        PermissionGrant,
        AuthDetails,
        AuthOption,
    ]
}

fn response_declarations() -> String {
    declarations![
        FeaturesResponse,
        ArchiveResponse,
        FeatureTypesResponse,
        StrategiesResponse,
        SegmentsResponse,
        SegmentUsesResponse,
        ProjectsResponse,
        ApplicationsResponse,
        TagTypesResponse,
        TagTypeResponse,
        TagsResponse,
        AddonsResponse,
        ApiTokensResponse,
        UserSession,
        SessionMethod,
        SessionsResponse,
        RevokedSessions,
        EventsResponse,
        ToggleEventsResponse,
        UsageHistory,
        ErrorBody,
        ErrorDetail,
        JournalEnd,
        JournalPage,
        JournalLine,
        LineKind,
        Person,
        PersonSource,
        Item,
        HoldList,
        ListedHold,
        EndedHold,
        HoldEnd,
        HoldDraft,
        NewHold,
        HoldPreview,
        HoldChild,
        ReleasedHolds,
        RecorderStatus,
        Scope,
        PastState,
        PastTime,
        Interval,
        Gap,
        GapReason,
        PastChanges,
        HeldChanges,
        PastHold,
        PastChange,
        Settings,
        Capabilities,
        Operators,
        SortOrderInEdit,
        SeenApps,
        SharedDatabase,
        Purged,
        ReplicaSummary,
        NewerServer,
        ServerEnvironment,
        Mode,
        LoggedOut,
        ExamplesLoaded,
        PlanRequest,
        PlannedServer,
        ItemList,
        NamedText,
        PlanReview,
        FileProblem,
        ReviewedChange,
        PlannedAction,
        ChangeStatus,
        FileRequest,
        FileResponse,
    ]
}

fn evaluation_declarations() -> String {
    declarations![
        Effect,
        EvaluateRequest,
        Detail,
        EvaluateResponse,
        RecordedEvaluation,
        ToggleResult,
        PopulationResult,
        ResultCounts,
        VariantCount,
        ContextResult,
        ResultChange,
        EvaluationResult,
        Explanation,
        Library,
        Decision,
        ParentReason,
        ParentProblem,
        StrategyReason,
        RuleReason,
        ConstraintReason,
        ConstraintProblem,
        SegmentReason,
        VariantReason,
        VariantSelection,
        VariantShare,
    ]
}

/// Formats the declarations: short comments on one line, indented members, no trailing whitespace.
fn format_types(source: &str) -> String {
    let mut is_inside = false;
    let mut formatted = String::new();
    for line in source.replace("/**\n * ", "/** ").replace("\n */", " */").lines().map(str::trim_end) {
        let indent = if is_inside { "  " } else { "" };
        is_inside = (is_inside || line.starts_with("export ")) && !line.ends_with(';');
        formatted += indent;
        formatted += &line.replace(", };", ",\n};");
        formatted.push('\n');
    }
    formatted
}

#[test]
fn typescript_types_are_up_to_date() {
    generated_file::check_or_update("frontend/src/api/generated/types.ts", &render_types());
}
