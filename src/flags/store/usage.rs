//! Writes reported usage in batches of limited size, and reads the counts back at the next start.

use std::collections::HashSet;
use std::ops::Range;

use jiff::{SignedDuration, Timestamp};
use rusqlite::named_params;

use super::{StoreError, Transaction};
use crate::flags::events::format_time;
use crate::flags::model::Counts;
use crate::flags::usage::names::ToggleNames;
use crate::flags::usage::pending::Pending;
use crate::flags::usage::windows::{Windows, oldest_minute};

/// The time after an instance's last report when it is deleted.
const INSTANCE_LIFETIME: SignedDuration = SignedDuration::from_hours(48);
/// The maximum number of counts that are read at the start: as many as a window has.
const MAX_RESTORED: u32 = 1_000_000;
/// The maximum number of expired rows of a table that one transaction deletes. Larger than the number that it adds.
const MAX_EXPIRED: u32 = 4_000;

impl Transaction<'_> {
    /// Writes a part of a batch, deletes expired rows and enforces the limits. `checks_uses` also enforces those of
    /// `toggle_uses`. Returns the number of rows added to `toggle_uses`.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn write_usage(
        &self,
        rows: &Pending,
        checks_uses: bool,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        if !rows.applications.is_empty() {
            self.write_applications(rows)?;
            self.enforce_application_limits()?;
        }
        if !rows.instances.is_empty() {
            self.write_instances(rows, now)?;
            self.enforce_instance_limit()?;
        }
        let new_uses = self.write_uses(rows)?;
        if checks_uses {
            self.enforce_toggle_use_limits()?;
        }
        self.write_counts(rows, now)?;
        Ok(new_uses)
    }

    /// Returns the names of all toggles, including archived ones.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_toggle_names(&self) -> Result<HashSet<String>, StoreError> {
        self.connection
            .prepare_cached("SELECT name FROM toggles")?
            .query_and_then([], |row| Ok(row.get(0)?))?
            .collect()
    }

    /// Returns true if there are counts of these minutes.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn has_counts(&self, minutes: Range<i64>) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM toggle_counts WHERE minute >= ?1 AND minute < ?2)";
        Ok(self.connection.query_row(sql, (minutes.start, minutes.end), |row| row.get(0))?)
    }

    /// Returns the counts of these minutes, or of the newest of them if there are more than `MAX_RESTORED`.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn load_usage_windows(
        &self,
        names: &ToggleNames,
        minutes: Range<i64>,
    ) -> Result<Windows, StoreError> {
        let mut windows = Windows::default();
        let mut statement = self.connection.prepare(
            "SELECT minute, toggle, yes, no FROM toggle_counts
             WHERE minute >= ?1 AND minute < ?2 AND minute > coalesce((
                SELECT minute FROM toggle_counts WHERE minute >= ?1 AND minute < ?2
                ORDER BY minute DESC LIMIT 1 OFFSET ?3
             ), 0) ORDER BY minute",
        )?;
        let mut rows = statement.query((minutes.start, minutes.end, MAX_RESTORED))?;
        while let Some(row) = rows.next()? {
            let toggle = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
            let counts = Counts { yes: from_stored(row.get(2)?), no: from_stored(row.get(3)?) };
            windows.restore(row.get(0)?, toggle, counts, names.contains(toggle));
        }
        Ok(windows)
    }

    fn write_applications(&self, rows: &Pending) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO applications (name, created_at, updated_at, created_by, strategies)
             VALUES (:name, :now, :now, :address, coalesce(:strategies, '[]'))
             ON CONFLICT DO UPDATE SET updated_at = :now, strategies = coalesce(:strategies, strategies)",
        )?;
        for (name, sighting) in rows.applications.entries() {
            statement.execute(named_params! {
                ":name": name,
                ":now": format_time(sighting.at),
                ":address": sighting.address,
                ":strategies": sighting.strategies.as_ref().map(serde_json::to_string).transpose()?,
            })?;
        }
        Ok(())
    }

    /// Writes instances, except those whose application was deleted after the report.
    fn write_instances(&self, rows: &Pending, now: Timestamp) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO instances (application, id, sdk_version, address, created_at, last_seen_at)
             SELECT :application, :id, :sdk_version, :address, :now, :now
             WHERE EXISTS (SELECT 1 FROM applications WHERE name = :application)
             ON CONFLICT DO UPDATE SET sdk_version = coalesce(:sdk_version, sdk_version), address = :address,
             last_seen_at = :now",
        )?;
        for ((application, id), sighting) in rows.instances.entries() {
            statement.execute(named_params! {
                ":application": application,
                ":id": id,
                ":sdk_version": sighting.sdk_version,
                ":address": sighting.address,
                ":now": format_time(sighting.at),
            })?;
        }
        self.connection
            .prepare_cached(
                "DELETE FROM instances WHERE (application, id) IN (
                    SELECT application, id FROM instances WHERE last_seen_at < ?1 LIMIT ?2
                 )",
            )?
            .execute((format_time(now - INSTANCE_LIFETIME), MAX_EXPIRED))?;
        Ok(())
    }

    fn write_uses(&self, rows: &Pending) -> Result<usize, StoreError> {
        let mut uses = self.connection.prepare_cached(
            "INSERT OR IGNORE INTO toggle_uses (application, toggle)
             SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM applications WHERE name = ?1)",
        )?;
        let mut new = 0;
        for ((application, toggle), ()) in rows.uses.entries() {
            new += uses.execute((application, toggle))?;
        }
        let mut seen =
            self.connection.prepare_cached("UPDATE toggles SET last_seen_at = ?2 WHERE name = ?1")?;
        for (toggle, at) in rows.seen.entries() {
            seen.execute((toggle, format_time(*at)))?;
        }
        Ok(new)
    }

    fn write_counts(&self, rows: &Pending, now: Timestamp) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO toggle_counts (minute, toggle, yes, no) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET yes = yes + excluded.yes, no = no + excluded.no",
        )?;
        for ((minute, toggle), counts) in rows.counts.entries() {
            statement.execute((minute, toggle, to_stored(counts.yes), to_stored(counts.no)))?;
        }
        self.connection
            .prepare_cached(
                "DELETE FROM toggle_counts WHERE (minute, toggle) IN (
                    SELECT minute, toggle FROM toggle_counts WHERE minute < ?1 LIMIT ?2
                 )",
            )?
            .execute((oldest_minute(now.as_second()), MAX_EXPIRED))?;
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
