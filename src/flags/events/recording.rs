//! Records events and lists the history. Each event is written in the transaction of its change.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::message::describe_change;
use super::rows::EventPage;
use crate::api::{Event, diff};
use crate::database::{MAX_CLOCK_DIFFERENCE, RecordedEvent, StoreError, Transaction};
use crate::journal::notes::RecordedEvents;

/// Limits of the history in responses and deliveries. The newest event always fits into a response.
#[derive(Debug, Clone, Copy)]
pub struct HistoryLimits {
    /// Maximum number of events in a response.
    pub events: u32,
    /// Maximum size of the events in a response, in bytes of JSON.
    pub response_bytes: usize,
    /// Maximum size of an event's data in bytes. Larger data, which only an import can write, is replaced by the name of
    /// the item.
    pub data_bytes: usize,
    /// Maximum size of an event's diffs in bytes. Larger diffs, which only earlier versions wrote, are null.
    pub diffs_bytes: usize,
}

/// Limits of the history.
pub const HISTORY_LIMITS: HistoryLimits = HistoryLimits {
    events: 100,
    response_bytes: 5 * 1024 * 1024,
    data_bytes: 2 * 1024 * 1024,
    diffs_bytes: 5 * 512 * 1024,
};

/// The kinds of items that have a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entity {
    /// A feature toggle.
    Feature,
    /// A tag.
    Tag,
    /// A tag on a toggle.
    TagOnFeature,
    /// A tag type.
    TagType,
    /// A project.
    Project,
    /// A strategy definition.
    Strategy,
    /// A context field.
    ContextField,
    /// A segment.
    Segment,
    /// An addon.
    Addon,
    /// A delivery to an addon.
    Delivery,
    /// A token with which SDKs authenticate.
    ApiToken,
    /// A checkpoint of the operators' journal.
    JournalCheckpoint,
    /// A hold of a toggle for SDKs, by the name of the toggle.
    Hold,
}

impl Entity {
    /// Returns the stored name of the kind.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Feature => "feature",
            Self::Tag => "tag",
            Self::TagOnFeature => "feature-tag",
            Self::TagType => "tag-type",
            Self::Project => "project",
            Self::Strategy => "strategy",
            Self::ContextField => "context-field",
            Self::Segment => "segment",
            Self::Addon => "addon",
            Self::Delivery => "delivery",
            Self::ApiToken => "api-token",
            Self::JournalCheckpoint => "journal-checkpoint",
            Self::Hold => "hold",
        }
    }
}

/// An event to be inserted.
#[derive(Debug)]
pub struct NewEvent<'e> {
    /// The type of the event, such as `feature-created`.
    pub kind: &'static str,
    /// The kind of the changed item.
    pub entity: Entity,
    /// The name of the changed item.
    pub name: &'e str,
    /// The author of the change.
    pub actor: &'e str,
    /// The time of the change: RFC 3339 in UTC.
    pub now: &'e str,
    /// The item after the change, or only its name: a JSON object.
    pub data: &'e str,
    /// The tags of the toggle, as a JSON list.
    pub tags: &'e str,
    /// The differences from the previous event of the same item, as JSON. `None` for the first event.
    pub diffs: Option<&'e str>,
}

/// Formats a time as RFC 3339 in UTC with milliseconds.
#[must_use]
pub fn format_time(moment: Timestamp) -> String {
    format!("{moment:.3}")
}

/// Returns the latest time that another process can have written before `moment`, formatted like that.
pub(in crate::flags) fn latest_after(moment: Timestamp) -> String {
    format_time(moment.checked_add(MAX_CLOCK_DIFFERENCE).unwrap_or(moment))
}

/// The author and the time of a change.
#[derive(Debug, Clone)]
pub struct Actor {
    name: String,
    now: String,
    /// Receives the events of the change, for the journal.
    recorded: Option<RecordedEvents>,
}

impl Actor {
    /// Creates an actor for a change that happens now.
    #[must_use]
    pub fn now(name: &str) -> Self {
        Self::at(name, Timestamp::now())
    }

    /// Creates an actor for a change at another time. Event ids follow the order of recording, not this time.
    #[must_use]
    pub fn at(name: &str, moment: Timestamp) -> Self {
        Self { name: name.to_owned(), now: format_time(moment), recorded: None }
    }

