//! Writes records. All times are arguments, so that tests control them.

use std::time::Duration;

use super::definitions::{self, Hash, Item, ItemKey, ItemKind};
use super::rows::Range;
use super::scope::{ChangeInterval, GapReason, Salt, ServedScope};
use crate::database::{StoreError, Transaction};
use crate::number::{to_i64, to_millis};
use bytes::Bytes;

/// Difference of the clocks below which the one of the machine was not set, in milliseconds.
const CLOCK_TOLERANCE: u64 = 10 * 60_000;
/// Time between two removals of old records.
const PRUNE_INTERVAL: Duration = Duration::from_hours(1);
/// Time whose records are removed at once, in milliseconds: the clock may be wrong.
const MAX_PRUNED: i64 = 86_400_000;
/// Maximum time between two transactions of a recorder that runs: it notes in this interval that it is alive if several processes
/// share the database.
pub(super) const SHARED_ALIVE_INTERVAL: Duration = Duration::from_secs(10);
/// Time for which an instance records without renewing its lease, in milliseconds.
pub(super) const LEASE: i64 = 30_000;

/// New definitions of a scope. Times are milliseconds since 1970.
#[derive(Debug, Clone)]
pub struct NewDefinitions<'s> {
    /// The scope.
    pub scope: &'s ServedScope,
    /// The list of toggles, as SDKs get it, without holds.
    pub body: Bytes,
    /// Last time at which the definitions before were confirmed, if it is known.
    pub after: Option<i64>,
    /// Time from which SDKs get the definitions.
    pub by: i64,
    /// The newest event in them, and its time, if they come from the embedded service.
    pub event: Option<NewestEvent>,
    /// Number of changes of the scope before this one that were not recorded.
    pub missed: u64,
}

/// The newest event in definitions of the embedded service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewestEvent {
    /// The id of the event.
    pub id: i64,
    /// Its time in milliseconds since 1970.
    pub time: i64,
}

/// A moment on both clocks.
#[derive(Debug, Clone, Copy)]
pub struct BatchTime {
    /// Time of the database's clock in milliseconds since 1970.
    pub wall: i64,
    /// Time since the start of the process.
    pub monotonic: Duration,
    /// Time until which all changes are in this transaction or in earlier ones, by the same clock as `wall`, and not later.
    pub complete: i64,
}

/// How instances share the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// There is one process.
    Alone,
    /// Each instance records what others have not recorded yet: all get the same events.
    Together,
    /// One instance records.
    Leased,
}

/// The result of recording definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A change was recorded.
    Recorded,
    /// The definitions are the recorded ones, or older.
    Unchanged,
    /// The body is no list of toggles.
    Unreadable,
}

/// Writes records in transactions of its caller.
#[derive(Debug)]
pub struct RecordWriter {
    /// Time in milliseconds for which changes are kept.
    keep: i64,
    /// Size of all records in bytes above which the oldest changes are removed.
    max_size: i64,
    sharing: Sharing,
    /// Identifies this process.
    instance: String,
    progress: Progress,
}

/// The state of the writer after a transaction.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// The time of the last transaction.
    last: Option<BatchTime>,
    /// The reason for a time without records that the next transaction ends.
    gap: Option<GapReason>,
    /// True if this instance may record.
    is_holder: bool,
    /// Time of the last removal of old records, since the start of the process.
    pruned: Duration,
    /// Approximate size of all records in bytes.
    size: Option<i64>,
}

/// The records of one transaction.
#[derive(Debug)]
pub struct Batch<'w> {
    tx: &'w Transaction<'w>,
    writer: &'w RecordWriter,
    progress: Progress,
    salt: Salt,
    /// The time of the clock.
    wall: i64,
    /// The time of the records, which is later while the clock is behind.
    time: i64,
    /// The time until which all changes are in the records.
    complete: i64,
    /// True if the recorder has recorded anything.
    has_range: bool,
}

impl RecordWriter {
    /// Creates the writer of a process that starts.
    #[must_use]
    pub fn new(keep: Duration, max_size: u64, sharing: Sharing, instance: String) -> Self {
        let progress = Progress { gap: Some(GapReason::NotRunning), ..Progress::default() };
        Self { keep: to_i64(to_millis(keep)), max_size: to_i64(max_size), sharing, instance, progress }
    }

