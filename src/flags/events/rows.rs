//! The rows of events, the history of changes. They are never updated or deleted.

use rusqlite::{OptionalExtension, Row, Rows, named_params};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::service::{Entity, HistoryLimits, NewEvent};
use crate::flags::database::{StoreError, Transaction};
use crate::flags::json_list::JsonList;
use crate::flags::model::Event;

impl Transaction<'_> {
    /// Inserts an event and returns its id.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn insert_event(&self, event: &NewEvent<'_>) -> Result<i64, StoreError> {
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
                ":data": event.data,
                ":tags": serde_json::to_string(event.tags)?,
                ":diffs": event.diffs,
            })?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Returns an event, without data and diffs that are larger than the limits.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_event(&self, id: i64, limits: &HistoryLimits) -> Result<Option<Event>, StoreError> {
        let sql = select_events("WHERE id = ?1", limits);
        self.connection.prepare_cached(&sql)?.query_and_then([id], event_from_row)?.next().transpose()
    }

    /// Returns the newest events within the limits, newest first, as a JSON list of [`Event`].
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_events_json(&self, limits: &HistoryLimits) -> Result<Vec<u8>, StoreError> {
        let sql = select_events("ORDER BY id DESC LIMIT ?1", limits);
        events_to_json(self.connection.prepare_cached(&sql)?.query([limits.events])?, limits)
    }

    /// Returns the newest events of one item like [`Self::list_events_json`].
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_entity_events_json(
        &self,
        entity: Entity,
        name: &str,
        limits: &HistoryLimits,
    ) -> Result<Vec<u8>, StoreError> {
        let sql = select_events("WHERE entity = ?1 AND entity_name = ?2 ORDER BY id DESC LIMIT ?3", limits);
        let mut statement = self.connection.prepare_cached(&sql)?;
        events_to_json(statement.query((entity.as_str(), name, limits.events))?, limits)
    }

    /// Returns the id of the newest event, 0 if there is none.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn newest_event_id(&self) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce(max(id), 0) FROM events";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }

    /// Returns the data of the newest event of an item.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_last_event_data(&self, entity: Entity, name: &str) -> Result<Option<Value>, StoreError> {
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
fn select_events(filter: &str, limits: &HistoryLimits) -> String {
    let HistoryLimits { data_bytes, diffs_bytes, .. } = limits;
    format!(
        "SELECT id, type, created_by, created_at,
         iif(octet_length(data) <= {data_bytes}, data, json_object('name', entity_name)) AS data, tags,
         iif(octet_length(diffs) <= {diffs_bytes}, diffs, NULL) AS diffs FROM events {filter}"
    )
}

/// Writes events as a JSON list. Stored JSON is copied as text: parsed events need many times the memory.
fn events_to_json(mut rows: Rows<'_>, limits: &HistoryLimits) -> Result<Vec<u8>, StoreError> {
    let mut list = JsonList::new(limits.response_bytes);
    while let Some(row) = rows.next()? {
        if !list.push(&ListedEvent::from_row(row)?)? {
            break;
        }
    }
    Ok(list.into_json())
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
