//! Usage that applications report: counted in memory, written to the database in batches.
//!
//! A report holds a lock only while its numbers are added. The reports of about a second are written as one batch, so
//! that thousands of applications cost a few commits per second. A batch is written in parts with a limited number of
//! rows, so that other writes do not wait for all of it. Reports that cannot be written are kept for the next attempt.
//! A regular shutdown writes the last batch; a killed process loses it.
//!
//! Sums of the last minute and hour are in memory (`usage_windows`). Counts by application are only in the database: per minute
//! for an hour and per hour for a week (`history`). With several processes on one database, each reads the sums of the
//! others back about every second.

pub mod bounded;
pub(super) mod handlers;
pub mod history;
mod limits;
pub mod names;
pub mod pending;
pub mod report;
mod reports;
pub(super) mod routes;
mod rows;
pub mod rules;
mod transactions;

use std::mem;

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::SetOnce;

use self::names::ToggleNames;
use self::pending::Pending;
use self::report::{Registration, UsageReport};
use super::events::rows::EventIdentity;
use crate::api::{Counts, MetricsOfToggle, ToggleMetrics};
use crate::clock::{CautiousTime, Clock};
use crate::usage_windows::{self, Windows};

pub use self::reports::UsageReports;

/// The maximum number of rows that are written in one transaction.
const PART_ROWS: usize = 2_000;
/// The number of rows added to `toggle_uses` after which the limits of that table are checked again.
const USES_BETWEEN_CHECKS: u64 = 5_000;

/// The stored counts of a toggle in a minute since 1970.
pub(super) type MinuteCounts = ((i64, String), Counts);

/// The usage that applications reported recently.
#[derive(Debug)]
pub struct Usage {
    state: Mutex<State>,
    /// Set when the windows contain the earlier counts of the database.
    is_complete: SetOnce<()>,
    clock: Clock,
    /// The time for the expiry of stored usage.
    expiry_time: Mutex<CautiousTime>,
}

#[derive(Debug)]
struct State {
    names: ToggleNames,
    windows: Windows,
    /// Reports since the current batch began.
    pending: Pending,
    /// The rest of the current batch.
    batch: Pending,
    /// The number of batches that were started.
    started_batches: u64,
    /// The number of batches that are completely on disk.
    written_batches: u64,
    /// Whether a task is scheduled that will write.
    is_write_scheduled: bool,
    /// The number of rows added to `toggle_uses` since its limits were checked.
    new_uses: u64,
    /// The number of the last commit whose counts of other processes were added.
    read_commit: i64,
}

impl Usage {
    /// Creates the usage with the toggle names of the database and its counts of the current minute. The counts of earlier
    /// minutes must follow: see `add_earlier`.
    #[must_use]
    pub fn new(windows: Windows, names: ToggleNames) -> Self {
        let state = State {
            names,
            windows,
            pending: Pending::default(),
            batch: Pending::default(),
            started_batches: 0,
            written_batches: 0,
            is_write_scheduled: false,
            new_uses: USES_BETWEEN_CHECKS,
            read_commit: 0,
        };
        let clock = Clock::system();
        let expiry_time = Mutex::new(CautiousTime::new(clock.now()));
        Self { state: Mutex::new(state), is_complete: SetOnce::new(), clock, expiry_time }
    }

    /// Returns the time that decides which stored usage is expired. A clock that is set forward must not delete it.
    pub(super) fn expiry_time(&self) -> Timestamp {
        self.expiry_time.lock().advance(self.clock.now())
    }

    /// Registers an instance that started. Returns true if the caller must schedule a write.
    #[must_use]
    pub fn register(&self, registration: Registration, address: &str, now: Timestamp) -> bool {
        let mut state = self.state.lock();
        state.pending.register(registration, address, now);
        !mem::replace(&mut state.is_write_scheduled, true)
    }

    /// Counts a report. Returns true if the caller must schedule a write.
    ///
    /// Uses the time of the server. The times in the report are ignored, because the clocks of clients may be wrong.
    #[must_use]
    pub fn count(&self, report: &UsageReport, address: &str, now: Timestamp) -> bool {
        let mut guard = self.state.lock();
        let state = &mut *guard;
        state.pending.add_sighting(report, address, now);
        for (toggle, counts) in &report.toggles {
            let exists = state.names.contains(toggle);
            let counted = state.windows.add(now.as_second(), toggle, *counts, exists);
            if exists || counted {
                state.pending.add_use(&report.app_name, toggle);
            }
            if exists {
                state.pending.add_seen(toggle, now);
                state.pending.add_use_counts(&report.app_name, toggle, *counts, now);
            }
            if counted {
                state.pending.add_counts(toggle, *counts, now);
            }
        }
        !mem::replace(&mut state.is_write_scheduled, true)
    }

    /// Returns whether the toggle names must be read again: the report has an unknown name and the names are not fresh.
    #[must_use]
    pub(super) fn needs_names(&self, report: &UsageReport, commits: u64) -> bool {
        let state = self.state.lock();
        !state.names.is_fresh(commits) && report.toggles.keys().any(|name| !state.names.contains(name))
    }

