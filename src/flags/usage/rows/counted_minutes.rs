//! The rows of minutes whose counts changed, in a database that several processes share.

use crate::database::{StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns the number of the last commit.
    pub(crate) fn last_commit(&self) -> Result<i64, StoreError> {
        self.query_value("SELECT commits FROM database_version", &[])
    }

    /// Returns the minutes from `oldest` on whose counts changed after a commit.
    pub(crate) fn list_counted_minutes(&self, oldest: i64, commit: i64) -> Result<Vec<i64>, StoreError> {
        let sql = "SELECT minute FROM counted_minutes WHERE minute >= ?1 AND commits > ?2 ORDER BY minute";
        self.query(sql, params![oldest, commit], |row| row.get::<i64>(0))
    }

    /// Records that this transaction changes the counts of a minute.
    pub(crate) fn save_counted_minute(&self, minute: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO counted_minutes (minute, commits) SELECT ?1, commits FROM database_version
             ON CONFLICT (minute) DO UPDATE SET commits = excluded.commits";
        self.execute(sql, params![minute])?;
        Ok(())
    }

    /// Deletes the minutes before `minute`.
    pub(crate) fn delete_counted_minutes_before(&self, minute: i64) -> Result<(), StoreError> {
        self.execute("DELETE FROM counted_minutes WHERE minute < ?1", params![minute])?;
        Ok(())
    }
}
