//! The rows of reported usage.

mod history;
mod limits;

use std::ops::Range;

use rusqlite::named_params;

use super::pending::Pending;
use crate::flags::database::{StoreError, Transaction};
use crate::flags::events::format_time;
use crate::flags::model::Counts;

impl Transaction<'_> {
    /// Returns true if there are counts of these minutes.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn has_counts(&self, minutes: Range<i64>) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM toggle_counts WHERE minute >= ?1 AND minute < ?2)";
        Ok(self.connection.query_row(sql, (minutes.start, minutes.end), |row| row.get(0))?)
    }

    /// Reads the counts of these minutes, oldest first, or the newest of them if there are more than `max`. Calls `visit`
    /// with the minute, the name of the toggle and its counts.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn visit_counts(
        &self,
        minutes: Range<i64>,
        max: u32,
        mut visit: impl FnMut(i64, &str, Counts),
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT minute, toggle, yes, no FROM toggle_counts
             WHERE minute >= ?1 AND minute < ?2 AND minute > coalesce((
                SELECT minute FROM toggle_counts WHERE minute >= ?1 AND minute < ?2
                ORDER BY minute DESC LIMIT 1 OFFSET ?3
             ), 0) ORDER BY minute",
        )?;
        let mut rows = statement.query((minutes.start, minutes.end, max))?;
        while let Some(row) = rows.next()? {
            let toggle = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            let counts = Counts { yes: from_stored(row.get(2)?), no: from_stored(row.get(3)?) };
            visit(row.get(0)?, toggle, counts);
        }
        Ok(())
    }

    /// Inserts the applications of a batch or updates their last report.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn save_applications(&self, batch: &Pending) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO applications (name, created_at, updated_at, created_by, strategies)
             VALUES (:name, :now, :now, :address, coalesce(:strategies, '[]'))
             ON CONFLICT DO UPDATE SET updated_at = :now, strategies = coalesce(:strategies, strategies)",
        )?;
        for (name, sighting) in batch.applications.entries() {
            statement.execute(named_params! {
                ":name": name,
                ":now": format_time(sighting.at),
                ":address": sighting.address,
                ":strategies": sighting.strategies.as_ref().map(serde_json::to_string).transpose()?,
            })?;
        }
        Ok(())
    }

    /// Inserts the instances of a batch or updates their last report, except those whose application does not exist: it
    /// was deleted after the report.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn save_instances(&self, batch: &Pending) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO instances (application, id, sdk_version, address, api, created_at, last_seen_at)
             SELECT :application, :id, :sdk_version, :address, :api, :now, :now
             WHERE EXISTS (SELECT 1 FROM applications WHERE name = :application)
             ON CONFLICT DO UPDATE SET sdk_version = coalesce(:sdk_version, sdk_version), address = :address,
             api = :api, last_seen_at = :now",
        )?;
        for ((application, id), sighting) in batch.instances.entries() {
            statement.execute(named_params! {
                ":application": application,
                ":id": id,
                ":sdk_version": sighting.sdk_version,
                ":address": sighting.address,
                ":api": sighting.api.as_str(),
                ":now": format_time(sighting.at),
            })?;
        }
        Ok(())
    }

    /// Deletes instances whose last report is older than `time` (RFC 3339 in UTC), at most `max`.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_instances_before(&self, time: &str, max: u32) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "DELETE FROM instances WHERE (application, id) IN (
                    SELECT application, id FROM instances WHERE last_seen_at < ?1 LIMIT ?2
                 )",
            )?
            .execute((time, max))?;
        Ok(())
    }

    /// Inserts the uses of toggles of a batch, except those whose application does not exist. Returns the number of new
    /// uses.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn save_toggle_uses(&self, batch: &Pending) -> Result<usize, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT OR IGNORE INTO toggle_uses (application, toggle)
             SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM applications WHERE name = ?1)",
        )?;
        let mut new = 0;
        for ((application, toggle), ()) in batch.uses.entries() {
            new += statement.execute((application, toggle))?;
        }
        Ok(new)
    }

    /// Updates the time of the last report of the toggles in a batch.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn save_last_seen(&self, batch: &Pending) -> Result<(), StoreError> {
        let mut statement =
            self.connection.prepare_cached("UPDATE toggles SET last_seen_at = ?2 WHERE name = ?1")?;
        for (toggle, at) in batch.seen.entries() {
            statement.execute((toggle, format_time(*at)))?;
        }
        Ok(())
    }

    /// Adds the counts of a batch to the stored counts.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn add_counts(&self, batch: &Pending) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO toggle_counts (minute, toggle, yes, no) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET yes = yes + excluded.yes, no = no + excluded.no",
        )?;
        for ((minute, toggle), counts) in batch.counts.entries() {
            statement.execute((minute, toggle, to_stored(counts.yes), to_stored(counts.no)))?;
        }
        Ok(())
    }

    /// Deletes the counts of minutes before `minute`, at most `max` of them.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_counts_before(&self, minute: i64, max: u32) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "DELETE FROM toggle_counts WHERE (minute, toggle) IN (
                    SELECT minute, toggle FROM toggle_counts WHERE minute < ?1 LIMIT ?2
                 )",
            )?
            .execute((minute, max))?;
        Ok(())
    }
}

/// Converts a count to a column value: SQLite has no unsigned integers.
fn to_stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn from_stored(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