    /// Marks the names as fresh if `event`, the newest event, has not changed since they were read. Returns false if they
    /// must be read again.
    #[must_use]
    pub(super) fn confirm_names(&self, event: &EventIdentity, commits: u64) -> bool {
        let mut state = self.state.lock();
        let unchanged = state.names.were_read_at(event);
        if unchanged {
            state.names.confirm(commits);
        }
        unchanged
    }

    /// Marks the names as fresh after a failed read, so that the next report does not try again at once.
    pub(super) fn postpone_names(&self, commits: u64) {
        self.state.lock().names.confirm(commits);
    }

    /// Replaces the names of all toggles.
    pub(super) fn set_names(&self, names: ToggleNames) {
        self.state.lock().names = names;
    }

    /// Adds the counts of the minutes before the start.
    pub(super) fn add_earlier(&self, earlier: Windows) {
        self.state.lock().windows.prepend(earlier);
        // Fails only if it is set already.
        drop(self.is_complete.set(()));
    }

    /// Waits until the counts of the minutes before the start are added.
    pub(super) async fn wait_until_complete(&self) {
        self.is_complete.wait().await;
    }

    /// Returns the number of the last commit whose counts were added by [`Self::add_stored`].
    pub(super) fn read_commit(&self) -> i64 {
        self.state.lock().read_commit
    }

    /// Adds the part of stored counts that was reported to other processes. `commit` is the number of the last commit that
    /// the read has seen. No batch of this process may be written between the read and this call.
    pub(super) fn add_stored(&self, second: i64, stored: &[MinuteCounts], commit: i64) {
        let mut guard = self.state.lock();
        let state = &mut *guard;
        for (key, counts) in stored {
            let mut total = *counts;
            for unwritten in [&state.pending, &state.batch] {
                usage_windows::add(&mut total, unwritten.counts.get(key).copied().unwrap_or_default());
            }
            let (minute, toggle) = key;
            state.windows.raise(second, *minute, toggle, total, state.names.contains(toggle));
        }
        state.read_commit = commit;
    }

    /// Waits until the counts are complete, and returns the sums of the last minute and the last hour.
    pub async fn metrics(&self) -> ToggleMetrics {
        self.wait_until_complete().await;
        let now = Timestamp::now();
        self.state.lock().windows.metrics(now.as_second())
    }

    /// Returns the sums of a toggle like [`Self::metrics`].
    pub async fn metrics_of(&self, toggle: &str) -> MetricsOfToggle {
        self.wait_until_complete().await;
        let now = Timestamp::now();
        self.state.lock().windows.metrics_of(now.as_second(), toggle)
    }

    /// Returns the number of the batch that contains the last report, for [`Self::is_written`]. Returns `None` if all
    /// reports are on disk.
    pub(super) fn last_unwritten_batch(&self) -> Option<u64> {
        let state = self.state.lock();
        if !state.pending.is_empty() {
            return Some(state.started_batches + 1);
        }
        (state.written_batches < state.started_batches).then_some(state.started_batches)
    }

    /// Returns whether a batch is completely on disk.
    pub(super) fn is_written(&self, batch: u64) -> bool {
        self.state.lock().written_batches >= batch
    }

    /// Records that the scheduled write has started: the next report schedules another one.
    pub(super) fn start_scheduled_write(&self) {
        self.state.lock().is_write_scheduled = false;
    }

    /// Returns true if reports are left and no write is scheduled; the caller must schedule one.
    pub(super) fn needs_write(&self) -> bool {
        let mut state = self.state.lock();
        let has_rest = state.written_batches < state.started_batches || !state.pending.is_empty();
        has_rest && !mem::replace(&mut state.is_write_scheduled, true)
    }

    /// Takes the next part of the current batch, or of a new one. [`Self::confirm_part`] or [`Self::return_part`] must
    /// follow before the next call.
    pub(super) fn take_part(&self) -> BatchPart {
        let mut state = self.state.lock();
        if state.batch.is_empty() && !state.pending.is_empty() {
            state.batch = mem::take(&mut state.pending);
            state.started_batches += 1;
        }
        let checks_uses = state.new_uses >= USES_BETWEEN_CHECKS;
        BatchPart { rows: state.batch.take_first(PART_ROWS), checks_uses }
    }

    /// Records that a part is on disk. `new_uses` is the number of rows that it added to `toggle_uses`.
    pub(super) fn confirm_part(&self, checked_uses: bool, new_uses: u64) {
        let mut state = self.state.lock();
        if checked_uses {
            state.new_uses = 0;
        }
        state.new_uses = state.new_uses.saturating_add(new_uses);
        if state.batch.is_empty() {
            state.written_batches = state.started_batches;
        }
    }

    /// Returns a part to the batch after a failed write.
    pub(super) fn return_part(&self, rows: Pending) {
        self.state.lock().batch.absorb(rows);
    }
}

/// The part of a batch that is written in one transaction.
#[derive(Debug, Default)]
pub(super) struct BatchPart {
    pub(super) rows: Pending,
    /// Whether the limits of `toggle_uses` must be enforced.
    pub(super) checks_uses: bool,
}
