//! The rows of the outbox: deliveries to addons that are not done yet.
//!
//! Only the oldest delivery of each addon is due, so that a receiver gets the events in order, and a receiver that does
//! not respond does not delay others. Deliveries of a disabled addon wait.

use crate::database::{Row, StoreError, Transaction, params};
use crate::flags::addons::outbox::Delivery;

/// Selects the oldest delivery of each enabled addon.
const HEADS: &str = "FROM addons AS a
     JOIN deliveries AS d ON d.id = (SELECT min(id) FROM deliveries WHERE addon = a.id)
     WHERE a.enabled";

impl Transaction<'_> {
    /// Returns the enabled addons that listen to a type of event: id and provider.
    pub(crate) fn list_listening_addons(&self, kind: &str) -> Result<Vec<(i64, String)>, StoreError> {
        let sql = "SELECT id, provider FROM addons
             WHERE enabled AND EXISTS (SELECT 1 FROM json_each(addons.events) WHERE value = ?1)";
        self.query(sql, params![kind], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Inserts a delivery of an event to an addon. It is due immediately.
    pub(crate) fn insert_delivery(
        &self,
        addon: i64,
        event: i64,
        target: Option<&str>,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO deliveries (addon, event, target) VALUES (?1, ?2, ?3)";
        self.execute(sql, params![addon, event, target])?;
        Ok(())
    }

    /// Returns the time when the next delivery is due, in milliseconds since 1970.
    pub(crate) fn next_delivery_time(&self) -> Result<Option<i64>, StoreError> {
        let sql = format!("SELECT min(d.due_at) {HEADS}");
        self.query_value(&sql, &[])
    }

    /// Leases a delivery that is due at `now`. Other processes do not get it until `lease_end`; a delivery that is neither
    /// deleted nor rescheduled by then is due again. One that is due after `latest` was leased or rescheduled before the clock was
    /// set back, and is due now. Times are milliseconds since 1970.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn lease_delivery(
        &self,
        now: i64,
        lease_end: i64,
        latest: i64,
    ) -> Result<Option<Delivery>, StoreError> {
        let sql = format!(
            "UPDATE deliveries SET attempts = attempts + 1, due_at = ?2
             WHERE id IN (SELECT d.id {HEADS} AND (d.due_at <= ?1 OR d.due_at > ?3) ORDER BY d.due_at, d.id LIMIT 1)
             RETURNING id, addon, event, target, attempts"
        );
        self.query_first(&sql, params![now, lease_end, latest], delivery)
    }

    /// Reschedules a delivery to `due_at`, in milliseconds since 1970. Does nothing if the lease expired and another process
    /// has leased the delivery since: it then has more attempts.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn reschedule_delivery(&self, id: i64, attempts: u32, due_at: i64) -> Result<(), StoreError> {
        let sql = "UPDATE deliveries SET due_at = ?3 WHERE id = ?1 AND attempts = ?2";
        self.execute(sql, params![id, attempts, due_at])?;
        Ok(())
    }

    /// Deletes a delivery that succeeded or was given up. Returns false if it no longer exists: another process or the
    /// removal of the addon deleted it.
    pub(crate) fn delete_delivery(&self, id: i64) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM deliveries WHERE id = ?1", params![id])? > 0)
    }
}

fn delivery(row: &Row<'_>) -> Result<Delivery, StoreError> {
    Ok(Delivery {
        id: row.get("id")?,
        addon: row.get("addon")?,
        event: row.get("event")?,
        target: row.get("target")?,
        attempts: row.get("attempts")?,
    })
}
