//! The holds in the database, which all instances on it share.
//!
//! Times in the table are those of the database's clock; the functions convert them to and from the clock of this machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::set::{Ending, Hold, HoldEnd, StoredHolds, UnsavedChanges};
use crate::clock::Clock;
use crate::config::DataLocation;
use crate::database::{Database, Row, StorageFault, StoreError, Transaction, params};
use crate::error::ApiError;

/// Maximum number of rows that are read. Those that have not ended come first.
const MAX_ROWS: u32 = 2_000;

/// The maximum time in which the clocks are compared, which is the error of the difference, and the number of attempts.
const MAX_COMPARISON_TIME: Duration = Duration::from_millis(500);
const MAX_COMPARISONS: usize = 3;

const READ: &str =
    "SELECT id, toggle, environment, reason, person, made_at, ends_at, ended_at, cause, ended_by FROM holds";

/// The table of holds of one flag service.
#[derive(Debug, Clone)]
pub struct HoldStorage {
    database: Database,
    /// The upstream's URL, or the id of the installation: a hold of another flag service has no effect on this one.
    source: Arc<str>,
    /// Number of known commits before the last successful read; `u64::MAX` before the first one.
    read_commits: Arc<AtomicU64>,
}

/// The result of an exchange with the database.
#[derive(Debug, Default)]
pub(super) struct Exchanged {
    pub(super) stored: StoredHolds,
    /// The last ended holds, also of other instances, the last one first.
    pub(super) last_ends: Vec<Ending>,
    /// Ids of the holds whose end this exchange has stored. The end of the others was stored before, by another instance.
    pub(super) first_ends: Vec<String>,
}

impl HoldStorage {
    /// Uses the table of a database, which need not be open yet.
    #[must_use]
    pub fn new(database: Database, source: &str) -> Self {
        Self { database, source: source.into(), read_commits: Arc::new(AtomicU64::new(u64::MAX)) }
    }

    /// Uses the table of a database at this location; `None` in memory, because such a database ends with the process, as holds do.
    #[must_use]
    pub fn for_data(data: &DataLocation, database: &Database, source: &str) -> Option<Self> {
        (*data != DataLocation::Memory).then(|| Self::new(database.clone(), source))
    }

    /// Returns true if other instances can change the table.
    pub(super) fn is_shared(&self) -> bool {
        self.database.is_shared()
    }

    /// Returns true if the table was not read yet, or another instance may have changed it since.
    pub(super) fn must_read(&self) -> bool {
        let changes = self.database.changes();
        match self.read_commits.load(Ordering::Acquire) {
            u64::MAX => true,
            commits => self.is_shared() && (commits != changes.commits() || changes.is_unreachable()),
        }
    }

    /// Stores changes, and reads the holds in the same transaction, with at most `max_ends` ended ones. `clock` is that of this machine.
    ///
    /// # Errors
    /// If the database cannot be used. The changes are stored or not.
    pub(super) async fn exchange(
        &self,
        unsaved: UnsavedChanges,
        max_ends: usize,
        clock: Clock,
    ) -> Result<Exchanged, ApiError> {
        let (source, commits) = (Arc::clone(&self.source), self.database.changes().commits());
        let is_read = unsaved.is_empty();
        let work = move |tx: &Transaction<'_>| Ok(exchange(tx, &source, &unsaved, max_ends, &clock)?);
        let exchanged =
            if is_read { self.database.read(work).await } else { self.database.write_internal(work).await };
        if exchanged.is_ok() {
            self.read_commits.store(commits, Ordering::Release);
        }
        exchanged
    }

    /// Deletes holds that ended before a time.
    pub(super) async fn delete_ended(&self, before: Timestamp) -> Result<(), ApiError> {
        let before = before.as_millisecond();
        let delete = move |tx: &Transaction<'_>| Ok(tx.delete_holds(before)?);
        self.database.write_internal(delete).await
    }
}

fn exchange(
    tx: &Transaction<'_>,
    source: &str,
    unsaved: &UnsavedChanges,
    max_ends: usize,
    clock: &Clock,
) -> Result<Exchanged, StoreError> {
    let (database_now, ahead) = compare_clocks(tx, clock)?;
    for hold in &unsaved.holds {
        tx.store_hold(source, hold, None, ahead)?;
    }
    let mut first_ends = Vec::new();
    for end in &unsaved.ends {
        if tx.store_hold(source, &end.hold, Some(end), ahead)? {
            first_ends.push(end.hold.id.clone());
        }
    }
    let (mut stored, mut last_ends) = (StoredHolds::default(), Vec::new());
    for (hold, end) in tx.read_holds(source, database_now, ahead)? {
        match end {
            Some(end) => stored.ended.push(end),
            None => stored.active.push(hold),
        }
    }
    for (hold, end) in tx.read_ended_holds(source, database_now, max_ends, ahead)? {
        // The process has ended before the hold.
        let expired =
            || Ending { at: hold.expires, cause: Some(HoldEnd::Expired), person: None, hold: hold.into() };
        last_ends.push(end.unwrap_or_else(expired));
    }
    Ok(Exchanged { stored, last_ends, first_ends })
}

