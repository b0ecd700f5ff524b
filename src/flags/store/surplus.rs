//! Anybody who reaches the client API can report applications: what they make up is bounded here.

use super::{Session, StoreError};

/// How many applications are known at most.
const MOST_APPLICATIONS: u32 = 5_000;
/// How many instances of all applications are listed at most.
const MOST_INSTANCES: u32 = 50_000;
/// How many pairs of an application and a toggle that it uses are kept at most.
const MOST_USES: u32 = 500_000;

impl Session<'_> {
    /// Lets go of what is too much: what was not heard of for the longest time goes first. Applications that somebody
    /// described stay.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub(super) fn forget_surplus(&self) -> Result<(), StoreError> {
        self.keep_applications_to(MOST_APPLICATIONS)?;
        self.connection
            .prepare_cached(
                "DELETE FROM instances WHERE last_seen_at <
                 (SELECT last_seen_at FROM instances ORDER BY last_seen_at DESC LIMIT 1 OFFSET ?1)",
            )?
            .execute([MOST_INSTANCES])?;
        let mut applications = MOST_APPLICATIONS;
        while self.count("SELECT count(*) FROM toggle_uses")? > MOST_USES && applications > 0 {
            // Names that no toggle has come back with the next report, those made up do not.
            self.connection
                .prepare_cached("DELETE FROM toggle_uses WHERE toggle NOT IN (SELECT name FROM toggles)")?
                .execute([])?;
            applications /= 2;
            self.keep_applications_to(applications)?;
        }
        Ok(())
    }

    fn keep_applications_to(&self, most: u32) -> Result<(), StoreError> {
        let all = self.count("SELECT count(*) FROM applications")?;
        if all > most {
            self.connection
                .prepare_cached(
                    "DELETE FROM applications WHERE name IN (
                        SELECT name FROM applications WHERE description IS NULL AND url IS NULL AND icon IS NULL
                        ORDER BY updated_at, name LIMIT ?1
                     )",
                )?
                .execute([all - most])?;
        }
        Ok(())
    }

    fn count(&self, sql: &str) -> Result<u32, StoreError> {
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }
}