    /// Returns the approximate size of all records in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.progress.size.unwrap_or_default().try_into().unwrap_or_default()
    }

    /// Notes that nothing can be written since the last transaction.
    pub fn begin_gap(&mut self) {
        self.progress.gap.get_or_insert(GapReason::NotWritten);
    }

    /// Keeps the progress of a committed transaction. Returns true if this instance has recorded.
    pub fn commit(&mut self, progress: Progress) -> bool {
        self.progress = progress;
        progress.is_holder
    }

    /// Begins the records of a transaction. Ends a time without records. Returns the progress if another instance records.
    ///
    /// # Errors
    /// Faults of the database.
    pub fn begin<'w>(
        &'w self,
        tx: &'w Transaction<'w>,
        now: BatchTime,
    ) -> Result<Result<Batch<'w>, Progress>, StoreError> {
        let mut progress = self.progress;
        let salt = find_or_create_salt(tx)?;
        if self.sharing == Sharing::Leased && !tx.take_lease(&self.instance, now.wall, now.wall + LEASE)? {
            let gap = Some(GapReason::HandedOver);
            return Ok(Err(Progress { is_holder: false, gap, last: None, ..progress }));
        }
        progress.is_holder = true;
        if progress.last.is_some_and(|last| was_clock_set(last, now)) {
            progress.gap.get_or_insert(GapReason::ClockSet);
        }
        let open = tx.find_open_range()?;
        let gap = progress.gap.take().filter(|reason| !self.is_bridged(*reason, open, now.wall));
        let time = match (open, gap) {
            (None, _) => now.wall,
            (Some(open), Some(reason)) => end_gap(tx, open, now.wall, reason)?,
            (Some(Range { until, .. }), None) => {
                tx.extend_range(now.complete)?;
                now.wall.max(until)
            }
        };
        progress.last = Some(now);
        if progress.size.is_none() {
            progress.size = Some(tx.measure_records()?);
        }
        let BatchTime { wall, complete, .. } = now;
        let has_range = open.is_some();
        Ok(Ok(Batch { tx, writer: self, progress, salt, wall, time, complete, has_range }))
    }

    /// Returns true if other instances have recorded meanwhile.
    fn is_bridged(&self, reason: GapReason, open: Option<Range>, now: i64) -> bool {
        let is_recent = open.is_some_and(|open| now.abs_diff(open.until) < LEASE.unsigned_abs());
        self.sharing == Sharing::Together && reason != GapReason::ClockSet && is_recent
    }
}

