//! The rows of the history. Nothing here is ever changed or removed.

use rusqlite::{OptionalExtension, Row, named_params};
use serde_json::{Map, Value};

use super::{Session, StoreError};
use crate::flags::events::diff;
use crate::flags::model::Event;

const COLUMNS: &str = "id, type, created_by, created_at, data, tags, diffs";

/// The kinds of things that have a history.
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
    /// An addon.
    Addon,
    /// A delivery to an addon.
    Delivery,
}

impl Entity {
    fn stored(self) -> &'static str {
        match self {
            Self::Feature => "feature",
            Self::Tag => "tag",
            Self::TagOnFeature => "feature-tag",
            Self::TagType => "tag-type",
            Self::Project => "project",
            Self::Strategy => "strategy",
            Self::ContextField => "context-field",
            Self::Addon => "addon",
            Self::Delivery => "delivery",
        }
    }
}

/// An event that is about to be written.
#[derive(Debug)]
pub struct NewEvent<'e> {
    /// What happened, such as `feature-created`.
    pub kind: &'static str,
    /// The kind of thing it happened to.
    pub entity: Entity,
    /// The name of that thing.
    pub name: &'e str,
    /// Who did it.
    pub actor: &'e str,
    /// When: RFC 3339 in UTC.
    pub now: &'e str,
    /// The thing as it was written, or what names it.
    pub data: Map<String, Value>,
}

impl Session<'_> {
    /// Writes an event, with its changes against the one before it about the same thing, and what addons are to be
    /// told about it.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn append_event(&self, event: NewEvent<'_>) -> Result<(), StoreError> {
        let previous = self.last_data(event.entity, event.name)?;
        let data = Value::Object(event.data);
        let diffs = previous.map(|previous| diff::between(&previous, &data));
        let tags = if event.entity == Entity::Feature { self.tags_of(event.name)? } else { Vec::new() };
        self.connection
            .prepare_cached(
                "INSERT INTO events (type, created_by, created_at, entity, entity_name, data, tags, diffs)
                 VALUES (:type, :created_by, :created_at, :entity, :entity_name, :data, :tags, :diffs)",
            )?
            .execute(named_params! {
                ":type": event.kind,
                ":created_by": event.actor,
                ":created_at": event.now,
                ":entity": event.entity.stored(),
                ":entity_name": event.name,
                ":data": data.to_string(),
                ":tags": serde_json::to_string(&tags)?,
                ":diffs": diffs.map(|diffs| serde_json::to_string(&diffs)).transpose()?,
            })?;
        self.queue_deliveries(self.connection.last_insert_rowid(), event.kind, &tags)
    }

    /// One event.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn event(&self, id: i64) -> Result<Option<Event>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM events WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([id], event)?.next().transpose()
    }

    /// The newest events about anything, newest first.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn events(&self, limit: u32) -> Result<Vec<Event>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM events ORDER BY id DESC LIMIT ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([limit], event)?.collect()
    }

    /// The newest events about one thing, newest first.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn events_of(&self, entity: Entity, name: &str, limit: u32) -> Result<Vec<Event>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM events WHERE entity = ?1 AND entity_name = ?2 ORDER BY id DESC LIMIT ?3"
        );
        self.connection.prepare_cached(&sql)?.query_and_then((entity.stored(), name, limit), event)?.collect()
    }

    /// The id of the newest event, 0 before the first.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn newest_event(&self) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce(max(id), 0) FROM events";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }

    fn last_data(&self, entity: Entity, name: &str) -> Result<Option<Value>, StoreError> {
        let data: Option<String> = self
            .connection
            .prepare_cached(
                "SELECT data FROM events WHERE entity = ?1 AND entity_name = ?2 ORDER BY id DESC LIMIT 1",
            )?
            .query_row((entity.stored(), name), |row| row.get(0))
            .optional()?;
        Ok(data.map(|data| serde_json::from_str(&data)).transpose()?)
    }
}

fn event(row: &Row<'_>) -> Result<Event, StoreError> {
    let data: String = row.get("data")?;
    let tags: String = row.get("tags")?;
    let diffs: Option<String> = row.get("diffs")?;
    Ok(Event {
        id: row.get("id")?,
        kind: row.get("type")?,
        created_by: row.get("created_by")?,
        created_at: row.get("created_at")?,
        data: serde_json::from_str(&data)?,
        tags: serde_json::from_str(&tags)?,
        diffs: diffs.map(|diffs| serde_json::from_str(&diffs)).transpose()?,
    })
}
