//! Holds: toggles that SDKs of this process get as off for a limited time (`flagdeck hold`).
//!
//! A hold changes nothing at the flag service, so that it works while that does not respond. It serves `enabled: false`. Holds of
//! one toggle are independent: each has its own end.
//!
//! # Bodies
//!
//! [`body`] derives the list of toggles that SDKs get. It differs only in the held toggles, has an entity tag of its own, and
//! is computed once for each copy and each change of the holds ([`HeldCache`]). Without a hold that has an effect on it, the
//! original is served, byte for byte and with its own tag.
//!
//! [`remove_results`] changes the results that the flag service evaluates for browsers itself: the held toggles, and those that
//! depend on them, are off.
//!
//! # Time
//!
//! A hold ends at its wall-clock time, or when its duration has passed on the monotonic clock, whichever is earlier: a clock
//! that is set back does not lengthen it. After a restart only the wall clock is known; the rest is at most the duration.
//!
//! # File
//!
//! The file beside that of `data` contains all holds. Other programs may write it, and it is read again when it changes. A fault in
//! one hold disables no other: while the file has a fault, its valid holds are added, and none is removed. This process does not
//! overwrite it then, and writes its own holds later.
//!
//! # Webhook
//!
//! [`HoldWebhook`] sends a message for each start and end of a hold. Holds never wait for it, and a message can be lost.
//!
//! # Concurrency
//!
//! Events that can occur during a request of an SDK: a hold is added, released or ends; the upstream sends another copy;
//! a stream opens; the file changes.
//!
//! - The holds are one value with a number ([`ActiveHolds`]), which changes in one step. Readers remove ended holds
//!   themselves, so that no request gets a held body after the end, also if the task is late.
//! - [`HeldCache`] reads the holds and derives the body in one turn, on a thread that may block, and numbers the results. Streams
//!   ignore a result with a lower number, so that two tasks can publish in any order. An older source than the last one is not used.
//! - Starts and ends are sent to receivers while the holds change, so that every receiver gets them in the order of the
//!   changes: a hold can end at once, and another of the toggle can start.
//! - Reads and writes of the file take turns, on threads that may block: an operation also ends, with its effect on the holds, after
//!   the client that requested it has disconnected. A hold counts before it is in the file, because the incident is now; the task
//!   writes it again until that succeeds. A disk that does not respond delays no hold, and no other operation begins meanwhile.
//! - A hold that has ended is in the file until the next write. The set knows it until then, so that a change of the file by another
//!   program does not start it again.

mod announcement;
mod body;
mod cache;
mod clock;
mod file;
mod list;
mod preview;
mod results;
mod set;
#[cfg(test)]
mod tests;
mod webhook;
pub mod words;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::{broadcast, watch};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

pub use self::body::{HeldToggles, ToggleState, UpstreamHolds, find_toggle, find_toggles, read_toggle};
pub use self::cache::{HeldCache, Served, ToggleList};
pub use self::clock::{CautiousTime, Clock, Now};
use self::file::HoldFile;
pub use self::file::{FileError, check_file};
pub use self::list::{
    EndedHold, HoldChild, HoldDraft, HoldEnd, HoldEvent, HoldList, HoldPreview, ListedHold, NewHold,
    ReleasedHolds,
};
pub use self::preview::{HeldCopy, preview};
pub use self::results::{HeldResults, remove_results};
pub use self::set::{ActiveHold, ActiveHolds, CopyScope, Hold, MAX_DURATION};
pub use self::webhook::HoldWebhook;
use crate::error::{ApiError, DomainError};
use crate::log_limit::LogLimit;
use crate::metrics::HoldMetrics;

/// Interval in which the file is read, and in which the wall clock is compared.
const INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of holds.
const MAX_HOLDS: usize = 500;
/// Number of ended holds that are listed.
const MAX_ENDED: usize = 50;
/// Number of starts and ends that wait for a slow receiver. It then misses the oldest ones.
const MAX_EVENTS: usize = 1_000;
/// Maximum time for which a change of the holds waits for the disk of the file.
const MAX_DISK_TIME: Duration = Duration::from_secs(5);

/// The disk of the file does not respond.
static STALLED: LogLimit = LogLimit::new();
/// The file cannot be written.
static UNWRITABLE: LogLimit = LogLimit::new();