impl Batch<'_> {
    /// Returns the progress after the commit of the transaction.
    #[must_use]
    pub fn finish(self) -> Progress {
        self.progress
    }

    /// Records definitions if they differ from the recorded ones.
    ///
    /// # Errors
    /// Faults of the database.
    pub fn record(&mut self, new: &NewDefinitions<'_>) -> Result<Outcome, StoreError> {
        let tx = self.tx;
        let Some(items) = definitions::parse(&new.body) else { return Ok(Outcome::Unreadable) };
        let scope = new.scope.with_salt(&self.salt);
        let known = tx.lock_scope(&scope.id)?;
        let event =
            new.event.filter(|_| self.writer.sharing == Sharing::Together).map_or(0, |event| event.id);
        if known.is_some_and(|known| event < known.event) {
            return Ok(Outcome::Unchanged);
        }
        let changed_at = known.map_or(i64::MAX, |known| known.changed);
        // The clock of the instance that made the change can be behind.
        let event_time = new.event.map(|event| event.time).filter(|time| *time > changed_at);
        let by = self.place(event_time.unwrap_or(new.by), known.map_or(i64::MIN, |known| known.changed));
        let is_new = known.is_none_or(|known| known.is_refused);
        if is_new {
            tx.insert_scope(&scope, by)?;
        }
        let current = tx.list_current_hashes(&scope.id)?;
        let is_changed = |(key, item): &(&ItemKey, &Item<'_>)| current.get(*key) != Some(&Some(item.hash));
        let changed: Vec<_> = items.iter().filter(is_changed).collect();
        let removed = current.iter().filter(|(key, hash)| hash.is_some() && !items.contains_key(key));
        let texts: Vec<Item<'_>> = changed.iter().map(|(_, item)| **item).collect();
        let versions: Vec<(&ItemKey, Option<Hash>)> = changed
            .iter()
            .map(|(key, item)| (*key, Some(item.hash)))
            .chain(removed.map(|(key, _)| (key, None)))
            .collect();
        if event > 0 || is_new || !versions.is_empty() {
            let toggles = items.keys().filter(|(kind, _)| *kind == ItemKind::Toggle).count();
            tx.update_scope(&scope.id, event, to_i64(toggles))?;
        }
        if !self.has_range {
            tx.begin_range(by, self.complete.max(by))?;
            self.has_range = true;
        }
        if new.missed > 0 {
            tx.insert_missed(&scope.id, by, to_i64(new.missed))?;
        }
        if !is_new && versions.is_empty() {
            tx.confirm_scope(&scope.id, by)?;
            return Ok(Outcome::Unchanged);
        }
        let confirmed = known.map(|known| known.confirmed);
        let after = new.after.max(confirmed).map(|after| after.min(by));
        tx.insert_items(&texts)?;
        tx.replace_versions(&scope.id, &versions, ChangeInterval { after, by })?;
        tx.confirm_scope(&scope.id, by)?;
        let added = texts.iter().fold(0, |size, item| size + item.text.len());
        self.progress.size = self.progress.size.map(|size| size.saturating_add(to_i64(added)));
        Ok(Outcome::Recorded)
    }

    /// Records that the upstream refuses the token of a scope.
    ///
    /// # Errors
    /// Faults of the database.
    pub fn refuse(&mut self, scope: &ServedScope, by: i64) -> Result<Outcome, StoreError> {
        let id = scope.with_salt(&self.salt).id;
        let Some(known) = self.tx.lock_scope(&id)?.filter(|known| !known.is_refused) else {
            return Ok(Outcome::Unchanged);
        };
        self.tx.end_range_of_scope(&id, self.place(by, known.changed))?;
        Ok(Outcome::Recorded)
    }

    /// Records that the state of a scope was confirmed at a time.
    ///
    /// # Errors
    /// Faults of the database.
    pub fn confirm(&self, scope: &ServedScope, time: i64) -> Result<(), StoreError> {
        self.tx.confirm_scope(&scope.with_salt(&self.salt).id, time.min(self.time))
    }

    /// Removes records that are too old: each hour at most those of a day, so that a clock that is wrong for a while removes little.
    /// Then removes the oldest changes while all records are too large. The current state is always kept.
    ///
    /// # Errors
    /// Faults of the database.
    pub fn prune(&mut self, monotonic: Duration) -> Result<(), StoreError> {
        if monotonic.saturating_sub(self.progress.pruned) >= PRUNE_INTERVAL {
            self.progress.pruned = monotonic;
            if let Some(first) = self.tx.list_ranges()?.first() {
                let limit = (self.time - self.writer.keep).min(first.since.saturating_add(MAX_PRUNED));
                self.tx.remove_scopes(limit)?;
                self.tx.prune_records(limit, None)?;
            }
            self.progress.size = Some(self.tx.measure_records()?);
        }
        while self.progress.size.is_some_and(|size| size > self.writer.max_size) {
            let Some(limit) = self.tx.find_oldest_tenth()? else { return Ok(()) };
            self.tx.prune_records(limit, Some(GapReason::TooLarge))?;
            self.progress.size = Some(self.tx.measure_records()?);
        }
        Ok(())
    }

    /// Ends the lease of this instance, so that another one can record at once.
    ///
    /// # Errors
    /// Faults of the database.
    pub fn end_lease(&self) -> Result<(), StoreError> {
        self.tx.end_lease(&self.writer.instance)
    }

    /// Returns the time of a record: not before the last change of its scope, and not in the future.
    fn place(&self, by: i64, last: i64) -> i64 {
        if self.wall < self.time { self.time } else { by.clamp(last.min(self.time), self.time) }
    }
}

fn find_or_create_salt(tx: &Transaction<'_>) -> Result<Salt, StoreError> {
    if let Some(found) = tx.find_salt()? {
        return Ok(found);
    }
    let mut salt = Salt::default();
    getrandom::fill(&mut salt)
        .map_err(|cause| StoreError::Database { fault: None, cause: cause.to_string().into() })?;
    tx.insert_salt(&salt)?;
    // Another instance may have stored its own first.
    Ok(tx.find_salt()?.unwrap_or(salt))
}

/// Returns true if the clock of the machine was set between two moments.
fn was_clock_set(last: BatchTime, now: BatchTime) -> bool {
    let elapsed = to_i64(to_millis(now.monotonic.saturating_sub(last.monotonic)));
    now.wall.abs_diff(last.wall.saturating_add(elapsed)) > CLOCK_TOLERANCE
}

/// Ends a time without records, which began at the end of the open range. Returns the time of the next records.
///
/// If the clock was ahead before, it is now in an earlier time without records: what was recorded after that time moves back to now,
/// and only the states that were replaced meanwhile are lost. Otherwise, records exist for the present time, or the clock is far behind:
/// then the time of records stands still until the clock has caught up, so that no record is lost.
fn end_gap(tx: &Transaction<'_>, open: Range, now: i64, reason: GapReason) -> Result<i64, StoreError> {
    if now < open.until && now.abs_diff(open.until) > CLOCK_TOLERANCE {
        let ranges = tx.list_ranges()?;
        let is_before = ranges.first().is_none_or(|first| now < first.until);
        let is_recorded = ranges.iter().any(|range| (range.since..range.until).contains(&now));
        if !is_before && !is_recorded {
            tx.move_back(now)?;
            tx.begin_range(now, now)?;
            return Ok(now);
        }
    }
    let time = now.max(open.until);
    tx.end_range(reason)?;
    tx.begin_range(time, time)?;
    Ok(time)
}
