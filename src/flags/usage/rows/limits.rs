//! Limits of reported usage: every client of the client API can report invented applications, instances and toggles.

use crate::flags::database::{StoreError, Transaction};

/// The maximum number of applications.
const MAX_APPLICATIONS: u32 = 5_000;
/// The maximum total length of all lists of strategies, in bytes.
const MAX_STRATEGY_BYTES: u32 = 4 << 20;
/// The maximum number of instances of all applications.
const MAX_INSTANCES: u32 = 50_000;
/// The maximum number of rows in `toggle_uses`.
const MAX_USES: u32 = 200_000;
/// The maximum number of rows in `toggle_uses` whose toggle does not exist.
const MAX_UNKNOWN_USES: u32 = 5_000;

/// The number of rows left after a limit was exceeded. Lower than the limit, because finding the oldest rows is slow.
const USES_AFTER_DELETION: u32 = 180_000;
const UNKNOWN_USES_AFTER_DELETION: u32 = 4_000;

impl Transaction<'_> {
    /// Enforces the limits of `applications`: deletes those with the oldest report, except those with a description,
    /// URL or icon, and empties the longest lists of strategies.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub(super) fn enforce_application_limits(&self) -> Result<(), StoreError> {
        let surplus = self.query_count("SELECT count(*) FROM applications")?.saturating_sub(MAX_APPLICATIONS);
        if surplus > 0 {
            self.connection
                .prepare_cached(
                    "DELETE FROM applications WHERE name IN (
                        SELECT name FROM applications WHERE description IS NULL AND url IS NULL AND icon IS NULL
                        ORDER BY updated_at, name LIMIT ?1
                     )",
                )?
                .execute([surplus])?;
        }
        self.connection
            .prepare_cached(
                "UPDATE applications SET strategies = '[]' WHERE name IN (
                    SELECT name FROM (
                        SELECT name, sum(octet_length(strategies))
                            OVER (ORDER BY octet_length(strategies), name ROWS UNBOUNDED PRECEDING) AS total
                        FROM applications WHERE strategies <> '[]'
                    ) WHERE total > ?1
                 )",
            )?
            .execute([MAX_STRATEGY_BYTES])?;
        Ok(())
    }

    /// Enforces the limit of `instances`: deletes those with the oldest report.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub(super) fn enforce_instance_limit(&self) -> Result<(), StoreError> {
        let surplus = self.query_count("SELECT count(*) FROM instances")?.saturating_sub(MAX_INSTANCES);
        if surplus > 0 {
            self.connection
                .prepare_cached(
                    "DELETE FROM instances WHERE (application, id) IN (
                        SELECT application, id FROM instances ORDER BY last_seen_at LIMIT ?1
                     )",
                )?
                .execute([surplus])?;
        }
        Ok(())
    }

    /// Enforces the limits of `toggle_uses`: deletes rows of unknown toggles, first those without a report in the last
    /// hour, and then rows of the applications with the oldest report.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub(super) fn enforce_toggle_use_limits(&self) -> Result<(), StoreError> {
        let unknown = "SELECT count(*) FROM toggle_uses WHERE toggle NOT IN (SELECT name FROM toggles)";
        if self.query_count(unknown)? > MAX_UNKNOWN_USES {
            self.connection
                .prepare_cached(
                    "DELETE FROM toggle_uses WHERE toggle NOT IN (SELECT name FROM toggles)
                     AND toggle NOT IN (SELECT toggle FROM toggle_counts)",
                )?
                .execute([])?;
            self.delete_oldest_uses(
                self.query_count(unknown)?.saturating_sub(UNKNOWN_USES_AFTER_DELETION),
                "WHERE toggle NOT IN (SELECT name FROM toggles)",
            )?;
        }
        let all = self.query_count("SELECT count(*) FROM toggle_uses")?;
        if all > MAX_USES { self.delete_oldest_uses(all - USES_AFTER_DELETION, "") } else { Ok(()) }
    }

    fn delete_oldest_uses(&self, number: u32, filter: &str) -> Result<(), StoreError> {
        let sql = format!(
            "DELETE FROM toggle_uses WHERE (application, toggle) IN (
                SELECT application, toggle FROM toggle_uses JOIN applications ON name = application
                {filter} ORDER BY updated_at, application, toggle LIMIT ?1
             )"
        );
        self.connection.prepare_cached(&sql)?.execute([number])?;
        Ok(())
    }

    fn query_count(&self, sql: &str) -> Result<u32, StoreError> {
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }
}
