//! The rows of events, the history of changes. They are never updated. Old ones are deleted if the setting `history-keep`
//! limits the history.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::recording::{Entity, HistoryLimits, NewEvent};
use crate::api::Event;
use crate::api::json_list::JsonList;
use crate::database::{Parameter, Row, StoreError, Transaction, params};

/// Identifies an event, also after a failover to a standby without the last events, and after the restore of a backup: other
/// events then get the ids of the lost ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventIdentity {
    /// Its id, 0 if there is no event.
    pub id: i64,
    /// Its time, in milliseconds in RFC 3339; empty if there is no event.
    pub created_at: String,
}

/// A page of the history.
#[derive(Debug)]
pub struct EventPage {
    /// The events, newest first: a JSON list of [`Event`].
    pub events: Vec<u8>,
    /// The id of the last event, if older events follow.
    pub next_before: Option<i64>,
}

impl Transaction<'_> {
    /// Inserts an event and returns its id.
    pub(crate) fn insert_event(&self, event: &NewEvent<'_>) -> Result<i64, StoreError> {
        self.query_value(
            "INSERT INTO events (type, created_by, created_at, entity, entity_name, data, tags, diffs)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id",
            params![
                event.kind,
                event.actor,
                event.now,
                event.entity.as_str(),
                event.name,
                event.data,
                event.tags,
                event.diffs
            ],
        )
    }

    /// Returns an event, without data and diffs that are larger than the limits.
    pub(crate) fn find_event(&self, id: i64, limits: &HistoryLimits) -> Result<Option<Event>, StoreError> {
        let sql = select_events("WHERE id = ?1", limits);
        self.query_first(&sql, params![id], event_from_row)
    }

    /// Returns the newest events whose id is lower than `before`, within the limits.
    pub(crate) fn list_events(&self, before: i64, limits: &HistoryLimits) -> Result<EventPage, StoreError> {
        let sql = select_events("WHERE id < ?1 ORDER BY id DESC LIMIT ?2", limits);
        self.read_event_page(&sql, params![before, limits.events.saturating_add(1)], limits)
    }

    /// Returns the newest events of one item like [`Self::list_events`].
    pub(crate) fn list_entity_events(
        &self,
        entity: Entity,
        name: &str,
        before: i64,
        limits: &HistoryLimits,
    ) -> Result<EventPage, StoreError> {
        let filter = "WHERE entity = ?1 AND entity_name = ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4";
        let sql = select_events(filter, limits);
        let parameters = params![entity.as_str(), name, before, limits.events.saturating_add(1)];
        self.read_event_page(&sql, parameters, limits)
    }

    /// Returns the identity of the newest event that is not about a delivery. It identifies the state of all items:
    /// [`Self::delete_events`] keeps this event.
    pub(crate) fn newest_change(&self) -> Result<EventIdentity, StoreError> {
        // Reads backwards from the end, past the deliveries of the newest changes only.
        let sql = "SELECT id, created_at FROM events WHERE entity <> ?1 ORDER BY id DESC LIMIT 1";
        let newest = self.query_first(sql, params![Entity::Delivery.as_str()], |row| {
            Ok(EventIdentity { id: row.get(0)?, created_at: row.get(1)? })
        })?;
        Ok(newest.unwrap_or_default())
    }

    /// Returns the time of the first event that [`Self::delete_events`] can delete.
    pub(crate) fn find_first_deletable_event(&self) -> Result<Option<String>, StoreError> {
        let sql = "SELECT created_at FROM events WHERE id <> ?1 AND id NOT IN (SELECT event FROM deliveries)
                   ORDER BY id LIMIT 1";
        self.find_value(sql, params![self.newest_change()?.id])
    }

    /// Returns the last id of a page of at most `limit` events that follow the id `after`, if any of them is older than
    /// `oldest`. Ids follow the order of recording.
    pub(crate) fn find_page_with_old_events(
        &self,
        after: i64,
        oldest: &str,
        limit: u32,
    ) -> Result<Option<i64>, StoreError> {
        let (mut last, mut has_old) = (None, false);
        let sql = "SELECT id, created_at FROM events WHERE id > ?1 ORDER BY id LIMIT ?2";
        self.visit_rows(sql, params![after, limit], &mut |row| {
            last = Some(row.get(0)?);
            has_old |= row.get::<&str>(1)? < oldest;
            Ok(true)
        })?;
        Ok(last.filter(|_| has_old))
    }

    /// Deletes the events after the id `after`, up to the id `last`, that are older than `oldest`, and returns their number.
    /// Keeps events that are not delivered yet, and the newest change, which identifies the state of all items.
    pub(crate) fn delete_events(&self, after: i64, last: i64, oldest: &str) -> Result<u64, StoreError> {
        let sql = "DELETE FROM events WHERE id > ?1 AND id <= ?2 AND created_at < ?3 AND id <> ?4
                   AND id NOT IN (SELECT event FROM deliveries)";
        self.execute(sql, params![after, last, oldest, self.newest_change()?.id])
    }

    /// Returns the data of the newest event of an item.
    pub(crate) fn find_last_event_data(
        &self,
        entity: Entity,
        name: &str,
    ) -> Result<Option<Value>, StoreError> {
        let data: Option<String> = self.find_value(
            "SELECT data FROM events WHERE entity = ?1 AND entity_name = ?2 ORDER BY id DESC LIMIT 1",
            params![entity.as_str(), name],
        )?;
        Ok(data.map(|data| serde_json::from_str(&data)).transpose()?)
    }

    /// Reads the page of a query, which returns one event more than the limit if there is one. Stored JSON is copied as
    /// text: parsed events need many times the memory.
    fn read_event_page(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
        limits: &HistoryLimits,
    ) -> Result<EventPage, StoreError> {
        let mut list = JsonList::new(limits.response_bytes);
        let (mut count, mut oldest, mut has_older) = (0, None, false);
        self.visit_rows(sql, parameters, &mut |row| {
            let event = ListedEvent::from_row(row)?;
            has_older = count == limits.events || !list.push(&event)?;
            if !has_older {
                (count, oldest) = (count.saturating_add(1), Some(event.id));
            }
            Ok(!has_older)
        })?;
        Ok(EventPage { events: list.into_json(), next_before: oldest.filter(|_| has_older) })
    }
}

/// Returns the query of the events that match `filter`, without data and diffs that are too large. `octet_length` reads
/// the size from the row's header, without reading the column.
fn select_events(filter: &str, limits: &HistoryLimits) -> String {
    let HistoryLimits { data_bytes, diffs_bytes, .. } = limits;
    format!(
        "SELECT id, type, created_by, created_at,
         CASE WHEN octet_length(data) <= {data_bytes} THEN data
            ELSE '{{\"name\":' || json_quote(entity_name) || '}}' END AS data,
         tags, CASE WHEN octet_length(diffs) <= {diffs_bytes} THEN diffs END AS diffs FROM events {filter}"
    )
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
    fn from_row(row: &Row<'row>) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("type")?,
            created_by: row.get("created_by")?,
            created_at: row.get("created_at")?,
            data: row.json("data")?,
            tags: row.json("tags")?,
            diffs: row.json("diffs")?,
        })
    }
}

fn event_from_row(row: &Row<'_>) -> Result<Event, StoreError> {
    Ok(Event {
        id: row.get("id")?,
        kind: row.get("type")?,
        created_by: row.get("created_by")?,
        created_at: row.get("created_at")?,
        data: row.json("data")?,
        tags: row.json("tags")?,
        diffs: row.json("diffs")?,
    })
}
