//! Queries and statements of the flight recorder.

use std::collections::HashMap;

use super::definitions::{Hash, Item, ItemKey, ItemKind};
use super::scope::{ChangeInterval, GapReason, Salt, Scope};
use crate::database::{Parameter, Row, StoreError, Transaction, params};

/// Scope of the ranges of the recorder itself.
const RECORDER: &str = "";
/// Bytes that a row takes with its indexes, apart from the content of an item.
const ROW_SIZE: i64 = 250;

/// A time in which SDKs got what is recorded. Times are milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) since: i64,
    pub(super) until: i64,
    /// `None` while it is open.
    pub(super) reason: Option<GapReason>,
}

/// A scope that has been recorded.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownScope {
    /// The last time at which its state was confirmed.
    pub(super) confirmed: i64,
    /// The newest event in its state.
    pub(super) event: i64,
    /// The time of its last change.
    pub(super) changed: i64,
    /// True while its token is refused.
    pub(super) is_refused: bool,
}

/// A version of an item, without its content.
#[derive(Debug, Clone)]
pub(super) struct Version {
    pub(super) key: ItemKey,
    /// `None` if the item did not exist.
    pub(super) item: Option<i64>,
    pub(super) interval: ChangeInterval,
}

impl Range {
    fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let reason: Option<i64> = row.get(2)?;
        Ok(Self { since: row.get(0)?, until: row.get(1)?, reason: reason.map(GapReason::from_number) })
    }
}

/// The state of the recorder.
impl Transaction<'_> {
    /// Returns the salt of the identifiers of scopes; `None` before the first use.
    pub(super) fn find_salt(&self) -> Result<Option<Salt>, StoreError> {
        self.find_value("SELECT salt FROM recording WHERE id = 1", &[])
    }

    /// Stores a salt, unless another instance has stored one.
    pub(super) fn insert_salt(&self, salt: &Salt) -> Result<(), StoreError> {
        let sql = "INSERT INTO recording (id, salt, holder, leased_until) VALUES (1, ?1, '', 0) ON CONFLICT DO NOTHING";
        self.execute(sql, params![&salt[..]]).map(drop)
    }

    /// Lets an instance record until a time. Returns false if another one does. A lease that ends too late was made before the
    /// clock was set.
    pub(super) fn take_lease(&self, instance: &str, now: i64, until: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE recording SET holder = ?1, leased_until = ?3
                   WHERE id = 1 AND (holder = ?1 OR leased_until <= ?2 OR leased_until > ?3)";
        Ok(self.execute(sql, params![instance, now, until])? > 0)
    }

    /// Ends the lease of an instance.
    pub(super) fn end_lease(&self, instance: &str) -> Result<(), StoreError> {
        let sql = "UPDATE recording SET holder = '', leased_until = 0 WHERE holder = ?1";
        self.execute(sql, params![instance]).map(drop)
    }

    /// Returns the approximate size of all records in bytes.
    pub(super) fn measure_records(&self) -> Result<i64, StoreError> {
        let sql = "SELECT CAST(coalesce(sum(length(content)), 0) AS BIGINT) FROM items";
        let rows: i64 = self.query_value("SELECT count(*) FROM versions", &[])?;
        Ok(self.query_value::<i64>(sql, &[])?.saturating_add(rows.saturating_mul(ROW_SIZE)))
    }
}

