//! The rows of what is still to be delivered to addons: the outbox.
//!
//! Of each addon only the oldest row is ever sent, so that a receiver gets the events in their order, and one that
//! does not answer holds up nobody else. The rows of a disabled addon wait.

use rusqlite::Row;

use super::{Session, StoreError};
use crate::flags::addons::providers::Provider;
use crate::flags::model::Tag;

/// The oldest rows of those addons that are enabled.
const HEADS: &str = "FROM addons AS a
     JOIN deliveries AS d ON d.id = (SELECT min(id) FROM deliveries WHERE addon = a.id)
     WHERE a.enabled = 1";

/// Something to be sent.
#[derive(Debug)]
pub struct Delivery {
    /// Never given twice.
    pub id: i64,
    /// To whom.
    pub addon: i64,
    /// What about.
    pub event: i64,
    /// The channel or issue that a tag of the toggle named.
    pub target: Option<String>,
    /// How often it was tried, this time included.
    pub attempts: u32,
}

impl Session<'_> {
    /// Notes what each addon is to be told about an event, within the transaction that writes the event.
    pub(super) fn queue_deliveries(&self, event: i64, kind: &str, tags: &[Tag]) -> Result<(), StoreError> {
        let sql = "SELECT id, provider FROM addons
             WHERE enabled = 1 AND EXISTS (SELECT 1 FROM json_each(addons.events) WHERE value = ?1)";
        let mut listening = self.connection.prepare_cached(sql)?;
        let listening = listening.query_map([kind], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let sql = "INSERT INTO deliveries (addon, event, target) VALUES (?1, ?2, ?3)";
        let mut insert = self.connection.prepare_cached(sql)?;
        for addon in listening {
            let (addon, provider): (i64, String) = addon?;
            let targets =
                Provider::from_name(&provider).map_or_else(Vec::new, |provider| provider.targets(tags));
            for target in targets {
                insert.execute((addon, event, target))?;
            }
        }
        Ok(())
    }

    /// When the next delivery is due, in milliseconds since 1970.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn next_delivery(&self) -> Result<Option<i64>, StoreError> {
        let sql = format!("SELECT min(d.due_at) {HEADS}");
        Ok(self.connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?)
    }

    /// Takes what is due at `now`, `limit` deliveries at most. Until `lease_end` nobody else takes them; those that
    /// were not settled by then are due again.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn take_deliveries(
        &self,
        now: i64,
        lease_end: i64,
        limit: usize,
    ) -> Result<Vec<Delivery>, StoreError> {
        let sql = format!(
            "UPDATE deliveries SET attempts = attempts + 1, due_at = ?2
             WHERE id IN (SELECT d.id {HEADS} AND d.due_at <= ?1 ORDER BY d.due_at, d.id LIMIT ?3)
             RETURNING id, addon, event, target, attempts"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut taken = self.connection.prepare_cached(&sql)?;
        Ok(taken.query_map((now, lease_end, limit), delivery)?.collect::<Result<_, _>>()?)
    }

    /// Puts a delivery off until `due_at`, in milliseconds since 1970.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn put_off_delivery(&self, id: i64, due_at: i64) -> Result<(), StoreError> {
        let sql = "UPDATE deliveries SET due_at = ?2 WHERE id = ?1";
        self.connection.prepare_cached(sql)?.execute((id, due_at))?;
        Ok(())
    }

    /// Removes a delivery that was made or given up. False where somebody else did that, or removed its addon.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn settle_delivery(&self, id: i64) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM deliveries WHERE id = ?1")?.execute([id])? > 0)
    }
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<Delivery> {
    Ok(Delivery {
        id: row.get("id")?,
        addon: row.get("addon")?,
        event: row.get("event")?,
        target: row.get("target")?,
        attempts: row.get("attempts")?,
    })
}
