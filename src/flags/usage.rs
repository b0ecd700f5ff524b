//! What applications report: counted in memory at once, written to the database in batches.
//!
//! A report only takes a lock for as long as it takes to add up a few numbers. What it brought is written a moment
//! later together with all others of that moment, in one commit: thousands of applications cost no more commits
//! than one. What cannot be written waits for the next attempt. A program that is killed loses that moment; one that
//! is told to end writes it.

pub mod pending;
pub mod report;
pub mod windows;

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use self::pending::Pending;
use self::report::{Registration, Report};
use self::windows::Windows;
use super::model::ToggleMetrics;

/// All that was reported lately.
#[derive(Debug)]
pub struct Usage {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    windows: Windows,
    pending: Pending,
    /// Whether somebody comes to write what is pending.
    awaited: bool,
    /// Whether a batch is being written.
    in_flight: bool,
}

impl Usage {
    /// Goes on counting from what the database kept.
    #[must_use]
    pub fn new(windows: Windows) -> Self {
        let pending = Pending::default();
        Self { state: Mutex::new(State { windows, pending, awaited: false, in_flight: false }) }
    }

    /// Notes that an instance started. True when the caller has to see to it that it is written.
    #[must_use]
    pub fn register(&self, registration: Registration, address: &str, now: Timestamp) -> bool {
        let mut state = self.lock();
        state.pending.register(registration, address, now);
        !mem::replace(&mut state.awaited, true)
    }

    /// Counts what an instance reports. True when the caller has to see to it that it is written.
    ///
    /// It counts from now on, whatever times the report names: the clocks of other machines may differ.
    #[must_use]
    pub fn count(&self, report: &Report, address: &str, now: Timestamp) -> bool {
        let mut state = self.lock();
        for (toggle, counts) in &report.toggles {
            state.windows.add(now.as_second(), toggle, *counts);
        }
        state.pending.count(report, address, now);
        !mem::replace(&mut state.awaited, true)
    }

    /// The sums of the last minute and hour.
    #[must_use]
    pub fn metrics(&self, now: Timestamp) -> ToggleMetrics {
        self.lock().windows.metrics(now.as_second())
    }

    /// False while something is not on disk.
    pub(super) fn is_written(&self) -> bool {
        let state = self.lock();
        state.pending.is_empty() && !state.in_flight
    }

    /// Notes that the one who was awaited is here: whoever reports from now on sees to the next one.
    pub(super) fn writer_came(&self) {
        self.lock().awaited = false;
    }

    /// True when something is left and nobody comes for it: the caller has to see to it.
    pub(super) fn needs_writer(&self) -> bool {
        let mut state = self.lock();
        !state.pending.is_empty() && !mem::replace(&mut state.awaited, true)
    }

    /// Takes what is to be written; `written` or `give_back` has to follow.
    pub(super) fn take_pending(&self) -> Pending {
        let mut state = self.lock();
        state.in_flight = true;
        mem::take(&mut state.pending)
    }

    /// Notes that what was taken is on disk.
    pub(super) fn written(&self) {
        self.lock().in_flight = false;
    }

    /// Takes back what could not be written, below what came meanwhile.
    pub(super) fn give_back(&self, mut batch: Pending) {
        let mut state = self.lock();
        batch.absorb(mem::take(&mut state.pending));
        state.pending = batch;
        state.in_flight = false;
    }

    /// Sums stay usable after a panic: each addition is whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
