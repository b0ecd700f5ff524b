//! The event history: types of events and functions that record them.

pub mod diff;
pub(super) mod routes;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::store::{Entity, NewEvent, StoreError, Transaction};

/// Maximum number of events in a response.
pub const MAX_EVENTS: u32 = 100;
/// Maximum size of the events in a response, in bytes of JSON. The newest event always fits, see
/// [`MAX_DATA_BYTES`] and [`MAX_DIFFS_BYTES`].
pub const MAX_RESPONSE_BYTES: usize = 5 * 1024 * 1024;
/// Maximum size of an event's data in a response. Larger data, which only an import can write, is replaced by the
/// name of the item.
pub const MAX_DATA_BYTES: usize = 2 * 1024 * 1024;
/// Maximum size of an event's diffs in a response. Larger diffs, which only earlier versions wrote, are null.
pub const MAX_DIFFS_BYTES: usize = 5 * 512 * 1024;

/// Formats a time as RFC 3339 in UTC with milliseconds.
#[must_use]
pub fn format_time(moment: Timestamp) -> String {
    format!("{moment:.3}")
}

/// The author and the time of a change.
#[derive(Debug, Clone)]
pub struct Actor {
    name: String,
    now: String,
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
        Self { name: name.to_owned(), now: format_time(moment) }
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
///
/// # Errors
/// See [`StoreError`].
pub fn record_toggle_event(
    tx: &Transaction<'_>,
    event: ToggleEvent,
    name: &str,
    toggle: &impl Serialize,
    actor: &Actor,
) -> Result<(), StoreError> {
    record_event(tx, event.kind(), Entity::Feature, name, toggle, actor)
}

/// Records an event, such as `tag-type-created`.
///
/// # Errors
/// See [`StoreError`].
pub fn record_event(
    tx: &Transaction<'_>,
    kind: &'static str,
    entity: Entity,
    name: &str,
    data: &impl Serialize,
    actor: &Actor,
) -> Result<(), StoreError> {
    let data = match serde_json::to_value(data)? {
        Value::Object(data) => data,
        _ => Map::new(),
    };
    tx.append_event(NewEvent { kind, entity, name, actor: &actor.name, now: &actor.now, data })
}

/// Records an event of a toggle with only its name as data, as for archiving.
///
/// # Errors
/// See [`StoreError`].
pub fn record_toggle_name(
    tx: &Transaction<'_>,
    event: ToggleEvent,
    name: &str,
    actor: &Actor,
) -> Result<(), StoreError> {
    record_toggle_event(tx, event, name, &json!({ "name": name }), actor)
}