/// The holds of this process. Clones share them.
#[derive(Debug, Clone)]
pub struct Holds(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    set: watch::Sender<ActiveHolds>,
    /// Spares most requests the lock of `set`.
    has_holds: AtomicBool,
    /// Ended holds, the last one first.
    ended: Mutex<VecDeque<EndedHold>>,
    events: broadcast::Sender<HoldEvent>,
    clock: Clock,
    file: Option<HoldFile>,
    /// Reads and writes of the file take turns.
    turn: Arc<tokio::sync::Mutex<()>>,
    metrics: HoldMetrics,
}

impl Holds {
    /// Reads the file. The holds in it count from the first request on. A fault of the file is logged.
    #[must_use]
    pub fn open(path: Option<&Path>, clock: Clock) -> Self {
        let now = clock.now();
        let mut set = ActiveHolds::default();
        let file = path.map(|path| HoldFile::new(path.to_owned()));
        if let Some(file) = &file
            && let Some(stored) = file.read_if_changed(now.wall)
        {
            stored.log();
            set.replace_stored(stored.holds, stored.fault.is_none(), now);
            for active in set.iter() {
                active.hold.log("a hold of the file is active");
            }
        }
        let holds = Self(Arc::new(Inner {
            has_holds: AtomicBool::new(!set.is_empty()),
            set: watch::Sender::new(set),
            ended: Mutex::default(),
            events: broadcast::Sender::new(MAX_EVENTS),
            clock,
            file,
            turn: Arc::default(),
            metrics: HoldMetrics::default(),
        }));
        holds.update_metrics();
        holds
    }

    /// Creates the state without holds and without a file.
    #[must_use]
    pub fn none() -> Self {
        let (set, _) = watch::channel(ActiveHolds::default());
        Self(Arc::new(Inner {
            set,
            has_holds: AtomicBool::new(false),
            ended: Mutex::default(),
            events: broadcast::Sender::new(MAX_EVENTS),
            clock: Clock::system(),
            file: None,
            turn: Arc::default(),
            metrics: HoldMetrics::default(),
        }))
    }

    /// Returns the metrics.
    #[must_use]
    pub fn metrics(&self) -> &HoldMetrics {
        &self.0.metrics
    }