/// Returns the time of the database in milliseconds since 1970, and by how much it is ahead of the clock of this machine.
fn compare_clocks(tx: &Transaction<'_>, clock: &Clock) -> Result<(i64, SignedDuration), StoreError> {
    if !tx.is_shared() {
        // SQLite has the clock of this machine.
        return Ok((clock.now().wall.as_millisecond(), SignedDuration::ZERO));
    }
    for _ in 0..MAX_COMPARISONS {
        let start = clock.now();
        let now = tx.now_milliseconds()?;
        // If the server hung meanwhile, the difference is unknown.
        if clock.now().monotonic.saturating_sub(start.monotonic) < MAX_COMPARISON_TIME {
            return Ok((now, SignedDuration::from_millis(now - start.wall.as_millisecond())));
        }
    }
    Err(StoreError::Database {
        fault: Some(StorageFault::Unreachable),
        cause: "the database server responds too slowly to compare its clock with the one of this machine"
            .into(),
    })
}

impl Transaction<'_> {
    /// Stores a hold, or the end of a stored hold. Returns false if that has ended already. `ahead` is the difference between the
    /// clock of the database and the one of this machine.
    fn store_hold(
        &self,
        source: &str,
        hold: &Hold,
        end: Option<&Ending>,
        ahead: SignedDuration,
    ) -> Result<bool, StoreError> {
        let stored = |time: Timestamp| (time + ahead).as_millisecond();
        let cause = end.and_then(|end| end.cause).map(name_of);
        let changed = self.execute(
            "INSERT INTO holds (id, source, toggle, environment, reason, person, made_at, ends_at, ended_at, cause, ended_by)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
             ON CONFLICT (id) DO UPDATE
             SET ended_at = excluded.ended_at, cause = excluded.cause, ended_by = excluded.ended_by
             WHERE holds.ended_at IS NULL AND excluded.ended_at IS NOT NULL",
            params![
                &hold.id,
                source,
                &hold.toggle,
                hold.environment.as_deref(),
                &hold.reason,
                &hold.person,
                stored(hold.start),
                stored(hold.expires),
                end.map(|end| stored(end.at)),
                cause,
                end.and_then(|end| end.person.as_deref()),
            ],
        )?;
        Ok(changed > 0)
    }

    /// Returns the holds whose time has not passed, with their end if they have ended before.
    fn read_holds(
        &self,
        source: &str,
        now: i64,
        ahead: SignedDuration,
    ) -> Result<Vec<(Hold, Option<Ending>)>, StoreError> {
        let sql = format!(
            "{READ} WHERE source = ?1 AND ends_at > ?2
             ORDER BY CASE WHEN ended_at IS NULL THEN 0 ELSE 1 END, made_at, id LIMIT {MAX_ROWS}"
        );
        self.query(&sql, params![source, now], |row| read(row, ahead))
    }

    /// Returns the last holds that have ended.
    fn read_ended_holds(
        &self,
        source: &str,
        now: i64,
        max: usize,
        ahead: SignedDuration,
    ) -> Result<Vec<(Hold, Option<Ending>)>, StoreError> {
        let sql = format!(
            "{READ} WHERE source = ?1 AND (ended_at IS NOT NULL AND cause IS NOT NULL OR ended_at IS NULL AND ends_at <= ?2)
             ORDER BY coalesce(ended_at, ends_at) DESC, id LIMIT {max}"
        );
        self.query(&sql, params![source, now], |row| read(row, ahead))
    }

    /// Deletes holds that ended before a time in milliseconds since 1970.
    fn delete_holds(&self, before: i64) -> Result<(), StoreError> {
        self.execute("DELETE FROM holds WHERE coalesce(ended_at, ends_at) < ?1", params![before])?;
        Ok(())
    }
}

fn read(row: &Row<'_>, ahead: SignedDuration) -> Result<(Hold, Option<Ending>), StoreError> {
    // A time that no clock has is far in the past.
    let time = |milliseconds: i64| {
        Timestamp::from_millisecond(milliseconds).and_then(|time| time.checked_sub(ahead)).unwrap_or_default()
    };
    let hold = Hold {
        id: row.get("id")?,
        toggle: row.get("toggle")?,
        environment: row.get("environment")?,
        reason: row.get("reason")?,
        person: row.get("person")?,
        start: time(row.get("made_at")?),
        expires: time(row.get("ends_at")?),
    };
    let Some(ended_at) = row.get::<Option<i64>>("ended_at")? else { return Ok((hold, None)) };
    let cause = row.get::<Option<&str>>("cause")?.and_then(find_cause);
    let person = row.get("ended_by")?;
    let end = Ending { hold: Arc::new(hold.clone()), at: time(ended_at), cause, person };
    Ok((hold, Some(end)))
}

/// Returns the name of a cause in the table.
fn name_of(cause: HoldEnd) -> &'static str {
    match cause {
        HoldEnd::Expired => "expired",
        HoldEnd::Released => "released",
        HoldEnd::SwitchedOff => "switched-off",
    }
}

fn find_cause(name: &str) -> Option<HoldEnd> {
    let causes = [HoldEnd::Expired, HoldEnd::Released, HoldEnd::SwitchedOff];
    causes.into_iter().find(|cause| name_of(*cause) == name)
}