/// The times that are recorded.
impl Transaction<'_> {
    /// Returns the ranges of the recorder in their order. The last one can be open.
    pub(super) fn list_ranges(&self) -> Result<Vec<Range>, StoreError> {
        let sql = "SELECT since, until, reason FROM coverage WHERE scope = ?1
                   ORDER BY since, until, reason IS NULL";
        self.query(sql, params![RECORDER], Range::read)
    }

    /// Returns the ranges of a scope that begin up to a time, in their order.
    pub(super) fn list_ranges_of_scope(&self, scope: &str, to: i64) -> Result<Vec<Range>, StoreError> {
        let sql = "SELECT since, until, reason FROM coverage WHERE scope = ?1 AND since <= ?2
                   ORDER BY since, reason IS NULL, until";
        self.query(sql, params![scope, to], Range::read)
    }

    /// Returns the last range of each scope that begins up to a time.
    pub(super) fn list_last_ranges(&self, to: i64) -> Result<HashMap<String, Range>, StoreError> {
        let sql = "SELECT since, until, reason, scope FROM coverage WHERE scope <> ?1 AND since <= ?2
                   ORDER BY scope, since, reason IS NULL, until";
        self.query(sql, params![RECORDER, to], |row| Ok((row.get(3)?, Range::read(row)?)))
    }

    /// Returns the open range of the recorder.
    pub(super) fn find_open_range(&self) -> Result<Option<Range>, StoreError> {
        let sql = "SELECT since, until, reason FROM coverage WHERE scope = ?1 AND reason IS NULL";
        self.query_first(sql, params![RECORDER], Range::read)
    }

    /// Begins a range of the recorder.
    pub(super) fn begin_range(&self, since: i64, until: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO coverage (scope, since, until) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        self.execute(sql, params![RECORDER, since, until]).map(drop)
    }

    /// Begins the range of a scope.
    fn begin_range_of_scope(&self, scope: &str, since: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO coverage (scope, since, until) VALUES (?1, ?2, ?2) ON CONFLICT DO NOTHING";
        self.execute(sql, params![scope, since]).map(drop)
    }

    /// Notes that everything is recorded until a time.
    pub(super) fn extend_range(&self, until: i64) -> Result<(), StoreError> {
        let sql = "UPDATE coverage SET until = ?2 WHERE scope = ?1 AND reason IS NULL AND until < ?2";
        self.execute(sql, params![RECORDER, until]).map(drop)
    }

    /// Ends the open range of the recorder at its last time.
    pub(super) fn end_range(&self, reason: GapReason) -> Result<(), StoreError> {
        let sql = "UPDATE coverage SET reason = ?2 WHERE scope = ?1 AND reason IS NULL";
        self.execute(sql, params![RECORDER, reason.number()]).map(drop)
    }

    /// Ends the open range of a scope whose token is refused.
    pub(super) fn end_range_of_scope(&self, scope: &str, until: i64) -> Result<(), StoreError> {
        let sql = "UPDATE coverage SET until = ?2, reason = ?3 WHERE scope = ?1 AND reason IS NULL";
        self.execute(sql, params![scope, until, GapReason::Refused.number()]).map(drop)
    }

    /// Moves everything after a time to this time: it was recorded while the clock was ahead. Versions that were replaced meanwhile
    /// are removed. The range of the recorder before that time ends because the clock was set, and has no successor.
    pub(super) fn move_back(&self, time: i64) -> Result<(), StoreError> {
        for sql in [
            "DELETE FROM versions WHERE until IS NOT NULL AND since > ?1",
            "UPDATE versions SET until = ?1 WHERE until > ?1",
            "UPDATE versions SET since = ?1, since_after = NULL WHERE since > ?1",
            "DELETE FROM coverage WHERE scope = '' AND since > ?1",
            "UPDATE coverage SET until = ?1 WHERE until > ?1",
            "UPDATE coverage SET since = ?1 WHERE since > ?1",
            "UPDATE scopes SET confirmed = ?1 WHERE confirmed > ?1",
            "UPDATE missed_changes SET time = ?1 WHERE time > ?1",
        ] {
            self.execute(sql, params![time])?;
        }
        let sql = "UPDATE coverage SET reason = ?1
                   WHERE scope = '' AND until = (SELECT max(until) FROM coverage WHERE scope = '')";
        self.execute(sql, params![GapReason::ClockSet.number()]).map(drop)
    }

    /// Removes what was replaced up to a time. With a reason, a range says why nothing is recorded before that time.
    pub(super) fn prune_records(&self, limit: i64, reason: Option<GapReason>) -> Result<(), StoreError> {
        let first = "SELECT min(since) FROM coverage WHERE scope = ?1";
        let first: Option<i64> = self.query_value(first, params![RECORDER])?;
        for sql in [
            "DELETE FROM versions WHERE until <= ?1",
            "DELETE FROM versions WHERE until IS NULL AND item IS NULL AND since <= ?1",
            // The last range of a scope says that its token is refused since then.
            "DELETE FROM coverage WHERE reason IS NOT NULL AND until <= ?1 AND (scope = '' OR EXISTS (
                 SELECT 1 FROM coverage AS later WHERE later.scope = coverage.scope AND later.since <= ?1
                 AND later.since >= coverage.until AND (later.reason IS NULL OR later.since > coverage.since)
             ))",
            "UPDATE coverage SET since = ?1 WHERE since < ?1",
            "DELETE FROM missed_changes WHERE time <= ?1",
        ] {
            self.execute(sql, params![limit])?;
        }
        if let (Some(reason), Some(first)) = (reason, first) {
            let sql = "INSERT INTO coverage (scope, since, until, reason) VALUES (?1, ?2, ?2, ?3)";
            self.execute(sql, params![RECORDER, first, reason.number()])?;
        }
        self.remove_unused_items()
    }

    /// Removes the scopes that were not confirmed after a time.
    pub(super) fn remove_scopes(&self, confirmed: i64) -> Result<(), StoreError> {
        for table in ["versions", "coverage", "missed_changes"] {
            let sql =
                format!("DELETE FROM {table} WHERE scope IN (SELECT id FROM scopes WHERE confirmed <= ?1)");
            self.execute(&sql, params![confirmed])?;
        }
        self.execute("DELETE FROM scopes WHERE confirmed <= ?1", params![confirmed])?;
        self.remove_unused_items()
    }

    fn remove_unused_items(&self) -> Result<(), StoreError> {
        let sql = "DELETE FROM items WHERE NOT EXISTS (SELECT 1 FROM versions WHERE item = items.id)";
        self.execute(sql, &[]).map(drop)
    }

    /// Returns the time up to which the oldest tenth of the replaced versions was replaced; `None` without any.
    pub(super) fn find_oldest_tenth(&self) -> Result<Option<i64>, StoreError> {
        let count: i64 = self.query_value("SELECT count(*) FROM versions WHERE until IS NOT NULL", &[])?;
        let sql = "SELECT until FROM versions WHERE until IS NOT NULL ORDER BY until LIMIT 1 OFFSET ?1";
        self.find_value(sql, params![count / 10])
    }
}

