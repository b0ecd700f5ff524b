//! The history: which changes are recorded, and how.

pub mod diff;

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

/// A moment as it is stored and told: RFC 3339 in UTC with milliseconds.
#[must_use]
pub fn time(moment: Timestamp) -> String {
    format!("{moment:.3}")
}

/// Who changes something, and when.
#[derive(Debug, Clone)]
pub struct Actor {
    name: String,
    now: String,
}

impl Actor {
    /// Somebody who acts at this moment.
    #[must_use]
    pub fn now(name: &str) -> Self {
        Self::at(name, Timestamp::now())
    }

    /// Somebody who acted at another moment. Events are numbered in the order in which they are recorded.
    #[must_use]
    pub fn at(name: &str, moment: Timestamp) -> Self {
        Self { name: name.to_owned(), now: time(moment) }
    }

    /// The moment, RFC 3339 in UTC with milliseconds.
    #[must_use]
    pub fn time(&self) -> &str {
        &self.now
    }
}

/// What happened to a toggle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToggleEvent {
    /// It is new.
    Created,
    /// It was replaced, or switched on or off.
    Updated,
    /// It was marked as stale.
    StaleOn,
    /// It was marked as active.
    StaleOff,
    /// It went to the archive.
    Archived,
    /// It came back from there.
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

/// Records what happened to a toggle, with the toggle as it was written.
///
/// # Errors
/// See [`StoreError`].
pub fn record(
    tx: &Transaction<'_>,
    event: ToggleEvent,
    name: &str,
    toggle: &impl Serialize,
    actor: &Actor,
) -> Result<(), StoreError> {
    record_other(tx, event.kind(), Entity::Feature, name, toggle, actor)
}

/// Records what happened to something else, such as `tag-type-created`.
///
/// # Errors
/// See [`StoreError`].
pub fn record_other(
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

/// Records what happened to a toggle with its name alone, as for the archive.
///
/// # Errors
/// See [`StoreError`].
pub fn record_name(
    tx: &Transaction<'_>,
    event: ToggleEvent,
    name: &str,
    actor: &Actor,
) -> Result<(), StoreError> {
    record(tx, event, name, &json!({ "name": name }), actor)
}
