//! What applications report: counted in memory at once, written to the database in batches.
//!
//! A report only takes a lock for as long as it takes to add up a few numbers. What it brought is written a moment
//! later together with all others of that moment, in one commit: thousands of applications cost no more commits
//! than one. A program that is killed loses that moment; one that is told to end writes it.

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
    /// Whether somebody will write what is pending.
    awaited: bool,
}

impl Usage {
    /// Goes on counting from what the database kept.
    #[must_use]
    pub fn new(windows: Windows) -> Self {
        Self { state: Mutex::new(State { windows, pending: Pending::default(), awaited: false }) }
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

    /// Takes what is to be written.
    pub(super) fn take_pending(&self) -> Pending {
        let mut state = self.lock();
        state.awaited = false;
        mem::take(&mut state.pending)
    }

    /// Sums stay usable after a panic: each addition is whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
