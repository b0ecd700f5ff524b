//! The rows of reported usage.

mod counted_minutes;
mod history;
mod limits;

use std::ops::Range;

use super::pending::{InstanceSighting, Pending};
use crate::api::Counts;
use crate::database::{StoreError, Transaction, params};
use crate::flags::events::{format_time, latest_after};
use crate::number::to_i64;

impl Transaction<'_> {
    /// Returns true if there are counts of these minutes.
    pub(crate) fn has_counts(&self, minutes: Range<i64>) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM toggle_counts WHERE minute >= ?1 AND minute < ?2)";
        self.query_value(sql, params![minutes.start, minutes.end])
    }

    /// Reads the counts of these minutes, oldest first, or the newest of them if there are more than `max`. Calls `visit`
    /// with the minute, the name of the toggle and its counts.
    pub(crate) fn visit_counts(
        &self,
        minutes: Range<i64>,
        max: u32,
        mut visit: impl FnMut(i64, &str, Counts),
    ) -> Result<(), StoreError> {
        let sql = "SELECT minute, toggle, yes, no FROM toggle_counts
             WHERE minute >= ?1 AND minute < ?2 AND minute > coalesce((
                SELECT minute FROM toggle_counts WHERE minute >= ?1 AND minute < ?2
                ORDER BY minute DESC LIMIT 1 OFFSET ?3
             ), 0) ORDER BY minute";
        self.visit_rows(sql, params![minutes.start, minutes.end, max], &mut |row| {
            let counts = Counts { yes: from_stored(row.get(2)?), no: from_stored(row.get(3)?) };
            visit(row.get(0)?, row.get(1)?, counts);
            Ok(true)
        })
    }

    /// Inserts the applications of a batch or updates their last report, unless another process wrote a later one.
    pub(crate) fn save_applications(&self, batch: &Pending) -> Result<(), StoreError> {
        let sql = "INSERT INTO applications (name, created_at, updated_at, created_by, strategies)
             VALUES (?1, ?2, ?2, ?3, coalesce(?4, '[]'))
             ON CONFLICT (name) DO UPDATE SET strategies = coalesce(?4, applications.strategies), updated_at =
             CASE WHEN applications.updated_at < ?2 OR applications.updated_at > ?5 THEN ?2 ELSE applications.updated_at END";
        let rows = batch.applications.entries().map(|(name, sighting)| {
            let strategies = sighting.strategies.as_ref().map(serde_json::to_string).transpose()?;
            let (now, latest) = (format_time(sighting.at), latest_after(sighting.at));
            Ok([name.into(), now.into(), (&sighting.address).into(), strategies.into(), latest.into()])
        });
        self.execute_each(sql, rows).map(drop)
    }

    /// Inserts the instances of a batch or updates their last report, except those whose application does not exist: it
    /// was deleted after the report.
    pub(crate) fn save_instances(&self, batch: &Pending) -> Result<(), StoreError> {
        let sql =
            "INSERT INTO instances (application, id, sdk_version, address, api, created_at, last_seen_at)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6 WHERE EXISTS (SELECT 1 FROM applications WHERE name = ?1)
             ON CONFLICT (application, id) DO UPDATE SET sdk_version = coalesce(?3, instances.sdk_version),
             address = ?4, api =
             CASE WHEN instances.api = 'streaming' AND ?5 = 'server' THEN instances.api ELSE ?5 END, last_seen_at =
             CASE WHEN instances.last_seen_at < ?6 OR instances.last_seen_at > ?7 THEN ?6 ELSE instances.last_seen_at END";
        let rows = batch.instances.entries().map(|((application, id), sighting)| {
            let InstanceSighting { address, at, sdk_version, api } = sighting;
            let (api, now, latest) = (api.as_str(), format_time(*at), latest_after(*at));
            Ok([
                application.into(),
                id.into(),
                sdk_version.into(),
                address.into(),
                api.into(),
                now.into(),
                latest.into(),
            ])
        });
        self.execute_each(sql, rows).map(drop)
    }

    /// Deletes instances whose last report is older than `time` (RFC 3339 in UTC), at most `max`.
    pub(crate) fn delete_instances_before(&self, time: &str, max: u32) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM instances WHERE (application, id) IN (
                    SELECT application, id FROM instances WHERE last_seen_at < ?1 LIMIT ?2
                 )",
            params![time, max],
        )?;
        Ok(())
    }

    /// Inserts the uses of toggles of a batch, except those whose application does not exist. Returns the number of new
    /// uses.
    pub(crate) fn save_toggle_uses(&self, batch: &Pending) -> Result<u64, StoreError> {
        let sql = "INSERT INTO toggle_uses (application, toggle)
             SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM applications WHERE name = ?1)
             ON CONFLICT (application, toggle) DO NOTHING";
        let rows =
            batch.uses.entries().map(|((application, toggle), ())| Ok([application.into(), toggle.into()]));
        self.execute_each(sql, rows)
    }

    /// Updates the time of the last report of the toggles in a batch, unless another process wrote a later one.
    pub(crate) fn save_last_seen(&self, batch: &Pending) -> Result<(), StoreError> {
        let sql = "UPDATE toggles SET last_seen_at = ?2
             WHERE name = ?1 AND (last_seen_at IS NULL OR last_seen_at < ?2 OR last_seen_at > ?3)";
        let rows = batch
            .seen
            .entries()
            .map(|(toggle, at)| Ok([toggle.into(), format_time(*at).into(), latest_after(*at).into()]));
        self.execute_each(sql, rows).map(drop)
    }

    /// Adds the counts of a batch to the stored counts.
    pub(crate) fn add_counts(&self, batch: &Pending) -> Result<(), StoreError> {
        let sql = "INSERT INTO toggle_counts (minute, toggle, yes, no) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (minute, toggle) DO UPDATE SET
             yes = toggle_counts.yes + excluded.yes, no = toggle_counts.no + excluded.no";
        let rows = batch.counts.entries().map(|((minute, toggle), counts)| {
            Ok([minute.into(), toggle.into(), to_stored(counts.yes).into(), to_stored(counts.no).into()])
        });
        self.execute_each(sql, rows).map(drop)
    }

    /// Deletes the counts of minutes before `minute`, at most `max` of them.
    pub(crate) fn delete_counts_before(&self, minute: i64, max: u32) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM toggle_counts WHERE (minute, toggle) IN (
                    SELECT minute, toggle FROM toggle_counts WHERE minute < ?1 LIMIT ?2
                 )",
            params![minute, max],
        )?;
        Ok(())
    }
}

/// Converts a count to a column value: SQLite has no unsigned integers.
fn to_stored(count: u64) -> i64 {
    to_i64(count)
}

fn from_stored(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
