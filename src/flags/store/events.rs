//! The rows of the history. Nothing here is ever changed or removed.

use rusqlite::{OptionalExtension, Row, Rows, named_params};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{Session, StoreError};
use crate::flags::events::{MAX_DATA_BYTES, MAX_DIFFS_BYTES, MAX_EVENTS, MAX_RESPONSE_BYTES, diff};
use crate::flags::model::Event;

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
        // As text: the values of a large diff are freed before the rest is written.
        let diffs =
            previous.map(|previous| serde_json::to_string(&diff::compute(&previous, &data))).transpose()?;
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
                ":diffs": diffs,
            })?;
        self.queue_deliveries(self.connection.last_insert_rowid(), event.kind, &tags)
    }

    /// One event.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn event(&self, id: i64) -> Result<Option<Event>, StoreError> {
        let sql = select("WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([id], event)?.next().transpose()
    }

    /// Returns the newest events, newest first, as a JSON list of [`Event`]: at most [`MAX_EVENTS`], and at most
    /// [`MAX_RESPONSE_BYTES`].
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn listed_events(&self) -> Result<Vec<u8>, StoreError> {
        let sql = select("ORDER BY id DESC LIMIT ?1");
        listed(self.connection.prepare_cached(&sql)?.query([MAX_EVENTS])?)
    }

    /// Returns the newest events of one item like [`Self::listed_events`].
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn listed_events_of(&self, entity: Entity, name: &str) -> Result<Vec<u8>, StoreError> {
        let sql = select("WHERE entity = ?1 AND entity_name = ?2 ORDER BY id DESC LIMIT ?3");
        listed(self.connection.prepare_cached(&sql)?.query((entity.stored(), name, MAX_EVENTS))?)
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

/// The size of a column is in the row's header: `octet_length` does not read the column.
fn select(rows: &str) -> String {
    format!(
        "SELECT id, type, created_by, created_at,
         iif(octet_length(data) <= {MAX_DATA_BYTES}, data, json_object('name', entity_name)) AS data, tags,
         iif(octet_length(diffs) <= {MAX_DIFFS_BYTES}, diffs, NULL) AS diffs FROM events {rows}"
    )
}

/// Copies stored JSON without parsing it: parsed events take many times the memory of their text.
fn listed(mut rows: Rows<'_>) -> Result<Vec<u8>, StoreError> {
    let mut list = vec![b'['];
    while let Some(row) = rows.next()? {
        let before = list.len();
        let is_first = before == 1;
        if !is_first {
            list.push(b',');
        }
        serde_json::to_writer(&mut list, &ListedEvent::from_row(row)?)?;
        if list.len() >= MAX_RESPONSE_BYTES && !is_first {
            list.truncate(before);
            break;
        }
    }
    list.push(b']');
    Ok(list)
}

/// An [`Event`] whose JSON columns stay text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedEvent<'row> {
    id: i64,
    #[serde(rename = "type")]
    kind: &'row str,
    created_by: &'row str,
    created_at: &'row str,
    data: &'row RawValue,
    tags: &'row RawValue,
    diffs: Option<&'row RawValue>,
}

impl<'row> ListedEvent<'row> {
    fn from_row(row: &'row Row<'_>) -> Result<Self, StoreError> {
        let text = |column: &str| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        let diffs = row.get_ref("diffs")?.as_str_or_null().map_err(rusqlite::Error::from)?;
        Ok(Self {
            id: row.get("id")?,
            kind: text("type")?,
            created_by: text("created_by")?,
            created_at: text("created_at")?,
            data: serde_json::from_str(text("data")?)?,
            tags: serde_json::from_str(text("tags")?)?,
            diffs: diffs.map(serde_json::from_str).transpose()?,
        })
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
