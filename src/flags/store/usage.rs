//! Writes what was reported, a batch at a time, and reads the counts back at the next start.

use jiff::{SignedDuration, Timestamp};
use rusqlite::named_params;

use super::{Session, StoreError};
use crate::flags::events::time;
use crate::flags::model::Counts;
use crate::flags::usage::pending::Pending;
use crate::flags::usage::windows::{Windows, oldest_minute};

/// How long an instance is listed after its last sign.
const INSTANCES_STAY: SignedDuration = SignedDuration::from_hours(48);

impl Session<'_> {
    /// Writes a batch and lets go of what is too old to be told.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn keep_reported(&self, batch: &Pending, now: Timestamp) -> Result<(), StoreError> {
        self.keep_applications(batch)?;
        self.keep_instances(batch, now)?;
        self.keep_uses(batch)?;
        self.keep_counts(batch, now)?;
        self.forget_surplus()
    }

    /// The counts of the last hour.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn windows(&self, now: Timestamp) -> Result<Windows, StoreError> {
        let mut windows = Windows::default();
        let mut statement = self.connection.prepare(
            "SELECT minute, toggle, yes, no FROM toggle_counts WHERE minute >= ?1 ORDER BY minute, toggle",
        )?;
        let mut rows = statement.query([oldest_minute(now.as_second())])?;
        while let Some(row) = rows.next()? {
            let toggle: String = row.get("toggle")?;
            let counts = Counts { yes: told(row.get("yes")?), no: told(row.get("no")?) };
            windows.restore(row.get("minute")?, &toggle, counts);
        }
        Ok(windows)
    }

    fn keep_applications(&self, batch: &Pending) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO applications (name, created_at, updated_at, created_by, strategies)
             VALUES (:name, :now, :now, :address, coalesce(:strategies, '[]'))
             ON CONFLICT DO UPDATE SET updated_at = :now, strategies = coalesce(:strategies, strategies)",
        )?;
        for (name, sighting) in &batch.applications {
            statement.execute(named_params! {
                ":name": name,
                ":now": time(sighting.at),
                ":address": sighting.address,
                ":strategies": sighting.strategies.as_ref().map(serde_json::to_string).transpose()?,
            })?;
        }
        Ok(())
    }

    fn keep_instances(&self, batch: &Pending, now: Timestamp) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO instances (application, id, sdk_version, address, created_at, last_seen_at)
             VALUES (:application, :id, :sdk_version, :address, :now, :now)
             ON CONFLICT DO UPDATE SET sdk_version = coalesce(:sdk_version, sdk_version), address = :address,
             last_seen_at = :now",
        )?;
        for ((application, id), sighting) in &batch.instances {
            statement.execute(named_params! {
                ":application": application,
                ":id": id,
                ":sdk_version": sighting.sdk_version,
                ":address": sighting.address,
                ":now": time(sighting.at),
            })?;
        }
        self.connection
            .prepare_cached("DELETE FROM instances WHERE last_seen_at < ?1")?
            .execute([time(now - INSTANCES_STAY)])?;
        Ok(())
    }

    fn keep_uses(&self, batch: &Pending) -> Result<(), StoreError> {
        let mut uses = self
            .connection
            .prepare_cached("INSERT OR IGNORE INTO toggle_uses (application, toggle) VALUES (?1, ?2)")?;
        for used in &batch.uses {
            uses.execute((&used.0, &used.1))?;
        }
        let mut seen =
            self.connection.prepare_cached("UPDATE toggles SET last_seen_at = ?2 WHERE name = ?1")?;
        for (toggle, at) in &batch.seen {
            seen.execute((toggle, time(*at)))?;
        }
        Ok(())
    }

    fn keep_counts(&self, batch: &Pending, now: Timestamp) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO toggle_counts (minute, toggle, yes, no) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET yes = yes + excluded.yes, no = no + excluded.no",
        )?;
        for ((minute, toggle), counts) in &batch.counts {
            statement.execute((minute, toggle, stored(counts.yes), stored(counts.no)))?;
        }
        self.connection
            .prepare_cached("DELETE FROM toggle_counts WHERE minute < ?1")?
            .execute([oldest_minute(now.as_second())])?;
        Ok(())
    }
}

/// SQLite has no unsigned numbers.
fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn told(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