/// Scopes and their items.
impl Transaction<'_> {
    /// Returns all scopes, those with most toggles first.
    pub(super) fn list_scopes(&self) -> Result<Vec<Scope>, StoreError> {
        let sql = "SELECT id, name, environment, query, lists_segments FROM scopes
                   ORDER BY toggles DESC, lists_segments DESC, id";
        self.query(sql, &[], |row| {
            Ok(Scope {
                id: row.get(0)?,
                name: row.get(1)?,
                environment: row.get(2)?,
                query: row.get(3)?,
                lists_segments: row.get::<i64>(4)? != 0,
            })
        })
    }

    /// Returns what is recorded of a scope, and locks it until the end of the transaction.
    pub(super) fn lock_scope(&self, id: &str) -> Result<Option<KnownScope>, StoreError> {
        if self.execute("UPDATE scopes SET event = event WHERE id = ?1", params![id])? == 0 {
            return Ok(None);
        }
        let sql = "SELECT confirmed, event,
                       (SELECT max(since) FROM (
                           SELECT since FROM versions WHERE scope = ?1
                           UNION ALL SELECT since FROM coverage WHERE scope = ?1
                       ) AS times),
                       (SELECT count(*) FROM coverage WHERE scope = ?1 AND reason IS NULL)
                   FROM scopes WHERE id = ?1";
        self.query_first(sql, params![id], |row| {
            Ok(KnownScope {
                confirmed: row.get(0)?,
                event: row.get(1)?,
                changed: row.get::<Option<i64>>(2)?.unwrap_or_default(),
                is_refused: row.get::<i64>(3)? == 0,
            })
        })
    }

    /// Adds a scope, or one whose token is accepted again, from a time on.
    pub(super) fn insert_scope(&self, scope: &Scope, since: i64) -> Result<(), StoreError> {
        let Scope { id, name, environment, query, lists_segments } = scope;
        let sql =
            "INSERT INTO scopes (id, name, environment, query, lists_segments, confirmed, event, toggles)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0) ON CONFLICT DO NOTHING";
        let lists_segments = i64::from(*lists_segments);
        self.execute(sql, params![id, name, environment, query, lists_segments, since])?;
        self.begin_range_of_scope(id, since)
    }

    /// Notes the newest event and the number of toggles of a scope.
    pub(super) fn update_scope(&self, id: &str, event: i64, toggles: i64) -> Result<(), StoreError> {
        let sql = "UPDATE scopes SET event = ?2, toggles = ?3 WHERE id = ?1";
        self.execute(sql, params![id, event, toggles]).map(drop)
    }

    /// Notes that the state of a scope was confirmed at a time.
    pub(super) fn confirm_scope(&self, id: &str, time: i64) -> Result<(), StoreError> {
        let sql = "UPDATE scopes SET confirmed = ?2 WHERE id = ?1 AND confirmed < ?2";
        self.execute(sql, params![id, time]).map(drop)
    }

    /// Returns the hashes of a scope's current items. An item that does not exist any more has none.
    pub(super) fn list_current_hashes(
        &self,
        scope: &str,
    ) -> Result<HashMap<ItemKey, Option<Hash>>, StoreError> {
        let sql = "SELECT v.kind, v.name, i.hash FROM versions v LEFT JOIN items i ON i.id = v.item
                   WHERE v.scope = ?1 AND v.until IS NULL";
        self.query(sql, params![scope], |row| {
            Ok(((ItemKind::from_number(row.get(0)?), row.get(1)?), row.get::<Option<Hash>>(2)?))
        })
    }

    /// Stores items that are not stored yet.
    pub(super) fn insert_items(&self, items: &[Item<'_>]) -> Result<u64, StoreError> {
        let sql = "INSERT INTO items (hash, content) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        let lists = items.iter().map(|item| Ok([item.hash[..].into(), item.text.as_bytes().into()]));
        self.execute_each(sql, lists)
    }

    /// Ends the current versions of items, and begins others. An item without a hash does not exist any more.
    pub(super) fn replace_versions(
        &self,
        scope: &str,
        changed: &[(&ItemKey, Option<Hash>)],
        ChangeInterval { after, by }: ChangeInterval,
    ) -> Result<(), StoreError> {
        let end =
            "UPDATE versions SET until = ?4 WHERE scope = ?1 AND kind = ?2 AND name = ?3 AND until IS NULL";
        let finished = changed
            .iter()
            .map(|((kind, name), _)| Ok([scope.into(), kind.number().into(), name.into(), by.into()]));
        self.execute_each(end, finished)?;
        let begin = "INSERT INTO versions (scope, kind, name, item, since_after, since)
                     VALUES (?1, ?2, ?3, (SELECT id FROM items WHERE hash = ?4), ?5, ?6)";
        let started = changed.iter().map(|((kind, name), hash)| {
            let hash = Parameter::Bytes(hash.as_ref().map(|hash| &hash[..]));
            Ok([scope.into(), kind.number().into(), name.into(), hash, after.into(), by.into()])
        });
        self.execute_each(begin, started).map(drop)
    }

    /// Stores the number of changes that were not recorded before a time.
    pub(super) fn insert_missed(&self, scope: &str, time: i64, count: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO missed_changes (scope, time, count) VALUES (?1, ?2, ?3)";
        self.execute(sql, params![scope, time, count]).map(drop)
    }

    /// Returns the number of changes in a time that were not recorded.
    pub(super) fn count_missed(&self, scope: &str, from: i64, to: i64) -> Result<i64, StoreError> {
        let sql = "SELECT CAST(coalesce(sum(count), 0) AS BIGINT) FROM missed_changes
                   WHERE scope = ?1 AND time >= ?2 AND time <= ?3";
        self.query_value(sql, params![scope, from, to])
    }

    /// Returns the keys and texts of a scope's items at a time.
    pub(super) fn list_items_at(
        &self,
        scope: &str,
        time: i64,
    ) -> Result<Vec<(ItemKey, Vec<u8>)>, StoreError> {
        let sql = "SELECT v.kind, v.name, i.content FROM versions v JOIN items i ON i.id = v.item
                   WHERE v.scope = ?1 AND v.since <= ?2 AND (v.until IS NULL OR v.until > ?2)";
        self.query(sql, params![scope, time], |row| {
            Ok(((ItemKind::from_number(row.get(0)?), row.get(1)?), row.get(2)?))
        })
    }

    /// Returns the versions of a scope that began after one time and up to another one, in their order.
    pub(super) fn list_versions(&self, scope: &str, from: i64, to: i64) -> Result<Vec<Version>, StoreError> {
        let sql = "SELECT kind, name, item, since_after, since FROM versions
                   WHERE scope = ?1 AND since > ?2 AND since <= ?3 ORDER BY since, id";
        self.query(sql, params![scope, from, to], |row| {
            Ok(Version {
                key: (ItemKind::from_number(row.get(0)?), row.get(1)?),
                item: row.get(2)?,
                interval: ChangeInterval { after: row.get(3)?, by: row.get(4)? },
            })
        })
    }

    /// Returns the interval of a scope's last change up to a time.
    pub(super) fn find_last_change(
        &self,
        scope: &str,
        to: i64,
    ) -> Result<Option<ChangeInterval>, StoreError> {
        let sql = "SELECT since_after, since FROM versions WHERE scope = ?1 AND since <= ?2
                   ORDER BY since DESC, id DESC LIMIT 1";
        self.query_first(sql, params![scope, to], |row| {
            Ok(ChangeInterval { after: row.get(0)?, by: row.get(1)? })
        })
    }

    /// Returns the stored item of a key at a time.
    pub(super) fn find_item_at(
        &self,
        scope: &str,
        (kind, name): &ItemKey,
        time: i64,
    ) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT item FROM versions WHERE scope = ?1 AND kind = ?2 AND name = ?3 AND since <= ?4
                   AND (until IS NULL OR until > ?4)";
        Ok(self.find_value::<Option<i64>>(sql, params![scope, kind.number(), name, time])?.flatten())
    }

    /// Returns the text of an item.
    pub(super) fn find_item(&self, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
        self.find_value("SELECT content FROM items WHERE id = ?1", params![id])
    }
}
