//! The rows of events, the history of changes. They are never updated or deleted.

use rusqlite::{OptionalExtension, Row, Rows, named_params};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::flags::database::{StoreError, Transaction};
use crate::flags::events::{MAX_DATA_BYTES, MAX_DIFFS_BYTES, MAX_EVENTS, MAX_RESPONSE_BYTES, diff};
use crate::flags::model::Event;

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
    /// An addon.
    Addon,
    /// A delivery to an addon.
    Delivery,
}

impl Entity {
    /// Returns the value of the column `entity`.
    fn as_str(self) -> &'static str {
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
    /// The item after the change, or only its name.
    pub data: Map<String, Value>,
}

impl Transaction<'_> {
    /// Inserts an event with its differences from the previous event of the same item, and its deliveries to addons.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn append_event(&self, event: NewEvent<'_>) -> Result<(), StoreError> {
        let previous = self.find_last_data(event.entity, event.name)?;
        let data = Value::Object(event.data);
        // As text, so that the parsed values of a large diff are freed before the rest is written.
        let diffs =
            previous.map(|previous| serde_json::to_string(&diff::compute(&previous, &data))).transpose()?;
        let tags =
            if event.entity == Entity::Feature { self.list_tags_of_toggle(event.name)? } else { Vec::new() };
        self.connection
            .prepare_cached(
                "INSERT INTO events (type, created_by, created_at, entity, entity_name, data, tags, diffs)
                 VALUES (:type, :created_by, :created_at, :entity, :entity_name, :data, :tags, :diffs)",
            )?
            .execute(named_params! {
                ":type": event.kind,
                ":created_by": event.actor,
                ":created_at": event.now,
                ":entity": event.entity.as_str(),
                ":entity_name": event.name,
                ":data": data.to_string(),
                ":tags": serde_json::to_string(&tags)?,
                ":diffs": diffs,
            })?;
        self.queue_deliveries(self.connection.last_insert_rowid(), event.kind, &tags)
    }

    /// Returns an event.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_event(&self, id: i64) -> Result<Option<Event>, StoreError> {
        let sql = select_events("WHERE id = ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([id], event_from_row)?.next().transpose()
    }

    /// Returns the newest events, newest first, as a JSON list of [`Event`]: at most [`MAX_EVENTS`], and at most
    /// [`MAX_RESPONSE_BYTES`].
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_events_json(&self) -> Result<Vec<u8>, StoreError> {
        let sql = select_events("ORDER BY id DESC LIMIT ?1");
        events_to_json(self.connection.prepare_cached(&sql)?.query([MAX_EVENTS])?)
    }

    /// Returns the newest events of one item like [`Self::list_events_json`].
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_entity_events_json(&self, entity: Entity, name: &str) -> Result<Vec<u8>, StoreError> {
        let sql = select_events("WHERE entity = ?1 AND entity_name = ?2 ORDER BY id DESC LIMIT ?3");
        events_to_json(self.connection.prepare_cached(&sql)?.query((entity.as_str(), name, MAX_EVENTS))?)
    }

    /// Returns the id of the newest event, 0 if there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn newest_event_id(&self) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce(max(id), 0) FROM events";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }

    fn find_last_data(&self, entity: Entity, name: &str) -> Result<Option<Value>, StoreError> {
        let data: Option<String> = self
            .connection
            .prepare_cached(
                "SELECT data FROM events WHERE entity = ?1 AND entity_name = ?2 ORDER BY id DESC LIMIT 1",
            )?
            .query_row((entity.as_str(), name), |row| row.get(0))
            .optional()?;
        Ok(data.map(|data| serde_json::from_str(&data)).transpose()?)
    }
}

/// Returns the query of the events that match `filter`, without data and diffs that are too large. `octet_length` reads
/// the size from the row's header, without reading the column.
fn select_events(filter: &str) -> String {
    format!(
        "SELECT id, type, created_by, created_at,
         iif(octet_length(data) <= {MAX_DATA_BYTES}, data, json_object('name', entity_name)) AS data, tags,
         iif(octet_length(diffs) <= {MAX_DIFFS_BYTES}, diffs, NULL) AS diffs FROM events {filter}"
    )
}

/// Writes events as a JSON list. Stored JSON is copied as text: parsed events need many times the memory.
fn events_to_json(mut rows: Rows<'_>) -> Result<Vec<u8>, StoreError> {
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

/// An [`Event`] whose JSON columns are not parsed.
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

fn event_from_row(row: &Row<'_>) -> Result<Event, StoreError> {
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
