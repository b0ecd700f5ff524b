//! Limits of reported usage: everybody who reaches the client API can make up applications, instances and uses.

use super::{Session, StoreError};

/// The maximum number of applications.
const MAX_APPLICATIONS: u32 = 5_000;
/// The maximum total length of all lists of strategies, in bytes.
const MAX_STRATEGY_BYTES: u32 = 4 << 20;
/// The maximum number of instances of all applications.
const MAX_INSTANCES: u32 = 50_000;
/// The maximum number of pairs of an application and a toggle that it uses.
const MAX_USES: u32 = 200_000;
/// The maximum number of such pairs with a name that no toggle has.
const MAX_UNKNOWN_USES: u32 = 5_000;

/// Each limit of pairs is restored with room to spare, because looking for the surplus takes time.
const USES_AFTER_CHECK: u32 = 180_000;
const UNKNOWN_USES_AFTER_CHECK: u32 = 4_000;

impl Session<'_> {
    /// Deletes the applications that did not report for the longest time, except those that somebody described. Drops
    /// the longest lists of strategies.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub(super) fn forget_surplus_applications(&self) -> Result<(), StoreError> {
        let surplus = self.count("SELECT count(*) FROM applications")?.saturating_sub(MAX_APPLICATIONS);
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

    /// Deletes the instances that did not report for the longest time.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub(super) fn forget_surplus_instances(&self) -> Result<(), StoreError> {
        let surplus = self.count("SELECT count(*) FROM instances")?.saturating_sub(MAX_INSTANCES);
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

    /// Deletes uses of names that no toggle has, first those that were not reported in the last hour, and then uses of
    /// the applications that did not report for the longest time.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub(super) fn forget_surplus_uses(&self) -> Result<(), StoreError> {
        let unknown = "SELECT count(*) FROM toggle_uses WHERE toggle NOT IN (SELECT name FROM toggles)";
        if self.count(unknown)? > MAX_UNKNOWN_USES {
            self.connection
                .prepare_cached(
                    "DELETE FROM toggle_uses WHERE toggle NOT IN (SELECT name FROM toggles)
                     AND toggle NOT IN (SELECT toggle FROM toggle_counts)",
                )?
                .execute([])?;
            self.forget_uses(
                self.count(unknown)?.saturating_sub(UNKNOWN_USES_AFTER_CHECK),
                "WHERE toggle NOT IN (SELECT name FROM toggles)",
            )?;
        }
        let all = self.count("SELECT count(*) FROM toggle_uses")?;
        if all > MAX_USES { self.forget_uses(all - USES_AFTER_CHECK, "") } else { Ok(()) }
    }

    fn forget_uses(&self, number: u32, filter: &str) -> Result<(), StoreError> {
        let sql = format!(
            "DELETE FROM toggle_uses WHERE (application, toggle) IN (
                SELECT application, toggle FROM toggle_uses JOIN applications ON name = application
                {filter} ORDER BY updated_at, application, toggle LIMIT ?1
             )"
        );
        self.connection.prepare_cached(&sql)?.execute([number])?;
        Ok(())
    }

    fn count(&self, sql: &str) -> Result<u32, StoreError> {
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }
}
