//! Usage that applications report: counted in memory at once, written to the database in batches.
//!
//! A report only takes a lock for as long as it takes to add up a few numbers. All reports of a moment are written
//! together a moment later: thousands of applications cost a few commits per second. A batch is written in steps of a
//! bounded number of rows, so that other writes do not wait for all of it. Reports that cannot be written stay until
//! the next attempt. A program that is killed loses the last moment; one that is asked to end writes it.

pub mod bounded;
pub mod names;
pub mod pending;
pub mod report;
pub mod windows;

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use tokio::sync::SetOnce;

use self::names::ToggleNames;
use self::pending::Pending;
use self::report::{Registration, Report};
use self::windows::Windows;
use super::model::ToggleMetrics;

/// The maximum number of rows that are written in one transaction.
const STEP_ROWS: usize = 2_000;
/// The number of new rows about the use of toggles after which their limits are checked again.
const USES_BETWEEN_CHECKS: usize = 5_000;

/// Recent usage.
#[derive(Debug)]
pub struct Usage {
    state: Mutex<State>,
    /// Set when the windows contain the earlier counts of the database.
    is_complete: SetOnce<()>,
}

#[derive(Debug)]
struct State {
    names: ToggleNames,
    windows: Windows,
    /// Reports since the current batch began.
    pending: Pending,
    /// The rest of the current batch.
    batch: Pending,
    /// The number of batches that were begun.
    begun: u64,
    /// The number of batches that are completely on disk.
    written: u64,
    /// True while a task is scheduled that writes.
    awaited: bool,
    /// The number of new rows about the use of toggles since their limits were checked.
    new_uses: usize,
}

impl Usage {
    /// Continues with the toggles of the database and its counts of the current minute. Those of earlier minutes must
    /// follow: see [`Self::add_earlier`].
    #[must_use]
    pub fn new(windows: Windows, names: ToggleNames) -> Self {
        let state = State {
            names,
            windows,
            pending: Pending::default(),
            batch: Pending::default(),
            begun: 0,
            written: 0,
            awaited: false,
            new_uses: USES_BETWEEN_CHECKS,
        };
        Self { state: Mutex::new(state), is_complete: SetOnce::new() }
    }

    /// Notes that an instance started. Returns true if the caller must schedule a write.
    #[must_use]
    pub fn register(&self, registration: Registration, address: &str, now: Timestamp) -> bool {
        let mut state = self.lock();
        state.pending.register(registration, address, now);
        !mem::replace(&mut state.awaited, true)
    }

    /// Counts a report. Returns true if the caller must schedule a write.
    ///
    /// It counts from now on, whatever times the report names: the clocks of other machines may differ.
    #[must_use]
    pub fn count(&self, report: &Report, address: &str, now: Timestamp) -> bool {
        let mut guard = self.lock();
        let state = &mut *guard;
        state.pending.sight(&report.app_name, &report.instance_id, address, now);
        for (toggle, counts) in &report.toggles {
            let exists = state.names.contains(toggle);
            let counted = state.windows.add(now.as_second(), toggle, *counts, exists);
            if exists || counted {
                state.pending.add_use(&report.app_name, toggle);
            }
            if exists {
                state.pending.add_seen(toggle, now);
            }
            if counted {
                state.pending.add_counts(toggle, *counts, now);
            }
        }
        !mem::replace(&mut state.awaited, true)
    }

    /// Returns true if the report has a name that no toggle had when the names were last read, and they are not fresh.
    #[must_use]
    pub(super) fn needs_names(&self, report: &Report, commits: u64) -> bool {
        let state = self.lock();
        !state.names.is_fresh(commits) && report.toggles.keys().any(|name| !state.names.contains(name))
    }

    /// Keeps the names if no event happened since they were read. Returns false if they must be read again.
    #[must_use]
    pub(super) fn confirm_names(&self, event: i64, commits: u64) -> bool {
        let mut state = self.lock();
        let unchanged = state.names.event() == event;
        if unchanged {
            state.names.confirm(commits);
        }
        unchanged
    }

    /// Keeps the names, which cannot be read again, so that the next attempt is not made at once.
    pub(super) fn postpone_names(&self, commits: u64) {
        self.lock().names.confirm(commits);
    }

    /// Replaces the names of all toggles.
    pub(super) fn set_names(&self, names: ToggleNames) {
        self.lock().names = names;
    }

    /// Adds the counts of the minutes before the start.
    pub(super) fn add_earlier(&self, earlier: Windows) {
        self.lock().windows.prepend(earlier);
        // Fails only if it is set already.
        drop(self.is_complete.set(()));
    }

    /// The sums of the last minute and hour, as soon as they are complete.
    pub async fn metrics(&self) -> ToggleMetrics {
        self.is_complete.wait().await;
        let now = Timestamp::now();
        self.lock().windows.metrics(now.as_second())
    }

    /// The batch that contains the last report, unless all reports are on disk. [`Self::is_written`] takes it.
    pub(super) fn unwritten(&self) -> Option<u64> {
        let state = self.lock();
        if !state.pending.is_empty() {
            return Some(state.begun + 1);
        }
        (state.written < state.begun).then_some(state.begun)
    }

    /// Returns true if a batch is completely on disk.
    pub(super) fn is_written(&self, batch: u64) -> bool {
        self.lock().written >= batch
    }

    /// Notes that the scheduled task runs: reports from now on must schedule the next one.
    pub(super) fn writer_came(&self) {
        self.lock().awaited = false;
    }

    /// Returns true if reports are left and no write is scheduled: the caller must schedule one.
    pub(super) fn needs_writer(&self) -> bool {
        let mut state = self.lock();
        let is_left = state.written < state.begun || !state.pending.is_empty();
        is_left && !mem::replace(&mut state.awaited, true)
    }

    /// Takes the next step of the current batch, or of a new one. [`Self::step_written`] or [`Self::give_back`] must
    /// follow before the next call.
    pub(super) fn take_step(&self) -> Step {
        let mut state = self.lock();
        if state.batch.is_empty() && !state.pending.is_empty() {
            state.batch = mem::take(&mut state.pending);
            state.begun += 1;
        }
        let checks_uses = state.new_uses >= USES_BETWEEN_CHECKS;
        Step { rows: state.batch.take_first(STEP_ROWS), checks_uses }
    }

    /// Notes that a step is on disk, and how many new rows about the use of toggles it had.
    pub(super) fn step_written(&self, checked_uses: bool, new_uses: usize) {
        let mut state = self.lock();
        if checked_uses {
            state.new_uses = 0;
        }
        state.new_uses = state.new_uses.saturating_add(new_uses);
        if state.batch.is_empty() {
            state.written = state.begun;
        }
    }

    /// Takes back a step that could not be written.
    pub(super) fn give_back(&self, rows: Pending) {
        self.lock().batch.absorb(rows);
    }

    /// Sums stay usable after a panic: each addition is whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reports that are written in one transaction.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) rows: Pending,
    /// True if the limits of the rows about the use of toggles must be checked.
    pub(super) checks_uses: bool,
}
