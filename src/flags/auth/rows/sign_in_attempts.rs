//! The rows of counters of sign-in attempts, in a database that several processes share.

use crate::database::{StoreError, Transaction, params};
use crate::flags::auth::token::TokenHash;

impl Transaction<'_> {
    /// Returns the time of a counter, in milliseconds since 1970.
    pub(crate) fn find_sign_in_attempts(&self, key: &TokenHash) -> Result<Option<i64>, StoreError> {
        self.find_value("SELECT arrival FROM sign_in_attempts WHERE key_hash = ?1", params![&key[..]])
    }

    /// Sets the time of a counter in milliseconds since 1970, or deletes the counter.
    pub(crate) fn save_sign_in_attempts(
        &self,
        key: &TokenHash,
        arrival: Option<i64>,
    ) -> Result<(), StoreError> {
        if let Some(arrival) = arrival {
            let sql = "INSERT INTO sign_in_attempts (key_hash, arrival) VALUES (?1, ?2)
                       ON CONFLICT (key_hash) DO UPDATE SET arrival = excluded.arrival";
            self.execute(sql, params![&key[..], arrival])?;
        } else {
            self.execute("DELETE FROM sign_in_attempts WHERE key_hash = ?1", params![&key[..]])?;
        }
        Ok(())
    }

    /// Deletes the counters with a time before `now`, and the oldest above `max`.
    pub(crate) fn delete_sign_in_attempts(&self, now: i64, max: u32) -> Result<(), StoreError> {
        let sql = "DELETE FROM sign_in_attempts WHERE arrival <= ?1 OR key_hash IN (
                       SELECT key_hash FROM sign_in_attempts ORDER BY arrival DESC LIMIT 1000 OFFSET ?2
                   )";
        self.execute(sql, params![now, max])?;
        Ok(())
    }
}
