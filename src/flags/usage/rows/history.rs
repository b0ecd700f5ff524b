//! The rows of counts by application.

use std::collections::HashMap;
use std::ops::Range;

use super::{from_stored, to_stored};
use crate::api::Counts;
use crate::database::{StoreError, Transaction, params};
use crate::flags::usage::history::{Resolution, StoredCounts};

/// The maximum count of an hour in a sum: more evaluations than a process can do.
const MAX_SUMMED: i64 = 1 << 38;

impl Resolution {
    /// Returns the table and its column with the period.
    fn table(self) -> (&'static str, &'static str) {
        match self {
            Self::Minutes => ("minute_counts", "minute"),
            Self::Hours => ("hour_counts", "hour"),
        }
    }
}

impl Transaction<'_> {
    /// Returns the counts of a toggle in each application, oldest first.
    pub(crate) fn list_use_counts(
        &self,
        toggle: &str,
        resolution: Resolution,
        periods: Range<i64>,
    ) -> Result<Vec<StoredCounts>, StoreError> {
        let (table, period) = resolution.table();
        // CROSS JOIN keeps this order: one lookup by key for each period and application, instead of reading all periods.
        let sql = format!(
            "WITH RECURSIVE periods (period) AS (
                SELECT ?2 UNION ALL SELECT period + 1 FROM periods WHERE period + 1 < ?3
             )
             SELECT period, application, yes, no FROM periods CROSS JOIN counted_uses CROSS JOIN {table}
             WHERE toggle = ?1 AND {period} = period AND use_id = id ORDER BY period, application"
        );
        self.query(&sql, params![toggle, periods.start, periods.end], |row| {
            let counts = Counts { yes: from_stored(row.get(2)?), no: from_stored(row.get(3)?) };
            Ok(StoredCounts { period: row.get(0)?, application: row.get(1)?, counts })
        })
    }

    /// Returns the number of stored evaluations by application. Counts are bounded, so that the sum has no overflow.
    pub(crate) fn sum_evaluations(&self) -> Result<HashMap<String, u64>, StoreError> {
        let sql = "SELECT application, CAST(sum(
                CASE WHEN yes > ?1 THEN ?1 ELSE yes END + CASE WHEN no > ?1 THEN ?1 ELSE no END
             ) AS BIGINT) FROM counted_uses JOIN hour_counts ON use_id = id GROUP BY application";
        self.query(sql, params![MAX_SUMMED], |row| Ok((row.get(0)?, from_stored(row.get(1)?))))
    }

    /// Returns the number of pairs of a toggle and an application whose counts are stored.
    pub(crate) fn count_counted_uses(&self) -> Result<u32, StoreError> {
        self.query_count("SELECT count(*) FROM counted_uses")
    }

    /// Returns the number of applications of a toggle whose counts are stored.
    pub(crate) fn count_counted_uses_of(&self, toggle: &str) -> Result<u32, StoreError> {
        let sql = "SELECT count(*) FROM counted_uses WHERE toggle = ?1";
        self.query_value(sql, params![toggle])
    }

    /// Returns the id of a pair and the hour of its last report.
    pub(crate) fn find_counted_use(
        &self,
        toggle: &str,
        application: &str,
    ) -> Result<Option<(i64, i64)>, StoreError> {
        self.query_first(
            "SELECT id, last_hour FROM counted_uses WHERE toggle = ?1 AND application = ?2",
            params![toggle, application],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    /// Inserts a pair and returns its id.
    pub(crate) fn insert_counted_use(
        &self,
        toggle: &str,
        application: &str,
        last_hour: i64,
    ) -> Result<i64, StoreError> {
        let sql = "INSERT INTO counted_uses (toggle, application, last_hour) VALUES (?1, ?2, ?3)
                   RETURNING id";
        self.query_value(sql, params![toggle, application, last_hour])
    }

    /// Updates the hour of the last report of a pair.
    pub(crate) fn set_last_hour(&self, id: i64, hour: i64) -> Result<(), StoreError> {
        let sql = "UPDATE counted_uses SET last_hour = ?2 WHERE id = ?1";
        self.execute(sql, params![id, hour])?;
        Ok(())
    }

    /// Adds counts to the stored counts of a pair in a period. Stops at the largest integer of the database, because an
    /// overflow is an error.
    pub(crate) fn add_use_counts(
        &self,
        resolution: Resolution,
        period: i64,
        use_id: i64,
        counts: Counts,
    ) -> Result<(), StoreError> {
        let (table, column) = resolution.table();
        let sql = format!(
            "INSERT INTO {table} ({column}, use_id, yes, no) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT ({column}, use_id) DO UPDATE SET
             yes = CASE WHEN {table}.yes > ?5 - excluded.yes THEN ?5 ELSE {table}.yes + excluded.yes END,
             no = CASE WHEN {table}.no > ?5 - excluded.no THEN ?5 ELSE {table}.no + excluded.no END"
        );
        let (yes, no) = (to_stored(counts.yes), to_stored(counts.no));
        self.execute(&sql, params![period, use_id, yes, no, i64::MAX])?;
        Ok(())
    }

    /// Deletes the counts of periods before `period`, at most `max` of them.
    pub(crate) fn delete_use_counts_before(
        &self,
        resolution: Resolution,
        period: i64,
        max: u32,
    ) -> Result<(), StoreError> {
        let (table, column) = resolution.table();
        let sql = format!(
            "DELETE FROM {table} WHERE ({column}, use_id) IN (
                SELECT {column}, use_id FROM {table} WHERE {column} < ?1 LIMIT ?2
             )"
        );
        self.execute(&sql, params![period, max])?;
        Ok(())
    }

    /// Deletes the pairs whose last report was before `hour`, at most `max` of them.
    pub(crate) fn delete_counted_uses_before(&self, hour: i64, max: u32) -> Result<(), StoreError> {
        let sql = "DELETE FROM counted_uses WHERE id IN (SELECT id FROM counted_uses WHERE last_hour < ?1 LIMIT ?2)";
        self.execute(sql, params![hour, max])?;
        Ok(())
    }
}