    /// Adds the list that receives the events of the change; `None` without a journal.
    #[must_use]
    pub fn with_recorded_events(self, recorded: Option<RecordedEvents>) -> Self {
        Self { recorded, ..self }
    }

    /// Returns the name of the author.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the time of the change: RFC 3339 in UTC with milliseconds.
    #[must_use]
    pub fn time(&self) -> &str {
        &self.now
    }
}

/// Kind of change of a toggle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToggleEvent {
    /// The toggle was created.
    Created,
    /// The toggle was replaced, or switched on or off.
    Updated,
    /// The toggle was marked as stale.
    StaleOn,
    /// The toggle was marked as active.
    StaleOff,
    /// The toggle was archived.
    Archived,
    /// The toggle was revived.
    Revived,
}

impl ToggleEvent {
    fn kind(self) -> &'static str {
        match self {
            Self::Created => "feature-created",
            Self::Updated => "feature-updated",
            Self::StaleOn => "feature-stale-on",
            Self::StaleOff => "feature-stale-off",
            Self::Archived => "feature-archived",
            Self::Revived => "feature-revived",
        }
    }
}

/// Records an event of a toggle with the toggle as data.
pub(crate) fn record_toggle_event(
    tx: &Transaction<'_>,
    event: ToggleEvent,
    name: &str,
    toggle: &impl Serialize,
    actor: &Actor,
) -> Result<(), StoreError> {
    record_event(tx, event.kind(), Entity::Feature, name, toggle, actor)
}

/// Records an event, such as `tag-type-created`, with its differences from the previous event of the same item, and
/// runs the event hook of the database.
pub(crate) fn record_event(
    tx: &Transaction<'_>,
    kind: &'static str,
    entity: Entity,
    name: &str,
    data: &impl Serialize,
    actor: &Actor,
) -> Result<(), StoreError> {
    let data = match serde_json::to_value(data)? {
        data @ Value::Object(_) => data,
        _ => Value::Object(Map::new()),
    };
    // As text, so that the parsed values of a large diff are freed before the rest is written.
    let diffs = tx
        .find_last_event_data(entity, name)?
        .map(|previous| serde_json::to_string(&diff::compute(&previous, &data)))
        .transpose()?;
    let tags = if entity == Entity::Feature { tx.list_tags_of_toggle(name)? } else { Vec::new() };
    let tags = serde_json::to_string(&tags)?;
    let id = tx.insert_event(&NewEvent {
        kind,
        entity,
        name,
        actor: &actor.name,
        now: &actor.now,
        data: &data.to_string(),
        tags: &tags,
        diffs: diffs.as_deref(),
    })?;
    if let Some(recorded) = &actor.recorded
        && recorded.has_space()
        && let Some(event) = tx.find_event(id, &HISTORY_LIMITS)?
    {
        let (item, words) = describe_change(&event, entity, name);
        recorded.add(id, item, words);
    } else if let Some(recorded) = &actor.recorded {
        recorded.count_further();
    }
    tx.run_event_hook(&RecordedEvent { id, kind, tags: &tags })
}

/// Records an event of a toggle with only its name as data, as for archiving.
pub(crate) fn record_toggle_name(
    tx: &Transaction<'_>,
    event: ToggleEvent,
    name: &str,
    actor: &Actor,
) -> Result<(), StoreError> {
    record_toggle_event(tx, event, name, &json!({ "name": name }), actor)
}

/// Returns an event.
pub(crate) fn find(tx: &Transaction<'_>, id: i64) -> Result<Option<Event>, StoreError> {
    tx.find_event(id, &HISTORY_LIMITS)
}

/// Returns a page with the newest events, or with `before` with the newest events whose id is lower.
pub(crate) fn list(tx: &Transaction<'_>, before: Option<i64>) -> Result<EventPage, StoreError> {
    tx.list_events(before.unwrap_or(i64::MAX), &HISTORY_LIMITS)
}

/// Returns a page of the events of a toggle like [`list`].
pub(crate) fn list_by_toggle(
    tx: &Transaction<'_>,
    toggle: &str,
    before: Option<i64>,
) -> Result<EventPage, StoreError> {
    tx.list_entity_events(Entity::Feature, toggle, before.unwrap_or(i64::MAX), &HISTORY_LIMITS)
}
