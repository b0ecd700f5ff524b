//! Counts per minute from the counters of a newer server, which its API reports per hour only (`upstream-counters`).
//!
//! The server publishes a counter of evaluations for each toggle and application, over all environments and since its
//! start. [`Counters::watch`] reads them regularly; the differences are the counts.

mod exposition;
mod history;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::Notify;
use tokio::time::timeout;

use self::history::History;
use super::caller::Caller;
use super::failure::Failure;
use crate::flags::model::ToggleMetrics;

/// Pause between two samples while a console shows counts.
const INTERVAL: Duration = Duration::from_secs(5);
/// Pause between two samples otherwise. They are necessary for the counts of the last hour.
const IDLE_INTERVAL: Duration = Duration::from_mins(1);
/// Time after the last request of a console up to which it is assumed to show counts.
const ATTENTION: Duration = Duration::from_secs(30);
/// Age of the last sample after which the counts are not reported.
const MAX_AGE: Duration = Duration::from_mins(2);
/// Maximum time of a sample.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The counters of the server, which all workers share.
#[derive(Debug, Default)]
pub(super) struct Counters {
    is_enabled: bool,
    state: Mutex<State>,
    /// Ends an idle pause.
    wanted: Notify,
}

#[derive(Debug, Default)]
struct State {
    history: History,
    requested_at: Option<Instant>,
    sampled_at: Option<Instant>,
    /// Last failure in the log, which contains each change once.
    logged: Option<String>,
}

/// An application that evaluates a toggle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SeenApplication {
    /// Name of the application.
    pub(super) app_name: String,
}

/// Applications by name of the toggle.
pub(super) type SeenApplications = BTreeMap<String, Vec<SeenApplication>>;

impl Counters {
    /// Creates counters without samples.
    pub(super) fn new(is_enabled: bool) -> Self {
        Self { is_enabled, ..Self::default() }
    }

    /// Samples the counters until the future is dropped. Returns at once if they are not enabled.
    pub(super) async fn watch(&self, caller: &Caller) {
        if !self.is_enabled {
            return;
        }
        loop {
            let result = timeout(TIMEOUT, caller.read_counters()).await;
            self.record(
                result.unwrap_or_else(|_| Err(Failure::unexpected(PATH, "the response is too slow"))),
            );
            if self.is_wanted() {
                tokio::time::sleep(INTERVAL).await;
            } else {
                // A request of a console ends the pause.
                drop(timeout(IDLE_INTERVAL, self.wanted.notified()).await);
            }
        }
    }

    /// Returns true if the counts are known.
    pub(super) fn is_available(&self) -> bool {
        self.lock().is_available()
    }

    /// Returns the counts of the last minute and the last hour; `None` if they are unknown.
    pub(super) fn metrics(&self) -> Option<ToggleMetrics> {
        self.request()?;
        let now = Instant::now();
        let state = self.lock();
        Some(ToggleMetrics {
            last_minute: state.history.counts(now, history::MINUTE),
            last_hour: state.history.counts(now, history::HOUR),
        })
    }

    /// Returns the applications that evaluated toggles in the last hour; `None` if they are unknown.
    pub(super) fn applications(&self) -> Option<SeenApplications> {
        self.request()?;
        Some(self.lock().history.applications(Instant::now()))
    }

    /// Notes that a console shows counts. Returns `None` if they are unknown.
    fn request(&self) -> Option<()> {
        if !self.is_enabled {
            return None;
        }
        if !self.is_wanted() {
            self.wanted.notify_one();
        }
        let mut state = self.lock();
        state.requested_at = Some(Instant::now());
        state.is_available().then_some(())
    }

    fn is_wanted(&self) -> bool {
        self.lock().requested_at.is_some_and(|at| at.elapsed() < ATTENTION)
    }

    fn record(&self, result: Result<String, Failure>) {
        let mut state = self.lock();
        let fault = match result {
            Ok(text) => {
                let now = Instant::now();
                state.history.add(&exposition::parse(&text), now);
                state.sampled_at = Some(now);
                None
            }
            Err(failure) => Some(failure.message()),
        };
        if let Some(fault) = &fault
            && state.logged.as_ref() != Some(fault)
        {
            tracing::warn!(
                fault,
                "upstream-counters: the counters of the flag service cannot be read; counts stay per hour"
            );
        }
        state.logged = fault;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Path of the counters.
pub(super) const PATH: &str = "/internal-backstage/prometheus";

impl State {
    fn is_available(&self) -> bool {
        self.sampled_at.is_some_and(|at| at.elapsed() < MAX_AGE)
    }
}
