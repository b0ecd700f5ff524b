//! What happened before the demo started: steps with a time and a person, each done as if they were doing it now.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::ApiError;
use crate::flags::addons::secrets::Secrets;
use crate::flags::events::Actor;
use crate::flags::model::Tag;
use crate::flags::store::Transaction;
use crate::flags::{addons, definitions, examples, projects, rules, tags, toggles};

const SECONDS_PER_DAY: f64 = 86_400.0;

/// One thing that somebody did.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Step {
    days_ago: f64,
    by: String,
    #[serde(flatten)]
    change: Change,
}

/// Bodies are as the API takes them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Change {
    ContextField(Value),
    Strategy(Value),
    TagType(Value),
    Project(Value),
    Addon(Value),
    Toggle(Value),
    /// One of the example toggles, by name.
    Example(String),
    /// Replaces some properties of a toggle.
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

/// The moment that lies some days before another.
pub(super) fn days_before(now: Timestamp, days: f64) -> Result<Timestamp, ApiError> {
    let duration = SignedDuration::try_from_secs_f64(days * SECONDS_PER_DAY).map_err(ApiError::internal)?;
    now.checked_sub(duration).map_err(ApiError::internal)
}

/// Does all of it, in its order, which is that of time.
pub(super) fn write(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    steps: &[Step],
    now: Timestamp,
) -> Result<(), ApiError> {
    steps.iter().try_for_each(|step| {
        let actor = Actor::at(&step.by, days_before(now, step.days_ago)?);
        apply(tx, secrets, &step.change, &actor)
    })
}

fn apply(tx: &Transaction<'_>, secrets: &Secrets, change: &Change, actor: &Actor) -> Result<(), ApiError> {
    match change {
        Change::ContextField(body) => definitions::create_field(tx, &rules::new_context_field(body)?, actor),
        Change::Strategy(body) => definitions::create_strategy(tx, &rules::new_strategy(body)?, actor),
        Change::TagType(body) => tags::create_type(tx, &rules::new_tag_type(body)?, actor),
        Change::Project(body) => projects::create(tx, &rules::new_project(body)?, actor).map(drop),
        Change::Addon(body) => addons::create(tx, secrets, rules::addon(body)?, actor).map(drop),
        Change::Toggle(body) => toggles::create(tx, &rules::new_toggle(body)?, actor).map(drop),
        Change::Example(name) => examples::load_one(tx, name, actor),
        Change::Edit { name, with } => edit(tx, name, with, actor),
        Change::Switch { name, on } => toggles::set_enabled(tx, name, *on, actor).map(drop),
        Change::Stale { name, on } => toggles::set_stale(tx, name, *on, actor).map(drop),
        Change::Archive(name) => toggles::archive(tx, name, actor),
        Change::Deprecate(name) => definitions::set_deprecated(tx, name, true, actor),
        Change::Tag { toggle, tag } => tags::tag(tx, toggle, tag, actor),
    }
}

fn edit(tx: &Transaction<'_>, name: &str, with: &Map<String, Value>, actor: &Actor) -> Result<(), ApiError> {
    let mut body = serde_json::to_value(toggles::find(tx, name)?).map_err(ApiError::internal)?;
    if let Some(properties) = body.as_object_mut() {
        properties.extend(with.clone());
    }
    toggles::replace(tx, &rules::replaced_toggle(name.to_owned(), &body)?, actor)
}
