//! The demo's event history: changes with an author and a time, applied in order.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::api::{AddonDraft, ContextField, Project, StrategyDefinition, Tag, TagType, ToggleDraft};
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::addons::secrets::Secrets;
use crate::flags::events::Actor;
use crate::flags::validation::RequestBody as _;
use crate::flags::{addons, context, examples, projects, strategies, tags, toggles};

const SECONDS_PER_DAY: f64 = 86_400.0;

/// A change with its author and age.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Step {
    days_ago: f64,
    by: String,
    #[serde(flatten)]
    change: Change,
}

/// A change. Bodies have the format of the API.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Change {
    ContextField(Value),
    Strategy(Value),
    TagType(Value),
    Project(Value),
    Addon(Value),
    Toggle(Value),
    /// Creates an example toggle by name.
    Example(String),
    /// Replaces properties of a toggle.
    Edit {
        name: String,
        with: Map<String, Value>,
    },
    Switch {
        name: String,
        on: bool,
    },
    Stale {
        name: String,
        on: bool,
    },
    Archive(String),
    Deprecate(String),
    Tag {
        toggle: String,
        #[serde(flatten)]
        tag: Tag,
    },
}

/// Returns the time a number of days before `now`.
pub(super) fn days_before(now: Timestamp, days: f64) -> Result<Timestamp, ApiError> {
    let duration = SignedDuration::try_from_secs_f64(days * SECONDS_PER_DAY).map_err(ApiError::internal)?;
    now.checked_sub(duration).map_err(ApiError::internal)
}

/// Applies the changes in order, oldest first.
pub(super) fn apply_all(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    steps: &[Step],
    now: Timestamp,
) -> Result<(), ApiError> {
    steps.iter().try_for_each(|step| {
        let actor = Actor::at(&step.by, days_before(now, step.days_ago)?);
        apply_change(tx, secrets, &step.change, &actor)
    })
}

fn apply_change(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    change: &Change,
    actor: &Actor,
) -> Result<(), ApiError> {
    match change {
        Change::ContextField(body) => context::create_field(tx, &ContextField::parse(body)?, actor),
        Change::Strategy(body) => strategies::create_strategy(tx, &StrategyDefinition::parse(body)?, actor),
        Change::TagType(body) => tags::transactions::create_type(tx, &TagType::parse(body)?, actor),
        Change::Project(body) => projects::create_project(tx, &Project::parse(body)?, actor).map(drop),
        Change::Addon(body) => {
            addons::transactions::create(tx, secrets, AddonDraft::parse(body)?, actor).map(drop)
        }
        Change::Toggle(body) => {
            toggles::transactions::create(tx, &ToggleDraft::parse(body)?, actor).map(drop)
        }
        Change::Example(name) => examples::load_by_name(tx, name, actor),
        Change::Edit { name, with } => edit_toggle(tx, name, with, actor),
        Change::Switch { name, on } => toggles::transactions::set_enabled(tx, name, *on, actor).map(drop),
        Change::Stale { name, on } => toggles::transactions::set_stale(tx, name, *on, actor).map(drop),
        Change::Archive(name) => toggles::transactions::archive(tx, name, actor),
        Change::Deprecate(name) => strategies::set_strategy_deprecated(tx, name, true, actor),
        Change::Tag { toggle, tag } => tags::transactions::tag(tx, toggle, tag, actor),
    }
}

fn edit_toggle(
    tx: &Transaction<'_>,
    name: &str,
    with: &Map<String, Value>,
    actor: &Actor,
) -> Result<(), ApiError> {
    let mut body =
        serde_json::to_value(toggles::transactions::find(tx, name)?).map_err(ApiError::internal)?;
    if let Some(properties) = body.as_object_mut() {
        properties.extend(with.clone());
    }
    toggles::transactions::replace(tx, &ToggleDraft::parse_replacement(name, &body)?, actor)
}
