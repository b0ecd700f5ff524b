//! Counts the rows of reported usage, and deletes the oldest.

use crate::database::{StoreError, Transaction, params};

const UNKNOWN_USES: &str = "WHERE toggle NOT IN (SELECT name FROM toggles)";

impl Transaction<'_> {
    /// Returns the number of applications.
    pub(crate) fn count_applications(&self) -> Result<u32, StoreError> {
        self.query_count("SELECT count(*) FROM applications")
    }

    /// Deletes the applications with the oldest report, at most `number`, except those with a description, URL or icon.
    pub(crate) fn delete_oldest_undescribed_applications(&self, number: u32) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM applications WHERE name IN (
                    SELECT name FROM applications WHERE description IS NULL AND url IS NULL AND icon IS NULL
                    ORDER BY updated_at, name LIMIT ?1
                 )",
            params![number],
        )?;
        Ok(())
    }

    /// Empties the longest lists of strategies of applications, so that the others have at most `max_bytes` of JSON.
    pub(crate) fn clear_longest_strategy_lists(&self, max_bytes: u32) -> Result<(), StoreError> {
        self.execute(
            "UPDATE applications SET strategies = '[]' WHERE name IN (
                    SELECT name FROM (
                        SELECT name, sum(octet_length(strategies))
                            OVER (ORDER BY octet_length(strategies), name ROWS UNBOUNDED PRECEDING) AS total
                        FROM applications WHERE strategies <> '[]'
                    ) AS sizes WHERE total > ?1
                 )",
            params![max_bytes],
        )?;
        Ok(())
    }

    /// Returns the number of instances of all applications.
    pub(crate) fn count_instances(&self) -> Result<u32, StoreError> {
        self.query_count("SELECT count(*) FROM instances")
    }

    /// Deletes the instances with the oldest report, at most `number`.
    pub(crate) fn delete_oldest_instances(&self, number: u32) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM instances WHERE (application, id) IN (
                    SELECT application, id FROM instances ORDER BY last_seen_at LIMIT ?1
                 )",
            params![number],
        )?;
        Ok(())
    }

    /// Returns the number of uses of toggles, including those that do not exist.
    pub(crate) fn count_toggle_uses(&self) -> Result<u32, StoreError> {
        self.query_count("SELECT count(*) FROM toggle_uses")
    }

    /// Returns the number of uses of toggles that do not exist.
    pub(crate) fn count_unknown_uses(&self) -> Result<u32, StoreError> {
        self.query_count(&format!("SELECT count(*) FROM toggle_uses {UNKNOWN_USES}"))
    }

    /// Deletes the uses of toggles that do not exist and have no stored counts.
    pub(crate) fn delete_uncounted_unknown_uses(&self) -> Result<(), StoreError> {
        let sql = format!(
            "DELETE FROM toggle_uses {UNKNOWN_USES} AND toggle NOT IN (SELECT toggle FROM toggle_counts)"
        );
        self.execute(&sql, &[])?;
        Ok(())
    }

    /// Deletes uses of toggles by the applications with the oldest report, at most `number`.
    pub(crate) fn delete_oldest_uses(&self, number: u32) -> Result<(), StoreError> {
        self.delete_uses(number, "")
    }

    /// Deletes uses of toggles that do not exist like [`Self::delete_oldest_uses`].
    pub(crate) fn delete_oldest_unknown_uses(&self, number: u32) -> Result<(), StoreError> {
        self.delete_uses(number, UNKNOWN_USES)
    }

    fn delete_uses(&self, number: u32, filter: &str) -> Result<(), StoreError> {
        let sql = format!(
            "DELETE FROM toggle_uses WHERE (application, toggle) IN (
                SELECT application, toggle FROM toggle_uses JOIN applications ON name = application
                {filter} ORDER BY updated_at, application, toggle LIMIT ?1
             )"
        );
        self.execute(&sql, params![number])?;
        Ok(())
    }

    /// Returns the result of a query for a number of rows.
    pub(super) fn query_count(&self, sql: &str) -> Result<u32, StoreError> {
        self.query_value(sql, &[])
    }
}