    /// Returns false if no toggle is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.0.has_holds.load(Ordering::Acquire)
    }

    /// Returns the holds that have not ended.
    #[must_use]
    pub fn current(&self) -> ActiveHolds {
        if self.is_empty() {
            // The number identifies the empty set too.
            return self.0.set.borrow().clone();
        }
        let current = self.0.set.borrow().clone();
        if !current.has_expired(self.now()) {
            return current;
        }
        self.expire();
        self.0.set.borrow().clone()
    }

    /// Returns a receiver that is notified of each change of the holds.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<ActiveHolds> {
        self.0.set.subscribe()
    }

    /// Returns a receiver of the starts and ends of holds from now on. A start of this process does not start the holds of the
    /// file again.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<HoldEvent> {
        self.0.events.subscribe()
    }

    /// Returns the time.
    #[must_use]
    pub fn now(&self) -> Now {
        self.0.clock.now()
    }

    /// Ends holds, reads the file when it changes, and writes holds that are not in it, until the future is dropped.
    pub(crate) async fn run(self) {
        let mut changes = self.changes();
        loop {
            let next = self.0.set.borrow().next_end(self.now());
            let is_waiting = self.0.file.is_some() || next.is_some();
            let pause = next.map_or(INTERVAL, |next| next.min(INTERVAL));
            if is_waiting {
                drop(timeout(pause, changes.changed()).await);
            } else {
                drop(changes.changed().await);
            }
            self.expire();
            self.synchronize().await;
        }
    }

    /// Adds a hold. It is active at once, and in the file if [`ListedHold::is_stored`] says so when this function returns.
    ///
    /// # Errors
    /// If there are too many, or the hold has ended meanwhile.
    pub(crate) async fn add(&self, hold: Hold) -> Result<ActiveHold, ApiError> {
        self.expire();
        let hold = Arc::new(hold);
        let now = self.now();
        let started = self.modify(|set| {
            (set.len() < MAX_HOLDS).then(|| {
                set.add(Arc::clone(&hold), now);
                vec![HoldEvent::Started(Arc::clone(&hold))]
            })
        });
        if started == 0 {
            let message = format!("There are {MAX_HOLDS} holds, which is the maximum. Release others first");
            return Err(
                DomainError::new("too_many_holds", actix_web::http::StatusCode::CONFLICT, message).into()
            );
        }
        self.require_write();
        self.synchronize().await;
        let active = self.0.set.borrow().iter().find(|active| Arc::ptr_eq(&active.hold, &hold)).cloned();
        active.ok_or_else(|| {
            let message = format!(
                "The hold of the toggle {:?} has ended at once; the list of holds says why",
                hold.toggle
            );
            DomainError::new("hold_ended", actix_web::http::StatusCode::CONFLICT, message).into()
        })
    }

    /// Ends the holds of a toggle; with an environment, only those of the environment. Returns their number.
    pub(crate) async fn release(&self, toggle: &str, environment: Option<&str>, person: &str) -> usize {
        // The file may contain holds of the toggle that were not read yet.
        self.synchronize().await;
        let is_released = |hold: &Hold| {
            hold.toggle == toggle
                && environment.is_none_or(|environment| hold.environment.as_deref() == Some(environment))
        };
        let released = self.end(is_released, HoldEnd::Released, Some(person));
        if released > 0 {
            self.require_write();
            self.synchronize().await;
        }
        released
    }

    /// Ends the holds of a toggle that the flag service itself has switched off since. `is_off` decides for one hold.
    pub(crate) fn end_switched_off(&self, is_off: impl Fn(&ActiveHold) -> bool) {
        let current = self.current();
        let off: Vec<_> = current.iter().filter(|active| is_off(active)).map(|active| &active.hold).collect();
        if !off.is_empty() {
            self.end(
                |hold| off.iter().any(|off| std::ptr::eq(Arc::as_ptr(off), hold)),
                HoldEnd::SwitchedOff,
                None,
            );
            self.require_write();
        }
    }

    /// Returns the holds and the last ended ones.
    #[must_use]
    pub fn list(&self) -> HoldList {
        let (current, now) = (self.current(), self.now());
        HoldList {
            holds: current.iter().map(|active| ListedHold::new(active, now, self.0.file.is_some())).collect(),
            ended: self.0.ended.lock().iter().cloned().collect(),
            file_fault: self.0.file.as_ref().and_then(HoldFile::fault),
        }
    }

    /// Returns the entry of a hold in the list.
    #[must_use]
    pub fn describe(&self, active: &ActiveHold) -> ListedHold {
        let current = self.0.set.borrow();
        // It may be in the file since.
        let active = current.iter().find(|other| Arc::ptr_eq(&other.hold, &active.hold)).unwrap_or(active);
        ListedHold::new(active, self.now(), self.0.file.is_some())
    }

    /// Updates the metrics when they are read: a hold may have reached its end since.
    pub fn refresh_metrics(&self) {
        self.expire();
        self.update_metrics();
    }

    fn update_metrics(&self) {
        let has_fault = self.0.file.as_ref().is_some_and(|file| file.fault().is_some());
        self.0.metrics.set(self.0.set.borrow().len(), has_fault);
    }

    fn expire(&self) {
        let now = self.now();
        if self.0.set.borrow().has_expired(now) {
            self.modify(|set| end_events(set.expire(now), now.wall, HoldEnd::Expired, None));
        }
    }

    fn end(&self, is_ended: impl Fn(&Hold) -> bool, end: HoldEnd, person: Option<&str>) -> usize {
        let now = self.now().wall;
        self.modify(|set| end_events(set.remove(is_ended), now, end, person))
    }

    /// Changes the holds in one step. `change` returns the starts and ends, and `None` if nothing has changed. Returns the
    /// number of starts and ends.
    fn modify(&self, change: impl FnOnce(&mut ActiveHolds) -> Option<Vec<HoldEvent>>) -> usize {
        let mut events = Vec::new();
        self.0.set.send_if_modified(|set| {
            let changed = change(set);
            self.0.has_holds.store(!set.is_empty(), Ordering::Release);
            let is_changed = changed.is_some();
            events = changed.unwrap_or_default();
            // Before another change, so that receivers get the events in the order of the changes.
            for event in &events {
                // An error means that there is no receiver.
                drop(self.0.events.send(event.clone()));
            }
            is_changed
        });
        self.update_metrics();
        let count = events.len();
        self.note(events);
        count
    }

    /// Logs starts and ends, and lists the ends.
    fn note(&self, events: Vec<HoldEvent>) {
        for event in events {
            match event {
                HoldEvent::Started(hold) => hold.log("a toggle is held for SDKs"),
                HoldEvent::Ended(hold, ended) => {
                    hold.log(ended.end.words());
                    let mut list = self.0.ended.lock();
                    list.push_front(ended);
                    list.truncate(MAX_ENDED);
                }
            }
        }
    }

    /// Writes the holds to the file with the next [`Self::synchronize`], which the task also calls.
    fn require_write(&self) {
        if let Some(file) = &self.0.file {
            file.set_must_write(true);
        }
    }

    /// Reads the file if it has changed, and writes it if it differs from the holds. Waits a limited time for the disk.
    async fn synchronize(&self) {
        let Some(file) = self.0.file.clone() else { return };
        let holds = self.clone();
        let work = async move {
            let turn = Arc::clone(&holds.0.turn).lock_owned().await;
            let exchange = move || {
                // The turn belongs to the work, which continues after the time limit and after its caller.
                let _turn = turn;
                holds.read_file(&file);
                if file.must_write() {
                    holds.write_file(&file);
                }
            };
            spawn_blocking(exchange).await
        };
        match timeout(MAX_DISK_TIME, work).await {
            Ok(Ok(())) => {
                STALLED.end();
            }
            Ok(Err(error)) => tracing::error!(%error, "the file of holds cannot be read"),
            Err(_elapsed) => {
                if let Some(repeated) = STALLED.record() {
                    tracing::error!(
                        repeated,
                        "the disk of the file of holds does not respond; holds are only in memory"
                    );
                }
            }
        }
    }

    /// Reads the file if it has changed. The caller has the turn. Blocks the thread.
    fn read_file(&self, file: &HoldFile) {
        let now = self.now();
        let Some(stored) = file.read_if_changed(now.wall) else { return };
        stored.log();
        self.modify(|set| {
            let before = set.clone();
            let removed = set.replace_stored(stored.holds, stored.fault.is_none(), now);
            let ends = end_events(removed, now.wall, HoldEnd::Released, Some(set::FILE_AUTHOR));
            let started = set.iter().filter(|active| !before.contains(&active.hold));
            let starts = started.map(|active| HoldEvent::Started(Arc::clone(&active.hold)));
            Some(ends.into_iter().flatten().chain(starts).collect())
        });
    }

    /// Writes all holds to the file, unless it has a fault. The caller has the turn. Blocks the thread.
    fn write_file(&self, file: &HoldFile) {
        if file.fault().is_some() {
            return;
        }
        let current = self.current();
        let written = current.holds();
        match file.write(&written) {
            Ok(()) => {
                UNWRITABLE.end();
                self.0.set.send_if_modified(|set| {
                    // Otherwise, a hold has started or ended since, and the file must be written again.
                    if set.number() == current.number() {
                        file.set_must_write(false);
                    }
                    set.mark_stored(&written);
                    // SDKs get the same.
                    false
                });
            }
            Err(error) => {
                if let Some(repeated) = UNWRITABLE.record() {
                    tracing::error!(%error, repeated, "holds are active, but cannot be written to the file; retrying each second");
                }
            }
        }
    }
}

/// Returns the events of holds that have ended; `None` without any.
fn end_events(
    ended: Vec<ActiveHold>,
    now: Timestamp,
    end: HoldEnd,
    person: Option<&str>,
) -> Option<Vec<HoldEvent>> {
    let event = |ActiveHold { hold, .. }: ActiveHold| {
        let ended = EndedHold::new(&hold, now, end, person);
        HoldEvent::Ended(hold, ended)
    };
    (!ended.is_empty()).then(|| ended.into_iter().map(event).collect())
}

/// Formats a time as RFC 3339 with seconds.
fn format_time(time: Timestamp) -> String {
    format!("{time:.0}")
}
